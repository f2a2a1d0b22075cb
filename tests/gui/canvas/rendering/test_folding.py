"""Folding in the window: where the step is and at a click chains unfold, gently, and no edit is made."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.expressions.reading import parse
from cadena.core.graph.edits import move
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.rendering.camera import Camera
from tests.gui import mouse
from tests.gui.mouse import drag_to
from tests.gui.user import settle

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CHAIN = "; ".join(f"y{at} = sin(y{at - 1}*w{at})" for at in range(1, 25))
LEAVES = "; ".join(f"w{at} = {1 + at / 100}" for at in range(1, 25))
TEXT = f"x = 1; v = 2; {LEAVES}; y0 = exp(x)*v; {CHAIN}; z = cos(y0); L = y24 + z*v + y0"
SMALL = "x = 1; a = exp(x); b = sin(a); c = cos(b); d = tanh(c); e = sin(d); L = e*a"


@pytest.fixture
def large(user):
    """A user at a graph of 79 nodes with one long chain, in reading size."""
    user.session.open(arrange(parse(TEXT)), None)
    user.window.resize(1200, 800)
    settle()
    user.canvas.set_camera(Camera(-60.0, 20.0, 1.0))
    yield user
    user.session.follow_steps = True


def rest(user):
    """Let the motion come to its end."""
    user.canvas.places  # noqa: B018 -- it begins when the picture is asked for
    user.canvas.folds.finish()
    settle()


def folds(user):
    return {name: len(chain.nodes) for name, chain in user.canvas.places.folds.items()}


def middle(user, name) -> QPoint:
    return user.canvas.camera.to_view(user.canvas.goal.card(name).center()).toPoint()


def test_a_large_graph_begins_folded_where_the_camera_follows(large):
    assert folds(large) == {"y24": 48}
    large.session.follow_steps = False
    rest(large)
    assert folds(large) == {}


def test_a_small_graph_folds_at_the_command_and_unfolds_at_the_next(user):
    user.session.open(arrange(parse(SMALL)), None)
    before = user.session.document
    assert folds(user) == {}
    user.press("Ctrl+Alt+L")
    rest(user)
    assert folds(user) == {"e": 3} and user.window.menus.action("view.fold-chains").isChecked()
    user.press("Ctrl+Alt+L")
    rest(user)
    assert folds(user) == {} and not user.window.menus.action("view.fold-chains").isChecked()
    assert user.session.document is before and not user.session.modified and not user.session.history.past


def test_the_choice_holds_until_another_graph_is_opened(large):
    large.press("Ctrl+Alt+L")
    assert folds(large) == {} or large.canvas.folds.choice is False
    large.session.open(arrange(parse(TEXT)), None)
    settle()
    assert folds(large) == {"y24": 48}


def test_what_the_step_needs_is_open_and_the_rest_is_folded_again_behind(large):
    session = large.session
    for index in range(len(session.timeline)):
        session.set_time(float(index))
        rest(large)
        places, step = large.canvas.places, session.timeline[index]
        for name in {step.node, step.operand or step.node, *session.document.nodes[step.node].inputs}:
            assert places.is_shown(name) and name not in places.folds, (index, name)
        assert len(places.shown_numbers) < 30, index


def test_the_picture_is_a_function_of_time(large):
    times = [3.0, 3.3, 20.2, 20.5, 60.1, 90.45, 20.5, 3.3]
    boxes = {}
    for time in times:
        large.session.set_time(time)
        rest(large)
        assert np.array_equal(boxes.setdefault(time, large.canvas.places.boxes), large.canvas.places.boxes)


def test_during_a_step_no_card_jumps(large):
    session, shown = large.session, []
    session.set_time(18.0)
    rest(large)
    for time in np.arange(18.0, 22.0, 0.02):
        session.set_time(float(time))
        shown.append(large.canvas.places.boxes)
    ways = np.abs(np.diff(shown, axis=0)).max(axis=(1, 2))
    assert ways.max() < 68.0 < np.abs(shown[-1] - shown[0]).max()


def test_a_click_unfolds_the_chain_under_the_mouse_and_escape_folds_it(large):
    at = middle(large, "y24")
    mouse.point_at(large.canvas, at)
    large.click(at)
    assert large.session.selection == {"y24"} and large.canvas.folds.before is not None
    way = [large.canvas.folds.share]
    rest(large)
    assert folds(large) == {} and way[0] < 1.0
    assert large.canvas.hit(QPointF(at)).card == "y24"
    large.press("Esc")
    rest(large)
    assert folds(large) == {"y24": 48} and large.canvas.hit(QPointF(at)).card == "y24"
    assert not large.session.history.past


def test_selecting_by_name_unfolds_and_shows_the_node(large):
    large.canvas.commands.go_to("y12")
    rest(large)
    card = large.canvas.camera.transform.mapRect(large.canvas.places.card("y12"))
    assert folds(large) == {} and large.canvas.rect().contains(card.toRect())


def test_with_reduced_motion_it_unfolds_at_once(large):
    large.session.reduce_motion = True
    large.click(middle(large, "y24"))
    assert large.canvas.folds.before is None and folds(large) == {}
    large.session.select(())
    large.session.set_time(20.4)
    assert large.canvas.places.moving is None


def test_dragging_a_folded_card_moves_its_chain_and_does_not_unfold_it(large):
    before = large.session.document
    start = middle(large, "y24")
    large.drag(start, start + QPoint(0, 160))
    rest(large)
    after = large.session.document
    assert folds(large) == {"y24": 48} and len(large.session.history.past) == 1
    moved = {name for name in before.layout if before.layout[name] != after.layout[name]}
    assert moved == set(large.canvas.places.folds["y24"].members)
    assert len({after.layout[name][1] - before.layout[name][1] for name in moved}) == 1


def test_a_card_beside_the_chain_stays_under_the_mouse_that_drags_it(large):
    canvas, start = large.canvas, middle(large, "L")
    QTest.mousePress(canvas, LEFT, NO_KEY, start)
    for way in ((-30, 40), (-60, 80), (-200, 120), (-300, 200)):
        at = start + QPoint(*way)
        drag_to(canvas, at)
        card = canvas.camera.to_view(canvas.places.card("L").center()).toPoint()
        assert (card - at).manhattanLength() <= 16, way  # of the grid
    QTest.mouseRelease(canvas, LEFT, NO_KEY, at)
    rest(large)
    assert len(large.session.history.past) == 1


def test_the_undo_of_a_move_under_the_mouse_took_the_whole_view_along(large):
    places = {name: middle(large, name) for name in ("y0", "x", "v")}
    large.drag(places["y0"], places["y0"] + QPoint(-40, -160))
    rest(large)
    assert (middle(large, "y0") - places["y0"]).manhattanLength() > 150
    large.press("Ctrl+Z")
    rest(large)
    for name, before in places.items():
        assert (middle(large, name) - before).manhattanLength() <= 2, name


def test_where_all_cards_are_moved_the_one_under_the_mouse_stays_there(large):
    at = middle(large, "y0")
    mouse.point_at(large.canvas, at)
    places = {name: (x + 700.0, 2.0 * y) for name, (x, y) in large.session.document.layout.items()}
    large.session.edit(lambda document: move(document, places), "Arrange")
    rest(large)
    assert (middle(large, "y0") - at).manhattanLength() <= 2


def test_a_wire_is_drawn_from_the_end_of_a_folded_chain(large):
    canvas = large.canvas
    canvas.commands.add("tanh", QPointF(-40.0, 260.0))
    rest(large)
    large.session.select(())
    rest(large)
    (name,) = set(large.session.document.nodes) - set(parse(TEXT).nodes)
    large.connect("y24", name, 0)
    rest(large)
    assert large.session.document.source_of(name, 0) == "y24"
    assert folds(large) == {"multiply24" if "multiply24" in large.canvas.places.folds else next(iter(folds(large))): 47}


def test_the_wire_into_a_folded_chain_is_hit_selected_and_deleted(large):
    canvas = large.canvas
    first = canvas.places.folds["y24"].nodes[0]
    path = canvas.places.wire("y0", first, 0)
    at = canvas.camera.to_view(path.pointAtPercent(0.4)).toPoint()
    assert canvas.hit(QPointF(at)).wire == (first, 0)
    large.click(at)
    assert canvas.selected_wire == (first, 0)
    large.press("Del")
    rest(large)
    assert large.session.document.source_of(first, 0) is None
    assert canvas.places.is_shown(first), "an open slot is seen"


def test_a_new_node_comes_to_the_place_of_the_double_click(large):
    canvas = large.canvas
    place = canvas.places.card("L").center() + QPointF(0.0, 260.0)
    at = canvas.camera.to_view(place).toPoint()
    canvas.commands.add("parameter", place, value=1.0)
    rest(large)
    (name,) = large.session.selection
    shown = canvas.camera.to_view(canvas.places.card(name).topLeft()).toPoint()
    assert (shown - at).manhattanLength() < 20


def test_faults_breakpoints_and_marked_nodes_are_not_folded(large):
    large.session.toggle_breakpoint("y10")
    rest(large)
    assert large.canvas.places.is_shown("y10") and len(folds(large)) == 2
    large.session.toggle_breakpoint("y10")
    large.canvas.show_remarks((("y7", "here"),), None)
    rest(large)
    assert large.canvas.places.is_shown("y7")
    large.canvas.show_remarks((), None)


def test_a_whole_graph_in_view_stays_in_view(large):
    large.canvas.zoom_to_fit()
    folded_zoom = large.canvas.camera.zoom
    large.press("Ctrl+Alt+L")
    rest(large)
    assert large.canvas.shows_all and large.canvas.camera.zoom < 0.5 * folded_zoom
    large.press("Ctrl+Alt+L")
    rest(large)
    assert large.canvas.shows_all and large.canvas.camera.zoom == pytest.approx(folded_zoom)


def test_a_hundred_nodes_in_a_row_can_be_read_when_all_are_in_view(large):
    from cadena.gui.canvas.rendering.cards import COMPACT

    large.canvas.zoom_to_fit()
    assert len(large.session.document.nodes) > 70 and large.canvas.camera.zoom > 1.5 * COMPACT


def test_the_card_of_a_folded_chain_says_how_much_it_stands_for(large):
    from cadena.core.methods.reverse.activity import Activity
    from cadena.gui.canvas.rendering.card import card_of

    large.session.show_live()
    settle()
    card = card_of(large.canvas.scene, "y24", Activity(), frozenset())
    assert card.title == "48 operations" and card.folded == "× … sin" and card.is_stack
    assert card.value == large.session.run.value("y24") and card.gradient == large.session.run.gradient("y24")


def test_undo_and_other_edits_while_folded_leave_picture_and_document_agreeing(large):
    session = large.session
    for edit in range(4):
        session.select([f"y{5 * edit + 3}"])
        large.press("Del")
        settle()
        assert large.canvas.places.names == list(session.document.nodes)
    for _ in range(4):
        large.press("Ctrl+Z")
        assert large.canvas.places.names == list(session.document.nodes)
    session.select(())
    rest(large)
    assert folds(large) == {"y24": 48}
