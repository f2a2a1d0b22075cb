"""A question about a number of a step: what it asks, its hints and mistakes; what all kinds of questions share."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any, Literal, NamedTuple

import numpy as np

from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING, Step
from cadena.core.ops.expression import POWER, written_number
from cadena.core.teaching.answers import Mistake
from cadena.core.text.numbers import short
from cadena.core.text.wording import Listing

AskedQuantity = Literal["value", "local derivative", "contribution", "gradient", "tangent"]
# What can be chosen; where forward mode carries tangents, these are asked for in the place of gradients.
QUANTITIES: tuple[AskedQuantity, ...] = ("value", "local derivative", "contribution", "gradient")
BEFORE = 1e-3  # of a step: by so much a question comes before what it asks for is shown
# A value comes with its tangent, which is asked for after it.
MOMENTS = {"value": ARRIVAL - 2 * BEFORE, "local derivative": MEETING - BEFORE, "contribution": MEETING}
FORGOT_PATH, FORGOT_UPSTREAM, SIGN = "forgot the other path", "forgot the upstream gradient", "wrong sign"
INPUT_FOR_OUTPUT, ADDED, MULTIPLIED = (
    "took the input instead of the output",
    "added instead of multiplied",
    "multiplied instead of added",
)
TOOK_VALUE = "took the value for the derivative"
ALL_WIRES, FORGOT_FACTOR = "counted all wires at once", "forgot a factor"


class StepQuestion(NamedTuple):
    """A question about one number; `moment` is the time, in steps, at which it is asked."""

    quantity: AskedQuantity
    moment: float
    subject: str  # "∂L/∂a1", with its element where that is an array
    sentence: str
    expected: np.ndarray
    hints: tuple[str, str, str]  # where to look, the rule, the rule with numbers
    mistakes: tuple[Mistake, ...]


def wrong_sign(expected: np.ndarray) -> Iterator[Mistake]:
    yield Mistake(-expected, SIGN, "The size is right, the sign is not.")


def step_question(
    quantity: AskedQuantity, step: Step, subject: str, sentence: str, expected: np.ndarray, hints: tuple[str, str, str],
    mistakes: Collection[Mistake],
) -> StepQuestion:  # fmt: skip
    """Ask for one element of an array: the largest, as its place is easily found."""
    moment = step.index + MOMENTS.get(quantity, ARRIVAL - BEFORE)
    mistakes = [mistake for mistake in mistakes if np.shape(mistake.number) == expected.shape]
    if expected.ndim:
        sizes = np.where(np.isfinite(expected), np.abs(expected), -1.0)
        at = np.unravel_index(int(np.argmax(sizes)), expected.shape)
        subject = f"element [{', '.join(map(str, map(int, at)))}] of {subject}"
        mistakes = [mistake._replace(number=np.asarray(mistake.number[at])) for mistake in mistakes]
        expected = np.asarray(expected[at])
    return StepQuestion(quantity, moment, subject, sentence.format(subject=subject), expected, hints, tuple(mistakes))


def where_to_look(names: list[str]) -> str:
    template = "Where to look: the card of {names}." if len(names) == 1 else "Where to look: the cards of {names}."
    return template.format(names=Listing(tuple(names), "and").worded())


def short_or_nothing(number: Any) -> str:
    return "nothing" if number is None else short(np.asarray(number))


def as_factor(number: Any) -> str:
    written = written_number(np.asarray(number), False)
    return written.text if written.binding >= POWER else f"({written.text})"
