"""The toast at the canvas: what a letter did, with undo in reach, and every sentence that needs no answer."""

from __future__ import annotations

import pytest
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import open_lesson
from tests.gui.user import LEFT, NO_KEY, User, settle


def notice(user: User) -> tuple[str, bool]:
    """The text that is shown, and whether it can be undone there; "" for none."""
    done = user.window.toast
    return (done.text.text(), done.undo.isVisible()) if done.isVisible() else ("", False)


@pytest.mark.some(2)
@pytest.mark.parametrize(
    ("name", "key", "text"),
    [
        ("b1", "O", "Make b1 the output"),
        ("a1", "G", "Want the gradient of a1"),
    ],
)  # fmt: skip
def test_a_letter_says_what_it_did_and_a_click_takes_it_back(user, name, key, text):
    user.click(user.name_of(name))
    before = user.session.document
    user.press(key)
    assert user.session.document != before and notice(user) == (text, True)
    QTest.mouseClick(user.window.toast.undo, LEFT, NO_KEY, user.window.toast.undo.rect().center())
    settle()
    assert user.session.document == before and notice(user) == ("", False)
    assert user.canvas.hasFocus()


def test_a_switch_says_whether_it_is_on(user):
    user.press("R")
    assert notice(user) == ("Loop: on", False)
    user.press("R")
    assert notice(user) == ("Loop: off", False)


def test_a_letter_that_does_nothing_says_what_it_needs(user):
    user.press("Esc")
    user.press("G")
    assert notice(user) == ("“Wants a gradient” cannot be done now: select an input first.", False)


def test_what_is_done_with_ctrl_is_not_announced(user):
    user.click(user.name_of("b1"))
    user.press("Ctrl+D")
    assert notice(user) == ("", False)


def test_the_notice_goes_with_the_next_edit_and_with_the_document(user):
    user.click(user.name_of("b1"))
    user.press("O")
    user.set_value("w0", "3")
    assert notice(user) == ("", False)
    user.click(user.name_of("c"))
    user.press("O")
    assert notice(user)[0] == "Make c the output"
    user.press("Ctrl+N")
    assert notice(user) == ("", False)


def test_the_notice_lies_within_the_canvas_in_every_theme(user):
    for theme in ("light", "dark", "projector"):
        user.window.choose_theme(theme)
        user.press("R")
        assert user.canvas.rect().contains(user.window.toast.geometry())


def test_a_sentence_lay_over_the_cards_for_good(user):
    before = user.canvas.geometry()
    user.session.message.emit("There is nothing to paste: copy nodes, or an expression, and paste it then " * 3)
    settle()
    toast = user.window.toast
    assert toast.isVisible() and user.canvas.geometry() == before and user.canvas.rect().contains(toast.geometry())
    assert toast.fading.isActive()
    toast.fading.timeout.emit()
    assert toast.isHidden()


def test_a_toast_lay_over_the_lowest_cards(user):
    """At 1280 x 720 it stood over a1 at the canvas's lower left."""
    toast, canvas = user.window.toast, user.canvas
    user.window.resize(1280, 720)
    settle()
    user.session.message.emit("A sentence")
    assert toast.isVisible() and canvas.rect().contains(toast.geometry())
    assert canvas.cards_under(toast.geometry()) == (0, 0)
    user.session.message.emit("A sentence that is much longer than the room below the cards of this graph has for it")
    for moment in range(len(user.session.timeline) + 1):
        user.session.set_time(float(moment))
        assert not canvas.cards_under(toast.geometry())[0], moment


def test_a_toast_stands_at_the_lower_left_where_no_card_is(user):
    user.session.open(Document({}), None)
    user.session.message.emit("A sentence")
    area, canvas = user.window.toast.geometry(), user.canvas.rect()
    assert area.left() == 16 and canvas.bottom() - area.bottom() == 16


def test_news_waits_until_nobody_watches_and_a_reply_does_not(user):
    user.press("F5")
    user.session.news.emit("A sentence that nobody has asked for")
    assert notice(user) == ("", False)
    user.session.message.emit("A reply")
    assert notice(user) == ("A reply", False)
    user.press("Esc")
    assert notice(user) == ("A sentence that nobody has asked for", False)
    user.session.news.emit("Another one")
    assert notice(user) == ("Another one", False)


def test_a_chain_that_lost_a_node_stayed_open_without_a_hint(user):
    user.click(user.name_of("b1"))
    user.press("Del")
    toast = user.window.toast
    assert notice(user) == ("Deleted b1 and its 3 wires", True) and toast.other.text() == "Heal"
    assert user.session.document.source_of("m3", 1) is None
    QTest.mouseClick(toast.other, LEFT)
    settle()
    assert user.session.document.source_of("m3", 1) == "m1" and "b1" not in user.session.document.nodes
    assert notice(user) == ("", False)
    user.press("Ctrl+Z")
    assert user.session.document == open_lesson("1")


@pytest.mark.parametrize("name", ["w0", "L"])
def test_what_nothing_goes_through_leaves_nothing_to_heal(user, name):
    user.click(user.name_of(name))
    user.press("Del")
    assert notice(user)[1] and user.window.toast.other.isHidden()


@pytest.mark.some(2)
@pytest.mark.parametrize("theme", ["light", "dark", "projector", "contrast"])
@pytest.mark.parametrize(("size", "larger"), [((1600, 1000), 3), ((1280, 720), 0), ((1280, 720), 3), ((900, 600), 0)])
def test_a_toast_covered_the_zoom_control(user, theme, size, larger):
    user.window.resize(*size)
    user.window.choose_theme(theme)
    for _ in range(larger):
        user.do("view.larger-type")
    toast = user.window.toast
    for words in (1, 3):
        user.session.message.emit("A sentence that goes on " * words)
        settle()
        assert toast.isVisible() and not toast.geometry().intersects(user.window.zoom.geometry())
    user.do("view.usual-type")
