"""The graph cut at a node: the node becomes a leaf with the value that it has, so that every method can be asked for
its gradient."""

from __future__ import annotations

import math
from collections.abc import Collection
from dataclasses import replace

import msgspec
import numpy as np

from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import ancestors, why_no_gradient
from cadena.core.methods.answer import Cancel, never, output_number
from cadena.core.methods.compare import MAX_ELEMENTS, compare_run
from cadena.core.methods.comparison import Comparison
from cadena.core.ops.shaping import astype
from cadena.core.run.program import Run, compile
from cadena.core.text.wording import Remedy


def compare_node(run: Run, name: str, cancelled: Cancel = never, methods: Collection[str] | None = None) -> Comparison:
    """Every method on any node of `run`, leaf or not, for the gradient of the output weighted with the run's seed.

    Raises Refused as `cut` does, and where no gradient flows from the output to the node; Cancelled as soon as
    `cancelled()` is true.
    """
    graph = cut(run, name)
    cut_run = compile(graph, wrt=[name]).run(seed=run.seed)
    if not cut_run.plan.reached[cut_run.plan.index[name]]:
        raise Refused("{why}", why=why_no_gradient(graph, str(graph.output), name))
    return compare_run(cut_run, cancelled, methods, is_seeded=True)


def cut(run: Run, name: str) -> Document:
    """The graph of `run`, at its values and in its number type, with `name` as a parameter.

    The gradient of that parameter is the node's in the whole graph. What the output no longer needs is left out. A node
    in another number type than the run's keeps it for the nodes that read it, but loses digits that the run's has not.
    Raises Refused where there is no output that runs, the node has no value, or the output does not depend on it.
    """
    document, output = run.program.document, run.plan.names[output_number(run)]
    value = run.value(name)
    if value is None:
        raise Refused("{node} does not run, so it has no gradient", Remedy.FIX_FAULTS, node=name)
    whole = {**document.nodes, name: Node(name, "parameter", value=as_value(value))}
    if value.dtype != run.dtype and name != output:
        whole = _typed(whole, name, value.dtype)
    needed = ancestors(replace(document, nodes=whole), output)
    if name not in needed:
        raise Refused("{why}, so there is no gradient to compare", why=why_no_gradient(document, output, name))
    nodes = {one: _at_value(node, run) for one, node in whole.items() if one in needed}
    return Document(nodes, output=output, dtype=run.dtype, functions=document.functions)


def _at_value(node: Node, run: Run) -> Node:
    """A leaf with its value in the run."""
    return msgspec.structs.replace(node, value=as_value(run.value(node.name))) if node.is_leaf else node


def _typed(nodes: dict[str, Node], name: str, dtype: np.dtype) -> dict[str, Node]:
    """Insert an astype behind the leaf `name`, since leaves are in the run's number type."""
    typed = fresh_name(nodes, name)
    redirected = {
        one: msgspec.structs.replace(node, inputs=tuple(typed if source == name else source for source in node.inputs))
        for one, node in nodes.items()
    }
    return {**redirected, typed: Node(typed, astype.name, (name,), attributes={"dtype": dtype.name})}


def effort(run: Run, name: str) -> int:
    """Estimate how many numbers a comparison at this node computes in one pass over each element.

    An element takes some forty passes. The estimate decides whether the user is asked first.
    """
    return min(math.prod(run.plan.shape_of(name) or ()), MAX_ELEMENTS) * run.plan.numbers
