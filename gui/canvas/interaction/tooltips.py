"""The facts in the tooltip of the object under the pointer; a screen reader gets them as plain lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.graph.frames import CollapsedFrame, Folded
from cadena.core.methods.reverse.step_text import local_label, local_latex
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.notation import calls
from cadena.core.notation.names import set_plainly
from cadena.core.teaching.hiding import MARK
from cadena.core.text import numbers
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.look.wording import worded
from cadena.gui.session.session import Session

TYPE_IT = "double-click to type"
ONLY_CHOOSES = "it only chooses: no gradient goes back along this wire"
MANY_RESULTS = 12  # of a frame: more are not listed
FOLDED = "{title}: {count} nodes, {how}"
REVEAL = "a click reveals what is hidden"
NOT_YET, NEVER = "· not yet", "– none"  # the marks of a card's row, with their meanings


class TipFact(NamedTuple):
    """A line of a tooltip: a sentence, or a label with its number, its text or its formula."""

    label: str
    text: str = ""  # beside the label; of a number all its digits
    number: np.ndarray | None = None
    role: str = "text"  # of its colour
    latex: str = ""  # shown in the place of the text

    @property
    def plain(self) -> str:
        return f"{self.label}  {self.text}" if self.label and self.text else self.label or self.text


def plain(facts: Iterable[TipFact]) -> str:
    """The facts as lines of text."""
    return "\n".join(fact.plain for fact in facts)


def facts_of(session: Session, hit: Hit) -> list[TipFact]:
    """The facts about a card, a port or a wire, the heading first; none for the empty canvas."""
    document = session.document
    if hit.node not in document.nodes:
        return []
    if hit.kind == "input_port":
        return [TipFact(_input_port(document, hit))]
    if hit.kind == "output_port":
        return [TipFact(f"the value of {hit.node}: drag to the operation that it shall feed")]
    if hit.kind == "wire":
        return list(_wire(session, hit))
    return [*_node(session, str(hit.node)), *_faults(session.faults, str(hit.node))]


def folded_facts(session: Session, fold: Folded) -> list[TipFact]:
    """The facts of a closed block or a frame: its nodes, and the value and the gradient of what comes out."""
    frame = session.frame
    how = "double-click to expand" if isinstance(fold, CollapsedFrame) else "click to open"
    facts = [TipFact(FOLDED.format(title=fold.title, count=len(fold.members), how=how))]
    for name in fold.results[:MANY_RESULTS]:
        facts += _number(f"value of {name}", frame.value(name), "value")
        facts += _number(f"gradient of {name}", frame.gradient(name), "gradient")
    return facts


def _number(label: str, value: np.ndarray | None, role: str) -> list[TipFact]:
    return [] if value is None else [TipFact(label, numbers.full(value), np.asarray(value), role)]


def _slot_label(document: Document, hit: Hit) -> str:
    primitive = operation(document, document.nodes[str(hit.node)].op)
    slot = hit.slot or 0
    return f"operand {primitive.slot(slot).label!r}" if primitive else f"operand {slot + 1}"


def _input_port(document: Document, hit: Hit) -> str:
    source = document.source_of(str(hit.node), hit.slot or 0)
    what = f"{_slot_label(document, hit)} of {hit.node}"
    return f"{what}: {source}" if source else f"{what}: open; drag a wire here"


def _wire(session: Session, hit: Hit) -> Iterator[TipFact]:
    """What travels along a wire, as far as it is known at the moment that is shown."""
    target, slot = str(hit.node), hit.slot or 0
    source = str(session.document.source_of(target, slot))
    yield TipFact(f"{source} → {target} ({_slot_label(session.document, hit)})")
    frame = session.frame
    if session.hidden.hides_numbers(source, target):
        yield TipFact(REVEAL)
        return
    yield from _number(f"value of {source}", frame.value(source), "value")
    if frame.timeline.goes_back:
        yield from _number(f"gradient of {target}", frame.gradient(target), "gradient")
    else:
        for name in (source, target):
            yield from _second_line(frame, name)
    plan = frame.run.plan
    if (plan.index[target], slot) in plan.choosing:
        yield TipFact(ONLY_CHOOSES)
    elif _knows_local(session, target, slot):
        label = set_plainly(local_label(frame.run, target, slot))
        yield TipFact("local derivative", label, latex=local_latex(frame.run, target, slot))
    yield from _number("contribution", frame.contribution(target, slot), "gradient")


def _knows_local(session: Session, target: str, slot: int) -> bool:
    """Whether a local derivative is there to be seen: of a step to come not while a question is open."""
    frame = session.frame
    is_due = not session.asking.holds_steps or frame.contribution(target, slot) is not None
    return is_due and frame.value(target) is not None and frame.run.gradient(target) is not None


def _second_line(frame: Frame, name: str) -> Iterator[TipFact]:
    """What another method than reverse mode shows under a node's value."""
    line = frame.lines(name)[1]
    if not line.empty:
        what = line.text or (numbers.full(line.number) if line.number is not None else line.latex[0])
        latex = line.latex[0] if line.latex and not line.text else ""
        yield TipFact(f"{line.label} of {name}", what, line.number, line.role, latex)


def _node(session: Session, name: str) -> Iterator[TipFact]:
    """The facts of a node at the moment that is shown, without later results."""
    node, run, frame = session.document.nodes[name], session.run, session.frame
    primitive = operation(session.document, node.op)
    hidden = session.hidden
    title = MARK if hidden.hides("names", name) else name
    yield TipFact(f"{title}: {primitive.title if primitive else node.op}")
    if hidden.hides_at(name):
        yield TipFact(REVEAL)
        return
    value = frame.value(name)
    if primitive and run.value(name) is not None:
        formula = set_plainly(f"{name} = {calls.plain_call(run, name)}")
        yield TipFact("", formula, latex=calls.latex_definition(run, name))
    yield from _number("value", value, "value")
    if value is not None and value.ndim:
        yield TipFact("shape", numbers.shape_text(value.shape))
    for detail in frame.timeline.details(frame, name):
        label, _, text = detail.partition("  ")
        yield TipFact(label, text)
    yield from _number("gradient", frame.gradient(name), "gradient")
    for line in frame.lines(name):
        if line.empty and not line.text:
            yield TipFact(line.label, NOT_YET if line.expected else NEVER, role="muted")
    if session.document.function_of(name) is not None:
        yield TipFact("double-click to step into the function")
    if node.is_leaf:
        is_number = value is None or value.ndim == 0
        yield TipFact(f"drag the number to change it, {TYPE_IT}" if is_number else TYPE_IT)


def _faults(faults: tuple[Fault, ...], name: str) -> list[TipFact]:
    return [TipFact(f"⚠ {worded(fault)}", role="fault") for fault in faults if fault.node == name]
