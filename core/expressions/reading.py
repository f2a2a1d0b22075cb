"""Expressions read into a graph: "L = (w*x + b - y)**2; y_hat = sigmoid(w @ x)". Nothing is ever evaluated."""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cadena.core.expressions.calls import Calls
from cadena.core.expressions.sketch import Sketch
from cadena.core.expressions.syntax import EXAMPLE, MAX_DEPTH, MAX_IN_PIECE, ONLY, TOO_LARGE, Source
from cadena.core.expressions.vocabulary import (
    COMPARISON_OF,
    FILLINGS,
    MAX_FILLED,
    MODULES,
    NUMBERS,
    OPERATION_OF,
    SIGN_INSTEAD,
    called,
    is_filling,
    is_reserved,
)
from cadena.core.graph.document import Document, Node, Tensor, Value, as_value, name_fault
from cadena.core.graph.subgraphs import LONG_NAME, MAX_IN_NAME
from cadena.core.notation.reading import ARITHMETIC
from cadena.core.ops.arithmetic import negative, positive
from cadena.core.ops.joining import stack
from cadena.core.ops.linear_algebra import swapaxes, transpose
from cadena.core.ops.memory import MAX_AXES
from cadena.core.ops.selection import where
from cadena.core.text.plain_text import elided

NodeOrNumber = Any  # the name of a node; or a float, or nested lists of floats, as long as no node holds them
TRANSPOSED = {"T": (transpose.name, {}), "mT": (swapaxes.name, {"axis1": -1, "axis2": -2})}
EMPTY = Document({})


@dataclass(frozen=True)
class Reading:
    """What a text was read to: the document with the `new` nodes, and the node of the last statement."""

    document: Document
    new: Mapping[str, Node]
    last: str


def parse(text: str, document: Document | None = None) -> Document:
    """The graph that a text in Python's grammar means, or `document` with that graph added to it.

    document = cadena.parse("w = 2.5; L = (w*x + b - y)**2")

    Statements are assignments or expressions, a line each or with ; between. Names of nodes stand for them; other names
    become parameters, whose value is 1 unless a statement gives one. The output is the last statement's node, unless
    `document` has an output. Nothing is evaluated. Raises Misread, a Refused, for a mistake, with its place.
    """
    return read(text, document).document


def read(text: str, document: Document | None = None) -> Reading:
    """The same, with what is new."""
    document = document or EMPTY
    reader = Reader(text, document)
    last = reader.read()
    extended = replace(document, nodes={**document.nodes, **reader.sketch.nodes}, output=document.output or last)
    return Reading(extended, reader.sketch.nodes, last)


class Reader:
    """Reads one text into a sketch."""

    def __init__(
        self, text: str, document: Document, kept: Collection[int] = (), reserved: Collection[str] = ()
    ) -> None:
        """Statements that begin in the lines `kept` are in the document already; new nodes get no `reserved` name."""
        self.source = Source(text, document.nodes)
        self.kept = kept
        self.body = self.source.tree()
        self.document = document
        names = {item.id for tree in self.body for item in ast.walk(tree) if isinstance(item, ast.Name)}
        self.sketch = Sketch(document, names.union(reserved))
        self._later = self._assigned()
        self.assigned = frozenset(self._later)
        self.calls = Calls(self.source, document, self.sketch, self.node, self._numbers)
        self._depth = 0

    def read(self) -> str:
        """Read all statements; the name of the last one's node."""
        last = ""
        for tree in self.body:
            last = self.statement(tree)
        return last

    def statement(self, tree: ast.stmt) -> str:
        """Read one statement; the name of its node."""
        try:
            return self._statement(tree)
        except RecursionError:  # whoever called had little left of Python's stack
            raise self.source.too_deep(tree) from None

    # --- statements

    def _assigned(self) -> dict[str, int]:
        """The lines in which names are assigned to, by name. Raises Misread for a name that cannot be."""
        lines: dict[str, int] = {}
        for tree in self.body:
            if isinstance(tree, ast.Assign):
                goal = tree.targets[-1]
                if len(tree.targets) > 1 or not isinstance(goal, ast.Name):
                    what = "this cannot be assigned to"
                    raise self.source.misread(tree.targets[0], what, "write one name on the left of one =")
                self._check_target(goal, lines, is_kept=tree.lineno in self.kept)
                lines[goal.id] = tree.lineno
            elif not isinstance(tree, ast.Expr):
                raise self.source.misread(tree, ONLY, EXAMPLE)
        return lines

    def _check_target(self, goal: ast.Name, lines: Mapping[str, int], is_kept: bool) -> None:
        name = goal.id
        if name in lines:
            what = "{name} is assigned in line {line} already"
            raise self.source.misread(goal, what, "choose another name", name=name, line=lines[name])
        if not is_kept and self._known(goal) is not None:
            raise self.source.misread(goal, "there is a node {name} already", "choose another name", name=name)
        if wrong := name_fault(name):
            raise self.source.misread(goal, wrong.what, wrong.remedy, **wrong.operands)
        self._check_length(goal)

    def _check_length(self, tree: ast.Name) -> None:
        if len(tree.id) > MAX_IN_NAME:
            operands = {"most": MAX_IN_NAME, "length": len(tree.id)}
            raise self.source.misread(tree, LONG_NAME, "choose a shorter one", **operands)

    def _statement(self, tree: ast.stmt) -> str:
        assert isinstance(tree, ast.Assign | ast.Expr)
        goal = tree.targets[0] if isinstance(tree, ast.Assign) else None
        name = goal.id if isinstance(goal, ast.Name) else None
        if name is None and isinstance(tree.value, ast.Compare) and isinstance(tree.value.ops[0], ast.Eq):
            raise self.source.misread(tree, "this compares two values, and makes nothing", "write one = to assign")
        term = self._read(tree.value, name)
        if name is None:
            term = self._held(term, tree.value)
        elif not isinstance(term, str):
            term = self.sketch.leaf("parameter", self._value(term, tree.value), name)
        elif term != name:
            term = self.sketch.call(positive.name, (term,), {}, name)
        if name is not None:
            self._later.pop(name, None)
        return str(term)

    # --- expressions

    def node(self, tree: ast.expr) -> str:
        """The node that an expression means."""
        return self._held(self._read(tree), tree)

    def _held(self, term: NodeOrNumber, tree: ast.expr) -> str:
        """The node of a term: numbers become a constant."""
        if isinstance(term, str):
            return term
        self._value(term, tree)
        return self.sketch.constant(term)

    def _numbers(self, tree: ast.expr) -> Value:
        """Numbers that are written out, as the value of a leaf."""
        term = self._read(tree)
        if _has_nodes(term):
            raise self.source.misread(tree, "this is no plain number", "write numbers here, such as 2 or [1, 2]")
        return self._value(term, tree)

    def _value(self, term: NodeOrNumber, tree: ast.expr) -> Value:
        """Numbers as the value of a leaf. Raises Misread for rows of several lengths."""
        try:
            value = as_value(term)
        except (TypeError, ValueError):
            raise self.source.misread(
                tree, "its rows differ in length", "give each as many numbers as the first"
            ) from None
        if isinstance(value, Tensor) and 0 in value.shape:
            raise self.source.misread(tree, "this list holds no number", "write one such as [1, 2]")
        if isinstance(value, Tensor) and len(value.shape) > MAX_AXES:
            what = "this has more than {most_axes} dimensions"
            raise self.source.misread(tree, what, "nest its lists less deeply", most_axes=MAX_AXES)
        return value

    def _read(self, tree: ast.expr, name: str | None = None) -> NodeOrNumber:
        """The node or number of an expression; a new node gets the name `name`."""
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise self.source.too_deep(tree)
        try:
            return READERS.get(type(tree), Reader._foreign)(self, tree, name)
        finally:
            self._depth -= 1

    def _foreign(self, tree: ast.expr, name: str | None) -> NodeOrNumber:
        raise self.source.misread(tree, ONLY, EXAMPLE)

    def _constant(self, tree: ast.Constant, name: str | None) -> NodeOrNumber:
        number = tree.value
        if isinstance(number, int | float) and not isinstance(number, bool):
            if abs(number) <= sys.float_info.max:
                return float(number)
            raise self.source.misread(tree, *TOO_LARGE)
        what = "this is no number"
        if isinstance(number, str | bytes):
            what = "a text is no number, and no operation takes one here"
        raise self.source.misread(tree, what, "write a number, a name or an operation")

    def _name(self, tree: ast.Name, name: str | None) -> NodeOrNumber:
        known, identifier = self._known(tree), tree.id
        if known is not None:
            return known
        if identifier in self._later:
            what, remedy = "{name} is assigned in line {line} only", "move that line up"
            if self._later[identifier] == tree.lineno:
                what, remedy = "{name} is used before it is assigned", "choose another name for one of the two"
            raise self.source.misread(tree, what, remedy, name=identifier, line=self._later[identifier])
        if identifier in NUMBERS:
            return NUMBERS[identifier]
        if is_reserved(identifier) or identifier in self.document.functions:
            what, remedy = "{name} is an operation", "write {name}(...), or give a parameter of that name a value first"
            raise self.source.misread(tree, what, remedy, name=identifier)
        self._check_length(tree)
        return self.sketch.leaf("parameter", 1.0, identifier)

    def _known(self, tree: ast.Name) -> str | None:
        """The node that a name stands for; None if there is none. Python reads names in a normal form (NFKC), but a
        node may have been called otherwise."""
        if not tree.id.isascii() or not self.source.text.isascii():
            written = self.source.piece(tree)
            if written in self.document.nodes:
                return written
        return tree.id if tree.id in self.sketch else None

    def _unary(self, tree: ast.UnaryOp, name: str | None) -> NodeOrNumber:
        op = self._operation(tree, tree.op)
        term = self._read(tree.operand)
        if isinstance(term, float):
            return -term if op == negative.name else term
        return self.sketch.call(op, (self._held(term, tree.operand),), {}, name)

    def _binary(self, tree: ast.BinOp, name: str | None) -> NodeOrNumber:
        """A chain such as a + b - c + d from its beginning: it may be long without being nested."""
        chain: list[ast.BinOp] = []
        first: ast.expr = tree
        while isinstance(first, ast.BinOp):
            chain.append(first)
            first = first.left
        left, begin = self._read(first), first
        for part in reversed(chain):
            op = self._operation(part, part.op)
            right = self._read(part.right)
            if isinstance(left, float) and isinstance(right, float) and type(part.op) in ARITHMETIC:
                left = self._folded(part, left, right)
            else:
                operands = (self._held(left, begin), self._held(right, part.right))
                left = self.sketch.call(op, operands, {}, name if part is tree else None)
        return left

    def _folded(self, tree: ast.BinOp, left: float, right: float) -> float:
        """Arithmetic of two numbers, such as 1/2: one constant."""
        if isinstance(tree.op, ast.Div) and right == 0.0:
            raise self.source.misread(tree, "this divides by 0", "write another number, or inf or nan")
        return ARITHMETIC[type(tree.op)](left, right)

    def _operation(self, tree: ast.expr, sign: ast.AST) -> str:
        if type(sign) in OPERATION_OF:
            return OPERATION_OF[type(sign)]
        what, remedy = SIGN_INSTEAD[type(sign)]
        raise self.source.misread(tree, what, remedy)

    def _both(self, tree: ast.BoolOp, name: str | None) -> NodeOrNumber:
        self._operation(tree, tree.op)

    def _compared(self, tree: ast.Compare, name: str | None) -> NodeOrNumber:
        """A comparison as a number, 1 or 0, which where and `a if c else b` choose by."""
        op = COMPARISON_OF.get(type(tree.ops[0]))
        if len(tree.ops) > 1 or op is None:
            raise self.source.misread(
                tree, "this is no single comparison", "write one such as a < b, or a product of two"
            )
        operands = tuple(self.node(part) for part in (tree.left, tree.comparators[0]))
        return self.sketch.call(op, operands, {}, name)

    def _choice(self, tree: ast.IfExp, name: str | None) -> NodeOrNumber:
        operands = (self.node(tree.test), self.node(tree.body), self.node(tree.orelse))
        return self.sketch.call(where.name, operands, {}, name)

    def _list(self, tree: ast.List | ast.Tuple, name: str | None) -> NodeOrNumber:
        """Numbers in lists are an array; with expressions among them a stack."""
        terms = [self._read(item) for item in tree.elts]
        if not any(map(_has_nodes, terms)):
            return terms
        operands = tuple(self._held(term, item) for term, item in zip(terms, tree.elts, strict=True))
        return self.sketch.call(stack.name, operands, {}, name)

    def _subscript(self, tree: ast.Subscript, name: str | None) -> NodeOrNumber:
        return self.calls.element(tree, name)

    def _call(self, tree: ast.Call, name: str | None) -> NodeOrNumber:
        if self.calls.is_array(tree):
            return self._read(tree.args[0], name)
        if is_filling(tree) and called(self.document, tree.func.id) is None:  # type: ignore[attr-defined]
            return self._filled(tree, name)
        return self.calls.call(tree, name)

    def _filled(self, tree: ast.Call, name: str | None) -> NodeOrNumber:
        """Numbers by their shape: random(6, 6), zeros(3), ones((2, 2))."""
        assert isinstance(tree.func, ast.Name)
        word, items = tree.func.id, tree.args
        if len(items) == 1 and isinstance(items[0], ast.Tuple | ast.List):
            items = items[0].elts
        sizes = [item.value for item in items if isinstance(item, ast.Constant) and type(item.value) is int]
        if len(sizes) != len(items) or tree.keywords or not all(0 < size <= MAX_FILLED for size in sizes):
            what, remedy = "{word} takes the size of each dimension", "write whole numbers, such as {word}(6, 6)"
            raise self.source.misread(tree, what, remedy, word=word)
        if len(sizes) > MAX_AXES or math.prod(sizes) > MAX_FILLED:
            what, remedy = "these are more than {most} numbers", "write a smaller size"
            raise self.source.misread(tree, what, remedy, most=MAX_FILLED)
        numbers = FILLINGS[word](tuple(sizes), name or self.source.piece(tree))
        return numbers.tolist()

    def _attribute(self, tree: ast.Attribute, name: str | None) -> NodeOrNumber:
        """x.T, np.pi; everything else that has a dot is a call."""
        base = tree.value
        if isinstance(base, ast.Name) and base.id in MODULES and self._known(base) is None and tree.attr in NUMBERS:
            return NUMBERS[tree.attr]
        if isinstance(base, ast.Name) and base.id in MODULES and tree.attr == "e":
            return math.e
        if tree.attr not in TRANSPOSED:
            what, remedy = "there is no {attribute} of a node", "write .T for a transpose, or call an operation"
            raise self.source.misread(tree, what, remedy, attribute=elided(f".{tree.attr}", MAX_IN_PIECE))
        op, attributes = TRANSPOSED[tree.attr]
        return self.sketch.call(op, (self.node(base),), dict(attributes), name)


def _has_nodes(term: NodeOrNumber) -> bool:
    """Whether a term is a node; lists with a node in them are one already."""
    return isinstance(term, str)


READERS: dict[type[ast.expr], Any] = {
    ast.Constant: Reader._constant,
    ast.Name: Reader._name,
    ast.UnaryOp: Reader._unary,
    ast.BinOp: Reader._binary,
    ast.BoolOp: Reader._both,
    ast.Compare: Reader._compared,
    ast.IfExp: Reader._choice,
    ast.List: Reader._list,
    ast.Tuple: Reader._list,
    ast.Subscript: Reader._subscript,
    ast.Call: Reader._call,
    ast.Attribute: Reader._attribute,
}
