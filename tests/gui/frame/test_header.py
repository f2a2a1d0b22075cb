"""The header follows the session and asks the session."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontMetrics
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QPushButton

from cadena.core.graph import edits
from cadena.core.graph.document import DTYPES, Document, Node
from cadena.core.methods.names import METHODS, Method
from cadena.gui.frame.header import Header, MethodButton, ModeSwitch, NumbersButton, ProblemsChip
from cadena.gui.look import style
from cadena.gui.look.theme import LIGHT, PROJECTOR
from cadena.gui.session.session import Session
from tests.gui.user import settle


@pytest.fixture
def session(qapp) -> Session:
    nodes = (
        Node("x", "parameter", value=2.0),
        Node("y", "sin", inputs=("x",)),
        Node("z", "exp", inputs=("y",)),
    )
    return Session(Document({node.name: node for node in nodes}, output="z"))


def pick(button, text: str) -> None:
    """A click on an entry of the menu."""
    next(action for action in button.menu().actions() if action.data() == text).trigger()


def test_the_switch_follows_the_session(session, qtbot):
    switch = ModeSwitch(session)
    qtbot.addWidget(switch)
    assert switch.watch.isChecked()
    session.show_live()
    assert switch.build.isChecked() and not switch.watch.isChecked()


def test_the_switch_leads_to_build_and_back_to_the_same_moment(session, qtbot):
    switch = ModeSwitch(session)
    qtbot.addWidget(switch)
    session.set_time(2.0)
    qtbot.mouseClick(switch.build, Qt.MouseButton.LeftButton)
    assert session.live
    qtbot.mouseClick(switch.watch, Qt.MouseButton.LeftButton)
    assert not session.live and session.time == 2.0


@pytest.mark.parametrize("dtype", DTYPES)
def test_the_number_type_is_chosen_and_followed(session, qtbot, dtype):
    button = NumbersButton(session, LIGHT)
    qtbot.addWidget(button)
    pick(button, dtype)
    session.run_now()
    assert session.document.dtype == dtype and session.run.value("z").dtype == dtype
    session.edit(lambda document: edits.set_dtype(document, "float64"), "Numbers")
    assert button.current == "float64"


@pytest.mark.parametrize("name", [*METHODS][1:])
def test_the_method_is_chosen_and_followed(session, qtbot, name):
    button = MethodButton(session, LIGHT)
    qtbot.addWidget(button)
    assert [action.data() for action in button.menu().actions()] == list(METHODS)
    pick(button, name)
    assert session.method == Method(name) and session.timeline.method == name
    assert METHODS[name].tip in button.toolTip()
    session.set_method(Method())
    assert button.current == "reverse"


def test_float32_fails_where_float64_works_before_ones_eyes(session, qtbot):
    session.edit(lambda document: edits.set_operation(document, "y", "exp"), "Exp")
    session.edit(lambda document: edits.set_value(document, "x", 5.0), "Value")
    button = NumbersButton(session, LIGHT)
    qtbot.addWidget(button)
    session.run_now()
    assert not session.faults
    pick(button, "float16")
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
    for button in (switch.build, switch.watch):
        plain, chosen = QFont(button.font()), QFont(button.font())
        plain.setBold(False)
        chosen.setBold(True)
        widths = [QFontMetrics(font).horizontalAdvance(button.text()) for font in (plain, chosen)]
        around = QPushButton.sizeHint(button).width() - widths[0]  # what a word of plain type has around it
        assert button.sizeHint().width() >= around + widths[1]


def test_problems_are_counted_and_the_chip_is_there_only_then(session, qtbot):
    chip = ProblemsChip(session, LIGHT)
    qtbot.addWidget(chip)
    assert chip.isHidden()
    session.edit(lambda document: edits.disconnect(document, "y", 0), "Disconnect")
    session.run_now()
    assert chip.text() == "1 problem" and chip.isVisible()
    chip.count(1, 2)
    assert chip.text() == "1 problem, 2 hints"
    session.undo()
    session.run_now()
    chip.count(0, 0)
    assert chip.isHidden()


def test_build_and_watch_were_cut_in_the_largest_type_on_a_small_screen(own_user):
    row = own_user.window.findChild(Header)
    for theme in ("view.theme-projector", "view.theme-light"):
        own_user.window.menus.run(theme)
        own_user.window.resize(1280, 720)
        for _ in range(8):  # up to the largest type
            own_user.window.menus.run("view.larger-type")
            settle()
            shown = (row.mode.build, row.mode.watch, row.method, row.numbers, row.present)
            assert all(one.width() >= one.minimumSizeHint().width() for one in shown if one.isVisible())
            assert row.width() <= 1280 and row.present.geometry().right() < row.width()
        own_user.window.menus.run("view.usual-type")


def test_the_header_is_one_row_and_a_small_window_has_the_search_as_an_icon(user):
    header = user.window.header
    assert header.height() == 52 and header.finder.width() == 210
    user.window.resize(1280, 720)
    settle()
    assert header.height() == 44 and header.finder.width() == header.finder.height() == 34
    QTest.mouseClick(header.finder, Qt.MouseButton.LeftButton)
    settle()
    assert user.window.search.hasFocus() and user.window.search.shown
    user.press("Esc")
    assert header.finder.isVisible() and user.canvas.hasFocus()


def test_share_leads_to_every_export(user):
    entries = [action.text() for action in user.window.header.share.menu().actions()]
    assert entries == ["Picture…", "Film…", "Page…", "Handout…", "Exercise sheet…", "Code…"]


@pytest.mark.some(2)
@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("size", [(1600, 1000), (1280, 720), (1000, 700)])
def test_everything_in_the_header_jumped_as_a_problem_came(user, theme, size):
    user.window.resize(*size)
    user.window.choose_theme(theme)
    user.session.open(Document({}), None)
    settle()
    header = user.window.header
    parts = (header.menus, header.mode, header.method, header.numbers, header.finder, header.share, header.present)
    before = [part.geometry() for part in parts]
    assert not header.problems.isVisible()
    user.window.expressions.build("x = -1\ny = log(x)")
    settle()
    assert header.problems.isVisible() and header.problems.width() >= header.problems.sizeHint().width()
    assert [part.geometry() for part in parts] == before
