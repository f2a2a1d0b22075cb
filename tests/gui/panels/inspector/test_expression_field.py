"""The inspector's expression of a node: shown, foreseen while it is typed, taken over by Enter as one undo step."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from cadena.core.expressions.writing import expression_of
from cadena.core.graph import edits
from tests.gui.panels.conftest import retype
from tests.gui.user import calm


@pytest.fixture
def computed(inspector, session):
    def of(name: str):
        session.select([name])
        calm(inspector, session)
        return inspector.node.computed

    return of


def test_an_operation_shows_its_expression_and_a_leaf_none(computed):
    shown = computed("L")
    assert shown.isVisible() and shown.field.text() == "15 - w0*x0"
    assert not computed("w0").isVisible()


def test_an_edited_expression_computes_the_node_anew_in_one_undo_step(computed, session, qtbot):
    shown, before = computed("L"), session.document
    retype(qtbot, shown.field, "exp(w0*x0)/k2 + 1")
    assert expression_of(session.document) == "L = exp(w0*x0)/k2 + 1"
    assert session.document.nodes["m"] == before.nodes["m"] and session.document.nodes["k"].value == 1.0
    assert set(session.document.layout) >= {"exp1", "divide1", "k2"}
    assert shown.field.text() == "exp(w0*x0)/k2 + 1" and not shown.sentence.isVisible()
    assert session.history.undo_label == "Compute L anew"
    session.undo()
    assert session.document == before
    calm(shown)
    assert computed("L").field.text() == "15 - w0*x0"


def test_what_enter_will_do_is_told_while_it_is_typed(computed, qtbot):
    shown = computed("L")
    shown.field.setFocus()
    shown.field.selectAll()
    QTest.keyClicks(shown.field, "tanh(w0*x0)*v")
    assert shown.preview.isVisible()
    assert shown.preview.text() == "Enter: L becomes multiply; adds tanh; new parameter v; removes k"
    shown.field.selectAll()
    QTest.keyClicks(shown.field, "15 - x0*w0")
    assert shown.preview.text() == "Enter: changes wires alone"
    shown.field.selectAll()
    QTest.keyClicks(shown.field, "15 - w0*x0 ")
    assert shown.preview.text() == "Enter: as it is now"
    shown.field.selectAll()
    QTest.keyClicks(shown.field, "tnh(w0)")
    assert shown.preview.text() == "there is no operation tnh; did you mean tanh?"
    qtbot.keyClick(shown.field, Qt.Key.Key_Escape)
    assert shown.field.text() == "15 - w0*x0" and not shown.preview.isVisible()


@pytest.mark.parametrize(
    ("text", "sentence", "marked"),
    [
        ("15 - sigmiod(w0)", "There is no operation sigmiod; did you mean sigmoid?", "sigmiod"),
        ("15 - (w0", "This bracket is never closed; add ).", "("),
        ("L + 1", "L cannot depend on itself; use nodes that do not.", "L"),
        ("w0^2", "^ is no power in Python; write ** for a power.", "w0^2"),
        (" ", "There is no expression; write one such as L = (w*x + b)**2.", ""),
    ],
)
def test_a_mistake_is_told_marked_and_changes_nothing(computed, session, qtbot, text, sentence, marked):
    shown, before = computed("L"), session.document
    retype(qtbot, shown.field, text)
    assert (shown.sentence.text, shown.field.selectedText()) == (sentence, marked)
    assert session.document is before and shown.field.text() == text


def test_a_node_that_waits_for_operands_takes_an_expression(computed, session, qtbot):
    session.edit(lambda document: edits.add(document, "add", (0.0, 300.0), "total"), "Add total")
    shown = computed("total")
    assert shown.field.text() == ""
    retype(qtbot, shown.field, "w0 + x0")
    assert session.document.nodes["total"].inputs == ("w0", "x0")


def test_the_expression_follows_what_happens_elsewhere(computed, session, inspector):
    shown = computed("L")
    session.edit(lambda document: edits.rename(document, "w0", "weight"), "Rename")
    calm(inspector, session)
    assert shown.field.text() == "15 - weight*x0"


def test_steps_do_not_write_the_expression_again(computed, session, inspector, monkeypatch):
    shown, written = computed("L"), []
    monkeypatch.setattr(
        "cadena.gui.panels.inspector.expression_field.definition_of", lambda *given: written.append(given) or "L"
    )
    for step in range(len(session.run.timeline)):
        session.set_time(float(step))
        calm(inspector, session)
    assert not written and shown.field.text() == "15 - w0*x0"
    session.select(["m"])
    calm(inspector, session)
    assert [name for _, name in written] == ["m"]  # the double stands where the field writes
