"""Edits a graph through its text: nodes that the text still describes stay, and changed lines are parsed again."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter

from msgspec.structs import replace as with_fields

from cadena.core.expressions.graph_text import KEY, GraphText, Statements, graph_text, names_kind, renamed, statements
from cadena.core.expressions.reading import Reader
from cadena.core.expressions.sketch import value_key
from cadena.core.expressions.syntax import Source
from cadena.core.expressions.vocabulary import is_filling
from cadena.core.graph import edits
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node, is_name

TOKEN = re.compile(r"\w+|\S")


def rewritten(document: Document, text: str, names: Collection[str] = ()) -> Document:
    """`document` as a text says that its graph is, which `graph_text` wrote before it was edited.

    Lines that are left as they are keep their nodes. In the others an operation or a number that stands for an earlier
    one, or takes its place, keeps its name and with it its card, and a name that is changed everywhere renames its
    node. What no line says or mentions any longer is removed. The order of lines means nothing, and a new name is a
    parameter. Raises Misread, a Refused, for a mistake.
    """
    shown = graph_text(document, names)
    document = _renamed(document, shown, text)
    edited = _Edited(document, graph_text(document, _still(document, names)), text).document()
    return edited if names else replace(edited, extra=_with_text(edited, text.rstrip()))


def _with_text(document: Document, text: str) -> dict[str, object]:
    extra = {key: item for key, item in document.extra.items() if key != KEY}
    return extra | {KEY: text} if text else extra


def _still(document: Document, names: Collection[str]) -> list[str]:
    return [name for name in names if name in document.nodes]


# --- names that were changed


def _renamed(document: Document, shown: GraphText, text: str) -> Document:
    """The document with the one node renamed that has another name in the text, if that is what was edited."""
    old, new = _changed_name(shown.text, text) or _changed_goal(shown, text)
    is_node = old in document.nodes and (old in shown.nodes or old in shown.names)
    if not is_node or new in document.nodes or not is_name(new):
        return document
    return renamed(document, old, new)


def _changed_name(before: str, after: str) -> tuple[str, str] | None:
    """The name and its new one, if that is all that differs between two texts."""
    old, new = TOKEN.findall(before), TOKEN.findall(after)
    pairs = {(one, other) for one, other in zip(old, new, strict=False) if one != other}
    if len(old) != len(new) or len(pairs) != 1:
        return None
    ((name, other),) = pairs
    return None if name in new else (name, other)


def _changed_goal(shown: GraphText, text: str) -> tuple[str, str]:
    """The name and its new one, if one line alone is assigned to another name."""
    before, after = shown.text.split("\n"), text.rstrip().split("\n")
    pairs = [(one, other) for one, other in zip(before, after, strict=False) if one != other]
    if len(before) == len(after) and len(pairs) == 1:
        (old, left), (new, right) = (_divided(line) for line in pairs[0])
        if left == right and old and new:
            return old, new
    return "", ""


def _divided(line: str) -> tuple[str, str]:
    goal, _, value = line.partition("=")
    return goal.strip(), value.strip()


# --- lines that were changed


class _Edited:
    """The graph after an edit of its text."""

    def __init__(self, before: Document, shown: GraphText, text: str) -> None:
        self.before, self.shown, self.text = before, shown, text
        if not text.strip():
            self.pieces: list[Statements] = []
            self.changed: list[Statements] = []
            gone = list(shown.lines)
        else:
            source = Source(text, before.nodes)
            self.pieces = statements(source, source.tree())
            unclaimed = Counter(line.text.strip() for line in shown.lines)
            self.changed = [piece for piece in self.pieces if not _claims(unclaimed, piece.text.strip())]
            gone = [line for line in shown.lines if _claims(unclaimed, line.text.strip())]
        nodes = before.nodes
        kept = [line for line in shown.lines if line not in gone]
        held = {name for line in kept for name in line.nodes}
        self.spare = [nodes[name] for line in gone for name in dict.fromkeys(line.nodes) if name not in held]
        self.roots = {root for line in kept for root in line.roots}
        self.mentioned = {name for line in kept for name in line.names}

    def document(self) -> Document:
        return self._joined(self._read() if self.changed else {})

    # --- reading

    def _read(self) -> dict[str, Node]:
        """The nodes of the changed lines, under the names that their cards have."""
        goals = {name for piece in self.changed for name in piece.goals}
        free = {node.name for node in self.spare}
        nodes = {
            name: node for name, node in self.before.nodes.items()
            if name not in free and not (node.is_leaf and name in goals and name not in self.roots)
        }  # fmt: skip
        rows = {row for piece in self.pieces if piece not in self.changed for row in range(piece.first, piece.last + 1)}
        reader = Reader(self.text, replace(self.before, nodes=nodes), rows, self.before.nodes)
        for tree in _by_need(reader):
            reader.statement(tree)
        kinds = {
            tree.targets[0].id: tree.value for tree in reader.body
            if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name)
        }  # fmt: skip
        new = {name: self._as_before(node, kinds.get(name)) for name, node in reader.sketch.nodes.items()}
        names = _old_names(new, self.spare, goals)
        return {names.get(name, name): self._under(node, names) for name, node in new.items()}

    def _as_before(self, node: Node, value: ast.expr | None) -> Node:
        """A leaf with what its line does not say: its kind, or the numbers that took the place of random ones."""
        old = self.before.nodes.get(node.name)
        if old is None or value is None or not (old.is_leaf and node.is_leaf):
            return node
        if is_filling(value) and _shape(old) == _shape(node):
            return old
        return node if names_kind(value) else with_fields(old, value=node.value)

    def _under(self, node: Node, names: Mapping[str, str]) -> Node:
        """A node under the name that its card has."""
        name = names.get(node.name, node.name)
        old = self.before.nodes.get(name)
        inputs = tuple(names.get(str(source), source) for source in node.inputs)
        return with_fields(node, name=name, inputs=inputs, extra=old.extra if old is not None else node.extra)

    # --- joining

    def _joined(self, new: Mapping[str, Node]) -> Document:
        before = self.before
        nodes = {name: new.get(name, node) for name, node in before.nodes.items()} | dict(new)
        mentioned = self.mentioned.union(*(piece.names for piece in self.changed))
        gone = [node.name for node in self.spare if node.name not in new]
        lost = [name for name in gone if name in self.mentioned]  # a line that stays needs it: now it is a parameter
        nodes |= {name: Node(name, "parameter", value=1.0) for name in lost}
        edited = edits.remove(replace(before, nodes=nodes), set(gone).difference(lost))
        leaves = (name for name in self.shown.names - self.roots - mentioned if name in edited.nodes)
        unused = [name for name in leaves if edited.nodes[name].is_leaf and not edited.consumers[name]]
        edited = edits.remove(edited, set(unused).difference(new))
        self._check(edited)
        return replace(edited, output=self._output(edited))

    def _check(self, edited: Document) -> None:
        _, cycles = graph.order(edited)
        if cycles and not graph.order(self.before)[1]:
            around = " → ".join(cycles[0])
            first = self.changed[0].first if self.changed else 1
            source = Source(self.text, self.before.nodes)
            what, remedy = "{name} depends on itself: {path}", "use nodes that do not"
            raise source.misread_at(first, 0, "", what, remedy, name=cycles[0][0], path=around)

    def _output(self, edited: Document) -> str | None:
        """The output: it stays, unless it is gone or was a result that the new lines use."""
        output, before = self.before.output, self.before
        if output and output in edited.nodes and (before.consumers[output] or not edited.consumers[output]):
            return output
        return _last_result(edited)


def _last_result(document: Document) -> str | None:
    """The last operation that nothing uses."""
    names = reversed([name for name, node in document.nodes.items() if not node.is_leaf])
    return next((name for name in names if not document.consumers[name]), None)


def _claims(texts: Counter[str], text: str) -> bool:
    """Whether a text is among those left; then it is taken."""
    is_left = texts[text] > 0
    texts[text] -= is_left
    return is_left


def _shape(node: Node) -> tuple[int, ...]:
    return getattr(node.value, "shape", ())


def _by_need(reader: Reader) -> list[ast.stmt]:
    """The statements that are read, each after those whose names it uses. Raises Misread where they go in a circle."""
    trees = [tree for tree in reader.body if tree.lineno not in reader.kept]
    goals = {
        tree.targets[0].id: number for number, tree in enumerate(trees)
        if isinstance(tree, ast.Assign) and isinstance(tree.targets[0], ast.Name)
    }  # fmt: skip
    needs = {
        number: [goals[item.id] for item in ast.walk(tree.value) if isinstance(item, ast.Name) and item.id in goals]
        for number, tree in enumerate(trees) if isinstance(tree, ast.Assign | ast.Expr)
    }  # fmt: skip
    try:
        return [trees[number] for number in TopologicalSorter(needs).static_order()]
    except CycleError as error:
        tree = trees[error.args[1][0]]
        name = next(name for name, number in goals.items() if trees[number] is tree)
        what, remedy = "{name} depends on itself", "use names that do not"
        raise reader.source.misread(tree, what, remedy, name=name) from None


# --- names of cards


def _old_names(new: Mapping[str, Node], spare: Sequence[Node], assigned: Collection[str]) -> dict[str, str]:
    """The names of new nodes that stand for a spare one, or take its place; the text gives others their names."""
    names: dict[str, str] = {}
    left = [node for node in spare if node.name not in assigned]
    for is_like in (_is_equal, _is_alike):  # equal ones first: what is alike might take their names
        for node in new.values():
            if node.name in assigned or node.name in names or (node.is_leaf and node.op != "constant"):
                continue
            inputs = tuple(names.get(str(source), source) for source in node.inputs)
            old = next((one for one in left if is_like(one, with_fields(node, inputs=inputs))), None)
            if old is not None:
                left.remove(old)
                names[node.name] = old.name
    return names


def _is_equal(old: Node, new: Node) -> bool:
    if not new.inputs:
        return old.op == new.op and _value(old) == _value(new)
    return old.op == new.op and old.inputs == new.inputs and old.attributes == new.attributes


def _is_alike(old: Node, new: Node) -> bool:
    """Whether a node has the place of an earlier one: another operation on its operands, or a number for a number."""
    if not new.inputs:
        return old.op == new.op
    if old.is_leaf:
        return False
    return (
        _is_equal(old, new)
        or old.inputs == new.inputs
        or (old.op == new.op and not set(old.inputs).isdisjoint(new.inputs))
    )


def _value(node: Node) -> object:
    return None if node.value is None else value_key(node.value)
