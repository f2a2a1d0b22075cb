"""The strip above the canvas inside a function: the levels around it, the way back, and its gradients."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import MAX_IN_NAME, PlainLabel, menu_text, tip, title
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import caption, clear
from cadena.gui.panels.parts.flow_layout import FlowLayout
from cadena.gui.widgets.chooser import ElidedComboBox
from cadena.gui.widgets.strip import Strip

NOTHING = "no gradient"
Leave = Callable[[int], object]  # to this level; 0 is the graph
Choose = Callable[[int, str | None], object]  # the operand's slot, and the node that is its gradient


class Breadcrumb(Strip):
    """Shows the levels of `show_way`; calls `leave` and `choose`. Hidden on the level of the graph."""

    def __init__(self, theme: Theme, leave: Leave, choose: Choose) -> None:
        super().__init__("bottom", theme)
        self._leave, self._choose, self._hint = leave, choose, ""
        self.crumbs: list[QToolButton] = []
        self._shown: object = None  # the levels that there are buttons for
        self.choosers: list[QComboBox] = []
        self.back = QPushButton("‹ Back")
        self.back.setToolTip("Leave the function with all edits (Ctrl+Backspace)")
        self.back.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._way = QHBoxLayout()
        self.hint = caption("")
        self.hint.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)  # the levels come first
        self.hint.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._gradients = QWidget()
        self._flow = FlowLayout(self._gradients, gap=look.GAP)
        row = QHBoxLayout()
        row.addWidget(self.back)
        row.addSpacing(look.GAP)
        row.addLayout(self._way)
        row.addWidget(self.hint, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * look.GAP, look.GAP // 2, 2 * look.GAP, look.GAP // 2)
        column.addLayout(row)
        column.addWidget(self._gradients)
        self.back.clicked.connect(lambda: self._leave(len(self.crumbs) - 2))
        self.hide()

    def show_way(self, names: list[str], tips: list[str], hint: str = "") -> None:
        """Show the levels from the graph to the present one, each a button that leads there, and a hint."""
        self._hint = hint
        self._show_hint()
        if (shown := (tuple(names), tuple(tips), self._theme)) == self._shown:  # as after most edits
            return
        self._shown = shown
        clear(self._way)
        self.crumbs = []
        for depth, (name, hint) in enumerate(zip(names, tips, strict=True)):
            if depth:
                self._way.addWidget(PlainLabel("›"))
            self._way.addWidget(self._crumb(depth, name, hint, depth == len(names) - 1))
        self.setVisible(len(names) > 1)

    def _crumb(self, depth: int, name: str, hint: str, here: bool) -> QToolButton:
        crumb = QToolButton()
        crumb.setText(menu_text(title(name, MAX_IN_NAME)))
        crumb.setToolTip(tip(hint))
        crumb.setProperty("quiet", True)
        crumb.setEnabled(not here)
        crumb.setFont(look.font(self._theme, bold=here))
        crumb.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        crumb.setStyleSheet(
            f"QToolButton, QToolButton:disabled {{ color: {self._theme.text}; border-color: transparent; "
            f"background: transparent; font-weight: {'bold' if here else 'normal'}; }}"
            f"QToolButton:hover:enabled {{ background: {self._theme.field}; }}"
        )
        crumb.clicked.connect(lambda: self._leave(depth))
        self.crumbs.append(crumb)
        return crumb

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_hint()

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.LayoutRequest:  # the levels have their width only now
            self._show_hint()
        return super().event(event)

    def _show_hint(self) -> None:
        """Show the hint where all of it has room: half a sentence helps nobody."""
        self.hint.setToolTip(self._hint)
        used = self.back.sizeHint().width() + self._way.sizeHint().width() + 8 * look.GAP
        has_room = QFontMetrics(self.hint.font()).horizontalAdvance(self._hint) + used < self.width()
        self.hint.setText(self._hint if has_room else "")

    def show_outputs(self, labels: tuple[str, ...], outputs: tuple[str | None, ...], nodes: list[str]) -> None:
        """Show a chooser for each operand's gradient; none at all for a subgraph."""
        clear(self._flow)
        self.choosers = []
        for slot, (label, output) in enumerate(zip(labels, outputs, strict=True)):
            chooser = ElidedComboBox()
            names = nodes if output is None or output in nodes else [*nodes, output]
            for name in (NOTHING, *names):
                chooser.addItem(title(name, MAX_IN_NAME), name)
            chooser.setCurrentIndex(0 if output is None else 1 + names.index(output))
            chooser.setAccessibleName(f"gradient of {label}")
            chooser.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            chooser.activated.connect(partial(self._chosen, slot, chooser))
            pair = QWidget()
            row = QHBoxLayout(pair)
            row.setContentsMargins(0, 0, 0, 0)
            # Said once: five operands would take half of a projector's canvas.
            row.addWidget(PlainLabel(f"{label}:" if slot else f"gradient of {label}:"))
            row.addWidget(chooser)
            self._flow.addWidget(pair)
            self.choosers.append(chooser)
        self._gradients.setVisible(bool(labels))

    def _chosen(self, slot: int, chooser: QComboBox, index: int) -> None:
        self._choose(slot, chooser.itemData(index) if index else None)
