"""The table of nodes says in words what the canvas shows, moment by moment."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest

from cadena.core.graph.document import Document, Node, as_value
from cadena.core.teaching.hiding import NOTHING_HIDDEN
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.panels.numbers.nodes_panel import NodesPanel
from tests.gui.user import settle
from tests.waiting import until


@pytest.fixture
def panel(user):
    user.do("view.nodes")
    panel: NodesPanel = user.window.panels["nodes"].open()
    panel.follow()
    yield panel
    user.session.set_hidden(NOTHING_HIDDEN)
    if user.window.panels["nodes"].isVisible():
        user.window.toggle_panel("nodes")


def row(panel, name: str) -> list[str]:
    at = panel.model.names.index(name)
    return [panel.model.index(at, column).data() for column in range(panel.model.columnCount())]


def go(user, panel, time: float) -> None:
    user.session.set_time(time)
    settle()
    panel.follow()


def test_each_node_has_a_line_with_headers(user, panel):
    go(user, panel, 0.0)
    header = [panel.model.headerData(at, Qt.Orientation.Horizontal) for at in range(5)]
    assert header == ["node", "operation", "value", "gradient", "note"]
    assert row(panel, "w0") == ["w0", "parameter", "2", "not yet", ""]
    assert [row(panel, name)[0] for name in panel.model.names] == list(user.session.document.nodes)


def test_the_table_keeps_step_with_the_canvas(user, panel):
    steps = len(user.session.timeline)
    for step in range(steps + 1):
        go(user, panel, float(step))
        for name in user.session.document.nodes:
            number = user.session.frame.value(name)
            assert (row(panel, name)[2] == "not yet") is (number is None)
    assert row(panel, "w0")[3] == "−28" and "output" in row(panel, "L")[4]


def test_the_sentence_of_the_step_is_read_aloud(user, panel, monkeypatch):
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "updateAccessibility", lambda event: said.append(event.message()))
    go(user, panel, 3.0)
    go(user, panel, 3.0)
    assert len(said) == 1 and said[0] == panel.sentence.accessibleName() and "step 3 of" in said[0]


def test_a_screen_reader_finds_rows_headers_and_the_sentence(user, panel):
    go(user, panel, 3.0)
    table = QAccessible.queryAccessibleInterface(panel.table)
    assert table.role() == QAccessible.Role.Table
    cell = table.child(table.childCount() - 1)
    assert ": " in cell.text(QAccessible.Text.Name)
    assert QAccessible.queryAccessibleInterface(panel.sentence).text(QAccessible.Text.Name).startswith("Forward pass")


def test_arrow_keys_go_from_node_to_node(user, panel):
    panel.table.setFocus()
    panel.table.setCurrentIndex(panel.model.index(0, 0))
    QTest.keyClick(panel.table, Qt.Key.Key_Down)
    settle()
    assert user.session.selection == {panel.model.names[1]}


def test_a_click_on_the_canvas_chooses_the_line(user, panel):
    for name in ("m1", "b1"):
        user.click(user.name_of(name))
        line = panel.model.names.index(name)
        until(lambda line=line: panel.table.currentIndex().row() == line, f"{name} is not chosen", settle)
        assert user.session.selection == {name}
        assert [index.row() for index in panel.table.selectionModel().selectedRows()] == [line]


def test_hidden_numbers_stay_hidden(user, panel):
    go(user, panel, float(len(user.session.timeline)))
    user.do("hide.values")
    panel.follow()
    assert row(panel, "w0")[2] == "hidden" and row(panel, "w0")[3] == "−28"
    assert "−28" not in panel.sentence.text() or "gradient" in panel.sentence.text()
    user.do("hide.names")
    panel.follow()
    assert panel.model.index(0, 0).data() == "?"


def test_a_bad_number_is_a_word_not_a_colour(user, panel):
    user.session.open(open_lesson("where_autodiff_fails"), None)
    user.session.show_live()
    settle()
    panel.follow()
    assert {row(panel, name)[4] for name in panel.model.names} >= {"Gradient is not a number", "output"}


def test_an_array_has_its_shape_in_words(user, panel):
    array = Node("x", "parameter", value=as_value([[1.0, 2.0], [3.0, 4.0]]))
    user.session.open(Document({"x": array}), None)
    user.session.show_live()
    settle()
    panel.follow()
    assert row(panel, "x")[2] == "2 × 2: [[1, 2], [3, 4]]" and row(panel, "x")[3] == "none"


def test_an_empty_graph_is_said(user, panel):
    user.session.open(Document({}), None)
    settle()
    panel.follow()
    assert panel.sentence.text() == "An empty graph." and panel.model.rowCount() == 0


@pytest.mark.parametrize("method", ["forward", "difference", "symbolic"])
def test_every_method_has_its_own_lines(user, panel, method):
    user.session.choose_method(method)
    user.session.finish_steps()
    go(user, panel, float(len(user.session.timeline)))
    assert all(len(row(panel, name)) == 5 and row(panel, name)[2] for name in panel.model.names)
