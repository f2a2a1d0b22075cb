"""A graph written as expressions, which `reading` reads again: one where that can be read, several where it cannot.

What is used twice is a statement of its own under the name of its node. Where one expression of all the rest would be
too long, so is each node that somebody gave a name, and what is too long or nested too deeply even then. Python's own
printer sets the parentheses.
"""

from __future__ import annotations

import ast
import math
import re
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

from cadena.core.expressions.vocabulary import BINARY, COMPARISONS, UNARY, by_position, is_default, is_list_of_parts
from cadena.core.functions.calls import operation
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node, Tensor, Value
from cadena.core.graph.fault import Refused
from cadena.core.graph.wiring import Wiring
from cadena.core.notation.reading import write_value
from cadena.core.ops.einsum import einsum
from cadena.core.ops.linear_algebra import transpose
from cadena.core.ops.primitive import REQUIRED, Primitive, ShapeError
from cadena.core.ops.shaping import getitem, parse_index

MAX_LETTERS = 160  # letters of a line, about; what takes more is written in several
MAX_NESTED = 12  # calls and brackets within each other
MAX_OWN = 100  # operations that are written in the place of their names
FEW = 12  # elements of a constant array that is written where it is used


@dataclass
class Part:
    """The form of a node in a line: its tree, its approximate number of letters, and its depth."""

    tree: ast.expr
    letters: int
    depth: int = 0


def expression_of(document: Document, name: str | None = None, values: bool = False) -> str:
    """Write how a node (default: the output) is computed from the leaves: "L = (w * x + b - y) ** 2".

    `cadena.parse` makes the same graph of it, in a document that holds the leaves or, with `values`, by itself: then
    there is a line for each leaf. Nodes that are used twice have lines of their own; where the expression would be too
    long all nodes with a name of their own have. Constant numbers are written where they are used.

    Raises Refused for what has no expression: an open slot, a cycle, an unknown operation, a large array's values.
    """
    name = name or document.output
    if name is None or name not in document.nodes:
        raise Refused("there is no node {name!r}", "choose one of the graph's nodes", name=name)
    writer = _Expression(document, name)
    lines = writer.lines(name)
    leaves = [leaf for leaf in writer.leaves if leaf != name] if values else []
    return "\n".join([*(line_of(leaf, leaf_tree(document, leaf)) for leaf in leaves), *lines])


def own_part(document: Document, name: str, wired: Wiring) -> dict[str, Node]:
    """A node and the operations that only it needs, not too many, with leaves in the place of all that they read.

    It takes the same time in any graph of which the wiring is known.
    """
    own, queue = {name: document.nodes[name]}, [name]
    for one in queue:
        for source in document.nodes[one].inputs:
            if source is None or source not in document.nodes or source in own:
                continue
            node = document.nodes[source]
            is_own = wired.uses(source) == 1 and source != document.output and len(queue) < MAX_OWN
            if not node.is_leaf and is_own:
                queue.append(source)
            own[source] = node if node.is_leaf or is_own else Node(source, "parameter", value=1.0)
    return own


class LineWriter:
    """Writes nodes one after the other, operands first, as parts of lines: `parts` holds those written so far."""

    def __init__(self, document: Document, most: int = MAX_LETTERS) -> None:
        """`most` letters, about, stand in a line where some of its nodes can have lines of their own."""
        self.document, self._most = document, most
        self.parts: dict[str, Part] = {}

    def settle(self, name: str) -> None:
        """Assign a node to its name on a line of its own; later expressions refer to it by that name."""
        self.parts[name] = Part(ast.Name(name), len(name))

    def leaf(self, node: Node) -> Part:
        """The name of a leaf, or the number that stands in its place."""
        if not is_inline(node):
            return Part(ast.Name(node.name), len(node.name))
        assert node.value is not None
        tree = _value_tree(node.value, self.document.nodes)
        return Part(tree, len(ast.unparse(tree)))

    def operation(self, node: Node) -> Part:
        """An operation on what stands for its operands. Raises Refused for an open slot and for what has no name."""
        record = operation(self.document, node.op)
        operands = [str(source) for source in node.inputs if source in self.document.nodes]
        if record is None:
            what = "{node} has no expression: there is no operation {op}"
            raise Refused(what, "choose another operation", node=node.name, op=node.op)
        if len(operands) < len(node.inputs) or not record.takes(len(operands)):
            what = "{node} has no expression: it waits for an operand"
            raise Refused(what, "connect its open slots", node=node.name)
        while sum(self.parts[one].letters for one in operands) > self._most:
            longest = max(operands, key=lambda one: self.parts[one].letters)
            if isinstance(self.parts[longest].tree, ast.Name) or is_inline(self.document.nodes[longest]):
                break
            self.settle(longest)
        for one in operands:
            if self.parts[one].depth >= MAX_NESTED:
                self.settle(one)
        parts = [self.parts[one] for one in operands]
        nodes = [self.document.nodes[one] for one in operands]
        are_numbers = all(is_inline(one) and isinstance(one.value, float) for one in nodes)
        tree = _call(node, record, [part.tree for part in parts], are_numbers)
        letters = sum(part.letters for part in parts) + len(node.op) + 4
        depth = max(part.depth for part in parts) + 1
        if isinstance(tree, ast.BinOp):  # a + b + c is nested to the right alone
            depth = max(parts[0].depth, parts[1].depth + 1)
        return Part(tree, letters, depth)


class _Expression(LineWriter):
    """Writes the ancestors of one node, each once."""

    def __init__(self, document: Document, name: str) -> None:
        super().__init__(document)
        needed = graph.ancestors(document, name)
        part = replace(document, nodes={one: node for one, node in document.nodes.items() if one in needed})
        self.order, cycles = graph.order(part)
        if cycles:
            what = "{node} depends on itself: {path}"
            raise Refused(what, "remove one of these wires", node=cycles[0][0], path=" → ".join(cycles[0]))
        self.leaves = [one for one in self.order if document.nodes[one].is_leaf and not is_inline(document.nodes[one])]
        self._uses = Counter(str(source) for node in part.nodes.values() for source in node.inputs)
        self._lines: list[str] = []

    def lines(self, name: str) -> list[str]:
        """The line of a node, after those that it needs."""
        is_long = self._letters(name) > MAX_LETTERS
        for one in self.order:
            node = self.document.nodes[one]
            if node.is_leaf and one != name:
                self.parts[one] = self.leaf(node)
                continue
            self.parts[one] = Part(leaf_tree(self.document, one), 0) if node.is_leaf else self.operation(node)
            if one == name or self._uses[one] > 1 or (is_long and is_named(node)):
                self.settle(one)
        return self._lines

    def _letters(self, name: str) -> int:
        """Estimate the length of a node's line, where only nodes used twice have a line of their own."""
        letters: dict[str, int] = {}
        for one in self.order:
            node = self.document.nodes[one]
            within = sum(letters.get(str(source), 0) for source in node.inputs)
            is_short = node.is_leaf or (self._uses[one] > 1 and one != name)
            letters[one] = len(one) if is_short else len(node.op) + 4 + min(within, MAX_LETTERS)
        return letters[name]

    def settle(self, name: str) -> None:
        self._lines.append(line_of(name, self.parts[name].tree))
        super().settle(name)


def is_named(node: Node) -> bool:
    """Whether somebody gave a node its name, which is not such as add1."""
    return not re.fullmatch(rf"{re.escape(node.op)}_?\d+", node.name)


def is_inline(node: Node) -> bool:
    """Whether a constant is written where it is used."""
    if node.op != "constant" or node.value is None:
        return False
    value = node.value
    return not isinstance(value, Tensor) or (value.dtype == "float64" and 0 < value.array.size <= FEW)


# --- trees


def _call(node: Node, record: Primitive, operands: list[ast.expr], are_numbers: bool) -> ast.expr:
    """An operation on operands as Python's grammar has it: with a sign, an index, a dot, or as a call.

    The sum of operands that `are_numbers`, and nothing else, would be read as one number.
    """
    attributes = {one.name: node.attributes[one.name] for one in record.attributes if one.name in node.attributes}
    defaults = {one.name: one.default for one in record.attributes}
    attributes = {key: value for key, value in attributes.items() if not is_default(value, defaults[key])}
    if odd := next((key for key in node.attributes if key not in defaults), None):
        what = "{node} has no expression: {op} has no attribute {odd}"
        raise Refused(what, "remove it", node=node.name, op=node.op, odd=odd)
    if node.op in BINARY and not are_numbers:
        return ast.BinOp(operands[0], BINARY[node.op](), operands[1])
    if node.op in COMPARISONS:
        return ast.Compare(operands[0], [COMPARISONS[node.op]()], [operands[1]])
    if node.op in UNARY and not are_numbers:
        return ast.UnaryOp(UNARY[node.op](), operands[0])
    if record is transpose and not attributes:
        return ast.Attribute(operands[0], "T")
    if record is getitem and (index := _index(attributes.get("index"))) is not None:
        return ast.Subscript(operands[0], index)
    return _plain_call(node, record, operands, attributes)


def _plain_call(node: Node, record: Primitive, operands: list[ast.expr], attributes: dict[str, Any]) -> ast.expr:
    part = attributes.pop("part", _default(record, "part")) if is_list_of_parts(record) else None
    places = [one.name for one in by_position(record) if one.default is REQUIRED and one.name in attributes]
    behind = [_plain_tree(node, attributes.pop(name)) for name in places]
    words = [ast.keyword(name, _plain_tree(node, value)) for name, value in attributes.items()]
    arguments = [*operands, *behind]
    if record is einsum:
        arguments = [*behind, *operands]
    elif record.variadic:
        arguments = [ast.List(operands), *behind]
    tree = ast.Call(ast.Name(node.op), arguments, words)
    if part is None:
        return tree
    if isinstance(part, int) and part >= 0:
        return ast.Subscript(tree, ast.Constant(part))
    return ast.Call(tree.func, tree.args, [*words, ast.keyword("part", _plain_tree(node, part))])


def _default(record: Primitive, name: str) -> Any:
    return next(one.default for one in record.attributes if one.name == name)


def _index(text: Any) -> ast.expr | None:
    try:
        parse_index(str(text))
    except ShapeError:
        return None
    tree = ast.parse(f"x[{text}]", mode="eval").body
    assert isinstance(tree, ast.Subscript)
    return tree.slice


def _plain_tree(node: Node, value: Any) -> ast.expr:
    """The value of an attribute."""
    if isinstance(value, list | tuple):
        return ast.List([_plain_tree(node, item) for item in value])
    if isinstance(value, int | float) and not isinstance(value, bool) and value < 0:
        return ast.UnaryOp(ast.USub(), _plain_tree(node, -value))
    if isinstance(value, float) and not math.isfinite(value):
        return ast.Name("nan" if value != value else "inf")
    if value is None or isinstance(value, bool | int | float | str):
        return ast.Constant(value)
    what = "{node} has no expression: an attribute of it is not a plain value"
    raise Refused(what, "set another", node=node.name)


def leaf_tree(document: Document, name: str) -> ast.expr:
    """The right side of a leaf's own line: its value and its kind."""
    node = document.nodes[name]
    if node.value is None:
        raise Refused("{node} has no value", "give it one", node=name)
    tree = _value_tree(node.value, document.nodes)
    wants = [ast.keyword("gradient", ast.Constant(True))] if node.op == "input" and node.gradient else []
    return tree if node.op == "parameter" else ast.Call(ast.Name(node.op), [tree], wants)


def _value_tree(value: Value, names: Collection[str]) -> ast.expr:
    """A number or nested lists, as they are typed. Raises Refused for too many to be typed."""
    return _Numbers(names).visit(ast.parse(write_value(value), mode="eval").body)  # type: ignore[no-any-return]


class _Numbers(ast.NodeTransformer):
    """inf and nan as numbers, also where a node is called so."""

    def __init__(self, reserved: Collection[str]) -> None:
        self._reserved = reserved

    def visit_Name(self, tree: ast.Name) -> ast.expr:
        if tree.id not in self._reserved:
            return tree
        endless = ast.BinOp(ast.Constant(1e308), ast.Mult(), ast.Constant(10))
        return endless if tree.id == "inf" else ast.BinOp(endless, ast.Sub(), endless)


# --- text


def line_of(name: str, tree: ast.expr) -> str:
    return f"{name} = {_printed(tree)}"


def _printed(tree: ast.expr) -> str:
    """Python's own print, without the spaces around what binds more tightly than a sum."""
    return TIGHT.sub(lambda match: match[1] or match[2], ast.unparse(ast.fix_missing_locations(tree)))


TIGHT = re.compile(r"""('[^']*'|"[^"]*")| (\*\*|\*|/) """)  # a text stays as it is
