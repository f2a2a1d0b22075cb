"""The row above the canvas: build or play, the output, the number type, and the command search."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFocusEvent, QFont, QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QToolButton, QWidget

from cadena.core.graph.document import DTYPES, Changes
from cadena.core.methods.names import METHODS
from cadena.gui.frame.command_search import CommandSearch
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from cadena.gui.widgets.chooser import Chooser
from cadena.gui.widgets.strip import Strip

ROOMY, CAPTIONED = 960, 760  # pixels at `type` 1 from which the row has room for everything, and for captions
FEWEST = 3  # letters that a chooser shows where there is no room for all
NO_OUTPUT = "(none)"  # no node can have this name


class ToolRow(Strip):
    """The row's parts, each of which follows the session."""

    def __init__(self, session: Session, search: CommandSearch, theme: Theme) -> None:
        super().__init__("bottom", theme)
        self.mode = ModeSwitch(session)
        self.output = OutputChooser(session)
        self.method = MethodChooser(session)
        self.numbers = NumbersChooser(session)
        self.search = search
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, look.GAP // 2, 2 * look.GAP, look.GAP // 2)
        row.setSpacing(look.GAP)
        row.addWidget(self.mode)
        choosers: dict[str, Chooser] = {"output": self.output, "method": self.method, "numbers": self.numbers}
        self.captions = {label_for(caption, chooser): chooser for caption, chooser in choosers.items()}
        for label, chooser in self.captions.items():
            row.addSpacing(look.GAP)
            row.addWidget(label)
            row.addWidget(chooser)
        self.export = QToolButton()
        self.export.setText("Export as ▾")
        self.export.setToolTip("The graph as a program, a text or a drawing")
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.export.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        row.addSpacing(look.GAP)
        row.addWidget(self.export)
        row.addStretch(1)
        row.addWidget(search, 1)
        self.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._make_room()

    def _make_room(self) -> None:
        self.export.setVisible(self.width() >= ROOMY * self._theme.type)
        captioned = self.width() >= CAPTIONED * self._theme.type
        for label, chooser in self.captions.items():
            label.setVisible(captioned)
            chooser.setMinimumContentsLength(0 if captioned and chooser is not self.output else FEWEST)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._make_room()
        self.search.setMinimumWidth(round(70 * theme.type))
        self.search.setMaximumWidth(round(320 * theme.type))


def label_for(text: str, field: QWidget) -> QLabel:
    """A caption before a chooser, which names it to screen readers too."""
    label = PlainLabel(text)
    label.setProperty("label", True)
    label.setBuddy(field)
    field.setAccessibleName(text)
    return label


class Mode(QPushButton):
    """A part of the switch, with room for its word in bold, as it is when it is chosen."""

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()  # the choosers and the search can do with less

    def sizeHint(self) -> QSize:
        hint, font = super().sizeHint(), QFont(self.font())
        plain = QFontMetrics(font).horizontalAdvance(self.text())
        font.setBold(True)
        bold = QFontMetrics(font).horizontalAdvance(self.text())
        return QSize(hint.width() + (0 if self.font().bold() else bold - plain), hint.height())


class ModeSwitch(QWidget):
    """Build (everything live) or Play (the moment on the time line)."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.build = Mode("Build")
        self.play = Mode("Play")
        self.build.setToolTip("All values and gradients, following every edit (B)")
        self.play.setToolTip("The passes step by step (B, Space)")
        group, row = QButtonGroup(self), QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(look.GAP // 2)
        for button in (self.build, self.play):
            button.setCheckable(True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the canvas
            group.addButton(button)
            row.addWidget(button)
        self.build.clicked.connect(session.show_live)
        self.play.clicked.connect(lambda: session.set_time(session.time))
        session.timeChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        (self.build if self._session.live else self.play).setChecked(True)


class OutputChooser(Chooser):
    """A chooser of the node whose gradients are computed. Names are listed when it opens, not at each edit."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setToolTip("The node whose gradients are computed (O)")
        self.setMinimumContentsLength(FEWEST)
        self.setMaxVisibleItems(24)
        self.chosen.connect(self._choose)
        session.documentChanged.connect(self._follow)
        self._follow(None)

    def _follow(self, changes: Changes | None) -> None:
        lists_others = self.count() > 1  # of which some may be gone now
        if changes is None or changes.output or (changes.structural and lists_others):
            current = self._session.document.output or NO_OUTPUT
            self.show_only([current], current, self._session.named)

    def _list(self) -> None:
        document = self._session.document
        operations = [node.name for node in document.nodes.values() if not node.is_leaf]
        current = document.output or NO_OUTPUT
        self.show_only(
            [NO_OUTPUT, *([current] if current not in operations else []), *operations], current, self._session.named
        )

    def showPopup(self) -> None:
        self._list()
        super().showPopup()

    def focusInEvent(self, event: QFocusEvent) -> None:
        if event.reason() is not Qt.FocusReason.PopupFocusReason:
            self._list()
        super().focusInEvent(event)

    def _choose(self, text: str) -> None:
        name = None if text == NO_OUTPUT else text
        if name != self._session.document.output:
            self._session.edit(*graph_edits.choose_output(name))


class MethodChooser(Chooser):
    """A chooser of the method of differentiation, and so of the steps that are played."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.show_only(list(METHODS), session.method.name)
        for index, words in enumerate(METHODS.values()):
            self.setItemData(index, words.tip, Qt.ItemDataRole.ToolTipRole)
        self.chosen.connect(session.choose_method)
        session.methodChanged.connect(self._follow)
        self._follow()

    def _follow(self) -> None:
        name = self._session.method.name
        self.setCurrentText(name)
        self.setToolTip(f"How gradients are computed: {METHODS[name].tip}")


class NumbersChooser(Chooser):
    """A chooser of the number type that the graph runs in."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self.setToolTip("The number type that the graph runs in")
        self.show_only(list(DTYPES), session.document.dtype)
        self.chosen.connect(self._choose)
        session.documentChanged.connect(self._follow)

    def _follow(self) -> None:
        self.setCurrentText(self._session.document.dtype)

    def _choose(self, dtype: str) -> None:
        if dtype != self._session.document.dtype:
            self._session.edit(*graph_edits.run_in(dtype))
