"""A presentation: what is shown of the window, at which size, and where a clicker's keys lead."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication

from cadena.gui.frame.frame import WindowFrame
from cadena.gui.frame.key_guard import WRITERS
from cadena.gui.look import stage_sizes
from cadena.gui.look.theme import PROJECTOR
from cadena.gui.presenting.curtain import Curtain
from cadena.gui.presenting.lecture_order import Way
from cadena.gui.presenting.lesson_sign import Sign
from cadena.gui.presenting.pointer import Pointing

if TYPE_CHECKING:
    from cadena.gui.presenting.speaker.speaker import Speaker

Key, Event = Qt.Key, QEvent.Type
EDITS = (Key.Key_Delete, Key.Key_Backspace, Key.Key_F2)  # which the canvas takes itself
CLICKER = (Key.Key_PageUp, Key.Key_PageDown)


class Stage(QObject):
    """The presentation of a window. It is made when the first one begins."""

    def __init__(self, hall: WindowFrame) -> None:
        super().__init__(hall)
        self._hall = hall
        self._speaker: Speaker | None = None
        self._state_before = hall.windowState()
        self._enlarged = 0.0
        self.sign, self.curtain = Sign(hall.canvas), Curtain(hall)
        self.pointing = Pointing(hall, hall.canvas)
        self.way = Way(hall.session, hall.files, self.sign)
        hall.resized.connect(self.fit)
        hall.themeShown.connect(self._follow_theme)

    def toggle(self) -> None:
        """Give the whole screen to the graph and its step; the second time, show everything again."""
        self._leave() if self._hall.presenting else self._begin()
        self._hall.presentingChanged.emit()

    def _begin(self) -> None:
        hall = self._hall
        hall.presenting, self._state_before = True, hall.windowState()
        self._show_others(False)
        self._leave_out(True)
        hall.installEventFilter(self)
        hall.canvas.installEventFilter(self)
        self._enlarged = 0.0
        hall.setWindowState(Qt.WindowState.WindowFullScreen)
        QTimer.singleShot(0, self, self.fit)  # where no resize comes before: styling everything twice takes long
        if len(QGuiApplication.screens()) > 1:
            self.speaker.begin()

    def _leave(self) -> None:
        hall = self._hall
        hall.presenting = False
        if self.speaker_shown:
            self.speaker.end()
        self.curtain.hide()
        self.sign.hide()
        self.pointing.put_away()
        hall.removeEventFilter(self)
        hall.canvas.removeEventFilter(self)
        self._leave_out(False)
        hall.canvas.enlarge(1.0)
        self._show_others(True)
        hall.setWindowState(self._state_before)
        hall.show_theme()

    @property
    def speaker(self) -> Speaker:
        """The speaker's own window."""
        if self._speaker is None:
            from cadena.gui.presenting.speaker.speaker import Speaker  # not before one is wanted

            self._speaker = Speaker(self._hall)
        return self._speaker

    @property
    def speaker_shown(self) -> bool:
        return self._speaker is not None and self._speaker.shown

    def _show_others(self, shown: bool) -> None:
        """Show what surrounds the graph and its step, or hide all but the panels that a lesson has opened."""
        hall = self._hall
        for part in (hall.header, hall.expressions):
            part.setVisible(shown)
        hall.panels.leave_out(None if shown else attrgetter("staged"))
        hall.menus.set_presenting(not shown)

    def _leave_out(self, brief: bool) -> None:
        """Leave out what the audience does not need of the parts that stay."""
        self._hall.transport.set_slim(brief)
        self._hall.step_band.set_brief(brief)
        for dock in self._hall.docks:
            dock.set_bare(brief)
        self._hall.panels["learning"].set_bare(brief)
        if not brief:
            self._hall.desk.set_line(None)
            self._hall.step_band.set_largest()

    # --- sizes

    def fit(self) -> None:
        """Give everything its share of the screen."""
        if not self._hall.presenting:
            return
        hall, enlarged = self._hall, stage_sizes.enlarged(self._hall.size())
        if enlarged != self._enlarged:
            self._enlarged = enlarged
            hall.show_theme()
        self.pointing.fit()
        self.curtain.fit()

    def _follow_theme(self) -> None:
        """Take over the theme and its sizes."""
        if not self._hall.presenting:
            return
        shown, cards = self._hall.shown_theme, stage_sizes.on_cards(self._hall.theme)
        self.sign.set_theme(shown)
        self._hall.transport.set_theme(replace(shown, type=shown.type / PROJECTOR.type))
        self._hall.desk.set_theme(stage_sizes.of_lesson(self._hall.theme, self._hall.size()))
        self._hall.desk.set_line(round(stage_sizes.LESSON * self._enlarged))
        self._hall.step_band.set_largest(stage_sizes.SENTENCE / PROJECTOR.type, stage_sizes.FORMULA / PROJECTOR.type)
        self._hall.canvas.set_theme(cards)
        self._hall.canvas.enlarge(self._enlarged, stage_sizes.LARGEST_CARDS, on_stage=True)
        self._hall.room.divide(round(stage_sizes.BELOW * self._enlarged))
        self._hall.give_sizes()

    # --- keys

    def go(self, by: int) -> None:
        """Go on, or back: what a clicker's two keys do. After a blank screen the picture comes first."""
        if self.curtain.isVisible():
            self.curtain.hide()
        else:
            self.way.go(by)

    def blank(self, color: str) -> None:
        """Make the whole screen black or white, or show the picture again."""
        self.curtain.toggle(color)

    def escape(self) -> None:
        """Put away what the speaker points with, or stop a training; else end the presentation."""
        if self.pointing.aid:
            self.pointing.put_away()
        elif self._hall.session.learns:
            self._hall.session.learning.pause()
        elif self._hall.presenting:
            self.toggle()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keep keys that edit from the canvas, and a clicker's keys from sliders and lists."""
        if not isinstance(event, QKeyEvent):
            return False
        if watched is self._hall.canvas:
            return event.type() is Event.KeyPress and event.key() in EDITS
        if event.type() is not Event.ShortcutOverride or event.key() not in CLICKER:
            return False
        if isinstance(QApplication.focusWidget(), WRITERS):
            return False
        event.ignore()
        return True
