"""The panel of matrices: what meets lights up under the mouse and the arrow keys, here and on the cards."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from cadena.core.expressions.reading import parse
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.schemes import RESULT
from cadena.gui.look.theme import THEMES
from cadena.gui.panels.steps.matrices_page import NO_ARRAYS
from tests.gui import mouse
from tests.gui.user import calm, settle
from tests.waiting import until

Key = Qt.Key


@pytest.fixture
def page(user):
    user.session.open(open_lesson("custom_layer"), None)
    user.do("view.matrices")
    yield user.window.panels["matrices"].open()
    if user.window.panels["matrices"].isVisible():
        user.do("view.matrices")


def go_to(user, step):
    user.session.set_time(float(step))
    calm(user.window.panels["matrices"])  # until then it shows what it showed before


def last_step(user, page):
    go_to(user, len(user.session.timeline))
    until(lambda: page.item is not None and page.scheme.slot == 1, "the last step is not shown", settle)


def place_of(page, matrix, row, column) -> QPoint:
    placed = page.board._placed()[matrix]
    return placed.cell(placed.rows.index(row), placed.columns.index(column)).center().toPoint()


def point_at(page, matrix, row, column):
    mouse.point_at(page.board, QPoint(1, 1))
    mouse.point_at(page.board, place_of(page, matrix, row, column))
    settle()


def test_pointing_at_an_element_writes_its_sum_of_products(user, page):
    last_step(user, page)
    point_at(page, 2, 1, 0)
    assert page.title.text() == "∂L/∂W [1, 0]"
    assert page.sentence.text() == "Row 1 of Xᵀ meets column 0 of ∂L/∂Z."
    assert page.formula.accessibleName().endswith("= 0 − 2.922 − 4.417 = −7.339")
    assert page.formula.accessibleName() in page.board.accessibleDescription()


def test_the_same_element_is_marked_on_the_cards(user, page):
    last_step(user, page)
    point_at(page, 2, 1, 0)
    marked = {key: at.tolist() for key, at in user.canvas.scene.elements.items()}
    assert marked == {("W", "gradient"): [2], ("X", "value"): [1, 4, 7], ("Z", "gradient"): [0, 2, 4]}
    with_marks = user.canvas.grab().toImage()
    user.do("view.matrices")
    assert user.canvas.scene.elements == {} and user.canvas.grab().toImage() != with_marks


def test_pointing_at_an_operand_of_a_product_chooses_its_line(user, page):
    last_step(user, page)
    point_at(page, 0, 2, 0)
    point_at(page, 1, 0, 1)
    assert page.title.text() == "∂L/∂W [2, 1]"


def test_arrow_keys_move_the_element_and_not_the_step(user, page):
    last_step(user, page)
    QTest.mouseClick(page.board, Qt.MouseButton.LeftButton, pos=place_of(page, 2, 0, 0))
    time = user.session.time
    for key, index in (
        (Key.Key_Down, "[1, 0]"),
        (Key.Key_Right, "[1, 1]"),
        (Key.Key_Right, "[1, 1]"),
        (Key.Key_Up, "[0, 1]"),
    ):
        QTest.keyClick(page.board, key)
        settle()
        assert page.title.text() == f"∂L/∂W {index}" and user.session.time == time


def test_nothing_is_shown_before_it_is_computed(user, page):
    go_to(user, 0.5)  # the product is under way
    until(lambda: page.item is not None, "no step is shown", settle)
    result = next(matrix for matrix in page.scheme.matrices if matrix.place == RESULT)
    assert result.title == "Z" and not page.board._landed
    assert page.formula.accessibleName() == "Z[0, 0] = (−1) · 0.1 + 0 · 0.3 + 1 · (−0.5)"
    go_to(user, 1.0)
    assert page.board._landed and page.formula.accessibleName().endswith("= −0.6")


def test_a_step_of_numbers_says_that_it_has_no_arrays(user, page):
    user.session.open(parse("w = 2; x = 3; L = w*x"), None)
    go_to(user, 1)
    until(lambda: page.board.isHidden(), "matrices of numbers are shown", settle)
    assert page.sentence.text().startswith("The numbers of this step")
    assert user.window.step_band.elements.isHidden()


def test_the_band_has_a_button_where_a_step_has_arrays(user):
    user.session.open(open_lesson("custom_layer"), None)
    go_to(user, 1)
    button = user.window.step_band.elements
    assert button.isVisible() and user.window.panels["matrices"].isHidden()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    assert user.window.panels["matrices"].isVisible() and user.window.panels["inspector"].isHidden()
    user.do("view.inspector")


def test_in_build_mode_the_selected_node_is_shown(user, page):
    user.session.show_live()
    user.session.select(["S"])
    until(lambda: page.scheme is not None and page.scheme.node == "S", "the selected node is not shown", settle)
    assert page.formula.accessibleName() == "S[0, 0] = (−0.5646)^2 = 0.3188"


def test_an_edit_keeps_the_chosen_element(user, page):
    last_step(user, page)
    point_at(page, 2, 1, 0)
    item = page.item
    user.session.run_now()
    until(lambda: page.item is not item, "the new run is not shown", settle)
    assert page.title.text() == "∂L/∂W [1, 0]"


def test_a_million_elements_are_painted_as_few(user, page):
    size = 1000
    numbers = np.arange(float(size * size)).reshape(size, size)
    nodes = (
        Node("X", "parameter", value=as_value(numbers)),
        Node("b", "parameter", value=as_value(np.ones(size))),
        Node("Y", "add", ("X", "b")),
        Node("L", "sum", ("Y",)),
    )
    user.session.open(Document({node.name: node for node in nodes}, output="L"), None)
    go_to(user, len(user.session.timeline))
    until(lambda: page.item is not None and page.scheme.slot == 1, "the numbers did not come", settle)
    cells = sum(len(matrix.rows) * len(matrix.columns) for matrix in page.board._placed())
    assert cells < 1000 and page.item.count == size
    page.choose(999)
    until(lambda: page.item.element == 999, "the last element is not shown", settle)
    assert 999 in page.board._placed()[-1].columns
    assert page.formula.accessibleName() == "∂L/∂b[999] = 1 + 1 + 1 + 1 + 1 + … + 1 + 1 = 1\u202f000"


def test_the_wheel_shows_other_rows(user, page):
    user.session.open(parse(f"X={[[float(row), 1.0] for row in range(80)]}; L=sum(X*X)"), None)
    go_to(user, 1)
    until(lambda: page.item is not None, "no step is shown", settle)
    before = page.board._placed()[-1].rows
    board = page.board
    _turn(board, -1200)
    assert page.board._placed()[-1].rows != before and page.item.element == 0


def _turn(widget, angle):
    from PySide6.QtCore import QPointF
    from PySide6.QtGui import QWheelEvent
    from PySide6.QtWidgets import QApplication

    middle = QPointF(widget.rect().center())
    none = Qt.KeyboardModifier.NoModifier
    event = QWheelEvent(
        middle, QPointF(widget.mapToGlobal(middle)), QPoint(), QPoint(0, angle), Qt.MouseButton.NoButton, none,
        Qt.ScrollPhase.NoScrollPhase, False,
    )  # fmt: skip
    QApplication.sendEvent(widget, event)
    settle()


def test_themes_reach_the_panel(user, page):
    last_step(user, page)
    pictures = []
    for name in THEMES:
        user.window.choose_theme(name)
        settle()
        pictures.append(page.board.grab().toImage())
    assert pictures[0] != pictures[1] != pictures[2]


def test_a_product_of_large_matrices_does_not_stop_the_window(user, page):
    numbers = np.random.default_rng(0).standard_normal((400, 400))
    nodes = (
        Node("A", "parameter", value=as_value(numbers)),
        Node("B", "parameter", value=as_value(numbers)),
        Node("C", "matmul", ("A", "B")),
        Node("L", "sum", ("C",)),
    )
    user.session.open(Document({node.name: node for node in nodes}, output="L"), None)
    user.session.set_time(1.0)
    page.follow()
    assert page.item is None and page.sentence.text().startswith("The numbers that meet")  # they come from a thread
    until(lambda: page.item is not None, "the numbers did not come", settle)
    for element in (5, 6, 400 * 399):
        page.choose(element)  # as a mouse that moves on
    until(lambda: page.item.element == 400 * 399, "the last element is not shown", settle)
    assert page.scheme.is_product and page.item.total == pytest.approx(float(numbers[399] @ numbers[:, 0]))
    assert page._work is None


def test_steps_of_another_method_showed_the_numbers_of_the_run_instead_of_theirs(user, page):
    go_to(user, 2)
    user.session.choose_method("difference")
    user.session.finish_steps()
    go_to(user, 2)
    until(lambda: page.board.isHidden(), "displaced runs have other numbers", settle)
    assert page.sentence.text().startswith("Choose reverse mode")


def test_numbers_that_came_late_were_shown_at_another_step(user, page):
    numbers = as_value(np.ones((300, 300)))
    nodes = (Node("A", "parameter", value=numbers), Node("C", "matmul", ("A", "A")), Node("L", "sum", ("C",)))
    user.session.open(Document({node.name: node for node in nodes}, output="L"), None)
    user.session.set_time(1.0)
    page.follow()
    work = page._work
    assert work is not None
    user.session.open(parse("w = 2; L = w*w"), None)
    page.follow()
    work.finish()
    settle()
    assert page.scheme is None and page.board.isHidden()


def test_pointing_at_an_operand_of_a_reduction_shows_where_it_flows(user, page):
    user.session.open(parse("X = [[1,2,3],[4,5,6]]; s = sum(X, axis=0); L = sum(s*s)"), None)
    go_to(user, 1)
    until(lambda: page.item is not None, "no step is shown", settle)
    point_at(page, 0, 1, 2)
    assert page.title.text() == "s [2]" and page.formula.accessibleName() == "s[2] = 3 + 6 = 9"
    last = next(k for k in range(len(user.session.timeline)) if user.session.timeline[k].operand == "X")
    go_to(user, last + 1)
    until(lambda: page.scheme is not None and page.scheme.slot == 0, "the last step is not shown", settle)
    point_at(page, 0, 0, 1)  # the upstream gradient of the second sum
    assert page.title.text() == "∂L/∂X [0, 1]"


def test_an_operation_without_a_wire_stopped_the_panel(user, page):
    nodes = Node("x", "parameter", value=as_value([1, 2])), Node("y", "multiply", inputs=("x", None))
    user.session.open(Document({node.name: node for node in nodes}, output="y"), None)
    user.session.show_live()
    user.session.select(["y"])
    user.window.open_panel("matrices")  # which another document without steps has closed
    calm(page)
    assert page.item is None and page.sentence.text() == NO_ARRAYS
