"""Wires go around cards, each on a lane of its own, and straight where nothing is in the way."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, Position
from cadena.core.graph.edits import move
from cadena.core.layout import routing
from cadena.core.layout.arrange import NUMBER_CARD
from cadena.core.rewriting.unfolding import unfold
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.hit_boxes import HitMap
from cadena.gui.canvas.rendering.wire_paths import curve


def geometry_of(document: Document) -> Geometry:
    plan = compile(document).plan
    return Geometry(document, dict(zip(plan.names, plan.shapes, strict=True)))


def points(geometry: Geometry, row: int) -> np.ndarray:
    path = geometry.path(row)
    return np.array([path.pointAtPercent(part).toTuple() for part in np.linspace(0.0, 1.0, 200)])


def hidden(geometry: Geometry) -> list[int]:
    """The wires that pass behind a card that is neither their source nor their target."""
    found = []
    for row, (source, target, _) in enumerate(geometry.wires.tolist()):
        x, y = points(geometry, row).T[:, :, None]
        left, top, right, bottom = np.delete(geometry.boxes, [source, target], axis=0).T
        if ((left < x) & (x < right) & (top < y) & (y < bottom)).any():
            found.append(row)
    return found


def in_a_row(middle: Position, y: Position = (600.0, 0.0)) -> Geometry:
    """x at the left, y at the right which reads x, and a card at the place `middle`."""
    nodes = (Node("x", "parameter", value=1.0), Node("m", "parameter", value=2.0), Node("y", "sin", ("x",)))
    return geometry_of(
        Document({node.name: node for node in nodes}, layout={"x": (0, 0), "m": middle, "y": y}, output="y")
    )


def test_long_wires_of_the_backward_graph_passed_behind_cards():
    assert hidden(geometry_of(open_lesson("18"))) == []
    assert hidden(geometry_of(unfold(open_lesson("18"), "dw0"))) == []


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: lesson.name)
def test_no_wire_of_a_lesson_passes_behind_a_card(lesson):
    assert hidden(geometry_of(open_lesson(lesson.name))) == []


def test_a_wire_with_nothing_in_its_way_is_the_plain_curve():
    geometry = in_a_row((300.0, 300.0))
    assert geometry.path(0) == curve(geometry.output_port("x"), geometry.input_port("y", 0))


@pytest.mark.parametrize("top", [-30.0, -20.0, 10.0])
def test_a_wire_takes_the_nearer_side_of_the_card_in_its_way(top):
    geometry = in_a_row((300.0, top))
    level = points(geometry, 0)[100, 1]
    card, port = geometry.card("m"), geometry.output_port("x").y()
    near, far = sorted((card.top(), card.bottom()), key=lambda edge: abs(edge - port))
    assert abs(level - near) >= routing.NEAR and abs(level - near) < abs(level - far)
    assert geometry.path(0).currentPosition() == geometry.input_port("y", 0)


def detours(geometry: Geometry) -> dict[int, routing.Detour]:
    return geometry.detours(range(len(geometry.wires)))


def test_lanes_of_different_nodes_do_not_lie_on_one_another():
    geometry = geometry_of(open_lesson("18"))
    found = [(geometry.wires[row, 0], lane) for row, way in detours(geometry).items() for lane in way.lanes]
    assert len(found) > 3
    for source, lane in found:
        for other, beside in found:
            apart = lane.end < beside.begin or beside.end < lane.begin
            assert source == other or apart or abs(lane.level - beside.level) >= routing.LANE - 1.0


def test_a_lane_is_not_laid_over_a_plain_wire():
    """In lesson 18 that of a1 ran along the wire of a2, and it could not be told which of them goes where."""
    geometry = geometry_of(open_lesson("18"))
    led = detours(geometry)
    for row, way in led.items():
        for other in set(range(len(geometry.wires))) - led.keys():
            if geometry.wires[row, 0] != geometry.wires[other, 0]:
                near = np.abs(points(geometry, other)[:, 1] - way.lanes[0].level) < 2.0
                assert near.mean() < 0.3


def test_a_wire_that_goes_around_is_found_where_it_is_seen():
    geometry = in_a_row((300.0, -20.0))
    place = QPointF(*points(geometry, 0)[100].tolist())
    assert HitMap(geometry).wire_at(place, 3.0) == ("y", 0)
    assert HitMap(geometry).wire_at(QPointF(360.0, geometry.output_port("x").y()), 3.0) is None


def scattered(count: int, seed: int) -> Document:
    """Cards anywhere, clear of each other, and sums of any two of those before."""
    random, places = np.random.default_rng(seed), list[np.ndarray]()
    width, height = NUMBER_CARD
    while len(places) < count:
        place = 8.0 * random.integers(0, 40 * round(count**0.5), 2)
        if all(abs(x) >= width + 60.0 or abs(y) >= height + 30.0 for x, y in (place - other for other in places)):
            places.append(place)
    nodes = {"n0": Node("n0", "parameter", value=1.0)}
    for number in range(1, count):
        inputs = tuple(f"n{source}" for source in random.integers(0, number, 2))
        nodes[f"n{number}"] = Node(f"n{number}", "add", inputs)
    return Document(nodes, layout={name: (x, y) for name, (x, y) in zip(nodes, places, strict=True)})


@pytest.mark.parametrize("count", [4, 8, 16, 40, 80])
def test_no_wire_passes_behind_a_card_wherever_cards_stand(count):
    """Wires that ran back, and those of graphs of 90 nodes and more, did."""
    for seed in range(max(40 // count, 1)):
        assert hidden(geometry_of(scattered(count, seed))) == []


def test_a_wire_that_runs_back_goes_around_its_own_cards():
    geometry = in_a_row((300.0, 300.0), y=(-40.0, 100.0))
    x, y = points(geometry, 0).T
    for name in ("x", "y"):
        inner = geometry.card(name).adjusted(2.0, 2.0, -2.0, -2.0)
        assert not ((inner.left() < x) & (x < inner.right()) & (inner.top() < y) & (y < inner.bottom())).any()


def large() -> Document:
    """Two thousand cards in rows, each reading one a row above and two columns before it."""
    nodes, places = {}, {}
    for number in range(2000):
        row, column = divmod(number, 50)
        reads = (f"n{number - 52}",) if row and column > 1 else ()
        nodes[f"n{number}"] = Node(f"n{number}", "sin", reads) if reads else Node(f"n{number}", "parameter", value=1.0)
        places[f"n{number}"] = (180.0 * column, 110.0 * row)
    return Document(nodes, layout=places)


def looks(monkeypatch) -> list[int]:
    """How many wires are looked at, each time, from now on."""
    looked, hidden_of = [], routing._hidden
    look = lambda curves, *rest: looked.append(len(curves)) or hidden_of(curves, *rest)  # noqa: E731
    monkeypatch.setattr(routing, "_hidden", look)
    return looked


def test_of_a_large_graph_only_the_wires_asked_for_are_looked_at(monkeypatch):
    looked, hidden_of = [], routing._hidden
    monkeypatch.setattr(
        routing, "_hidden", lambda curves, *rest: looked.append(len(curves)) or hidden_of(curves, *rest)
    )
    geometry = geometry_of(large())
    rows = geometry.wires_in(QRectF(3000.0, 1500.0, 800.0, 500.0))
    assert 10 < len(rows) < 100 and sum(looked) < 300
    few = sum(looked)
    geometry.wires_in(QRectF(3010.0, 1500.0, 800.0, 500.0))
    assert sum(looked) < few + 20
    assert geometry.detours(range(len(geometry.wires))) == {}  # nobody could follow one of so many


def test_a_moved_card_makes_only_the_wires_near_it_look_for_new_ways(monkeypatch):
    document, area = large(), QRectF(3000.0, 1500.0, 800.0, 500.0)
    geometry = geometry_of(document)
    rows = geometry.wires_in(area)
    moved = move(document, {"n820": (3640.0, 1770.0)})
    dragged, dropped, fresh = geometry.moved(moved), geometry.moved(moved), geometry_of(moved)
    looked, hidden_of = [], routing._hidden
    monkeypatch.setattr(
        routing, "_hidden", lambda curves, *rest: looked.append(len(curves)) or hidden_of(curves, *rest)
    )
    dragged.keep_detours_of(geometry, in_drag=True)
    dragged.wires_in(area)
    assert sum(looked) < 12
    dropped.keep_detours_of(dragged, in_drag=False)
    assert dropped.detours(rows) == fresh.detours(rows) != {}


def test_a_wire_on_a_lane_is_looked_for_where_its_curve_would_not_be():
    geometry = in_a_row((300.0, 0.0))
    ((level, _, _),) = detours(geometry)[0].lanes
    around = QRectF(300.0, level - 5.0, 10.0, 10.0)
    assert geometry.curves_in(np.array([0]), around).tolist() == [0]
    assert geometry.curves_in(np.empty(0, dtype=np.intp), around).tolist() == []
