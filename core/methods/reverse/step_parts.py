"""The formula of a step in parts, each with the moment of the step at which it is computed and appears."""

from __future__ import annotations

from itertools import accumulate

from cadena.core.methods.reverse import step_text
from cadena.core.methods.reverse.timeline import ARRIVAL, MEETING, Paint, Timeline
from cadena.core.notation.parts import PRODUCTS, QUAD, RELATIONS, FormulaPart, parts_of, split

MATRIX = r"\begin"


def step_parts(timeline: Timeline, index: int, paint: Paint | None = None) -> tuple[FormulaPart, ...]:
    """The formula of step `index`: symbols from the start, numbers under way, the result when it has arrived.

    In the reverse pass the local derivative comes to the upstream gradient where they meet, and what had arrived before
    is added at the end.
    """
    first, *others = [parts_of(latex) for _, latex in split(step_text.step_latex(timeline, index, paint), QUAD)]
    after = [part._replace(mark=part.mark or QUAD) for parts in others for part in _with_result(dated(parts))]
    step = timeline[index]
    if timeline.describe(index) or step.phase != "reverse" or step.slot is None:
        return (*_with_result(dated(first)), *after)
    has_local = step_text.has_local(timeline.run, step.node, step.slot)
    added = [part._replace(appears=ARRIVAL) for part in after]
    if added:
        added[-1] = added[-1]._replace(caption="gradient so far")
    return (*_of_contribution(first, has_local), *added)


def dated(parts: tuple[FormulaPart, ...]) -> list[FormulaPart]:
    """The parts up to the second relation from the start, numbers after it half way, the result at the end."""
    relations = [place for place, part in enumerate(parts) if part.mark in RELATIONS] or [len(parts)]
    numbers, result = relations[min(1, len(relations) - 1)], relations[-1]
    moments = [ARRIVAL if place >= result else MEETING if place >= numbers else 0.0 for place in range(len(parts))]
    return [part._replace(appears=moment) for part, moment in zip(parts, moments, strict=True)]


def _with_result(parts: list[FormulaPart]) -> list[FormulaPart]:
    """The parts with the last one as the result, if it is a number that stands alone after a relation."""
    last = parts[-1]
    is_number = last.mark in RELATIONS and MATRIX not in last.latex
    return [*parts[:-1], last._replace(result=True)] if is_number else parts


def _of_contribution(parts: tuple[FormulaPart, ...], has_local: bool) -> list[FormulaPart]:
    """Upstream gradient, local derivative and contribution, with these words under them.

    The upstream gradient stands there from the start, in symbols and as a number; what it is multiplied by comes to it.
    """
    captions = {len(parts) - 1: "contribution"} | ({1: "upstream", 2: "local derivative"} if has_local else {})
    relations = list(accumulate(part.mark in RELATIONS for part in parts))
    known = [part.mark not in PRODUCTS and count <= 2 for part, count in zip(parts, relations, strict=True)]
    moments = [0.0 if at_start else MEETING for at_start in known[:-1]] + [ARRIVAL]
    return _with_result(
        [
            part._replace(caption=captions.get(place, ""), appears=moment)
            for place, (part, moment) in enumerate(zip(parts, moments, strict=True))
        ]
    )
