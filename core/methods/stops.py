"""Where a longer stride through the steps ends: after the next node, the next operation, the next layer."""

from __future__ import annotations

from typing import Literal

import numpy as np

from cadena.core.graph.shape import generations
from cadena.core.methods.reverse.timeline import Timeline

Stride = Literal["node", "operation", "layer"]


def next_stop(timeline: Timeline, done: int, stride: Stride) -> int:
    """The number of steps that are done after the next stride, when `done` are done now.

    A node ends with the step that completes its value or its gradient, an operation with the last step of its node in
    the pass, a layer when all nodes of its depth are through.
    """
    if done >= len(timeline):
        return len(timeline)
    if stride == "layer":
        return _end_of_layer(timeline, done)
    ends = _completes if stride == "node" else _ends_operation
    return next(index + 1 for index in range(done, len(timeline)) if ends(timeline, index))


def _completes(timeline: Timeline, index: int) -> bool:
    """Whether step `index` completes the value or the gradient of a node; the last step ends everything."""
    step = timeline[index]
    return index + 1 == len(timeline) or step.operand is None or timeline.arrivals[step.operand][-1][0] == index


def _ends_operation(timeline: Timeline, index: int) -> bool:
    if index + 1 == len(timeline):
        return True
    here, after = timeline[index], timeline[index + 1]
    return (here.phase, here.node) != (after.phase, after.node)


def _end_of_layer(timeline: Timeline, done: int) -> int:
    """The steps that are done when no step of the pass is left on this side of the layer's end.

    Steps are ordered by what they need, not by depth: some of the next layer may be done before the last of this one.
    """
    names = timeline.run.plan.names
    depth = generations(timeline.run.program.document, [names[node] for node in np.flatnonzero(timeline.runs)])
    first = timeline[done]
    sign = -1 if first.phase == "reverse" else 1
    steps = (timeline[index] for index in range(done, len(timeline)))
    near = [step for step in steps if step.phase == first.phase and sign * depth[step.node] <= sign * depth[first.node]]
    return near[-1].index + 1
