"""The arithmetic that makes an inf or a nan, by name, with remedies."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from msgspec.structs import replace

from cadena.core.graph.fault import Fault, Kind
from cadena.core.ops.arithmetic import power
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.traits import Trait
from cadena.core.ops.walk import Instruction
from cadena.core.text.causes import Cause
from cadena.core.text.wording import Clause, Operands, Remedy

if TYPE_CHECKING:
    from cadena.core.run.program import Run

MAX_NUMBERS = 100_000  # numbers that go in and come out of an operation that is computed in longdouble, which is slow

ElementIndex = tuple[int, ...]
OperandNumbers = Sequence[float | None]  # the operands' numbers at one place; None where the operation mixes elements


class Diagnosis(NamedTuple):
    """The arithmetic at fault, and a clause with the reason and the remedy."""

    cause: Cause
    clause: Clause

    @classmethod
    def of(cls, cause: Cause, why: str, remedy: str, **operands: Any) -> Diagnosis:
        return cls(cause, Clause(why, remedy, operands))

    def fault(self, node: str, kind: Kind, what: str, operands: Operands, **others: Any) -> Fault:
        """The fault with this arithmetic: `what` has a place {why} for the clause."""
        why = replace(self.clause, remedy="")
        every = {**operands, **self.clause.operands, "why": why}
        return Fault(node, kind, what, self.clause.remedy, every, self.cause, **others)


DENOMINATOR, LARGER = "keep the denominator away from 0", "change its operand to a larger number"


def value_rule(run: Run, item: Instruction, kind: str, operands: OperandNumbers, at: ElementIndex) -> Diagnosis:
    """The arithmetic that made the value of `item` a nan or an inf at a place, from its operands there."""
    for reader in (_division, _logarithm, _power, _domain):
        if rule := reader(item.primitive, operands):
            return rule
    if rule := of_empty_row(run, item, "{row} has nothing but −inf", at):
        return rule
    return _nan_rule(run, item, at) if kind == "nan" else _setting(item) or _overflow(run, item, operands, at)


LEAVE_ONE = "leave a number in it, or make {node} 0 there"
LEAVE_OUT = "leave a number in it, or leave it out of what is computed from {node}"


def of_empty_row(run: Run, item: Instruction, why: str, at: ElementIndex | None = None) -> Diagnosis | None:
    """The rule of a row in which a mask has left no number; None where there is none, or `at` is not in its result.

    `why` has a place {row} for it.
    """
    rows = empty_rows(run, item)
    if rows is None or not rows.any():
        return None
    shape = np.shape(run.values[item.operands[0]])
    if at is not None and np.shape(run.values[item.out]) == shape and not np.broadcast_to(rows, shape)[at]:
        return None
    place = np.argwhere(rows)[0]
    others = [int(index) for index, size, whole in zip(place, rows.shape, shape, strict=True) if size == whole > 1]
    operands: dict[str, Any] = {"op": item.primitive.name, "operand": run.plan.names[item.operands[0]]}
    operands["node"] = run.plan.names[item.out]
    remedy = LEAVE_ONE if np.shape(run.values[item.out]) == shape else LEAVE_OUT  # of logsumexp, which is -inf there
    if not others:
        return Diagnosis.of(Cause.EMPTY_ROW, why, remedy, row=Clause("{operand}", operands=operands), **operands)
    operands["index"] = str(others[0] if len(others) == 1 else others)
    row = "column {index}" if rows.ndim == 2 and rows.shape[0] < shape[0] else "row {index}"
    return Diagnosis.of(Cause.EMPTY_ROW, why, remedy, row=Clause(row, operands=operands), **operands)


def empty_rows(run: Run, item: Instruction) -> np.ndarray | None:
    """A mask of the rows of the first operand that hold nothing but -inf; None for operations that take no masks."""
    along = item.primitive.masked_along
    x = np.asarray(run.values[item.operands[0]])
    if along is None or not x.size:
        return None
    return np.asarray(np.max(x, axis=along(x.shape, **item.attributes), keepdims=True) == -np.inf)


def _division(primitive: Primitive, operands: OperandNumbers) -> Diagnosis | None:
    if not primitive.traits & (Trait.QUOTIENT | Trait.WHOLE_QUOTIENT) or operands[-1] != 0.0:
        return None
    if Trait.QUOTIENT in primitive.traits and operands[:-1] == [0.0]:
        return Diagnosis.of(Cause.ZERO_BY_ZERO, "0 / 0 has no value", DENOMINATOR)
    return Diagnosis.of(Cause.DIVISION_BY_ZERO, "it divides by 0", DENOMINATOR)


def _logarithm(primitive: Primitive, operands: OperandNumbers) -> Diagnosis | None:
    op, least, x = primitive.name, primitive.domain.low, operands[0]
    if Trait.LOGARITHM not in primitive.traits or x is None or x > least or math.isnan(x):
        return None
    if x == least:
        return Diagnosis.of(Cause.LOG_AT_POLE, "the logarithm goes to −inf at {pole}", LARGER, op=op, pole=least)
    if least == 0.0:
        return Diagnosis.of(Cause.LOG_OF_NEGATIVE, "{op} has no value for a negative number", LARGER, op=op)
    return Diagnosis.of(Cause.LOG_BELOW_POLE, "{op} has no value for a number below {pole}", LARGER, op=op, pole=least)


def _power(primitive: Primitive, operands: OperandNumbers) -> Diagnosis | None:
    if primitive is not power or None in operands:
        return None
    base, exponent = operands
    assert base is not None and exponent is not None
    if base == 0.0 and exponent < 0.0:
        return Diagnosis.of(Cause.DIVISION_BY_ZERO, "0 to a negative power divides by 0", "keep the base away from 0")
    if base < 0.0 and exponent != math.floor(exponent):
        why = "a negative number to a fractional power has no real value"
        return Diagnosis.of(Cause.POWER_OF_NEGATIVE, why, "change the base to a positive number")
    return None


def _domain(primitive: Primitive, operands: OperandNumbers) -> Diagnosis | None:
    op, takes, x = primitive.name, primitive.domain.takes, operands[0]
    if takes is None or x is None or not math.isfinite(x):
        return None
    return Diagnosis.of(Cause.OUTSIDE_DOMAIN, "{op} takes {domain}", "change its operand", op=op, domain=takes)


def _nan_rule(run: Run, item: Instruction, at: ElementIndex) -> Diagnosis:
    """The rule of a nan without nan operands: from infinities, or from an overflow within the operation."""
    op = item.primitive.name
    sources = [(run.plan.names[operand], run.values[operand]) for operand in item.operands]
    infinite = [(name, value) for name, value in sources if np.isinf(value).any()]
    if infinite:
        cause, (name, value) = item.primitive.nan_of_inf, infinite[0]
        number = float(np.asarray(value)[np.isinf(value)][0])
        operands = {"op": op, "rule": Clause(cause, operands={"op": op}), "operand": name, "number": number}
        return Diagnosis.of(cause, "{rule}, as {operand} is {number}", "find out why {operand} is {number}", **operands)
    true = true_value(run, item, at)
    if within := _within(run, item, true):
        return within
    if true is not None and np.isfinite(true):  # and beyond the type, on the way to which inf − inf was met
        return _beyond(op, RESULT_BEYOND, _dtype(run, item))
    return Diagnosis.of(Cause.ODD_OPERANDS, "{op} has no value for such operands", Remedy.CHANGE_FORMULA, op=op)


def _setting(item: Instruction) -> Diagnosis | None:
    """The rule of an inf in an attribute, such as the border of a pad."""
    for name, setting in item.attributes.items():
        if isinstance(setting, float) and math.isinf(setting):
            why = "its {attribute} was given as {number}"
            return Diagnosis.of(Cause.GIVEN, why, "give a finite number", attribute=name, number=setting)
    return None


def _overflow(run: Run, item: Instruction, operands: OperandNumbers, at: ElementIndex) -> Diagnosis:
    op, dtype, overflows_above = item.primitive.name, _dtype(run, item), item.primitive.overflows_above
    if overflows_above is not None:
        why, limit, x = (
            "{op} overflows above {limit} in {dtype}",
            overflows_above(float(np.finfo(dtype).max)),
            operands[0],
        )
        if x is not None and x < 0.0:
            why, limit = "{op} overflows below {limit} in {dtype}", -limit
    else:
        true = true_value(run, item, at)
        if within := _within(run, item, true):
            return within
        known = true is not None and np.isfinite(true)
        return _beyond(op, RESULT_BEYOND if known else SOMETHING_BEYOND, dtype)
    return Diagnosis.of(Cause.OVERFLOW, why, Remedy.CHANGE_FORMULA.in_type(dtype), op=op, limit=limit, dtype=dtype)


RESULT_BEYOND = "the result is beyond {largest}, the largest number of {dtype}"
SOMETHING_BEYOND = "the result, or an intermediate value, is beyond {largest}, the largest number of {dtype}"


def _beyond(op: str, why: str, dtype: str) -> Diagnosis:
    largest = float(np.finfo(dtype).max)
    return Diagnosis.of(Cause.OVERFLOW, why, Remedy.CHANGE_FORMULA.in_type(dtype), op=op, largest=largest, dtype=dtype)


BEYOND_WITHIN = (
    "an intermediate value is beyond {largest}, the largest number of {dtype}, though the result would be {true}"
)
OUT_OF_RANGE_WITHIN = "an intermediate value is too large or too small for {dtype}, though the result would be {true}"


def _within(run: Run, item: Instruction, true: float | None) -> Diagnosis | None:
    """An intermediate value that is out of range, where the `true` result is not; None if it is not that."""
    op, dtype = item.primitive.name, _dtype(run, item)
    with np.errstate(all="ignore"):
        if true is None or not np.isfinite(np.dtype(dtype).type(true)):
            return None
    cause, why, remedy = Cause.OUT_OF_RANGE_WITHIN, OUT_OF_RANGE_WITHIN, Remedy.SCALE
    if overflows_within(run, item):
        cause, why, remedy = Cause.OVERFLOW_WITHIN, BEYOND_WITHIN, Remedy.SCALE_DOWN
    largest, result = float(np.finfo(dtype).max), float(true)
    return Diagnosis.of(cause, why, remedy.in_type(dtype), op=op, largest=largest, dtype=dtype, true=result)


def _dtype(run: Run, item: Instruction) -> str:
    """The number type of a result: its own, where an astype stands before it."""
    return np.asarray(run.values[item.out]).dtype.name


def true_value(run: Run, item: Instruction, at: tuple[int, ...]) -> Any:
    """The result at place `at` in a wider number type; None where there is none for this operation."""
    operands, value = run.operands(item), np.asarray(run.values[item.out])
    wide: Any = np.dtype(np.float64 if value.dtype.itemsize < 8 else np.longdouble)
    if np.finfo(wide).max <= np.finfo(value.dtype).max:
        return None
    if wide == np.longdouble and sum(operand.size for operand in operands) + value.size > MAX_NUMBERS:
        return None
    try:
        with np.errstate(all="ignore"):
            result = item.primitive.value(*[operand.astype(wide) for operand in operands], **item.attributes)
    except (TypeError, ValueError):  # LAPACK, for one, has no longdouble
        return None
    result = np.asarray(result)
    return result[at] if result.dtype == wide and result.shape == value.shape else None


def overflows_within(run: Run, item: Instruction) -> bool:
    """Whether numpy reports an overflow while it computes the operation in the type of the run."""
    try:
        with np.errstate(all="ignore", over="raise"):
            item.primitive.value(*run.operands(item), **item.attributes)
    except FloatingPointError:
        return True
    return False
