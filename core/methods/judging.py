"""Which method to believe at one element: who agrees with whom, and why the others do not."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Literal

from cadena.core.methods.difference import KINDS
from cadena.core.methods.difference.edges import Edge, NarrowRegion
from cadena.core.methods.names import REFERENCE, VARIANTS
from cadena.core.methods.record import Precision
from cadena.core.text.numbers import DIGITS, distinguishing_digits, short
from cadena.core.text.wording import Clause, Listing

Status = Literal["agree", "edge", "none", "differ"]
CENTRAL = KINDS["central"]
WIDE = "reverse in float64"
RULES = tuple(label for label, variant in VARIANTS.items() if variant.uses_rules)
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
        others = [number for name, number in self.settled().items() if name != REFERENCE]
        own = self.numbers[REFERENCE]
        if not math.isfinite(own):
            return math.inf if others else 0.0
        return max((abs(number - own) for number in others), default=0.0)


@dataclass(frozen=True, slots=True)
class Judgement:
    """`believed` is the method to believe, for a `reason` where not all agree; `others` are those that disagree."""

    status: Status
    believed: str = REFERENCE
    reason: Clause | None = None
    others: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """The reason in words; empty where all agree."""
        return "" if self.reason is None else str(self.reason)


def differing(evidence: Evidence) -> tuple[str, ...]:
    """The settled methods that disagree with reverse mode."""
    return tuple(name for name in evidence.settled() if not evidence.agree(REFERENCE, name))


def is_alone(evidence: Evidence) -> bool:
    """Whether no method of another kind has a number that could say something for or against the rules."""
    return not evidence.settled().keys() - set(RULES)


def judge(
    evidence: Evidence,
    edge: Edge | None,
    dtype: str,
    bad: str | None,
    custom: Clause | None = None,
    hidden: tuple[str, bool] | None = None,
    narrow: NarrowRegion | None = None,
) -> Judgement:
    """Judge one element.

    `edge` is the one at the element's value, `bad` the node where a number first went bad, `custom` names the custom
    gradients on the way, `hidden` a node whose edge the output does not have, and whether that is a tie, and `narrow` a
    region around the point that differences pass over.
    """
    others, own = differing(evidence), evidence.numbers[REFERENCE]
    if narrow is not None:
        operands = {"element": evidence.element, "step": narrow.step, "slope": narrow.slope}
        return Judgement("agree", reason=Clause(NARROW, operands=operands))
    if edge is not None and (others or not math.isfinite(own) or is_alone(evidence)):
        return _at_edge(evidence, edge, others)
    if not others:
        return _alone(evidence, bad) if is_alone(evidence) else Judgement("agree")
    if hidden and custom is None and CENTRAL in others:
        return Judgement("differ", CENTRAL, _reason(HIDDEN_EDGE, evidence, CENTRAL, edge=edge_clause(*hidden)), others)
    believed = _believed(evidence)
    return Judgement("differ", believed, _disagreement(evidence, believed, dtype, bad, custom), others)


def undefined(output: str, value: float) -> Judgement:
    """The judgement of every element where the output itself has no finite value."""
    return Judgement("none", reason=Clause(NO_OUTPUT, operands={"output": output, "value": value}))


def at_infinity(evidence: Evidence, value: float) -> Judgement:
    """The judgement of an element that is inf or nan, from which no step leads away."""
    operands = {"element": evidence.element, "value": value, "own": evidence.numbers[REFERENCE]}
    return Judgement("none", reason=Clause(AT_INFINITY, operands=operands))


NO_OUTPUT = "{output} is {value} here, so it has no derivatives to compare"
AT_INFINITY = (
    "{element} is {value}, so there is no derivative with respect to it, and reverse mode's {own} says nothing"
)
JUMP = "{element}: {node} jumps at this point, so there is no derivative to agree about"
BETWEEN_SLOPES = (
    "{element}: the point is {edge}, with {left} on the left and {right} on the right; "
    "reverse mode gives {own}, by convention"
)
UNDEFINED_AT_EDGE = (
    "{element}: the point is {edge}, with {left} on the left and {right} on the right; "
    "reverse mode gives {own}, as every library does"
)
OUTSIDE_SLOPES = (
    "{element}: the point is {edge}, with {left} on the left and {right} on the right; "
    "reverse mode gives {own}, which does not lie between them: believe the slopes"
)
NARROW = (
    "{element}: the output bends nearer to this point than the steps of differences; with steps up to {step} they give "
    "{slope}, as reverse mode does"
)
EDGE, TIE = "an edge of {node}", "a tie of {node}"
SLOPE, NO_SLOPE = "the slope {number}", "an infinite slope"
NO_VALUE = Clause("no value")


def _at_edge(evidence: Evidence, edge: Edge, others: tuple[str, ...]) -> Judgement:
    own = evidence.numbers[REFERENCE]
    if edge.jumps:
        reason = Clause(JUMP, operands={"element": evidence.element, "node": edge.node})
        return Judgement("edge", REFERENCE, reason, others)
    sides = [slope for slope in (edge.left, edge.right) if math.isfinite(slope)] or [own]
    low, high = min(sides), max(sides)
    reach = evidence.tolerance(CENTRAL) + 1e-2 * (high - low)
    if math.isfinite(own) and not low - reach <= own <= high + reach:
        digits = distinguishing_digits(own, low if own < low else high)
        return Judgement("differ", CENTRAL, _edge_reason(OUTSIDE_SLOPES, evidence, edge, digits), others)
    template = BETWEEN_SLOPES if math.isfinite(own) else UNDEFINED_AT_EDGE
    return Judgement("edge", REFERENCE, _edge_reason(template, evidence, edge), others)


def _edge_reason(template: str, evidence: Evidence, edge: Edge, digits: int = DIGITS) -> Clause:
    left, right = (NO_VALUE if math.isnan(slope) else _slope(slope, digits) for slope in (edge.left, edge.right))
    own = short(evidence.numbers[REFERENCE], digits)
    kind = edge_clause(edge.node, edge.tie)
    operands = {"element": evidence.element, "edge": kind, "left": left, "right": right, "own": own}
    return Clause(template, operands=operands)


def _slope(slope: float, digits: int) -> Clause:
    return Clause(NO_SLOPE) if math.isinf(slope) else Clause(SLOPE, operands={"number": short(slope, digits)})


def edge_clause(node: str, tie: bool) -> Clause:
    """What a node has at a point where the slopes on both sides differ."""
    return Clause(TIE if tie else EDGE, operands={"node": node})


RULES_ALONE = Clause(
    "Reverse and forward mode read the same rules, so neither says whether they are right; compare with differences "
    "or symbols"
)
OVERFLOWN_QUOTIENTS = (
    "{element}: reverse mode gives {own}, and no quotient is to be trusted, as numbers overflow on the way, "
    "first at {node}"
)
NO_DERIVATIVE = "{element}: there is no finite derivative here, and reverse mode says so with {own}"
NOTHING_ELSE = "{element}: no quotient settles here and symbols do not help, so nothing but the rules vouches for {own}"


def _alone(evidence: Evidence, bad: str | None) -> Judgement:
    if evidence.numbers.keys() <= set(RULES):
        return Judgement("none", reason=RULES_ALONE)
    own = evidence.numbers[REFERENCE] + 0.0  # no negative zero
    unsure = [name for name, error in evidence.errors.items() if math.isinf(error)]
    operands = {"element": evidence.element, "own": own}
    if bad and any(math.isfinite(evidence.numbers[name]) for name in unsure):
        return Judgement("none", reason=Clause(OVERFLOWN_QUOTIENTS, operands=operands | {"node": bad}))
    return Judgement("none", reason=Clause(NOTHING_ELSE if math.isfinite(own) else NO_DERIVATIVE, operands=operands))


def _believed(evidence: Evidence) -> str:
    """The exact method, whose digits no rounding takes; else the method that most others support.

    Methods that use the same rules count once; of equals it is the most precise one.
    """
    known = [name for name in evidence.settled() if has_own_numbers(name)]
    settled = sorted(known, key=_precision, reverse=True)
    if _precision(settled[0])[0] is Precision.EXACT:
        return settled[0]

    def support(name: str) -> int:
        return len({"rules" if other in RULES else other for other in settled if evidence.supports(other, name)})

    return max(settled, key=support)  # max takes the first of equals


def _precision(name: str) -> tuple[Precision, bool]:
    """The precision of a method; the rules in float64 come before other methods in float64."""
    if name == WIDE:
        return Precision.DOUBLE, True
    return VARIANTS[name].precision if name in VARIANTS else Precision.QUOTIENT, False


HIDDEN_EDGE = (
    "{element}: {numbers}: believe {method}, as the point is {edge}, where the rules take a slope by "
    "convention, and the output has none there"
)
OVERFLOW = (
    "{element}: {numbers}: believe {method}, as numbers overflow, vanish or lose their meaning in {dtype} on the way"
)
OVERFLOW_AT = (
    "{element}: {numbers}: believe {method}, as numbers overflow, vanish or lose their meaning in {dtype} on the way, "
    "first at {node}"
)
OTHERS_LOSE_DIGITS = (
    "{element}: {numbers}: believe {method}, as reverse mode, whose rules are exact, gives the same, and the others "
    "lose digits here"
)
NOT_PROPORTIONAL = (
    "{element}: {numbers}: believe {method}, as reverse and forward mode read the same rules in two directions and "
    "must agree: {custom} is not proportional to the upstream gradient"
)
WRONG_RULE = (
    "{element}: {numbers}: believe {method}, as reverse and forward mode read the same rules in two directions and "
    "must agree: a rule is wrong"
)
WRONG_IN_FLOAT64 = (
    "{element}: {numbers}: believe {method}, as {rule} is not the derivative here: reverse mode gives {wide} in "
    "float64, too"
)
LOST_DIGITS = "{element}: {numbers}: believe {method}, as digits are lost in {dtype} on the way; run it in float64"
LOST_DIGITS_AT = (
    "{element}: {numbers}: believe {method}, as digits are lost in {dtype} on the way, first at {node}; run it in "
    "float64"
)
WRONG_OR_LOST = "{element}: {numbers}: believe {method}, as {rule} is not the derivative here, or digits are lost"
SOME_RULE = Clause("a rule on the way")


def _disagreement(evidence: Evidence, believed: str, dtype: str, bad: str | None, custom: Clause | None) -> Clause:
    rule = custom or SOME_RULE
    by_rules = [name for name in RULES if name in evidence.numbers and has_own_numbers(name)]
    if not all(math.isfinite(evidence.numbers[name]) for name in by_rules):
        return _reason(OVERFLOW_AT if bad else OVERFLOW, evidence, believed, dtype=dtype, node=bad)
    if evidence.agree(REFERENCE, believed):
        return _reason(OTHERS_LOSE_DIGITS, evidence, believed)
    if not all(evidence.agree(REFERENCE, name) for name in by_rules):
        return _reason(WRONG_RULE if custom is None else NOT_PROPORTIONAL, evidence, believed, custom=custom)
    if WIDE in evidence.numbers and evidence.agree(REFERENCE, WIDE) and not evidence.agree(WIDE, believed):
        return _reason(WRONG_IN_FLOAT64, evidence, believed, rule=rule, wide=evidence.numbers[WIDE])
    if dtype != "float64":
        return _reason(LOST_DIGITS_AT if bad else LOST_DIGITS, evidence, believed, dtype=dtype, node=bad)
    return _reason(WRONG_OR_LOST, evidence, believed, rule=rule)


def _reason(template: str, evidence: Evidence, believed: str, **operands: Any) -> Clause:
    """A reason for believing a method, beside the numbers of all methods."""
    numbers = _numbers(evidence)
    return Clause(template, operands={"element": evidence.element, "numbers": numbers, "method": believed, **operands})


METHODS_AND_NUMBER = "{methods} {number}"


def _numbers(evidence: Evidence) -> Listing:
    """The numbers, each with the methods that give it."""
    groups, digits = dict[str, list[str]](), _digits(evidence)
    for name, number in evidence.numbers.items():
        if has_own_numbers(name) and (math.isfinite(number) or name in RULES):
            groups.setdefault(short(number, digits), []).append(name)
    items = (
        Clause(METHODS_AND_NUMBER, operands={"methods": Listing(tuple(names)), "number": number})
        for number, names in groups.items()
    )
    return Listing(tuple(items), conjunction="")


def has_own_numbers(name: str) -> bool:
    """Whether the numbers of an answer are not those of another variant of the same method."""
    return name not in VARIANTS or VARIANTS[name].has_own_numbers


def _digits(evidence: Evidence) -> int:
    """The number of digits that distinguishes methods that do not agree."""
    finite = [name for name, number in evidence.numbers.items() if math.isfinite(number)]
    disagreeing = [pair for pair in combinations(finite, 2) if not evidence.agree(*pair)]
    return max(
        (distinguishing_digits(evidence.numbers[one], evidence.numbers[other]) for one, other in disagreeing),
        default=DIGITS,
    )
