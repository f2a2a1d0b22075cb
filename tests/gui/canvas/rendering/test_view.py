"""Where the view goes by itself: to what shall be seen, a little at a time, and on at the edges."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.gui.canvas.interaction.edge_pan import push
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.camera_path import revealing

VIEW = QSizeF(800, 600)


@given(st.floats(-5000, 5000), st.floats(-5000, 5000), st.floats(0.1, 3.0))
def test_what_is_revealed_is_seen(x, y, zoom):
    area = QRectF(x, y, 120, 72)
    assert revealing(Camera(0, 0, zoom), VIEW, area).visible(VIEW).adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(area)


def test_what_is_seen_already_moves_nothing():
    camera = Camera(10, 20, 1.5)
    assert revealing(camera, VIEW, QRectF(200, 200, 120, 72)) == camera


def test_of_what_is_too_large_the_beginning_is_seen():
    seen = revealing(Camera(), VIEW, QRectF(1000, 1000, 5000, 5000)).visible(VIEW)
    assert seen.contains(QPointF(1000, 1000))


@pytest.mark.parametrize(
    ("at", "way"),
    [((400, 300), (0, 0)), ((0, 300), (1, 0)), ((800, 300), (-1, 0)), ((400, -50), (0, 1)), ((900, 700), (-1, -1))],
)
def test_the_canvas_is_pushed_away_from_the_edge_that_is_reached(at, way):
    pushed = push(QPointF(*at), VIEW)
    assert ((pushed.x() > 0) - (pushed.x() < 0), (pushed.y() > 0) - (pushed.y() < 0)) == way


def test_further_out_is_faster_up_to_a_limit():
    assert push(QPointF(805, 300), VIEW).x() > push(QPointF(820, 300), VIEW).x() >= push(QPointF(9000, 300), VIEW).x()
    assert push(QPointF(9000, 300), VIEW).x() == push(QPointF(90000, 300), VIEW).x()


def test_what_is_pointed_to_is_lit_until_its_node_is_left_or_the_numbers_change(canvas, session):
    from cadena.core.graph import edits
    from cadena.core.graph.fault import Fault, Kind

    first, second = list(session.document.nodes)[:2]
    hint = Fault(first, Kind.LOST_DIGITS, "...", severity="hint")
    session.select([first])
    canvas.point_at(hint)
    assert canvas.scene.pointed == hint
    session.select([first, second])
    assert canvas.pointed == hint
    session.select([second])
    assert canvas.pointed is None
    session.select([first])
    canvas.point_at(hint)
    session.edit(lambda d: edits.set_value(d, first, 7.0), "Set")
    session.run_now()
    assert canvas.scene.pointed is None
