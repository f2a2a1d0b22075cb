"""The arithmetic that makes an inf or a nan, by name, with what to do about it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from cadena.core.doctor.findings.wider import overflows_within, true_value
from cadena.core.ops.arithmetic import power
from cadena.core.ops.primitive import Primitive
from cadena.core.ops.traits import Trait
from cadena.core.run.plan import Instruction
from cadena.core.text.numbers import short

if TYPE_CHECKING:
    from cadena.core.run.program import Run

Place = tuple[int, ...]
Given = Sequence[float | None]  # the operands' numbers at one place; None where the operation mixes elements


class Rule(NamedTuple):
    """What happened ("log of 0"), and a clause on why and what to do."""

    name: str
    why: str
    advice: str

    @property
    def sentence(self) -> str:
        return f"{self.why}; {self.advice}"


OTHER_OPERANDS = "change its operands, or the way the formula is written"


def value_rule(run: Run, item: Instruction, kind: str, given: Given, at: Place) -> Rule:
    """Which arithmetic made the value of `item` a nan or an inf at a place, `given` being its operands there."""
    for reader in (_division, _logarithm, _power, _domain):
        if rule := reader(item.primitive, given):
            return rule
    return _nan_rule(run, item, at) if kind == "nan" else _setting(item) or _overflow(run, item, given, at)


def _division(primitive: Primitive, given: Given) -> Rule | None:
    if not primitive.traits & (Trait.QUOTIENT | Trait.WHOLE_QUOTIENT) or given[-1] != 0.0:
        return None
    if Trait.QUOTIENT in primitive.traits and given[:-1] == [0.0]:
        return Rule("0 / 0", "0 / 0 has no value", "keep the denominator away from 0")
    return Rule("division by 0", "it divides by 0", "keep the denominator away from 0")


def _logarithm(primitive: Primitive, given: Given) -> Rule | None:
    op, least, x = primitive.name, primitive.domain.low, given[0]
    if Trait.LOGARITHM not in primitive.traits or x is None or x > least or math.isnan(x):
        return None
    at = short(least)
    if x == least:
        return Rule(f"{op} of {at}", f"the logarithm goes to −inf at {at}", "change its operand to a larger number")
    kind = "a negative number" if least == 0.0 else f"a number below {at}"
    return Rule(f"{op} of {kind}", f"{op} has no value for {kind}", "change its operand to a larger number")


def _power(primitive: Primitive, given: Given) -> Rule | None:
    if primitive is not power or None in given:
        return None
    base, exponent = given
    assert base is not None and exponent is not None
    if base == 0.0 and exponent < 0.0:
        return Rule("division by 0", "0 to a negative power divides by 0", "keep the base away from 0")
    if base < 0.0 and exponent != math.floor(exponent):
        why = "a negative number to a fractional power has no real value"
        return Rule("power of a negative number", why, "change the base to a positive number")
    return None


def _domain(primitive: Primitive, given: Given) -> Rule | None:
    op, takes, x = primitive.name, primitive.domain.takes, given[0]
    if not takes or x is None or not math.isfinite(x):
        return None
    return Rule(f"{op} outside its domain", f"{op} takes {takes}", "change its operand")


def _nan_rule(run: Run, item: Instruction, at: Place) -> Rule:
    """A nan where no operand was nan: of infinities, or of numbers that overflowed within the operation."""
    op = item.primitive.name
    sources = [(run.plan.names[operand], run.values[operand]) for operand in item.operands]
    infinite = [(name, value) for name, value in sources if np.isinf(value).any()]
    if infinite:
        rule, (name, value) = item.primitive.nan_of_inf or f"{op} of inf", infinite[0]
        is_inf = f"{name} is {short(np.asarray(value)[np.isinf(value)][0])}"
        return Rule(rule, f"{rule}, as {is_inf}", f"find out why {is_inf}")
    true = true_value(run, item, at)
    if within := _within(run, item, true):
        return within
    if true is not None and np.isfinite(true):  # and beyond the type, on the way to which inf − inf was met
        return _beyond(op, "the result", _dtype(run, item))
    return Rule(f"{op} of these operands", f"{op} has no value for such operands", OTHER_OPERANDS)


def _setting(item: Instruction) -> Rule | None:
    """An inf that was asked for, as the border of a pad."""
    for name, setting in item.attributes.items():
        if isinstance(setting, float) and math.isinf(setting):
            return Rule("given", f"its {name} was given as {short(setting)}", "give a finite number")
    return None


def _overflow(run: Run, item: Instruction, given: Given, at: Place) -> Rule:
    op, dtype, overflows_above = item.primitive.name, _dtype(run, item), item.primitive.overflows_above
    if overflows_above is not None:
        limit, x = overflows_above(float(np.finfo(dtype).max)), given[0]
        side = f"below {short(-limit)}" if x is not None and x < 0.0 else f"above {short(limit)}"
        why = f"{op} overflows {side} in {dtype}"
    else:
        true = true_value(run, item, at)
        if within := _within(run, item, true):
            return within
        known = true is not None and np.isfinite(true)
        return _beyond(op, "the result" if known else "the result, or an intermediate value,", dtype)
    return Rule(f"overflow of {op}", why, f"{OTHER_OPERANDS}{_wider(dtype)}")


def _beyond(op: str, what: str, dtype: str) -> Rule:
    why = f"{what} is beyond {short(np.finfo(dtype).max)}, the largest number of {dtype}"
    return Rule(f"overflow of {op}", why, f"{OTHER_OPERANDS}{_wider(dtype)}")


def _within(run: Run, item: Instruction, true: float | None) -> Rule | None:
    """An intermediate value that is out of range, where the `true` result is not; None if it is not that."""
    op, dtype = item.primitive.name, _dtype(run, item)
    with np.errstate(all="ignore"):
        if true is None or not np.isfinite(np.dtype(dtype).type(true)):
            return None
    result = f"though the result would be {short(float(true))}"
    if overflows_within(run, item):
        why = f"an intermediate value is beyond {short(np.finfo(dtype).max)}, the largest number of {dtype}, {result}"
        return Rule(f"overflow within {op}", why, f"scale its operands down{_wider(dtype)}")
    why = f"an intermediate value is too large or too small for {dtype}, {result}"
    return Rule(f"overflow or underflow within {op}", why, f"scale its operands{_wider(dtype)}")


def _dtype(run: Run, item: Instruction) -> str:
    """The number type of a result: its own, where an astype stands before it."""
    return np.asarray(run.values[item.out]).dtype.name


def _wider(dtype: str) -> str:
    return "" if dtype == "float64" else ", or take a wider number type"
