"""The second side of the window: another method, lesson or file beside the open graph, with a band of its own."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QVBoxLayout, QWidget

from cadena.core.graph.document import Document, Value
from cadena.core.graph.fault import Refused
from cadena.core.methods.names import METHODS
from cadena.core.storage.files import load
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.core.text.numbers import number_of, short
from cadena.core.text.wording import Listing
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.frame.key_guard import WRITERS
from cadena.gui.look.text_cleaning import menu_text, title
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.steps.step_band import StepBand
from cadena.gui.presenting.comparison.bar import BesideBar
from cadena.gui.presenting.comparison.canvas import SecondCanvas
from cadena.gui.presenting.comparison.joint_playback import MirrorSession, Together
from cadena.gui.session.session import Session
from cadena.gui.widgets.strip import Strip

MOST_TOLD = 4  # differences between the leaves of two graphs
HALF = 460  # pixels at `type` 1 that each side needs: where it would get less, panels fold and settings are left out
Event = QEvent.Type


@dataclass
class SideParts:
    """What is there while a second side is shown."""

    together: Together
    canvas: SecondCanvas
    band: StepBand
    bar: BesideBar
    row: QHBoxLayout  # both bands
    name: str  # of the other graph; "" for another method


class SecondSide(QObject):
    """Shows at most one thing beside the open graph. It goes when another document is opened."""

    def __init__(self, house: WindowFrame) -> None:
        super().__init__(house)
        self._house = house
        self._parts: SideParts | None = None
        self._folds = False  # whether panels folded for it
        self._soon = QTimer(self, interval=0, singleShot=True)  # when the first side has its new look
        self._soon.timeout.connect(self._follow_look)
        for watched in (house, house.canvas, house.step_band.formula):
            watched.installEventFilter(self)

    # --- what is shown

    @property
    def shown(self) -> bool:
        return self._parts is not None

    @property
    def session(self) -> Session | None:
        """The session of the second side."""
        return self._parts.together.second if self._parts else None

    @property
    def method(self) -> str:
        """The method beside that of the open graph; "" where there is none, or another graph."""
        return self._parts.together.second.method.name if self._parts and self._parts.together.mirrors else ""

    @property
    def by_step(self) -> bool:
        return self._parts is not None and self._parts.together.by_step

    def toggle(self) -> None:
        """Show another method beside the chosen one, or nothing more."""
        if self.shown:
            self.close()
        else:
            chosen = self._house.session.method.name
            self.show_method(next(name for name in METHODS if name != chosen))

    def show_method(self, name: str) -> None:
        """Show the open graph by this method too."""
        first = self._house.session
        if self._parts is not None and self._parts.together.mirrors:
            self._parts.together.second.choose_method(name)
            return
        second = MirrorSession(first)
        second.set_method(replace(first.method, name=name))
        self._show(second, "")

    def show_lesson(self, name: str) -> None:
        """Show a lesson beside the open graph, or say that there is none of this name."""
        try:
            document = open_lesson(name)
        except Refused as refusal:
            self._house.session.message.emit(worded(refusal))
        else:
            self.show_document(document, document.title or name)

    def choose_file(self) -> None:
        """Ask for a file and show it beside the open graph, or say why it cannot be shown."""
        if (path := self._house.files.choose_file()) is None:
            return
        try:
            self.show_document(load(path), path.stem)
        except Refused as refusal:
            self._house.session.message.emit(worded(refusal))

    def choose_lesson(self) -> None:
        """Let a lesson be chosen."""
        if not self.shown:
            self.toggle()
        assert self._parts is not None
        self._parts.bar.change.showMenu()

    def show_document(self, document: Document, name: str) -> None:
        """Show another graph, which is not opened, beside the open one."""
        second = Session(document)
        second.open(document, None)  # so that a lesson has its own method
        self._show(second, name)

    def toggle_alignment(self) -> None:
        """Go step by step, or by share of the way."""
        if self._parts is not None:
            self._parts.together.align(not self._parts.together.by_step)
            self._follow_words()
            self._house.menus.refresh()

    # --- coming and going

    def _show(self, second: Session, name: str) -> None:
        by_step = self.by_step
        self.close()
        house = self._house
        theme = self._theme
        canvas, band, bar = SecondCanvas(second, theme), StepBand(second, theme), BesideBar(theme)
        second.setParent(canvas)
        together = Together(house.session, second, canvas)
        self._leave_out(band, theme)
        row = _joined(house.band, house.step_band, band)
        self._parts = SideParts(together, canvas, band, bar, row, name)
        together.by_step = by_step
        canvas.setAccessibleName("Canvas of the right side")
        canvas.setMinimumSize(house.canvas.minimumSize())
        band.panelAsked.connect(lambda name: None)
        band.elements.setEnabled(False)  # the panel of matrices is about the left side
        bar.close_button.clicked.connect(self.close)
        bar.choices.aboutToShow.connect(self._list)
        for session in (house.session, second):
            session.methodChanged.connect(self._follow_words)
            session.runChanged.connect(self._follow_words)
        self._place(canvas, band, bar)
        house.canvas.setFocus()
        house.menus.refresh()

    def _place(self, canvas: SecondCanvas, band: StepBand, bar: BesideBar) -> None:
        house = self._house
        around = house.middle.parentWidget()
        column = around.layout() if around else None
        assert isinstance(column, QVBoxLayout)
        column.insertWidget(column.indexOf(house.middle), bar)
        house.beside.insertWidget(1, canvas)
        for place in (0, 1):
            house.beside.setStretchFactor(place, 1)
        house.beside.setSizes([house.beside.width() // 2] * 2)
        for part in (bar, band, canvas):
            part.show()
        self._follow_look()
        canvas.zoom_to_fit()
        house.canvas.zoom_to_fit()

    def close(self) -> None:
        """Show the left side alone."""
        if self._parts is None:
            return
        parts, self._parts, house = self._parts, None, self._house
        parts.together.end()
        box = house.band.layout()
        assert isinstance(box, QVBoxLayout)
        parts.row.removeWidget(house.step_band)
        box.removeItem(parts.row)
        box.insertWidget(0, house.step_band)
        house.step_band.set_brief(house.presenting)
        house.beside.setStretchFactor(0, 1)
        parts.row.removeWidget(parts.band)
        for widget in (parts.bar, parts.band, parts.canvas):
            widget.hide()
            widget.deleteLater()
        if self._folds:
            self._folds = False
            if not house.presenting:
                house.panels.leave_out(None)
        house.canvas.setFocus()
        house.menus.refresh()

    def _list(self) -> None:
        """List what can be shown on the right side."""
        assert self._parts is not None
        menu = self._parts.bar.choices
        menu.clear()
        for name in METHODS:
            menu.addAction(self._house.menus.action(f"compare.{name}"))
        menu.addSeparator()
        menu.addAction(self._house.menus.action("compare.file"))
        of_lessons = menu.addMenu("Lesson")
        for lesson in lessons():
            action = of_lessons.addAction(menu_text(f"{lesson.number}  {lesson.title}"))
            action.triggered.connect(lambda _=False, name=lesson.name: self.show_lesson(name))
        menu.addSeparator()
        menu.addAction(self._house.menus.action("compare.by-step"))

    # --- following

    @property
    def _theme(self) -> Theme:
        """The theme of text and buttons on the first side."""
        return self._house.shown_theme

    def _follow_look(self) -> None:
        """Take over theme and sizes of the first side."""
        if self._parts is None:
            return
        house, parts, theme = self._house, self._parts, self._theme
        if not (house.presenting or self._folds) and house.beside.width() < 2 * HALF * theme.type:
            self._folds = True
            house.panels.leave_out(lambda layout: ())
        if parts.canvas.theme is not house.canvas.theme:
            parts.canvas.set_theme(house.canvas.theme)
        parts.canvas.enlarge(*house.canvas.enlargement)
        parts.band.formula.limit(house.step_band.formula.largest)
        parts.band.set_formula_height(house.step_band.formula_height)
        parts.band.set_theme(theme)
        parts.bar.set_theme(theme)
        parts.bar.set_slim(house.presenting)
        self._leave_out(parts.band, theme)
        self._divide()
        self._follow_words()

    def _leave_out(self, band: StepBand, theme: Theme) -> None:
        """Leave the formulas their room, where half the width has none for settings."""
        for one in (self._house.step_band, band):
            one.set_brief(self._house.presenting or self._house.beside.width() < 2 * HALF * theme.type)

    def _divide(self) -> None:
        """Divide bands and bar like the canvases."""
        if self._parts is not None:
            left = self._house.canvas.width()
            right = self._house.beside.width() - left
            self._parts.bar.divide(left, right)
            for place, width in enumerate((left, right)):
                self._parts.row.setStretch(place, width)

    def _follow_words(self) -> None:
        if self._parts is not None:
            together, name = self._parts.together, self._parts.name
            left, right, sentence = self._house.files.name, name, together.sentence
            if together.mirrors:
                left, right = (METHODS[side.method.name].title for side in (together.first, together.second))
            else:
                sentence = f"{differences(together.first.document, together.second.document)} {sentence}"
            self._parts.bar.show_words(title(left), title(right), sentence)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow look and room of the first side; Esc closes the second one."""
        if self._parts is None:
            return False
        kind: Any = event.type()
        if kind in (Event.StyleChange, Event.Resize):
            self._divide()
            self._soon.start()
        elif kind is Event.Close:
            self.close()
        elif isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape and not self._is_taken():
            if kind is Event.ShortcutOverride:
                event.accept()
                return True
            if kind is Event.KeyPress:
                self.close()
                return True
        return False

    def _is_taken(self) -> bool:
        """Whether Esc has something else to end: a text that is typed, a gesture, or what takes a while."""
        is_busy = self._house.canvas.gesture is not None or bool(self._house.session.tasks.shown)
        return is_busy or isinstance(QApplication.focusWidget(), WRITERS)


def differences(left: Document, right: Document) -> str:
    """Which leaves of two graphs have other values, in a sentence."""
    both = [(node, right.nodes[name]) for name, node in left.nodes.items() if node.is_leaf and name in right.nodes]
    other = [(one, two) for one, two in both if two.is_leaf and one.value != two.value]
    alone = left.nodes.keys() ^ right.nodes.keys()
    listed = [f"{one.name} ({_short(one.value)} | {_short(two.value)})" for one, two in other]
    listed += [f"{number_of(len(alone), 'node')} on one side alone"] if alone else []
    if not listed:
        return "The same leaves have the same values."
    return f"Different: {Listing(tuple(listed), most=MOST_TOLD).worded()}."


def _short(value: Value | None) -> str:
    return short(value) if isinstance(value, float) else "an array" if value is not None else "nothing"


def _joined(band: Strip, left: QWidget, right: QWidget) -> QHBoxLayout:
    """Both in one row, in the place of the left one."""
    box, row = band.layout(), QHBoxLayout()
    assert isinstance(box, QVBoxLayout)
    box.removeWidget(left)
    row.setSpacing(0)
    row.addWidget(left, 1)
    row.addWidget(right, 1)
    box.insertLayout(0, row)
    return row
