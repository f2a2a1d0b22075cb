"""The list of problems: what is wrong, in words, and the way to the node."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from core import edits
from gui.panels.problems import WORDS, Problems
from gui.theme import DARK, LIGHT


@pytest.fixture
def problems(session, show):
    return show(Problems(session, LIGHT), 600, 160)


def texts(problems):
    return [problems.list.item(row).text() for row in range(problems.list.count())]


def break_wires(session):
    session.edit(lambda d: edits.disconnect(edits.disconnect(d, "m", 0), "L", 0), "Disconnect")


def test_without_faults_it_says_so(problems):
    assert texts(problems) == ["No problems."]
    assert problems.summary == "No problems"


def test_each_fault_has_its_word_its_sentence_and_an_icon(problems, session):
    counts = []
    problems.countChanged.connect(counts.append)
    break_wires(session)
    assert len(session.faults) == 2
    for fault, text in zip(session.faults, texts(problems)):
        assert text == f"Open slot: {fault.message}."
    assert not problems.list.item(0).icon().isNull()
    assert problems.summary == "2 problems"
    session.undo()
    assert texts(problems) == ["No problems."]
    assert counts == [2, 0]


def test_a_click_selects_the_node_and_asks_to_show_it(problems, session, qtbot):
    break_wires(session)
    shown = []
    problems.nodeActivated.connect(shown.append)
    place = problems.list.visualItemRect(problems.list.item(0)).center()
    qtbot.mouseClick(problems.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    assert shown == [session.faults[0].node]
    assert session.selection == {session.faults[0].node}


def test_enter_on_a_fault_does_the_same(problems, session, qtbot):
    break_wires(session)
    shown = []
    problems.nodeActivated.connect(shown.append)
    problems.list.setCurrentRow(1)
    qtbot.keyClick(problems.list, Qt.Key.Key_Return)
    assert shown == [session.faults[1].node]


def test_a_bad_number_is_told_in_words(problems, session, qtbot):
    session.edit(lambda d: edits.set_value(d, "w0", float("nan")), "Set w0")
    qtbot.waitUntil(lambda: texts(problems)[0].startswith("Not a number: w0"))
    assert problems.summary == "1 problem"


def test_another_theme_keeps_the_list(problems, session):
    break_wires(session)
    before = texts(problems)
    problems.set_theme(DARK)
    assert texts(problems) == before


def test_every_kind_of_fault_has_a_word():
    from core.fault import Fault

    kinds = (Fault.__doc__ or "").split("`kind` is one of:")[1].split(".")[0]
    assert {kind.strip() for kind in kinds.replace("\n", " ").split(",")} <= set(WORDS)
