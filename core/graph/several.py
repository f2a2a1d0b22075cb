"""One edit of several nodes at once, and what they share."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, Value, as_array, as_value
from cadena.core.ops.primitive import REGISTRY, Attribute


def each(document: Document, names: Collection[str], edit: Callable[[Document, str], Document]) -> Document:
    """The document with an edit of one node made of each; none is made where one is refused."""
    nodes = {name: edit(replace(document, nodes={name: document.nodes[name]}), name).nodes[name] for name in names}
    return replace(document, nodes={**document.nodes, **nodes})


def set_kind(document: Document, leaves: Collection[str], kind: str) -> Document:
    """Another kind for several leaves; those that have it stay as they are."""
    others = [name for name in leaves if document.nodes[name].op != kind]
    return each(document, others, partial(edits.set_operation, op=kind))


def fill(document: Document, leaves: Collection[str], number: float) -> Document:
    """One number for all elements of several leaves, whose shapes stay."""
    return each(document, leaves, lambda one, name: edits.set_value(one, name, _filled(one.nodes[name], number)))


def _filled(node: Node, number: float) -> Value:
    if node.value is None or isinstance(node.value, float):
        return number
    with np.errstate(over="ignore"):  # 1e200 is inf in float32; the faults of the run say so
        return as_value(np.full_like(as_array(node.value), number))


def set_wants_gradient(document: Document, inputs: Collection[str], wanted: bool) -> Document:
    """Choose whether the gradients of several inputs are computed too."""
    return each(document, inputs, partial(edits.set_wants_gradient, wanted=wanted))


def set_attribute(document: Document, names: Collection[str], attribute: str, value: Any) -> Document:
    """Set an attribute of several operations that have it."""
    return each(document, names, partial(edits.set_attribute, attribute=attribute, value=value))


def shared_number(nodes: Iterable[Node]) -> float | None:
    """The one number that all elements of these leaves have; None where they differ, and where there is none."""
    distinct: set[float] = set()
    for node in nodes:
        numbers = as_array(np.nan if node.value is None else node.value)
        if not numbers.size or np.any(numbers != numbers.flat[0]):
            return None
        distinct.add(float(numbers.flat[0]))
    return distinct.pop() if len(distinct) == 1 else None


def shared_attributes(nodes: Collection[Node]) -> tuple[Attribute, ...]:
    """The attributes that the operations of all nodes have, with the same meaning."""
    listed = [REGISTRY[node.op].attributes if node.op in REGISTRY else () for node in nodes]
    alike = [{(one.name, one.kind, one.choices) for one in attributes} for attributes in listed]
    return tuple(
        one for one in (listed[0] if listed else ()) if all((one.name, one.kind, one.choices) in have for have in alike)
    )
