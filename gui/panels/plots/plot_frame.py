"""A plot under a caption that describes the point in question; its library is imported when it is first visible."""

from __future__ import annotations

from abc import abstractmethod
from contextlib import suppress
from functools import cache, partial
from importlib import import_module
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.core.graph.fault import Refused
from cadena.gui.background.worker import Work
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.session.asking import HELD_BACK, NUMBERS_HELD_BACK, NUMBERS_TO_COME
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.gui.plots.plot import Plot


@cache
def make_types() -> None:
    """Make all types of Qt that pyqtgraph copies as it is imported, in the interface's thread: 0.1 s, once.

    PySide makes a type when it is first asked for. Where the thread that imports did so, the interface asked for
    another at the same time, once in some 60,000 acts of a monkey, and the program died.
    """
    for name in ("QtCore", "QtGui", "QtWidgets", "QtSvg", "QtOpenGLWidgets", "QtTest"):
        with suppress(ImportError):  # pyqtgraph goes without those that a system lacks
            module = import_module(f"PySide6.{name}")
            for attribute in dir(module):
                getattr(module, attribute)


class PlotFrame(QWidget):
    """A caption and the plot below it.

    pyqtgraph takes 0.2 s to import, 0.6 s on a busy machine. That happens in a thread, with the words there already;
    `plot` is None until then. A subclass names the `module` of its plot, makes the plot, and fills it.
    """

    exportAsked = Signal(str, str, object)  # the plot's name, the file extension, and a function that writes to a path

    module = ""
    shows = ""  # for the name of a file

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.plot: Plot | None = None
        self._import: Work | None = None
        self.caption = PlainLabel(wordWrap=True, alignment=Qt.AlignmentFlag.AlignTop)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        self.column.setSpacing(look.GAP)
        self.column.addWidget(self.caption)
        self.column.addStretch(1)  # the place of the plot

    @abstractmethod
    def make_plot(self, module) -> Plot:
        """The plot, from its module."""

    @abstractmethod
    def fill_plot(self) -> None:
        """Show the data in the plot, if it has been made."""

    @abstractmethod
    def describe_point(self, index: int | None) -> None:
        """Describe a point in words, or the plot as a whole."""

    @abstractmethod
    def choose(self, index: int) -> None:
        """Carry out a click on a point."""

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        if self.plot is not None:
            self.plot.set_theme(theme)

    def describe(self, text: str, spoken: str = "") -> None:
        """Set the caption; screen readers may get other words."""
        self.caption.setText(text)
        if self.plot is not None:
            self.plot.setAccessibleDescription(spoken or text or self.plot.accessibleDescription())

    def showEvent(self, event) -> None:
        super().showEvent(event)
        if self._import is None:
            make_types()
            self._import = Work(lambda cancelled: import_module(self.module))
            self._import.succeeded.connect(self._open)
            self._import.refused.connect(self._show_refusal)
            self._import.begin()

    def _open(self, work: Work, module: object) -> None:
        had_focus = self.hasFocus()
        self.plot = self.make_plot(module)
        self.plot.pointed.connect(self.describe_point)
        self.plot.chosen.connect(self.choose)
        self.plot.exportAsked.connect(self._ask_export)
        self.column.takeAt(self.column.count() - 1)
        self.column.addWidget(self.plot, 1)
        self.plot.show()  # at once, not in the next turn of the event loop: it may be given the focus before that
        self.setFocusProxy(self.plot)
        self.fill_plot()
        self.describe_point(None)
        if had_focus:
            self.plot.setFocus()

    def _show_refusal(self, work: Work, refusal: Refused) -> None:
        self.describe(f"{refusal}.")

    def _ask_export(self, suffix: str) -> None:
        from cadena.gui.plots.saving import save

        if self.plot is not None:
            self.exportAsked.emit(self.shows, suffix, partial(save, self.plot))


class RunPlotFrame(PlotFrame):
    """A plot of a whole run, also of what its steps have not shown yet: an open question holds it back.

    Then lines that `are_material` are there without their numbers, and others are not drawn at all. Those numbers also
    wait for the questions that a story has yet to ask.
    """

    are_material = False

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(theme)
        self.session = session
        self._description = "", ""
        session.askingChanged.connect(self._follow_question)

    @property
    def is_held_back(self) -> bool:
        return self.session.asking.is_open

    def describe(self, text: str, spoken: str = "") -> None:
        self._description = text, spoken
        super().describe(*((self._waiting, "") if self._waiting else self._description))

    @property
    def _waiting(self) -> str:
        """Why no numbers are shown; "" where they are."""
        if self.is_held_back:
            return NUMBERS_HELD_BACK if self.are_material else HELD_BACK
        return NUMBERS_TO_COME if self.are_material and self.session.asking.holds_numbers else ""

    def _open(self, work: Work, module: object) -> None:
        super()._open(work, module)
        self._follow_question()

    def _follow_question(self) -> None:
        """Show the plot as far as the question allows it."""
        if self.plot is not None:
            self.plot.set_quiet(bool(self._waiting))
            self.plot.setVisible(self.are_material or not self.is_held_back)
        self.describe(*self._description)
