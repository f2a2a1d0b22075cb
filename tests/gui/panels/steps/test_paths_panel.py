"""The panel of paths: products, sum, light on the canvas, the learner's own result, the whole calculation."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest

from cadena.core.expressions.reading import parse
from cadena.core.graph import edits
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import DARK, LIGHT
from cadena.gui.panels.steps.paths_panel import PathsPanel
from tests.core.graph.test_shape import ladder
from tests.gui.user import settle
from tests.waiting import until

NETWORK = (
    "x1 = 0.5; x2 = -1; y = 1; w11 = 0.4; w12 = 0.3; w21 = -0.2; w22 = 0.6; b1 = 0.1; b2 = 0; v1 = 0.7; v2 = -0.5; "
    "c = 0.2; h1 = sigmoid(w11*x1 + w12*x2 + b1); h2 = sigmoid(w21*x1 + w22*x2 + b2); "
    "o = sigmoid(v1*h1 + v2*h2 + c); L = (o - y)**2"
)  # a 2-2-1 network with sigmoids and the squared error


@pytest.fixture
def panel(session, show):
    session.open(open_lesson("two_paths"), None)
    shown = show(PathsPanel(session, LIGHT), 420, 700)
    choose(shown, "a1")
    return shown


def seen(panel, number):
    return " ".join(part.latex for part in panel.cards[number].formula.seen)


def choose(panel, name):
    panel.session.select([name])
    until(lambda: panel.paths is not None and panel.paths.name == name, "the paths were not worked out", settle)
    settle()


def answer(panel, text):
    panel.answer.setFocus()
    panel.answer.clear()
    panel.answer.insert(text)  # QTest types Latin letters alone
    QTest.keyClick(panel.answer, Qt.Key.Key_Return)
    return panel.verdict.text()


def test_each_path_has_a_card_and_their_number_is_named(panel):
    assert [card.title.text() for card in panel.cards] == ["1   a1 → m1 → b1 → m3 → c → L", "2   a1 → b2 → m4 → c → L"]
    assert panel.count.text() == "2 paths, all through c"
    assert panel.sum.accessibleName() == "∂L/∂a1 = −14 + (−27) = −41"


def test_a_press_lights_the_path_and_a_second_one_takes_the_light_away(panel, qtbot):
    with qtbot.waitSignal(panel.pathShown) as lit:
        QTest.mouseClick(panel.cards[1], Qt.MouseButton.LeftButton)
    assert [node for node, _ in lit.args[0]] == ["b2", "m4", "c", "L"]
    with qtbot.waitSignal(panel.pathShown) as dark:
        QTest.mouseClick(panel.cards[1], Qt.MouseButton.LeftButton)
    assert dark.args == [()]


def test_a_path_went_out_as_soon_as_a_number_changed(panel, qtbot):
    QTest.mouseClick(panel.cards[1], Qt.MouseButton.LeftButton)
    before = panel.paths
    panel.session.edit(lambda document: edits.set_value(document, "w0", 3.0), "Set w0")
    until(lambda: panel.paths is not before, "the paths were not worked out", settle)
    assert panel.lit == 1
    choose(panel, "w2")
    assert panel.lit == -1


def test_the_lit_path_is_painted_and_goes_out_with_the_panel(user):
    user.window.files.open_lesson("two_paths")
    user.window.toggle_panel("paths")
    panel = user.window.panels["paths"].open()
    assert user.window.inspector.isHidden()
    choose(panel, "a1")
    before = user.canvas.grab().toImage()
    panel.cards[0].pressed.emit()
    settle()
    assert user.canvas.grab().toImage() != before
    assert user.canvas.scene.path == panel.cards[0].path.wires
    user.window.toggle_panel("paths")
    assert user.canvas.scene.path == ()


def test_the_forgotten_path_is_named_and_the_right_result_accepted(panel):
    assert answer(panel, "-14") == "That is the product of path 1 alone: add those of the other paths."
    assert answer(panel, "−14 · (−27)") == "The products of the paths are added, not multiplied."
    assert answer(panel, "41") == "The size is right, the sign is not."
    assert answer(panel, "12") == "not yet"
    assert answer(panel, "w0").startswith("'w0' is not a number")
    assert answer(panel, "−14 − 27") == "right"


def test_hidden_results_leave_the_factors(panel):
    panel.hide_results.click()
    assert panel.cards[1].formula.accessibleName() == "∂L/∂c · ∂c/∂m4 · ∂m4/∂b2 · ∂b2/∂a1 = (−1) · 1 · 3 · 9"
    assert "27" not in seen(panel, 1) and "9" in seen(panel, 1)
    assert len(panel.sum.seen) == 1 and panel.sum.accessibleName() == "∂L/∂a1"
    panel.hide_results.click()
    assert "27" in seen(panel, 1) and panel.sum.accessibleName().endswith("−41")


def test_hidden_factors_leave_the_symbols_and_the_result(panel):
    panel.hide_factors.click()
    assert panel.cards[1].formula.accessibleName() == "∂L/∂c · ∂c/∂m4 · ∂m4/∂b2 · ∂b2/∂a1 = −27"
    assert "27" in seen(panel, 1) and "{9}" not in seen(panel, 1)
    panel.hide_results.click()
    assert "=" not in panel.cards[1].formula.accessibleName() and "27" not in seen(panel, 1)
    panel.as_steps.click()
    formulas = [panel._column.itemAt(place).widget() for place in range(panel._column.count() - 1)]
    assert not any(part.latex.strip("-").isdigit() for formula in formulas for part in formula.seen)


def test_a_factor_that_was_left_out_is_named(panel):
    choose(panel, "w2")
    assert answer(panel, "-4") == "You left out the factor 3 of m4."
    assert answer(panel, "-3") == "You left out the factor 4 of b2."
    choose(panel, "a1")
    assert answer(panel, "-29") == "You left out the factor 7 of m3."  # one path lacks it, the other is whole


def test_each_document_keeps_the_results_of_its_own(panel):
    answer(panel, "-14")
    first = panel.session.state
    panel.session.open(open_lesson("2"), None)
    choose(panel, "a1")
    until(lambda: not panel.answer.text() and not panel.verdict.text(), "the first result is still there", settle)
    answer(panel, "-41")
    second = panel.session.state
    for state, typed, said in ((first, "-14", "That is the product of path 1 alone"), (second, "-41", "right")):
        panel.session.open_again(state)
        choose(panel, "a1")
        until(lambda: panel.verdict.text().startswith(said), "the result was not judged", settle)  # noqa: B023
        assert panel.answer.text() == typed


def test_the_calculation_has_every_step_and_is_copied_whole(panel):
    panel.as_steps.click()
    assert panel._column.count() == 8 + 1  # eight formulas and the room below
    panel.copies[1].click()
    assert QGuiApplication.clipboard().text().splitlines()[0] == "From a1 to L: 2 paths, all through c"


def test_the_homework_of_a_small_network_is_done_here(session, show):
    session.open(parse(NETWORK), None)
    panel = show(PathsPanel(session, DARK), 420, 700)
    choose(panel, "w11")
    (card,) = panel.cards
    spoken = card.formula.accessibleName()
    factors = [float(part.replace("−", "-").strip("()")) for part in spoken.split(" = ")[1].split("≈")[0].split(" · ")]
    product = 1.0
    for factor in factors:
        product *= factor
    assert len(factors) == 10
    assert answer(panel, f"{product:.6g}") == "right"


def test_more_paths_than_can_be_listed_are_counted(session, show):
    document = edits.set_output(edits.set_operation(ladder(12), "n0", "parameter"), "n12")
    session.open(edits.set_value(document, "n0", 1.0), None)
    panel = show(PathsPanel(session, LIGHT), 420, 700)
    choose(panel, "n0")
    assert panel.count.text().endswith("n11; more than the 64 that are listed")
    assert not panel.cards and len(panel.sum.parts) == 2


def test_without_an_output_there_is_nothing_to_work_out(session, show):
    session.open(parse("x = 2"), None)
    panel = show(PathsPanel(session, LIGHT), 420, 700)
    until(lambda: panel.count.text(), "nothing was said", settle)
    assert panel.count.text().startswith("There is no gradient to work out")
    panel.copies[0].click()
    assert answer(panel, "1") == ""
