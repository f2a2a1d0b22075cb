"""What lies under a point, on graphs small and large."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.layout.arrange import arrange, tensor_card
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.geometry import NUMBER_CARD, Geometry
from cadena.gui.canvas.rendering.hit_boxes import EMPTY, PORT_INSIDE, PORT_REACH_MOST, Hit, HitMap, hit
from tests.core.graphs import wide
from tests.effort import effort
from tests.gui.canvas.real_hand import leaf, small_graph


def hits_of(document: Document, **shapes) -> HitMap:
    return HitMap(Geometry(document, {name: shapes.get(name, ()) for name in document.nodes}))


@pytest.fixture
def hits() -> HitMap:
    return hits_of(small_graph())


@pytest.mark.parametrize(
    ("x", "y", "met"),
    [
        (260, 70, Hit("name", "m")),
        (290, 108, Hit("value", "m")),
        (220, 108, Hit("node", "m")),  # the label of the value
        (260, 135, Hit("node", "m")),
        (336, 108, Hit("output_port", "m")),
        (346, 112, Hit("output_port", "m")),  # beside the card, a port takes more than
        (330, 108, Hit("output_port", "m")),
        (325, 108, Hit("value", "m")),  # on it, where the number stands
        (200, 93, Hit("input_port", "m", 0)),
        (195, 122, Hit("input_port", "m", 1)),
        (-50, -50, EMPTY),
        (260, 300, EMPTY),
    ],
)
def test_each_part_of_a_card_is_met(hits, x, y, met):
    assert hits.at(QPointF(x, y), 1.0) == met


def test_the_camera_is_taken_into_account(hits):
    assert hit(hits, Camera(200.0, 50.0, 2.0), QPointF(120, 40)) == Hit("name", "m")


def test_every_point_of_every_wire_is_met_unless_a_card_is_there(hits):
    geometry = hits.geometry
    for source, target, slot in (("w0", "m", 0), ("x0", "m", 1), ("m", "y", 0), ("w1", "y", 1)):
        curve = geometry.wire(source, target, slot)
        for share in np.linspace(0.2, 0.8, 13):
            at = curve.pointAtPercent(float(share)) + QPointF(0.0, 3.0)
            assert hits.at(at, 1.0).wire == (target, slot)


def test_the_nearer_of_two_wires_is_met(hits):
    geometry = hits.geometry
    at = geometry.wire("m", "y", 0).pointAtPercent(0.5)
    assert hits.wire_at(at, 500.0) == ("y", 0)


def test_ports_are_easy_to_meet_from_afar_but_leave_room_for_the_card(hits):
    port = hits.geometry.output_port("m")
    assert hits.at(port + QPointF(PORT_REACH_MOST - 1, 0), 0.2).kind == "output_port"
    assert hits.at(port - QPointF(PORT_INSIDE + 1, 0), 0.2).card == "m"


def test_the_last_card_lies_on_top_and_covers_ports():
    document = edits.add(leaf("a", 1.0), "parameter", (100, 10), "b")
    hits = hits_of(document)
    assert hits.at(QPointF(110, 20), 1.0).node == "b"
    assert hits.at(QPointF(132, 46), 1.0) == Hit("node", "b")  # the output port of a lies below
    assert hits.at(QPointF(50, 10), 1.0) == Hit("name", "a")


def test_ports_are_where_they_are_painted():
    document = edits.add(small_graph(), "matmul", (600, 0), "p")
    hits = hits_of(document, w0=(2, 2))
    ports = [port for name in document.nodes for port in hits.geometry.ports_of(name)]
    for port in ports:
        assert hits.nearest_port(hits.place(port), 1.0) == port
    assert len(ports) == len(document.nodes) + 2 + 2 + 1 + 2


def test_a_leaf_has_no_input_and_a_node_with_too_many_wires_can_be_met():
    nodes = {"a": Node("a", "input", value=as_value(1.0)), "s": Node("s", "sin", inputs=("a", "a", "a"))}
    hits = hits_of(Document(nodes=nodes, layout={"a": (0, 0), "s": (300, 0)}))
    assert hits.geometry.ports_of("a") == [("a", None)]
    assert hits.at(QPointF(210, 44), 1.0).kind == "wire"


def test_a_card_of_an_array_is_larger():
    document = leaf("a", as_value([1.0, 2.0]))
    assert hits_of(document, a=(2,)).at(QPointF(*tensor_card((2,))) - QPointF(20, 4), 1.0).card == "a"
    assert hits_of(document).at(QPointF(*tensor_card((2,))) - QPointF(20, 4), 1.0) == EMPTY
    assert hits_of(document, a=(2,)).at(QPointF(20, 50), 1.0) == Hit("value", "a")


def test_cards_in_a_rectangle(hits):
    assert hits.cards_in(QRectF(-10, -10, 20, 140)) == {"w0", "x0"}
    assert hits.cards_in(QRectF(-100, -100, 10, 10)) == frozenset()


def test_nothing_is_met_in_an_empty_graph():
    hits = hits_of(Document(nodes={}))
    assert hits.at(QPointF(0, 0), 1.0) == EMPTY
    assert hits.cards_in(QRectF(-1e6, -1e6, 2e6, 2e6)) == frozenset()


def test_ten_thousand_nodes_answer_at_once():
    nodes, layout = {"n0": Node("n0", "input", value=1.0)}, {"n0": (0.0, 0.0)}
    for number in range(1, 10_000):
        name = f"n{number}"
        nodes[name] = Node(name, "add", inputs=(f"n{number - 1}", f"n{number // 2}"))
        layout[name] = (number % 100 * 160.0, number // 100 * 100.0)
    hits = hits_of(Document(nodes=nodes, layout=layout))
    assert hits.at(QPointF(5 * 160.0 + 60, 310.0), 1.0) == Hit("name", "n305")
    for number in range(20):
        place = QPointF(number * 700.0, 90.0)
        hits.at(place, 1.0)  # the picture has found the ways of wires around cards before the mouse is there
        assert effort(lambda place=place: hits.at(place, 1.0)) < 10_000, "there is a loop over all nodes"


def test_after_an_edit_of_ten_thousand_nodes_the_mouse_was_held_up():
    """Its first move made the ports of all cards, and went along each wire whose bounds it was in."""
    hits = hits_of(arrange(wide(10_000, leaves=1250)))
    bounds = hits.geometry.bounds()
    hits.at(bounds.center(), 1.0)  # what is imported or computed once
    for share in np.linspace(0.1, 0.9, 9):
        place = bounds.topLeft() + QPointF(0.4 * bounds.width(), share * bounds.height())
        fresh = HitMap(hits.geometry)
        assert effort(lambda place=place, hits=fresh: hits.at(place, 0.05)) < 10_000, "it goes through all near it"


def test_a_number_card_is_as_large_as_it_is_painted(hits):
    assert hits.geometry.card("m").size().toTuple() == NUMBER_CARD
