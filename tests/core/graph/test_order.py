"""Order, cycles and ancestors, on random graphs and on very long ones."""

from __future__ import annotations

import itertools

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node
from cadena.core.graph.shape import networkx_view
from tests.core.graphs import chain, documents
from tests.thorough import tries

NAMES = [f"n{i}" for i in range(7)]


@st.composite
def wirings(draw: st.DrawFn) -> Document:
    """Any wiring of a few nodes, cycles and wires from nowhere included."""
    sources = st.lists(st.sampled_from([*NAMES, None, "elsewhere"]), max_size=3)
    return Document({name: Node(name, "add", tuple(draw(sources))) for name in draw(st.permutations(NAMES))})


def edges(document: Document) -> set[tuple[str, str]]:
    return {(s, node.name) for node in document.nodes.values() for s in node.inputs if s in document.nodes}


@tries(40)
@given(documents())
def test_operands_come_before_their_consumers(document):
    ordered, cycles = graph.order(document)
    place = {name: i for i, name in enumerate(ordered)}
    assert not cycles and sorted(ordered) == sorted(document.nodes)
    assert all(place[source] < place[target] for source, target in edges(document))


@tries(40)
@given(documents(), st.randoms())
def test_the_order_does_not_rely_on_the_order_of_the_file(document, random):
    names = list(document.nodes)
    random.shuffle(names)
    shuffled = Document({name: document.nodes[name] for name in names})
    ordered, cycles = graph.order(shuffled)
    place = {name: i for i, name in enumerate(ordered)}
    assert not cycles and all(place[source] < place[target] for source, target in edges(document))


@tries(150)
@given(wirings())
def test_cycles_are_reported_exactly_when_there_are_some_and_are_paths_along_wires(document):
    ordered, cycles = graph.order(document)
    assert sorted(ordered) == sorted(NAMES)
    assert bool(cycles) != networkx.is_directed_acyclic_graph(networkx.DiGraph(list(edges(document))))
    for path in cycles:
        assert path[0] == path[-1] and len(path) == len(set(path)) + 1
        assert all(step in edges(document) for step in itertools.pairwise(path))


@tries(60)
@given(wirings())
def test_without_the_nodes_of_the_reported_cycles_no_cycle_is_left(document):
    on_cycle = {name for path in graph.order(document)[1] for name in path}
    rest = [edge for edge in edges(document) if not on_cycle & set(edge)]
    assert networkx.is_directed_acyclic_graph(networkx.DiGraph(rest))


@tries(60)
@given(wirings(), st.sampled_from(NAMES), st.sampled_from(NAMES))
def test_a_wire_is_said_to_close_a_cycle_exactly_when_it_does(document, source, target):
    path = graph.cycle_by_connecting(document, source, target)
    way_back = networkx.DiGraph(list(edges(document)))
    way_back.add_nodes_from(NAMES)
    assert (path is not None) == networkx.has_path(way_back, target, source)
    if path is not None:
        assert path[0] == path[-1] == source and path[1] == target
        assert all(step in edges(document) for step in itertools.pairwise(path[1:]))


@given(wirings(), st.sampled_from(NAMES))
def test_ancestors_and_descendants_are_all_nodes_with_a_way(document, name):
    view = networkx_view(document)
    assert graph.ancestors(document, name) == networkx.ancestors(view, name) | {name}
    assert graph.descendants(document, name) == networkx.descendants(view, name) | {name}


@pytest.mark.parametrize("backwards", [False, True])
def test_a_very_long_chain_is_ordered_without_recursion(backwards):
    document = chain(50_000)
    if backwards:
        document = Document(dict(reversed(document.nodes.items())))
    ordered, cycles = graph.order(document)
    assert not cycles and ordered[0] == "x" and ordered[-1] == "n49999"


def test_a_cycle_of_many_thousand_nodes_is_one_path():
    nodes = dict(chain(30_000).nodes)
    nodes["n0"] = Node("n0", "sin", ("n29999",))
    _, cycles = graph.order(Document(nodes))
    assert [len(path) for path in cycles] == [30_001]
