"""Paths and other properties of a graph's shape that a run does not need, computed by networkx."""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from cadena.core.graph.document import Document
from cadena.core.graph.order import order

if TYPE_CHECKING:
    import networkx  # 0.3 s to import: only when a question is asked

Wire = tuple[str, int]  # a node and the slot in which the wire ends


class PathSummary(NamedTuple):
    """The number of paths from one node to another, and the nodes between that all of them pass through, in order."""

    number: int
    through: tuple[str, ...]


def networkx_view(document: Document) -> networkx.MultiDiGraph:
    """The document as a networkx graph: an edge per wire, keyed by slot."""
    import networkx

    view = networkx.MultiDiGraph()
    view.add_nodes_from(document.nodes)
    view.add_edges_from(
        (source, node.name, slot)
        for node in document.nodes.values()
        for slot, source in enumerate(node.inputs)
        if source in document.nodes
    )
    return view


def paths(document: Document, source: str, target: str, limit: int = 100) -> list[list[Wire]]:
    """Up to `limit` paths from `source` to `target`, each by its wires; two wires between two nodes are two paths."""
    import networkx

    view = networkx_view(document)
    between = networkx.descendants(view, source) & networkx.ancestors(view, target) | {source, target}
    edge_paths = networkx.all_simple_edge_paths(view.subgraph(between), source, target)  # no time for dead ends
    return [[(node, slot) for _, node, slot in path] for path in islice(edge_paths, limit)]


def path_summary(document: Document, source: str, target: str) -> PathSummary:
    """Count the paths from `source` to `target`, however many there are, and name the nodes where all of them meet.

    The count goes once over the nodes in order; the nodes on every path are the dominators of `target`. `document` has
    no cycles.
    """
    import networkx

    counts = dict.fromkeys(document.nodes, 0) | {source: 1}
    for name in order(document)[0]:
        counts[name] += sum(counts.get(operand, 0) for operand in document.nodes[name].inputs if operand is not None)
    if not counts[target] or source == target:
        return PathSummary(counts[target], ())
    above = networkx.immediate_dominators(networkx_view(document), source)
    through = [above[target]]
    while through[-1] != source:
        through.append(above[through[-1]])
    return PathSummary(counts[target], tuple(reversed(through[:-1])))


def generations(document: Document, names: Collection[str]) -> dict[str, int]:
    """For each of `names`, none on a cycle, the number of wires on the longest path among them that leads to it."""
    import networkx

    layers = networkx.topological_generations(networkx_view(document).subgraph(names))
    return {name: depth for depth, layer in enumerate(layers) for name in layer}
