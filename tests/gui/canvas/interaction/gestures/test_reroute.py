"""Wires dragged to where they are to go through, with a real hand."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.graph.reroutes import points_of
from cadena.gui.canvas.interaction.placement import GRID
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
    user.do("graph.unroute")
    assert points_of(user.session.document, WIRE) == ()
    user.press("Ctrl+Z")
    user.canvas.commands.select_wire(None)
    user.session.select(["b2"])
    settle()
    user.do("graph.unroute")
    assert points_of(user.session.document, WIRE) == ()
    assert not user.window.menus.action("graph.unroute").isEnabled()


def test_the_wire_can_be_seen_and_hit_where_it_was_rerouted(user):
    at = bend(user, QPoint(-150, 60))  # far from both of its cards
    hit = user.canvas.hit(QPointF(at))
    assert (hit.kind, hit.wire, hit.point) == ("reroute", WIRE, 0)
    area = user.canvas.camera.to_world(QPointF(at))
    rows = user.canvas.places.wires_in(type(user.canvas.places.card("b2"))(area, area).adjusted(-1, -1, 1, 1))
    assert user.canvas.places.row(*WIRE) in rows


# --- by keys


@pytest.fixture
def by_keys(user):
    """A user whose keys have selected the wire from w2 to b2."""
    user.session.select(["w2"])
    user.canvas.setFocus()
    user.do("go.wire")
    assert user.canvas.selected_wire == WIRE
    return user


def points(user):
    return points_of(user.session.document, WIRE)


def test_a_point_is_made_and_moved_and_taken_out_by_keys(by_keys):
    said = []
    by_keys.session.message.connect(said.append)
    by_keys.do("graph.reroute")
    ((x, y),) = points(by_keys)
    start, end = by_keys.canvas.places.output_port("w2"), by_keys.canvas.places.input_port(*WIRE)
    assert (x, y) == ((start.x() + end.x()) / 2, (start.y() + end.y()) / 2)
    assert said == ["Point 1 of 1 on w2 → b2: arrows move it, Del takes it out"]
    by_keys.press("Down")
    by_keys.press("Shift+Right")
    assert points(by_keys) == ((x + 5 * GRID, y + GRID),) and by_keys.session.time == 0.0
    by_keys.press("Ctrl+Left")
    assert points(by_keys) == ((x + 5 * GRID - 1.0, y + GRID),)
    by_keys.press("Del")
    assert points(by_keys) == () and by_keys.canvas.selected_wire == WIRE
    assert by_keys.session.history.undo_label == "Take out a reroute point"


def test_each_point_of_a_wire_is_reached_by_keys_and_esc_goes_back(by_keys):
    for _ in range(3):
        by_keys.do("graph.reroute")
    first, _, _ = points(by_keys)
    wiring = by_keys.canvas.commands.wiring
    reached = []
    for _ in range(4):
        by_keys.do("graph.reroute-next")
        reached.append(wiring.point)
    assert sorted(reached[:3]) == [0, 1, 2] and reached[3] == reached[0]
    while wiring.point != 0:
        by_keys.do("graph.reroute-next")
    by_keys.press("Up")
    assert points(by_keys)[0] == (first[0], first[1] - GRID)
    assert by_keys.canvas.decorations.point == QPointF(*points(by_keys)[0])
    by_keys.press("Esc")
    assert wiring.point is None and by_keys.canvas.selected_wire == WIRE
    by_keys.press("Esc")
    assert by_keys.canvas.selected_wire is None and by_keys.session.selection == {"w2"}


def test_arrows_step_through_time_again_when_no_point_is_marked(by_keys):
    by_keys.do("graph.reroute")
    by_keys.press("Esc")
    before = points(by_keys)
    by_keys.press("Right")
    assert points(by_keys) == before and by_keys.session.playback.playing
    by_keys.session.playback.pause()


def test_a_point_is_undone_and_the_keys_that_moved_it_find_none(by_keys):
    by_keys.do("graph.reroute")
    by_keys.press("Ctrl+Z")
    assert points(by_keys) == () and by_keys.canvas.commands.wiring.point is None
    by_keys.press("Ctrl+Down")
    assert points(by_keys) == ()
