"""Labels keep clear of cards and of each other as long as there is a free place among those offered."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.gui.canvas.rendering.clearance import Obstacles
from tests.gui.canvas.pictures import graph, parameter, scene

SEEN = QRectF(-500.0, -500.0, 2000.0, 2000.0)
SIZE = QSizeF(80.0, 20.0)


@pytest.fixture
def obstacles(qapp) -> Obstacles:
    return Obstacles(scene(graph(parameter("w", 1.0))).geometry, SEEN)  # one card at (0, 0), 120 x 72


def test_the_first_place_is_taken_when_it_is_free(obstacles):
    assert obstacles.place(SIZE, [(300.0, 0.0), (500.0, 0.0)]).center() == QPointF(300.0, 0.0)


def test_a_place_on_a_card_is_left_for_one_beside_it(obstacles):
    assert obstacles.place(SIZE, [(60.0, 36.0), (60.0, 90.0)]).center() == QPointF(60.0, 90.0)


def test_a_second_label_keeps_clear_of_the_first(obstacles):
    spots = [(300.0, 0.0), (300.0, 30.0)]
    first, second = obstacles.place(SIZE, spots), obstacles.place(SIZE, spots)
    assert not first.intersects(second)


def test_a_blocked_area_stays_free(obstacles):
    obstacles.block(QRectF(250.0, -20.0, 100.0, 40.0))
    assert obstacles.place(SIZE, [(300.0, 0.0), (300.0, 60.0)]).center() == QPointF(300.0, 60.0)


def test_the_way_of_a_token_is_covered_sooner_than_a_card_and_later_than_free_ground(obstacles):
    way = np.array([[260.0, -20.0, 340.0, 20.0]])
    card, on_the_way, free = (60.0, 36.0), (300.0, 0.0), (300.0, 80.0)
    assert obstacles.place(SIZE, [card, on_the_way], way).center() == QPointF(*on_the_way)
    assert obstacles.place(SIZE, [on_the_way, free], way).center() == QPointF(*free)


def test_a_remembered_place_is_not_taken_beside_other_cards(qapp):
    at_first, below = (60.0, 36.0), (60.0, 136.0)
    document = graph(parameter("w", 1.0))
    for corner, free in [((0.0, 0.0), below), ((0.0, 100.0), at_first)] * 2:
        geometry = scene(replace(document, layout={"w": corner})).geometry
        assert Obstacles(geometry, SEEN).place(SIZE, [at_first, below]).center() == QPointF(*free)


def test_a_label_stays_in_sight(obstacles):
    assert obstacles.place(SIZE, [(1490.0, 0.0), (1400.0, 0.0)]).center() == QPointF(1400.0, 0.0)


def test_a_label_ran_out_of_sight_where_no_place_had_room(obstacles):
    place = obstacles.place(SIZE, [(1490.0, 300.0), (-480.0, 300.0)])
    assert SEEN.contains(place) and place.center().y() == 300.0


def test_a_label_far_away_is_not_brought_to_the_edge_of_the_view(obstacles):
    assert obstacles.place(SIZE, [(2000.0, 300.0)]).center() == QPointF(2000.0, 300.0)
