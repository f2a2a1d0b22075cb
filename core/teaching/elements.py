"""Which numbers meet in one element of a result or of a contribution, and the sum that they give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from cadena.core.teaching.probing import (
    CONSTANT,
    DERIVATIVE,
    UPSTREAM,
    Factor,
    Gate,
    LocalFactors,
    ProbingPoints,
    column_of,
    precision,
    row_of,
    slopes,
)


@dataclass(frozen=True, eq=False)
class Products:
    """Products of like form, which are added: as many as each factor has numbers."""

    factors: tuple[Factor, ...]

    @property
    def count(self) -> int:
        return len(self.factors[0].numbers)

    @cached_property
    def results(self) -> np.ndarray:
        result = np.ones(self.count)
        with np.errstate(all="ignore"):
            for factor in self.factors:
                result = result * factor.numbers
        return result


@dataclass(frozen=True, eq=False)
class Meeting:
    """The numbers that meet in one element. Where it `adds` they are products whose sum is the element.

    Otherwise they are the operands' elements on which the element depends, one factor for each operand.
    """

    element: int
    number: Any
    groups: tuple[Products, ...]
    adds: bool

    @property
    def count(self) -> int:
        return sum(group.count for group in self.groups)

    @property
    def total(self) -> float:
        """The sum of the products."""
        with np.errstate(all="ignore"):
            return float(sum(group.results.sum() for group in self.groups))

    def ordered(self, places: Sequence[int]) -> Meeting:
        """The same with the factors in the order of these places."""
        groups = [
            Products(tuple(sorted(one.factors, key=lambda factor: places.index(factor.place)))) for one in self.groups
        ]
        return replace(self, groups=tuple(groups))

    def lit(self, place: int) -> np.ndarray:
        """The elements of an array, flat, that meet here."""
        parts = [factor.at for group in self.groups for factor in group.factors if factor.place == place]
        known = [part for part in parts if part is not None]
        return np.unique(np.concatenate(known)) if known else np.zeros(0, dtype=int)


def meeting(gate: Gate, slot: int | None, element: int) -> Meeting:
    """The numbers that meet in an element (flat) of the result, or of the contribution to the operand in `slot`."""
    with np.errstate(all="ignore"):
        return _in_result(gate, element) if slot is None else _in_contribution(gate, slot, element)


# --- an element of a contribution ------------------------------------------------------------


def _in_contribution(gate: Gate, slot: int, element: int) -> Meeting:
    """The upstream gradients that meet the derivatives of all results for one element of an operand."""
    assert gate.upstream is not None
    if gate.primitive.elementwise:
        results = stretched_to(gate.operands[slot], element, gate.y.shape)
        local = _elementwise_local(gate, slot, results)
    else:
        local = gate.points.local(slot, column_of(slot, element))
    upstream = Factor(UPSTREAM, local.at, gate.upstream.reshape(-1)[local.at])
    products = Products((upstream, *_without_ones(local.factors)))
    dtype = np.result_type(gate.operands[slot].dtype, np.float16)
    number = dtype.type(products.results.sum()) if products.count else dtype.type(0)
    return Meeting(element, number, (products,), True)


def _without_ones(factors: tuple[Factor, ...]) -> tuple[Factor, ...]:
    """The factors but for a 1 by which all is multiplied."""
    return tuple(factor for factor in factors if factor.place != CONSTANT or not bool((factor.numbers == 1.0).all()))


def stretched_to(operand: np.ndarray, element: int, shape: tuple[int, ...]) -> np.ndarray:
    """The elements of a result of this shape, flat, to which an element of an operand was broadcast."""
    lead = len(shape) - operand.ndim
    index = np.unravel_index(element, operand.shape)
    ranges = [np.arange(size) for size in shape[:lead]]
    for axis, (size, own) in enumerate(zip(shape[lead:], operand.shape)):
        ranges.append(np.arange(size) if own != size else np.array([index[axis]]))
    return np.ravel_multi_index(np.ix_(*ranges), shape).ravel() if shape else np.zeros(1, dtype=int)


def beside_of(operand: np.ndarray, results: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """The elements of an operand, flat, that stand beside these elements of a result of this shape."""
    lead = len(shape) - operand.ndim
    index = np.unravel_index(results, shape)[lead:] if shape else ()
    own = [np.where(size == 1, 0, place) for place, size in zip(index, operand.shape)]
    return np.ravel_multi_index(own, operand.shape) if own else np.zeros(len(results), dtype=int)


def _elementwise_local(gate: Gate, slot: int, results: np.ndarray) -> LocalFactors:
    """The derivatives at some elements of a result alone, which are then a gate of vectors."""
    beside = [beside_of(operand, results, gate.y.shape) for operand in gate.operands]
    operands = tuple(operand.reshape(-1)[at] for operand, at in zip(gate.operands, beside))
    part = Gate(gate.primitive, gate.attributes, operands, gate.y.reshape(-1)[results])
    local = part.points.local(slot, slopes(slot))
    if len(local.at) < len(results):  # all of them are listed, also where the derivative is always 0
        every = np.arange(len(results))
        local = LocalFactors(every, (Factor(DERIVATIVE, every, slopes(slot)(part)),))
    in_whole = {DERIVATIVE: results} | dict(enumerate(beside))
    factors = [
        factor if factor.at is None else replace(factor, at=in_whole[factor.place][factor.at])
        for factor in local.factors
    ]
    return LocalFactors(results, tuple(factors))


# --- an element of a result ------------------------------------------------------------


def _in_result(gate: Gate, element: int) -> Meeting:
    number = gate.y.reshape(-1)[element]
    if gate.primitive.elementwise:
        return Meeting(element, number, tuple(_side_by_side(gate, element)), False)
    points = gate.points
    locals_ = dict[int, LocalFactors]()
    groups = list[Products]()
    for slot in gate.smooth:
        local = locals_[slot] = points.local(slot, row_of(slot, element))
        own = Factor(slot, local.at, gate.operands[slot].reshape(-1)[local.at])
        places = [factor.place for factor in local.factors if factor.place != CONSTANT]
        if (
            local.products and len(local.at) and all(place > slot for place in places)
        ):  # else they are the products of an earlier slot
            groups.append(Products(_in_order((own, *_without_ones(local.factors)))))
        if groups and _adds_up(gate, points, groups, element):
            return Meeting(element, number, tuple(groups), True)
    numbers = [Products((_numbers(gate, slot, local.at),)) for slot, local in locals_.items() if len(local.at)]
    return Meeting(element, number, tuple(numbers), False)


def _numbers(gate: Gate, slot: int, at: np.ndarray) -> Factor:
    return Factor(slot, at, gate.operands[slot].reshape(-1)[at])


def _in_order(factors: tuple[Factor, ...]) -> tuple[Factor, ...]:
    """A plain number before the elements of arrays."""
    return tuple(sorted(factors, key=lambda factor: factor.place != CONSTANT))


def _adds_up(gate: Gate, points: ProbingPoints, groups: list[Products], element: int) -> bool:
    """Whether the products add up to the element, at random numbers as well as at the present ones."""
    if points.random is None:
        return False
    for place in (gate, points.random):
        terms = [_moved(group, place).results for group in groups]
        size, total = sum(np.abs(term).sum() for term in terms), sum(term.sum() for term in terms)
        expected = float(place.y.reshape(-1)[element])
        if np.isfinite(size) and not abs(total - expected) <= precision(place.y) * max(size, abs(expected)):
            return False
    return True


def _moved(group: Products, gate: Gate) -> Products:
    """The same products of the numbers that the operands have at another point."""
    factors = [factor if factor.at is None else _numbers(gate, factor.place, factor.at) for factor in group.factors]
    return Products(tuple(factors))


def _side_by_side(gate: Gate, element: int) -> Iterator[Products]:
    """Each operand's element that stands beside an element of an elementwise result."""
    for slot, operand in enumerate(gate.operands):
        yield Products((_numbers(gate, slot, beside_of(operand, np.array([element]), gate.y.shape)),))
