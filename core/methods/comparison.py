"""The result of comparing the methods: a row for each leaf, the verdict, and both as text."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from cadena.core.methods.answer import Answer
from cadena.core.methods.judging import WIDE, Evidence, Judgement, has_own_numbers
from cadena.core.methods.names import REFERENCE, VARIANTS
from cadena.core.run.program import Run
from cadena.core.text.numbers import number_of
from cadena.core.text.plain_text import aligned, ascii_minus, cleaned, number_text
from cadena.core.text.wording import fill

MAX_SENTENCES = 8
AGREED = 1e-2  # of the gradient's size: methods that are further apart agree only because none is sure


@dataclass(frozen=True, slots=True)
class Row:
    """One leaf, represented by the element about which the methods disagree most: each method's number there.

    `deviation` is the largest distance from reverse mode, `relative` the same beside the gradient's size if nothing
    cancelled.
    """

    leaf: str
    evidence: Evidence
    judgement: Judgement

    @property
    def element(self) -> str:
        return self.evidence.element

    @property
    def deviation(self) -> float:
        return self.evidence.deviation

    @property
    def relative(self) -> float:
        return self.deviation / self.evidence.size if self.evidence.size else self.deviation

    def agreement(self, dtype: str, others: Sequence[Row] = ()) -> str:
        """A sentence on how well the methods agree, where none of them differs, here and in `others`."""
        numbers = [number for row in (self, *others) for number in row.evidence.numbers.values()]
        operands = {"dtype": dtype, "element": self.element, "deviation": self.deviation, "relative": self.relative}
        is_close = self.relative <= AGREED and bool(self.evidence.size)
        what = SAME if not self.deviation else CLOSE if is_close else ROUNDED
        return fill(what, operands | {"methods": ALL if np.isfinite(numbers).all() else ALL_WITH_NUMBERS})


ALL, ALL_WITH_NUMBERS = "All methods", "All methods that give a number"
SAME = "{methods} agree in every digit"
CLOSE = "{methods} agree, to within {relative} of the gradient's size"
ROUNDED = (
    "{methods} agree as far as {dtype} can tell: they are {deviation} apart at {element}, which is no more than "
    "rounding"
)


@dataclass(frozen=True)
class Comparison:
    """The result of `compare`. `verdict` is a few sentences; `compared` of `elements` elements were compared."""

    run: Run
    answers: tuple[Answer, ...]
    rows: tuple[Row, ...]
    compared: int
    elements: int

    @property
    def agrees(self) -> bool:
        """Whether no method gives another derivative where there is one; at an edge there is none to differ about."""
        return all(row.judgement.status != "differ" for row in self.rows)

    def disagreement(self, method: str) -> float:
        """The largest distance of a method from reverse mode, relative to the gradient; nan where it has no numbers."""
        known = [row for row in self.rows if method in row.evidence.settled()]
        gaps = [abs(row.evidence.numbers[method] - row.evidence.numbers[REFERENCE]) for row in known]
        sizes = [row.evidence.size or 1.0 for row in known]
        return max((gap / size for gap, size in zip(gaps, sizes, strict=True)), default=math.nan)

    @property
    def verdict(self) -> str:
        """The sentences on which method to believe, and why."""
        return " ".join(f"{sentence}." for sentence in (*self._gradient_sentences(), *self._cost()))

    def __str__(self) -> str:
        """Two tables and the verdict, for terminals: what `cadena check` prints, and `cadena.check_grads` shows."""
        output = str(self.run.program.output)
        head = cleaned(f"{output} = {number_text(self.run.value(output))} in {self.run.dtype}")
        return "\n\n".join((head, _gradients(self), _methods(self), "\n".join(_sentences(self))))

    def _gradient_sentences(self) -> list[str]:
        sentences = list(dict.fromkeys(row.judgement.sentence for row in self.rows if row.judgement.sentence))
        if not self.rows:
            sentences = ["The leaves have no elements, so there is nothing to compare"]
        if not sentences:
            sentences = [max(self.rows, key=lambda row: row.relative).agreement(self.run.dtype, self.rows)]
        if len(sentences) > MAX_SENTENCES:
            sentences[MAX_SENTENCES:] = [f"{len(sentences) - MAX_SENTENCES} more leaves are in the table"]
        if self.compared < self.elements:
            sentences.append(f"Of {self.elements} elements {self.compared} were compared, spread evenly")
        return sentences

    def _cost(self) -> list[str]:
        listed = [answer for answer in self.answers if answer.method != WIDE and answer.passes]
        if len(listed) > 1 and listed[-2].kind == "run":  # one kind of differences is enough
            del listed[-1]
        costs = [f"{answer.method} {answer.cost}" for answer in listed]
        return [f"For {number_of(self.compared, 'number')}: {', '.join(costs)}"]


def _gradients(comparison: Comparison) -> str:
    methods = [one.method for one in comparison.answers if one.fault is None and has_own_numbers(one.method)]
    rows = [
        (row.element, *(_cell(row, method) for method in methods), _relative(row.relative)) for row in comparison.rows
    ]
    return aligned(("gradient of", *methods, "deviation"), rows, numbers=(*methods, "deviation"))


def _methods(comparison: Comparison) -> str:
    costs = [_cost(comparison, answer) for answer in comparison.answers]
    return aligned(("method", "cost", "seconds", "deviation from reverse"), costs, numbers=("seconds",))


def _sentences(comparison: Comparison) -> list[str]:
    notes = [
        f"{answer.method}: {ascii_minus(note)}."
        for answer in comparison.answers
        for note in [*([str(answer.fault)] if answer.fault else []), *answer.notes]
    ]
    return [cleaned(line) for line in (*notes, ascii_minus(comparison.verdict))]


def _cell(row: Row, method: str) -> str:
    number, error = row.evidence.numbers.get(method), row.evidence.errors.get(method)
    if number is None:
        return "-"
    text = number_text(np.asarray(number))
    has_error = method in VARIANTS and VARIANTS[method].shows_error and error is not None and 0.0 < error < math.inf
    return f"{text} ± {error:.0e}" if has_error else text


def _relative(number: float) -> str:
    return "0" if number == 0.0 else f"{number:.1g}" if math.isfinite(number) else "-"


def _cost(comparison: Comparison, answer: Answer) -> tuple[str, str, str, str]:
    if answer.fault is not None or answer.method == REFERENCE:
        deviation = "-"
    else:
        deviation = _relative(comparison.disagreement(answer.method))
    return answer.method, answer.cost or "-", f"{answer.seconds:.2g}" if answer.fault is None else "-", deviation
