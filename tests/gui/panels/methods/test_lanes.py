"""The lanes: as many as there is room for, the present one among them, all in the tooltip."""

from __future__ import annotations

import pytest

from cadena.core.methods.reverse.timeline import Lane
from cadena.gui.look.theme import DARK, LABEL, LIGHT, PROJECTOR
from cadena.gui.panels.methods.lanes import LanesView
from cadena.gui.widgets.lane_rows import MARK

THEMES = (LIGHT, DARK, PROJECTOR)


def lanes(count: int, now: int) -> tuple[Lane, ...]:
    return tuple(Lane(f"∂L/∂w{number}", "−28", "tangent", number == now) for number in range(count))


def with_15_lanes(show, theme) -> LanesView:
    """As high as the step band has room, and as wide as it likes."""
    view = show(LanesView(theme))
    view.setFixedHeight(round(90 * theme.type))
    view.show_lanes(tuple(Lane(f"∂L/∂X[{number}, 0]", "−0.2931", "tangent", True) for number in range(15)))
    return view


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
@pytest.mark.parametrize("now", [0, 7, 14])
def test_the_present_lane_is_among_those_seen(show, theme, now):
    view = show(LanesView(theme), 200, 90)
    view.show_lanes(lanes(15, now))
    assert any(lane.now for lane in view.visible) and 1 < len(view.visible) < 15
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


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_15_lanes_stand_in_columns_and_are_all_seen_where_there_is_room(show, theme):
    view = with_15_lanes(show, theme)
    wide = view.sizeHint().width()
    view.resize(wide, view.height())
    assert len(view.visible) == 15
    assert wide > 2 * LanesView(theme).sizeHint().width()


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_where_there_is_little_room_the_type_is_smaller_before_lanes_are_left_out(show, theme):
    view = with_15_lanes(show, theme)
    usual = view.sizeHint().width()
    view.setMaximumWidth(usual - 20)
    view.resize(view.sizeHint().width(), view.height())
    assert view.width() < usual - 20 and len(view.visible) == 15
    view.setMaximumWidth(usual // 3)
    view.resize(view.sizeHint().width(), view.height())
    assert 1 < len(view.visible) < 15 and view.width() <= usual // 3


def test_many_lanes_are_set_smaller_before_the_formula_beside_them(show):
    """Of lesson 11 they took all that they may, and the matrices beside them were set in letters of ten pixels."""
    view = with_15_lanes(show, LIGHT)
    usual = view.sizeHint().width()
    view.setMaximumWidth(usual + 30)
    assert view.sizeHint().width() <= 0.94 * usual  # 12 pixels for 13: no type is smaller than that
    view.setMaximumWidth(2 * usual)
    assert view.sizeHint().width() == usual


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_a_short_name_leaves_its_room_to_the_number(show, theme):
    """A number got 70 % of its row at most: that of lesson 12 was cut off, with half of the row empty."""
    view, lane = show(LanesView(theme)), Lane("∂y/∂x", "0.4517 (143 ops)", "gradient", True)
    view.setFixedHeight(round(90 * theme.type))
    view.show_lanes((Lane("y", "24 operations", "value", False), lane))
    row = view.sizeHint().width() - MARK * theme.type
    assert view.rows.words(lane, row, LABEL) == (lane.name, lane.text)
    name, text = view.rows.words(lane, row * 0.6, LABEL)
    assert name.startswith("∂") and text.startswith("0.45")


def test_names_of_lanes_are_set_as_in_the_formula_beside(show):
    view = show(LanesView(LIGHT), 200, 90)
    view.show_lanes(lanes(1, 0))
    assert view.rows.words(view.lanes[0], 200.0, LABEL)[0] == "∂L/∂w₀"
