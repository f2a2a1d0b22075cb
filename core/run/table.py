"""Operations on single numbers as columns: a hundred thousand of them are read, ordered and sorted without a loop."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, Document
from cadena.core.graph.wiring import Wiring
from cadena.core.ops.primitive import REGISTRY, Primitive

MISSING = -1  # as an operand: the operation takes fewer
LEAF = -1  # as a code
MAX_OPERANDS = 2
Draft = tuple[int, Primitive, tuple[int, ...], dict[str, Any]]  # an instruction before its active slots are known


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

    def draft(self, place: int) -> Draft:
        """The one operation at this place."""
        kind = self.kinds[self.codes[place]]
        operands = tuple(self.operands[: len(kind.primitive.slots), place].tolist())
        return int(self.outs[place]), kind.primitive, operands, kind.attributes


def fits(record: Primitive) -> bool:
    """Whether an operation can be in a table."""
    return record.elementwise and not record.variadic and len(record.slots) <= MAX_OPERANDS


def _plain_kinds(document: Document, operations: Collection[str]) -> tuple[BoundOperation, ...] | None:
    """The kinds of the document's operations, if all are without attributes and on one or two numbers."""
    if not document.functions.keys().isdisjoint(operations):  # a function goes before an operation of its name
        return None
    records = [REGISTRY.get(name) for name in sorted(operations)]
    kinds = tuple(
        BoundOperation(record.name) for record in records if record and fits(record) and not record.attributes
    )
    return kinds if len(kinds) == len(records) else None


def read(document: Document, wired: Wiring) -> Table | None:
    """The table of a graph of numbers with nothing at fault, in order; else None. `wired` is the document's wiring.

    Large graphs are of this kind nearly always. `cadena.core.run.plan` reads the others (with an attribute, an open
    slot, an array) node by node.
    """
    codes, arity, _, plain, _ = wired.columns
    occurring = np.flatnonzero(np.bincount(codes, minlength=len(wired.kinds))).tolist()
    kinds = _plain_kinds(document, {wired.kinds[code] for code in occurring if code >= len(LEAVES)})
    if kinds is None or not plain.all() or len(wired.wires) != arity.sum():
        return None
    code_of = {kind.name: code for code, kind in enumerate(kinds)}
    codes = np.array([code_of.get(kind, LEAF) for kind in wired.kinds], dtype=np.intp)[codes]
    arity_of = np.array([*(len(kind.primitive.slots) for kind in kinds), 0])  # the last is for LEAF
    if (arity != arity_of[codes]).any():
        return None
    outs = np.flatnonzero(codes != LEAF)
    operands = _columns(wired.wires[:, 0], arity[outs])
    if (operands < outs).all():
        return Table(kinds, codes[outs], outs, operands)
    ordered, cycles = graph.order(document)
    if cycles:
        return None
    outs = np.fromiter(map(wired.numbers.__getitem__, ordered), np.intp, len(ordered))
    outs = outs[codes[outs] != LEAF]
    row_of = np.cumsum(codes != LEAF) - 1
    return Table(kinds, codes[outs], outs, operands[:, row_of[outs]])


def _columns(flat: np.ndarray, arity: np.ndarray) -> np.ndarray:
    """Operands that lie one after another as a row for each slot."""
    starts = np.cumsum(arity) - arity
    rows = np.full((MAX_OPERANDS, len(arity)), MISSING, dtype=np.intp)
    for slot, row in enumerate(rows):
        there = arity > slot
        row[there] = flat[starts[there] + slot]
    return rows


def of_operations(drafts: Sequence[Draft]) -> Table:
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
    if (through := carrying(table)) is table.operands:  # as nearly always
        return []
    slots, places = np.nonzero(through != table.operands)
    return list(zip(table.outs[places].tolist(), slots.tolist(), strict=True))


class Ways(NamedTuple):
    """What paths say of each node: how many operations the longest one to it has, itself included; whether it depends
    on a leaf with a gradient; and whether a gradient comes to it from the output. The last of each stands for operands
    that are missing.
    """

    levels: np.ndarray
    below: np.ndarray
    above: np.ndarray


def ways(table: Table, output: int | None, wanted: np.ndarray) -> Ways:
    """The ways through a table of `wanted` nodes, those with a gradient of their own marked."""
    count = len(wanted)
    below = np.append(wanted, False).tolist()
    if output is not None:
        below[output] = True  # has a gradient whatever it depends on, and what depends on it gets none
    for out, left, right in zip(table.outs.tolist(), *table.operands.tolist(), strict=True):
        if below[left] or below[right]:
            below[out] = True
    return Ways(levels(table, count), np.array(below), _above(table, count, output))


def levels(table: Table, count: int) -> np.ndarray:
    """The levels of `Ways` for `count` nodes."""
    level = [0] * (count + 1)
    for out, left, right in zip(table.outs.tolist(), *table.operands.tolist(), strict=True):
        one, other = level[left], level[right]
        level[out] = (one if one > other else other) + 1
    return np.array(level, dtype=np.intp)


def _above(table: Table, count: int, output: int | None) -> np.ndarray:
    above = [False] * (count + 1)
    if output is not None:
        above[output] = True
    rows = (table.outs.tolist(), *carrying(table).tolist())
    for out, left, right in zip(*(row[::-1] for row in rows), strict=True):
        if above[out]:
            above[left] = above[right] = True
    above[-1] = False
    return np.array(above)


def active_slots(table: Table, reached: np.ndarray) -> np.ndarray:
    """Mark, by slot and operation, the wires whose contribution the reverse pass computes."""
    gets = np.append(reached, False)  # the last stands for operands that are missing
    active: np.ndarray = gets[carrying(table)] & gets[table.outs]
    return active


def carrying_back(table: Table, active: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The `active` wires in the order of the reverse pass: node, slot and operand of each."""
    backwards, slots = np.nonzero(active.T[::-1])
    places = len(table.outs) - 1 - backwards
    return table.outs[places], slots, table.operands[slots, places]
