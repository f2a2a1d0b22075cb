"""Tokens: where they are, what shape they have, and that their number is inside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, Qt

from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import tokens
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.tokens import arrived, diamond
from cadena.gui.look.theme import LIGHT, NUMBER, THEMES
from tests.gui.canvas.pictures import paint, scene

pytestmark = pytest.mark.usefixtures("qapp")
CAMERA = Camera(-60.0, -60.0, 0.8)


@given(st.floats(1, 200), st.floats(1, 60))
def test_the_corners_of_what_a_diamond_holds_lie_inside_it(wide, tall):
    room = QRectF(-wide / 2, -tall / 2, wide, tall)
    shape = diamond(room)
    corners = (room.topLeft(), room.topRight(), room.bottomLeft(), room.bottomRight())
    assert all(shape.containsPoint(corner, Qt.FillRule.WindingFill) for corner in corners)


def colour_at(made, point: QPointF) -> str:
    pixel = made.camera.to_view(point).toPoint()
    return paint(made).pixelColor(pixel).name()


def beside(made, token, dx: float, dy: float) -> QPointF:
    path = made.geometry.wire(token.source, token.target, token.slot)
    return path.pointAtPercent(token.fraction) + QPointF(dx, dy)


def test_a_value_travels_as_a_disc_and_a_gradient_as_a_diamond():
    lesson = open_lesson("first_chain_rule")
    forward = scene(lesson, 0.2, camera=CAMERA)
    reverse = scene(lesson, forward.frame.timeline.wire_steps[("m3", 1)] + 0.36, camera=CAMERA)
    disc, rhomb = forward.frame.tokens[0], reverse.frame.tokens[0]
    assert colour_at(forward, beside(forward, disc, 0.0, -14.0)) == LIGHT.value
    assert colour_at(forward, beside(forward, disc, -11.0, -11.0)) == LIGHT.value  # inside a disc, outside a diamond
    assert colour_at(reverse, beside(reverse, rhomb, 0.0, -14.0)) == LIGHT.gradient
    assert colour_at(reverse, beside(reverse, rhomb, -17.0, -17.0)) == LIGHT.canvas


def test_values_travel_with_the_arrow_and_gradients_against_it():
    lesson = open_lesson("first_chain_rule")
    timeline = scene(lesson).frame.timeline
    at = timeline.wire_steps[("m3", 1)]
    forward = [timeline.frame(part).tokens[0].fraction for part in (0.05, 0.15, 0.3)]
    reverse = [timeline.frame(at + part).tokens[0].fraction for part in (0.1, 0.3, 0.6)]
    assert forward == sorted(forward) and reverse == sorted(reverse, reverse=True)


def test_the_seed_comes_in_from_the_right_of_the_output():
    lesson = open_lesson("first_chain_rule")
    made = scene(lesson, 0.0)
    at = made.frame.timeline.forward_length + 0.05
    made = replace(made, frame=made.frame.timeline.frame(at))
    port = made.geometry.output_port("L")
    row = [colour_at(made, port + QPointF(dx, 9.0)) for dx in range(20, 100, 6)]
    assert LIGHT.gradient in row[6:]


def test_an_arrival_pulses_only_after_it_landed_and_not_at_rest():
    timeline = scene(open_lesson("first_chain_rule")).frame.timeline
    at = timeline.wire_steps[("m3", 1)]
    assert arrived(timeline.frame(at + 0.5)) is None
    assert arrived(timeline.frame(at + 0.8)) == ("b1", "gradient")
    assert arrived(timeline.frame(at + 1.0)) is None
    assert arrived(timeline.frame(0.9))[1] == "value"


def test_a_dual_number_is_a_value_over_its_derivative_in_their_colours():
    made = scene(open_lesson("first_chain_rule"), 0.0, camera=CAMERA)
    made = replace(made, frame=timeline_of(made.frame.run, Method("forward")).frame(0.2))
    token = made.frame.tokens[0]
    assert colour_at(made, beside(made, token, 0.0, -27.0)) == LIGHT.value
    assert colour_at(made, beside(made, token, 0.0, 27.0)) == LIGHT.tangent


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_a_number_of_many_digits_covers_no_more_of_the_cards_than_it_must(theme):
    """Displaced runs of lesson 10 have seven digits: their tokens hid the numbers of the cards on both sides."""
    usual, long = (tokens._room(np.asarray(-2.000005), theme, digits).width() for digits in (4, 7))
    assert usual == tokens.width("−2", round(NUMBER * theme.type), True)
    assert long < 0.72 * tokens.width("−2.000005", round(NUMBER * theme.type), True)
