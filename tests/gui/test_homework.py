"""A student's homework in the real window: a gradient worked out with the paths panel alone, and an exercise sheet."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.storage.files import save
from cadena.core.teaching.exercise_sheet import asked_of, sheet_for
from cadena.core.teaching.hiding import MARK
from cadena.core.teaching.lessons import open_lesson
from tests.gui.user import LEFT, NO_KEY, settle
from tests.waiting import until

NETWORK = (
    "x1 = 0.5; x2 = -1; y = 1; w11 = 0.4; w12 = 0.3; w21 = -0.2; w22 = 0.6; b1 = 0.2; b2 = 0; v1 = 0.7; v2 = -0.5; "
    "c = 0.2; h1 = sigmoid(w11*x1 + w12*x2 + b1); h2 = sigmoid(w21*x1 + w22*x2 + b2); "
    "o = sigmoid(v1*h1 + v2*h2 + c); L = mse_loss(o, y)"
)


def by_hand() -> float:
    """The gradient of w11, by the chain rule on paper."""
    h1, h2 = (1 / (1 + math.exp(-z)) for z in (0.4 * 0.5 - 0.3 + 0.2, -0.2 * 0.5 - 0.6))
    o = 1 / (1 + math.exp(-(0.7 * h1 - 0.5 * h2 + 0.2)))
    return 2 * (o - 1) * o * (1 - o) * 0.7 * h1 * (1 - h1) * 0.5


@pytest.fixture
def paths(user):
    """The network typed into an empty graph, and the paths panel open on its first step."""
    user.press("Ctrl+N")
    user.double_click(user.canvas.rect().center())
    QApplication.focusWidget().setText(NETWORK)  # pasted: typed, each letter would read it all
    user.type("")
    assert user.session.document.output == "L" and len(user.session.document.nodes) == 28
    user.press("Home")
    user.do("view.paths")
    panel = user.window.panels["paths"].content
    panel.hide_results.setChecked(False)  # as another test may have left it
    panel.hide_results.setFocus(Qt.FocusReason.TabFocusReason)
    QTest.mouseClick(panel.hide_results, LEFT, NO_KEY, QPoint(8, panel.hide_results.height() // 2))
    panel.node.setFocus()
    QTest.keyClicks(panel.node, "w11")
    QTest.keyClick(panel.node, Qt.Key.Key_Return)
    until(lambda: panel.paths is not None and panel.paths.name == "w11" and panel.cards, "no paths come", settle)
    return panel


def typed(panel, text):
    QTest.mouseClick(panel.answer, LEFT, NO_KEY, panel.answer.rect().center())
    panel.answer.selectAll()
    QTest.keyClicks(QApplication.focusWidget(), text)
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Return)
    settle()
    return panel.verdict.text()


def factors(panel):
    """The numbers that stand in the product of the one path, as they are read."""
    (card,) = panel.cards
    return card.formula.accessibleName().split(" = ")[1].split(" · ")


def test_a_path_into_a_loss_had_no_numbers_so_that_the_homework_could_not_be_done(paths):
    """Of mse_loss nothing but symbols was written, although between numbers it is a product as any other."""
    numbers = factors(paths)
    assert len(numbers) == 9 and "=" not in paths.sum.accessibleName()
    assert all(any(letter.isdigit() for letter in number) for number in numbers)
    product = "*".join(numbers).replace("−", "-").replace("…", "")
    assert typed(paths, product) == "right"
    assert math.prod(float(part.strip("()")) for part in product.split("*")) == pytest.approx(by_hand(), rel=5e-3)


def test_what_a_student_may_get_wrong_is_not_right(paths):
    right = by_hand()
    for wrong in (-right, right / 2, right / 0.5, right + 0.01):
        assert typed(paths, f"{wrong:.5g}") not in ("", "right")
    assert typed(paths, "minus a bit") not in ("", "right", "not yet")
    assert typed(paths, f"{right:.4g}") == "right"


def test_results_are_hidden_in_the_panel_until_they_are_wanted(paths):
    def places() -> list[bool]:
        formulas = [*(card.formula for card in paths.cards), paths.sum]
        return [shown in formula.accessibleName() for formula in formulas]

    shown = f"{by_hand():.3g}".replace("-", "−")[:6]
    assert places() == [False, False]
    QTest.mouseClick(paths.hide_results, LEFT, NO_KEY, QPoint(8, paths.hide_results.height() // 2))
    until(lambda: places() == [True, True], "the results stay hidden", settle)


def test_the_file_of_a_sheet_opens_with_what_is_given_and_without_a_result(user, tmp_path):
    document = open_lesson("two_paths")
    sheet = sheet_for(document, "Anna Müller", asked_of(document))
    save(sheet.document, tmp_path / "anna.cadena")
    user.window.files.open_path(tmp_path / "anna.cadena")
    user.press("End")
    session = user.session
    lines = {name: session.hidden.lines(name, session.frame.lines(name)) for name in session.document.nodes}
    assert [lines[name][0].number for name in ("w0", "a1", "k")] == [-3.0, -5.0, 15.0]
    assert all(lines[question.node][question.quantity == "gradient"].text == MARK for question in sheet.questions)
    assert all(lines[name][0].text == MARK for name in ("m1", "b1", "c", "L"))
