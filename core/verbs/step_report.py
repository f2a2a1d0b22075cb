"""Steps of any method as JSON objects: the common keys (index, phase, node, sentence, latex), then the method's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.methods.difference.complex_timeline import ComplexStep
from cadena.core.methods.difference.timeline import DifferencesTimeline
from cadena.core.methods.forward.dual_timeline import DualTimeline
from cadena.core.methods.forward.vector_timeline import VectorTimeline
from cadena.core.methods.reverse.step_text import step_latex, step_sentence
from cadena.core.methods.reverse.timeline import Step, Timeline
from cadena.core.methods.symbolic.timeline import SymbolsTimeline
from cadena.core.verbs.printing import plain


def step_report(timeline: Timeline, index: int) -> dict[str, Any]:
    """One entry of `steps --json`."""
    step = timeline[index]
    common = {
        "index": index,
        "phase": step.phase,
        "node": step.node,
        "sentence": step_sentence(timeline, index),
        "latex": step_latex(timeline, index),
    }
    return common | _own(timeline, step)


def _own(timeline: Timeline, step: Step) -> dict[str, Any]:
    match timeline:
        case VectorTimeline():
            return _tangents(timeline, step)
        case DualTimeline():
            return _tangent(timeline, step)
        case DifferencesTimeline():
            return _difference(timeline, step)
        case SymbolsTimeline():
            return _symbolic(timeline, step)
    return _contribution(timeline, step)


def _contribution(timeline: Timeline, step: Step) -> dict[str, Any]:
    """The keys of a wire of the reverse pass: the numbers that it carries; nothing for other steps."""
    if step.slot is None or step.operand is None:
        return {}
    run = timeline.run
    return {
        "slot": step.slot,
        "operand": step.operand,
        "upstream": plain(run.gradient(step.node)),
        "local": plain(run.local(step.node, step.slot)),
        "contribution": plain(run.contribution(step.node, step.slot)),
        "accumulated": plain(timeline.sums(step)[1]),
    }


def _tangent(timeline: DualTimeline, step: Step) -> dict[str, Any]:
    number, _ = timeline.place(step.index)
    return {
        "pass": number,
        "direction": timeline.names[number],
        "value": plain(timeline.run.value(step.node)),
        "tangent": plain(timeline.tangent(number, step.node)),
    }


def _tangents(timeline: VectorTimeline, step: Step) -> dict[str, Any]:
    """The keys of a pass with several directions: the derivatives along all of them, (directions, *node shape)."""
    number, _ = timeline.place(step.index)
    return {
        "pass": number,
        "directions": [timeline.names[direction] for direction in timeline.along(number)],
        "value": plain(timeline.run.value(step.node)),
        "tangents": plain(timeline.shown(number, step.node)),
    }


def _difference(timeline: DifferencesTimeline, step: Step) -> dict[str, Any]:
    """The keys of a displaced run: its value, with the imaginary part for the complex step; at the end the quotient."""
    shared = {"direction": timeline.element, "kind": timeline.kind, "step_size": timeline.h}
    if step.phase == "quotient":
        numbers = {"quotient": timeline.quotient, "error": timeline.slope.error, "gradient": timeline.exact}
        return shared | {name: plain(np.asarray(number)) for name, number in numbers.items()}
    if isinstance(timeline, ComplexStep):
        value, imaginary = timeline.parts(step.node)
        return shared | {"value": plain(value), "imaginary": plain(imaginary)}
    number, _ = timeline.place(step.index)
    line = timeline.lines(timeline.frame(step.index + 1), step.node)[number]
    return shared | {"value": plain(line.number)}


def _symbolic(timeline: SymbolsTimeline, step: Step) -> dict[str, Any]:
    """The keys of symbolic steps: the expression and its number of operations; for arrays nested lists of these."""
    part, number = timeline.place(step.index)
    if part:
        expression, size, slope = timeline.derivative(number)
        report = {"direction": timeline.element(number), "derivative": str(expression), "operations": size}
        return report | {"value": plain(np.asarray(slope))}
    expression = np.asarray(timeline.expression(step.node))
    return {
        "expression": np.vectorize(str, otypes=[object])(expression).tolist(),
        "operations": timeline.size(step.node),
        "value": plain(timeline.run.value(step.node)),
    }
