"""Tokens: where they are, what shape they have, and that their number is inside."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt

from cadena.core.expressions.reading import parse
from cadena.core.graph.frames import put_into_frame, set_collapsed
from cadena.core.layout.arrange import arrange
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import tokens
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.folded_positions import with_frames
from cadena.gui.canvas.rendering.tokens import diamond, place_on
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
    path, half = made.geometry.wire(token.source, token.target, token.slot), tokens.reach(token, made.theme)
    return tokens.spot(path, half, token.fraction) + QPointF(dx, dy)


def test_a_value_travels_as_a_disc_and_a_gradient_as_a_diamond():
    lesson = open_lesson("first_chain_rule")
    forward = scene(lesson, 0.35, camera=CAMERA)
    reverse = scene(lesson, forward.frame.timeline.wire_steps[("m3", 1)] + 0.45, camera=CAMERA)
    disc, rhomb = forward.frame.tokens[0], reverse.frame.tokens[0]
    for way in ((0.0, -14.0), (-11.0, -11.0)):  # the latter inside a disc, and outside a diamond
        assert colour_at(forward, beside(forward, disc, *way)) == LIGHT.value_strong
    assert colour_at(reverse, beside(reverse, rhomb, 0.0, -14.0)) == LIGHT.gradient_strong
    assert colour_at(reverse, beside(reverse, rhomb, -17.0, -17.0)) == LIGHT.canvas


def test_values_travel_with_the_arrow_and_gradients_against_it():
    lesson = open_lesson("first_chain_rule")
    timeline = scene(lesson).frame.timeline
    at = timeline.wire_steps[("m3", 1)]
    forward = [timeline.frame(part).tokens[0].fraction for part in (0.1, 0.3, 0.45)]
    reverse = [timeline.frame(at + part).tokens[0].fraction for part in (0.1, 0.3, 0.6)]
    assert forward == sorted(forward) and reverse == sorted(reverse, reverse=True)


def test_the_seed_comes_in_from_the_right_of_the_output():
    lesson = open_lesson("first_chain_rule")
    made = scene(lesson, 0.0, camera=Camera(500.0, 0.0, 0.8))
    at = made.frame.timeline.forward_length + 0.3
    made = replace(made, frame=made.frame.timeline.frame(at))
    port = made.geometry.output_port("L")
    row = [colour_at(made, port + QPointF(dx, 9.0)) for dx in range(20, 100, 6)]
    assert LIGHT.gradient_strong in row[6:]


@pytest.mark.parametrize("theme", THEMES)
def test_a_token_rests_beside_the_card_that_it_has_come_to_until_the_next_step(theme):
    """It lies neither on a number nor on the arrow."""
    steps = scene(open_lesson("first_chain_rule"), theme=theme).frame.timeline
    for time in (*range(1, 9), *range(10, len(steps) + 1)):
        made = scene(open_lesson("first_chain_rule"), float(time), theme)
        (token,) = made.frame.tokens
        assert token.fraction == (0.0 if token.kind == "gradient" else 1.0)
        around = QRectF(beside(made, token, -18.0, -17.0), beside(made, token, 18.0, 17.0))
        for name in (token.source, token.target):
            assert not around.intersects(made.geometry.card(name).adjusted(12.0, 0.0, -12.0, 0.0))


def test_a_long_number_at_rest_on_a_short_wire_hid_those_of_both_cards(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        tokens, "_token", lambda painter, at, number, kind, theme, scale, *rest: drawn.append((at, scale))
    )
    lesson = open_lesson("vanishing_gradients")
    steps = scene(lesson).frame.timeline
    for time in range(steps.forward_length + 2, len(steps)):  # the last one's wire is steep
        made = scene(lesson, float(time), view=QSizeF(1086.0, 700.0))
        paint(made)
        (token,), (at, scale) = made.frame.tokens, drawn[-1]
        if made.geometry.card(token.target).left() < made.geometry.card(token.source).right():
            continue  # a long wire to the next row
        half = tokens.reach(token, made.theme) * scale
        assert at.x() - half > made.geometry.card(token.source).right() - 12.0
        assert at.x() + half < made.geometry.card(token.target).left() + 40.0


@given(st.floats(1.0, 500.0), st.floats(1.0, 120.0))
def test_a_token_stays_on_its_wire_and_ends_before_the_arrow(length, half):
    begin, end = (place_on(length, half, fraction) for fraction in (0.0, 1.0))
    assert 0.0 <= begin <= end <= 1.0
    if length > 5.0 * (half + tokens.HEAD):
        assert begin * length >= half and (1.0 - end) * length >= half + tokens.HEAD - 1e-6


def test_a_dual_number_is_a_value_over_its_derivative_in_their_colours():
    made = scene(open_lesson("first_chain_rule"), 0.0, camera=CAMERA)
    made = replace(made, frame=timeline_of(made.frame.run, Method("forward")).frame(0.35))
    token = made.frame.tokens[0]
    assert colour_at(made, beside(made, token, 0.0, -26.0)) == LIGHT.value_strong
    assert colour_at(made, beside(made, token, 0.0, 26.0)) == LIGHT.tangent


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
def test_a_number_of_many_digits_covers_no_more_of_the_cards_than_it_must(theme):
    """Displaced runs of lesson 10 have seven digits: their tokens hid the numbers of the cards on both sides."""
    usual, long = (tokens._room(np.asarray(-2.000005), theme, digits).width() for digits in (4, 7))
    assert usual == tokens.width("−2", round(NUMBER * theme.type), True)
    assert long < 0.78 * tokens.width("−2.000005", round(NUMBER * theme.type), True)


def test_the_number_of_a_token_within_a_block_is_not_computed(monkeypatch):
    """In a sweep of DenseNet the contributions of convolutions that nobody saw took most of the time."""
    asked, tokens_of = [], Timeline.tokens
    monkeypatch.setattr(Timeline, "tokens", lambda self, step, way: asked.append(step) or tokens_of(self, step, way))
    document = arrange(parse("x = 1; a = sin(x); b = cos(a); c = exp(b); L = c*x"))
    made = scene(set_collapsed(put_into_frame(document, ["a", "b", "c"], "middle"), "middle", True), 0.0)
    places = with_frames(made.geometry)
    for step in range(len(made.frame.timeline)):
        paint(replace(made, geometry=places, frame=made.frame.timeline.frame(step + 0.4)))
    reverse = {(step.node, step.operand) for step in asked if step.phase == "reverse"}
    assert reverse == {("L", "c"), ("L", "x"), ("a", "x")}
