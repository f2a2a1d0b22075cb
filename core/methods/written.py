"""A comparison as text: a table of the gradients, a table of the methods with their cost, and the verdict."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from cadena.core.methods.answer import Answer
from cadena.core.methods.judging import VECTORS
from cadena.core.notation.plain_text import aligned, ascii_minus, cleaned, number_text

if TYPE_CHECKING:
    from cadena.core.methods.compare import Comparison, Row


def written(made: Comparison) -> str:
    """What `cadena check` prints, and what `print(cadena.check_grads(...))` shows."""
    output = str(made.run.program.output)
    head = cleaned(f"{output} = {number_text(made.run.value(output))} in {made.run.dtype}")
    return "\n\n".join((head, _gradients(made), _methods(made), "\n".join(_sentences(made))))


def _gradients(made: Comparison) -> str:
    methods = [answer.method for answer in made.answers if answer.fault is None and answer.method != VECTORS]
    rows = [(row.element, *(_cell(row, method) for method in methods), _relative(row.relative)) for row in made.rows]
    return aligned(("gradient of", *methods, "apart"), rows, numbers=(*methods, "apart"))


def _methods(made: Comparison) -> str:
    costs = [_cost(made, answer) for answer in made.answers]
    return aligned(("method", "cost", "seconds", "apart from reverse"), costs, numbers=("seconds",))


def _sentences(made: Comparison) -> list[str]:
    notes = [
        f"{answer.method}: {ascii_minus(note)}."
        for answer in made.answers
        for note in [*([answer.fault] if answer.fault else []), *answer.notes]
    ]
    return [cleaned(line) for line in (*notes, ascii_minus(made.verdict))]


def _cell(row: Row, method: str) -> str:
    number, error = row.evidence.numbers.get(method), row.evidence.errors.get(method)
    if number is None:
        return "-"
    text = number_text(np.asarray(number))
    is_told = method.endswith("difference") and error is not None and 0.0 < error < math.inf
    return f"{text} ± {error:.0e}" if is_told else text


def _relative(number: float) -> str:
    return "0" if number == 0.0 else f"{number:.1g}" if math.isfinite(number) else "-"


def _cost(made: Comparison, answer: Answer) -> tuple[str, str, str, str]:
    if answer.fault is not None or answer.method == "reverse":
        apart = "-"
    else:
        apart = _relative(made.disagreement(answer.method))
    return answer.method, answer.cost or "-", f"{answer.seconds:.2g}" if answer.fault is None else "-", apart
