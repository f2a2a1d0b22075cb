"""The empty canvas: one sentence, a field for a formula and three buttons, by real mouse and keys."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document
from cadena.core.graph.edits import add
from cadena.gui.frame.empty_canvas import EmptyCanvas
from tests.gui.user import LEFT, settle
from tests.waiting import until


@pytest.fixture
def beginning(user) -> EmptyCanvas:
    user.session.open(Document({}), None)
    user.session.show_live()
    settle()
    return user.window.beginning


def click(widget) -> None:
    QTest.mouseClick(widget, LEFT, pos=widget.rect().center())
    settle()


def test_it_stands_on_an_empty_canvas_alone_and_band_and_dock_are_empty(user, beginning):
    assert beginning.isVisible() and user.canvas.rect().contains(beginning.geometry())
    assert not user.window.zoom.isVisible()
    band, inspector = user.window.step_band, user.window.inspector
    until(lambda: (band.title.text(), band.text.text()) == ("", ""), "the band speaks", settle)
    until(lambda: not inspector.graph.isVisible(), "the dock speaks", settle)
    user.session.edit(lambda document: add(document, "parameter", (0.0, 0.0)), "Add")
    settle()
    assert not beginning.isVisible()
    assert user.window.zoom.isVisible()
    until(lambda: inspector.graph.isVisible() and bool(band.title.text()), "band and dock stay empty", settle)
    user.press("Ctrl+Z")
    assert beginning.isVisible()


def test_a_formula_typed_there_is_the_graph(user, beginning):
    click(beginning.field)
    user.type("y = w*x + b")
    assert user.session.document.nodes.keys() >= {"w", "x", "b", "y"} and user.session.document.output == "y"
    assert not beginning.isVisible() and user.canvas.hasFocus() and user.canvas.shows_all
    assert user.window.expressions.editor.toPlainText() == "y = w*x + b"
    user.press("Ctrl+Z")
    assert not user.session.document.nodes and beginning.isVisible() and beginning.field.text() == ""


def test_a_formula_with_a_mistake_is_answered_below_the_field(user, beginning):
    click(beginning.field)
    user.type("y = w*")
    assert beginning.mistake.isVisible() and beginning.mistake.text() == "Something is missing at the end; complete it."
    assert not any(beginning.mistake.geometry().intersects(button.geometry()) for button in beginning.buttons.values())
    assert not user.session.document.nodes and beginning.field.text() == "y = w*"
    QTest.keyClicks(beginning.field, "x")
    assert not beginning.mistake.isVisible()
    user.press("Esc")
    assert beginning.field.text() == "" and user.canvas.hasFocus()


def test_letters_in_the_field_are_no_commands(user, beginning):
    click(beginning.field)
    QTest.keyClicks(beginning.field, "a + b r")
    settle()
    assert beginning.field.text() == "a + b r" and user.canvas.fields.search is None and not user.session.playback.loop


def test_add_a_node_opens_the_search(user, beginning):
    click(beginning.buttons["Add a node"])
    assert user.canvas.fields.search is not None
    user.type("3")
    assert len(user.session.document.nodes) == 1 and not beginning.isVisible()


def test_open_a_lesson_shows_all_of_them(user, beginning):
    click(beginning.buttons["Open a lesson"])
    assert user.window.desk.gallery_shown
    user.press("Esc")
    assert not user.window.desk.gallery_shown


def test_import_a_script_asks_for_its_file(user, beginning):
    user.answers.path = None
    click(beginning.buttons["Import a script"])
    assert user.answers.asked[-1] == "script"


def test_a_double_click_beside_it_still_asks_for_a_node(user, beginning):
    user.double_click(beginning.geometry().topLeft() / 2)
    assert user.canvas.fields.search is not None
    user.press("Esc")


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720)])
@pytest.mark.parametrize("theme", ["light", "projector"])
def test_it_is_whole_on_every_canvas(user, beginning, size, theme):
    user.window.choose_theme(theme)
    user.window.resize(*size)
    settle()
    assert user.canvas.rect().contains(beginning.geometry())
    for button in beginning.buttons.values():
        assert button.width() >= button.minimumSizeHint().width() and beginning.rect().contains(button.geometry())


# --- how steps are played


def test_a_first_start_says_space_plays_until_something_was_played(own_user):
    band, settings = own_user.window.step_band, own_user.window.settings
    assert not settings.has_played and band.title.text() == "Before the first of 21 steps. Space plays."
    own_user.press("Space")
    assert own_user.session.playback.playing and settings.has_played
    own_user.press("Space")
    own_user.press("Home")
    assert band.title.text() == "Before the first of 21 steps."
