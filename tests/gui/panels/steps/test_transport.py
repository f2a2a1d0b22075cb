"""The transport: buttons, line of time, speed and loop act on the session and show what it does."""

from __future__ import annotations

from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.graph.document import Document
from cadena.core.methods.reverse.step_text import step_title
from cadena.gui.look import theme as themes
from cadena.gui.look.theme import LIGHT, PROJECTOR, THEMES
from cadena.gui.panels.steps.scrubber import KNOB, MIN_GAP
from cadena.gui.panels.steps.step_band import StepBand
from cadena.gui.panels.steps.transport import Transport
from cadena.gui.session.session import Session
from tests.core.graphs import wide
from tests.gui.mouse import drag_to
from tests.gui.user import calm

Left = Qt.MouseButton.LeftButton
Key = Qt.Key


@pytest.fixture
def transport(session, show):
    session.reduce_motion = True
    return show(Transport(session, LIGHT), 900, 60)


def point(transport, time) -> QPoint:
    return QPoint(round(transport.scrubber.place(time)), 12)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("steps", [0, 60, 400])
def test_the_line_has_a_dot_for_each_step_as_far_as_they_fit(transport, session, theme, steps):
    if steps:
        session.open(wide(steps), None)
    transport.set_theme(theme)
    scrubber = transport.scrubber
    session.set_time(0.0)
    image, dots = scrubber.grab().toImage(), scrubber.dots(session.timeline).tolist()
    y, places = round(scrubber._line()[2]), [scrubber.place(time) for time in dots]
    assert min(second - first for first, second in pairwise(places)) >= MIN_GAP * theme.type
    assert all(image.pixelColor(int(x), y).name() != theme.hover for x in places if x > 4 * KNOB)
    if not steps:
        turn = session.timeline.forward_length
        assert dots == [time for time in range(1, len(session.timeline)) if time != turn]


def test_step_and_step_back(transport, session, qtbot):
    qtbot.mouseClick(transport.step, Left)
    qtbot.mouseClick(transport.step, Left)
    assert session.time == 2.0
    qtbot.mouseClick(transport.step_back, Left)
    assert session.time == 1.0
    assert transport.counter.text() == f"1 / {len(session.timeline)}"


@pytest.mark.parametrize("time", [0.0, 0.2, 0.9, 1.0, 1.5, 2.0, 2.8, 3.0])
def test_the_band_said_step_11_of_21_beside_10_of_21(transport, session, show, time):
    band = show(StepBand(session, LIGHT), 900, 160)
    session.set_time(time)
    calm(band)
    steps = len(session.timeline)
    counted = [int(number) for number in transport.counter.text().split(" / ")]
    assert counted == [session.frame.number, steps] and transport.scrubber.value() == counted[0]
    has_landed = session.frame.landed == counted[0]
    title = step_title(session.timeline, counted[0] - 1, has_landed) if time else f"Before the first of {steps} steps."
    assert band.title.text() == title and "step " not in title


def test_to_the_end_and_to_the_start(transport, session, qtbot):
    qtbot.mouseClick(transport.to_end, Left)
    assert session.time == len(session.timeline)
    qtbot.mouseClick(transport.to_start, Left)
    assert session.time == 0.0


def test_play_becomes_pause_and_back(transport, session, qtbot):
    qtbot.mouseClick(transport.play, Left)
    assert session.playback.playing
    assert transport.play.accessibleName() == "Pause"
    qtbot.mouseClick(transport.play, Left)
    assert not session.playback.playing
    assert transport.play.toolTip() == "Play (Space)"


def test_a_click_on_the_line_goes_to_that_moment(transport, session, qtbot):
    qtbot.mouseClick(transport.scrubber, Left, pos=point(transport, 3.5))
    assert session.time == pytest.approx(3.5, abs=0.02)


def test_a_drag_scrubs_continuously_and_stops_playing(transport, session, qtbot):
    session.playback.play()
    seen = []
    session.timeChanged.connect(lambda: seen.append(session.time))
    qtbot.mousePress(transport.scrubber, Left, pos=point(transport, 1.0))
    for time in (1.3, 1.6, 2.2):
        drag_to(transport.scrubber, point(transport, time))
    qtbot.mouseRelease(transport.scrubber, Left, pos=point(transport, 2.2))
    assert not session.playback.playing
    assert seen[-1] == pytest.approx(2.2, abs=0.02)
    assert len(seen) >= 4


def test_a_move_without_a_press_does_nothing(transport, session, qtbot):
    drag_to(transport.scrubber, point(transport, 4.0), Qt.MouseButton.NoButton)
    assert session.time == 0.0


def test_beyond_the_ends_the_line_stops_at_the_ends(transport, session, qtbot):
    qtbot.mouseClick(transport.scrubber, Left, pos=QPoint(transport.scrubber.width() - 1, 12))
    assert session.time == len(session.timeline)
    qtbot.mouseClick(transport.scrubber, Left, pos=QPoint(0, 12))
    assert session.time == 0.0


def test_keys_on_the_line_move_by_steps(transport, session, qtbot):
    line = transport.scrubber
    qtbot.keyClick(line, Key.Key_Right)
    qtbot.keyClick(line, Key.Key_Right)
    qtbot.keyClick(line, Key.Key_Left)
    assert session.time == 1.0
    qtbot.keyClick(line, Key.Key_End)
    assert session.time == len(session.timeline)
    qtbot.keyClick(line, Key.Key_PageUp)
    qtbot.keyClick(line, Key.Key_Home)
    assert session.time == 0.0


def test_the_wheel_over_the_line_steps(transport, session):
    middle = QPointF(transport.scrubber.rect().center())
    for notch in (-120, -120, 120):
        none = Qt.KeyboardModifier.NoModifier, Qt.ScrollPhase.NoScrollPhase
        event = QWheelEvent(middle, middle, QPoint(), QPoint(0, notch), Qt.MouseButton.NoButton, *none, False)
        QApplication.sendEvent(transport.scrubber, event)
    assert session.time == 1.0


def test_speed_and_loop_are_the_sessions(transport, session, qtbot):
    qtbot.keyClick(transport.speed, Key.Key_Down)
    assert session.playback.speed == 2.0
    qtbot.mouseClick(transport.loop, Left)
    assert session.playback.loop
    session.playback.set_loop(False)
    session.playback.set_speed(0.25)
    assert not transport.loop.isChecked()
    assert transport.speed.currentText() == "0.25×"


def test_in_build_mode_the_handle_is_at_the_end_and_the_counter_says_live(transport, session):
    session.show_live()
    assert transport.counter.text() == "live"
    assert transport.scrubber.now == len(session.timeline)


def test_without_steps_there_is_nothing_to_play(session, show, qtbot):
    empty = Session(Document({}))
    transport = show(Transport(empty, LIGHT), 900, 60)
    assert not transport.play.isEnabled()
    empty.open(session.document, None)
    assert transport.play.isEnabled()


def test_the_reverse_pass_of_a_large_graph_can_be_swept_and_play_says_so_once(transport, session, qtbot):
    said: list[str] = []
    session.news.connect(said.append)
    qtbot.mouseClick(transport.play, Left)
    assert transport.sweep.isHidden() and not said
    session.open(wide(400), None)
    assert transport.sweep.isVisible()
    qtbot.mouseClick(transport.play, Left)
    (hint,) = said
    assert hint.startswith(f"{len(session.timeline)} steps take ") and "Sweep" in hint
    qtbot.mouseClick(transport.sweep, Left)
    assert session.playback.sweeps and session.time == session.timeline.forward_length
    qtbot.mouseClick(transport.play, Left)
    qtbot.mouseClick(transport.play, Left)
    assert len(said) == 1
    session.playback.pause()


def test_forward_is_blue_and_reverse_orange_on_the_line(transport, session, qtbot):
    session.set_time(len(session.timeline))
    image = transport.scrubber.grab().toImage()
    turn = session.timeline.forward_length
    y = round(transport.scrubber._line()[2])
    assert image.pixelColor(round(transport.scrubber.place(turn - 0.5)), y).name() == LIGHT.value_strong
    assert image.pixelColor(round(transport.scrubber.place(turn + 0.5)), y).name() == LIGHT.gradient_strong


def test_a_narrow_transport_has_its_line_above_the_buttons(transport, qtbot):
    wide = transport.scrubber.y() + transport.scrubber.height()
    assert wide > transport.play.y()
    transport.resize(transport.minimumSizeHint().width(), 120)
    qtbot.waitUntil(lambda: transport.scrubber.geometry().bottom() <= transport.play.geometry().top())
    assert transport.scrubber.width() > 0.8 * transport.width()


def test_everything_has_a_name_for_those_who_do_not_see(transport):
    widgets = (*transport._before, *transport._after, transport.scrubber)
    assert all(widget.accessibleName() for widget in widgets)
    assert all(widget.toolTip() for widget in (*transport._before, transport.speed, transport.loop))


def test_all_themes_fit_a_small_window(session, show):
    for theme in themes.THEMES.values():
        transport = Transport(session, theme)
        assert transport.minimumSizeHint().width() < 640, theme.name
    assert Transport(session, PROJECTOR).scrubber.sizeHint().height() > transport.scrubber.fontMetrics().height()


def test_a_line_without_any_width_was_an_endless_search_for_its_ticks(transport):
    transport.scrubber.setMinimumWidth(0)
    for width in (0, 1, 10, 20):
        transport.scrubber.resize(width, 40)
        assert not transport.scrubber.grab().isNull() or not width


def test_the_step_number_was_cut_where_the_theme_made_the_type_larger(transport):
    transport.set_theme(PROJECTOR)
    counter = transport.counter
    assert counter.width() > counter.fontMetrics().horizontalAdvance(counter.text())


def test_the_loop_had_no_picture_while_it_was_on(transport):
    QTest.mouseClick(transport.loop, Left)
    assert transport.session.playback.loop
    image = transport.loop.grab().toImage()
    inner = transport.loop.rect().adjusted(8, 8, -8, -8)
    colors = {
        image.pixelColor(x, y).name()
        for x in range(inner.left(), inner.right())
        for y in range(inner.top(), inner.bottom())
    }
    assert {LIGHT.color("ink").name(), LIGHT.color("on_strong").name()} <= colors
