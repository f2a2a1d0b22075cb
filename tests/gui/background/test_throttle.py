"""What follows the canvas comes a frame after it, however long the painting takes."""

import pytest
from PySide6.QtWidgets import QApplication, QWidget

from cadena.gui.background.throttle import Throttle
from tests.waiting import until


class Surface(QWidget):
    """A surface that notes when it is painted, and whether the frame after it has begun before."""

    def paintEvent(self, event):
        self.seen.append(("painted", self.throttle._frame.isActive()))


@pytest.fixture
def surface(qtbot):
    surface = Surface()
    qtbot.addWidget(surface)
    surface.seen = seen = []
    surface.throttle = Throttle(surface, lambda: seen.append("followed"))
    surface.show()
    until(lambda: seen, "it is never painted", QApplication.processEvents)
    seen.clear()
    return surface


def test_many_requests_are_followed_once(surface):
    for _ in range(5):
        surface.throttle.request()
    assert surface.throttle.waits and not surface.seen
    until(lambda: not surface.throttle.waits, "it never follows", QApplication.processEvents)
    assert surface.seen == ["followed"]


def test_a_panel_came_right_after_a_canvas_that_took_longer_than_a_frame(surface):
    surface.throttle.request()
    surface.update()
    until(lambda: not surface.throttle.waits, "it never follows", QApplication.processEvents)
    assert surface.seen == [("painted", False), "followed"]


def test_what_was_requested_can_be_done_at_once_or_taken_back(surface):
    surface.throttle.catch_up()
    assert not surface.seen
    surface.throttle.request()
    surface.throttle.catch_up()
    assert surface.seen == ["followed"] and not surface.throttle.waits
    surface.throttle.request()
    surface.throttle.cancel()
    assert not surface.throttle.waits


def test_what_takes_long_is_done_less_often(surface):
    surface.throttle._took = Throttle.PAUSE  # milliseconds, the last time
    surface.throttle._last.start()
    surface.throttle.request()
    until(surface.throttle._frame.isActive, "the frame never begins", QApplication.processEvents)
    assert surface.throttle._frame.interval() > Throttle.PAUSE


def test_panels_followed_one_after_another_and_each_held_up_another_step_of_a_drag(surface):
    later, long = Throttle(surface, lambda: surface.seen.append("later")), Throttle(surface, surface.update, 10_000)
    for throttle in (surface.throttle, long):
        throttle._last.start()  # as if it had just followed
        throttle.request()
    until(surface.throttle._frame.isActive, "the frame never begins", QApplication.processEvents)
    later.request()
    until(lambda: not surface.throttle.waits or not later.waits, "none follows", QApplication.processEvents)
    assert set(surface.seen) == {"followed", "later"} and not surface.throttle.waits and not later.waits
    assert long.waits  # which is not due for long
    long.cancel()
