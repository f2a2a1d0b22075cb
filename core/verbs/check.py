"""`cadena check FILE`: every gradient by several methods, side by side, what they cost, and which to believe."""

from __future__ import annotations

import math
from argparse import Namespace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.fault import Refused
from core.verbs.printing import ascii_minus, complain_of_faults, number_text, plain, print_json, print_table
from core.verbs.request import requested_run

if TYPE_CHECKING:
    from core.methods import Answer, Comparison, Row

METHODS = {  # what --mode leaves beside reverse mode
    "reverse": (),
    "forward": ("forward",),
    "difference": ("central difference", "complex step"),
    "symbolic": ("symbols",),
}


def check(options: Namespace) -> int:
    """Exit status 0, or 1 when methods disagree or a fault keeps nodes from running."""
    from core.methods import compare_run

    run = requested_run(options, (None, *METHODS))
    methods = None if options.mode is None else METHODS[options.mode]
    try:
        made = compare_run(run, methods=methods, is_seeded=options.seed is not None)
    except Refused as refusal:
        raise Refused(f"{options.file}: {_for_the_command_line(str(refusal))}") from None
    if options.json:
        print_json(report(made, options.file))
    else:
        print_comparison(made)
    faults = complain_of_faults(made.run.program.faults, options.file)
    return max(faults, 0 if made.agrees else 1)


def _for_the_command_line(sentence: str) -> str:
    return sentence.replace("or give a seed that says", "or give --seed, which says")


def print_comparison(made: Comparison) -> None:
    """A table of the gradients, a table of the methods, and the verdict."""
    value = made.run.value(str(made.run.program.output))
    print(f"{made.run.program.output} = {number_text(value)} in {made.run.dtype}\n")
    methods = [answer.method for answer in made.answers if answer.fault is None]
    rows = [(row.element, *(_cell(row, method) for method in methods), _relative(row.relative)) for row in made.rows]
    print_table(("gradient of", *methods, "apart"), rows, numbers=(*methods, "apart"))
    print()
    costs = [_cost(made, answer) for answer in made.answers]
    print_table(("method", "passes", "seconds", "apart from reverse"), costs, numbers=("passes", "seconds"))
    print()
    for answer in made.answers:
        for note in [*([answer.fault] if answer.fault else []), *answer.notes]:
            print(f"{answer.method}: {ascii_minus(note)}.")
    print(ascii_minus(made.verdict))


def _cell(row: Row, method: str) -> str:
    number, error = row.evidence.numbers.get(method), row.evidence.errors.get(method)
    if number is None:
        return "-"
    text = number_text(np.asarray(number))
    is_told = method == "central difference" and error is not None and 0.0 < error < math.inf
    return f"{text} ± {error:.0e}" if is_told else text


def _relative(number: float) -> str:
    return "0" if number == 0.0 else f"{number:.1g}" if math.isfinite(number) else "-"


def _cost(made: Comparison, answer: Answer) -> tuple[str, str, str, str]:
    kind = {"run": "runs", "reverse": "reverse", "tangent": "tangent"}.get(answer.kind, "")
    passes = f"{answer.passes} {kind}" if answer.passes else "-"
    if answer.fault is not None or answer.method == "reverse":
        apart = "-"
    else:
        apart = _relative(made.disagreement(answer.method))
    return answer.method, passes, f"{answer.seconds:.2g}" if answer.fault is None else "-", apart


def report(made: Comparison, file: str) -> dict[str, Any]:
    """The comparison as one JSON object; gradients have null for elements that were not compared."""
    return {
        "file": file,
        "output": made.run.program.output,
        "value": plain(made.run.value(str(made.run.program.output))),
        "dtype": made.run.dtype,
        "agree": made.agrees,
        "verdict": made.verdict,
        "compared": made.compared,
        "elements": made.elements,
        "methods": [_method(made, answer) for answer in made.answers],
        "leaves": [_leaf(row) for row in made.rows],
    }


def _method(made: Comparison, answer: Answer) -> dict[str, Any]:
    return {
        "method": answer.method,
        "passes": answer.passes,
        "kind": answer.kind or None,
        "seconds": answer.seconds,
        "apart": plain(np.asarray(made.disagreement(answer.method))) if answer.fault is None else None,
        "fault": answer.fault,
        "notes": list(answer.notes),
        "gradients": {name: plain(array) for name, array in answer.gradients.items()},
        "errors": {name: plain(array) for name, array in answer.errors.items()},
    }


def _leaf(row: Row) -> dict[str, Any]:
    return {
        "leaf": row.leaf,
        "element": row.element,
        "status": row.judgement.status,
        "believe": row.judgement.believed,
        "sentence": row.judgement.sentence or None,
        "numbers": {name: plain(np.asarray(number)) for name, number in row.evidence.numbers.items()},
        "apart": plain(np.asarray(row.apart)),
        "relative": plain(np.asarray(row.relative)),
    }
