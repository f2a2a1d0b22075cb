"""Answers of learners: read as numbers, fractions or arithmetic, and judged within a tolerance."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

from cadena.core.graph.document import as_array
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value

TOLERANCE = 0.005  # of the expected number: an answer to three digits is right
LEAST = 1e-9  # the largest number that counts as 0
_DECIMAL_COMMA = re.compile(r"(?<![\d,.])(\d*),(\d+)(?![\d,.])")
TWO_WAYS = "{text} is a thousand to some and {decimal} to others"


def read_answer(text: str) -> np.ndarray:
    """The number, or array, that was typed: "-41", "−14 − 27", "0,25", "1/3", "7·(−2) − 27". Raises Refused for others.

    Commas are decimal outside of lists; one that may part thousands, as in 1,250, is refused.
    """
    if text.lstrip()[:1] not in ("[", "("):
        for whole, part in _DECIMAL_COMMA.findall(text):
            if len(part) == 3 and whole.strip("0"):
                written, decimal = f"{whole},{part}", f"{whole}.{part}"
                raise Refused(TWO_WAYS, "write {decimal} or {plain}", text=written, decimal=decimal, plain=whole + part)
        text = _DECIMAL_COMMA.sub(r"\1.\2", text)
    return np.asarray(as_array(read_value(text)), dtype=np.float64)


def is_right(answer: np.ndarray, expected: np.ndarray, tolerance: float = TOLERANCE) -> bool:
    """Whether an answer is the expected number within `tolerance`, a part of the largest expected element.

    nan is answered by nan and inf by inf; an array by an array of its shape.
    """
    if answer.shape != np.shape(expected):
        return False
    finite = np.abs(expected)[np.isfinite(expected)]
    allowed = tolerance * finite.max(initial=0.0) if finite.size else 0.0
    return bool(np.allclose(answer, expected, rtol=0.0, atol=max(allowed, LEAST), equal_nan=True))


class Mistake(NamedTuple):
    """A typical mistake: the number that it leads to, its short name for a score, and the sentence that explains it."""

    number: np.ndarray
    name: str
    sentence: str


def mistake_of(answer: np.ndarray, expected: np.ndarray, typical: Iterable[Mistake]) -> Mistake | None:
    """The first of the typical mistakes that leads to a wrong answer."""
    others = (mistake for mistake in typical if not is_right(mistake.number, expected))
    return next((mistake for mistake in others if is_right(answer, mistake.number)), None)
