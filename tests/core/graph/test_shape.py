"""Paths and where they meet, on random graphs and on those with more paths than can be listed."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cadena.core.graph.document import Document, Node
from cadena.core.graph.shape import networkx_view, path_summary, paths
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import documents
from tests.thorough import tries

MAX_LISTED = 2_000  # paths that the tests list


def ladder(rungs: int) -> Document:
    """2 ** rungs paths from n0 to the last node."""
    nodes = {"n0": Node("n0", "input")}
    for i in range(rungs):
        nodes |= {f"{side}{i}": Node(f"{side}{i}", "sin", (f"n{i}",)) for side in "ab"}
        nodes[f"n{i + 1}"] = Node(f"n{i + 1}", "add", (f"a{i}", f"b{i}"))
    return Document(nodes)


@tries(60)
@given(documents(), st.randoms())
def test_the_count_and_the_nodes_on_every_path_are_those_of_the_list(document, random):
    source, target = (random.choice(list(document.nodes)) for _ in range(2))
    listed = [[]] if source == target else paths(document, source, target, MAX_LISTED)
    if len(listed) == MAX_LISTED:
        return
    found = path_summary(document, source, target)
    assert found.number == len(listed)
    inner = [{node for node, _ in path} - {target} for path in listed if source != target]
    on_all = set.intersection(*inner) if inner else set()
    assert set(found.through) == on_all
    if inner:
        assert list(found.through) == [node for node, _ in listed[0] if node in on_all]


def test_two_wires_between_two_nodes_are_two_paths():
    document = Document({"x": Node("x", "input"), "y": Node("y", "multiply", ("x", "x"))})
    assert paths(document, "x", "y") == [[("y", 0)], [("y", 1)]]
    assert path_summary(document, "x", "y") == (2, ())
    assert networkx_view(document).number_of_edges("x", "y") == 2


def test_more_paths_than_can_be_listed_are_counted():
    many = ladder(1000)
    assert len(paths(many, "n0", "n1000", limit=7)) == 7
    number, through = path_summary(many, "n0", "n1000")
    assert number == 2**1000 and through == tuple(f"n{i}" for i in range(1, 1000))


def test_lesson_1_by_hand():
    """a1 -> m1 -> b1 -> m3 -> c -> L and a1 -> b2 -> m4 -> c -> L."""
    document = open_lesson("1")
    assert path_summary(document, "a1", "L") == (2, ("c",))
    assert path_summary(document, "w0", "L") == (1, ("m1", "b1", "m3", "c"))
    assert path_summary(document, "L", "L") == (1, ())
    assert path_summary(document, "L", "a1") == (0, ())
