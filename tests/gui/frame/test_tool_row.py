"""The tool row follows the session and asks the session."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPushButton

from cadena.core.graph import edits
from cadena.core.graph.document import DTYPES, Document, Node
from cadena.core.methods.names import METHODS, Method
from cadena.gui.frame.tool_row import (
    NO_OUTPUT,
    MethodChooser,
    ModeSwitch,
    NumbersChooser,
    OutputChooser,
    ToolRow,
)
from cadena.gui.look import style
from cadena.gui.look.theme import LIGHT, PROJECTOR
from cadena.gui.session.session import Session
from tests.gui.user import settle
from tests.waiting import MILLISECONDS


@pytest.fixture
def session(qapp) -> Session:
    nodes = (
        Node("x", "parameter", value=2.0),
        Node("y", "sin", inputs=("x",)),
        Node("z", "exp", inputs=("y",)),
    )
    return Session(Document({node.name: node for node in nodes}, output="z"))


def offered(chooser) -> list[str]:
    return [chooser.itemText(index) for index in range(chooser.count())]


def pick(chooser, text: str) -> None:
    """What the list does when an item is clicked."""
    index = offered(chooser).index(text)
    chooser.setCurrentIndex(index)
    chooser.activated.emit(index)


def test_the_switch_follows_the_session(session, qtbot):
    switch = ModeSwitch(session)
    qtbot.addWidget(switch)
    assert switch.play.isChecked()
    session.show_live()
    assert switch.build.isChecked() and not switch.play.isChecked()


def test_the_switch_leads_to_build_and_back_to_the_same_moment(session, qtbot):
    switch = ModeSwitch(session)
    qtbot.addWidget(switch)
    session.set_time(2.0)
    qtbot.mouseClick(switch.build, Qt.MouseButton.LeftButton)
    assert session.live
    qtbot.mouseClick(switch.play, Qt.MouseButton.LeftButton)
    assert not session.live and session.time == 2.0


def test_the_chooser_shows_the_output_and_lists_operations_when_looked_at(session, qtbot):
    chooser = OutputChooser(session)
    qtbot.addWidget(chooser)
    assert chooser.currentText() == "z"
    chooser.showPopup()
    assert offered(chooser) == [NO_OUTPUT, "y", "z"] and chooser.currentText() == "z"
    chooser.hidePopup()


def test_an_edit_that_keeps_the_output_listed_it_again(session, qtbot, monkeypatch):
    """Each time the row was laid out and painted anew, while the graph waited."""
    chooser = OutputChooser(session)
    qtbot.addWidget(chooser)
    chooser.showPopup()
    chooser.hidePopup()
    session.edit(lambda document: edits.add(document, "sin", (0.0, 0.0)), "Add")
    assert offered(chooser) == ["z"]  # no name of a node that may be gone
    monkeypatch.setattr(chooser, "show_only", None)
    session.edit(lambda document: edits.add(document, "sin", (0.0, 0.0)), "Add")


def test_choosing_an_output_is_one_undo_step(session, qtbot):
    chooser = OutputChooser(session)
    qtbot.addWidget(chooser)
    chooser.showPopup()
    pick(chooser, "y")
    assert session.document.output == "y" and session.run.gradient("x") == pytest.approx(-0.4161468365)
    session.undo()
    assert session.document.output == "z" and chooser.currentText() == "z"


def test_there_may_be_no_output(session, qtbot):
    chooser = OutputChooser(session)
    qtbot.addWidget(chooser)
    chooser.showPopup()
    pick(chooser, NO_OUTPUT)
    assert session.document.output is None and session.run.gradient("x") is None


def test_a_leaf_that_is_the_output_is_listed_too(session, qtbot):
    session.edit(lambda document: edits.set_output(document, "x"), "Output")
    chooser = OutputChooser(session)
    qtbot.addWidget(chooser)
    chooser.showPopup()
    assert "x" in offered(chooser) and chooser.currentText() == "x"
    chooser.hidePopup()


def test_the_chooser_follows_a_rename(session, qtbot):
    chooser = OutputChooser(session)
    qtbot.addWidget(chooser)
    session.edit(lambda document: edits.rename(document, "z", "L"), "Rename")
    assert chooser.currentText() == "L"


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_number_type_is_chosen_and_followed(session, qtbot, dtype):
    chooser = NumbersChooser(session)
    qtbot.addWidget(chooser)
    pick(chooser, dtype)
    session.run_now()
    assert session.document.dtype == dtype and session.run.value("z").dtype == dtype
    session.edit(lambda document: edits.set_dtype(document, "float64"), "Numbers")
    assert chooser.currentText() == "float64"


def test_a_chooser_used_by_mouse_leaves_the_keys_to_others(session, qtbot):
    window, chooser = QMainWindow(), NumbersChooser(session)
    qtbot.addWidget(window)
    window.setCentralWidget(chooser)
    window.show()
    assert QTest.qWaitForWindowActive(window, MILLISECONDS)
    chooser.setFocus(Qt.FocusReason.PopupFocusReason)
    qtbot.waitUntil(lambda: not chooser.hasFocus())
    chooser.setFocus(Qt.FocusReason.TabFocusReason)
    settle()
    assert chooser.hasFocus()


@pytest.mark.parametrize("name", [*METHODS][1:])
def test_the_method_is_chosen_and_followed(session, qtbot, name):
    chooser = MethodChooser(session)
    qtbot.addWidget(chooser)
    assert offered(chooser) == list(METHODS)
    pick(chooser, name)
    assert session.method == Method(name) and session.timeline.method == name
    assert METHODS[name].tip in chooser.toolTip()
    session.set_method(Method())
    assert chooser.currentText() == "reverse"


def test_float32_fails_where_float64_works_before_ones_eyes(session, qtbot):
    session.edit(lambda document: edits.set_operation(document, "y", "exp"), "Exp")
    session.edit(lambda document: edits.set_value(document, "x", 5.0), "Value")
    chooser = NumbersChooser(session)
    qtbot.addWidget(chooser)
    session.run_now()
    assert not session.faults
    pick(chooser, "float16")
    session.run_now()
    assert session.faults[0].node == "z"
    session.undo()
    session.run_now()
    assert not session.faults


@pytest.mark.parametrize("theme", [LIGHT, PROJECTOR], ids=lambda theme: theme.name)
def test_the_last_letter_of_play_was_cut_when_it_is_chosen_and_bold(session, qtbot, theme):
    window = QMainWindow()
    qtbot.addWidget(window)
    style.apply(window, theme)
    switch = ModeSwitch(session)
    window.setCentralWidget(switch)
    window.show()
    for button in (switch.build, switch.play):
        plain, chosen = QFont(button.font()), QFont(button.font())
        plain.setBold(False)
        chosen.setBold(True)
        widths = [QFontMetrics(font).horizontalAdvance(button.text()) for font in (plain, chosen)]
        around = QPushButton.sizeHint(button).width() - widths[0]  # what a word of plain type has around it
        assert button.sizeHint().width() >= around + widths[1]


def test_build_and_play_were_cut_in_the_largest_type_on_a_small_screen(own_user):
    row = own_user.window.findChild(ToolRow)
    for theme in ("view.theme-projector", "view.theme-light"):
        own_user.window.menus.run(theme)
        own_user.window.resize(1280, 720)
        for _ in range(8):  # up to the largest type
            own_user.window.menus.run("view.larger-type")
            settle()
            shown = (row.mode.build, row.mode.play, row.output, row.method, row.numbers, row.search)
            assert all(one.width() >= one.minimumSizeHint().width() for one in shown)
            assert row.width() <= 1280 and row.search.geometry().right() < row.width()
        assert not any(label.isVisible() for label in row.captions)
        own_user.window.menus.run("view.usual-type")
