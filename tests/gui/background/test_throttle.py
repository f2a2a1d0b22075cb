"""What follows the canvas comes once requests pause, and seldom while they go on."""

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from cadena.gui.background.throttle import Throttle
from tests.waiting import until


@pytest.fixture
def times(qapp):
    """How often the throttle has acted."""
    return []


@pytest.fixture
def throttle(qapp, times):
    parent = QObject()
    yield Throttle(parent, lambda: times.append(1))
    parent.deleteLater()


def test_many_requests_are_followed_once(throttle, times):
    for _ in range(5):
        throttle.request()
    assert throttle.waits and not times
    until(lambda: not throttle.waits, "it never follows", QApplication.processEvents)
    assert len(times) == 1


def test_panels_follow_a_drag_less_often_than_its_frames_and_once_at_its_end(throttle, times, monkeypatch):
    monkeypatch.setattr(Throttle, "REST", 1000)  # so that no pause of a busy machine is taken for the end
    throttle._longest = 60
    frames = []

    def frame():
        throttle.request()
        frames.append(1)
        QApplication.processEvents()

    until(lambda: len(times) == 2, "panels wait for the end", frame)
    assert len(frames) > 2
    throttle.request()
    until(lambda: len(times) == 3, "the end is not followed", QApplication.processEvents)
    assert not throttle.waits


def test_what_was_requested_can_be_done_at_once_or_taken_back(throttle, times):
    throttle.catch_up()
    assert not times
    throttle.request()
    throttle.catch_up()
    assert len(times) == 1 and not throttle.waits
    throttle.request()
    throttle.cancel()
    assert not throttle.waits
