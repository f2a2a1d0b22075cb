"""Moments of the steps, named by what happens there, so that they outlive edits of the graph."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Annotated, NamedTuple

import msgspec
from msgspec import Meta, Struct

from cadena.core.methods.reverse.timeline import Step, Timeline

START, END = "start", "end"
PHASES = (
    *(START, "forward", "seed", "reverse", "tangent", "ahead", "behind", "complex", "quotient"),
    *("expression", "derivative", END),
)

Flag = Annotated[bool, Meta(description="true or false")]
NodeName = Annotated[str, Meta(description="the name of a node")]


class Moment(Struct, frozen=True, omit_defaults=True):
    """A moment as `cadena steps --json` names it: when this step is done, or just before it.

    Of several steps that fit, the first is meant. `step` counts the steps that are done instead.
    """

    phase: Annotated[str, Meta(description=f"one of {', '.join(PHASES)}")] = ""
    node: NodeName = ""
    operand: NodeName = ""
    slot: Annotated[int | None, Meta(description="the number of a slot, from 0")] = None
    direction: Annotated[int | None, Meta(description="the number of a pass, from 0")] = msgspec.field(
        default=None, name="pass"
    )
    before: Flag = False
    step: Annotated[int | None, Meta(description="a number of steps")] = None


class StoryTime(NamedTuple):
    """The time of a moment; `lacks` where the timeline has no such step, and the time is that of the one before."""

    time: float
    lacks: bool = False


def time_of(moment: Moment, timeline: Timeline) -> float | None:
    """The time in steps at which the moment is; None where the timeline has no such step."""
    if moment.step is not None:
        return float(moment.step) if 0 <= moment.step <= len(timeline) else None
    if moment.phase in (START, END):
        return 0.0 if moment.phase == START else float(len(timeline))
    index = next((index for index in range(len(timeline)) if _is_at(moment, timeline, timeline[index])), None)
    return None if index is None else float(index + (not moment.before))


def _is_at(moment: Moment, timeline: Timeline, step: Step) -> bool:
    if step.phase != moment.phase or moment.node not in ("", step.node):
        return False
    if moment.operand not in ("", step.operand) or moment.slot not in (None, step.slot):
        return False
    return moment.direction is None or moment.direction == timeline.pass_at(step.index)


def moment_at(timeline: Timeline, time: float) -> Moment:
    """The moment at which the step under way at `time` is done, with no more keys than tell it from others."""
    done = math.ceil(time)
    if done <= 0:
        return Moment(START)
    if done >= len(timeline):
        return Moment(END)
    step = timeline[done - 1]
    whole = Moment(step.phase, step.node, step.operand or "", step.slot, timeline.pass_at(step.index))
    plain = (
        Moment(whole.phase, whole.node, whole.operand),
        Moment(whole.phase, whole.node, whole.operand, whole.slot),
        whole,
    )
    return next((moment for moment in plain if time_of(moment, timeline) == done), Moment(step=done))


def moment_before(timeline: Timeline, time: float) -> Moment | None:
    """The moment before the step that comes next at `time`; None where there is none that has a name."""
    done = math.ceil(time)
    if done >= len(timeline):
        return None
    step = timeline[done]
    names = step.phase, step.node, step.operand or ""
    slots, passes = (None, step.slot), (None, timeline.pass_at(done))
    tried = (Moment(*names, slot, number, before=True) for number in passes for slot in slots)
    return next((moment for moment in tried if time_of(moment, timeline) == done), None)


def placed(moments: Iterable[Moment], timeline: Timeline) -> tuple[StoryTime, ...]:
    """The times of moments in order; one that the timeline lacks has the time of the one before it."""
    listed = [StoryTime(0.0)]
    for moment in moments:
        time = time_of(moment, timeline)
        listed.append(StoryTime(listed[-1].time, True) if time is None else StoryTime(time))
    return tuple(listed[1:])


def held(places: Sequence[StoryTime], time: float) -> int | None:
    """The number of the first of the latest moments up to `time`; None before all of them."""
    reached = [place.time for place in places if place.time <= time]
    return [place.time for place in places].index(max(reached)) if reached else None
