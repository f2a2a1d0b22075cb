"""A step of any method as a JSON object: what all have (index, phase, node, sentence, latex), then the method's own."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.methods.difference.complex_timeline import ComplexStep
from cadena.core.methods.difference.timeline import DifferencesTimeline
from cadena.core.methods.forward.timeline import ForwardTimeline
from cadena.core.methods.forward.vector_timeline import VectorTimeline
from cadena.core.methods.reverse.timeline import Step, Timeline
from cadena.core.methods.reverse.words import step_latex, step_sentence
from cadena.core.methods.symbolic.timeline import SymbolsTimeline
from cadena.core.verbs.printing import plain


def step_report(timeline: Timeline, index: int) -> dict[str, Any]:
    """One entry of `steps --json`."""
    step = timeline[index]
    told = {
        "index": index,
        "phase": step.phase,
        "node": step.node,
        "sentence": step_sentence(timeline, index),
        "latex": step_latex(timeline, index),
    }
    return told | _own(timeline, step)


def _own(timeline: Timeline, step: Step) -> dict[str, Any]:
    match timeline:
        case VectorTimeline():
            return _tangents(timeline, step)
        case ForwardTimeline():
            return _tangent(timeline, step)
        case DifferencesTimeline():
            return _difference(timeline, step)
        case SymbolsTimeline():
            return _symbolic(timeline, step)
    return _contribution(timeline, step)


def _contribution(timeline: Timeline, step: Step) -> dict[str, Any]:
    """Of a wire of the reverse pass: what travels along it; nothing for other steps."""
    if step.slot is None or step.operand is None:
        return {}
    run = timeline.run
    return {
        "slot": step.slot,
        "operand": step.operand,
        "upstream": plain(run.gradient(step.node)),
        "local": plain(run.local(step.node, step.slot)),
        "contribution": plain(run.contribution(step.node, step.slot)),
        "accumulated": plain(timeline.accumulated(step.operand, step.index + 1)),
    }


def _tangent(timeline: ForwardTimeline, step: Step) -> dict[str, Any]:
    number, _ = timeline.place(step.index)
    return {
        "pass": number,
        "direction": timeline.names[number],
        "value": plain(timeline.run.value(step.node)),
        "tangent": plain(timeline.tangent(number, step.node)),
    }


def _tangents(timeline: VectorTimeline, step: Step) -> dict[str, Any]:
    """Of a pass that carries several: the derivatives along all of its directions, (directions, *node shape)."""
    number, _ = timeline.place(step.index)
    return {
        "pass": number,
        "directions": [timeline.names[direction] for direction in timeline.along(number)],
        "value": plain(timeline.run.value(step.node)),
        "tangents": plain(timeline.vector(number, step.node)),
    }


def _difference(timeline: DifferencesTimeline, step: Step) -> dict[str, Any]:
    """Of a run: the value there, with its imaginary part for the complex step; at the end the quotient."""
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
    """The expression and how many operations it has; for arrays nested lists of expressions."""
    part, number = timeline.place(step.index)
    if part:
        found, size, slope = timeline.derivative(number)
        report = {"direction": timeline.element(number), "derivative": str(found), "operations": size}
        return report | {"value": plain(np.asarray(slope))}
    expression = np.asarray(timeline.expression(step.node))
    return {
        "expression": np.vectorize(str, otypes=[object])(expression).tolist(),
        "operations": timeline.size(step.node),
        "value": plain(timeline.run.value(step.node)),
    }
