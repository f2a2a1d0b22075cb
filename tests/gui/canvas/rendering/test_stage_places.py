"""The places of cards on a stage: closer below each other, farther beside each other, in the same order."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QSizeF

from cadena.core.expressions.reading import parse
from cadena.core.graph.memos import add_memo
from cadena.core.graph.reroutes import with_points
from cadena.core.layout.arrange import arrange
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.stage_places import BELOW, FARTHER, FAULT, staged
from tests.gui.user import calm, settle

STAGE = QSizeF(1280.0, 416.0)


def on_stage(flat: Geometry, view: QSizeF = STAGE) -> Geometry:
    return staged(flat, view, 1.0, 2.0)


@pytest.mark.parametrize("lesson", lessons(), ids=lambda lesson: f"lesson {lesson.number}")
def test_the_cards_of_a_lesson_fill_a_stage_and_stay_apart(lesson):
    flat = Geometry(open_lesson(lesson.name), {})
    places = on_stage(flat)
    left, top, right, bottom = places.boxes.T
    before = flat.boxes
    zooms = [
        min(STAGE.width() / area.width(), STAGE.height() / area.height()) for area in (flat.bounds(), places.bounds())
    ]
    assert zooms[1] >= zooms[0] or zooms[1] >= 1.0
    below = (left[:, None] < right) & (right[:, None] > left) & (before[:, 1] > before[:, 1][:, None])
    gaps, were = top - bottom[:, None], before[:, 1] - before[:, 3][:, None]
    assert (gaps[below] >= np.minimum(BELOW, were[below]) - 0.01).all()
    for new, old in ((left, before[:, 0]), (top, before[:, 1])):  # nothing changes sides
        order = np.argsort(old, kind="stable")
        assert (np.diff(new[order]) >= -0.01).all()
    assert np.ptp(left) <= FARTHER * np.ptp(before[:, 0]) + 0.01


def test_a_graph_that_was_low_used_half_the_width():
    flat = Geometry(open_lesson("1"), {})
    bounds, before = on_stage(flat).bounds(), flat.bounds()
    assert bounds.height() < 0.9 * before.height()
    assert bounds.width() / bounds.height() == pytest.approx(STAGE.width() / STAGE.height(), rel=0.06)


def test_a_place_on_a_stage_leads_back_to_the_document():
    flat = Geometry(open_lesson("12"), {})
    places = on_stage(flat)
    for name in flat.names:
        at = places.home(places.card(name).topLeft())
        assert (at - flat.card(name).topLeft()).manhattanLength() < 0.5, name


def test_points_of_wires_go_along():
    document = open_lesson("1")
    left, top = document.layout["m1"]
    bent = with_points(document, ("b1", 0), [(left, top)])
    places = on_stage(Geometry(bent, {}))
    (points,) = places.reroutes.values()
    assert (points[0] - places.card("m1").topLeft()).manhattanLength() < 0.5


def test_a_graph_with_notes_stays_as_it_is(qapp):
    flat = Geometry(add_memo(open_lesson("1"), "a note", (0.0, 0.0)), {})
    assert on_stage(flat) is flat


def test_an_audience_sees_the_cards_of_a_low_graph_larger_and_a_speaker_finds_them_where_they_were(user):
    before, camera = user.canvas.places.boxes, user.canvas.camera
    user.press("F5")
    user.window.resize(1280, 720)
    calm(user.window)
    assert user.canvas.shows_all and user.canvas.camera.zoom > 0.74
    user.press("Esc")
    user.window.resize(1600, 1000)
    calm(user.window)
    assert np.array_equal(user.canvas.places.boxes, before) and user.canvas.camera == camera


def test_a_low_graph_was_small_on_a_stage_after_a_large_one_had_been_open(user):
    user.session.open(
        arrange(parse(f"y0 = exp(x); {'; '.join(f'y{at} = sin(y{at - 1}*x)' for at in range(1, 41))}; L = y40 + y0")),
        None,
    )
    calm(user.window)
    assert user.canvas.folds_blocks
    user.session.open(open_lesson("1"), None)
    user.press("F5")
    user.window.resize(1280, 720)
    calm(user.window)
    assert user.canvas.shows_all and user.canvas.camera.zoom > 0.74
    assert np.array_equal(user.canvas.goal.boxes, user.canvas.places.boxes)
    user.press("Esc")


def test_a_graph_with_faults_has_room_for_their_signs_from_its_first_step_on(user):
    user.press("F5")
    user.window.resize(1280, 720)
    user.session.open(open_lesson("9"), None)
    user.pass_questions()
    seen = set()
    for moment in (0.0, 18.0, 23.0):
        user.session.set_time(moment)
        settle()
        cards = [user.canvas.places.card(name) for name in ("root", "cube", "corner", "length")]
        seen |= {below.top() - above.bottom() for above, below in pairwise(cards)}
        assert user.canvas.shows_all
    assert min(seen) >= FAULT - 0.01
