"""A whole graph as text, a line for each node that has one: "b1 = w0*a1 + w1*a2". Lines that a user wrote are kept.

The document's `extra` holds the text as the user last typed it. After any other edit, lines that still match the graph
stay as typed, and the rest are regenerated: the text is a function of the document.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from cadena.core.expressions.reading import Reader
from cadena.core.expressions.sketch import value_key
from cadena.core.expressions.syntax import Misread, Source
from cadena.core.expressions.vocabulary import is_filling
from cadena.core.expressions.writing import LineWriter, is_inline, is_named, leaf_tree, line_of, own_part
from cadena.core.functions.calls import operation
from cadena.core.graph import edits
from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, Document, Node, Tensor
from cadena.core.graph.fault import Refused
from cadena.core.graph.wiring import Wiring, wiring
from cadena.core.ops.arithmetic import multiply
from cadena.core.ops.linear_algebra import matmul

KEY = "expression"
MAX_NODES = 400  # in larger graphs nobody reads all lines, and writing them would slow each edit
MAX_LINES = 60
MAX_LETTERS = 64  # of a line, about
MAX_ALIGNED = 6  # letters of a name up to which the = of all lines stand below each other
PRODUCTS = (multiply.name, matmul.name)
NOTHING: frozenset[str] = frozenset()


@dataclass(frozen=True)
class GraphLine:
    """A line of the text, or several rows that belong together, with the comments above.

    `roots` are the nodes that it defines, `nodes` these and those written in their places, `names` those it mentions.
    """

    text: str
    roots: tuple[str, ...]
    nodes: frozenset[str]
    names: frozenset[str]


@dataclass(frozen=True)
class GraphText:
    """The lines of a graph, and why some of its nodes are in none."""

    lines: tuple[GraphLine, ...] = ()
    unsaid: tuple[Refused, ...] = ()
    is_too_large: bool = False

    @cached_property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @cached_property
    def nodes(self) -> frozenset[str]:
        """The nodes that the lines define."""
        return NOTHING.union(*(line.nodes for line in self.lines))

    @cached_property
    def names(self) -> frozenset[str]:
        """The nodes that the lines mention."""
        return NOTHING.union(*(line.names for line in self.lines))

    @cached_property
    def roots(self) -> Mapping[int, str]:
        """The last node of each line by the row, from 0, in which the line ends."""
        rows, row = {}, -1
        for line in self.lines:
            row += line.text.count("\n") + 1
            rows[row] = line.roots[-1]
        return rows

    @cached_property
    def rows(self) -> Mapping[str, int]:
        """For each node that a line defines the row in which that line ends."""
        return {name: row for row, line in zip(self.roots, self.lines, strict=True) for name in line.nodes}


def graph_text(document: Document, names: Collection[str] = (), wired: Wiring | None = None) -> GraphText:
    """Write the graph, or how the nodes `names` are computed from whatever others use too; `wired` is the wiring of the
    document, where it is known."""
    if names:
        wired = wired if wired is not None and wired.names == list(document.nodes) else wiring(document.nodes)
        own = [own_part(document, name, wired) for name in names]
        nodes = {name: node for part in own for name, node in part.items()}
        nodes |= {name: part[name] for name, part in zip(names, own, strict=True)}
        document = replace(document, nodes=nodes, output=None, extra={})
    elif len(document.nodes) > MAX_NODES:
        return GraphText(is_too_large=True)
    text = _Lines(document, names).written()
    return text if len(text.lines) <= MAX_LINES else GraphText(is_too_large=True)


def renamed(document: Document, old: str, new: str) -> Document:
    """The document with another name for a node, also in the text that a user wrote."""
    document = edits.rename(document, old, new)
    stored = document.extra.get(KEY)
    if not isinstance(stored, str):
        return document
    return replace(document, extra={**document.extra, KEY: re.sub(rf"\b{re.escape(old)}\b", new, stored)})


# --- a text in lines


@dataclass
class Statements:
    """Statements that share rows, as they are written, with the comments above them."""

    first: int  # row of the first of them, from 1
    text: str = ""
    trees: list[ast.stmt] = field(default_factory=list)

    @property
    def last(self) -> int:
        """The last row that it may begin a statement in."""
        return self.trees[-1].lineno

    @property
    def goals(self) -> tuple[str, ...]:
        """The names that are assigned."""
        goals = (tree.targets[0] for tree in self.trees if isinstance(tree, ast.Assign))
        return tuple(goal.id for goal in goals if isinstance(goal, ast.Name))

    @property
    def names(self) -> frozenset[str]:
        """The names on the right sides."""
        values = (tree.value for tree in self.trees if isinstance(tree, ast.Assign | ast.Expr))
        return frozenset(item.id for value in values for item in ast.walk(value) if isinstance(item, ast.Name))


def statements(source: Source, body: Iterable[ast.stmt]) -> list[Statements]:
    """Divide a text into pieces that can be read one by one."""
    pieces: list[Statements] = []
    begin, end = 0, 0  # rows before the last piece, and up to its end
    for tree in body:
        if not pieces or tree.lineno > end:
            begin = end
            pieces.append(Statements(tree.lineno))
        end = max(end, tree.end_lineno or tree.lineno)
        pieces[-1].trees.append(tree)
        pieces[-1].text = "\n".join(source.lines[begin:end])
    if pieces:
        pieces[-1].text = "\n".join(source.lines[begin:]).rstrip()
    return pieces


class _StoredLine:
    """Compares a line that a user wrote with the graph."""

    def __init__(self, document: Document, piece: Statements, taken: Collection[str]) -> None:
        """`taken` are the operations that other lines define."""
        self.document, self.piece, self.taken = document, piece, taken
        self.names = piece.names & document.nodes.keys()
        self.nodes: set[str] = set()

    def line(self) -> GraphLine | None:
        """The line with its nodes; None if the graph is another."""
        text = self.piece.text
        try:
            reader = Reader(text, self.document, kept=range(text.count("\n") + 2))
            self.new = reader.sketch.nodes
            roots = [self._root(tree, reader.statement(tree)) for tree in reader.body]
        except Misread:
            return None
        nodes, consumers = self.document.nodes, self.document.consumers
        inner = [name for name in self.nodes.difference(roots) if not nodes[name].is_leaf]
        if "" in roots or any(user not in self.nodes for name in inner for user, _ in consumers[name]):
            return None
        return GraphLine(text, tuple(roots), frozenset(self.nodes), frozenset(self.names))

    def _root(self, tree: ast.stmt, read: str) -> str:
        """The node of a statement that was `read` to a new one; "" if the graph has no such node."""
        if isinstance(tree, ast.Assign):
            return read if self._is_same(read, read, tree.value) else ""
        if read not in self.new:
            return read
        for name in self.document.nodes:
            before = set(self.nodes)
            if name not in self.names and self._is_same(read, name):
                return name
            self.nodes = before
        return ""

    def _is_same(self, read: str, name: str, value: ast.expr | None = None) -> bool:
        """Whether a node that was read, for a name as `value`, is this node of the graph."""
        if read not in self.new:
            return read == name
        new, old = self.new[read], self.document.nodes.get(name)
        if old is None:
            return False
        is_taken = value is None and (name in self.taken or name in self.names or name in self.nodes)
        if is_taken and not is_inline(old):
            return False
        self.nodes.add(name)
        if new.is_leaf or old.is_leaf:
            return _is_same_leaf(new, old, value)
        if old.op != new.op or len(old.inputs) != len(new.inputs) or self._attributes(old) != self._attributes(new):
            return False
        pairs = zip(new.inputs, old.inputs, strict=True)
        return all(source is not None and self._is_same(str(one), source) for one, source in pairs)

    def _attributes(self, node: Node) -> str:
        record = operation(self.document, node.op)
        defaults = {one.name: one.default for one in record.attributes} if record else {}
        return repr(sorted((defaults | dict(node.attributes)).items(), key=lambda item: item[0]))


def _is_same_leaf(new: Node, old: Node, value: ast.expr | None) -> bool:
    if not (new.is_leaf and old.is_leaf) or new.value is None or old.value is None:
        return False
    if value is not None and is_filling(value):  # random numbers may have been trained since
        return isinstance(old.value, Tensor) and isinstance(new.value, Tensor) and old.value.shape == new.value.shape
    return value_key(new.value) == value_key(old.value) and (
        new.op == old.op or not (value is None or names_kind(value))
    )


def names_kind(value: ast.expr) -> bool:
    """Whether the right side of a leaf's line names its kind, as input(2) does."""
    return isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in LEAVES


# --- writing


class _Lines(LineWriter):
    """The lines of a graph: those that hold as they are stored, and new ones for all else."""

    def __init__(self, document: Document, wanted: Collection[str]) -> None:
        super().__init__(document, MAX_LETTERS)
        self.wanted = wanted
        self.kept: list[GraphLine] = []
        self._places: list[tuple[str, ...]] = []  # the names of the stored lines, in their order
        self._keep_stored()
        roots = NOTHING.union(*(line.roots for line in self.kept))
        self._done = NOTHING.union(*(line.nodes for line in self.kept if line.nodes)) & self._operations | roots
        self._named = NOTHING.union(roots, *(line.names for line in self.kept))
        self._own = self._own_lines()
        self.new: list[GraphLine] = []
        self.unsaid: list[Refused] = []
        self._inside: dict[str, frozenset[str]] = {}  # a node that is written in another's place, with all in its own
        self._mentioned: dict[str, frozenset[str]] = {}

    @property
    def _operations(self) -> set[str]:
        return {name for name, node in self.document.nodes.items() if not node.is_leaf}

    def _keep_stored(self) -> None:
        stored = self.document.extra.get(KEY)
        try:
            source = Source(str(stored or ""), self.document.nodes)
            pieces = statements(source, source.tree())
        except Misread:
            return
        taken = {name for piece in pieces for name in piece.goals}
        for piece in pieces:
            line = _StoredLine(self.document, piece, taken).line()
            self._places.append(line.roots if line else piece.goals)
            if line:
                taken |= line.nodes
                self.kept.append(line)

    def _own_lines(self) -> set[str]:
        """The operations that get a line: all results, what is used several times, and what has a telling name."""
        document, consumers = self.document, self.document.consumers
        inner = [document.nodes[name] for name in self._operations if len(consumers[name]) == 1]
        # Where only some nodes were given names, these mean something. Where all have one, a factor begins a new
        # thought, as the activation of a layer does: `c` in 15 - c stands in its place, `b1` in w3*b1 does not.
        names_tell = any(not is_named(node) for node in inner)
        own = {node.name for node in inner if is_named(node) and (names_tell or self._is_factor(node.name))}
        own |= self._operations.difference(node.name for node in inner)
        return own | {*self._named, *self.wanted, str(document.output)}

    def _is_factor(self, name: str) -> bool:
        ((consumer, _),) = self.document.consumers[name]
        return self.document.nodes[consumer].op in PRODUCTS

    def written(self) -> GraphText:
        """All lines, in their order."""
        if len(self._own & self._operations) > MAX_LINES:
            return GraphText(is_too_large=True)
        order, cycles = graph.order(self.document)
        circular = {name for cycle in cycles for name in cycle}
        for name in order:
            node = self.document.nodes[name]
            if name in self._done or name in circular:
                self._stand(name)
            elif node.is_leaf:
                self._write_leaf(node)
            else:
                self._write_operation(node)
        lines = [*self.kept, *self.new]
        return GraphText(tuple(self._in_order(lines) if self.kept else _aligned(lines)), tuple(self.unsaid))

    def _stand(self, name: str) -> None:
        """Let a name stand for its node."""
        super().settle(name)
        self._inside[name], self._mentioned[name] = NOTHING, frozenset([name])

    def settle(self, name: str) -> None:
        text = line_of(name, self.parts[name].tree)
        self.new.append(GraphLine(text, (name,), self._inside[name], self._mentioned[name]))
        self._stand(name)

    def _write_leaf(self, node: Node) -> None:
        name, consumers = node.name, self.document.consumers[node.name]
        has_line = not consumers or name in self.wanted or any(name in names for names in self._places)
        if has_line:  # nothing else says that it is there, or its value
            try:
                text = line_of(name, leaf_tree(self.document, name))
            except Refused as refusal:
                self.unsaid += [] if consumers else [refusal]
            else:
                self.new.append(GraphLine(text, (name,), frozenset([name]), NOTHING))
        self._stand(name)
        if is_inline(node) and not has_line and name not in self._named:
            self.parts[name] = self.leaf(node)
            self._inside[name], self._mentioned[name] = frozenset([name]), NOTHING

    def _write_operation(self, node: Node) -> None:
        name = node.name
        try:
            self.parts[name] = self.operation(node)
        except Refused as refusal:
            self.unsaid.append(refusal)
            self._stand(name)
            return
        self._inside[name] = frozenset([name]).union(*(self._inside[str(source)] for source in node.inputs))
        self._mentioned[name] = NOTHING.union(*(self._mentioned[str(source)] for source in node.inputs))
        if name in self._own:
            self.settle(name)

    def _in_order(self, lines: Iterable[GraphLine]) -> list[GraphLine]:
        """The lines in their stored order; a new one in the place of the one before, or where it is first needed."""
        place = {name: number for number, names in enumerate(self._places) for name in names}
        rest = [line for line in lines if line.roots[0] not in place]
        result = sorted((line for line in lines if line.roots[0] in place), key=lambda line: place[line.roots[0]])
        for line in rest:
            needed = (at for at, other in enumerate(result) if other.names.intersection(line.roots))
            result.insert(next(needed, len(result)), line)
        return result


def _aligned(lines: Sequence[GraphLine]) -> list[GraphLine]:
    """The lines with each = below the one above."""
    width = max((len(line.roots[0]) for line in lines), default=0)
    if width > MAX_ALIGNED:
        return list(lines)
    return [replace(line, text=f"{line.roots[0]:{width}}{line.text[len(line.roots[0]) :]}") for line in lines]
