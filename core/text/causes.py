"""The arithmetic that makes a number bad or inaccurate, by name."""

from __future__ import annotations

from enum import StrEnum


class Cause(StrEnum):
    """The arithmetic at fault; the value describes it in a few words, with places for the fault's operands."""

    UNKNOWN = ""
    GIVEN = "given"  # by the user, as a value or a seed
    OWN = "its own"  # the operation itself describes the problem with its operands
    ODD_OPERANDS = "{op} of these operands"
    OVERFLOW = "overflow of {op}"
    OVERFLOW_WITHIN = "overflow within {op}"
    OUT_OF_RANGE_WITHIN = "overflow or underflow within {op}"
    OVERFLOW_OF_SUM = "overflow of a sum"
    OVERFLOW_OF_PRODUCT = "overflow of upstream · local derivative"
    DIVISION_BY_ZERO = "division by 0"
    ZERO_BY_ZERO = "0 / 0"
    LOG_AT_POLE = "{op} of {pole}"
    LOG_OF_NEGATIVE = "{op} of a negative number"
    LOG_BELOW_POLE = "{op} of a number below {pole}"
    POWER_OF_NEGATIVE = "power of a negative number"
    OUTSIDE_DOMAIN = "{op} outside its domain"
    INF_MINUS_INF = "inf − inf"
    INF_BY_INF = "inf / inf"
    EMPTY_ROW = "{op} of nothing but −inf"
    ZERO_TIMES_INF = "0 · inf"
    INF_TIMES_ZERO = "inf · 0"
    INF_MEETS_ZERO = "inf · 0 or inf − inf"
    OF_INF = "{op} of inf"
    WITHIN = "{number} within {op}"
    UNUSED_BRANCH = "untaken branch of where"
    INFINITE_SLOPE = "infinite slope of {op}"
    NORM_AT_ZERO = "norm at 0"
    EXPONENT_OF_NEGATIVE = "log of a negative number"  # the derivative of a power with respect to its exponent
    NO_DERIVATIVE = "no derivative"
    # of hints
    SATURATED = "saturated {op}"
    DEAD = "dead {op}"
    UNDERFLOW = "underflow"
    UNDERFLOW_OF = "underflow of {op}"
    UNDERFLOW_OF_SLOPE = "underflow in the slope of {op}"
    SUBNORMAL = "subnormal"
    BY_LAYER = "a factor of {each} a layer on average"
    CANCELLATION = "cancellation in {op}"
    CANCELLATION_OF_SLOPE = "cancellation in the slope of {op}"
    CANCELLATION_OF_SUM = "cancellation of contributions"


OVERFLOWS = frozenset(
    (
        *(Cause.OVERFLOW, Cause.OVERFLOW_WITHIN, Cause.OUT_OF_RANGE_WITHIN),
        *(Cause.OVERFLOW_OF_SUM, Cause.OVERFLOW_OF_PRODUCT),
    )
)
