"""The number of the step: typed over it goes there, and says so where there is no such step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from cadena.gui.panels.steps.step_number import StepNumber


@pytest.fixture
def field(session, show):
    shown = show(StepNumber(session), 120, 40)
    session.timeChanged.connect(shown.follow)
    session.set_time(1.0)
    return shown


def typed(field, text):
    field.setFocus()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_a_typed_number_goes_to_its_step(field, session):
    typed(field, "3")
    assert session.time == 3.0 and not field.hasFocus()
    assert field.text() == f"3 / {len(session.timeline)}"


@pytest.mark.parametrize("text", ["4000", "x", "-1"])
def test_a_number_without_a_step_stays_to_be_corrected(field, session, qtbot, text):
    with qtbot.waitSignal(session.message) as caught:
        typed(field, text)
    assert caught.args == [f"There is no step {text}: type one from 0 to {len(session.timeline)}."]
    assert session.time == 1.0 and field.hasFocus() and field.selectedText() == text


def test_escape_leaves_everything_as_it_was(field, session):
    field.setFocus()
    QTest.keyClicks(field, "2")
    QTest.keyClick(field, Qt.Key.Key_Escape)
    assert session.time == 1.0 and field.text().startswith("1 /")


def test_a_step_that_is_being_typed_is_not_overwritten_by_the_time(field, session):
    field.setFocus()
    QTest.keyClicks(field, "2")
    session.set_time(3.0)
    assert field.text() == "2"
