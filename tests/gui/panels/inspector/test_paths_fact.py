"""The line that says how many paths lead from a node to the output."""

from __future__ import annotations

import pytest
import shiboken6
from pytestqt.exceptions import capture_exceptions

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.graph.shape import PathSummary
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.panels.inspector.paths_fact import MAX_NODES, PathsFact, in_words
from tests.waiting import until


@pytest.fixture
def fact(session, show):
    session.open(open_lesson("1"), None)
    return show(PathsFact(session), 300, 60)


def told(fact: PathsFact, name: str) -> str:
    fact.show_node(name)
    if fact._work:
        fact._work.finish()
    return "" if fact.isHidden() else fact.text.text()


@pytest.mark.parametrize(
    ("name", "text"), [("a1", "2 to L, all through c"), ("w0", "1 to L"), ("k", "1 to L"), ("L", "")]
)
def test_lesson_1_by_hand(fact, name, text):
    assert told(fact, name) == text


def test_another_wiring_is_counted_anew(fact, session):
    assert told(fact, "a1") == "2 to L, all through c"
    session.edit(lambda now: edits.disconnect(now, "b2", 1), "Disconnect")
    assert told(fact, "a1") == "1 to L"
    session.edit(lambda now: edits.disconnect(now, "m1", 1), "Disconnect")
    assert told(fact, "a1") == ""


def test_a_number_alone_is_not_counted_anew(fact, session, qapp):
    told(fact, "a1")
    before = fact._work
    session.edit(lambda now: edits.set_value(now, "a1", 5.0), "Set a1")
    until(lambda: session.run.value("a1") == 5.0, "it runs", qapp.processEvents)
    assert told(fact, "a1") == "2 to L, all through c"
    assert fact._work is before


def test_an_answer_after_the_panel_is_gone_is_no_error(session, qapp):
    """... which was a RuntimeError about a label that had been deleted."""
    session.open(open_lesson("1"), None)
    panel = PathsFact(session)
    panel.show_node("a1")
    work = panel._work
    shiboken6.delete(panel)
    with capture_exceptions() as raised:
        work.finish()
        qapp.processEvents()
    assert work._announced and work._result == (2, ("c",))
    assert raised == []


def test_cycles_are_left_alone(fact, session):
    nodes = (Node("x", "parameter", value=1.0), Node("a", "add", ("x", "b")), Node("b", "sin", ("a",)))
    session.open(Document({node.name: node for node in (*nodes, Node("L", "sin", ("x",)))}, output="L"), None)
    assert told(fact, "x") == ""


def test_a_graph_without_an_output_has_none(fact, session):
    session.edit(lambda now: edits.set_output(now, None), "No output")
    assert told(fact, "a1") == ""


def test_a_graph_too_large_is_left_alone(fact, session):
    nodes = {"n0": Node("n0", "parameter", value=1.0)}
    nodes |= {f"n{i}": Node(f"n{i}", "sin", (f"n{i - 1}",)) for i in range(1, MAX_NODES + 1)}
    session.open(Document(nodes, output=f"n{MAX_NODES}"), None)
    assert told(fact, "n0") == ""


@pytest.mark.parametrize(
    ("ways", "text"),
    [
        (PathSummary(12_345, ("a", "b")), "12\u202f345 to L, all through a, b"),
        (PathSummary(2**900, ("a", "b", "c", "d", "e")), "more than a million to L, all through a, b, c, 2 more"),
        (PathSummary(3, ()), "3 to L"),
    ],
)
def test_many_paths_and_many_meeting_places_stay_one_line(ways, text):
    assert in_words("L", ways) == text
