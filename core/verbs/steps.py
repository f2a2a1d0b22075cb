"""`cadena steps FILE`: the chain rule, step by step, in sentences or as JSON."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from core.fault import Refused
from core.notation import step_latex, step_sentence
from core.plain_text import ascii_minus
from core.program import Run
from core.timeline import Timeline
from core.verbs.printing import complain_of_faults, plain, print_json
from core.verbs.request import requested_run
from core.verbs.run import faults_of

if TYPE_CHECKING:
    from core.methods.duals import DualStep


def steps(options: Namespace) -> int:
    """Exit status 0, or 1 when the graph has faults; each is a line on standard error."""
    run = requested_run(options, ("reverse", "forward"))
    if options.mode == "forward":
        return _forward(run, options)
    timeline = run.timeline
    if options.json:
        print_json({"steps": [_step(timeline, index) for index in range(len(timeline))]})
    else:
        width = len(str(len(timeline)))
        for index in range(len(timeline)):
            print(f"{index + 1:{width}}. {ascii_minus(step_sentence(timeline, index))}")
    return complain_of_faults(run.faults, options.file)


def _forward(run: Run, options: Namespace) -> int:
    """The steps of forward mode: value and derivative together, one pass for each number to differentiate by."""
    from core.methods.duals import dual_sentence, dual_steps

    if run.plan.output is None:
        raise Refused(f"{options.file}: --mode forward: there is no output that runs; choose one with --output")
    made = list(dual_steps(run))
    if options.json:
        print_json({"steps": [_dual(run, index, step) for index, step in enumerate(made)]})
    else:
        width, passes = len(str(len(made))), made[-1].direction + 1 if made else 0
        for index, step in enumerate(made):
            if step.place == 0:
                print(f"Pass {step.direction + 1} of {passes}: the tangent of {step.moving} is 1, all others are 0.")
            print(f"{index + 1:{width}}. {ascii_minus(dual_sentence(run, step))}")
    return complain_of_faults(faults_of(run, options.mode), options.file)


def _dual(run: Run, index: int, step: DualStep) -> dict[str, Any]:
    from core.methods.duals import dual_latex, dual_sentence

    return {
        "index": index,
        "phase": "tangent",
        "node": step.node,
        "sentence": dual_sentence(run, step),
        "latex": dual_latex(run, step),
        "pass": step.direction,
        "direction": step.moving,
        "value": plain(run.value(step.node)),
        "tangent": plain(step.tangent),
    }


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
