"""What is open around a graph, as a value."""

from __future__ import annotations

from cadena.gui.panels.parts.panel_layout import INSPECTOR, PanelLayout, Side, read, written

FIRST = PanelLayout()
PATHS = FIRST.opened("paths", "Steps", Side.RIGHT)
CODE = FIRST.opened("code", "Code", Side.LEFT)


def test_one_part_stands_on_each_side():
    assert FIRST.open == {Side.RIGHT: INSPECTOR}
    assert PATHS.open == {Side.RIGHT: "paths"} and PATHS.last == {"Steps": "paths"}
    assert CODE.open == {Side.RIGHT: INSPECTOR, Side.LEFT: "code"}


def test_the_inspector_comes_back_after_what_took_its_place_unless_it_was_closed():
    assert PATHS.withdrawn("paths").open == {Side.RIGHT: INSPECTOR}
    other = PATHS.opened("contour", "Plots", Side.RIGHT)
    assert other.withdrawn("contour").open == {Side.RIGHT: INSPECTOR}
    assert PATHS.closed("paths").open == FIRST.closed(INSPECTOR).open == {}
    alone = FIRST.closed(INSPECTOR).opened("paths", "Steps", Side.RIGHT)
    assert alone.withdrawn("paths").open == {}


def test_what_was_opened_last_comes_last():
    assert list(CODE.open) == [Side.RIGHT, Side.LEFT]
    assert list(CODE.opened("paths", "Steps", Side.RIGHT).open) == [Side.LEFT, Side.RIGHT]


def test_what_is_not_open_is_not_closed():
    assert PATHS.closed("contour") is PATHS and CODE.closed("code").open == {Side.RIGHT: INSPECTOR}


def test_what_a_story_opens_is_for_an_audience_too():
    told = FIRST.opened("paths", "Steps", Side.RIGHT, by_story=True)
    assert told.staged == {"paths"} and not told.closed("paths").staged and not PATHS.staged


def test_a_part_that_is_not_known_leaves_its_place_to_the_inspector():
    assert FIRST.opened("x", "X", Side.RIGHT).only({INSPECTOR}).open == {Side.RIGHT: INSPECTOR}
    assert CODE.only({INSPECTOR}).open == {Side.RIGHT: INSPECTOR}


def test_a_layout_is_written_and_read():
    assert read(written(PATHS)) == PATHS and read("") == FIRST and read("[1") == FIRST
