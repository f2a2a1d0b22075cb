"""Which method to believe at one element: who agrees with whom, and why the others do not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Literal

from cadena.core.methods.difference.edges import Edge
from cadena.core.methods.names import VECTORS
from cadena.core.text.numbers import DIGITS, distinguishing_digits, short

Status = Literal["agree", "edge", "none", "differ"]
CENTRAL = "central difference"
WIDE = "reverse in float64"
RULES = ("reverse", "forward", VECTORS)  # all read the same rules, so together they count once
RULES_ALONE = (
    "Reverse and forward mode read the same rules, so neither says whether they are right; compare with differences "
    "or symbols"
)
TRUST = (
    "symbolic",
    WIDE,
    "complex step",
    "reverse",
    "forward",
    CENTRAL,
    "forward difference",
)
UNSETTLED = 0.2  # a quotient whose error is this part of it says nothing


@dataclass(frozen=True, slots=True)
class Evidence:
    """What all methods give for one element. `size` is the gradient's if nothing cancelled; `slack` what rounding may
    make of it; `errors` are the methods' own estimates."""

    element: str
    numbers: Mapping[str, float]
    errors: Mapping[str, float]
    size: float
    slack: float

    def settled(self) -> dict[str, float]:
        """The methods that give a finite number which they are sure of."""
        return {name: number for name, number in self.numbers.items() if self._is_settled(name, number)}

    def _is_settled(self, name: str, number: float) -> bool:
        error = self.errors.get(name, 0.0)
        return math.isfinite(number) and not (error > UNSETTLED * abs(number) and error > self.slack)

    def tolerance(self, *names: str) -> float:
        """How far these methods may be apart and still agree."""
        return self.slack + 3.0 * sum(self.errors.get(name, 0.0) for name in names)

    def agree(self, one: str, other: str) -> bool:
        """Whether two methods give the same number as far as they can tell."""
        a, b = self.numbers[one], self.numbers[other]
        return a == b or abs(a - b) <= self.tolerance(one, other)

    def supports(self, one: str, other: str) -> bool:
        """Whether a method's number lies where another one sees it: one that is vague itself finds no support so."""
        return abs(self.numbers[one] - self.numbers[other]) <= self.tolerance(one)

    @property
    def deviation(self) -> float:
        """How far the settled methods are from reverse mode at most; inf where reverse mode has no number."""
        others = [number for name, number in self.settled().items() if name != "reverse"]
        own = self.numbers["reverse"]
        if not math.isfinite(own):
            return math.inf if others else 0.0
        return max((abs(number - own) for number in others), default=0.0)


@dataclass(frozen=True, slots=True)
class Judgement:
    """`believed` is the method to believe; `sentence` says why, empty where all agree."""

    status: Status
    believed: str = "reverse"
    sentence: str = ""
    others: tuple[str, ...] = field(default=())  # the methods that disagree


def differing(evidence: Evidence) -> tuple[str, ...]:
    """The settled methods that disagree with reverse mode."""
    return tuple(name for name in evidence.settled() if not evidence.agree("reverse", name))


def is_alone(evidence: Evidence) -> bool:
    """Whether no method of another kind has a number that could say something for or against the rules."""
    return not evidence.settled().keys() - set(RULES)


def judge(
    evidence: Evidence, edge: Edge | None, dtype: str, bad: str | None, custom: str = "", hidden: str | None = None
) -> Judgement:
    """The judgement of one element; `edge` is what was found there, `bad` the node where a number first went bad,
    `custom` names the custom gradients on the way, and `hidden` a node whose edge the output does not have."""
    others, own = differing(evidence), evidence.numbers["reverse"]
    if edge is not None and (others or not math.isfinite(own) or is_alone(evidence)):
        return _at_edge(evidence, edge, others)
    if not others:
        return _alone(evidence, bad) if is_alone(evidence) else Judgement("agree")
    if hidden and not custom and CENTRAL in others:
        return Judgement("differ", CENTRAL, _hidden_sentence(evidence, hidden), others)
    believed = _believed(evidence)
    return Judgement("differ", believed, _why(evidence, believed, dtype, bad, custom), others)


def undefined(output: str, value: float) -> Judgement:
    """The judgement of every element where the output itself has no finite value."""
    return Judgement("none", "reverse", f"{output} is {short(value)} here, so it has no derivatives to compare")


def at_infinity(evidence: Evidence, value: float) -> Judgement:
    """The judgement of an element that is inf or nan, from which no step leads away."""
    own = short(evidence.numbers["reverse"])
    why = "so there is no derivative with respect to it"
    sentence = f"{evidence.element} is {short(value)}, {why}, and reverse mode's {own} says nothing"
    return Judgement("none", "reverse", sentence)


def _at_edge(evidence: Evidence, edge: Edge, others: tuple[str, ...]) -> Judgement:
    own = evidence.numbers["reverse"]
    if edge.jumps:
        said = f"{evidence.element}: {edge.node} jumps at this point, so there is no derivative to agree about"
        return Judgement("edge", "reverse", said, others)
    sides = [slope for slope in (edge.left, edge.right) if math.isfinite(slope)] or [own]
    low, high = min(sides), max(sides)
    reach = evidence.tolerance(CENTRAL) + 1e-2 * (high - low)
    if math.isfinite(own) and not low - reach <= own <= high + reach:
        digits = distinguishing_digits(own, low if own < low else high)
        said = f"reverse mode gives {short(own, digits)}, which does not lie between them: believe the slopes"
        return Judgement("differ", CENTRAL, _edge_sentence(evidence, edge, said, digits), others)
    why = "by convention" if math.isfinite(own) else "as every library does"
    said = f"reverse mode gives {short(own)}, {why}"
    return Judgement("edge", "reverse", _edge_sentence(evidence, edge, said), others)


def _edge_sentence(evidence: Evidence, edge: Edge, said: str, digits: int = DIGITS) -> str:
    left, right = (
        f"the slope {short(one, digits)}" if not math.isnan(one) else "no value" for one in (edge.left, edge.right)
    )
    place = f"the point is an edge of {edge.node}, with {left} on the left and {right} on the right"
    return f"{evidence.element}: {place}; {said}"


def _hidden_sentence(evidence: Evidence, hidden: str) -> str:
    why = f"the point is an edge of {hidden}, where the rules take a slope by convention, and the output has none there"
    return f"{_numbers_text(evidence)}: believe {CENTRAL}, as {why}"


def _alone(evidence: Evidence, bad: str | None) -> Judgement:
    if evidence.numbers.keys() <= set(RULES):
        return Judgement("none", "reverse", RULES_ALONE)
    own = evidence.numbers["reverse"] + 0.0  # no negative zero
    unsure = [name for name, error in evidence.errors.items() if math.isinf(error)]
    if bad and any(math.isfinite(evidence.numbers[name]) for name in unsure):
        why = f"numbers overflow on the way, first at {bad}"
        said = f"reverse mode gives {short(own)}, and no quotient is to be trusted, as {why}"
    elif not math.isfinite(own):
        said = f"there is no finite derivative here, and reverse mode says so with {short(own)}"
    else:
        said = f"no quotient settles here and symbols do not help, so nothing but the rules vouches for {short(own)}"
    return Judgement("none", "reverse", f"{evidence.element}: {said}")


def _believed(evidence: Evidence) -> str:
    """Symbols, whose digits no rounding takes; else the method that most others support.

    Reverse and forward mode count once; of equals it is the one trusted first.
    """
    known = evidence.settled()
    settled = [name for name in (*TRUST, *(known.keys() - {*TRUST, VECTORS})) if name in known]
    if "symbolic" in settled:
        return "symbolic"

    def support(name: str) -> int:
        return len({"rules" if other in RULES else other for other in settled if evidence.supports(other, name)})

    return max(settled, key=support)  # max takes the first of equals


def _why(evidence: Evidence, believed: str, dtype: str, bad: str | None, custom: str) -> str:
    return f"{_numbers_text(evidence)}: believe {believed}, as {_reason(evidence, believed, dtype, bad, custom)}"


def _numbers_text(evidence: Evidence) -> str:
    """The methods with their numbers."""
    groups, digits = dict[str, list[str]](), _digits(evidence)
    for name, number in evidence.numbers.items():
        if name != VECTORS and (math.isfinite(number) or name in RULES):  # it has the numbers of forward mode
            groups.setdefault(short(number, digits), []).append(name)
    numbers_text = ", ".join(f"{_joined(names)} {number}" for number, names in groups.items())
    return f"{evidence.element}: {numbers_text}"


def _digits(evidence: Evidence) -> int:
    """As many as tell methods apart that do not agree."""
    finite = [name for name, number in evidence.numbers.items() if math.isfinite(number)]
    disagreeing = [pair for pair in combinations(finite, 2) if not evidence.agree(*pair)]
    return max(
        (distinguishing_digits(evidence.numbers[one], evidence.numbers[other]) for one, other in disagreeing),
        default=DIGITS,
    )


def _joined(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _reason(evidence: Evidence, believed: str, dtype: str, bad: str | None, custom: str) -> str:
    first = f", first at {bad}" if bad else ""
    if not all(math.isfinite(evidence.numbers[name]) for name in RULES[:2] if name in evidence.numbers):
        return f"numbers overflow, vanish or lose their meaning in {dtype} on the way{first}"
    if evidence.agree("reverse", believed):
        return "reverse mode, whose rules are exact, gives the same, and the others lose digits here"
    if "forward" in evidence.numbers and not evidence.agree("reverse", "forward"):
        wrong = f"{custom} is not proportional to the upstream gradient" if custom else "a rule is wrong"
        return f"reverse and forward mode read the same rules in two directions and must agree: {wrong}"
    rule = custom or "a rule on the way"
    if WIDE in evidence.numbers and evidence.agree("reverse", WIDE) and not evidence.agree(WIDE, believed):
        return f"{rule} is not the derivative here: reverse mode gives {short(evidence.numbers[WIDE])} in float64, too"
    if dtype != "float64":
        return f"digits are lost in {dtype} on the way{first}; run it in float64"
    return f"{rule} is not the derivative here, or digits are lost"
