from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from cadena.gui.presenting.speaker.clock import LectureClock


class Hands:
    """A clock that goes on only when it is told to."""

    def __init__(self) -> None:
        self.at = datetime(2026, 3, 2, 9, 15, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.at

    def go_on(self, **span: float) -> None:
        self.at += timedelta(**span)


@pytest.fixture
def hands():
    return Hands()


@pytest.fixture
def clock(hands):
    return LectureClock(hands)


def test_a_clock_stands_until_it_is_started(clock, hands):
    hands.go_on(minutes=3)
    assert clock.elapsed_words == "0:00" and not clock.runs
    clock.start()
    hands.go_on(seconds=65)
    assert clock.elapsed_words == "1:05" and clock.runs


def test_to_start_again_takes_nothing_away(clock, hands):
    clock.start()
    hands.go_on(minutes=2)
    clock.start()
    assert clock.elapsed_words == "2:00"


def test_a_pause_does_not_count(clock, hands):
    clock.start()
    hands.go_on(minutes=10)
    clock.toggle()
    hands.go_on(minutes=15)
    assert clock.elapsed_words == "10:00"
    clock.toggle()
    hands.go_on(minutes=1)
    assert clock.elapsed_words == "11:00"


def test_reset_begins_at_0_and_a_paused_clock_stays_paused(clock, hands):
    clock.start()
    hands.go_on(minutes=10)
    clock.reset()
    hands.go_on(seconds=5)
    assert clock.elapsed_words == "0:05"
    clock.pause()
    clock.reset()
    hands.go_on(seconds=5)
    assert clock.elapsed_words == "0:00" and not clock.runs


def test_hours_are_shown_from_the_first_one_on(clock, hands):
    clock.start()
    hands.go_on(hours=1, minutes=4, seconds=5)
    assert clock.elapsed_words == "1:04:05"


def test_a_system_clock_that_is_put_back_gives_no_negative_time(clock, hands):
    clock.start()
    hands.go_on(hours=-1)
    assert clock.elapsed_words == "0:00"


def test_the_time_of_day_is_local(clock, hands):
    assert clock.time_of_day == f"{hands.at.astimezone():%H:%M}"
