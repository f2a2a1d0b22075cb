"""Faults inside a function, where a number went bad or a gradient vanished, by running its subgraph on the operands of
the call."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from cadena.core.doctor.findings.causes import causes
from cadena.core.graph.document import Document
from cadena.core.graph.fault import BAD_GRADIENTS, HINTS, LOST_GRADIENTS, Fault, Kind
from cadena.core.rewriting.opening import opened
from cadena.core.run.program import Run, compile

Search = Callable[[Run], Iterable[Fault]]


class CallBody(NamedTuple):
    """The subgraph of a call as a document, a run of it, and its fault."""

    body: Document
    run: Run
    fault: Fault


LOST = LOST_GRADIENTS | {Kind.DEAD_RELU}  # hints that may be about the inside of a function


BACK = LOST_GRADIENTS | set(BAD_GRADIENTS.values())  # kinds about the reverse pass


def inside(run: Run, name: str, kind: Kind, search: Search) -> CallBody | None:
    """The place in the function that node `name` calls where a number of this kind originates, or a gradient was lost;
    None where it is not inside a function.

    `search` returns the faults in the run of the subgraph. A custom gradient is a subgraph of its own, which is not
    searched.
    """
    document = run.program.document
    function = document.functions.get(document.nodes[name].op)
    if function is None or (kind in BACK and function.gradient is not None and function.gradient.used):
        return None
    body = opened(document, name, run, is_shown=False)
    inner = compile(body).run(dtype=run.dtype, seed=run.gradient(name))
    faults = [fault for fault in search(inner) if kind in LOST or fault.kind.about == kind.about]
    born = next((fault for fault in faults if fault.kind == kind), faults[0] if faults else None)
    return None if born is None else CallBody(body, inner, _cause(inner, faults, born))


def _cause(run: Run, faults: Sequence[Fault], born: Fault) -> Fault:
    """The fault that made another one: the inf behind 0 · inf."""
    for cause in causes(run, faults):
        if any(born is fault for fault in (cause.fault, *cause.results)):
            return cause.fault
    return born


def fault_inside(run: Run, name: str, kind: Kind, search: Search, slot: int | None = None) -> Fault | None:
    """The fault of node `name` where a number originates, or a gradient was lost, inside the function that it calls."""
    if (body := inside(run, name, kind, search)) is None:
        return None
    inner = body.fault
    function, kind = run.program.document.nodes[name].op, inner.kind if kind in LOST else kind
    operands = {"node": inner.node, **inner.operands, "function": function, "problem": replace(inner, remedy="")}
    what = "inside {function}, {problem}"
    return Fault(
        name, kind, what, inner.remedy, operands, inner.cause, slot, severity="hint" if kind in HINTS else "fault"
    )
