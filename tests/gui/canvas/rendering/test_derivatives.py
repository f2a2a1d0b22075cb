"""Derivative vectors on cards and tokens: a row of cells, or a block for each direction, inside their room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.interaction.tooltips import facts_of, plain
from cadena.gui.canvas.rendering import derivatives
from cadena.gui.canvas.rendering.hit_boxes import Hit
from cadena.gui.look.theme import LIGHT, THEMES
from cadena.gui.session.session import Session
from tests.gui.canvas.pictures import paint, scene

pytestmark = pytest.mark.usefixtures("qapp")
ROOM = QRectF(10.0, 20.0, 176.0, 58.0)


@pytest.mark.parametrize("count", [1, 2, 5, 15, 32])
@pytest.mark.parametrize("shape", [(1, 1), (3, 2), (3, 3), (1, 8), (20, 1), (48, 48)])
def test_blocks_lie_inside_their_room_beside_each_other(count, shape):
    found = derivatives.places((count, *shape), ROOM)
    assert len(found) == count and all(ROOM.adjusted(-0.01, -0.01, 0.01, 0.01).contains(place) for place in found)
    for number, one in enumerate(found):
        assert one.width() > 0 and one.height() > 0
        assert not any(one.intersects(other) for other in found[number + 1 :])


def test_15_arrays_of_3_by_2_have_cells_that_can_be_told_apart():
    (place, *_) = derivatives.places((15, 3, 2), ROOM)
    assert place.width() / 2 > 6.0 and place.height() / 3 > 6.0


def picture(vector: np.ndarray) -> QImage:
    image = QImage(200, 100, QImage.Format.Format_RGB32)
    image.fill(LIGHT.color("card"))
    painter = QPainter(image)
    derivatives.paint(painter, vector, ROOM, LIGHT, "tangent")
    painter.end()
    return image


@pytest.mark.parametrize("shape", [(3,), (15,), (15, 3, 2), (4, 2), (2, 2, 3, 4), (3, 0), (2, 0, 3)])
def test_derivatives_of_every_shape_can_be_painted(shape):
    picture(np.full(shape, np.nan))
    assert picture(np.zeros(shape)) == picture(np.zeros(shape))


def test_every_block_has_a_scale_of_its_own():
    small = np.zeros((2, 3, 2))
    small[0, 0, 0], small[1, 0, 0] = 1e-9, 1.0
    place = derivatives.places((2, 3, 2), ROOM)
    image = picture(small)
    colours = {image.pixelColor(int(one.left() + 5), int(one.top() + 5)).name() for one in place}
    assert len(colours) == 1


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("lesson", ["first_chain_rule", "one_pass_per_input"])
def test_a_scene_with_derivative_vectors_can_be_painted_at_every_moment(lesson, theme):
    made = scene(open_lesson(lesson), theme=theme)
    steps = timeline_of(made.frame.run, Method("forward", width=None))
    before = None
    for time in np.arange(0.3, len(steps) + 0.2, 0.35):
        image = paint(replace(made, frame=steps.frame(float(time)), live=False))
        assert image != before
        before = image


def test_the_tooltip_tells_the_derivative_along_each_direction():
    session = Session(open_lesson("first_chain_rule"))
    session.set_method(Method("forward", width=None))
    session.set_time(1.0)
    assert "∂m1/∂w0  4\n∂m1/∂w1  0" in plain(facts_of(session, Hit("body", "m1")))
    assert "∂m2" not in plain(facts_of(session, Hit("body", "m2")))
    session.open(open_lesson("one_pass_per_input"), None)
    session.set_method(Method("forward", width=None))
    session.set_time(1.0)
    assert "∂Z/∂X[0, 0]  [[0.1, −0.2], [0, 0], [0, 0]]" in plain(facts_of(session, Hit("body", "Z")))
