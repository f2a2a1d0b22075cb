"""How a node is computed, as an expression that can be edited: what an edit will do is shown while it is typed."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from cadena.core.expressions.describing import describe_changes
from cadena.core.expressions.editing import redefined
from cadena.core.expressions.syntax import Misread
from cadena.core.expressions.writing import definition_of
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.gui.look.text_cleaning import PlainLabel, tip
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import Sentence, caption, column_in
from cadena.gui.panels.parts.fields import Field
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session

TIP = "Enter computes the node by another expression; Esc brings back this one"
NEVER_MIND = "as it is now"


class ExpressionField(QWidget):
    """The right side of "L = (w*x + b)**2" for one operation; its operands by their names where others use them too."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._name = session, ""
        self._shown_of: Document | None = None
        self.field = Field()
        self.field.setAccessibleName("Expression")
        self.field.setPlaceholderText("such as w*x + b")
        self.field.textEdited.connect(self._foresee)
        self.field.textChanged.connect(self._describe)
        self.field.editingFinished.connect(self._typed)
        self.preview = PlainLabel(wordWrap=True)
        self.preview.setProperty("label", True)
        self.preview.hide()
        self.sentence = Sentence(theme)
        column = column_in(self, 2)
        for widget in (caption("expression"), self.field, self.preview, self.sentence):
            column.addWidget(widget)

    def set_theme(self, theme: Theme) -> None:
        self.sentence.set_theme(theme)

    def show_node(self, name: str) -> None:
        """Show the expression of an operation; what is being typed for the same one stays."""
        node, another = self.session.document.nodes[name], name != self._name
        self.setVisible(not node.is_leaf)
        if node.is_leaf or (self._shown_of is self.session.document and not another):
            return
        self._name, self._shown_of = name, self.session.document
        try:
            text = definition_of(self.session.document, name)
        except Refused:  # an open slot, say: whatever is typed takes its place
            text = ""
        self.field.show_text(text, always=another)

    def _describe(self, text: str) -> None:
        self.field.setToolTip(tip(f"{text}\n{TIP}" if text else TIP))
        if not self.field.typed:
            self.preview.hide()
            self.sentence.say("")

    def _foresee(self, text: str) -> None:
        """Tell what Enter would do, or what is wrong so far."""
        self.sentence.say("")
        self.preview.setVisible(self.field.typed)
        try:
            reading = redefined(self.session.document, self._name, text)
        except Misread as refusal:
            self.preview.setText(worded(refusal.mistake))
            return
        before = self.session.document
        done = describe_changes(reading.new, reading.removed, before.nodes)
        nothing = NEVER_MIND if reading.document == before else "changes wires alone"
        self.preview.setText(f"Enter: {done or nothing}")

    def _typed(self) -> None:
        if not self.field.typed or self._name not in self.session.document.nodes:
            return
        edit = graph_edits.redefine(self._name, self.field.text())
        self.preview.hide()
        try:
            edit.change(self.session.document)
        except Misread as refusal:
            sentence = worded(refusal.mistake)
            stop = "" if sentence.endswith("?") else "."
            self.sentence.say(f"{sentence}{stop}", capital=not refusal.mistake.what.startswith("{"))
            self.field.setSelection(refusal.column - 1, len(refusal.piece))
            return
        self.session.edit(*edit)
        self.field.accept()
        self._shown_of = None
        self.show_node(self._name)
