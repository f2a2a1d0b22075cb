"""The derivatives of one element as products of operands' elements, read at a few probing points.

Nothing here knows an operation by its name. A derivative is a linear map: one VJP from a unit upstream gradient has the
derivatives of one element of the result for all elements of an operand, one JVP along a unit tangent those of all
elements of the result for one of an operand. Where all other operands are 1 a derivative shows its constant factor;
where one of them counts 2, 3, 4 ... it says which element of that one is its factor; at random numbers it says whether
this is the whole truth. So a matrix product names the row and the column that meet, a sum and a convolution what they
add, and whatever is no product of operands keeps its derivative as a number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from cadena.core.ops.primitive import Primitive
from cadena.core.run.program import Run

# Places beside the operands: the upstream gradient, derivatives of the shape of the result, a number in no array.
UPSTREAM, DERIVATIVE, CONSTANT = -1, -2, -3
FIRST_COUNT = 2.0  # the number of an operand's first element where it is counted: not 1, which changes no product
PRECISION = 1e-8  # relative, of float64
SEED = 5


@dataclass(frozen=True, eq=False)
class Gate:
    """An operation with the arrays that have gone through it; without `upstream` its value alone is explained."""

    primitive: Primitive
    attributes: dict[str, Any]
    operands: tuple[np.ndarray, ...]
    y: np.ndarray
    upstream: np.ndarray | None = None

    @classmethod
    def of(cls, run: Run, node: str) -> Gate | None:
        """The gate at a node of a run; None for a leaf, and where a fault keeps the node from running."""
        instruction = run.instruction_of.get(run.plan.index[node])
        value = run.value(node)
        if instruction is None or value is None:
            return None
        operands, upstream = tuple(run.operands(instruction)), run.gradient(node)
        return cls(instruction.primitive, instruction.attributes, operands, value, upstream)

    def array(self, place: int) -> np.ndarray:
        """The operand at a place, or the upstream gradient."""
        if place != UPSTREAM:
            return self.operands[place]
        assert self.upstream is not None
        return self.upstream

    def at(self, operands: Sequence[np.ndarray]) -> Gate:
        """The same operation at other numbers."""
        y = np.asarray(self.primitive.value(*operands, **self.attributes))
        return Gate(self.primitive, self.attributes, tuple(operands), y)

    @cached_property
    def points(self) -> ProbingPoints:
        """The points at which its derivatives are read, for all elements the same."""
        return ProbingPoints(self)

    @property
    def smooth(self) -> list[int]:
        """The slots that get a gradient from this operation."""
        return [slot for slot in range(len(self.operands)) if self.primitive.slot(slot).differentiable]


@dataclass(frozen=True, eq=False)
class Factor:
    """One number in each of some products: from which array, where in it (flat), and the numbers."""

    place: int  # a slot, UPSTREAM, DERIVATIVE or CONSTANT
    at: np.ndarray | None
    numbers: np.ndarray


def precision(array: np.ndarray) -> float:
    """The relative error that the number type of an array may bring."""
    return max(PRECISION, 8.0 * float(np.finfo(np.result_type(array.dtype, np.float16)).eps))


Derivative = Callable[[Gate], np.ndarray]  # of one element, flat


def _unit(like: np.ndarray, element: int) -> np.ndarray:
    unit = np.zeros(like.shape, dtype=np.result_type(like.dtype, np.float16))
    unit.reshape(-1)[element] = 1.0
    return unit


def row_of(slot: int, element: int) -> Derivative:
    """The derivatives of an element of the result for all elements of an operand."""

    def row(gate: Gate) -> np.ndarray:
        upstream = _unit(gate.y, element)
        return np.ravel(gate.primitive.vjp(slot, upstream, gate.y, gate.operands, gate.attributes))

    return row


def column_of(slot: int, element: int) -> Derivative:
    """The derivatives of all elements of the result for one element of an operand."""

    def column(gate: Gate) -> np.ndarray:
        tangent = _unit(gate.operands[slot], element)
        return np.ravel(gate.primitive.jvp(slot, tangent, gate.y, gate.operands, gate.attributes))

    return column


def slopes(slot: int) -> Derivative:
    """The derivatives of an elementwise operation, element by element."""

    def slope(gate: Gate) -> np.ndarray:
        rule = gate.primitive.slot(slot).partial
        assert rule is not None
        return np.ravel(np.broadcast_to(rule(gate.y, *gate.operands, **gate.attributes), gate.y.shape))

    return slope


@dataclass(frozen=True, eq=False)
class LocalFactors:
    """The derivatives that are not 0 for reasons of structure: where, and as factors.

    Where they are `products` they are so at all numbers; else they are numbers that hold at the present ones alone.
    """

    at: np.ndarray
    factors: tuple[Factor, ...]
    products: bool = False


class ProbingPoints:
    """The probing points of a gate, each with its result."""

    def __init__(self, gate: Gate) -> None:
        self.gate = gate
        self._counted: dict[int, Gate | None] = {}
        random = np.random.default_rng(SEED)
        self.random = self._at(
            lambda slot, operand: random.uniform(0.5, 1.5, operand.shape) * random.choice([-1.0, 1.0], operand.shape)
        )
        self.ones = self._at(lambda slot, operand: np.ones(operand.shape))

    def counted(self, counted: int) -> Gate | None:
        """The point at which one operand counts its elements and all others are 1."""
        if counted not in self._counted:
            self._counted[counted] = self._counting(counted)
        return self._counted[counted]

    def _counting(self, counted: int) -> Gate | None:

        def numbers(slot: int, operand: np.ndarray) -> np.ndarray:
            if slot != counted:
                return np.ones(operand.shape)
            return np.arange(FIRST_COUNT, FIRST_COUNT + operand.size).reshape(operand.shape)

        return self._at(numbers)

    def _at(self, numbers: Callable[[int, np.ndarray], np.ndarray]) -> Gate | None:
        """The gate at other numbers in the operands that get gradients; None where it has no value there."""
        smooth = self.gate.smooth
        operands = [
            numbers(slot, operand) if slot in smooth else operand for slot, operand in enumerate(self.gate.operands)
        ]
        try:
            point = self.gate.at(operands)
        except (ValueError, ArithmeticError):  # such as a matrix that is not positive definite
            return None
        return point if point.y.shape == self.gate.y.shape else None

    def local(self, slot: int, derivative: Derivative) -> LocalFactors:
        """The derivatives with the factors that they are products of, else as numbers."""
        return self._as_products(slot, derivative) or self._as_numbers(derivative)

    def _as_products(self, slot: int, derivative: Derivative) -> LocalFactors | None:
        if self.ones is None or self.random is None:
            return None
        constant, drawn = derivative(self.ones), derivative(self.random)
        at = np.flatnonzero((drawn != 0) & np.isfinite(drawn))
        if not np.array_equal(at, np.flatnonzero((constant != 0) & np.isfinite(constant))):
            return None
        constant, expected = constant[at], constant[at].astype(float)
        factors = list[Factor]()
        for other in self.gate.smooth:
            counts = self._count_of(other, derivative, at, constant) if other != slot else None
            if counts is not None:
                factors.append(Factor(other, counts, self.gate.operands[other].reshape(-1)[counts]))
                expected = expected * self.random.operands[other].reshape(-1)[counts]
        if not np.allclose(expected, drawn[at], rtol=PRECISION, atol=0.0) or not self._holds(
            at, constant, factors, derivative
        ):
            return None
        if not factors or not bool((constant == 1.0).all()):
            factors.insert(0, Factor(CONSTANT, None, constant))
        return LocalFactors(at, tuple(factors), products=True)

    def _holds(self, at: np.ndarray, constant: np.ndarray, factors: list[Factor], derivative: Derivative) -> bool:
        """Whether the factors give the derivatives at the present numbers, too."""
        present = derivative(self.gate)
        expected = np.zeros(present.shape)
        expected[at] = np.prod([constant, *(factor.numbers for factor in factors)], axis=0)
        finite = np.isfinite(present) & np.isfinite(expected)
        eps = precision(present)
        return np.allclose(expected[finite], present[finite], rtol=eps, atol=0.0)

    def _count_of(self, other: int, derivative: Derivative, at: np.ndarray, constant: np.ndarray) -> np.ndarray | None:
        """Which element of another operand is a factor of each derivative; None where none is, or not one of each."""
        point = self.counted(other)
        if point is None:
            return None
        numbers = derivative(point)[at] / constant
        counts = np.rint(np.where(np.isfinite(numbers), numbers, 0.0)).astype(int) - int(FIRST_COUNT)
        size = self.gate.operands[other].size
        if not np.allclose(numbers, counts + FIRST_COUNT, rtol=PRECISION, atol=0.0):
            return None
        return counts if bool(((counts >= 0) & (counts < size)).all()) else None

    def _as_numbers(self, derivative: Derivative) -> LocalFactors:
        numbers = derivative(self.gate)
        depends = numbers != 0  # nan too
        for point in (self.ones, self.random):
            probed = derivative(point) if point is not None else np.zeros(0)
            if probed.shape == numbers.shape:
                depends = depends | ((probed != 0) & np.isfinite(probed))
        at = np.flatnonzero(depends)
        return LocalFactors(at, (Factor(DERIVATIVE, at, numbers[at]),))
