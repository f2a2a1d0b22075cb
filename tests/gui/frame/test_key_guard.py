"""A key without Ctrl goes to whoever has the focus and uses it; else it is a shortcut of the window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLineEdit,
    QMainWindow,
    QPlainTextEdit,
    QPushButton,
    QSlider,
    QTableWidget,
    QToolButton,
    QWidget,
)

from cadena.gui.frame.key_guard import KeyGuard
from tests.gui.mouse import wait_for_space
from tests.gui.user import calm, settle
from tests.waiting import MILLISECONDS

Key = Qt.Key
SHORTCUTS = (Key.Key_Space, Key.Key_Left, Key.Key_Home, Key.Key_B, Key.Key_Delete)


class Desk:
    """A window with one widget that has the focus, and shortcuts that note that they were used."""

    def __init__(self, qtbot, widget: QWidget) -> None:
        self.window, self.widget, self.used = QMainWindow(), widget, []
        self.window.setCentralWidget(widget)
        for key in SHORTCUTS:
            action = QAction(self.window)
            action.setShortcut(QKeySequence(key))
            action.triggered.connect(lambda _=False, key=key: self.used.append(key))
            self.window.addAction(action)
        self.guard = KeyGuard(self.window)
        self.window.installEventFilter(self.guard)
        qtbot.addWidget(self.window)
        self.window.show()
        assert QTest.qWaitForWindowActive(self.window, MILLISECONDS)
        widget.setFocus()
        qtbot.waitUntil(widget.hasFocus)


def filled(combo: QComboBox) -> QComboBox:
    combo.addItems(["one", "two", "three"])
    combo.setCurrentIndex(2)
    return combo


def test_a_line_edit_gets_its_letters_and_spaces(qtbot):
    desk = Desk(qtbot, QLineEdit())
    qtbot.keyClicks(desk.widget, "a b B")
    for key in (Key.Key_Home, Key.Key_Delete):
        qtbot.keyClick(desk.widget, key)
    assert desk.widget.text() == " b B" and desk.used == []


def test_a_text_gets_its_letters_and_spaces(qtbot):
    desk = Desk(qtbot, QPlainTextEdit())
    qtbot.keyClicks(desk.widget, "a B")
    assert desk.widget.toPlainText() == "a B" and desk.used == []


def test_space_presses_the_button_that_was_reached_by_tab(qtbot):
    desk = Desk(qtbot, QPushButton("press"))
    pressed: list[None] = []
    desk.widget.clicked.connect(lambda: pressed.append(None))
    qtbot.keyClick(desk.widget, Key.Key_Space)
    assert pressed and desk.used == []


def test_a_button_leaves_the_other_keys_to_the_window(qtbot):
    desk = Desk(qtbot, QPushButton("press"))
    qtbot.keyClick(desk.widget, Key.Key_B)
    assert desk.used == [Key.Key_B]


def test_a_slider_keeps_its_arrows_but_not_space(qtbot):
    slider = QSlider(Qt.Orientation.Horizontal)
    slider.setValue(50)
    desk = Desk(qtbot, slider)
    qtbot.keyClick(slider, Key.Key_Left)
    qtbot.keyClick(slider, Key.Key_Space)
    assert slider.value() == 49 and desk.used == [Key.Key_Space]


def test_a_chooser_keeps_its_arrows(qtbot):
    desk = Desk(qtbot, filled(QComboBox()))
    qtbot.keyClick(desk.widget, Key.Key_Home)
    assert desk.widget.currentText() == "one" and desk.used == []


def test_a_chooser_lost_the_letters_that_look_for_an_entry_to_the_commands(qtbot):
    chooser = filled(QComboBox())
    chooser.addItem("bias")
    desk = Desk(qtbot, chooser)
    qtbot.keyClick(desk.widget, Key.Key_B)
    assert desk.widget.currentText() == "bias" and desk.used == []


def test_a_table_keeps_what_it_moves_and_types_with(qtbot):
    table = QTableWidget(2, 2)
    desk = Desk(qtbot, table)
    table.setCurrentCell(1, 1)
    qtbot.keyClick(table, Key.Key_Left)
    assert table.currentColumn() == 0 and desk.used == []


@pytest.mark.parametrize("key", SHORTCUTS)
def test_a_widget_without_keys_leaves_all_to_the_window(qtbot, key):
    widget = QWidget()
    widget.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    desk = Desk(qtbot, widget)
    qtbot.keyClick(widget, key)
    assert desk.used == [key]


def pan(user, focused: QWidget | None) -> None:
    """Hold Space, drag a card's name, let go; every key goes through the window, to whoever has the focus."""
    user.session.show_live()
    if focused is None:
        user.canvas.clearFocus()
    else:
        focused.setFocus()
    assert QApplication.focusWidget() is focused
    keys = user.window.windowHandle()
    QTest.keyPress(keys, Key.Key_Space)
    user.drag(user.name_of("c"), user.name_of("c") + QPoint(60, 30))
    QTest.keyRelease(keys, Key.Key_Space)
    wait_for_space(user.canvas)


@pytest.mark.parametrize("has_focus", ["nobody", "scrubber", "button"])
def test_space_and_a_drag_only_pan_wherever_the_focus_is(user, has_focus):
    """Away from the canvas the shortcut played at the press, left Build, and the drag moved the card."""
    button = user.window.transport.play
    button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    scrubber = user.window.transport.scrubber
    before, camera = user.session.document, user.canvas.camera
    pan(user, {"nobody": None, "scrubber": scrubber, "button": button}[has_focus])
    assert user.canvas.camera != camera
    assert user.session.document is before
    assert user.session.live and not user.session.playback.playing


def test_space_tapped_plays_where_nobody_has_the_focus(user):
    user.canvas.clearFocus()
    user.press("Space")
    assert user.session.playback.playing
    user.press("Space")
    assert not user.session.playback.playing


def test_space_in_a_text_field_types_and_neither_plays_nor_pans(user):
    user.click(user.name_of("c"))
    user.press("F2")
    QTest.keyClick(user.window.windowHandle(), Key.Key_Space)
    settle()
    assert QApplication.focusWidget().text() == " "
    assert not user.canvas.space_is_down and not user.session.playback.playing
    user.press("Esc")


def test_space_held_on_a_button_that_loses_the_focus_to_another_does_not_pan(user):
    first, second = user.window.transport.findChildren(QToolButton)[:2]
    for button in (first, second):
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    first.setFocus()
    QTest.keyPress(user.window.windowHandle(), Key.Key_Space)
    assert user.canvas.space_is_down
    second.setFocus()
    assert second.hasFocus()
    assert not user.canvas.space_is_down


def test_the_tab_key_came_to_the_page_of_a_node_after_all_else(own_user):
    """It is made after the first frame, and Qt puts what is made late at the end."""
    window = own_user.window
    window.session.select(["w0"])
    calm(window.inspector)
    window.inspector.node.field.setFocus()
    own_user.press("Shift+Tab")
    before = window.focusWidget()
    assert before is not None and not window.header.problems.isAncestorOf(before)
    window.inspector.node.field.setFocus()
    own_user.press("Tab")
    assert window.inspector.node.isAncestorOf(window.focusWidget())


def test_function_keys_work_while_a_text_is_edited(user):
    """In every field F6 and F8 went to the field, which has no use for them."""
    user.window.operations.search.setFocus()
    user.do("view.problems")
    assert user.window.problems.isVisible()
