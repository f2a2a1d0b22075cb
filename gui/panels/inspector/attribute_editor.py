"""The settings of an operation that are not operands: the axis of a sum, the shape of a reshape, an index."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QWidget

from cadena.core.graph.document import Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.several import shared_attributes
from cadena.core.ops.primitive import REGISTRY, Attribute, ShapeError
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.attribute_text import example, read_attribute, write_attribute
from cadena.gui.panels.parts.common import Sentence, caption, clear, leave_keys
from cadena.gui.panels.parts.fields import Field
from cadena.gui.session import graph_edits
from cadena.gui.session.session import Session

MIXED = "mixed"  # in the place of values that differ
NOT_SET = "not set"  # the entry of an optional choice


class WordChooser(QComboBox):
    """A choice between words; the wheel scrolls the panel that it stands in."""

    def wheelEvent(self, event) -> None:
        event.ignore()


class AttributeEditor(QWidget):
    """A row for each attribute of an operation, or that several share; what does not fit is refused in a sentence."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._nodes: tuple[Node, ...] = ()  # all have these attributes
        self._attributes: dict[str, Attribute] = {}
        self.fields: dict[str, Field | QCheckBox | QComboBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self.sentence = Sentence(theme, session.named)
        self._grid.addWidget(self.sentence)

    def set_theme(self, theme: Theme) -> None:
        self.sentence.set_theme(theme)

    def show_node(self, node: Node) -> None:
        """Show the attributes of a node; none for a leaf or an operation without any."""
        self.show_nodes([node])

    def show_nodes(self, nodes: Sequence[Node]) -> None:
        """Show the attributes that several nodes share, and MIXED where they differ."""
        before, self._nodes = self._nodes, tuple(nodes)
        if [(node.name, node.op) for node in before] != [(node.name, node.op) for node in nodes]:
            self._attributes = {one.name: one for one in shared_attributes(nodes)}
            self._build(tuple(self._attributes.values()))
        for name, field in self.fields.items():
            attribute = self._attributes[name]
            values = [node.attributes.get(name, attribute.default) for node in nodes]
            _show(field, attribute, values[0], mixed=any(value != values[0] for value in values))

    def _build(self, attributes: tuple[Attribute, ...]) -> None:
        self._grid.removeWidget(self.sentence)
        clear(self._grid)
        self.fields = {}
        for row, attribute in enumerate(attributes):
            field = EDITORS.get(attribute.kind, AttributeEditor._text)(self, attribute)
            field.setAccessibleName(attribute.name)
            field.setToolTip(attribute.doc[:1].upper() + attribute.doc[1:])
            self.fields[attribute.name] = field
            if attribute.kind != "flag":
                self._grid.addWidget(caption(attribute.name), row, 0)
            self._grid.addWidget(field, row, 1)
        self._grid.addWidget(self.sentence, len(attributes), 0, 1, 2)
        self.sentence.say("")
        self.setVisible(bool(attributes))

    def _flag(self, attribute: Attribute) -> QCheckBox:
        box = QCheckBox(attribute.name)
        leave_keys(box)
        box.clicked.connect(lambda checked: self._set(attribute.name, checked))
        return box

    def _choice(self, attribute: Attribute) -> QComboBox:
        box = WordChooser()
        words = [NOT_SET, *attribute.choices] if attribute.default is None else attribute.choices
        box.addItems(words)
        box.textActivated.connect(lambda word: self._set(attribute.name, None if word == NOT_SET else word))
        return box

    def _text(self, attribute: Attribute) -> Field:
        field = Field()
        field.setPlaceholderText(example(attribute))
        field.editingFinished.connect(lambda: self._typed(attribute, field))
        return field

    # --- editing

    def _typed(self, attribute: Attribute, field: Field) -> None:
        if not field.typed:
            return
        try:
            value = read_attribute(attribute, field.text())
        except Refused as refusal:
            self.sentence.say(f"{refusal}.")
            return
        if self._set(attribute.name, value):
            field.accept()

    def _set(self, attribute: str, value: Any) -> bool:
        """Set an attribute if the operations can take it; False, with a sentence, if one cannot."""
        for node in self._nodes:
            if problem := self._problem(node, {**node.attributes, attribute: value}):
                self.sentence.say(f"{node.name}: {problem}.", capital=False)
                return False
        self.sentence.say("")
        return self.session.edit(*graph_edits.set_attributes([node.name for node in self._nodes], attribute, value))

    def _problem(self, node: Node, attributes: dict[str, Any]) -> str:
        """The reason why these attributes do not fit the operands' shapes; "" when they do or shapes are unknown."""
        plan = self.session.run.plan
        shapes = [plan.shapes[plan.index[source]] if source in plan.index else None for source in node.inputs]
        if None in shapes or not shapes:
            return ""
        primitive = REGISTRY[node.op]
        try:
            primitive.shape(*shapes, **primitive.complete(attributes))
        except (ShapeError, TypeError) as error:
            return str(error)
        return ""


def _show(field: Field | QCheckBox | QComboBox, attribute: Attribute, value: Any, mixed: bool) -> None:
    """Show the value of an attribute, or that several nodes have different ones."""
    if isinstance(field, QCheckBox):
        field.setTristate(mixed)
        state = Qt.CheckState.Checked if value else Qt.CheckState.Unchecked
        field.setCheckState(Qt.CheckState.PartiallyChecked if mixed else state)
    elif isinstance(field, QComboBox):
        field.setPlaceholderText(MIXED)
        field.setCurrentIndex(-1 if mixed else field.findText(NOT_SET if value is None else str(value)))
    else:
        field.setPlaceholderText(MIXED if mixed else example(attribute))
        field.show_text("" if mixed else write_attribute(attribute, value))


EDITORS: dict[str, Callable[[AttributeEditor, Attribute], Field | QCheckBox | QComboBox]] = {
    "flag": AttributeEditor._flag,
    "choice": AttributeEditor._choice,
}  # all others are typed
