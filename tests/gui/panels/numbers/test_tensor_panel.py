"""The panel of elements: every number of a value or a gradient can be read, found, copied and saved."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QScrollArea, QStyle, QStyleOptionButton, QWidget

from cadena.core.graph.document import Document, Node, as_value
from cadena.core.teaching.hiding import NOTHING_HIDDEN
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look import style
from cadena.gui.look import theme as look
from cadena.gui.look.theme import PROJECTOR
from cadena.gui.panels.numbers.element_tables import place_text
from cadena.gui.panels.numbers.tensor_panel import HIDDEN, NOT_FOUND, NOT_YET, VIEWS, TensorPanel
from cadena.gui.session.session import Session
from tests.gui import mouse
from tests.gui.user import calm, settle
from tests.waiting import until

NAN = np.array([[1.0, np.nan], [-np.inf, 4.0]])


def one_array(array: np.ndarray) -> Document:
    nodes = (
        Node("x", "parameter", value=as_value(array)),
        Node("y", "exp", inputs=("x",)),
        Node("L", "sum", inputs=("y",)),
    )
    return Document({node.name: node for node in nodes}, output="L")


@pytest.fixture
def panel(user):
    user.session.open(open_lesson("custom_layer"), None)
    user.session.show_live()
    user.session.select(["W"])
    user.do("view.tensor")
    panel: TensorPanel = user.window.panels["tensor"].open()
    panel.show_role("value")
    panel.show_view("Table")
    panel.follow()
    yield panel
    if user.window.panels["tensor"].isVisible():
        user.do("view.tensor")


def show(user, panel, document: Document, name: str) -> None:
    user.session.open(document, None)
    user.session.show_live()
    user.session.select([name])
    user.window.open_panel("tensor")  # closed by another document in which nothing is selected
    until(lambda: panel.name == name and panel.array is not None, "the array is not shown", settle)


def press(button) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()


def cells(view) -> list[list[str]]:
    model = view.model()
    return [
        [model.index(row, column).data() for column in range(model.columnCount())] for row in range(model.rowCount())
    ]


def test_a_matrix_is_read_as_rows_and_columns(user, panel):
    assert cells(panel.table) == [["0.1", "−0.2"], ["0.3", "0.4"], ["−0.5", "0.6"]]
    press(panel.role_chips["gradient"])
    assert panel.title.text() == "W: gradient" and cells(panel.table)[1] == ["−7.3388", "5.0098"]


def test_value_and_gradient_stand_side_by_side(user, panel):
    press(panel.view_chips["List"])
    assert cells(panel.list)[2] == ["[1, 0]", "0.3", "−7.3388"]
    header = panel.listing.headerData
    assert [header(at, Qt.Orientation.Horizontal) for at in range(3)] == ["index", "value", "gradient"]


def test_the_largest_the_smallest_and_the_farthest_are_found(user, panel):
    press(panel.role_chips["gradient"])
    for what, place in (("largest", "W[1, 1]"), ("smallest", "W[1, 0]"), ("farthest", "W[1, 0]")):
        press(panel.find_buttons[what])
        assert panel.element.text().startswith(f"{place}: value ")
    assert "gradient −7.3388161712353535" in panel.element.text()
    press(panel.find_buttons["bad"])
    assert panel.sentence.text == NOT_FOUND


def test_the_first_number_that_is_not_finite_is_found(user, panel):
    show(user, panel, one_array(NAN), "x")
    press(panel.find_buttons["bad"])
    assert panel.element.text().startswith("x[0, 1]: value nan")
    assert "1 nan" in panel.facts.text() and "1 infinite" in panel.facts.text()
    assert panel.table.currentIndex().row() == 0 and panel.table.currentIndex().column() == 1


def test_a_chosen_element_is_lit_on_the_card(user, panel):
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.matrix.index(2, 1))
    settle()
    assert {key: at.tolist() for key, at in user.canvas.scene.elements.items()} == {
        ("W", "value"): [5],
        ("W", "gradient"): [5],
    }
    user.do("view.tensor")
    assert user.canvas.scene.elements == {}


def test_of_more_axes_one_slice_is_shown(user, panel):
    array = np.arange(24.0).reshape(2, 3, 4)
    show(user, panel, one_array(array), "x")
    assert [box.maximum() for box in panel.slices] == [1] and cells(panel.table)[0] == ["0", "1", "2", "3"]
    panel.slices[0].setValue(1)
    assert cells(panel.table)[0] == ["12", "13", "14", "15"]
    press(panel.find_buttons["smallest"])
    assert panel.slices[0].value() == 0 and panel.element.text().startswith("x[0, 0, 0]: ")
    press(panel.view_chips["List"])
    assert not panel.slices[0].isVisible() and len(cells(panel.list)) == 24


def test_nothing_is_shown_before_it_is_computed(user, panel):
    press(panel.role_chips["gradient"])
    user.session.set_time(0.0)
    until(lambda: panel.array is None, "the gradient is still shown", settle)
    assert panel.missing.text() == NOT_YET["gradient"] and not panel.views.isVisible()
    assert not panel.save.isEnabled()


def test_a_number_is_an_array_of_one(user, panel):
    user.session.select(["L"])
    until(lambda: panel.name == "L", "L is not shown", settle)
    assert cells(panel.table) == [["2.035"]]
    press(panel.find_buttons["largest"])
    assert panel.element.text().startswith("L: value 2.03")


@pytest.mark.parametrize("form", ["numpy", "CSV", "LaTeX", "JSON"])
def test_the_whole_array_is_copied(user, panel, form):
    press(panel.copy_buttons[form])
    text = QGuiApplication.clipboard().text()
    beginnings = {"numpy": "np.array([[ 0.1, -0.2]", "CSV": "0.1,-0.2\n", "LaTeX": "\\begin{bmatrix}\n0.1 & -0.2"}
    assert text.startswith(beginnings.get(form, "[[")) and (form != "JSON" or json.loads(text)[2] == [-0.5, 0.6])


def test_an_array_is_saved_as_npy(user, panel, tmp_path: Path):
    user.answers.path = tmp_path / "w.npy"
    press(panel.save)
    assert (np.load(tmp_path / "w.npy") == user.session.run.value("W")).all()


def test_selected_cells_are_copied_with_all_their_digits(user, panel):
    press(panel.role_chips["gradient"])
    panel.table.selectColumn(0)
    panel.table.setFocus()
    user.press("Ctrl+C")
    lines = QGuiApplication.clipboard().text().splitlines()
    assert [float(line) for line in lines] == user.session.run.gradient("W")[:, 0].tolist()


def test_a_click_on_the_heat_map_chooses(user, panel):
    press(panel.view_chips["Heat map"])
    until(lambda: panel.map.plot is not None, "no plot came", settle)
    plot = panel.map.plot
    at = plot.view.mapViewToScene(QPointF(1.0, 2.0))
    assert plot.element_at(at) == 5
    mouse.point_at(plot.viewport(), at.toPoint())
    QTest.mouseClick(plot.viewport(), Qt.MouseButton.LeftButton, pos=at.toPoint())
    until(lambda: panel.element.text().startswith("W[2, 1]"), "the click chose nothing", settle)
    assert panel.map.scale.accessibleName() == "Colour scale from −0.6 to 0.6"


def test_the_histogram_counts(user, panel):
    show(user, panel, one_array(NAN), "x")
    press(panel.view_chips["Histogram"])
    until(lambda: panel.histogram.plot is not None, "no plot came", settle)
    assert panel.histogram.caption.text() == (
        "2 elements; the highest bar stands for 1. 2 that are not finite are left out."
    )


def test_a_million_elements_are_there_at_once(user, panel):
    show(user, panel, one_array(np.arange(1_000_000.0)), "x")
    press(panel.view_chips["List"])
    assert panel.list.model().rowCount() == 1_000_000
    asked = []
    number = panel.listing.number
    panel.listing.number = lambda row, column: (asked.append(row), number(row, column))[1]
    panel.list.scrollToBottom()
    settle()
    assert 999_999 in asked and len(set(asked)) < 200  # the rows that are seen, and no others


def test_the_inspector_opens_it(user, panel):
    user.do("view.tensor")
    button = user.window.inspector.node.facts.elements
    until(button.isVisible, "the inspector offers no elements", settle)
    press(button)
    assert panel.isVisible()


def test_places_are_written_as_in_code():
    assert [place_text(at, shape) for at, shape in ((0, ()), (3, (4,)), (5, (3, 2)))] == ["", "[3]", "[2, 1]"]


def test_hidden_numbers_were_shown_in_the_panel_of_elements(user, panel):
    user.do("hide.values")
    until(lambda: panel.array is None, "the values are still shown", settle)
    assert panel.missing.text() == HIDDEN and not panel.views.isVisible() and not panel.save.isEnabled()
    press(panel.role_chips["gradient"])
    assert panel.array is not None and not panel.missing.isVisible()
    press(panel.view_chips["List"])
    assert [column.role for column in panel.listing.columns] == ["gradient"]
    user.session.set_hidden(NOTHING_HIDDEN)
    until(lambda: len(panel.listing.columns) == 2, "the values do not come back", settle)


def test_parts_of_the_panel_stood_on_each_other_where_there_was_too_little_height(qtbot):
    session = Session(one_array(np.ones((2, 2))))
    session.show_live()
    panel = TensorPanel(session, PROJECTOR)
    qtbot.addWidget(panel)
    panel.setStyleSheet(style.sheet(PROJECTOR))
    panel.resize(panel.minimumWidth(), 420)
    panel.show()
    settle()
    inside = panel.table.parentWidget().parentWidget()
    parts = [part for part in inside.children() if isinstance(part, QWidget) and part.isVisible()]
    over = [
        (one, other)
        for at, one in enumerate(parts)
        for other in parts[:at]
        if one.geometry().intersects(other.geometry())
    ]
    assert not over
    bold = QFontMetrics(look.font(PROJECTOR, bold=True))
    for chip in (*panel.role_chips.values(), *panel.view_chips.values()):  # the chosen ones are bold
        option = QStyleOptionButton()
        chip.initStyleOption(option)
        room = chip.style().subElementRect(QStyle.SubElement.SE_PushButtonContents, option, chip)
        assert room.width() >= bold.horizontalAdvance(chip.text()), chip.text()


def test_plots_pushed_the_buttons_out_of_a_small_window(user, panel):
    """They asked for 540 pixels, and the list, too, once a plot had been shown; the copies were out of sight."""
    user.window.resize(1280, 720)
    show(user, panel, one_array(np.arange(36.0).reshape(6, 6)), "x")
    area = panel.findChild(QScrollArea)
    for view in VIEWS[::-1]:
        panel.show_view(view)
        if view in ("Heat map", "Histogram"):
            frame = panel.map if view == "Heat map" else panel.histogram
            until(lambda frame=frame: frame.plot is not None and frame.plot.isVisible(), "there is no plot", settle)
        calm(panel)
        assert area.widget().height() <= area.viewport().height(), view
        assert panel.views.height() >= 176, view  # beside tabs of 46 pixels


def test_a_gradient_that_never_comes_was_said_to_have_not_arrived_yet(user, panel):
    """With the sign of a fault, a line above its text, and the rows spread over the panel."""
    document = one_array(np.ones((2, 2)))
    off = Document({**document.nodes, "Q": Node("Q", "log", inputs=("x",))}, output="L")
    show(user, panel, off, "Q")
    press(panel.role_chips["gradient"])
    assert panel.missing.text() == "Q does not lead to the output, so it has no gradient."
    assert panel.missing.isVisible() and not panel.sentence.isVisible()
    assert panel.missing.height() < 3 * panel.missing.fontMetrics().height(), "the rows are spread"


def test_the_pointer_said_value_of_a_count(user, panel):
    show(user, panel, one_array(np.array([1.0, 1.0, 2.0])), "x")
    panel.show_view("Histogram")
    until(lambda: panel.histogram.plot is not None and len(panel.histogram.plot.xs), "there is no plot", settle)
    assert panel.histogram.plot.reading(0, 0.4)[1] == "2 elements"
