"""The number type in the header: the same graph fails or works before one's eyes, and undo takes it back."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from cadena.core.teaching.lessons import open_lesson
from tests.gui.user import settle


@pytest.fixture
def lesson7(user, qtbot):
    user.session.open(open_lesson("7"), None)
    user.session.show_live()
    user.window.canvas.zoom_to_fit()
    settle()
    user.click(user.name_of("x"))
    yield user
    user.session.select([])
    settle()


def choose(user, dtype: str) -> None:
    """A click on the button, then the keys of its menu."""
    button = user.window.header.numbers
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    menu = button.menu()
    while menu.activeAction() is None or menu.activeAction().data() != dtype:
        QTest.keyClick(menu, Qt.Key.Key_Down)
    QTest.keyClick(menu, Qt.Key.Key_Return)
    settle()


def compared(user, qtbot) -> list[tuple[str, str]]:
    if not user.window.panels["methods"].isVisible():
        user.do("view.methods")
    table = user.window.panels["methods"].open().table
    under_way = (user.session._pending.isActive, table._rest.isActive, lambda: table.work is not None)
    qtbot.waitUntil(lambda: table.comparison is not None and not any(asked() for asked in under_way))
    return [(line.method.text(), line.gradient.text()) for line in table.lines.lines if not line.isHidden()]


def test_the_same_graph_fails_or_works_before_ones_eyes(lesson7, qtbot):
    session = lesson7.session
    assert session.document.dtype == "float32" and [fault.node for fault in session.faults] == ["u", "u"]
    choose(lesson7, "float64")
    assert session.run.dtype == "float64" and not session.faults
    assert float(session.run.gradient("x")) == pytest.approx(-3.720076e-44)
    lines = compared(lesson7, qtbot)
    assert len(lines) == 5 and {gradient for _, gradient in lines} == {"−3.720076·10⁻⁴⁴"}
    choose(lesson7, "float16")
    assert session.run.dtype == "float16" and session.faults
    assert dict(compared(lesson7, qtbot))["reverse"] == "nan"


def test_undo_takes_the_number_type_back_in_one_step(lesson7, qtbot):
    session = lesson7.session
    choose(lesson7, "float64")
    QTest.keyClick(lesson7.window.canvas, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert session.document.dtype == "float32" == lesson7.window.header.numbers.current and session.faults
    found = dict(compared(lesson7, qtbot))
    assert found["reverse"] == "nan" and found["reverse in float64"] == "−3.720076·10⁻⁴⁴"


def test_the_type_that_is_there_already_is_no_edit(lesson7):
    choose(lesson7, "float32")
    assert lesson7.session.history.undo_label is None
