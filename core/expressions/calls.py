"""Calls, methods and indices in an expression: which operation, on which operands, with which attributes."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Sequence
from typing import Any

from cadena.core.expressions.sketch import Sketch
from cadena.core.expressions.syntax import EXAMPLE, ONLY, Source
from cadena.core.expressions.vocabulary import (
    ARRAYS,
    KEYWORDS,
    LISTS,
    MODULES,
    NUMBERS,
    SUBMODULES,
    by_position,
    called,
    is_default,
    is_list_of_parts,
    nearest,
)
from cadena.core.graph.document import LEAVES, Document, Value
from cadena.core.ops.primitive import REQUIRED, Attribute, Primitive, ShapeError
from cadena.core.ops.shaping import getitem, parse_index

PLAIN = "write it as a plain value"


class Calls:
    """Reads the calls of one text; `node` is how an operand becomes a node, `value` how numbers are read."""

    def __init__(
        self, source: Source, document: Document, sketch: Sketch,
        node: Callable[[ast.expr], str], value: Callable[[ast.expr], Value],
    ) -> None:  # fmt: skip
        self.source, self.document, self.sketch, self.node, self.value = source, document, sketch, node, value

    def call(self, tree: ast.Call, name: str | None, part: int | None = None) -> str:
        """The node of a call: sum(x, axis=0), np.sum(x, 0), x.sum(), f(x) of a function, or input(2.5)."""
        word, owner = self._word(tree)
        if owner is None and word in LEAVES:
            return self._leaf(tree, word, name)
        record = called(self.document, word)
        if record is None:
            raise self._no_operation(tree, word)
        if star := next((one for one in (*tree.args, *tree.keywords) if _is_spread(one)), None):
            raise self.source.misread(star, ONLY, EXAMPLE)
        arguments = [*([owner] if owner is not None else []), *tree.args]
        operands, rest = self._divided(record, arguments, tree)
        if len(operands) < len(record.slots) or not operands:
            raise self._too_few(tree, record, len(operands))
        attributes = self._attributes(tree, record, rest)
        if part is not None:
            attributes["part"] = part
        elif is_list_of_parts(record) and word == record.name and not _names_part(tree):
            what = "{op} gives several arrays"
            raise self.source.misread(tree, what, "choose one, such as {op}(...)[0]", op=record.name)
        if lacking := next((one for one in record.attributes if _is_lacking(one, attributes)), None):
            operands_ = {"op": record.name, "attribute": lacking.name}
            what, remedy = "{op} needs its {attribute}", "add {attribute}=..."
            raise self.source.misread(tree, what, remedy, **operands_)
        return self.sketch.call(record.name, tuple(map(self.node, operands)), attributes, name)

    # --- which operation

    def _word(self, tree: ast.Call) -> tuple[str, ast.expr | None]:
        """The name that is called, and the operand whose method it is called as."""
        if isinstance(tree.func, ast.Name):
            return tree.func.id, None
        if not isinstance(tree.func, ast.Attribute):
            remedy = "write * for a product, or an operation, such as exp(x)"
            raise self.source.misread(tree.func, "this cannot be called", remedy)
        owner: ast.expr = tree.func.value
        while isinstance(owner, ast.Attribute) and owner.attr in SUBMODULES:
            owner = owner.value
        is_module = isinstance(owner, ast.Name) and owner.id in MODULES and owner.id not in self.sketch
        return tree.func.attr, None if is_module else tree.func.value

    def is_array(self, tree: ast.Call) -> bool:
        """Whether a call only says that a list is an array, as np.array([1, 2]) and torch.tensor([1, 2]) do."""
        word, owner = self._word(tree)
        is_plain = isinstance(tree.func, ast.Attribute) and owner is None and len(tree.args) == 1 and not tree.keywords
        return is_plain and word in ARRAYS

    def _no_operation(self, tree: ast.Call, word: str) -> Exception:
        near = nearest(self.document, word)
        remedy = "did you mean {near}?" if near else "choose one of the palette's, or make a function of this name"
        if word in self.sketch or len(word) == 1:
            remedy = "write {word}*(...) for a product"
        return self.source.misread(tree.func, "there is no operation {word}", remedy, word=word, near=near)

    # --- operands

    def _divided(
        self, record: Primitive, arguments: Sequence[ast.expr], tree: ast.Call
    ) -> tuple[Sequence[ast.expr], Sequence[ast.expr]]:
        """Divide positional arguments into operands and the attributes behind them."""
        if not record.variadic:
            count = len(record.slots)
            return arguments[:count], arguments[count:]
        if arguments and isinstance(arguments[0], ast.Constant) and isinstance(arguments[0].value, str):
            return arguments[1:], arguments[:1]  # einsum("ij,jk->ik", a, b)
        if arguments and isinstance(arguments[0], ast.List | ast.Tuple):  # concatenate([a, b], axis)
            return arguments[0].elts, arguments[1:]
        return arguments, []

    def _too_few(self, tree: ast.Call, record: Primitive, count: int) -> Exception:
        labels = ", ".join(slot.label for slot in record.slots)
        what, slots = "{op} takes {slots} operands ({labels}), and {count} is there", len(record.slots)
        if slots == 1:
            what = "{op} takes an operand ({labels}), and none is there"
        return self.source.misread(
            tree, what, "add what is missing", op=record.name, slots=slots, labels=labels, count=count
        )

    def _leaf(self, tree: ast.Call, op: str, name: str | None) -> str:
        """input(2.5), constant([1, 2]), parameter(1), input(2, gradient=True)."""
        wants = [word.value for word in tree.keywords if word.arg == "gradient" and op == "input"]
        if len(tree.args) != 1 or len(wants) != len(tree.keywords):
            what, remedy = "{op} takes one value", "write {op}(2.5), or {op}([1, 2])"
            raise self.source.misread(tree, what, remedy, op=op)
        gradient = bool(wants) and self._plain(wants[0]) is True
        return self.sketch.leaf(op, self.value(tree.args[0]), name, gradient)

    # --- attributes

    def _attributes(self, tree: ast.Call, record: Primitive, rest: Sequence[ast.expr]) -> dict[str, Any]:
        """The attributes given by position and by keyword, without those that have their default."""
        known = {attribute.name: attribute for attribute in record.attributes}
        places = by_position(record)
        attributes: dict[str, Any] = {}
        if len(rest) > len(places) and places and places[0].kind in LISTS and all(map(_is_whole, rest)):
            attributes[places[0].name] = [self._plain(item) for item in rest]  # x.reshape(2, 3)
            rest = ()
        if len(rest) > len(places):
            raise self._too_many(rest[len(places)], record)
        for attribute, item in zip(places, rest, strict=False):
            attributes[attribute.name] = self._attribute(record, attribute, item)
        for word in tree.keywords:
            name = KEYWORDS.get(str(word.arg), str(word.arg))
            name = name if name in known else str(word.arg)
            if name not in known:
                listed = ", ".join(known) or "none"
                what, remedy = "{op} has no {word}=", "it knows {known}"
                raise self.source.misread(word, what, remedy, op=record.name, word=str(word.arg), known=listed)
            if name in attributes:
                raise self.source.misread(word, "{name} is given twice", "write it once", name=name)
            attributes[name] = self._attribute(record, known[name], word.value)
        return {name: value for name, value in attributes.items() if not is_default(value, known[name].default)}

    def _too_many(self, tree: ast.expr, record: Primitive) -> Exception:
        count = len(record.slots)
        what = "{op} takes {count} operands" if count > 1 else "{op} takes one operand"
        remedy = "remove the others"
        if later := record.attributes[len(by_position(record)) :]:
            remedy = "remove the others, or say what this is, such as {name}=..."
        if record.name in PAIRS:
            remedy = "write {pair}(a, b) for that of two"
        operands = {"name": later[0].name if later else "", "pair": PAIRS.get(record.name, "")}
        return self.source.misread(tree, what, remedy, op=record.name, count=count, **operands)

    def _attribute(self, record: Primitive, attribute: Attribute, tree: ast.expr) -> Any:
        word = tree.attr if isinstance(tree, ast.Attribute) else tree.id if isinstance(tree, ast.Name) else ""
        value = word if word in attribute.choices else self._plain(tree, record, attribute)
        if not attribute.takes(value):
            raise self._wants(tree, record, attribute)
        return value

    def _wants(self, tree: ast.expr, record: Primitive, attribute: Attribute) -> Exception:
        operands = {"op": record.name, "name": attribute.name, "wanted": attribute.expected}
        what, remedy = "{op} needs {wanted} as its {name}", PLAIN
        if record.name in PAIRS:
            remedy = "{remedy}, or {pair}(a, b) for that of two"
        advice = {"remedy": PLAIN, "pair": PAIRS.get(record.name, "")}
        return self.source.misread(tree, what, remedy, **operands, **advice)

    def _plain(self, tree: ast.expr, record: Primitive | None = None, attribute: Attribute | None = None) -> Any:
        """A value that is written out: a number, a text, True, None, or lists of them."""
        match tree:
            case ast.Constant(value=int() | float() | str() | None as value):
                return value
            case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
                return -number
            case ast.Name(id=name) if name in NUMBERS and name not in self.sketch:
                return NUMBERS[name]
            case ast.UnaryOp(op=ast.USub(), operand=ast.Name(id="inf")):
                return -math.inf
            case ast.List() | ast.Tuple():
                return [self._plain(item, record, attribute) for item in tree.elts]
        if record is None or attribute is None:
            raise self.source.misread(tree, "this is no plain value", PLAIN)
        raise self._wants(tree, record, attribute)

    # --- indices

    def element(self, tree: ast.Subscript, name: str | None) -> str:
        """x[0], x[:, 1:]; and split(x, 2)[1], which chooses a part."""
        if isinstance(tree.value, ast.Call) and self._chooses_part(tree.value):
            part = self._plain(tree.slice) if _is_whole(tree.slice) else None
            if part is None or part < 0:
                raise self.source.misread(tree.slice, "a part is chosen by a whole number", "write [0], [1] ...")
            return self.call(tree.value, name, part)
        index = " ".join(self.source.piece(tree.slice).split())
        try:
            parse_index(index)
        except ShapeError:
            remedy = "write one as in numpy, such as 0 or 1:3, or take_along_axis(x, indices) for a computed one"
            raise self.source.misread(tree.slice, "this is no plain index", remedy) from None
        return self.sketch.call(getitem.name, (self.node(tree.value),), {"index": index}, name)

    def _chooses_part(self, tree: ast.Call) -> bool:
        word, _ = self._word(tree)
        record = called(self.document, word)
        gives_parts = record is not None and is_list_of_parts(record) and word == record.name
        return gives_parts and not _names_part(tree)


PAIRS = {"max": "maximum", "min": "minimum"}


def _is_spread(item: ast.AST) -> bool:
    return isinstance(item, ast.Starred) or (isinstance(item, ast.keyword) and item.arg is None)


def _names_part(tree: ast.Call) -> bool:
    return any(word.arg == "part" for word in tree.keywords)


def _is_whole(tree: ast.expr) -> bool:
    number = tree.operand if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.USub) else tree
    return isinstance(number, ast.Constant) and type(number.value) is int


def _is_lacking(attribute: Attribute, attributes: dict[str, Any]) -> bool:
    return attribute.default is REQUIRED and attribute.name not in attributes
