"""Operations on single numbers as columns, which passes go through without a Python object for each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

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


def fits(record: Primitive) -> bool:
    """Whether an operation can be in a table."""
    return record.elementwise and not record.variadic and len(record.slots) <= MAX_OPERANDS


def of_operations(drafts: Sequence[Draft]) -> Table:
    """The table of operations given one by one as (number, record, operands, attributes), all elementwise."""
    codes_of: dict[BoundOperation, int] = {}
    codes = [
        codes_of.setdefault(BoundOperation.of(record, attributes), len(codes_of)) for _, record, _, attributes in drafts
    ]
    operands = [operands for _, _, operands, _ in drafts]
    rows = [operands + (MISSING,) * (MAX_OPERANDS - len(operands)) for operands in operands]
    outs = np.array([out for out, _, _, _ in drafts], dtype=np.intp)
    columns = np.array(rows, dtype=np.intp).reshape(-1, MAX_OPERANDS).T
    return Table(tuple(codes_of), np.array(codes, dtype=np.intp), outs, columns)


def carrying(table: Table) -> np.ndarray:
    """The operands through which a gradient flows; MISSING for those that only choose."""
    choosers = np.array(
        [[slot in kind.primitive.choosers for kind in table.kinds] for slot in range(len(table.operands))]
    )
    if not choosers.any():
        return table.operands
    return np.where(choosers[:, table.codes], MISSING, table.operands)


def active_slots(table: Table, reached: np.ndarray) -> np.ndarray:
    """Mark, by slot and operation, the wires whose contribution the reverse pass computes."""
    gets = np.append(reached, False)  # the last stands for operands that are missing
    active: np.ndarray = gets[carrying(table)] & gets[table.outs]
    return active
