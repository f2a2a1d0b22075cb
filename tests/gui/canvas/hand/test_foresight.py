"""What a wire in hand will make is ready before it is dropped, and nothing of it is seen until then."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.painting import MANY
from tests.core.graphs import wide
from tests.fuzz.screen import difference
from tests.gui.canvas.pictures import anew, grabbed
from tests.gui.user import calm, settle

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
    calm(canvas)


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


@pytest.fixture
def connected(canvas, session, hand, large):
    """A large graph in which two wires have been drawn, the last one to `target`, which is selected."""
    first, second, target = large
    session.select([target])
    hand.drag(hand.output(second), hand.input(target, 1))
    hand.drag(hand.output(first), hand.input(target))
    return target
