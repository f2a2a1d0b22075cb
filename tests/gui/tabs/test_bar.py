"""The tab bar, by mouse and keyboard."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

import cadena
from tests.gui.frame.test_documents import change, graph, names, save
from tests.gui.mouse import drag_to
from tests.gui.user import User, rest, settle
from tests.waiting import until

LEFT, MIDDLE, NO_KEY = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.KeyboardModifier.NoModifier


def open_three(user: User, folder) -> None:
    for path in save(folder, "one", "other", "third"):
        user.window.files.open_path(path)
    settle()


@pytest.fixture
def three(user, tmp_path) -> User:
    """A user with three files in tabs; the third is shown."""
    open_three(user, tmp_path)
    return user


def tabs(user: User):
    return user.window.tabs.bar.tabs


def place(user: User, index: int) -> QPoint:
    area = tabs(user).tabRect(index)
    return QPoint(area.left() + area.width() // 3, area.center().y())


def texts(user: User) -> list[str]:
    return [tabs(user).tabText(at) for at in range(tabs(user).count())]


def test_there_are_no_tabs_for_one_document(own_user, tmp_path):
    assert own_user.window.tabs.bar is None
    open_three(own_user, tmp_path)
    assert own_user.window.tabs.bar.isVisible() and texts(own_user) == ["one", "other", "third"]
    own_user.press("Ctrl+W")
    own_user.press("Ctrl+W")
    assert not own_user.window.tabs.bar.isVisible()


def test_a_click_shows_a_document(three):
    QTest.mouseClick(tabs(three), LEFT, NO_KEY, place(three, 0))
    settle()
    assert three.session.path.stem == "one" and three.canvas.hasFocus()


def test_a_dot_marks_what_is_not_saved_and_the_tip_is_the_path(three, tmp_path):
    change(three, 7.0)
    assert texts(three) == ["one", "other", "● third"]
    assert tabs(three).tabToolTip(2) == f"{tmp_path / 'third.cadena'}, with changes that are not saved"
    three.press("Ctrl+Tab")
    assert texts(three) == ["one", "other", "● third"] and tabs(three).currentIndex() == 0
    three.press("Ctrl+Shift+Tab")
    three.press("Ctrl+Z")
    assert texts(three) == ["one", "other", "third"]


def test_the_middle_button_closes_the_tab_under_it(three):
    QTest.mouseClick(tabs(three), MIDDLE, NO_KEY, place(three, 1))
    settle()
    assert names(three) == ["one", "third"] and three.session.path.stem == "third"


def test_a_tabs_own_button_closes_it(three):
    button = tabs(three).tabButton(0, tabs(three).ButtonPosition.RightSide)
    assert button.accessibleName() == "Close one"
    QTest.mouseClick(button, LEFT)
    settle()
    assert names(three) == ["other", "third"]
    button = tabs(three).tabButton(1, tabs(three).ButtonPosition.RightSide)
    QTest.mouseClick(button, LEFT)
    settle()
    assert names(three) == ["other"] and three.session.path.stem == "other"


def test_the_plus_opens_an_empty_graph(three):
    QTest.mouseClick(three.window.tabs.bar.new_button, LEFT)
    settle()
    assert names(three) == ["one", "other", "third", "untitled"] and three.session.document.nodes == {}


def test_a_new_tab_is_called_after_what_it_holds(three):
    three.press("Ctrl+N")
    for op, place in (("parameter", (100, 100)), ("input", (100, 300)), ("multiply", (400, 200))):
        three.drop_operation(op, QPoint(*place))
    assert names(three)[-1] == "w0, x0, multiply1"
    three.connect("w0", "multiply1", 0)
    three.connect("x0", "multiply1", 1)
    assert three.session.document.output == "multiply1"
    assert names(three)[-1] == "multiply1 = w0*x0"


def test_a_tab_is_dragged_to_another_place(three):
    start = place(three, 0)
    QTest.mousePress(tabs(three), LEFT, NO_KEY, start)
    for by in (10, 30, 60, 90, 120, 150):
        drag_to(tabs(three), start + QPoint(by, 0))
    QTest.mouseRelease(tabs(three), LEFT, NO_KEY, start + QPoint(150, 0))
    until(lambda: names(three) == texts(three) and names(three).index("one") > 0, "the tab does not move", settle)
    assert three.session.path.stem == "one" and names(three)[tabs(three).currentIndex()] == "one"
    three.press("Ctrl+Tab")
    assert names(three)[tabs(three).currentIndex()] == three.session.path.stem


def test_the_menu_of_a_tab_closes_the_others(three):
    three.window.tabs.bar.tabs.menuAsked.emit(1, three.window.mapToGlobal(QPoint(5, 5)))
    settle()
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    next(action for action in menu.actions() if action.text() == "Close the others").trigger()
    menu.close()
    rest()
    assert names(three) == ["other"] and three.session.path.stem == "other"


def test_closing_the_others_stops_at_the_one_that_is_to_be_kept(three):
    three.press("Ctrl+Tab")
    change(three, 7.0)
    three.answers.leave = "cancel"
    three.window.documents.close_others(2)
    assert names(three) == ["one", "other", "third"] and three.session.path.stem == "one"


def test_closing_the_others_lost_sight_of_the_one_to_keep_when_it_showed_what_is_unsaved(three):
    three.press("Ctrl+Tab")
    change(three, 7.0)
    three.answers.leave = "discard"
    three.window.documents.close_others(2)
    assert names(three) == ["third"] and three.session.path.stem == "third"
    assert three.answers.asked == ["unsaved"]


def test_an_ampersand_in_a_name_is_no_key(three, tmp_path):
    path = tmp_path / "a & b.cadena"
    cadena.save(graph(1.0), path)
    three.window.files.open_path(path)
    assert texts(three)[-1] == "a && b"


def test_no_tabs_are_shown_while_presenting(three):
    three.window.stage.toggle()
    settle()
    assert not three.window.tabs.bar.isVisible()
    three.press("Ctrl+Tab")
    assert not three.window.tabs.bar.isVisible() and three.session.path.stem == "one"
    three.window.stage.toggle()
    settle()
    assert three.window.tabs.bar.isVisible()


@pytest.mark.parametrize("theme", ["light", "dark", "projector"])
def test_the_graph_keeps_half_the_height_of_a_small_window(three, theme):
    three.window.resize(1280, 720)
    three.window.choose_theme(theme)
    rest()
    assert three.canvas.height() >= 0.45 * three.window.height()
