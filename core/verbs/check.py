"""`cadena check FILE`: every gradient by several methods, side by side, what they cost, and which to believe."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

import numpy as np

from core.fault import Refused
from core.verbs.printing import complain_of_faults, plain, print_json
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
        print(made)
    faults = complain_of_faults(made.run.program.faults, options.file)
    return max(faults, 0 if made.agrees else 1)


def _for_the_command_line(sentence: str) -> str:
    return sentence.replace("or give a seed that says", "or give --seed, which says")


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
