"""The inspector: all about what is selected, edited through the session, told only as far as the canvas shows it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec.structs import replace as with_fields
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from PySide6.QtWidgets import QLabel, QWidget

from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.teaching.hiding import NOTHING_HIDDEN
from cadena.gui.background import worker
from cadena.gui.look.theme import DARK, LIGHT, PROJECTOR
from cadena.gui.panels.inspector.attribute_editor import NOT_SET
from tests.core.graphs import graph
from tests.gui.panels.conftest import matrices, retype
from tests.gui.user import calm, settle
from tests.waiting import until

Left = Qt.MouseButton.LeftButton
Key = Qt.Key


@pytest.fixture
def page(inspector):
    return inspector.node


@pytest.fixture
def select(session, inspector):
    def selected(*names):
        session.select(names)
        calm(inspector, session)

    return selected


# --- which page


def test_with_nothing_selected_it_shows_the_graph(inspector, select):
    assert inspector.graph.isVisible()
    assert inspector.graph.nodes.text() == "5: 1 parameter, 1 input, 1 constant, 2 operations"
    select("m")
    assert inspector.node.isVisible()
    assert not inspector.graph.isVisible()
    select("m", "w0", "k")
    assert inspector.several.isVisible()
    assert inspector.several.title.text() == "3 nodes selected"
    assert inspector.several.names.text() == "w0, k, m"


def test_a_selected_node_that_is_deleted_gives_way_to_the_graph(inspector, session, select, qtbot):
    select("w0")
    session.edit(lambda d: edits.remove(d, ["w0"]), "Delete")
    qtbot.waitUntil(inspector.graph.isVisible)
    assert not inspector.node.isVisible()


def test_hidden_it_does_nothing(inspector, session, select, qtbot, monkeypatch):
    inspector.hide()
    followed = []
    monkeypatch.setattr(inspector.node, "show_node", followed.append)
    select("w0")
    session.set_time(3.0)
    calm(inspector, session)
    assert not followed
    inspector.show()
    assert followed == ["w0"]


# --- the graph


def test_the_title_is_edited_in_place(inspector, session, qtbot):
    retype(qtbot, inspector.graph.title, "my graph")
    assert session.document.title == "my graph"
    session.undo()
    assert session.document.title == "a test"


def test_the_output_is_chosen(inspector, session, qtbot):
    graph = inspector.graph
    graph.output.setFocus()
    qtbot.keyClick(graph.output, Key.Key_Up)
    assert session.document.output == "m"
    qtbot.keyClick(graph.output, Key.Key_Home)
    assert session.document.output is None


def test_the_outputs_value_is_told_when_it_has_arrived(inspector, session, qtbot):
    assert inspector.graph.value.text() == "not yet"
    session.set_time(2.0)
    qtbot.waitUntil(lambda: inspector.graph.value.text() == "7")


# --- a node's facts


def test_it_tells_no_more_than_the_canvas_shows(page, session, select, qtbot):
    select("m")
    assert page.facts.value.number.text() == "not yet"
    session.set_time(1.0)
    qtbot.waitUntil(lambda: page.facts.value.number.text() == "8")
    assert page.facts.gradient.number.text() == "not yet"
    session.set_time(len(session.timeline))
    qtbot.waitUntil(lambda: page.facts.gradient.number.text() == "−1")


def test_all_digits_are_there_on_hover(page, session, select):
    session.edit(lambda d: edits.set_value(d, "w0", 1 / 3), "Set w0")
    select("w0")
    assert page.facts.value.number.text() == "0.3333"
    page.facts.value.number.grab()
    assert page.facts.value.number.toolTip() == "0.3333333333333333"


def test_a_node_without_a_gradient_says_why(page, select):
    select("x0")
    assert page.facts.gradient.number.text() == "none"
    assert "No gradient is computed" in page.facts.gradient.number.hint


def test_a_small_matrix_is_set_as_a_matrix(page, session, select):
    session.open(matrices(), None)
    session.show_live()
    select("Z")
    assert "bmatrix" in page.facts.value.matrix.parts[0].latex
    assert page.facts.shape.text() == "3 × 1 · float64"


def test_how_the_output_depends_on_the_node_is_told_once_known(page, session, select, qtbot):
    select("w0")
    assert page.derivation._not_yet.isVisible()
    session.set_time(len(session.timeline))
    qtbot.waitUntil(lambda: not page.derivation._not_yet.isVisible())
    assert page.derivation.title.text() == "How L depends on w0"
    shown = [row for row in page.derivation._rows if row.isVisible()]
    assert len(shown) == 2
    assert page.derivation._result.parts[-1].latex.endswith("{-4}")


def test_nothing_depends_where_no_gradient_is_wanted(page, session, select):
    session.show_live()
    select("k")
    assert not page.derivation.isVisible()
    select("L")
    assert not page.derivation.isVisible()


def test_the_gradient_is_called_as_in_the_formula_beside(page, session, select):
    session.show_live()
    select("w0")
    assert page.facts._gradient_caption.text() == "gradient ∂L/∂w₀"


def test_the_operation_is_explained(page, select):
    select("m")
    assert page.subtitle.text() == "multiplication"
    assert [part.latex for part in page.formula.parts] == ["w_{0}", "x_{0}"]
    assert page.help.title.text() == "Multiplication"
    assert page.help.doc.text().startswith("The product of two operands")
    assert page.help._formula.parts
    assert [bool(view.parts) for view in page.help._derivatives] == [True, True, False]  # as many as operands


def test_a_fault_is_told_at_its_node(page, session, select):
    session.edit(lambda d: edits.disconnect(d, "m", 1), "Disconnect")
    select("m")
    assert page.fault.text.startswith("m waits for its operand 'right'")
    assert page.facts.value.number.text() == "none"
    select("w0")
    assert not page.fault.isVisible()


# --- a node's edits


def test_the_line_of_the_code_stood_nowhere(page, session, select):
    session.edit(lambda d: replace(d, nodes={**d.nodes, "L": with_fields(d.nodes["L"], line="train.py:12")}), "Lines")
    select("L")
    assert page.line.text() == "Line 12 of train.py" and page.line.isVisible()
    select("x")
    assert not page.line.isVisible()


def test_a_node_is_renamed_in_place_and_stays_selected(page, session, select, qtbot):
    select("w0")
    retype(qtbot, page.field, "weight")
    assert "weight" in session.document.nodes
    assert session.selection == {"weight"}
    assert page.isVisible()
    session.undo()
    assert "w0" in session.document.nodes


@pytest.mark.parametrize("name", ["k", "2x", "a b", "lambda"])
def test_a_name_that_cannot_be_is_refused_beneath_the_field(page, session, select, qtbot, name):
    before = session.document
    select("w0")
    retype(qtbot, page.field, name)
    assert session.document is before
    assert page.refusal.isVisible()
    assert name in page.refusal.text
    select("m")
    assert not page.refusal.isVisible()


def test_another_kind_of_leaf(page, session, select, qtbot):
    select("x0")
    qtbot.mouseClick(page.kind.buttons["parameter"], Left)
    assert session.document.nodes["x0"].op == "parameter"
    assert session.document.nodes["x0"].value == 4.0
    session.undo()
    qtbot.waitUntil(lambda: page.kind.buttons["input"].isChecked())


def test_an_input_may_want_a_gradient(page, session, select, qtbot):
    select("w0")
    assert not page.wanted.isVisible()
    select("x0")
    qtbot.mouseClick(page.wanted, Left, pos=QPoint(10, page.wanted.rect().center().y()))
    assert session.document.nodes["x0"].gradient
    assert session.run.gradient("x0") is not None


def test_make_output(page, session, select, qtbot):
    select("m")
    qtbot.mouseClick(page.output, Left)
    assert session.document.output == "m"
    qtbot.waitUntil(lambda: not page.output.isEnabled())
    assert page.output.text() == "output"


# --- settings of operations


@pytest.fixture
def summed(session, select, inspector):
    session.open(matrices(), None)
    select("L")
    return inspector.node.attributes


def test_an_axis_is_typed(summed, session, qtbot):
    retype(qtbot, summed.fields["axis"], "0")
    assert session.document.nodes["L"].attributes == {"axis": 0}
    retype(qtbot, summed.fields["axis"], "0, −1")
    assert session.document.nodes["L"].attributes == {"axis": [0, -1]}
    summed.fields["axis"].clear()
    retype(qtbot, summed.fields["axis"], " ")
    assert session.document.nodes["L"].attributes == {"axis": None}


def test_an_axis_that_is_not_there_is_refused_in_a_sentence(summed, session, qtbot):
    before = session.document
    retype(qtbot, summed.fields["axis"], "2")
    assert session.document is before
    assert "no axis 2" in summed.sentence.text
    retype(qtbot, summed.fields["axis"], "first")
    assert "cannot be the axis" in summed.sentence.text
    retype(qtbot, summed.fields["axis"], "1")
    assert not summed.sentence.isVisible()


def test_a_flag_is_ticked(summed, session, qtbot):
    summed.fields["keepdims"].setFocus()
    qtbot.keyClick(summed.fields["keepdims"], Key.Key_Space)
    assert session.document.nodes["L"].attributes == {"keepdims": True}


def test_shape_and_index_are_typed_and_checked(session, select, inspector, qtbot):
    session.open(matrices(), None)
    session.edit(lambda d: edits.set_operation(d, "Y", "reshape"), "Change")
    select("Y")
    attributes = inspector.node.attributes
    retype(qtbot, attributes.fields["shape"], "2, 2")
    assert "has 3 elements" in attributes.sentence.text
    retype(qtbot, attributes.fields["shape"], "1 × 3")
    assert session.document.nodes["Y"].attributes == {"shape": [1, 3]}
    session.edit(lambda d: edits.set_operation(d, "Y", "getitem"), "Change")
    qtbot.waitUntil(lambda: "index" in attributes.fields)
    retype(qtbot, attributes.fields["index"], "7, 0")
    assert "does not fit shape" in attributes.sentence.text
    retype(qtbot, attributes.fields["index"], "1:, 0")
    assert session.document.nodes["Y"].attributes["index"] == "1:, 0"


@pytest.fixture
def become(session, select, inspector, qtbot):
    """Make the sum of the matrix graph another operation; its attribute editor."""

    def changed(op):
        session.open(matrices(), None)
        session.edit(lambda d: edits.set_operation(d, "L", op), "Change")
        select("L")
        return inspector.node.attributes

    return changed


def test_a_choice_offers_its_words_and_one_for_none_where_it_need_not_be_made(become, session, qtbot):
    mode = become("take").fields["mode"]
    assert [mode.itemText(index) for index in range(mode.count())] == ["raise", "wrap", "clip"]
    assert mode.currentText() == "raise"
    dtype = become("astype").fields["dtype"]
    assert dtype.currentText() == NOT_SET and dtype.count() == 4
    dtype.setFocus()
    qtbot.keyClick(dtype, Key.Key_Down)
    assert session.document.nodes["L"].attributes == {"dtype": "float16"}


def test_a_number_may_be_empty_where_there_need_be_none(become, session, qtbot):
    fields = become("clip").fields
    retype(qtbot, fields["min"], "−0.5")
    assert session.document.nodes["L"].attributes == {"min": -0.5}
    retype(qtbot, fields["min"], " ")
    assert session.document.nodes["L"].attributes == {"min": None}


def test_a_number_is_refused_where_it_is_out_of_bounds_and_where_it_is_none(become, session, qtbot):
    attributes = become("dropout")
    before = session.document
    retype(qtbot, attributes.fields["p"], "1.5")
    assert "from 0 to 1" in attributes.sentence.text
    retype(qtbot, attributes.fields["seed"], "1.5")
    assert "cannot be the seed; type 2" in attributes.sentence.text
    assert session.document is before


def test_widths_and_places_are_typed_as_one_number_or_lists(become, session, qtbot):
    attributes = become("pad")
    retype(qtbot, attributes.fields["pad_width"], "[[1, 0], [0, 1]]")
    assert session.document.nodes["L"].attributes == {"pad_width": [[1, 0], [0, 1]]}
    retype(qtbot, attributes.fields["pad_width"], "[[1, 0], [0, 1], [2, 2]]")
    assert "does not fit 2 axes" in attributes.sentence.text
    retype(qtbot, attributes.fields["pad_width"], "2")
    assert session.document.nodes["L"].attributes == {"pad_width": 2}


def test_the_subscripts_of_einsum_are_typed_and_checked(become, session, qtbot):
    attributes = become("einsum")
    retype(qtbot, attributes.fields["subscripts"], "ijk->k")
    assert attributes.sentence.isVisible() and "subscripts" not in session.document.nodes["L"].attributes
    retype(qtbot, attributes.fields["subscripts"], "ij->j")
    assert session.document.nodes["L"].attributes == {"subscripts": "ij->j"}


def test_an_operation_without_settings_offers_none(inspector, select):
    select("m")
    assert not inspector.node.attributes.isVisible()


# --- themes


@pytest.mark.parametrize("theme", [LIGHT, DARK, PROJECTOR], ids=lambda theme: theme.name)
def test_no_text_is_wider_than_the_panel(inspector, session, select, theme, qtbot):
    from cadena.gui.look import style

    inspector.set_theme(theme)
    style.apply(inspector, theme)
    inspector.resize(inspector.sizeHint().width(), 900)
    for name in ("w0", "x0", "m", "L"):
        select(name)
        for label in inspector.findChildren(QLabel):
            if label.isVisible() and not label.wordWrap():
                assert label.mapTo(inspector, label.rect().topRight()).x() <= inspector.width(), label.text()


def test_a_long_title_is_set_smaller_and_read_from_its_beginning(inspector, session, qtbot):
    title = inspector.graph.title
    short = title.styleSheet()
    session.edit(lambda d: edits.set_title(d, "A title that is much too long for the heading"), "Title")
    qtbot.waitUntil(lambda: title.text().startswith("A title"))
    assert title.styleSheet() != short
    assert title.cursorPosition() == 0


def test_a_saved_file_was_still_called_untitled_graph(inspector, session):
    session.edit(lambda document: edits.set_title(document, ""), "Untitle")
    session.select([])
    assert inspector.graph.title.placeholderText() == "untitled graph"
    session.mark_saved(Path("/home/me/two layers.cadena"))
    assert inspector.graph.title.placeholderText() == "two layers"
    session.open(Document({}), None)
    assert inspector.graph.title.placeholderText() == "untitled graph"


def test_an_output_that_never_runs_was_said_to_have_no_value_yet(session, inspector):
    session.edit(lambda document: edits.remove(document, ["w0"]), "Delete w0")
    calm(inspector, session)
    assert session.causes and inspector.graph.value.text() == "none"


def test_a_leaf_whose_gradient_is_0_did_not_say_why_and_does_not_while_numbers_are_hidden(
    inspector, page, session, select
):
    session.open(graph(w=-2.0, v=1.0, r=("relu", "w"), L=("add", "r", "v")), None)
    select("w")
    session.set_time(0.0)
    calm(inspector, session)
    assert not page.why.isVisible()
    session.set_time(float(len(session.timeline)))
    calm(inspector, session)
    assert page.why.isVisible()
    assert page.why.text().startswith(
        "The gradient of w is 0: relu in r is closed: its operand w = −2 is not positive;"
    )
    session.set_hidden(session.hidden.toggled("gradients"))
    calm(inspector, session)
    assert not page.why.isVisible()
    session.set_hidden(NOTHING_HIDDEN)
    select("v")
    assert not page.why.isVisible()


# --- the first picture of a node


class FirstPicture(QObject):
    """Filter for the page of a node: notes where its parts are when it is painted first."""

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page, self.places = page, dict[QWidget, QRect]()
        page.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Paint and not self.places:
            self.places = places_in(self._page)
        return False


def places_in(page: QWidget) -> dict[QWidget, QRect]:
    parts = [part for part in page.findChildren(QWidget) if part.isVisibleTo(page)]
    return {part: QRect(part.mapTo(page, QPoint(0, 0)), part.size()) for part in parts}


@pytest.mark.parametrize("name", ["b1", "w0", "a1", "k", "L"])
def test_a_node_that_is_selected_first_is_laid_out_before_it_is_painted(own_user, name):
    """The line of paths came later, and pushed down all that was below it."""
    own_user.session.set_time(float("inf"))
    settle()
    page = own_user.window.inspector.node
    first = FirstPicture(page)
    own_user.click(own_user.name_of(name))
    until(lambda: bool(first.places), "the page is never painted", settle)
    until(lambda: not worker.running, "the page is never complete", lambda: calm(own_user.window))
    settle()
    assert places_in(page) == first.places
