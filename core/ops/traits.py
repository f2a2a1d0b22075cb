"""Properties of operations beside their rules, on which the doctor and the rewriting of graphs rely."""

from __future__ import annotations

import math
from enum import Flag, auto
from typing import NamedTuple

from cadena.core.text.wording import Clause

# Words for `differs` and `only_real` that several operations share.
EXP_OVERFLOWS = "exp overflows beyond 709 (88 in float32)"
EXP_SQUARED = (
    "the gradient is silently 0 below −372 (−52 in float32), where exp(x)² vanishes, and nan from −709 (−88) on"
)
SHARED = "maximum and minimum share the gradient evenly where their operands are equal"
LOST_NEAR_0 = "near 0 digits are lost, as numbers of almost the same size are subtracted"
SIGNED = "asks for a sign or a magnitude, which loses the imaginary part"
CONJUGATES = "conjugates complex numbers"
ROUNDS = "rounds, and a complex number has no whole part"
REAL_ONLY = "is computed for real numbers only"


class Trait(Flag):
    """Properties of an operation that are true or not; a function of a graph has none."""

    NONE = 0
    SLOPED = auto()  # its derivative is 0 nowhere: one of 0 was rounded, or has underflowed
    SATURATES = auto()  # sloped, but flat far away on one side or both
    UNIT_SLOPE = auto()  # its derivatives are 1 and -1
    CUT_OFF = auto()  # 0, and without a gradient, for all operands up to 0
    NEVER_ZERO = auto()  # its result is 0 for no finite operand: one of 0 has underflowed
    ZERO_OF_ZEROS = auto()  # its result is 0 where operands are, or on purpose: not by rounding
    EXACT = auto()  # so is it, and no digit is lost: its results are numbers of its operands, but for the sign
    PICKS = auto()  # its results are numbers of its first operand, rearranged, repeated or chosen by an index
    QUOTIENT = auto()  # its numerator, or 1, divided by its last operand
    WHOLE_QUOTIENT = auto()  # divides by its last operand and rounds on the way
    LOGARITHM = auto()  # goes to -inf at the lower end of its domain
    RESHAPES = auto()  # changes nothing where it keeps the shape: a sum, too, is then over axes of length 1
    COMMUTES = auto()  # its two operands may change places
    ONLY_FLOAT64 = auto()  # computed with no more digits than float64's, even for longdouble
    CHOOSES = auto()  # its result is made of some of the numbers in it, which of equal ones is a convention: a tie
    HELD = auto()  # its operand counts as a constant: its derivative is 0 by decree, not that of its value
    LONGDOUBLE = auto()  # keeps the digits of longdouble although it mixes elements


class Domain(NamedTuple):
    """The operands of which an operation has a value, from `low` to `high`; if `open`, without these."""

    low: float = -math.inf
    high: float = math.inf
    open: bool = False
    words: str = ""  # where the bounds do not say it

    @property
    def takes(self) -> Clause | None:
        """A clause about valid operands, such as "numbers from −1 to 1"; None where all are valid."""
        if self.words or not self.is_bounded:
            return Clause(self.words) if self.words else None
        what = "numbers between {low} and {high}" if self.open else "numbers from {low} to {high}"
        if math.isinf(self.high):
            what = "numbers above {low}" if self.open else "numbers from {low} on"
        return Clause(what, operands={"low": self.low, "high": self.high})

    @property
    def is_bounded(self) -> bool:
        return self.low > -math.inf

    @property
    def inside(self) -> float:
        """A number well within, at which nothing is infinite."""
        return max(self.low, 0.0) + 1.0 if math.isinf(self.high) else self.high / 2.0
