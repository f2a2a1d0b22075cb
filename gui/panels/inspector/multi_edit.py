"""The inspector's page for several nodes: what they share, edited for all of them at once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QGridLayout, QPushButton, QWidget

from cadena.core.graph.document import LEAVES, Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.several import shared_number
from cadena.core.notation.reading import read_value, write_value
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.inspector.attribute_editor import MIXED, AttributeEditor
from cadena.gui.panels.parts.common import Divider, Sentence, attempt, caption, column_in, heading, leave_keys
from cadena.gui.panels.parts.fields import Field
from cadena.gui.search.catalogue import LEAF_DOCS
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session
from cadena.gui.widgets.segments import Segments

SEVERAL = (
    "Drag one of them to move all. Delete removes them, Ctrl+C copies, Ctrl+X cuts, Ctrl+D makes a second copy, "
    "Ctrl+G makes a function."
)
NAMED = 40  # names that are listed
FILL_TIP = "One number for all their elements, such as 0 or 0.5; shapes stay"


class SeveralPage(QWidget):
    """Each edit is made of all selected nodes, as one undo step; where they differ, a field says so."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._chosen: tuple[Node, ...] = ()
        self.title, self.names, hint = (
            heading("", session.named),
            PlainLabel(named=session.named, wordWrap=True),
            PlainLabel(SEVERAL, wordWrap=True),
        )
        self.kinds = _Kinds(self._choose_kind)
        self.number = Field()
        self.number.setAccessibleName("Value of all elements")
        self.number.setToolTip(FILL_TIP)
        self.number.editingFinished.connect(self._fill)
        self.wanted = QCheckBox("compute their gradients")
        self.wanted.setToolTip("Compute the gradients of these inputs too")
        self.wanted.clicked.connect(self._want)
        leave_keys(self.wanted)
        self.attributes = AttributeEditor(session, theme)
        self.sentence, self._divider = Sentence(theme, session.named), Divider(theme)
        self._value_row = QWidget()
        grid = QGridLayout(self._value_row)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.addWidget(caption("all elements"), 0, 0)
        grid.addWidget(self.number, 0, 1)
        column = column_in(self)
        for widget in (
            self.title, self.names, self.kinds, self._value_row, self.wanted, self.attributes, self.sentence,
            self._divider, hint,
        ):  # fmt: skip
            column.addWidget(widget)
        column.addStretch(1)

    def set_theme(self, theme: Theme) -> None:
        for part in (self.attributes, self.sentence, self._divider):
            part.set_theme(theme)

    # --- following the session

    def follow(self) -> None:
        """Show the selected nodes, in the document's order."""
        document, before = self.session.document, [node.name for node in self._chosen]
        self._chosen = tuple(node for node in document.nodes.values() if node.name in self.session.selection)
        names = [node.name for node in self._chosen]
        self.title.setText(f"{len(names)} nodes selected")
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        self.names.setText(", ".join(names[:NAMED]) + more)
        if names != before:
            self.sentence.say("")
        self._show_leaves(another=names != before)
        self.attributes.show_nodes(self._chosen)

    def _show_leaves(self, another: bool) -> None:
        """What leaves share; nothing of it where an operation is among the nodes."""
        leaves = all(node.is_leaf for node in self._chosen)
        hidden = self.session.hidden
        self.kinds.setVisible(leaves)
        self._value_row.setVisible(leaves and not any(hidden.hides("values", node.name) for node in self._chosen))
        self.wanted.setVisible(leaves and all(node.op == "input" for node in self._chosen))
        if leaves:
            self.kinds.show_kinds({node.op for node in self._chosen})
            number = shared_number(self._chosen)
            self.number.setPlaceholderText(MIXED)
            self.number.show_text("" if number is None else write_value(number), always=another)
            wanted = {node.gradient for node in self._chosen}
            self.wanted.setTristate(len(wanted) > 1)
            state = Qt.CheckState.Checked if True in wanted else Qt.CheckState.Unchecked
            self.wanted.setCheckState(Qt.CheckState.PartiallyChecked if len(wanted) > 1 else state)

    # --- editing

    @property
    def _names(self) -> list[str]:
        return [node.name for node in self._chosen if node.name in self.session.document.nodes]

    def _choose_kind(self, kind: str) -> None:
        if any(node.op != kind for node in self._chosen):
            self._attempt(graph_edits.change_kinds(self._names, kind))

    def _want(self, wanted: bool) -> None:
        self._attempt(graph_edits.want_gradients(self._names, wanted))

    def _fill(self) -> None:
        if not self.number.typed or not self.number.text().strip():
            return
        try:
            number = read_value(self.number.text())
        except Refused as refusal:
            self.sentence.say(f"{worded(refusal)}.")
            return
        if not isinstance(number, float):
            self.sentence.say("Type a single number: it goes to every element, and the shapes stay.")
            return
        self.number.accept()
        self._attempt(graph_edits.fill(self._names, number))

    def _attempt(self, edit: graph_edits.Edit) -> None:
        refused = attempt(self.session, edit)
        self.sentence.say(f"{refused}." if refused else "")


class _Kinds(Segments):
    """Three buttons, of which the one of the kind that all leaves have is down; none where they differ."""

    def __init__(self, choose: Callable[[str], None]) -> None:
        self.buttons = {kind: QPushButton(f"{kind.capitalize()}s") for kind in LEAVES}
        super().__init__(*self.buttons.values())
        for kind, button in self.buttons.items():
            button.setToolTip(f"Make all of them {kind}s. {LEAF_DOCS[kind]}")
            button.clicked.connect(lambda _=False, kind=kind: choose(kind))

    def show_kinds(self, kinds: set[str]) -> None:
        """Show the kind that all have, or that they differ."""
        self.choose(self.buttons[next(iter(kinds))] if len(kinds) == 1 else None)
        self.setAccessibleDescription("their kinds differ" if len(kinds) > 1 else "")
