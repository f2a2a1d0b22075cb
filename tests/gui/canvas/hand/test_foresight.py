"""What a wire in hand will make is ready before it is dropped, and nothing of it is seen until then."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.graph import edits
from cadena.core.graph.document import Node
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.hand import foresight
from cadena.gui.canvas.picture import still
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.painting import MANY
from tests.core.graphs import wide
from tests.fuzz.screen import difference
from tests.gui.canvas.pictures import anew, grabbed
from tests.gui.compiling import record_compiled
from tests.gui.user import settle

LARGE = arrange(wide(MANY + 60))


def near(canvas) -> tuple[str, str, str]:
    """Two cards in view that may feed a third, each with two operands."""
    places, nodes = canvas.places, canvas.document.nodes
    names = [name for name in nodes if places.is_shown(name) and name not in places.folds]
    target = next(name for name in reversed(names) if len(nodes[name].inputs) == 2)
    middle = places.card(target).center()
    before = [name for name in names[: names.index(target)] if name not in nodes[target].inputs]
    first, second = sorted(before, key=lambda name: (places.card(name).center() - middle).manhattanLength())[:2]
    corner = middle - QPointF(canvas.rect().center())
    canvas.set_camera(Camera(corner.x(), corner.y(), 1.0))
    return first, second, target


@pytest.fixture
def large(session, canvas):
    """A large graph close up: two sources and a target."""
    session.reduce_motion, session.follow_steps = True, False
    session.open(LARGE, None)
    session.show_live()
    names = near(canvas)
    settle()
    wait(canvas)
    return names


def wait(canvas) -> None:
    """Wait until the picture is sharp, and what rests is done."""
    waiting = (canvas._layers._rest, canvas._layers._words, canvas.commands.foresight._rest)
    while any(timer.isActive() for timer in waiting):
        settle()


@pytest.fixture
def work(session, monkeypatch):
    """The documents that are compiled, and the graphs that are painted, from now on."""
    done, paint_graph = [], still.paint_graph
    record_compiled(monkeypatch, session, lambda document: done.append("compiled"))
    monkeypatch.setattr(still, "paint_graph", lambda *args, **kw: done.append("painted") or paint_graph(*args, **kw))
    return done


def test_a_wire_dropped_after_a_rest_is_shown_as_it_was_made_ready(canvas, session, hand, large, work):
    source, _, target = large
    before = session.document
    hand.lift(hand.output(source), hand.input(target))
    wait(canvas)
    assert work[-2:] == ["compiled", "painted"] and session.document is before
    assert not (apart := difference(grabbed(canvas), anew(canvas))), apart  # with the wire in hand
    work.clear()
    hand.release(hand.input(target))
    picture = grabbed(canvas)
    assert session.document.nodes[target].inputs[0] == source and work == []
    assert not (apart := difference(picture, anew(canvas))), apart


def test_a_wire_that_goes_on_to_another_port_is_shown_there(canvas, session, hand, large):
    source, _, target = large
    hand.lift(hand.output(source), hand.input(target))
    wait(canvas)
    hand.move(hand.input(target, 1))
    hand.release(hand.input(target, 1))
    assert session.document.nodes[target].inputs[1] == source
    wait(canvas)
    assert not (apart := difference(grabbed(canvas), anew(canvas))), apart


def test_a_wire_that_is_let_go_leaves_no_trace_of_what_was_made_ready(canvas, session, hand, large):
    source, other, target = large
    before = session.document
    hand.lift(hand.output(source), hand.input(target))
    wait(canvas)
    canvas.cancel_gesture()
    assert session.document is before
    assert not (apart := difference(grabbed(canvas), anew(canvas))), apart
    hand.drag(hand.output(other), hand.input(target))
    assert session.document.nodes[target].inputs[0] == other
    wait(canvas)
    assert not (apart := difference(grabbed(canvas), anew(canvas))), apart


def test_a_wire_pulled_out_of_a_port_after_a_rest_is_shown_as_it_was_made_ready(canvas, hand, large, work):
    source, *_ = large
    places = canvas.places
    hand.hover(hand.output(source))
    wait(canvas)
    assert canvas.gesture is None and not (apart := difference(grabbed(canvas), anew(canvas))), apart
    work.clear()
    hand.lift(hand.output(source), hand.output(source) + QPoint(12, 3))
    picture = grabbed(canvas)
    assert canvas.decorations.lit_ports and canvas.places is places and work == []
    assert not (apart := difference(picture, anew(canvas))), apart
    canvas.cancel_gesture()
    assert canvas.places is places


def test_nothing_is_made_ready_while_the_hand_moves_or_after_it_has_let_go(canvas, session, hand, large, work):
    source, _, target = large
    hand.lift(hand.output(source), hand.input(target))
    canvas.cancel_gesture()
    wait(canvas)
    assert "compiled" not in work


def test_what_a_search_would_connect_is_ready_before_enter(canvas, session, hand, large, work):
    source, *_ = large
    before = session.document
    session.select([source])
    wait(canvas)
    canvas.commands.ask_to_connect()
    search = canvas.fields.search
    search.field.setText(search.current.name)
    wait(canvas)
    assert work[-2:] == ["compiled", "painted"] and session.document is before
    chosen = search.current
    work.clear()
    QTest.keyClick(search.field, Qt.Key.Key_Return)
    picture = grabbed(canvas)
    assert session.document.nodes[chosen.name].inputs != before.nodes[chosen.name].inputs and work == []
    assert not (apart := difference(picture, anew(canvas))), apart


def test_a_search_that_is_left_makes_nothing_ready(canvas, session, large, work):
    source, *_ = large
    session.select([source])
    wait(canvas)
    canvas.commands.ask_to_connect()
    canvas.fields.search.close_search()
    wait(canvas)
    assert "compiled" not in work


@pytest.fixture
def connected(canvas, session, hand, large):
    """A large graph in which two wires have been drawn, the last one to `target`, which is selected."""
    first, second, target = large
    session.select([target])
    hand.drag(hand.output(second), hand.input(target, 1))
    hand.drag(hand.output(first), hand.input(target))
    return target


def test_an_undo_after_a_rest_is_shown_as_it_was_made_ready(canvas, session, connected, work):
    for _ in range(2):
        grabbed(canvas)
        wait(canvas)
        work.clear()
        before, expected = session.document, session.history.before
        session.undo()
        picture = grabbed(canvas)
        assert session.document is expected and session.document is not before and work == []
        assert not (apart := difference(picture, anew(canvas))), apart


def test_an_undo_of_a_selected_node_under_the_mouse_is_shown_as_it_was_made_ready(canvas, session, hand, large, work):
    middle = canvas.camera.to_world(canvas.middle)
    new, place = Node("new", "tanh", inputs=(large[0],)), (middle.x(), middle.y())
    session.edit(lambda document: edits.move(edits.with_nodes(document, new), {"new": place}), "Add tanh")
    session.select(["new"])
    hand.hover(hand.body("new"))
    grabbed(canvas)
    wait(canvas)
    assert canvas.hovered.node == "new"
    work.clear()
    session.undo()
    picture = grabbed(canvas)
    assert session.document is LARGE and not session.selection and work == []
    assert not (apart := difference(picture, anew(canvas))), apart


def test_an_undo_without_a_rest_is_painted_when_it_comes(canvas, session, connected, work):
    grabbed(canvas)
    wait(canvas)
    for undo in (session.undo, session.redo, session.undo, session.undo):
        grabbed(canvas)
        undo()
    grabbed(canvas)
    assert "painted" in work and session.document is LARGE
    wait(canvas)
    assert not (apart := difference(grabbed(canvas), anew(canvas))), apart


def test_the_undo_of_a_huge_graph_is_not_painted_ahead(canvas, connected, work, monkeypatch):
    monkeypatch.setattr(foresight, "MOST", MANY)
    grabbed(canvas)
    work.clear()
    wait(canvas)
    assert work == []


def test_no_undo_is_made_ready_of_steps_or_while_the_hand_holds_something(canvas, session, hand, connected, work):
    hand.press(hand.name(connected))
    hand.move(hand.name(connected) + QPoint(20, 10))
    grabbed(canvas)
    work.clear()
    wait(canvas)
    assert work == []
    canvas.cancel_gesture()
    session.set_time(3.0)
    grabbed(canvas)
    work.clear()
    wait(canvas)
    assert work == []


def test_the_picture_of_another_method_whose_steps_come_later_is_not_painted_ahead(canvas, session, hand, large, work):
    source, _, target = large
    session.choose_method("forward")
    session.show_live()
    wait(canvas)
    work.clear()
    hand.lift(hand.output(source), hand.input(target))
    grabbed(canvas)
    painted = work.count("painted")
    wait(canvas)
    assert work.count("compiled") == 1 and work.count("painted") == painted
