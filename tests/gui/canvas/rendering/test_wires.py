"""Wires: thicker where more is carried, coloured by what has been carried, dashed where they close a cycle."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.methods.reverse.activity import activity
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering.scene import Decorations
from cadena.gui.canvas.rendering.wires import ACTIVE, DONE, IDLE, SPREAD, Looks, looped_wires, width_of
from cadena.gui.look.theme import LIGHT
from tests.gui.canvas.pictures import graph, operation, parameter, scene

finite = st.floats(allow_nan=False, allow_infinity=False)


@given(finite, finite, finite.map(abs))
def test_a_larger_contribution_is_never_thinner_and_all_stay_within_bounds(one, other, largest):
    small, large = sorted((abs(one), abs(other)))
    widths = [width_of(np.asarray(part), largest) for part in (small, large)]
    assert IDLE < DONE - 0.125 <= widths[0] <= widths[1] <= DONE + SPREAD + 0.125 < ACTIVE


def test_the_width_of_an_array_is_that_of_its_largest_element():
    assert width_of(np.array([[0.1, -50.0], [2.0, 0.0]]), 80.0) == width_of(np.asarray(50.0), 80.0)


def test_nothing_carried_is_thinnest_and_what_is_not_finite_thickest():
    least, most = (width_of(np.asarray(part), 7.0) for part in (0.0, 7.0))
    assert width_of(np.zeros((2, 0)), 7.0) == width_of(np.asarray(0.0), 0.0) == least < most
    assert width_of(np.asarray(math.nan), 7.0) == width_of(np.asarray(-math.inf), 7.0) == most


def look(made, source: str, wire: tuple[str, int]):
    return Looks(made, activity(made.frame, made.live)).of(source, wire)


def test_wires_take_the_gradients_colour_when_they_have_carried_it_and_not_before():
    lesson = open_lesson("first_chain_rule")
    at = scene(lesson).frame.timeline.wire_steps[("m3", 1)]
    before, flying, after = (look(scene(lesson, at + part), "b1", ("m3", 1)) for part in (0.0, 0.5, 1.0))
    assert before.color == LIGHT.color("wire")
    assert flying.color == after.color == LIGHT.color("gradient_strong")
    assert before.width == IDLE and flying.width == after.width == ACTIVE
    later = look(scene(lesson, at + 3.0), "b1", ("m3", 1))
    assert later.width == width_of(np.asarray(-7.0), 36.0)  # w4 has the largest gradient, −36


def test_a_wire_that_carries_a_value_is_blue_during_its_step_only():
    lesson = open_lesson("first_chain_rule")
    assert look(scene(lesson, 0.2), "w0", ("m1", 0)).color == LIGHT.color("value_strong")
    assert look(scene(lesson, 1.2), "w0", ("m1", 0)).color == LIGHT.color("wire")


def test_the_wires_of_a_selected_node_and_the_wire_under_the_pointer_stand_out():
    plain = scene(open_lesson("first_chain_rule"), 0.0)
    chosen = replace(plain, selection=frozenset({"m1"}))
    assert look(chosen, "w0", ("m1", 0)).color == LIGHT.color("text")
    pointed = replace(plain, decorations=Decorations(hovered_wire=("m1", 0)))
    assert look(pointed, "w0", ("m1", 0)).width > look(plain, "w0", ("m1", 0)).width


def test_the_wires_that_close_a_cycle_are_found_and_dashed():
    document = graph(
        parameter("x", 1.0),
        operation("a", "add", "c", "x"),
        operation("b", "sin", "a"),
        operation("c", "multiply", "b", "b"),
    )
    made = scene(document)
    assert looped_wires(made) == {("a", 0), ("b", 0), ("c", 0), ("c", 1)}
    assert look(made, "c", ("a", 0)).dashed and not look(made, "x", ("a", 1)).dashed
