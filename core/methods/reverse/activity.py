"""The parts that the current step lights up, and the faults visible by now; read from the frame alone."""

from __future__ import annotations

from dataclasses import dataclass, field

from cadena.core.graph.fault import BAD_GRADIENTS, LOST_GRADIENTS, Fault
from cadena.core.methods.reverse.step_text import local_sources
from cadena.core.methods.reverse.timeline import MEETING, Frame, Step, travelled

Wire = tuple[str, int]  # (target, slot)
GRADIENTS = LOST_GRADIENTS | set(BAD_GRADIENTS.values())


# The colour of a step's result.
ROLES = {
    "forward": "value", "seed": "gradient", "reverse": "gradient", "tangent": "tangent", "ahead": "value",
    "behind": "value", "complex": "tangent", "quotient": "gradient", "expression": "value", "derivative": "gradient",
}  # fmt: skip


@dataclass
class Activity:
    """Roles ("value", "gradient") of the parts of a step: cards where a number arrives, cards with lit edge, wires.

    `used` are the numbers that the step is computed from, as the roles of a card's lines.
    """

    grounds: dict[str, str] = field(default_factory=dict)
    edges: dict[str, str] = field(default_factory=dict)
    used: dict[str, frozenset[str]] = field(default_factory=dict)
    wires: dict[Wire, str] = field(default_factory=dict)
    label: Wire | None = None  # the wire that shows its local derivative, from where the upstream gradient meets it


def activity(frame: Frame, live: bool) -> Activity:
    """The parts lit at this moment; none in build mode and before the first step."""
    lit = Activity()
    if live or frame.step is None or frame.progress == 0.0:
        return lit
    lights = {"seed": _seed, "reverse": _reverse, "quotient": _at_leaf, "derivative": _at_leaf}
    lights.get(frame.step.phase, _forward)(frame, frame.step, frame.landed > frame.step.index, lit)
    return lit


def _forward(frame: Frame, step: Step, landed: bool, lit: Activity) -> None:
    inputs = frame.run.program.document.nodes[step.node].inputs
    carried = min(int(travelled(frame.progress) * len(inputs)) + 1, len(inputs))
    role = ROLES[step.phase]
    lit.wires.update({(step.node, slot): role for slot in range(carried)})
    lit.edges.update(dict.fromkeys(map(str, inputs), role))
    lit.used.update(dict.fromkeys(map(str, inputs), frozenset({"value", role})))
    if landed:
        lit.grounds[step.node] = lit.edges[step.node] = role


def _at_leaf(frame: Frame, step: Step, landed: bool, lit: Activity) -> None:
    """Light the step in which a leaf gets its quotient or its derivative from the output."""
    lit.edges[str(frame.run.program.output)] = "gradient"
    if landed:
        lit.grounds[step.node] = lit.edges[step.node] = "gradient"


def _seed(frame: Frame, step: Step, landed: bool, lit: Activity) -> None:
    lit.edges[step.node] = "gradient"
    if landed:
        lit.grounds[step.node] = "gradient"


def _reverse(frame: Frame, step: Step, landed: bool, lit: Activity) -> None:
    assert step.slot is not None and step.operand is not None
    lit.wires[step.node, step.slot] = "gradient"
    lit.edges[step.node] = "gradient"
    if frame.progress >= MEETING:
        lit.label = (step.node, step.slot)
    lit.used.update(dict.fromkeys(local_sources(frame.run, step.node, step.slot), frozenset({"value"})))
    lit.used[step.node] = lit.used.get(step.node, frozenset()) | {"gradient"}
    if landed:
        lit.grounds[step.operand] = lit.edges[step.operand] = "gradient"


def moment(frame: Frame, live: bool) -> tuple[int, int, int]:
    """A key that is equal while nothing changes but the places of tokens."""
    lit = activity(frame, live)
    step = -1 if frame.step is None or frame.progress == 0.0 else frame.step.index
    return frame.landed, step, len(lit.wires) + bool(lit.label)


def faults_by_now(frame: Frame, faults: tuple[Fault, ...]) -> list[Fault]:
    """The visible faults: a bad number only from the step on at which it first appears."""
    return [fault for fault in faults if _is_visible(frame, fault)]


def _is_visible(frame: Frame, fault: Fault) -> bool:
    if fault.kind.about == "value":
        return frame.value(fault.node) is not None
    if fault.kind in GRADIENTS and fault.slot is not None:
        return frame.contribution(fault.node, fault.slot) is not None
    return True
