"""Faults on the canvas: a word for each kind, both shapes where they do not fit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from cadena.core.graph import edits
from cadena.core.graph.document import Backward, Function
from cadena.core.graph.fault import Fault, Kind
from cadena.core.text.causes import Cause
from cadena.gui.canvas.rendering import faults
from cadena.gui.canvas.rendering.clearance import Obstacles
from tests.gui.canvas.pictures import faulty, graph, operation, paint, parameter, scene

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(scope="module")
def made():
    return scene(faulty())


def test_every_kind_of_fault_has_its_word(made):
    kinds = {fault.kind for fault in made.faults}
    assert {"shape", "cycle", "open-slot", "missing-input", "unknown-operation", "no-value", "nan-value"} <= kinds
    for fault in made.faults:
        assert fault.kind == "shape" or fault.kind in faults.WORDS


def test_shapes_that_do_not_fit_are_both_named(made):
    shape = next(fault for fault in made.faults if fault.kind == "shape")
    assert faults.word(made, shape) == "shapes (3, 3) and (2, 4) do not fit"
    assert faults.operand_shapes(made, "M") == [(3, 3), (2, 4)]


def test_one_shape_alone_was_said_not_to_fit_in_the_plural():
    def told(document):
        made = scene(document)
        return [faults.word(made, fault) for fault in made.faults if fault.kind == "shape"]

    single = graph(parameter("A", np.ones(3)), operation("y", "softmax", "A"))
    single = edits.set_attribute(single, "y", "axis", 4)
    assert told(single) == ["shape (3,) does not fit"]
    doubled = Backward(("x", "y", "g"), {"s": operation("s", "sum", "g")}, ("s",))
    function = Function(("x",), {"y": operation("y", "sin", "x")}, "y", doubled)
    called = graph(parameter("A", np.ones(3)), operation("y", "f", "A"))
    assert told(replace(called, functions={"f": function})) == ["shapes do not fit"]


def test_a_fault_of_a_node_that_is_not_there_is_left_to_the_list_of_problems(made):
    elsewhere = Fault("gone", Kind.OUTPUT, "the output {node} is not in the graph")
    assert paint(replace(made, faults=(elsewhere,))) == paint(replace(made, faults=()))


def test_badges_do_not_cover_each_other(monkeypatch, made):
    placed = []
    place = Obstacles.place
    monkeypatch.setattr(Obstacles, "place", lambda *args: placed.append(place(*args)) or placed[-1])
    paint(made)
    assert len(placed) >= len(made.faults)
    for index, badge in enumerate(placed):
        assert not any(badge.intersects(other) for other in placed[:index])


def test_badges_moved_when_the_mouse_came_over_a_card(monkeypatch):
    """Labels of the wires at that card took their places."""
    from cadena.core.teaching.lessons import open_lesson

    def badges(**other):
        found = []
        painted = faults.badge
        monkeypatch.setattr(
            faults, "badge", lambda *args, **words: found.append(words["place"]) or painted(*args, **words)
        )
        paint(scene(open_lesson("9"), **other))
        monkeypatch.undo()
        return found

    still = badges()
    assert len(still) == 4
    for name in ("q", "q2", "length", "root"):
        assert badges(hovered=name) == still


# --- numbers that went bad: born here, inherited there


def diagnosed(time=None, **other):
    """Lesson 7: exp overflows at e, its gradient is nan there, and x inherits it."""
    from cadena.core.teaching.lessons import open_lesson

    return scene(open_lesson("7"), time, **other)


def test_a_badge_tells_the_rule_that_made_a_number_bad():
    made = diagnosed()
    words = {faults.word(made, fault) for fault in made.faults}
    assert words == {"inf starts here: overflow of exp", "gradient turns nan: 0 · inf"}
    given = Fault("x", Kind.NAN_VALUE, "{node} was given nan", cause=Cause.GIVEN)
    assert faults.word(made, given) == "nan starts here"
    dead = Fault("u", Kind.DEAD_RELU, "...", operands={"op": "relu6"}, cause=Cause.DEAD, severity="hint")
    assert faults.word(made, dead) == "dead relu6"


def test_the_wire_that_did_it_is_lit_and_others_are_not():
    made = diagnosed()
    assert faults.wires_concerned(made) == {("u", 0): "fault"}


def test_a_bad_number_is_lit_from_the_step_on_in_which_it_is_born():
    assert [faults.shown(diagnosed(time)) == [] for time in (0.0, 1.0)] == [True, False]
    assert faults.wires_concerned(diagnosed(1.0)) == {}
    assert faults.wires_concerned(diagnosed(5.0)) == {("u", 0): "fault"}


def test_what_is_pointed_to_is_shown_before_its_step_and_lights_all_operands():
    made = diagnosed(0.0)
    born = next(fault for fault in made.faults if fault.kind == "inf-value")
    pointed = replace(made, pointed=born)
    assert faults.shown(pointed) == [born] and faults.wires_concerned(pointed) == {("u", 0): "fault"}
    assert paint(pointed) != paint(made)


def test_a_hint_is_lit_only_while_it_is_pointed_to_and_not_in_the_colour_of_faults():
    made = diagnosed()
    hint = Fault("y", Kind.VANISHED_GRADIENT, "...", cause=Cause.UNDERFLOW, slot=1, severity="hint")
    assert faults.wires_concerned(replace(made, pointed=hint)) == {("u", 0): "fault", ("y", 1): "text"}
    assert paint(replace(made, pointed=hint)) != paint(made)


def test_a_card_that_inherited_a_bad_number_has_a_ring_and_a_good_one_has_none(monkeypatch):
    made, ringed = diagnosed(), []
    monkeypatch.setattr(faults, "_ring", lambda painter, card, out: ringed.append(card))
    paint(made)
    assert ringed == [made.geometry.card("x")]


@pytest.mark.parametrize("edge", [0.0, 1.0])
def test_a_badge_at_the_edge_of_the_view_is_not_cut(monkeypatch, edge):
    from cadena.gui.canvas.rendering.camera import Camera

    made = diagnosed()
    card = made.geometry.card("u")
    view = made.view
    left = card.left() - 4.0 if edge == 0.0 else card.right() + 4.0 - view.width()
    made = replace(made, camera=Camera(left, card.top() - 200.0, 1.0))
    placed, place = [], Obstacles.place
    monkeypatch.setattr(Obstacles, "place", lambda *args: placed.append(place(*args)) or placed[-1])
    paint(made)
    seen = made.camera.visible(view)
    assert placed and all(seen.contains(badge) for badge in placed)


@pytest.mark.parametrize(("method", "ringed"), [("reverse", ["x"]), ("forward", ["y"])])
def test_rings_are_around_the_cards_that_show_a_bad_number_in_the_chosen_method(method, ringed):
    from cadena.core.methods.choosing import timeline_of
    from cadena.core.methods.names import Method

    made = diagnosed()
    timeline = timeline_of(made.frame.run, Method(method))
    made = replace(made, frame=timeline.frame(len(timeline)))
    assert [name for name in ("x", "one", "y") if faults.inherits(made, name)] == ringed


def test_a_badge_covered_the_arrow_of_its_nodes_wire(monkeypatch):
    placed, place = [], Obstacles.place
    monkeypatch.setattr(Obstacles, "place", lambda *args: placed.append(place(*args)) or placed[-1])
    made = diagnosed(5.0)
    paint(made)
    wire = made.geometry.wire("u", "y", 1)
    arrow = [wire.pointAtPercent(part) for part in (0.8, 0.85, 0.9, 0.95, 1.0)]
    assert len(placed) >= 2 and not any(badge.contains(point) for badge in placed for point in arrow)
