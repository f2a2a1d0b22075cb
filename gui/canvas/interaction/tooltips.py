"""The tooltip of the object under the pointer."""

from __future__ import annotations

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault
from cadena.core.graph.frames import CollapsedFrame, Folded
from cadena.core.methods.reverse.step_text import local_label
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
REVEAL = "a click reveals what is hidden"


def tooltip(session: Session, hit: Hit) -> str:
    """A few plain lines about a card, a port or a wire; "" for the empty canvas."""
    document = session.document
    if hit.node not in document.nodes:
        return ""
    if hit.kind == "input_port":
        return _input_port(document, hit)
    if hit.kind == "output_port":
        return f"the value of {hit.node}: drag to the operation that it shall feed"
    if hit.kind == "wire":
        return _wire(session, hit)
    return "\n".join([*_node(session, str(hit.node)), *_faults(session.faults, str(hit.node))])


def folded_tip(session: Session, fold: Folded) -> str:
    """The facts of a closed block or a frame: its nodes, and the value and the gradient of what comes out."""
    frame = session.frame
    if isinstance(fold, CollapsedFrame):
        lines = [f"{fold.title}: {len(fold.members)} nodes, double-click to expand"]
    else:
        lines = [f"{fold.title}: {len(fold.members)} nodes, click to open"]
    for name in fold.results[:MANY_RESULTS]:
        value, gradient = frame.value(name), frame.gradient(name)
        lines += [f"value of {name}  {numbers.full(value)}"] if value is not None else []
        lines += [f"gradient of {name}  {numbers.full(gradient)}"] if gradient is not None else []
    return "\n".join(lines)


def _slot_label(document: Document, hit: Hit) -> str:
    primitive = operation(document, document.nodes[str(hit.node)].op)
    slot = hit.slot or 0
    return f"operand {primitive.slot(slot).label!r}" if primitive else f"operand {slot + 1}"


def _input_port(document: Document, hit: Hit) -> str:
    source = document.source_of(str(hit.node), hit.slot or 0)
    what = f"{_slot_label(document, hit)} of {hit.node}"
    return f"{what}: {source}" if source else f"{what}: open; drag a wire here"


def _wire(session: Session, hit: Hit) -> str:
    """What travels along a wire, as far as it is known at the moment that is shown."""
    target, slot = str(hit.node), hit.slot or 0
    source = str(session.document.source_of(target, slot))
    head = f"{source} → {target} ({_slot_label(session.document, hit)})"
    frame, hidden = session.frame, session.hidden
    if hidden.hides_numbers(source, target):
        return f"{head}\n{REVEAL}"
    value, upstream, brought = frame.value(source), frame.gradient(target), frame.contribution(target, slot)
    lines = [head]
    lines += [f"value of {source}  {numbers.full(value)}"] if value is not None else []
    if frame.timeline.goes_back:
        lines += [f"gradient of {target}  {numbers.full(upstream)}"] if upstream is not None else []
    else:
        lines += [line for name in (source, target) if (line := _second_line(frame, name))]
    plan = frame.run.plan
    if (plan.index[target], slot) in plan.choosing:
        lines.append(ONLY_CHOOSES)
    elif frame.value(target) is not None and frame.run.gradient(target) is not None:
        lines.append(f"local derivative  {set_plainly(local_label(frame.run, target, slot))}")
    lines += [f"contribution  {numbers.full(brought)}"] if brought is not None else []
    return "\n".join(lines)


def _second_line(frame: Frame, name: str) -> str:
    """What another method than reverse mode shows under a node's value."""
    line = frame.lines(name)[1]
    if line.empty:
        return ""
    what = line.text or (numbers.full(line.number) if line.number is not None else line.latex[0])
    return f"{line.label} of {name}  {what}"


def _node(session: Session, name: str) -> list[str]:
    """The facts of a node at the moment that is shown, without later results."""
    node, run, frame = session.document.nodes[name], session.run, session.frame
    primitive = operation(session.document, node.op)
    hidden = session.hidden
    lines = [f"{MARK if hidden.hides('names', name) else name}: {primitive.title if primitive else node.op}"]
    value, gradient = frame.value(name), frame.gradient(name)
    if hidden.hides_at(name):
        return [*lines, REVEAL]
    if primitive and run.value(name) is not None:
        lines.append(set_plainly(f"{name} = {calls.plain_call(run, name)}"))
    if value is not None:
        lines += [f"value  {numbers.full(value)}", f"shape  {numbers.shape_text(value.shape)}"]
    lines += frame.timeline.details(frame, name)
    if gradient is not None:
        lines.append(f"gradient  {numbers.full(gradient)}")
    if session.document.function_of(name) is not None:
        lines.append("double-click to step into the function")
    if node.is_leaf:
        is_number = value is None or value.ndim == 0
        lines.append(f"drag the number to change it, {TYPE_IT}" if is_number else TYPE_IT)
    return lines


def _faults(faults: tuple[Fault, ...], name: str) -> list[str]:
    return [f"⚠ {worded(fault)}" for fault in faults if fault.node == name]
