"""The run that an undo or a redo shows is the one that was left, or ready before it is asked for."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.history import History
from cadena.gui.session import Session
from tests.gui.compiling import record_compiled
from tests.gui.user import calm


def sums(value: object = 3.0) -> Document:
    """L = a + b, at 2 and `value`."""
    nodes = (
        Node("a", "parameter", value=2.0),
        Node("b", "parameter", value=as_value(value)),
        Node("L", "add", inputs=("a", "b")),
    )
    return Document({node.name: node for node in nodes}, output="L")


@pytest.fixture
def session(request, qapp):
    return Session(sums(*getattr(request, "param", ())))


@pytest.fixture
def compiled(session, monkeypatch):
    """The documents that the session compiles from now on."""
    documents: list[Document] = []
    record_compiled(monkeypatch, session, documents.append)
    return documents


def connect(session: Session, source: str, slot: int) -> None:
    session.edit(lambda document: edits.connect(document, source, "L", slot), "Connect")


def assert_up_to_date(session: Session) -> None:
    anew = compile(session.document).run()
    assert session.program is session.run.program and session.program.document is session.document
    for name in session.document.nodes:
        assert session.run.value(name) == anew.value(name)
        assert session.run.gradient(name) == anew.gradient(name)


def test_undo_and_redo_show_the_runs_that_were_left(session, compiled):
    first = session.run
    connect(session, "a", 1)
    second = session.run
    session.undo()
    assert session.run is first
    session.redo()
    assert session.run is second and len(compiled) == 1
    assert_up_to_date(session)


def test_the_run_of_the_next_undo_is_ready_once_nothing_else_is_to_be_done(session, compiled):
    for source, slot in (("a", 1), ("b", 0)):
        connect(session, source, slot)
    session.undo()
    calm(session)
    assert compiled[2:] == [session.history.before]
    session.undo()
    assert len(compiled) == 3 and session.run.value("L") == 5.0
    assert_up_to_date(session)


def test_an_undo_before_that_compiles_by_itself(session, compiled):
    for source, slot in (("a", 1), ("b", 0)):
        connect(session, source, slot)
    session.undo()
    session.undo()
    assert len(compiled) == 3 and session.run.value("L") == 5.0
    assert_up_to_date(session)


def test_values_that_were_changed_in_between_are_those_of_the_document(session):
    connect(session, "a", 1)
    session.edit(lambda document: edits.set_value(document, "a", 7.0), "Set a")
    session.run_now()
    connect(session, "b", 1)
    for _ in range(3):
        session.undo()
        calm(session)
        session.run_now()
        assert_up_to_date(session)
    assert session.run.value("L") == 5.0


def test_a_value_alone_is_not_run_ahead(session, compiled):
    connect(session, "a", 1)
    session.edit(lambda document: edits.set_value(document, "a", 7.0), "Set a")
    calm(session)
    assert len(compiled) == 1


@pytest.mark.parametrize("session", [(np.ones((2, 2)),)], indirect=True)
def test_runs_of_tensors_which_may_take_long_are_neither_kept_nor_made_ahead(session, compiled):
    for source, slot in (("a", 1), ("b", 0)):
        connect(session, source, slot)
        calm(session)
    session.undo()
    calm(session)
    assert len(compiled) == 3 and not session.kept_runs._kept


def test_another_document_leaves_no_run_of_the_one_before(session):
    connect(session, "a", 1)
    session.open(sums(), None)
    assert not session.kept_runs._kept and not session.kept_runs._soon.waits


def test_inside_a_function_no_run_is_kept(session, compiled):
    session.show(History(session.document), seed=np.ones(()), target=None)
    connect(session, "a", 1)
    session.undo()
    calm(session)
    assert len(compiled) == 2 and not session.kept_runs._kept
    assert_up_to_date(session)


def wire(source: str, slot: int):
    return lambda document: edits.connect(document, source, "L", slot)


def test_the_run_of_an_edit_that_was_foreseen_is_shown_when_it_comes(session, compiled):
    before, change = session.document, wire("a", 1)
    run = session.kept_runs.foresee(change)
    assert session.document is before and session.run is not run and run.value("L") == 4.0
    session.edit(change, "Connect")
    assert session.run is run and len(compiled) == 1
    assert_up_to_date(session)
    session.undo()
    assert session.document is before and len(compiled) == 1
    assert_up_to_date(session)


def test_another_edit_than_the_foreseen_one_is_made_by_itself(session, compiled):
    session.kept_runs.foresee(wire("a", 1))
    session.edit(wire("b", 0), "Connect")
    assert session.document.nodes["L"].inputs == ("b", "b") and len(compiled) == 2
    assert_up_to_date(session)


def test_what_was_foreseen_for_an_earlier_document_is_not_shown(session):
    change = wire("a", 1)
    session.kept_runs.foresee(change)
    session.edit(lambda document: edits.set_value(document, "a", 7.0), "Set a")
    session.edit(change, "Connect")
    session.run_now()
    assert session.run.value("L") == 14.0
    assert_up_to_date(session)


def test_an_edit_that_is_refused_or_changes_no_wire_is_not_run_ahead(session, compiled, qtbot):
    refused = lambda document: edits.connect(document, "L", "L", 0)  # noqa: E731
    values = lambda document: edits.set_value(document, "a", 7.0)  # noqa: E731
    assert [session.kept_runs.foresee(change) for change in (refused, values, wire("a", 0))] == [None] * 3
    with qtbot.waitSignal(session.message, check_params_cb=lambda text: "close the cycle" in text):
        session.edit(refused, "Connect")
    assert compiled == []


@pytest.mark.parametrize("session", [(np.ones((2, 2)),)], indirect=True)
def test_no_run_of_tensors_is_foreseen(session, compiled):
    assert session.kept_runs.foresee(wire("a", 1)) is None and compiled == []


def test_inside_a_function_no_run_is_foreseen(session, compiled):
    session.show(History(session.document), seed=np.ones(()), target=None)
    assert session.kept_runs.foresee(wire("a", 1)) is None and compiled == []
