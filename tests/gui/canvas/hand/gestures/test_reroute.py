"""Wires dragged to where they are to go through, with a real hand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.graph.reroutes import points_of
from tests.gui.mouse import drag_to
from tests.gui.user import settle

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
WIRE = ("b2", 0)


def middle(user) -> QPoint:
    path = user.canvas.places.wire("w2", *WIRE)
    return user.canvas.camera.to_view(path.pointAtPercent(0.5)).toPoint()


def bend(user, way: QPoint) -> QPoint:
    """Drag the wire from its middle; where it was dropped."""
    start = middle(user)
    user.drag(start, start + way)
    settle()
    return start + way


@pytest.fixture
def bent(user):
    """Where the point of a bent wire is."""
    return bend(user, QPoint(4, 40))


def near(user, at: QPoint, place) -> bool:
    return (user.canvas.camera.to_view(QPointF(*place)) - QPointF(at)).manhattanLength() < 3.0


def test_a_dragged_wire_goes_through_where_it_was_dropped(user, bent):
    (point,) = points_of(user.session.document, WIRE)
    assert near(user, bent, point) and user.canvas.places.wire("w2", *WIRE).boundingRect().contains(QPointF(*point))
    assert user.session.history.undo_label == "Reroute a wire"
    user.press("Ctrl+Z")
    assert not points_of(user.session.document, WIRE) and not user.session.modified


def test_a_point_is_dragged_on_and_a_double_click_takes_it_out(user, bent):
    user.drag(bent, bent + QPoint(0, 20))
    (point,) = points_of(user.session.document, WIRE)
    assert near(user, bent + QPoint(0, 20), point)
    user.double_click(bent + QPoint(0, 20))
    assert points_of(user.session.document, WIRE) == ()


def test_esc_leaves_the_wire_as_it_was(user):
    start, document = middle(user), user.session.document
    QTest.mousePress(user.canvas, LEFT, NONE, start)
    drag_to(user.canvas, start + QPoint(0, 30))
    assert user.canvas.document is not document
    user.press("Esc")
    QTest.mouseRelease(user.canvas, LEFT, NONE, start + QPoint(0, 30))
    assert user.session.document is document and user.canvas.document is document


def test_a_click_on_a_wire_selects_it_and_changes_nothing(user):
    document = user.session.document
    user.click(middle(user))
    assert user.canvas.selected_wire == WIRE and user.session.document is document


def test_keys_take_the_points_out(user, bent):
    user.press("Alt+Shift+P")
    assert points_of(user.session.document, WIRE) == ()
    user.press("Ctrl+Z")
    user.canvas.commands.select_wire(None)
    user.session.select(["b2"])
    settle()
    user.press("Alt+Shift+P")
    assert points_of(user.session.document, WIRE) == ()
    assert not user.window.menus.action("graph.unroute").isEnabled()


def test_the_wire_can_be_seen_and_hit_where_it_was_rerouted(user):
    at = bend(user, QPoint(-150, 60))  # far from both of its cards
    hit = user.canvas.hit(QPointF(at))
    assert (hit.kind, hit.wire, hit.point) == ("reroute", WIRE, 0)
    area = user.canvas.camera.to_world(QPointF(at))
    rows = user.canvas.places.wires_in(type(user.canvas.places.card("b2"))(area, area).adjusted(-1, -1, 1, 1))
    assert user.canvas.places.row(*WIRE) in rows
