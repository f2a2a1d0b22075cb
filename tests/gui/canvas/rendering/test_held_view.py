"""The picture stays where it is on the screen while panels and bars around it come and go."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document
from tests.gui.user import LEFT, User, settle


def on_screen(user: User, name: str) -> QPoint:
    return user.canvas.mapToGlobal(user.name_of(name))


@pytest.mark.parametrize("command", ["view.inspector", "view.problems", "run.build"])
def test_the_picture_stays_where_it_is_while_a_panel_comes_and_goes(user, command):
    user.session.select(["b1"])  # in the middle: another node may be covered, and is brought back into view
    before, camera = on_screen(user, "m3"), user.canvas.camera
    for _ in range(2):
        user.do(command)
        assert on_screen(user, "m3") == before
    assert user.canvas.camera == camera


def test_the_first_edit_brought_the_palette_and_moved_the_picture(user):
    before, height = on_screen(user, "L"), user.window.expressions.height()
    user.session.select(["c"])
    user.press("Del")
    assert user.session.live and user.window.operations.isHidden()
    moved = on_screen(user, "L") - before
    assert moved.x() == 0 and 0 <= moved.y() <= user.window.expressions.height() - height  # which would cover cards
    before = on_screen(user, "L")
    QTest.mouseClick(user.window.header.mode.build, LEFT)
    settle()
    assert user.window.operations.isVisible() and on_screen(user, "L") == before


def test_a_node_just_made_was_cut_by_the_palette(user):
    user.click(user.name_of("w0"))
    user.press("Ctrl+D")
    user.press("B")
    user.press("B")
    (made,) = user.session.selection
    card = user.canvas.places.card(made)
    assert user.window.operations.isVisible()
    assert user.canvas.camera.visible(user.canvas.size().toSizeF()).contains(card)


def test_a_graph_that_is_opened_is_whole_in_view_after_panels_came_and_went(user):
    user.do("view.code")
    user.window.files.open_lesson("2")
    settle()
    seen = user.canvas.camera.visible(user.canvas.size().toSizeF())
    assert user.canvas.shows_all and all(
        seen.contains(user.canvas.places.card(name)) for name in user.session.document.nodes
    )


def test_the_bar_of_expressions_grew_and_the_graph_shrank(user):
    user.window.resize(1280, 720)
    user.session.show_live()
    settle()
    user.canvas.zoom_to_fit()
    before, camera = on_screen(user, "m3"), user.canvas.camera
    user.press("E")
    assert on_screen(user, "m3") == before and user.window.expressions.height() > 60
    user.press("Esc")
    assert on_screen(user, "m3") == before and user.canvas.camera == camera


def test_the_picture_comes_back_after_it_gave_way_to_a_panel(user):
    camera = user.canvas.camera
    user.click(user.name_of("w0"))
    user.do("view.code")
    card = user.canvas.places.card("w0")
    assert user.canvas.camera.visible(user.canvas.size().toSizeF()).contains(card) and not user.canvas.shows_all
    user.do("view.code")
    assert user.canvas.camera == camera and user.canvas.shows_all


def on_screen_all(user: User) -> dict[str, QPoint]:
    return {name: on_screen(user, name) for name in user.session.document.nodes}


def in_view(user: User) -> set[str]:
    seen = user.canvas.camera.visible(user.canvas.size().toSizeF())
    return {name for name in user.session.document.nodes if seen.contains(user.canvas.places.card(name))}


@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720)])
def test_each_line_of_an_expression_pushed_the_picture_under_the_bar(user, size):
    user.window.resize(*size)
    user.session.open(Document({}), None)
    user.session.show_live()
    user.press("E")
    for line in ("a = 2", "b = 3*a", "c = a + b", "d = a*b*c", "e = d*d"):
        QTest.keyClicks(user.window.expressions.editor, line)
        settle()
        assert in_view(user) == set(user.session.document.nodes)
        before, edge = on_screen_all(user), user.window.expressions.height()
        QTest.keyClick(user.window.expressions.editor, Qt.Key.Key_Return)
        settle()
        grew = user.window.expressions.height() - edge
        moved = {(now - before[name]).toTuple() for name, now in on_screen_all(user).items()}
        assert moved == {(0, 0)} or (grew and all(x == 0 and 0 < y <= grew for x, y in moved))
        assert in_view(user) == set(user.session.document.nodes)
    assert user.window.expressions.height() > 106  # it grew


def test_a_card_that_a_letter_made_and_the_next_took_away_left_the_picture_smaller(user):
    user.canvas.zoom_to_fit()
    camera = user.canvas.camera
    user.press("E")
    user.type("")
    QTest.keyClicks(user.window.expressions.editor, "z = w")
    settle()
    assert "w" in in_view(user) and user.canvas.camera != camera
    held = user.canvas.camera.zoom
    QTest.keyClick(user.window.expressions.editor, Qt.Key.Key_Backspace)
    QTest.keyClicks(user.window.expressions.editor, "L")
    settle()
    assert "w" not in user.session.document.nodes
    assert user.canvas.camera.zoom > held


def test_a_node_that_went_made_the_bar_grow_over_the_cards_at_the_top(user):
    user.session.show_live()
    settle()
    user.canvas.zoom_to_fit()
    height = user.window.expressions.height()
    user.click(user.name_of("b1"))
    user.press("Del")
    assert user.window.expressions.height() > height
    assert in_view(user) == set(user.session.document.nodes) and user.canvas.shows_all
