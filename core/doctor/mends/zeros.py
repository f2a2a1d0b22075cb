"""Zeros that are meant, and those that rounding made: 1 - sigmoid(40) is 0 and should be 4e-18."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document
from cadena.core.ops.arithmetic import divide, multiply
from cadena.core.ops.traits import Trait

if TYPE_CHECKING:
    from cadena.core.run.program import Run


def is_truly_zero(document: Document, run: Run, name: str) -> bool:
    """Whether the zeros of a node are no rounding errors: 1 - 0.9999... and exp(-1000) are 0, and have a logarithm."""
    primitive = operation(document, document.nodes[name].op)
    if primitive is None:
        return document.nodes[name].is_leaf
    sources = [str(source) for source in document.nodes[name].inputs]
    if primitive is multiply or primitive is divide:
        return any(_has_zero(run, source) and is_truly_zero(document, run, source) for source in sources)
    if primitive.traits & (Trait.EXACT | Trait.ZERO_OF_ZEROS):  # that a sum is 0 by chance is left aside
        return all(is_truly_zero(document, run, source) for source in sources)
    return Trait.UNIT_SLOPE in primitive.traits and all(_is_exact(document, source) for source in sources)


def _is_exact(document: Document, name: str) -> bool:
    """Whether the numbers of a node are those of leaves, not rounded."""
    node, primitive = document.nodes[name], operation(document, document.nodes[name].op)
    if primitive is None:
        return node.is_leaf
    return Trait.EXACT in primitive.traits and all(_is_exact(document, str(source)) for source in node.inputs)


def _has_zero(run: Run, name: str) -> bool:
    value = run.value(name)
    return value is not None and bool((value == 0.0).any())
