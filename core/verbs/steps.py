"""`cadena steps FILE`: the chain rule, step by step, in sentences or as JSON."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from core.notation import step_latex, step_sentence
from core.timeline import Timeline
from core.verbs.printing import ascii_minus, complain_of_faults, plain, print_json
from core.verbs.request import requested_run


def steps(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    run = requested_run(options)
    timeline = run.timeline
    if options.json:
        print_json({"steps": [_step(timeline, index) for index in range(len(timeline))]})
    else:
        width = len(str(len(timeline)))
        for index in range(len(timeline)):
            print(f"{index + 1:{width}}. {ascii_minus(step_sentence(timeline, index))}")
    return complain_of_faults(run.faults, options.file)


def _step(timeline: Timeline, index: int) -> dict[str, Any]:
    step = timeline[index]
    told = {
        "index": index,
        "phase": step.phase,
        "node": step.node,
        "sentence": step_sentence(timeline, index),
        "latex": step_latex(timeline, index),
    }
    if step.slot is None or step.operand is None:
        return told
    run = timeline.run
    return told | {
        "slot": step.slot,
        "operand": step.operand,
        "upstream": plain(run.gradient(step.node)),
        "local": plain(run.local(step.node, step.slot)),
        "contribution": plain(run.contribution(step.node, step.slot)),
        "accumulated": plain(timeline.accumulated(step.operand, index + 1)),
    }
