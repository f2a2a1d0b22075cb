"""Several nodes edited at once in the inspector."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QAbstractButton, QLineEdit

from cadena.core.graph import edits
from cadena.core.graph.document import as_value
from tests.gui.panels.conftest import matrices, retype
from tests.gui.user import calm

Left = Qt.MouseButton.LeftButton


@pytest.fixture
def page(inspector):
    return inspector.several


@pytest.fixture
def select(session, inspector):
    def selected(*names):
        session.select(names)
        calm(inspector, session)

    return selected


def test_leaves_that_differ_say_so(page, select):
    select("w0", "x0")
    assert not any(button.isChecked() for button in page.kinds.buttons.values())
    assert page.kinds.accessibleDescription() == "their kinds differ"
    assert page.number.text() == "" and page.number.placeholderText() == "mixed"
    assert not page.wanted.isVisible()


def test_a_kind_for_all_is_one_undo_step(page, session, select, qtbot):
    before = session.document
    select("w0", "x0", "k")
    qtbot.mouseClick(page.kinds.buttons["parameter"], Left)
    assert {session.document.nodes[name].op for name in ("w0", "x0", "k")} == {"parameter"}
    assert session.history.undo_label == "Make 3 nodes parameters"
    qtbot.waitUntil(page.kinds.buttons["parameter"].isChecked)
    session.undo()
    assert session.document == before


def test_one_number_for_all_elements(page, session, select, qtbot):
    before = session.document
    select("w0", "x0")
    retype(qtbot, page.number, "0.5")
    assert session.document.nodes["w0"].value == session.document.nodes["x0"].value == 0.5
    assert session.history.undo_label == "Fill 2 nodes with 0.5"
    assert page.number.text() == "0.5"
    session.undo()
    assert session.document == before


@pytest.mark.parametrize(("text", "told"), [("two", "two"), ("[1, 2]", "Type a single number")])
def test_what_is_no_number_is_refused_in_a_sentence(page, session, select, qtbot, text, told):
    before = session.document
    select("w0", "x0")
    retype(qtbot, page.number, text)
    assert session.document is before
    assert page.sentence.isVisible() and told in page.sentence.text
    select("w0", "k")
    assert not page.sentence.isVisible()


def test_an_empty_field_changes_nothing(page, session, select, qtbot):
    before = session.document
    select("w0", "x0")
    retype(qtbot, page.number, " ")
    assert session.document is before


def test_gradients_of_inputs_are_wanted_together(page, session, select, qtbot):
    session.edit(lambda document: edits.set_operation(document, "k", "input"), "Make k an input")
    session.edit(lambda document: edits.set_wants_gradient(document, "k", True), "Want")
    select("x0", "k")
    assert page.wanted.checkState() is Qt.CheckState.PartiallyChecked
    qtbot.mouseClick(page.wanted, Left, pos=QPoint(8, page.wanted.height() // 2))
    assert session.document.nodes["x0"].gradient and session.document.nodes["k"].gradient
    calm(page, session)
    assert page.wanted.checkState() is Qt.CheckState.Checked
    qtbot.mouseClick(page.wanted, Left, pos=QPoint(8, page.wanted.height() // 2))
    assert not session.document.nodes["x0"].gradient and not session.document.nodes["k"].gradient


def sums(session, select):
    """L = sum(s), beside it t = mean(s) of an array."""
    session.open(matrices(), None)

    def change(document):
        document = edits.add(document, "mean", (0.0, 0.0), "t")
        return edits.set_attribute(edits.connect(document, "Y", "t", 0), "t", "axis", 0)

    session.edit(change, "Add t")
    select("L", "t")


def test_operations_share_their_settings(page, session, select, qtbot):
    sums(session, select)
    before = session.document
    field = page.attributes.fields["axis"]
    assert field.text() == "" and field.placeholderText() == "mixed"
    retype(qtbot, field, "1")
    assert session.document.nodes["L"].attributes["axis"] == session.document.nodes["t"].attributes["axis"] == 1
    assert session.history.undo_label == "Set axis of 2 nodes"
    assert field.text() == "1"
    session.undo()
    assert session.document == before


def test_a_setting_that_does_not_fit_one_of_them_is_made_for_none(page, session, select, qtbot):
    sums(session, select)
    session.edit(lambda document: edits.set_value(document, "X", as_value([[1.0, 2.0]])), "Smaller")
    before = session.document
    retype(qtbot, page.attributes.fields["axis"], "7")
    assert session.document is before
    assert page.attributes.sentence.text.startswith("L: ")


def test_nodes_without_anything_in_common_have_no_fields(page, select):
    select("w0", "m")
    assert not page.kinds.isVisible() and not page.number.isVisible() and not page.attributes.isVisible()


def test_every_field_has_a_name_and_a_tip(page, session, select):
    sums(session, select)
    parts = [*page.findChildren(QLineEdit), *page.findChildren(QAbstractButton)]
    assert len(parts) >= 6
    for part in parts:
        assert part.accessibleName() or (isinstance(part, QAbstractButton) and part.text()), part
        assert part.toolTip(), part
