"""`cadena check FILE`: every gradient by several methods, side by side, what they cost, and which to believe."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from cadena.core.front import Run
from cadena.core.graph.fault import Refused
from cadena.core.methods.names import METHODS
from cadena.core.verbs.explaining import explain
from cadena.core.verbs.method import check_options, refusing
from cadena.core.verbs.printing import complain_of_faults, plain, print_json, print_line
from cadena.core.verbs.request import requested_run
from cadena.core.verbs.wording import REMEDIES

if TYPE_CHECKING:
    from cadena.core.methods.answer import Answer
    from cadena.core.methods.comparison import Comparison, Row

USUAL = ("central", "complex")


def check(options: Namespace) -> int:
    """Exit status 0, or 1 when methods disagree or the run has a fault."""
    run = requested_run(options)
    comparison = _comparison(options, run)
    explanation = explain(run, run.faults, options.explain)
    if options.json:
        print_json(report(comparison, options.file) | explanation.report)
    else:
        print(comparison)
        lines = list(explanation.lines(whole=True))
        for line in ["", *lines] if lines else []:
            print_line(line)
    complain_of_faults((*run.program.faults, *run.violated_guards), options.file, run.program.document)
    is_faulty = any(fault.severity == "fault" for fault in run.faults)
    return 0 if comparison.agrees and not is_faulty else 1


def _comparison(options: Namespace, run: Run) -> Comparison:
    """The comparison. Raises Refused, with the file, where it is not possible, or the requested method is not."""
    from cadena.core.methods.compare import compare_run

    kinds = USUAL if options.kind is None else (options.kind,)
    methods = None if options.mode is None else _methods(options.mode, kinds)
    check_options(options)
    with refusing(options):
        is_seeded = options.seed is not None
        comparison = compare_run(run, methods=methods, is_seeded=is_seeded, kinds=kinds, step=options.step_size)
        faults = [answer.fault for answer in comparison.answers if methods and answer.method in methods]
        if faults and faults[0] is not None and all(faults):
            raise Refused.of(faults[0])
    return comparison


def _methods(mode: str, kinds: Sequence[str]) -> tuple[str, ...]:
    """The answers that --mode keeps beside those of reverse mode, which the run has in any case."""
    record = METHODS[mode]
    chosen = (variant for variant in record.variants if variant.settings.get("kind", kinds[0]) in kinds)
    return () if record.is_built_in else tuple(variant.label for variant in chosen)


def report(comparison: Comparison, file: str) -> dict[str, Any]:
    """The comparison as one JSON object; gradients have null for elements that were not compared."""
    return {
        "file": file,
        "output": comparison.run.program.output,
        "value": plain(comparison.run.value(str(comparison.run.program.output))),
        "dtype": comparison.run.dtype,
        "agree": comparison.agrees,
        "verdict": comparison.verdict,
        "compared": comparison.compared,
        "elements": comparison.elements,
        "methods": [_answer(comparison, answer) for answer in comparison.answers],
        "leaves": [_leaf(row) for row in comparison.rows],
    }


def _answer(comparison: Comparison, answer: Answer) -> dict[str, Any]:
    return {
        "method": answer.method,
        "passes": answer.passes,
        "kind": answer.kind or None,
        "width": answer.width,
        "seconds": answer.seconds,
        "deviation": plain(np.asarray(comparison.disagreement(answer.method))) if answer.fault is None else None,
        "fault": answer.fault and answer.fault.worded(REMEDIES),
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
        "deviation": plain(np.asarray(row.deviation)),
        "relative": plain(np.asarray(row.relative)),
    }
