"""Forward mode along several directions in one pass: each node carries its value and a vector of tangents.

The numbers are those of `passes.tangent`, a direction at a time: an elementwise operation multiplies its local
derivative with all tangents at once; one that mixes elements pushes them one by one. Directions that do not move a node
are left out, so that no 0 meets an infinite local derivative, and no work is done for them. (Eigen's
AutoDiffScalar<VectorXd> carries the same, with the zeros.)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.ops.primitive import Primitive, gated
from cadena.core.run.passes.tangent import direction_of, leaf_of
from cadena.core.run.plan import Plan
from cadena.core.run.program import Run

Direction = Mapping[str, Any]


class Tangents(NamedTuple):
    """The tangents of a node: `array[i]`, of the node's shape, along the direction with the number `rows[i]`.

    The rows ascend; along all other directions the node does not move.
    """

    rows: np.ndarray
    array: np.ndarray

    def along(self, direction: int) -> np.ndarray | None:
        """The tangent along one direction; None where the node does not move along it."""
        place = int(np.searchsorted(self.rows, direction))
        moves = place < len(self.rows) and self.rows[place] == direction
        return np.asarray(self.array[place]) if moves else None

    def full(self, count: int) -> np.ndarray:
        """The tangents along all of `count` directions, with zeros: (count, *node shape)."""
        if len(self.rows) == count:
            return self.array
        filled = np.zeros((count, *self.array.shape[1:]), self.array.dtype)
        filled[self.rows] = self.array
        return filled


def tangent_vectors(run: Run, directions: Sequence[Direction]) -> list[Tangents | None]:
    """The tangents of each node by its number along each of `directions`; None for a node that none of them moves.

    A direction is what `passes.tangent.tangents` takes, and the numbers are the same. Raises Refused as it does.
    """
    by_leaf = dict[int, tuple[list[int], list[Any]]]()
    for row, direction in enumerate(directions):
        for name, along in direction.items():
            leaf = leaf_of(run, name)
            rows, tangents = by_leaf.setdefault(leaf, ([], []))
            rows.append(row)
            tangents.append(direction_of(run, leaf, along))
    moved: list[Tangents | None] = [None] * len(run.plan.names)
    for leaf, (rows, tangents) in by_leaf.items():
        moved[leaf] = Tangents(np.array(rows), np.stack(tangents))
    push(run.plan, run.arrays, moved)
    return moved


def vectors_of(run: Run, number: int, directions: Sequence[Direction]) -> np.ndarray:
    """The tangents of node `number` along each of `directions`, zeros where it does not move: (count, *node shape)."""
    return _filled(run, number, tangent_vectors(run, directions)[number], len(directions))


def all_vectors(run: Run, directions: Sequence[Direction]) -> list[np.ndarray | None]:
    """The tangents of every node, by number, along each of `directions`; None for a node that cannot run."""
    moved = tangent_vectors(run, directions)
    return [
        None if shape is None else _filled(run, number, moved[number], len(directions))
        for number, shape in enumerate(run.plan.shapes)
    ]


def _filled(run: Run, number: int, moved: Tangents | None, count: int) -> np.ndarray:
    value = run.arrays[number]
    return np.zeros((count, *value.shape), value.dtype) if moved is None else moved.full(count)


def push(plan: Plan, values: list[Any], moved: list[Tangents | None]) -> None:
    """Fill in the tangents of every operation; `moved` holds those of the leaves, None for those that stay."""
    with np.errstate(all="ignore"):
        for out, primitive, operands, attributes, _ in plan.instructions:
            arguments, parts = [values[operand] for operand in operands], []
            for slot, operand in enumerate(operands):
                tangents = moved[operand]
                if tangents is not None and primitive.slot(slot).differentiable:
                    array = _pushed(primitive, slot, tangents.array, values[out], arguments, attributes)
                    parts.append(Tangents(tangents.rows, array))
            moved[out] = _sum(parts) if parts else None


def _pushed(
    primitive: Primitive, slot: int, tangents: np.ndarray, y: Any, operands: Sequence[Any], attributes: dict[str, Any]
) -> np.ndarray:
    """The contribution of the tangents of the operand in `slot` to the result's: (count, *result shape), its dtype."""
    rule = primitive.slot(slot)
    if rule.partial is None:
        return np.stack([primitive.jvp(slot, tangent, y, operands, attributes) for tangent in tangents])
    count, *shape = tangents.shape
    aligned = tangents.reshape(count, *(1,) * (y.ndim - len(shape)), *shape)
    local = rule.partial(y, *operands, **attributes)
    moved = gated(aligned, local) if rule.gate else local * aligned
    return np.asarray(np.broadcast_to(moved, (count, *y.shape)).astype(y.dtype, copy=False))


def _sum(parts: list[Tangents]) -> Tangents:
    """The sum of the operands' contributions, in their order, along the directions that move any of them."""
    first = parts[0]
    if all(part.rows is first.rows or np.array_equal(part.rows, first.rows) for part in parts):
        return Tangents(first.rows, sum((part.array for part in parts[1:]), first.array))
    moving = np.zeros(1 + max(int(part.rows[-1]) for part in parts), dtype=bool)
    for part in parts:
        moving[part.rows] = True
    rows = np.flatnonzero(moving)
    total = np.empty((len(rows), *first.array.shape[1:]), first.array.dtype)
    started = np.zeros(len(rows), dtype=bool)
    for part in parts:
        places = np.searchsorted(rows, part.rows)
        again = started[places]
        total[places[~again]] = part.array[~again]
        total[places[again]] += part.array[again]
        started[places] = True
    return Tangents(rows, total)
