"""Zeros that are meant, and those that rounding made: 1 - sigmoid(40) is 0 and should be 4e-18."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cadena.core.graph.document import Document

if TYPE_CHECKING:
    from cadena.core.run.program import Run

MOVING = frozenset(
    "getitem take reshape ravel transpose swapaxes moveaxis squeeze expand_dims broadcast_to flip roll".split()
)
CHOOSING = MOVING | frozenset("abs relu negative positive max min maximum minimum where".split())  # no digit is lost
# Operations that are 0 only of zeros, or on purpose: that a sum is 0 by chance is left aside.
KEEPING = CHOOSING | frozenset("sqrt cbrt square sum mean norm hypot std var dot".split())


def is_truly_zero(document: Document, run: Run, name: str) -> bool:
    """Whether the zeros of a node are no rounding errors: 1 - 0.9999... and exp(-1000) are 0, and have a logarithm."""
    node = document.nodes[name]
    sources = [str(source) for source in node.inputs]
    if node.op in ("add", "subtract"):
        return all(_is_exact(document, source) for source in sources)
    if node.op in ("multiply", "divide"):
        return any(_has_zero(run, source) and is_truly_zero(document, run, source) for source in sources)
    return node.is_leaf or (node.op in KEEPING and all(is_truly_zero(document, run, source) for source in sources))


def _is_exact(document: Document, name: str) -> bool:
    """Whether the numbers of a node are those of leaves, not rounded."""
    node = document.nodes[name]
    return node.is_leaf or (node.op in CHOOSING and all(_is_exact(document, str(source)) for source in node.inputs))


def _has_zero(run: Run, name: str) -> bool:
    value = run.value(name)
    return value is not None and bool((value == 0.0).any())
