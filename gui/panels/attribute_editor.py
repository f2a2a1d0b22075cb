"""The settings of an operation that are not operands: the axis of a sum, the shape of a reshape, an index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QGridLayout, QWidget

from cadena.core.graph import edits
from cadena.core.graph.document import Node
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY, Attribute, ShapeError
from cadena.gui.panels.attribute_text import example, read_attribute, write_attribute
from cadena.gui.panels.common import Sentence, caption, clear, leave_keys
from cadena.gui.panels.fields import Field
from cadena.gui.session import Session
from cadena.gui.theme import Theme

NOT_SET = "not set"  # the entry of an optional choice


class WordChooser(QComboBox):
    """A choice between words; the wheel scrolls the panel that it stands in."""

    def wheelEvent(self, event) -> None:
        event.ignore()


class AttributeEditor(QWidget):
    """A row for each attribute of one operation; a value that does not fit the operands is refused in a sentence."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session = session
        self._node: Node | None = None
        self.fields: dict[str, Field | QCheckBox | QComboBox] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setColumnStretch(1, 1)
        self.sentence = Sentence(theme)
        self._grid.addWidget(self.sentence)

    def set_theme(self, theme: Theme) -> None:
        self.sentence.set_theme(theme)

    def show_node(self, node: Node) -> None:
        """Show the attributes of a node; none for a leaf or an operation without any."""
        before, self._node = self._node, node
        if before is None or (before.name, before.op) != (node.name, node.op):
            self._build(REGISTRY[node.op].attributes if node.op in REGISTRY else ())
        for name, field in self.fields.items():
            value = node.attributes.get(name, self._attribute(name).default)
            if isinstance(field, QCheckBox):
                field.setChecked(bool(value))
            elif isinstance(field, QComboBox):
                field.setCurrentText(NOT_SET if value is None else str(value))
            else:
                field.show_text(write_attribute(self._attribute(name), value))

    def _attribute(self, name: str) -> Attribute:
        assert self._node is not None
        return next(item for item in REGISTRY[self._node.op].attributes if item.name == name)

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
        """Set an attribute if the operation can take it; False, with a sentence, if not."""
        assert self._node is not None
        name, problem = self._node.name, self._problem({**self._node.attributes, attribute: value})
        self.sentence.say(f"{name}: {problem}." if problem else "", capital=False)
        if problem:
            return False
        label = f"Set {attribute} of {name}"
        return self.session.edit(lambda document: edits.set_attribute(document, name, attribute, value), label)

    def _problem(self, attributes: dict[str, Any]) -> str:
        """The reason why these attributes do not fit the operands' shapes; "" when they do or shapes are unknown."""
        assert self._node is not None
        plan = self.session.run.plan
        shapes = [plan.shapes[plan.index[source]] if source in plan.index else None for source in self._node.inputs]
        if None in shapes or not shapes:
            return ""
        primitive = REGISTRY[self._node.op]
        try:
            primitive.shape(*shapes, **primitive.complete(attributes))
        except (ShapeError, TypeError) as error:
            return str(error)
        return ""


EDITORS: dict[str, Callable[[AttributeEditor, Attribute], Field | QCheckBox | QComboBox]] = {
    "flag": AttributeEditor._flag,
    "choice": AttributeEditor._choice,
}  # all others are typed
