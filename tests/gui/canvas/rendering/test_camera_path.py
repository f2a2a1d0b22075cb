"""The camera that follows: it shows every step, never jumps, zooms in where cards are too small, and can be left."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtTest import QTest

from cadena.core.expressions.reading import parse
from cadena.core.layout.arrange import arrange
from cadena.core.methods.reverse.timeline import ARRIVAL
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.camera_path import Following, active, between, reading_zoom
from cadena.gui.session.session import Session
from tests.gui.user import settle

VIEW = QSizeF(800, 500)
LONG = "; ".join(["y0 = sin(w)", *(f"y{at} = sin(y{at - 1})*v + y{at - 1}" for at in range(1, 24)), "L = y23*w"])
TEXT = f"w = 0.3; v = 0.5; {LONG}"


@pytest.fixture(scope="module")
def session(qapp):
    return Session(arrange(parse(TEXT)))


def areas(session):
    from cadena.gui.canvas.rendering.geometry import Geometry

    plan = session.program.plan
    places = Geometry(session.document, dict(zip(plan.names, plan.shapes, strict=True)))

    def area(names, time=0.0):
        around = QRectF()
        for name in names:
            around = around.united(places.card(name))
        return around

    return area


def way(session, time=0.0, start=None, zoom=1.0, forwards=True):
    return Following(
        session.timeline, areas(session), lambda camera, cards: camera, VIEW, start or Camera(), time, zoom, forwards
    )


def moments(begin, end, by=0.05):
    count = round(abs(end - begin) / by)
    return [begin + (end - begin) * at / count for at in range(count + 1)]


def test_the_cards_of_a_step_are_in_view_before_its_number_arrives(session):
    ride, area = way(session), areas(session)
    for index in range(len(session.timeline)):
        names = active(session.timeline[index], session.timeline)[0]
        seen = ride.at(index + ARRIVAL).visible(VIEW)
        assert seen.adjusted(-1e-6, -1e-6, 1e-6, 1e-6).contains(area(names)), index


@pytest.mark.parametrize(("begin", "end"), [(0.0, None), (3.4, None), (None, 0.0), (7.5, 0.0)])
def test_it_never_jumps(session, begin, end):
    last = float(len(session.timeline))
    begin, end = (last if begin is None else begin), (last if end is None else end)
    ride = way(session, begin, Camera(-300.0, 40.0, 0.5), 1.0, forwards=end > begin)
    cameras = [ride.at(time) for time in moments(begin, end, 0.002)]
    middles, zooms = [camera.visible(VIEW).center() for camera in cameras], [camera.zoom for camera in cameras]
    steps = [QPointF(b - a) for a, b in pairwise(middles)]
    whole = areas(session)(session.document.nodes)  # a wire may cross all of it in one step
    assert max(step.manhattanLength() for step in steps) < 0.01 * (whole.width() + whole.height())
    assert max(abs(b / a - 1.0) for a, b in pairwise(zooms)) < 0.02
    assert ride.at(begin) == Camera(-300.0, 40.0, 0.5)


def test_it_is_a_function_of_time(session):
    one, other = way(session), way(session)
    times = moments(0.0, 30.0, 0.3)
    assert [one.at(time) for time in times] == [other.at(time) for time in reversed(times)][::-1]


def test_it_rests_while_a_number_arrives(session):
    ride = way(session)
    for index in range(0, len(session.timeline), 5):
        assert len({ride.at(index + part) for part in (0.62, 0.8, 0.99)}) == 1


def test_what_is_in_view_moves_nothing(session):
    whole, zoom = areas(session)(session.document.nodes), 0.01
    start = Camera(whole.center().x() - VIEW.width() / zoom / 2, whole.center().y() - VIEW.height() / zoom / 2, zoom)
    ride = way(session, 0.0, start, zoom)
    assert len({ride.at(time) for time in moments(0.0, len(session.timeline), 0.5)}) == 1


def test_a_point_stays_where_a_zoom_is_aimed():
    start, end = Camera(0, 0, 0.5), Camera(0, 0, 0.5).zoomed_at(QPointF(100, 80), 3.0)
    for share in (0.0, 0.3, 0.5, 0.9, 1.0):
        place = between(start, end, share).to_view(start.to_world(QPointF(100, 80)))
        assert (round(place.x(), 6), round(place.y(), 6)) == (100, 80)


def test_cards_that_are_too_small_are_brought_nearer():
    assert reading_zoom(Camera(0, 0, 0.1), 1.0) > 0.5 and reading_zoom(Camera(0, 0, 1.2), 1.0) == 1.2


# --- in the window


@pytest.fixture
def large(user):
    user.session.open(arrange(parse(TEXT)), None)
    user.window.resize(1000, 700)
    user.do("view.fold-repeats")
    user.canvas.folds.finish()
    settle()
    user.canvas.zoom_to_fit()
    return user


def play(user, seconds, tick=0.02):
    """Play without a clock: as many ticks as these seconds have."""
    user.session.playback.play()
    user.session.playback._clock.stop()
    for _ in range(round(seconds / tick)):
        user.session.playback.advance(tick)


def test_playing_a_large_graph_goes_near_enough_to_read(large):
    before = large.canvas.camera.zoom
    play(large, 3.0)
    step = large.session.frame.step
    assert before < 0.42 and large.canvas.camera.zoom == pytest.approx(0.62)
    seen = large.canvas.camera.visible(QSizeF(large.canvas.size()))
    assert seen.contains(large.canvas.places.card(step.node))


def test_it_stops_when_the_user_moves_the_view_until_the_next_play(large):
    play(large, 1.0)
    QTest.keyClick(large.canvas, Qt.Key.Key_Plus, Qt.KeyboardModifier.ControlModifier)
    settle()
    chosen = large.canvas.camera
    for _ in range(300):
        large.session.playback.advance(0.02)
    assert large.canvas.camera == chosen
    large.session.playback.pause()
    play(large, 3.0)
    assert large.canvas.camera != chosen


def test_showing_the_whole_graph_while_it_plays_keeps_it_whole(large):
    play(large, 1.0)
    large.canvas.setFocus()
    large.press("F")
    for _ in range(100):
        large.session.playback.advance(0.02)
    assert large.canvas.shows_all


def test_it_can_be_switched_off_for_good(large):
    large.do("view.follow-steps")
    try:
        camera = large.canvas.camera
        play(large, 3.0)
        assert large.canvas.camera == camera and not large.window.settings.follow_steps
    finally:
        large.session.playback.pause()
        large.do("view.follow-steps")
    assert large.window.settings.follow_steps


def test_reduced_motion_cuts_from_step_to_step(large):
    large.session.reduce_motion = True
    large.canvas.zoom_reset()
    cameras = set()
    for step in range(1, 20):
        large.session.set_time(float(step))
        cameras.add(large.canvas.camera)
        seen = large.canvas.camera.visible(QSizeF(large.canvas.size()))
        step = large.session.frame.step
        assert seen.contains(large.canvas.places.card(step.operand or step.node))
    assert 1 < len(cameras) < 20


def test_going_to_another_moment_while_paused_begins_a_new_way(large):
    large.canvas.zoom_reset()
    play(large, 1.5)
    large.session.playback.pause()
    large.session.set_time(40.0)
    before = large.canvas.camera
    play(large, 0.02)
    after = large.canvas.camera
    assert abs(after.x - before.x) + abs(after.y - before.y) < 30.0


def test_the_map_does_not_cover_the_step(large):
    from cadena.gui.canvas.rendering import minimap

    session, canvas = large.session, large.canvas
    session.reduce_motion = True
    canvas.zoom_reset()
    for step in range(1, len(session.timeline) + 1, 3):
        session.set_time(float(step))
        place, current = minimap.area(canvas.scene), session.frame.step
        card = canvas.camera.transform.mapRect(canvas.places.card(current.operand or current.node))
        assert place is None or not place.intersects(card)
