"""The editor of a leaf's value: a number, a table or, for a large array, statistics; and of its shape."""

from __future__ import annotations

from PySide6.QtWidgets import QComboBox, QGridLayout, QVBoxLayout, QWidget

from cadena.core.graph.document import Node, Tensor, Value
from cadena.core.graph.fault import Refused
from cadena.core.text.array_summary import summary_text
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.filling import FillRow
from cadena.gui.panels.inspector.grid_editor import GridEditor
from cadena.gui.panels.inspector.number_editor import NumberEditor
from cadena.gui.panels.parts.common import Sentence, attempt, caption
from cadena.gui.panels.parts.fields import Field
from cadena.gui.panels.parts.shapes import SUGGESTED, read_shape, reshaped, shape_field
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session

LARGEST_TABLE = 1000  # elements; larger arrays are shown by their statistics


class ValueEditor(QWidget):
    """Edits the value of one leaf through the session; a drag of the slider is one undo step."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._name = ""
        self.number, self.grid = NumberEditor(theme), GridEditor(theme)
        self.large = PlainLabel(wordWrap=True)
        self._shape_field = Field()
        self.shape = QComboBox(editable=True)
        self.shape.setLineEdit(self._shape_field)
        self.shape.addItems(SUGGESTED)
        self.shape.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.shape.setAccessibleName("Shape")
        self.shape.setToolTip("Rows × columns, for example 3 × 2; “number” for a single number")
        self.shape.textActivated.connect(self._shape_chosen)
        self._shape_field.editingFinished.connect(self._shape_typed)
        self.fill = FillRow()
        self.fill.filled.connect(self._fill)
        self.sentence = Sentence(theme, session.named)
        self.number.edited.connect(self._number_edited)
        self.number.released.connect(session.seal)
        self.grid.edited.connect(lambda value: self._set(value))
        self._lay_out()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        for widget in (self.number, self.grid, self.large):
            column.addWidget(widget)
        row = QGridLayout()
        row.addWidget(caption("shape"), 0, 0)
        row.addWidget(self.shape, 0, 1)
        row.setColumnStretch(1, 1)
        column.addLayout(row)
        column.addWidget(self.fill)
        column.addWidget(self.sentence)

    def set_theme(self, theme: Theme) -> None:
        for widget in (self.number, self.grid, self.sentence):
            widget.set_theme(theme)

    def show_node(self, node: Node) -> None:
        """Show the value of a leaf."""
        value = 0.0 if node.value is None else node.value
        another = node.name != self._name
        if another:
            self._name = node.name
            self.sentence.say("")
        array = value.array if isinstance(value, Tensor) else None
        self.number.setVisible(array is None)
        self.grid.setVisible(array is not None and 0 < array.size <= LARGEST_TABLE)
        self.large.setVisible(array is not None and not 0 < array.size <= LARGEST_TABLE)
        if array is None:
            self.number.show_number(node.name, value)  # type: ignore[arg-type]
        elif 0 < array.size <= LARGEST_TABLE:
            self.grid.show_array(array)
        else:
            self.large.setText(f"{summary_text(array)}.\nToo large for a table: it comes from the file.")
        self.fill.show_value(node.name, value)
        self._shape_field.show_text(shape_field(() if array is None else array.shape), always=another)

    # --- editing

    def _number_edited(self, value: Value, dragging: bool) -> None:
        self._set(value, f"value {self._name}" if dragging else None)

    def _set(self, value: Value, merge: str | None = None) -> None:
        refusal = attempt(self.session, graph_edits.set_value(self._name, value), merge)
        self.sentence.say(f"{refusal}." if refusal else "")

    def _fill(self, value: Value, text: str) -> None:
        self.sentence.say("")
        self.session.edit(graph_edits.set_value(self._name, value).change, text)

    def _shape_chosen(self, text: str) -> None:
        self._shape_field.setModified(True)
        self._shape_typed()

    def _shape_typed(self) -> None:
        field = self._shape_field
        node = self.session.document.nodes.get(self._name)
        if not field.typed or node is None or node.value is None:
            return
        try:
            shape = read_shape(field.text())
        except Refused as refusal:
            self.sentence.say(f"{refusal}.")
            return
        field.accept()
        self.sentence.say("")
        self.session.edit(*graph_edits.set_value(node.name, reshaped(node.value, shape)))
