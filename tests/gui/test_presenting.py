"""Presenting: nothing but the graph and its step, for as long as it is wanted."""

from __future__ import annotations

from cadena.core.lessons import open_lesson
from tests.gui.user import settle


def test_presenting_leaves_the_graph_and_its_step(user):
    window = user.window
    user.press("F5")
    assert not any(part.isVisible() for part in (window.menuBar(), window.tool_row, *window.panels.values()))
    assert window.isFullScreen() and window.transport.isVisible() and user.canvas.width() == window.width()
    user.press("Space")
    assert user.session.playback.playing
    user.press("Esc")
    assert window.tool_row.isVisible() and window.operations.isVisible() and not window.isFullScreen()
    assert not window.problems.isVisible()


def test_opening_a_lesson_ended_the_presentation(user):
    user.press("F5")
    user.press("Ctrl+K")
    assert user.window.presenting and user.window.search.hasFocus() and user.window.search.isVisible()
    user.type("lesson 12")
    assert user.session.document == open_lesson("12")
    window = user.window
    assert window.presenting and not any(part.isVisible() for part in (window.menuBar(), window.tool_row))
    assert window.isFullScreen() and user.canvas.hasFocus()
    user.press("Esc")
    assert not window.presenting and window.tool_row.isVisible()


def test_the_search_leaves_the_presentation_as_it_was(user):
    user.press("F5")
    user.press("Ctrl+K")
    user.press("Esc")
    assert user.window.presenting and not user.window.tool_row.isVisible() and user.canvas.hasFocus()
    user.press("Esc")
    assert not user.window.presenting
    user.press("Ctrl+K")
    user.press("Esc")
    assert user.window.tool_row.isVisible()


def test_the_names_that_a_search_finds_are_read_in_large_type(user):
    """In the projector theme the other columns left them three dots."""
    user.window.choose_theme("projector")
    user.window.open_search()
    user.window.search.setText("x")
    user.window.search.textEdited.emit("x")
    settle()
    names = user.window.search._popup.list
    longest = max(names.fontMetrics().horizontalAdvance(entry.name) for entry in user.window.search.shown)
    assert names.columnWidth(0) >= min(longest, 400)
    user.window.search.close_list()
    user.window.choose_theme("light")
