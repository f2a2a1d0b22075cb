"""Wires go around cards, each on a lane of its own, and straight where nothing is in the way."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, Position
from cadena.core.layout import routing
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


def in_a_row(middle: Position) -> Geometry:
    """x at the left, y at the right which reads x, and a card at the place `middle`."""
    nodes = (Node("x", "parameter", value=1.0), Node("m", "parameter", value=2.0), Node("y", "sin", ("x",)))
    return geometry_of(
        Document({node.name: node for node in nodes}, layout={"x": (0, 0), "m": middle, "y": (600, 0)}, output="y")
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


def test_lanes_of_different_nodes_do_not_lie_on_one_another():
    geometry = geometry_of(open_lesson("18"))
    levels = geometry._lanes
    rows = list(levels)
    for i, row in enumerate(rows):
        for other in rows[i + 1 :]:
            same = geometry.wires[row, 0] == geometry.wires[other, 0]
            apart = geometry.wire_ends[row, 2] < geometry.wire_ends[other, 0] or (
                geometry.wire_ends[other, 2] < geometry.wire_ends[row, 0]
            )
            assert same or apart or abs(levels[row] - levels[other]) >= routing.LANE - 1.0


def test_a_lane_is_not_laid_over_a_plain_wire():
    """In lesson 18 that of a1 ran along the wire of a2, and it could not be told which of them goes where."""
    geometry = geometry_of(open_lesson("18"))
    for row, level in geometry._lanes.items():
        for other in set(range(len(geometry.wires))) - geometry._lanes.keys():
            if geometry.wires[row, 0] != geometry.wires[other, 0]:
                near = np.abs(points(geometry, other)[:, 1] - level) < 2.0
                assert near.mean() < 0.3


def test_a_wire_that_goes_around_is_found_where_it_is_seen():
    geometry = in_a_row((300.0, -20.0))
    place = QPointF(*points(geometry, 0)[100].tolist())
    assert HitMap(geometry).wire_at(place, 3.0) == ("y", 0)
    assert HitMap(geometry).wire_at(QPointF(360.0, geometry.output_port("x").y()), 3.0) is None


def test_a_large_graph_is_not_kept_waiting_for_lanes(monkeypatch):
    monkeypatch.setattr(routing, "points_on", lambda *_: pytest.fail("its curves were looked at"))
    count = 3000
    nodes = {"x": Node("x", "parameter", value=1.0)}
    nodes |= {f"y{i}": Node(f"y{i}", "sin", ("x",)) for i in range(count)}
    geometry = geometry_of(Document(nodes, layout={name: (200.0 * i, 0.0) for i, name in enumerate(nodes)}))
    assert geometry._lanes == {}


def test_a_wire_on_a_lane_is_looked_for_where_its_curve_would_not_be():
    geometry = in_a_row((300.0, 0.0))
    (level,) = geometry._lanes.values()
    around = QRectF(300.0, level - 5.0, 10.0, 10.0)
    assert geometry.curves_in(np.array([0]), around).tolist() == [0]
    assert geometry.curves_in(np.empty(0, dtype=np.intp), around).tolist() == []
