"""Automatic placement: nothing overlaps, wires run to the right, and few of them cross."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import networkx
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.expressions.editing import rewritten
from cadena.core.expressions.reading import parse
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.order import order
from cadena.core.graph.shape import networkx_view
from cadena.core.layout import arrange as layout
from cadena.core.layout.arrange import (
    NUMBER_CARD,
    PITCH,
    TENSOR_WIDTHS,
    arrange,
    card_sizes,
    complete,
    complete_at,
    complete_before,
    tensor_card,
    uncovered,
)
from cadena.core.layout.columns import crossings
from cadena.core.layout.heights import CARD_GAP
from cadena.core.teaching.lessons import open_lesson
from tests.core.graph.test_order import wirings
from tests.core.graphs import chain, documents, graph, mlp, wide
from tests.thorough import tries


def boxes(document: Document, sizes: dict[str, tuple[float, float]] | None = None) -> np.ndarray:
    """Left, top, right, bottom of each card."""
    sizes = sizes or card_sizes(document)
    return np.array([(x, y, x + sizes[n][0], y + sizes[n][1]) for n, (x, y) in document.layout.items()]).reshape(-1, 4)


def overlaps(cards: np.ndarray, gap: float = 0.0) -> int:
    """How many pairs of cards overlap or come nearer than `gap`."""
    left, top, right, bottom = cards.T
    across = (left[:, None] < right + gap) & (left < right[:, None] + gap)
    return int(np.sum(across & (top[:, None] < bottom + gap) & (top < bottom[:, None] + gap)) - len(cards)) // 2


def drawn_crossings(document: Document, layout: dict[str, tuple[float, float]]) -> int:
    wires = {(source, node.name) for node in document.nodes.values() for source in node.inputs}
    return crossings(*np.array([(*layout[a], *layout[b]) for a, b in sorted(wires)]).T)


# --- a whole layout


@tries(40)
@given(documents())
def test_cards_keep_their_distance_and_consumers_stand_right_of_their_operands(document):
    arranged, sizes = arrange(document), card_sizes(document)
    assert list(arranged.layout) == list(document.nodes)
    assert overlaps(boxes(arranged), CARD_GAP - 1) == 0  # places are whole numbers
    for node in document.nodes.values():
        for source in node.inputs:
            x, width = arranged.layout[source][0], sizes[source][0]
            assert arranged.layout[node.name][0] >= x + width
            if sizes[source] == sizes[node.name] == NUMBER_CARD:
                assert arranged.layout[node.name][0] - x >= PITCH - (max(TENSOR_WIDTHS) - NUMBER_CARD[0])
    assert replace(arranged, layout=document.layout) == document


@tries(40)
@given(wirings())
def test_cyclic_and_broken_documents_are_laid_out_too(document):
    arranged = arrange(document)
    assert set(arranged.layout) == set(document.nodes)
    assert overlaps(boxes(arranged), CARD_GAP - 1) == 0


@tries(40)
@given(documents(), st.data())
def test_cards_of_any_size_do_not_overlap(document, data):
    length = st.integers(10, 400)
    sizes = {name: (float(data.draw(length)), float(data.draw(length))) for name in document.nodes}
    assert overlaps(boxes(arrange(document, sizes), sizes), CARD_GAP - 1) == 0


def test_places_are_whole_numbers_from_the_top_left_corner_on():
    places = np.array(list(arrange(wide(60, leaves=8)).layout.values()))
    assert np.array_equal(places, np.round(places)) and places.min(axis=0).tolist() == [0, 0]


def test_a_layout_does_not_depend_on_chance_or_on_an_earlier_layout():
    document = wide(80, leaves=10)
    once = arrange(document)
    assert arrange(document) == once == arrange(replace(document, layout={"w0": (5.0, 5.0)}))


def test_an_empty_document_and_a_single_node_are_laid_out():
    assert arrange(Document({})).layout == {} and complete(Document({})).layout == {}
    assert arrange(graph(x=1.0)).layout == {"x": (0, 0)}


def test_a_chain_is_a_straight_line():
    places = list(arrange(chain(12)).layout.values())
    assert places == [(i * PITCH, 0) for i in range(13)]


def test_a_long_chain_wraps_into_rows_that_fill_a_canvas():
    text = "; ".join(["y0 = 1", *(f"y{at} = sin(y{at - 1})" for at in range(1, 201))])
    layout = arrange(parse(text)).layout
    (left, top), (right, bottom) = (tuple(edge(axis) for axis in zip(*layout.values())) for edge in (min, max))
    assert 1.5 < (right - left + NUMBER_CARD[0]) / (bottom - top + NUMBER_CARD[1]) < 3.0
    rows = [[name for name in layout if layout[name][1] == y] for y in sorted({y for _, y in layout.values()})]
    assert [name for row in rows for name in row] == [f"y{at}" for at in range(201)]
    for row in rows:
        assert [layout[name][0] for name in row] == sorted(layout[name][0] for name in row)


def test_a_node_is_centred_on_its_operands():
    document = arrange(graph(a=1.0, b=2.0, y=("add", "a", "b")))
    assert document.layout["y"][1] == (document.layout["a"][1] + document.layout["b"][1]) / 2
    assert document.layout["a"][1] < document.layout["b"][1]  # as the slots are


def test_a_leaf_stands_next_to_the_node_that_it_feeds():
    nodes = chain(6).nodes | {"w": Node("w", "parameter", value=1.0), "y": Node("y", "add", ("n5", "w"))}
    layout = arrange(Document(nodes, output="y")).layout
    assert layout["w"][0] == layout["n5"][0] == layout["y"][0] - PITCH


def test_a_wide_card_left_the_one_before_it_alone_in_a_row():
    """The frame of an open block in SqueezeNet reached over the places where the first row could end."""
    boxes = [(200.0, 150.0)] * 6 + [(1500.0, 550.0)] + [(200.0, 150.0)] * 9
    places = layout.arranged(boxes, [(at, at + 1, 0.0) for at in range(15)], range(16))
    assert [at for at in range(1, 16) if places[at][0] <= places[at - 1][0]] == [7]


def test_parts_without_a_wire_between_them_stand_one_below_the_other_and_single_cards_in_rows():
    nodes = {name: Node(name, "parameter", value=1.0) for name in "abcdefgh"}
    nodes |= {"p": Node("p", "add", ("a", "b")), "q": Node("q", "add", ("c", "d"))}
    layout = arrange(Document(nodes)).layout
    bottom = [max(layout[name][1] for name in group) for group in ("abp", "cdq", "efgh")]
    top = [min(layout[name][1] for name in group) for group in ("abp", "cdq", "efgh")]
    assert bottom[0] < top[1] <= bottom[1] < top[2] == bottom[2]


def test_a_wire_that_passes_a_card_is_given_room():
    """n0 feeds y across the columns of n1 and n2; its wire must not run over their cards."""
    nodes = chain(3).nodes | {"y": Node("y", "add", ("n2", "n0"))}
    document = arrange(Document(nodes, output="y"))
    x, y = document.layout["n0"]
    (wide, high), (end_x, end_y) = NUMBER_CARD, document.layout["y"]
    start, end = y + high / 2, end_y + high * 2 / 3
    for name in ("n1", "n2"):
        left, top = document.layout[name]
        part = (np.linspace(left, left + wide, 9) - x - wide) / (end_x - x - wide)
        wire = start + (end - start) * part**2 * (3 - 2 * part)
        assert np.all((wire < top) | (wire > top + high))


def test_tensors_get_larger_cards():
    document = arrange(mlp((3, 2, 2), 2))
    assert card_sizes(document)["z0"] == tensor_card((2, 2)) and card_sizes(document)["L"] == NUMBER_CARD
    assert overlaps(boxes(document), CARD_GAP - 1) == 0


@pytest.mark.parametrize("op", ["stack", "broadcast_to", "f"])
def test_an_array_that_is_made_of_single_numbers_has_a_tensor_s_card(op):
    made = {"stack": ("stack", "a", "b"), "broadcast_to": ("broadcast_to", "a", {"shape": [3]}), "f": ("f", "a")}
    body = Function(("x",), graph(y=("broadcast_to", "x", {"shape": [3]})).nodes, "y")
    document = replace(graph(a=1.0, b=2.0, y=made[op]), functions={"f": body})
    assert card_sizes(document) == {"a": NUMBER_CARD, "b": NUMBER_CARD, "y": tensor_card((3,))}


@pytest.mark.parametrize("number", ["1", "5"])
def test_a_lesson_laid_out_by_machine_has_hardly_more_crossings_than_by_hand(number):
    lesson = open_lesson(number)
    assert drawn_crossings(lesson, arrange(lesson).layout) <= drawn_crossings(lesson, lesson.layout) + 1


@pytest.mark.parametrize("seed", range(3))
def test_far_fewer_wires_cross_than_in_the_order_of_the_file(seed):
    document = wide(100, leaves=25, seed=seed)
    view = networkx.DiGraph(networkx_view(document))
    for layer, names in enumerate(networkx.topological_generations(view)):
        for name in names:
            view.nodes[name]["subset"] = layer
    plain = {name: tuple(at) for name, at in networkx.multipartite_layout(view, subset_key="subset").items()}
    assert drawn_crossings(document, arrange(document).layout) < 0.6 * drawn_crossings(document, plain)


def test_wires_that_close_a_cycle_are_ignored():
    nodes = {"a": Node("a", "add", (None, "c")), "b": Node("b", "sin", ("a",)), "c": Node("c", "sin", ("b",))}
    assert order(Document(nodes))[1]
    assert len({x for x, _ in arrange(Document(nodes)).layout.values()}) == 3


def test_thousands_of_steep_wires_do_not_drive_the_cards_apart():
    document = arrange(wide(3000, leaves=64))
    heights = [y for _, y in document.layout.values()]
    assert np.isfinite(heights).all() and max(heights) < 400 * (NUMBER_CARD[1] + CARD_GAP)


# --- completing a layout


@tries(40)
@given(documents(), st.data())
def test_completing_moves_nothing_and_covers_nothing(document, data):
    kept = data.draw(st.sets(st.sampled_from(list(document.nodes))))
    partial = replace(document, layout={name: at for name, at in arrange(document).layout.items() if name in kept})
    completed = complete(partial)
    assert set(completed.layout) == set(document.nodes)
    assert all(completed.layout[name] == partial.layout[name] for name in kept)
    assert overlaps(boxes(completed)) == 0


@tries(60)
@given(documents(), st.data())
def test_only_a_layout_in_which_arrays_cover_something_is_made_anew(document, data):
    places = st.tuples(st.integers(0, 900), st.integers(0, 900))
    placed = replace(document, layout={name: data.draw(places) for name in document.nodes})
    shown, are_arrays = uncovered(placed), any(wide > NUMBER_CARD[0] for wide, _ in card_sizes(document).values())
    assert (shown is not placed) == (are_arrays and overlaps(boxes(placed)) > 0)
    assert shown is placed or overlaps(boxes(shown)) == 0
    assert replace(shown, layout=placed.layout) == placed


def test_cards_laid_over_each_other_without_an_array_were_placed_anew():
    """The dot product of two numbers might have been one of arrays."""
    document = edits.move(graph(a=1.0, y=("dot", "a", "a")), {"a": (0.0, 0.0), "y": (0.0, 0.0)})
    assert uncovered(document) is document


def test_a_complete_layout_is_returned_as_it_is():
    document = arrange(graph(a=1.0, y=("sin", "a")))
    assert complete(document) is document


def test_places_of_nodes_that_are_not_there_survive():
    document = replace(graph(a=1.0, y=("sin", "a")), layout={"a": (0.0, 0.0), "gone": (9.0, 9.0)})
    assert complete(document).layout["gone"] == (9.0, 9.0)


def test_a_new_node_is_put_right_of_its_operands_or_left_of_its_consumers():
    document = edits.move(graph(a=1.0, y=("sin", "a")), {"a": (100, 50)})
    assert complete(document).layout["y"] == (100 + PITCH, 50)
    document = edits.move(graph(a=1.0, y=("sin", "a")), {"y": (100, 50)})
    assert complete(document).layout["a"] == (100 - PITCH, 50)


def test_a_node_whose_place_is_taken_is_put_just_above_or_below():
    document = graph(a=1.0, y=("sin", "a"), z=("cos", "a"))
    document = edits.move(document, {"a": (0, 0), "y": (PITCH, 0)})
    x, y = complete(document).layout["z"]
    assert x == PITCH and abs(y) == NUMBER_CARD[1] + CARD_GAP


def test_a_constant_that_came_with_its_operation_stood_below_the_whole_graph():
    document = graph(a=1.0, b=2.0, y=("sin", "a"), k=3.0, z=("add", "a", "k"))
    document = edits.move(document, {"a": (0, 0), "b": (0, 500), "y": (PITCH, 0)})
    made = complete(document)
    (x, y), (left, top) = made.layout["k"], made.layout["z"]
    assert left == PITCH and x == 0.0 and abs(y - top) < 2 * NUMBER_CARD[1]
    assert overlaps(boxes(made)) == 0


def test_operands_that_stand_beside_their_new_reader_left_no_room_before_it():
    document = graph(a=1.0, c=("relu", "a"), e=("exp", "a"), y=("add", "c", "e"))
    document = arrange(document)
    nodes = {**document.nodes, "n": Node("n", "add", ("c", "a")), "e": Node("e", "exp", ("n",))}
    made = complete_before(replace(document, nodes=nodes), "e")
    sizes = card_sizes(made)
    for source, target in (("c", "n"), ("n", "e"), ("e", "y")):
        assert made.layout[source][0] + sizes[source][0] < made.layout[target][0]
    assert overlaps(boxes(made)) == 0


def test_very_many_missing_nodes_are_put_below_the_rest():
    document = edits.move(wide(600, leaves=40), {"w0": (0, 0), "w1": (500, -300)})
    completed = complete(document)
    assert overlaps(boxes(completed)) == 0
    assert min(y for name, (_, y) in completed.layout.items() if name not in ("w0", "w1")) > 72


def test_a_graph_too_large_to_be_read_is_laid_out_quickly_and_without_overlaps(monkeypatch):
    monkeypatch.setattr(layout, "MAX_SETTLED", 100)
    document = layout.arrange(wide(500))
    assert len(set(document.layout.values())) == len(document.nodes)
    for node in document.nodes.values():
        for source in node.inputs:
            assert document.layout[str(source)][0] < document.layout[node.name][0]


def test_a_card_at_the_end_of_the_numbers_overflowed_in_every_paint():
    document = edits.move(graph(a=1.0, y=("sin", "a")), {"a": (0.0, 0.0), "y": (1e308, -1e308)})
    completed = complete(document)
    assert completed.layout["a"] == (0.0, 0.0)
    assert completed.layout["y"] == (PITCH, 0.0)


@pytest.mark.parametrize(
    "text", ["exp(-(m3 - m4)) + softplus(q)", "15 - c", "exp(c) + 1", "k*w0", "q", "sin(sin(sin(c)))"]
)
@pytest.mark.parametrize("name", ["L", "c", "m3"])
def test_nodes_that_a_redefined_node_needs_stand_before_it(name, text):
    lesson = open_lesson("1")
    try:
        edited = rewritten(lesson, f"{name} = {text}", [name])
    except Refused:
        return  # it would depend on itself
    made = complete_before(edited, name)
    sizes = card_sizes(made)
    assert made.layout.keys() == made.nodes.keys()
    for source in set(made.nodes[name].inputs) - {"k"}:  # which stood to the right of most
        assert made.layout[source][0] + sizes[source][0] < made.layout[name][0]
    assert uncovered(made) == made
    boxes = [(*made.layout[one], *sizes[one]) for one in made.nodes]
    for (x, y, width, height), (other_x, other_y, other_width, other_height) in combinations(boxes, 2):
        assert (
            x + width <= other_x or other_x + other_width <= x or y + height <= other_y or other_y + other_height <= y
        )


@pytest.mark.parametrize("middle", [(0.0, 0.0), (300.0, 150.0), (5000.0, -4000.0)])
def test_nodes_that_come_together_are_placed_together_where_nothing_is_covered(middle):
    made = complete_at(parse("y = sigmoid(w*m1 + b)*w0; X = [[1, 2], [3, 4]]; Y = sin(X)", open_lesson("1")), middle)
    assert made.layout.keys() == made.nodes.keys() and uncovered(made) == made
    assert all(made.layout[name] == at for name, at in open_lesson("1").layout.items())


def test_nodes_that_come_to_an_empty_graph_are_arranged_around_the_place():
    made = complete_at(parse("L = (w*x + b - y)**2"), (0.0, 0.0))
    xs, ys = zip(*made.layout.values())
    assert min(xs) < 0 < max(xs) and min(ys) < 0 < max(ys)
