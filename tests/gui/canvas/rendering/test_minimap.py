"""The map appears when the graph does not fit, shows what is seen, and knows the way back to the canvas."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.core.graph.document import Document
from cadena.gui.canvas.rendering import minimap
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.overview import state_colours
from cadena.gui.look.theme import LIGHT, THEMES
from tests.gui.canvas.pictures import count_of, paint, pixels, random_graph, scene

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(scope="module")
def near():
    return scene(random_graph(200), camera=Camera(200.0, 900.0, 1.0))


def test_it_is_shown_only_when_something_is_out_of_sight_and_there_is_room(near):
    assert minimap.area(near) is not None
    assert minimap.area(scene(random_graph(200))) is None
    assert minimap.area(scene(Document({}), camera=Camera())) is None
    assert minimap.area(replace(near, view=QSizeF(300.0, 200.0))) is None


def test_it_lies_in_the_corner_of_the_view(near):
    assert QRectF(QPointF(), near.view).contains(minimap.area(near))


def test_every_card_lies_on_the_map_and_every_place_of_the_map_leads_back(near):
    place = minimap.area(near)
    to_map = minimap.transform(near, place)
    for name in near.geometry.names:
        dot = to_map.map(near.geometry.card(name).center())
        assert place.contains(dot)
        assert (minimap.to_world(near, dot) - near.geometry.card(name).center()).manhattanLength() < 1e-6
    assert minimap.to_world(near, QPointF(5.0, 5.0)) is None


@pytest.mark.parametrize("count", [200, 3000])
def test_cards_are_painted_on_it(count):
    made = scene(random_graph(count), camera=Camera(-5000.0, -5000.0, 1.0))  # no card is in sight
    image = paint(made)
    assert count_of(image, LIGHT.card) > 100
    assert sum(count_of(image, color.name()) for color in state_colours(made.theme)) > 50


@pytest.mark.parametrize("count", [200, 3000])
@pytest.mark.parametrize("theme", THEMES)
def test_cards_stand_on_a_ground_that_shows_the_shape_of_the_graph(count, theme):
    """From afar they were grey dust."""
    made = scene(random_graph(count), theme=theme, camera=Camera(-5000.0, -5000.0, 1.0))
    ground, *states = minimap._colours(made.theme)
    image, place = paint(made), minimap.area(made)
    shade = np.array((ground.blue(), ground.green(), ground.red()))
    is_ground = (np.abs(pixels(image)[..., :3] - shade) <= 1).all(axis=-1)
    assert is_ground.sum() > sum(count_of(image, color.name()) for color in states) / 10
    wide = minimap.transform(made, place).mapRect(made.geometry.bounds()).width()
    assert is_ground.any(axis=0).sum() > 0.9 * wide - 4
