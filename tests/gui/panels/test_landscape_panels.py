"""Tangent, contour and cost in the real window, with the mouse and the keys."""

from __future__ import annotations

import csv

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.expressions.reading import parse
from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import DARK, PROJECTOR
from cadena.gui.panels.plots.contour_panel import frame
from tests.core.training.networks import network
from tests.gui.mouse import drag_to
from tests.gui.user import calm, settle
from tests.waiting import until

LEFT, NONE = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def opened(user, monkeypatch):
    """Open a plot on a lesson or on a document."""

    def opened_(name, lesson):
        document = lesson if isinstance(lesson, Document) else open_lesson(lesson)
        monkeypatch.setattr(user.session.telling, "is_shown", False)  # its questions would hold the numbers back
        user.session.open(document, None)
        settle()
        if user.window.panels[name].isHidden():  # a lesson may have opened it
            user.do(f"view.{name}")
        panel = user.window.panels[name].content
        wait(panel)
        return panel

    yield opened_
    user.session.open(Document({}), None)


def wait(panel):
    """Wait until nothing is computed."""

    def is_ready():
        settle()
        soon = getattr(panel, "_soon", None)
        return panel.plot is not None and panel._work is None and not (soon and soon.waits)

    until(is_ready, "it is never drawn")


def pixel(plot, x, y):
    return plot.view.mapViewToScene(QPointF(x, y)).toPoint()


def drag(plot, start, end):
    QTest.mousePress(plot.viewport(), LEFT, NONE, start)
    for part in (0.3, 0.6, 1.0):
        drag_to(plot.viewport(), start + (end - start) * part)
    QTest.mouseRelease(plot.viewport(), LEFT, NONE, end)


def value(user, name):
    return user.session.document.nodes[name].value


def retype(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    settle()


def pick(panel, place, title):
    chooser = panel.choosers[place]
    chooser.setCurrentIndex(chooser.findData(title))
    chooser.activated.emit(chooser.currentIndex())
    wait(panel)


# --- tangent


def test_the_slope_of_the_tangent_is_the_gradient(opened):
    panel = opened("tangent", "17")
    curve = panel.plot.curve
    assert (curve.at, curve.height, curve.slope) == (1.0, 2.0, 2.0)
    assert np.allclose(curve.heights, (curve.xs - 2.0) ** 2 + curve.xs**4)
    assert curve.secant == pytest.approx(16.0 - 2.0)  # f(2, 2) − f(1, 2)
    retype(panel.field, "1e-3")
    wait(panel)
    assert panel.plot.curve.secant == pytest.approx(2.0, abs=0.01)
    retype(panel.field, "0")
    assert panel.caption.text() == "0 is no step; type a number such as 0.1."


def test_a_tangent_at_the_largest_numbers_overflowed(opened):
    panel = opened("tangent", parse("x = -1e308; L = 2*x"))
    assert panel.result is not None and np.isfinite(panel.result.curve.xs).all() and panel.result.curve.slope == 2.0


def test_a_drag_along_the_curve_is_one_undo_step(user, opened):
    panel = opened("tangent", "17")
    plot, before = panel.plot, panel.plot.curve.heights
    drag(plot, pixel(plot, 1.0, 2.0), pixel(plot, 0.5, 2.0))
    wait(panel)
    assert value(user, "x") == pytest.approx(0.5, abs=0.02)
    assert panel.plot.curve.at == value(user, "x") and panel.plot.curve.heights is before
    assert [entry.label for entry in user.session.history.past] == ["Set x"]
    user.canvas.setFocus()
    user.press("Ctrl+Z")
    wait(panel)
    assert value(user, "x") == 1.0 == panel.plot.curve.at


def test_arrow_keys_move_the_point(user, opened):
    panel = opened("tangent", "1")
    panel.plot.setFocus()
    user.press("Right")
    wait(panel)
    assert value(user, "w0") > 2.0 and panel.plot.curve.slope == -28.0


def test_another_parameter_is_chosen(user, opened):
    panel = opened("tangent", "1")
    pick(panel, 0, "w3")
    assert panel.plot.curve.names == ("w3", "L") and panel.plot.curve.slope == -23.0


# --- contour


def test_lesson_17_shows_gradient_hessian_and_both_steps(opened):
    panel = opened("contour", "17")
    assert panel.caption.text() == (
        "f = 2; gradient (2, 2); Hessian [[14, −2], [−2, 2]]. "
        "The gradient step leads to 1.41, the Newton step to 0.1975."
    )
    shown = panel.plot.shown
    x, y = np.meshgrid(shown.xs, shown.ys, indexing="ij")
    assert np.allclose(shown.heights, (x - y) ** 2 + x**4) and np.allclose(shown.newton, [-1 / 3, -4 / 3])
    assert shown.xs[0] < shown.path[:, 0].min() and shown.path[:, 1].max() < shown.ys[-1]


@pytest.mark.parametrize("presenting", [False, True])
def test_the_word_at_the_arrow_was_cut_at_the_top_edge(user, opened, presenting):
    if presenting:
        user.press("F5")
        user.window.resize(1280, 720)
    panel = opened("contour", "17")
    for moment in range(len(user.session.timeline) + 1):
        user.session.set_time(float(moment))
        wait(panel)
        until(lambda: panel.plot._words, "no word comes", settle)
        calm(user.window)
        assert cut(panel.plot) == []


def cut(plot) -> list[str]:
    """The words that are not within the plot as a whole."""
    visible = plot.view.sceneBoundingRect().adjusted(-2.0, -2.0, 2.0, 2.0)
    areas = {text.toPlainText(): text.mapRectToScene(text.boundingRect()) for text, _ in plot._words}
    return [words for words, area in areas.items() if not visible.contains(area)]


def test_steps_are_taken_as_edits(user, opened):
    panel = opened("contour", "17")
    QTest.mouseClick(panel.gradient_step, LEFT)
    wait(panel)
    assert (value(user, "x"), value(user, "y")) == (0.8, 1.8)
    QTest.mouseClick(panel.newton_step, LEFT)
    wait(panel)
    labels = [entry.label for entry in user.session.history.past]
    assert labels == ["Take a gradient step", "Take a Newton step"] and value(user, "x") < 0.8


def test_where_the_hessian_has_determinant_0_there_is_no_newton_step(user, opened):
    panel = opened("contour", "17")
    panel.move_to([0.0, 1.0])
    wait(panel)
    assert not panel.newton_step.isEnabled() and panel.plot.shown.newton is None
    assert panel.caption.text().endswith("the determinant of the Hessian is 0: there is no Newton step.")


def test_a_drag_over_the_plane_is_one_undo_step(user, opened):
    panel = opened("contour", "17")
    plot, before = panel.plot, panel.plot.shown.heights
    drag(plot, pixel(plot, 1.0, 2.0), pixel(plot, 0.5, 1.0))
    wait(panel)
    assert value(user, "x") == pytest.approx(0.5, abs=0.02) and value(user, "y") == pytest.approx(1.0, abs=0.02)
    assert plot.shown.heights is before and len(user.session.history.past) == 1
    plot.setFocus()
    user.press("Up")
    assert value(user, "y") > 1.01


def test_the_cross_hair_stayed_behind_when_the_point_was_dragged(opened):
    plot = opened("contour", "17").plot
    drag(plot, pixel(plot, 1.0, 2.0), pixel(plot, 0.5, 1.0))
    assert (plot.upright.value(), plot.across.value()) == pytest.approx((0.5, 1.0), abs=0.02)


def test_the_axes_change_places(opened):
    panel = opened("contour", "17")
    pick(panel, 0, "y")
    assert panel.plot.shown.names == ("y", "x") and panel.plot.shown.at.tolist() == [2.0, 1.0]


def test_elements_of_matrices_can_be_chosen(opened):
    panel = opened("contour", network())
    assert panel.plot.shown.names == ("W1[0, 0]", "W1[0, 1]")
    pick(panel, 1, "b1[3]")
    assert panel.plot.shown.names == ("W1[0, 0]", "b1[3]")


def test_a_graph_with_too_few_parameters_says_so(opened):
    panel = opened("contour", "17")
    assert panel.plot.shown is not None
    assert opened("contour", Document({})) is panel
    assert panel.caption.text().startswith("There is nothing to plot yet") and panel.plot.shown is None


# --- cost


def test_costs_are_counted_and_measured(opened):
    panel = opened("cost", "11")
    assert panel.caption.text().startswith("15 inputs and 1 output (L): forward mode takes 15 passes and ")
    assert [row.inputs for row in panel.plot.rows][-1] == 15
    QTest.mouseClick(panel.chips["outputs"], LEFT)
    wait(panel)
    assert panel.plot.against == "outputs" and panel.plot.rows[-1].reverse_passes == 6
    panel.plot.setFocus()
    QTest.keyClick(panel.plot, Qt.Key.Key_Home)
    assert ", reverse mode 1 pass and " in panel.caption.text()


def test_costs_of_outputs_need_several(opened):
    panel = opened("cost", "1")
    QTest.mouseClick(panel.chips["outputs"], LEFT)
    wait(panel)
    assert panel.caption.text() == "no node before L has several elements; choose a graph of arrays."
    QTest.mouseClick(panel.chips["inputs"], LEFT)
    wait(panel)


# --- all


@pytest.mark.some(1)
@pytest.mark.parametrize(("name", "lesson", "titles"), [
    ("tangent", "1", ["w0", "L", "tangent", "secant"]), ("contour", "17", ["x", "y", "height"]),
    ("cost", "11", ["inputs", "outputs", "forward passes", "reverse passes", "forward seconds", "reverse seconds"]),
])  # fmt: skip
def test_plots_are_saved(user, opened, tmp_path, name, lesson, titles):
    panel = opened(name, lesson)
    for suffix in (".png", ".svg", ".csv"):
        user.answers.path = tmp_path / f"plot{suffix}"
        panel.plot.exportAsked.emit(suffix)
        assert user.answers.path.stat().st_size > 100
    rows = list(csv.reader((tmp_path / "plot.csv").read_text().splitlines()))
    assert rows[0] == titles and len({len(row) for row in rows}) == 1


@pytest.mark.some(2)
@pytest.mark.parametrize("theme", [DARK, PROJECTOR], ids=lambda theme: theme.name)
@pytest.mark.parametrize(("name", "lesson"), [("tangent", "1"), ("contour", "17"), ("cost", "11")])
def test_another_theme(user, opened, theme, name, lesson):
    panel = opened(name, lesson)
    user.window.choose_theme(theme.name)
    settle()
    assert panel.plot.backgroundBrush().color() == theme.color("window")


def test_the_arrow_of_a_gradient_near_the_largest_number_overflowed(opened):
    document = parse("x = 3; y = 0; L = 1.2e308*y + 1e307*x**2")
    panel = opened("contour", document)
    assert panel.result is not None and max(np.abs(panel.result.descended.gradient)) > 1e307


def test_a_contour_at_the_largest_numbers_overflowed():
    places = np.array([[-1e308, 1.0], [1e308, 1.0]])
    assert np.isfinite(frame(places, 1.6)).all()
