"""The plot of error over h: the V of lesson 13, worked out away from the interface, and chosen from."""

from __future__ import annotations

import math
import re
import threading
from itertools import combinations

import numpy as np
import pyqtgraph as pg
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from cadena.core.graph import edits
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.difference import KINDS
from cadena.core.methods.difference import sweep as sweeping
from cadena.core.methods.difference.sweep import STEPS, sweep
from cadena.core.methods.names import Method
from cadena.core.methods.walk import ValuesTimeline
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.background.worker import Work
from cadena.gui.look.theme import LIGHT, THEMES
from cadena.gui.panels.methods.error_plot import NO_OUTPUT, ErrorPlot
from cadena.gui.plots.errors import Chosen, Curves
from cadena.gui.session.session import Session
from tests.core.graphs import graph
from tests.gui.mouse import drag_to
from tests.gui.user import calm

RUNS = len(KINDS) * len(STEPS)

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def plotted(qapp, show, qtbot):
    """The plot of a document, with its curves."""

    def make(document, theme=LIGHT, height=500, curves=True) -> ErrorPlot:
        plot = show(ErrorPlot(Session(document), theme), 360, height)
        qtbot.waitUntil(lambda: plot.plot is not None)
        if curves:
            qtbot.waitUntil(lambda: plot.sweep is not None)
        return plot

    yield make
    qtbot.waitUntil(lambda: not worker.running)


@pytest.fixture
def plot(plotted):
    return plotted(open_lesson("13"))


def place(plot, step: float, y: float = 0.5) -> QPoint:
    """A place over the plot at a step."""
    view = plot.plot.view
    seen, x = view.sceneBoundingRect(), view.mapViewToScene(QPointF(math.log10(step), 0.0)).x()
    return QPoint(round(x), round(seen.top() + y * seen.height()))


def marks(plot) -> list[tuple[str, float, float]]:
    """Symbol and place of everything that is marked once."""
    items = [item for item in plot.plot.view.allChildren() if isinstance(item, pg.ScatterPlotItem)]
    single = [item for item in items if len(item.data) == 1]
    return [(item.opts["symbol"], float(item.data["x"][0]), float(item.data["y"][0])) for item in single]


def test_it_shows_the_v_of_forward_and_central_differences_and_none_of_the_complex_step(plot):
    curves, view = plot.plot.curves, plot.plot.view
    seen = view.sceneBoundingRect()
    for kind in KINDS:
        assert all(seen.contains(view.mapViewToScene(QPointF(*at))) for at in zip(plot.plot.xs, curves.heights[kind]))
    assert plot.plot.place_of(0).x() > plot.plot.place_of(15).x()  # small steps at the left
    for kind in ("forward", "central"):
        assert np.argmin(curves.heights[kind]) == STEPS.index(plot.sweep.best(kind))
    assert curves.heights["complex"][8:] == [curves.errors.levels["0"]] * 8  # an error of 0 has a place


def test_the_words_are_there_while_the_library_of_the_plots_is_imported(plotted, qapp, show, qtbot):
    """In a thread: the import takes far longer than a frame."""
    plot = show(ErrorPlot(Session(open_lesson("13")), LIGHT), 360, 500)
    assert plot.plot is None and plot._import is not None
    qtbot.waitUntil(lambda: plot.caption.text() != "")
    qtbot.waitUntil(lambda: plot.plot is not None and plot.sweep is not None)
    assert plot.plot.curves is not None and plot.plot.isVisible()


def test_the_rows_tell_the_best_step_of_each_kind(plot):
    told = {kind: row.details for kind, row in plot.rows.items()}
    assert told["forward"].startswith("best h 10⁻⁸, error 3") and told["central"].startswith("best h 10⁻⁵, error 1.1")
    assert told["complex"] == "best h 10⁻⁹, error 0"
    assert [row.isVisible() for row in plot.rows.values()] == [True] * 3


def test_a_low_plot_gives_the_room_of_the_rows_to_the_curves(plotted):
    plot = plotted(open_lesson("13"), height=200)
    assert not any(row.isVisible() for row in plot.rows.values()) and plot.plot.height() > 120


@pytest.mark.parametrize("kind", KINDS)
def test_a_click_on_a_row_chooses_the_kind_at_its_best_step(plot, kind):
    plot.rows[kind].click()
    assert plot.session.method == Method("difference", "x", 0, plot.sweep.best(kind), kind)
    assert [name for name, row in plot.rows.items() if row.isChecked()] == [kind]


@pytest.mark.parametrize("step", [STEPS[0], STEPS[4], STEPS[-1]])
def test_a_click_chooses_h(plot, qtbot, step):
    qtbot.mouseClick(plot.plot.viewport(), LEFT, pos=place(plot, step * 1.3))
    assert plot.session.method == Method("difference", "x", 0, step)


def test_a_drag_is_one_motion_that_the_animation_follows(plot):
    session, seen = plot.session, []
    session.set_method(Method("difference"))  # the best h at the first leaf, as the chooser of methods has it
    session.set_time(2.5)
    session.methodChanged.connect(lambda: seen.append(session.method.step))
    QTest.mousePress(plot.plot.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place(plot, 1e-2))
    for step in (1e-3, 1.1e-3, 1e-4):
        drag_to(plot.plot.viewport(), place(plot, step))
    QTest.mouseRelease(plot.plot.viewport(), LEFT, Qt.KeyboardModifier.NoModifier, place(plot, 1e-4))
    assert seen == pytest.approx([1e-2, 1e-3, 1e-4]) and session.time == 2.5 and session.timeline.h == seen[-1]


def test_moving_over_it_without_a_button_tells_the_errors_and_chooses_nothing(plot):
    before = plot.session.method
    drag_to(plot.plot.viewport(), place(plot, 1e-5), Qt.MouseButton.NoButton)
    told, spoken = (text.replace("\u00a0", " ") for text in (plot.caption.text(), plot.plot.accessibleDescription()))
    assert told.startswith("Error at h = 10⁻⁵: ▲ 4.2·10⁻⁶, ◆ 1.1·10⁻¹¹, ■ ") and "forward 4.2·10⁻⁶" in spoken
    assert plot.session.method == before


def test_arrows_choose_the_next_step(plot, qtbot):
    plot.session.set_method(Method("difference", "x", 0, 1e-4))
    for key, step in (
        (Qt.Key.Key_Left, 1e-5),
        (Qt.Key.Key_Right, 1e-4),
        (Qt.Key.Key_Home, 1e-16),
        (Qt.Key.Key_End, 0.1),
    ):
        qtbot.keyClick(plot.plot, key)
        assert plot.session.method.step == pytest.approx(step)
    qtbot.keyClick(plot.plot, Qt.Key.Key_Right)
    assert plot.session.method.step == 0.1


def test_the_chosen_step_has_its_error_and_its_estimate(plot):
    plot.session.set_method(Method("difference", "x", 0, 1e-3))
    mark = plot.mark
    assert mark.step == 1e-3 and mark.error == plot.sweep.errors["central"][2]
    assert mark.estimate == plot.session.timeline.slope.error
    assert plot.caption.text() == "Central at x, h = 0.001: error 9·10⁻⁸, estimated at 9·10⁻⁸."
    error, estimate = (plot.plot.curves.height(number) for number in (mark.error, mark.estimate))
    assert {("o", -3.0, error), ("_", -3.0, estimate)} <= set(marks(plot))


def test_a_step_that_cannot_be_used_is_marked_and_told(plot):
    plot.session.set_method(Method("difference", "x", 0, 1e-16))
    assert plot.mark.step == 1e-16 and math.isnan(plot.mark.error)
    assert plot.caption.text().startswith("h = 10⁻¹⁶ cannot be used with central.")
    plot.plot.grab()


def test_while_the_runs_of_a_step_are_under_way_it_is_marked_without_an_error(plot, monkeypatch):
    values = ValuesTimeline(plot.session.run)
    monkeypatch.setattr(type(plot.session), "timeline", values)
    monkeypatch.setattr(type(plot.session), "method_fault", "")
    plot.session.set_method(Method("difference", "x", 0, 1e-3))
    assert plot.mark.step == 1e-3 and plot.caption.text() == "Central at x, h = 0.001 …"
    plot.plot.grab()


@pytest.mark.some(6)
@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("step", [None, 1e-30, 0.0, 100.0, 1e-3])
def test_every_step_can_be_painted_in_every_theme(plotted, theme, step):
    plot, pictures = plotted(open_lesson("13"), theme), []
    for kind in KINDS:
        plot.session.set_method(Method("difference", "x", 0, step, kind))
        pictures.append(plot.plot.grab().toImage())
    plot.plot.show_curves(None)
    pictures.append(plot.plot.grab().toImage())
    assert all(one != other for one, other in combinations(pictures, 2)), "a kind looks like another, or like none"


@pytest.mark.parametrize(
    "mark",
    [Chosen(1e-3, 1e-9, 1e200), Chosen(1e9, 1e200), Chosen(1e-30, 0.0, 1e-200), Chosen(1e-3, math.inf, math.inf)],
)
def test_a_mark_far_off_does_not_flatten_the_curves(plot, mark):
    plot.plot.show_curves(Curves(plot.sweep))
    before = plot.plot.view.viewRange()
    plot.plot.show_curves(Curves(plot.sweep, "central", mark))
    assert plot.plot.view.viewRange() == before
    plot.plot.grab()


def test_it_follows_the_run(plot, qtbot):
    before = plot.sweep
    plot.session.edit(lambda document: edits.set_value(document, "x", 2.0), "Value")
    plot.session.run_now()
    qtbot.waitUntil(lambda: plot.sweep is not before)
    assert plot.sweep.reference == np.cos(2.0)


def test_it_follows_the_moved_element(plotted, qtbot):
    plot = plotted(open_lesson("5"))
    assert plot.sweep.element == "W[0, 0]"
    plot.session.set_method(Method("difference", "W", 3))
    assert plot.sweep is None and plot.caption.text().startswith("Computing the error over h at W[1, 1] …")
    qtbot.waitUntil(lambda: plot.sweep is not None)
    assert plot.sweep.element == "W[1, 1]"


def test_where_the_complex_step_cannot_be_used_its_row_says_why(plotted):
    plot = plotted(graph(x=1.0, s=("softsign", "x")))
    assert plot.rows["complex"].details == "cannot be used here"
    assert plot.rows["complex"].toolTip().startswith("s: the complex step cannot go through softsign")
    assert "complex" not in plot.sweep.errors
    plot.plot.grab()


def test_a_function_without_any_error_lies_on_the_floor(plotted):
    plot = plotted(graph(x=0.0, y=("add", "x", "x")))
    curves = plot.plot.curves
    assert all(place == curves.errors.levels["0"] for kind in KINDS for place in curves.heights[kind])
    assert plot.rows["forward"].details == "best h 0.1, error 0"
    plot.plot.grab()


def test_without_a_gradient_that_is_a_number_it_says_so(plotted):
    plot = plotted(graph(x=0.0, y=("sqrt", "x")))
    assert (
        plot.plot.curves is None
        and plot.caption.text() == "Reverse mode gives inf at x, so the error cannot be computed."
    )
    plot.plot.grab()


def test_without_an_output_it_says_what_to_do(plotted, qtbot):
    plot = plotted(edits.set_output(open_lesson("13"), None), curves=False)
    qtbot.waitUntil(lambda: plot.caption.text() == NO_OUTPUT)
    assert plot.plot.curves is None


def test_the_interface_goes_on_while_it_works_and_another_run_cancels_it(plotted, qtbot, monkeypatch):
    """Old curves stay, pale, until the new ones are there."""
    plot = plotted(open_lesson("13"))
    old, begun, ended = plot.sweep, threading.Event(), threading.Event()

    def endless(*args, cancelled, **options):
        begun.set()
        while not cancelled():
            pass
        ended.set()
        raise Cancelled

    monkeypatch.setattr(sweeping, "sweep", endless)
    plot.session.edit(lambda document: edits.set_value(document, "x", 2.0), "Value")
    qtbot.waitUntil(begun.is_set)
    qtbot.waitUntil(lambda: plot.stale)
    assert plot.sweep is old
    monkeypatch.undo()
    plot.session.edit(lambda document: edits.set_value(document, "x", 3.0), "Value")
    qtbot.waitUntil(lambda: plot.sweep is not old)
    assert ended.is_set() and not plot.stale and plot.sweep.reference == np.cos(3.0)


def test_while_it_takes_long_the_runs_are_counted(plotted, qtbot, monkeypatch):
    def endless(*args, cancelled, **options):
        while not cancelled():
            pass
        raise Cancelled

    monkeypatch.setattr(sweeping, "sweep", endless)
    plot = plotted(open_lesson("13"), curves=False)
    counts = set()

    def counted() -> bool:
        if found := re.search(rf"… (\d+) of {RUNS} runs\.$", plot.caption.text()):
            counts.add(int(found[1]))
        return len(counts) > 1

    qtbot.waitUntil(counted)
    assert 0 < min(counts) < max(counts) <= plot.work.passes
    plot.hide()
    qtbot.waitUntil(lambda: plot.work is None)
    assert plot.sweep is None


def test_a_sweep_takes_as_many_runs_as_are_said(qapp):
    made = Work(lambda cancelled: sweep(open_lesson("13"), "x", cancelled=cancelled))
    made.run()
    assert made.passes == RUNS


def test_while_it_is_hidden_nothing_is_worked_out(plot, qtbot):
    old = plot.sweep
    plot.hide()
    plot.session.edit(lambda document: edits.set_value(document, "x", 2.0), "Value")
    plot.session.run_now()
    calm(plot, plot.session)
    assert plot.sweep is old and plot.work is None
    plot.show()
    qtbot.waitUntil(lambda: plot.sweep is not old)


def test_an_output_of_many_numbers_is_weighed_with_its_seed(plotted):
    plot = plotted(graph(x=2.0, k=("constant", [1.0, 3.0]), y=("multiply", "x", "k")))
    assert plot.sweep.reference == 4.0
