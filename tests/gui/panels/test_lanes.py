"""The lanes: as many as there is room for, the present one among them, all in the tooltip."""

from __future__ import annotations

import pytest

from core.timeline import Lane
from gui.panels.lanes import LanesView
from gui.theme import DARK, LIGHT, PROJECTOR

THEMES = (LIGHT, DARK, PROJECTOR)


def lanes(count: int, now: int) -> tuple[Lane, ...]:
    return tuple(Lane(f"∂L/∂w{number}", "−28", "tangent", number == now) for number in range(count))


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("now", [0, 7, 14])
def test_the_present_lane_is_among_those_seen(show, theme, now):
    view = show(LanesView(theme), 200, 90)
    view.show_lanes(lanes(15, now))
    assert any(lane.now for lane in view.seen) and 1 < len(view.seen) < 15
    assert len(view.toolTip().splitlines()) == 15


def test_without_lanes_it_takes_no_room(show):
    view = show(LanesView(LIGHT), 200, 90)
    view.show_lanes(())
    assert view.isHidden()


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_its_width_does_not_jump_when_the_first_result_comes(show, theme):
    view = show(LanesView(theme), 200, 90)
    view.show_lanes((Lane("∂L/∂w0", "·", "tangent", True),))
    before = view.sizeHint().width()
    view.show_lanes((Lane("∂L/∂w0", "−0.1234", "tangent", True),))
    assert view.sizeHint().width() == before
