"""Mends of what went wrong inside a function: those of its subgraph, written back into it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from cadena.core.doctor.findings.within import LOST, inside
from cadena.core.doctor.mends.mend import Mend
from cadena.core.functions.opening import opened, with_body
from cadena.core.graph.document import Document
from cadena.core.graph.fault import Fault

if TYPE_CHECKING:
    from cadena.core.run.program import Run

INSIDE = "Inside "


def inside_a_call(document: Document, run: Run, fault: Fault) -> Iterator[Mend]:
    """What mends the subgraph of the function that the node calls; it changes all calls of that function."""
    from cadena.core.doctor.mends.offers import mends

    found = inside(run, fault.node, fault.kind) if fault.severity == "fault" or fault.kind in LOST else None
    if found is None:
        return
    for mend in mends(found.body, found.run, found.fault):
        if mend.apply(found.body).dtype == document.dtype:  # the number type is the whole graph's
            yield _outside(document.nodes[fault.node].op, fault.node, run, mend)


def _outside(function: str, name: str, run: Run, mend: Mend) -> Mend:
    def apply(now: Document) -> Document:
        return with_body(now, function, mend.apply(opened(now, name, run)))

    why = f"inside the function {function}, {mend.sentence}"
    title = mend.title if mend.title.startswith(INSIDE) else f"{INSIDE}{function}: {mend.title}"  # of a function in it
    return Mend(title, why, apply, mend.promise)
