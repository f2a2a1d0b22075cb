"""The arrays say the same as the single questions, and nothing that is seen is missed."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields
from PySide6.QtCore import QPointF, QRectF

from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.layout.arrange import SLOT_PITCH, arrange, card_sizes, tensor_card
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, Geometry
from cadena.gui.canvas.rendering.wire_paths import curve
from tests.core.graphs import chain, wide
from tests.gui.canvas.pictures import faulty, graph, operation, parameter, random_graph, scene
from tests.thorough import tries

pytestmark = pytest.mark.usefixtures("qapp")
coordinates = st.floats(-2000, 2000)


@pytest.fixture(scope="module")
def geometry() -> Geometry:
    return scene(faulty()).geometry


def test_boxes_are_the_cards_and_ends_the_ports(geometry):
    for name, number in geometry.numbers.items():
        card = geometry.card(name)
        assert geometry.boxes[number].tolist() == [card.left(), card.top(), card.right(), card.bottom()]
    for (source, target, slot), ends in zip(geometry.wires.tolist(), geometry.wire_ends.tolist()):
        start = geometry.output_port(geometry.names[source])
        end = geometry.input_port(geometry.names[target], slot)
        assert ends == pytest.approx([start.x(), start.y(), end.x(), end.y()])


def test_the_path_of_a_row_is_the_wire(geometry):
    for row, (source, target, slot) in enumerate(geometry.wires.tolist()):
        wire = geometry.wire(geometry.names[source], geometry.names[target], slot)
        for part in (0.0, 0.3, 1.0):
            apart = geometry.path(row).pointAtPercent(part) - wire.pointAtPercent(part)
            assert apart.manhattanLength() < 1e-6


@given(coordinates, coordinates, st.floats(1, 900), st.floats(1, 600))
@tries(40)
def test_no_card_and_no_wire_that_is_seen_is_missed(x, y, width, height):
    geometry, area = scene(faulty()).geometry, QRectF(x, y, width, height)
    cards = {name for name in geometry.names if geometry.card(name).intersects(area)}
    assert cards <= {geometry.names[number] for number in geometry.cards_in(area)}
    found = set(geometry.wires_in(area).tolist())
    for row in range(len(geometry.wires)):
        points = [geometry.path(row).pointAtPercent(part / 40) for part in range(41)]
        if any(area.contains(point) for point in points):
            assert row in found


@given(coordinates, coordinates)
def test_a_wire_runs_from_its_start_to_its_end_and_enters_from_the_left(dx, dy):
    path = curve(QPointF(0.0, 0.0), QPointF(dx, dy))
    assert path.pointAtPercent(0.0) == QPointF(0.0, 0.0)
    assert (path.pointAtPercent(1.0) - QPointF(dx, dy)).manhattanLength() < 1e-6
    assert path.pointAtPercent(0.01).x() > 0.0
    assert path.pointAtPercent(0.99).x() < dx


def test_a_small_move_bends_a_wire_only_a_little():
    middles = [curve(QPointF(), QPointF(dx, 5.0)).pointAtPercent(0.25) for dx in np.arange(-200.0, 200.0, 1.0)]
    assert all((b - a).manhattanLength() < 6.0 for a, b in pairwise(middles))


@pytest.mark.parametrize("count", [30, 400])
def test_bounds_hold_the_wires_from_one_row_of_cards_to_the_next(count):
    """They ran along the very edge of the view, or beyond."""
    geometry = Geometry(arrange(chain(count)), {})
    backward = [row for row, (x1, _, x2, _) in enumerate(geometry.wire_ends.tolist()) if x2 < x1]
    assert backward and all(geometry.bounds().contains(geometry.path(row).boundingRect()) for row in backward)


def test_bounds_hold_every_card_and_the_flag_of_the_output(geometry):
    bounds = geometry.bounds()
    assert all(bounds.contains(geometry.card(name)) for name in geometry.names)
    assert bounds.right() > geometry.card("y").right() + 80.0
    assert geometry.bounds(["x"]).contains(geometry.card("x"))
    assert geometry.bounds([]).isNull()


def test_dragging_a_card_reads_the_wiring_only_once():
    document = random_graph(500)
    first = Geometry(document, {})
    moved = first.moved(edits.move(document, {"n3": (5.0, 5.0)}))
    assert moved.wires is first.wires
    assert moved.boxes is not first.boxes


def joined(count: int):
    """A concatenation of `count` operands."""
    nodes = [parameter(f"x{index}", [1.0, 2.0]) for index in range(max(count, 1))]
    return graph(*nodes, operation("y", "concatenate", *(f"x{index}" for index in range(count))), output="y")


@pytest.mark.parametrize("count", [0, 1, 2, 9, 30])
def test_a_card_grows_so_that_its_ports_can_be_told_apart(count):
    geometry = scene(joined(count)).geometry
    places = [geometry.input_port("y", slot).y() for slot in range(count + 1)]
    card = geometry.card("y")
    assert all(low - high >= SLOT_PITCH for high, low in pairwise([card.top(), *places, card.bottom()]))
    assert card.height() == max(tensor_card((2 * count,))[1] if count else NUMBER_CARD[1], SLOT_PITCH * (count + 2))
    assert card_sizes(geometry.document)["y"] == card.size().toTuple()


def test_boxes_of_cards_with_many_ports_are_the_cards_too():
    geometry = scene(joined(20)).geometry
    for name, number in geometry.numbers.items():
        assert geometry.boxes[number].tolist() == list(geometry.card(name).getCoords())


@pytest.mark.parametrize("nodes", [30, 300])  # with lanes, and without
def test_what_moves_or_takes_another_value_is_where_it_would_be_in_a_new_document(nodes):
    document = arrange(wide(nodes, leaves=10))
    before = Geometry(document, {})
    before.bounds(), before.card("w1"), before.wires_in(before.bounds())
    name = document.output
    for other in (edits.move(document, {"w1": (3000.0, 40.0), name: (7.0, 9.0)}), edits.set_value(document, "w1", 2.0)):
        after = before.for_values(other) if other.layout is document.layout else before.moved(other)
        fresh = Geometry(other, {})
        assert after.document is other and before.document is document
        for part in ("boxes", "wires", "wire_ends"):
            assert (getattr(after, part) == getattr(fresh, part)).all(), part
        assert after.names == fresh.names and after.bounds() == fresh.bounds() and after.card("w1") == fresh.card("w1")
        assert [after.path(row) for row in range(len(after.wires))] == [
            fresh.path(row) for row in range(len(fresh.wires))
        ]
        assert (after.wires_in(QRectF(0, 0, 500, 500)) == fresh.wires_in(QRectF(0, 0, 500, 500))).all()


def test_places_after_an_edit_are_those_that_are_made_anew():
    document = random_graph(300)
    shapes: dict = {}  # the same before and after: then cards stay where they were, unless one has other slots
    first = Geometry(document, shapes)
    leaf = next(iter(document.nodes))
    name = next(name for name, node in document.nodes.items() if len(node.inputs) == 2)
    connected = edits.connect(document, leaf, name, 0)
    higher = edits.with_nodes(document, with_fields(document.nodes[name], op="concatenate", inputs=(leaf,) * 9))
    moved = edits.move(connected, {name: (500.0, 7.0)})
    for after in (connected, higher, edits.remove(document, [name]), moved):
        twin, anew = Geometry.after(first, after, shapes), Geometry(after, shapes)
        for what in ("boxes", "wires", "wire_ends"):
            np.testing.assert_array_equal(getattr(twin, what), getattr(anew, what), what)


def test_a_large_graph_finds_its_places_after_an_empty_one_was_painted():
    empty, large = Geometry(Document({}), {}), random_graph(300)
    assert not len(empty.wires_in(empty.bounds()))
    np.testing.assert_array_equal(Geometry.after(empty, large, {}).boxes, Geometry(large, {}).boxes)
