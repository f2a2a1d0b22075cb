"""Values are typed, dragged and pasted; what cannot be meant is answered in a sentence and changes nothing."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionSlider

from cadena.core.graph import edits
from cadena.core.graph.document import as_array, as_value
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.inspector.value_editor import ValueEditor
from cadena.gui.widgets.number_slider import sensible_range
from tests.gui.mouse import drag_to
from tests.gui.panels.conftest import matrices, retype
from tests.gui.user import settle

Left = Qt.MouseButton.LeftButton
Key = Qt.Key
Ctrl = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def editor(session, show, qtbot):
    """The editor of w0, kept up to date as the inspector does."""
    made = show(ValueEditor(session, LIGHT), 280, 400)
    made.name = "w0"
    session.documentChanged.connect(lambda _: made.show_node(session.document.nodes[made.name]))
    made.show_node(session.document.nodes["w0"])
    made.activateWindow()
    settle()
    return made


@pytest.fixture
def grid(editor, session, qtbot):
    editor.name = "X"
    session.open(matrices(), None)
    editor.show_node(session.document.nodes["X"])
    settle()
    return editor.grid


def value(session, name="w0"):
    return as_array(session.document.nodes[name].value)


def handle(slider) -> QPoint:
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    return (
        slider.style()
        .subControlRect(QStyle.ComplexControl.CC_Slider, option, QStyle.SubControl.SC_SliderHandle, slider)
        .center()
    )


# --- numbers


@pytest.mark.parametrize(("typed", "number"), [("3.5", 3.5), ("−0.25", -0.25), ("1e-3", 0.001), ("1/4", 0.25)])
def test_a_number_is_typed(editor, session, qtbot, typed, number):
    retype(qtbot, editor.number.field, typed)
    assert value(session) == number


def test_all_digits_are_shown(editor, session):
    session.edit(lambda d: edits.set_value(d, "w0", -1 / 3), "Set w0")
    assert editor.number.field.text() == "−0.3333333333333333"


def test_text_is_refused_in_a_sentence_and_changes_nothing(editor, session, qtbot):
    before = session.document
    retype(qtbot, editor.number.field, "two")
    assert session.document is before
    assert editor.number.sentence.isVisible()
    assert "'two' is not a number" in editor.number.sentence.text
    retype(qtbot, editor.number.field, "3")
    assert not editor.number.sentence.isVisible()


def test_lists_make_an_array_of_a_number(editor, session, qtbot):
    retype(qtbot, editor.number.field, "[[1, 2], [3, 4]]")
    assert value(session).tolist() == [[1, 2], [3, 4]]
    assert editor.grid.isVisible()
    assert not editor.number.isVisible()


def test_a_drag_of_the_slider_is_followed_live_and_is_one_undo_step(editor, session, qtbot):
    slider, seen = editor.number.slider, []
    session.documentChanged.connect(lambda _: seen.append(float(value(session))))
    start = handle(slider)
    qtbot.mousePress(slider, Left, pos=start)
    for step in range(1, 6):
        drag_to(slider, start + QPoint(8 * step, 0))
    qtbot.mouseRelease(slider, Left, pos=start + QPoint(40, 0))
    assert len(seen) >= 4
    assert seen == sorted(seen)
    assert editor.number.field.text() == str(seen[-1]).removesuffix(".0")
    session.undo()
    assert value(session) == 2.0


def test_two_drags_are_two_undo_steps(editor, session, qtbot):
    slider = editor.number.slider
    for way in (20, 20):
        start = handle(slider)
        qtbot.mousePress(slider, Left, pos=start)
        drag_to(slider, start + QPoint(way, 0))
        qtbot.mouseRelease(slider, Left, pos=start + QPoint(way, 0))
    after_first = session.history.past[-1].document
    assert float(as_array(after_first.nodes["w0"].value)) > 2.0
    session.undo()
    session.undo()
    assert value(session) == 2.0


def test_keys_on_the_slider_move_it_by_readable_steps(editor, session, qtbot):
    editor.number.slider.setFocus()
    for _ in range(3):
        qtbot.keyClick(editor.number.slider, Key.Key_Right)
    assert float(value(session)) == pytest.approx(2.15)
    qtbot.keyClick(editor.number.slider, Key.Key_Home)
    assert value(session) == -5.0


@pytest.mark.parametrize(
    ("number", "top"), [(0.0, 1.0), (2.0, 5.0), (-7.0, 20.0), (15.0, 50.0), (0.1, 1.0), (1e-9, 1.0), (1e6, 2e6)]
)
def test_the_range_leaves_room_on_both_sides(number, top):
    assert sensible_range(number) == (-top, top)


def test_a_value_that_is_not_finite_has_a_slider_too(editor, session, qtbot):
    for text in ("inf", "nan"):
        retype(qtbot, editor.number.field, text)
        assert editor.number.range == (-5.0, 5.0)


@pytest.mark.parametrize("number", [8e307, -1e308, 1.7e308, 5e-324])
def test_a_number_near_the_largest_had_no_slider_and_was_a_traceback(editor, session, qtbot, number):
    session.edit(lambda document: edits.set_value(document, "w0", number), "Set w0")
    assert editor.number.slider.value() == (200 if number > 1 else 0 if number < 0 else 100)
    editor.number.slider.setFocus()
    qtbot.keyClick(editor.number.slider, Key.Key_Left if number > 0 else Key.Key_Right)
    assert np.isfinite(value(session)) and value(session) != number


def test_a_range_narrower_than_numbers_can_tell_apart_is_refused(editor, qtbot):
    retype(qtbot, editor.number.high, "5e-324")
    retype(qtbot, editor.number.low, "0")
    assert editor.number.sentence.text.startswith("The slider's least value")
    assert editor.number.range[0] < 0.0


def test_the_range_is_edited_and_widens_for_a_value_outside(editor, session, qtbot):
    retype(qtbot, editor.number.low, "0")
    retype(qtbot, editor.number.high, "4")
    assert editor.number.range == (0.0, 4.0)
    assert editor.number.slider.value() == editor.number.slider.maximum() // 2
    retype(qtbot, editor.number.field, "30")
    low, high = editor.number.range
    assert low <= 0 and high >= 30


def test_a_range_upside_down_is_refused(editor, qtbot):
    retype(qtbot, editor.number.low, "9")
    assert "must be below" in editor.number.sentence.text
    assert editor.number.range == (-5.0, 5.0)


# --- arrays


def cell(grid, qtbot, row, column):
    place = grid.table.visualRect(grid.model.index(row, column)).center()
    qtbot.mouseClick(grid.table.viewport(), Left, pos=place)
    return place


def type_into(grid, qtbot, row, column, text):
    place = cell(grid, qtbot, row, column)
    qtbot.mouseDClick(grid.table.viewport(), Left, pos=place)
    field = grid.table.viewport().findChild(QLineEdit)
    field.selectAll()
    qtbot.keyClicks(field, text)
    qtbot.keyClick(field, Key.Key_Return)
    qtbot.waitUntil(lambda: grid.table.viewport().findChild(QLineEdit) is not field)


def paste(grid, qtbot, text):
    QGuiApplication.clipboard().setText(text)
    qtbot.keyClick(grid.table, Key.Key_V, Ctrl)


def test_a_cell_is_typed(grid, session, qtbot):
    type_into(grid, qtbot, 1, 0, "-2.5")
    assert value(session, "X").tolist() == [[1, 2], [-2.5, 4], [5, 6]]
    session.undo()
    assert value(session, "X")[1, 0] == 3


def test_enter_opens_the_current_cell_and_closes_it_again(grid, session, qtbot):
    cell(grid, qtbot, 0, 1)
    qtbot.keyClick(grid.table, Key.Key_Return)
    field = grid.table.viewport().findChild(QLineEdit)
    assert field.text() == "2"
    qtbot.keyClicks(field, "8")
    qtbot.keyClick(field, Key.Key_Return)
    qtbot.waitUntil(lambda: value(session, "X")[0, 1] == 8)
    assert grid.table.state() == grid.table.State.NoState


def test_a_cell_that_is_no_number_is_answered_in_a_sentence(grid, session, qtbot):
    before = session.document
    type_into(grid, qtbot, 2, 1, "many")
    assert session.document is before
    assert grid.sentence.text.startswith("Row 2, column 1: 'many' is not a number")


def test_a_block_is_pasted_from_the_current_cell_on(grid, session, qtbot):
    cell(grid, qtbot, 1, 0)
    paste(grid, qtbot, "10\t20\n30\t40\n")
    assert value(session, "X").tolist() == [[1, 2], [10, 20], [30, 40]]


def test_a_larger_block_at_the_first_cell_replaces_the_array(grid, session, qtbot):
    cell(grid, qtbot, 0, 0)
    paste(grid, qtbot, "1, 2, 3\n4, 5, 6")
    assert value(session, "X").tolist() == [[1, 2, 3], [4, 5, 6]]


@pytest.mark.parametrize(
    ("text", "why"),
    [("1\t2\t3", "do not fit"), ("1\t2\n3", "differ in length"), ("a\tb", "is not a number"), ("  ", "no numbers")],
)
def test_what_cannot_be_pasted_is_said(grid, session, qtbot, text, why):
    before = session.document
    cell(grid, qtbot, 1, 1)
    paste(grid, qtbot, text)
    assert session.document is before
    assert why in grid.sentence.text


def test_cells_are_copied_for_a_spreadsheet(grid, qtbot):
    grid.table.selectAll()
    qtbot.keyClick(grid.table, Key.Key_C, Ctrl)
    assert QGuiApplication.clipboard().text() == "1.0\t2.0\n3.0\t4.0\n5.0\t6.0"


def test_an_array_with_more_axes_is_shown_by_rows(editor, session):
    session.edit(lambda d: edits.set_value(d, "w0", as_value(np.arange(12.0).reshape(2, 3, 2))), "Set w0")
    model = editor.grid.model
    assert (model.rowCount(), model.columnCount()) == (6, 2)
    assert model.headerData(4, Qt.Orientation.Vertical) == "1, 1"


def test_a_large_array_is_told_in_numbers(editor, session):
    session.edit(lambda d: edits.set_value(d, "w0", as_value(np.linspace(-1, 3, 2000))), "Set w0")
    assert editor.large.isVisible()
    assert not editor.grid.isVisible()
    assert editor.large.text().startswith("2\u202f000 elements, least −1, greatest 3, mean 1")


# --- shapes


@pytest.mark.parametrize(
    ("typed", "shape"), [("3 × 2", (3, 2)), ("2,2", (2, 2)), ("4", (4,)), ("(1, 3)", (1, 3)), ("number", ())]
)
def test_a_shape_is_typed(editor, session, qtbot, typed, shape):
    retype(qtbot, editor.shape.lineEdit(), typed)
    assert value(session).shape == shape
    assert (value(session) == 2.0).all()


def test_a_shape_is_chosen_from_the_list(editor, session, qtbot):
    editor.shape.setFocus()
    qtbot.keyClick(editor.shape, Key.Key_Down)
    qtbot.keyClick(editor.shape, Key.Key_Down)
    editor.shape.textActivated.emit("2 × 2")
    assert value(session).ndim >= 1


@pytest.mark.parametrize("typed", ["3 × 0", "a × b", "-2", "2000 × 2000"])
def test_a_shape_that_cannot_be_is_refused(editor, session, qtbot, typed):
    before = session.document
    retype(qtbot, editor.shape.lineEdit(), typed)
    assert session.document is before
    assert editor.sentence.isVisible()


def test_escape_brings_back_what_was_there(editor, session, qtbot):
    before, field = session.document, editor.number.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "77")
    qtbot.keyClick(field, Key.Key_Escape)
    assert field.text() == "2"
    qtbot.keyClick(field, Key.Key_Return)
    assert session.document is before


def test_what_is_being_typed_is_not_overwritten_by_an_edit_elsewhere(editor, session, qtbot):
    field = editor.number.field
    field.setFocus()
    field.selectAll()
    qtbot.keyClicks(field, "1.")
    session.edit(lambda d: edits.set_value(d, "w0", 9.0), "Set w0")
    assert field.text() == "1."
    editor.name = "x0"
    editor.show_node(session.document.nodes["x0"])
    assert field.text() == "4"
