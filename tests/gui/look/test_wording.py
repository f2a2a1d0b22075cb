"""What is wrong, in the terms of the window: the problems, the inspector, the line of messages, comparisons."""

from __future__ import annotations

import pytest

from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.core.text.wording import Remedy
from cadena.gui.look.theme import LIGHT
from cadena.gui.look.wording import capitalized, worded
from cadena.gui.panels.problems.problems import Problems
from cadena.gui.session.session import Session

EMPTY = Document({"w": Node("w", "parameter"), "y": Node("y", "sin", ("w",))}, output="y")


@pytest.fixture
def session(qtbot):
    return Session(EMPTY)


def test_the_list_of_problems_words_the_remedy_for_the_inspector(session, qtbot):
    problems = Problems(session, LIGHT)
    qtbot.addWidget(problems)
    problems.show()
    assert [entry.accessibleName() for entry in problems.entries] == [
        "No value: w has no value; type one in the inspector."
    ]


def test_a_refused_edit_is_told_in_the_terms_of_the_window(session):
    def change(document):
        raise Refused("{node} cannot run", Remedy.SEE_FAULT, node="y")

    with_messages = []
    session.message.connect(with_messages.append)
    assert not session.edit(change, "Try")
    assert with_messages == ["y cannot run; see its fault in the problems"]


def test_a_sentence_begins_with_a_capital_unless_it_begins_with_a_name():
    assert capitalized(Refused("the graph has no output", Remedy.CHOOSE_OUTPUT)) == (
        "The graph has no output; choose the node to differentiate"
    )
    assert capitalized(Refused("{node} does not run", node="y")) == "y does not run"
    assert worded(Refused("{op} needs its attribute", Remedy.SET_ATTRIBUTE, op="sum")) == (
        "sum needs its attribute; set it in the inspector"
    )
