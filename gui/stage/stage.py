"""A presentation: what is shown of the window, at which size, and where a clicker's keys lead."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QApplication, QMenuBar, QWidget

from cadena.gui.actions.keys import WRITERS
from cadena.gui.actions.record import Command
from cadena.gui.canvas.hand.canvas import Canvas
from cadena.gui.notices import MessageLine
from cadena.gui.panel import Panels
from cadena.gui.panels.step_band import StepBand
from cadena.gui.panels.transport import Transport
from cadena.gui.room import GraphRoom
from cadena.gui.session import Session
from cadena.gui.stage import sizes
from cadena.gui.stage.curtain import Curtain
from cadena.gui.stage.pointing import Pointing
from cadena.gui.stage.sign import Sign
from cadena.gui.stage.way import Lessons, Way
from cadena.gui.strip import Strip
from cadena.gui.theme import Theme, less_large

if TYPE_CHECKING:
    from cadena.gui.speaker.speaker import Speaker

Key, Event = Qt.Key, QEvent.Type
EDITS = (Key.Key_Delete, Key.Key_Backspace, Key.Key_F2)  # which the canvas takes itself
CLICKER = (Key.Key_PageUp, Key.Key_PageDown)


class Keys(Protocol):
    """The commands, whose keys are others in a presentation."""

    commands: tuple[Command, ...]

    def run(self, command_id: str) -> None: ...
    def refresh(self) -> None: ...
    def set_presenting(self, presenting: bool) -> None: ...


class StoryDesk(Protocol):
    """The story and what lessons open, as a presentation needs it."""

    @property
    def panelReopened(self) -> SignalInstance: ...
    def clear_stage(self) -> tuple[str, ...]: ...


class Hall(Protocol):
    """The window as a presentation needs it."""

    session: Session
    canvas: Canvas
    theme: Theme
    panels: Panels
    band: Strip
    step_band: StepBand
    room: GraphRoom
    transport: Transport
    message_line: MessageLine

    @property
    def desk(self) -> StoryDesk: ...
    @property
    def presenting(self) -> bool: ...
    @property
    def files(self) -> Lessons: ...
    @property
    def menus(self) -> Keys: ...
    @property
    def tool_row(self) -> QWidget: ...
    def menuBar(self) -> QMenuBar: ...
    def size(self) -> QSize: ...
    def windowState(self) -> Qt.WindowState: ...
    def setWindowState(self, state: Qt.WindowState) -> None: ...
    def installEventFilter(self, watcher: QObject) -> None: ...
    def removeEventFilter(self, watcher: QObject) -> None: ...
    def show_theme(self) -> None: ...
    def toggle_presenting(self) -> None: ...


class Stage(QObject):
    """The presentation of a window. It is made when the first one begins."""

    def __init__(self, hall: Hall, window: QWidget) -> None:
        super().__init__(window)
        self._hall, self._window = hall, window
        self.on = False
        self._state_before = hall.windowState()
        self._usual_formula = hall.step_band.formula.largest
        self._enlarged = 0.0
        self.sign, self.curtain = Sign(hall.canvas), Curtain(window)
        self.pointing = Pointing(window, hall.canvas)
        hall.desk.panelReopened.connect(self._keep_away)
        self.way = Way(hall.session, hall.files, self.sign)

    def toggle(self) -> None:
        """Give the whole screen to the graph and its step; the second time, show everything again."""
        self._leave() if self.on else self._begin()

    def _begin(self) -> None:
        hall = self._hall
        self.on, self._state_before = True, hall.windowState()
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
        self.on = False
        if self.speaker_shown:
            self.speaker.end()
        self.curtain.hide()
        self.sign.hide()
        self.pointing.put_away()
        hall.removeEventFilter(self)
        hall.canvas.removeEventFilter(self)
        self._leave_out(False)
        hall.canvas.enlarge(1.0)
        hall.step_band.formula.limit(self._usual_formula)
        self._show_others(True)
        hall.setWindowState(self._state_before)
        hall.show_theme()

    @cached_property
    def speaker(self) -> Speaker:
        """The speaker's own window."""
        from cadena.gui.speaker.speaker import Speaker  # not before one is wanted

        return Speaker(self._hall, self._window)

    @property
    def speaker_shown(self) -> bool:
        return "speaker" in vars(self) and self.speaker.shown

    def _show_others(self, shown: bool) -> None:
        """Show what surrounds the graph and its step, or hide all but the plot that a lesson is about."""
        hall = self._hall
        for part in (hall.menuBar(), hall.tool_row):
            part.setVisible(shown)
        hall.panels.show_open(None if shown else hall.desk.clear_stage())
        hall.menus.set_presenting(not shown)

    def _keep_away(self, panel: str) -> None:
        """Leave a panel out that comes back since the lesson's own is gone: it is for the window."""
        if self.on and panel in self._hall.panels:
            self._hall.panels[panel].hide()

    def _leave_out(self, brief: bool) -> None:
        """Leave out what the audience does not need of the parts that stay."""
        self._hall.message_line.set_brief(brief)
        self._hall.transport.set_slim(brief)

    # --- sizes

    @property
    def themes(self) -> tuple[Theme, Theme]:
        """The theme of text and buttons, and that of the cards."""
        theme = self._hall.theme
        return sizes.on_stage(theme, self._hall.size()), sizes.on_cards(theme)

    def fit(self) -> None:
        """Give everything its share of the screen."""
        if not self.on:  # any more
            return
        hall, enlarged = self._hall, sizes.enlarged(self._hall.size())
        if enlarged != self._enlarged:
            self._enlarged = enlarged
            hall.show_theme()
        self.pointing.fit()
        self.curtain.fit()

    def follow_theme(self) -> None:
        """Take over the theme and its sizes."""
        shown, cards = self.themes
        self.sign.set_theme(shown)
        self._hall.transport.set_theme(less_large(shown))
        self._hall.canvas.set_theme(cards)
        self._hall.canvas.enlarge(self._enlarged, sizes.LARGEST_CARDS)
        self._hall.step_band.formula.limit(sizes.FORMULA)
        self._hall.room.divide(shown.type, sizes.GRAPH_SHARE, sizes.MOST_FORMULA)

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
        """Put away what the speaker points with; else end the presentation."""
        if self.pointing.aid:
            self.pointing.put_away()
        elif self.on:
            self._hall.toggle_presenting()

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
