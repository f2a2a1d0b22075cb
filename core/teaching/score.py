"""The score of a learner: each question with its tries, hints and mistakes; as a table, and as a level."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from cadena.core.teaching.asking import QUANTITIES, AskedQuantity

UP, DOWN = 3, 2  # right answers at the first try in a row that lead to the next level, others that lead back


class Attempt(NamedTuple):
    """How one question was answered."""

    quantity: AskedQuantity
    subject: str  # "∂L/∂a1"
    answer: str  # the last one that was typed
    tries: int
    hints: int
    right: bool  # False where the answer was shown instead
    mistakes: tuple[str, ...]  # the names of the typical ones

    @property
    def at_once(self) -> bool:
        """Whether it was right at the first try, without a hint."""
        return self.right and self.tries == 1 and not self.hints


def as_csv(attempts: Sequence[Attempt]) -> str:
    """The score as a table for a spreadsheet: a row for each question."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(["number", "quantity", "question", "answer", "tries", "hints", "right", "mistakes"])
    for number, attempt in enumerate(attempts, start=1):
        right, mistakes = "yes" if attempt.right else "no", "; ".join(attempt.mistakes)
        table.writerow(
            [number, attempt.quantity, attempt.subject, attempt.answer, attempt.tries, attempt.hints, right, mistakes]
        )
    return text.getvalue()


def summary(attempts: Sequence[Attempt]) -> str:
    """The score in a line: "7 of 9 right, 5 at once. What went wrong: forgot the other path (2), wrong sign"."""
    right, at_once = sum(attempt.right for attempt in attempts), sum(attempt.at_once for attempt in attempts)
    counts = Counter(name for attempt in attempts for name in attempt.mistakes)
    template = f"{WITHOUT_MISTAKES}. What went wrong: {{named}}" if counts else WITHOUT_MISTAKES
    return template.format(right=right, count=len(attempts), at_once=at_once, named=named(counts))


def named(mistakes: Counter[str]) -> str:
    """Mistakes with how often they were made: "forgot the other path (2), wrong sign"."""
    return ", ".join(f"{name} ({count})" if count > 1 else name for name, count in mistakes.most_common())


WITHOUT_MISTAKES = "{right} of {count} right, {at_once} at once"


def quantity_by_level(attempts: Sequence[Attempt]) -> AskedQuantity:
    """The quantity to ask for when difficulty follows the answers: from values up to accumulated gradients."""
    level = row = missed = 0
    for attempt in attempts:
        row, missed = (row + 1, 0) if attempt.at_once else (0, missed + 1)
        if row == UP:
            level, row = min(level + 1, len(QUANTITIES) - 1), 0
        elif missed == DOWN:
            level, missed = max(level - 1, 0), 0
    return QUANTITIES[level]
