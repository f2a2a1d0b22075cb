"""Operations on single numbers as columns: a hundred thousand of them are read, ordered and sorted without a loop."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.document import LEAVES, Document, Node
from cadena.core.ops.primitive import REGISTRY, Primitive

MISSING = -1  # as an operand: the operation takes fewer
LEAF = -1  # as a code
MAX_OPERANDS = 2


class BoundOperation(NamedTuple):
    """An operation with its attributes, as (name, value) in order."""

    name: str
    settings: tuple[tuple[str, Any], ...] = ()

    @classmethod
    def of(cls, primitive: Primitive, attributes: dict[str, Any]) -> BoundOperation:
        return cls(primitive.name, tuple(attributes.items()))

    @property
    def primitive(self) -> Primitive:
        return REGISTRY[self.name]

    @property
    def attributes(self) -> dict[str, Any]:
        return dict(self.settings)


class Table(NamedTuple):
    """Elementwise operations, operands before their consumers.

    Operation i is of kind `kinds[codes[i]]` and computes node number `outs[i]` from the nodes `operands[:, i]`.
    """

    kinds: tuple[BoundOperation, ...]
    codes: np.ndarray
    outs: np.ndarray
    operands: np.ndarray

    def at(self, place: int) -> Table:
        """The table of the one operation at this place."""
        one = slice(place, place + 1)
        return Table(self.kinds, self.codes[one], self.outs[one], self.operands[:, one])


def fits(record: Primitive) -> bool:
    """Whether an operation can be in a table."""
    return record.elementwise and not record.variadic and len(record.slots) <= MAX_OPERANDS


class Numbered(NamedTuple):
    """A document's nodes in order, with the number of each name."""

    numbers: dict[str, int]
    leaves: list[int]
    table: Table


def _plain_kinds(document: Document, operations: Collection[str]) -> tuple[BoundOperation, ...] | None:
    """The kinds of the document's operations, if all are without attributes and on one or two numbers."""
    if not document.functions.keys().isdisjoint(operations):  # a function goes before an operation of its name
        return None
    records = [REGISTRY.get(name) for name in sorted(operations)]
    kinds = tuple(
        BoundOperation(record.name) for record in records if record and fits(record) and not record.attributes
    )
    return kinds if len(kinds) == len(records) else None


_attributes = attrgetter("attributes")


def _is_number(leaf: Node) -> bool:
    return type(leaf.value) is float


def read(document: Document) -> Numbered | None:
    """The table of a graph of numbers with every operand before its consumers and nothing at fault; else None.

    Large graphs are of this kind nearly always. `cadena.core.run.plan` reads the others (with an attribute, an open
    slot, an array) node by node.
    """
    nodes = list(document.nodes.values())
    operations = [node.op for node in nodes]
    kinds = _plain_kinds(document, set(operations).difference(LEAVES))
    if kinds is None:
        return None
    code_of = {kind.name: code for code, kind in enumerate(kinds)} | dict.fromkeys(LEAVES, LEAF)
    arity_of = np.array([*(len(kind.primitive.slots) for kind in kinds), 0])  # the last is for LEAF
    inputs = [node.inputs for node in nodes]
    index = dict(zip(document.nodes, range(len(nodes)), strict=True))
    try:
        codes = np.fromiter(map(code_of.__getitem__, operations), np.intp, len(nodes))
        arity = np.fromiter(map(len, inputs), np.intp, len(nodes))
        flat = np.fromiter(map(index.__getitem__, chain.from_iterable(inputs)), np.intp, arity.sum())  # type: ignore[arg-type]
    except KeyError:  # an open slot or a node that is not there
        return None
    leaves = np.flatnonzero(codes == LEAF).tolist()
    if any(map(_attributes, nodes)) or not all(map(_is_number, [nodes[leaf] for leaf in leaves])):
        return None
    if (arity != arity_of[codes]).any():
        return None
    outs = np.flatnonzero(codes != LEAF)
    operands = _columns(flat, arity[outs])
    return Numbered(index, leaves, Table(kinds, codes[outs], outs, operands)) if (operands < outs).all() else None


def _columns(flat: np.ndarray, arity: np.ndarray) -> np.ndarray:
    """Operands that lie one after another as a row for each slot."""
    starts = np.cumsum(arity) - arity
    rows = np.full((MAX_OPERANDS, len(arity)), MISSING, dtype=np.intp)
    for slot, row in enumerate(rows):
        there = arity > slot
        row[there] = flat[starts[there] + slot]
    return rows


def of_operations(drafts: Sequence[tuple[int, Primitive, tuple[int, ...], dict[str, Any]]]) -> Table:
    """The table of operations given one by one as (number, record, operands, attributes), all elementwise."""
    codes_of: dict[BoundOperation, int] = {}
    codes = [
        codes_of.setdefault(BoundOperation.of(record, attributes), len(codes_of)) for _, record, _, attributes in drafts
    ]
    operands = [operands for _, _, operands, _ in drafts]
    arity = np.fromiter(map(len, operands), np.intp, len(operands))
    flat = np.fromiter(chain.from_iterable(operands), np.intp, arity.sum())
    outs = np.array([out for out, _, _, _ in drafts], dtype=np.intp)
    return Table(tuple(codes_of), np.array(codes, dtype=np.intp), outs, _columns(flat, arity))


def carrying(table: Table) -> np.ndarray:
    """The operands through which a gradient flows; MISSING for those that only choose."""
    choosers = np.array(
        [[slot in kind.primitive.choosers for kind in table.kinds] for slot in range(len(table.operands))]
    )
    if not choosers.any():
        return table.operands
    return np.where(choosers[:, table.codes], MISSING, table.operands)


def choosing(table: Table) -> list[tuple[int, int]]:
    """The wires through which no gradient flows, as number of the node and slot."""
    slots, places = np.nonzero(carrying(table) != table.operands)
    return list(zip(table.outs[places].tolist(), slots.tolist(), strict=True))


def levels(table: Table, count: int) -> np.ndarray:
    """The number of operations on the longest path to each operation, itself included; `count` nodes in all."""
    level = [0] * (count + 1)  # the last stands for operands that are missing
    for out, left, right in zip(table.outs.tolist(), *table.operands.tolist(), strict=True):
        one, other = level[left], level[right]
        level[out] = (one if one > other else other) + 1
    by_node: np.ndarray = np.array(level, dtype=np.intp)
    return np.take(by_node, table.outs)


def reached(table: Table, count: int, output: int, sources: list[bool]) -> list[bool]:
    """Which of `count` nodes get a gradient: those that depend on one of `sources`, and through which one flows."""
    outs, operands, through = table.outs.tolist(), table.operands.tolist(), carrying(table).tolist()
    below, above = [*sources, False], [False] * (count + 1)  # the last stands for operands that are missing
    for out, left, right in zip(outs, *operands, strict=True):
        if below[left] or below[right]:
            below[out] = True
    above[output] = below[output] = True
    for out, left, right in zip(reversed(outs), *map(reversed, through), strict=True):
        if above[out]:
            above[left] = above[right] = True
    both: list[bool] = (np.array(below[:-1]) & np.array(above[:-1])).tolist()
    return both


def active_slots(table: Table, reached: Sequence[bool]) -> np.ndarray:
    """Mark, by slot and operation, the wires whose contribution the reverse pass computes."""
    gets = np.array([*reached, False])  # the last stands for operands that are missing
    active: np.ndarray = gets[carrying(table)] & gets[table.outs]
    return active


def carrying_back(table: Table, reached: Sequence[bool]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The wires that `active_slots` marks, in the order of the reverse pass: node, slot and operand of each."""
    backwards, slots = np.nonzero(active_slots(table, reached).T[::-1])
    places = len(table.outs) - 1 - backwards
    return table.outs[places], slots, table.operands[slots, places]


def moving_slots(table: Table, count: int, leaves: Collection[int]) -> np.ndarray:
    """Mark, by slot and operation, the wires that carry a tangent when `leaves` move."""
    moving = [False] * (count + 1)  # the last stands for operands that are missing
    for leaf in leaves:
        moving[leaf] = True
    operands = carrying(table)
    for out, left, right in zip(table.outs.tolist(), *operands.tolist(), strict=True):
        if moving[left] or moving[right]:
            moving[out] = True
    gets: np.ndarray = np.array(moving)[operands]
    return gets
