"""The plot of error over h: the V of lesson 13, worked out away from the interface, and chosen from."""

from __future__ import annotations

import math
import re
import threading
from itertools import combinations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from cadena.core.graph import edits
from cadena.core.lessons import open_lesson
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.choosing import KINDS, Method
from cadena.core.methods.difference.sweep import STEPS, sweep
from cadena.core.methods.walk import ValuesTimeline
from cadena.gui import work
from cadena.gui.panels import error_plot
from cadena.gui.panels.error_curves import Chosen, step_text
from cadena.gui.panels.error_plot import NO_OUTPUT, ErrorPlot
from cadena.gui.session import Session
from cadena.gui.theme import LIGHT, THEMES
from cadena.gui.work import Work
from tests.core.graphs import graph
from tests.gui.mouse import drag_to
from tests.gui.user import calm

LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def plotted(qapp, show, qtbot):
    """The plot of a document, with its curves."""

    def make(document, theme=LIGHT, height=500, curves=True) -> ErrorPlot:
        plot = show(ErrorPlot(Session(document), theme), 360, height)
        if curves:
            qtbot.waitUntil(lambda: plot.curves.sweep is not None)
        return plot

    yield make
    qtbot.waitUntil(lambda: not work.running)


@pytest.fixture
def plot(plotted):
    return plotted(open_lesson("13"))


def place(plot, step: float, y: float = 0.5) -> QPoint:
    """A place over the plot at a step."""
    places = plot.curves.places()
    return QPoint(round(places.steps.place(step)), round(places.area.top() + y * places.area.height()))


def test_it_shows_the_v_of_forward_and_central_differences_and_none_of_the_complex_step(plot):
    places = plot.curves.places()
    forward, central, complex_ = (plot.curves.points(kind) for kind in KINDS)
    assert all(places.area.adjusted(-1, -1, 1, 1).contains(point) for point in (*forward, *central))
    assert forward[0].x() > forward[-1].x()  # small steps at the left
    assert max(range(16), key=lambda n: forward[n].y()) == STEPS.index(plot.curves.sweep.best("forward"))
    assert [point.y() for point in complex_[8:]] == [places.floor] * 8  # an error of 0 has a place


def test_the_rows_tell_the_best_step_of_each_kind(plot):
    told = {kind: row.details for kind, row in plot.rows.items()}
    assert told["forward"].startswith("best h 10⁻⁸, error 3") and told["central"].startswith("best h 10⁻⁵, error 1.1")
    assert told["complex"] == "best h 10⁻⁹, error 0"
    assert [row.isVisible() for row in plot.rows.values()] == [True] * 3


def test_a_low_plot_gives_the_room_of_the_rows_to_the_curves(plotted):
    plot = plotted(open_lesson("13"), height=200)
    assert not any(row.isVisible() for row in plot.rows.values()) and plot.curves.height() > 120


@pytest.mark.parametrize("kind", KINDS)
def test_a_click_on_a_row_chooses_the_kind_at_its_best_step(plot, kind):
    plot.rows[kind].click()
    assert plot.session.method == Method("differences", "x", 0, plot.curves.sweep.best(kind), kind)
    assert [name for name, row in plot.rows.items() if row.isChecked()] == [kind]


@pytest.mark.parametrize("step", [STEPS[0], STEPS[4], STEPS[-1]])
def test_a_click_chooses_h(plot, qtbot, step):
    qtbot.mouseClick(plot.curves, LEFT, pos=place(plot, step * 1.3))
    assert plot.session.method == Method("differences", "x", 0, step)


def test_a_drag_is_one_motion_that_the_animation_follows(plot):
    session, seen = plot.session, []
    session.set_method(Method("differences"))  # the best h at the first leaf, as the chooser of methods has it
    session.set_time(2.5)
    session.methodChanged.connect(lambda: seen.append(session.method.step))
    QTest.mousePress(plot.curves, LEFT, Qt.KeyboardModifier.NoModifier, place(plot, 1e-2))
    for step in (1e-3, 1.1e-3, 1e-4):
        drag_to(plot.curves, place(plot, step))
    QTest.mouseRelease(plot.curves, LEFT, Qt.KeyboardModifier.NoModifier, place(plot, 1e-4))
    assert seen == pytest.approx([1e-2, 1e-3, 1e-4]) and session.time == 2.5 and session.timeline.h == seen[-1]


def test_moving_over_it_without_a_button_tells_the_errors_and_chooses_nothing(plot):
    before = plot.session.method
    QTest.mouseMove(plot.curves, place(plot, 1e-5))
    plot.curves.pointed.emit(4)
    told, spoken = (text.replace("\u00a0", " ") for text in (plot.told.text(), plot.curves.accessibleDescription()))
    assert told.startswith("Error at h = 10⁻⁵: ▲ 4.2·10⁻⁶, ◆ 1.1·10⁻¹¹, ■ ") and "forward 4.2·10⁻⁶" in spoken
    assert plot.session.method == before


def test_arrows_choose_the_next_step(plot, qtbot):
    plot.session.set_method(Method("differences", "x", 0, 1e-4))
    for key, step in (
        (Qt.Key.Key_Left, 1e-5),
        (Qt.Key.Key_Right, 1e-4),
        (Qt.Key.Key_Home, 1e-16),
        (Qt.Key.Key_End, 0.1),
    ):
        qtbot.keyClick(plot.curves, key)
        assert plot.session.method.step == pytest.approx(step)
    qtbot.keyClick(plot.curves, Qt.Key.Key_Right)
    assert plot.session.method.step == 0.1


def test_the_chosen_step_has_its_error_and_its_estimate(plot):
    plot.session.set_method(Method("differences", "x", 0, 1e-3))
    mark = plot.curves.mark
    assert mark.step == 1e-3 and mark.error == plot.curves.sweep.errors["central"][2]
    assert mark.estimate == plot.session.timeline.slope.error
    assert plot.told.text() == "Central at x, h = 0.001: error 9·10⁻⁸, estimated at 9·10⁻⁸."


def test_a_step_that_cannot_be_used_is_marked_and_told(plot):
    plot.session.set_method(Method("differences", "x", 0, 1e-16))
    assert plot.curves.mark.step == 1e-16 and math.isnan(plot.curves.mark.error)
    assert plot.told.text().startswith("h = 10⁻¹⁶ cannot be used with central.")
    plot.curves.grab()


def test_while_the_runs_of_a_step_are_under_way_it_is_marked_without_an_error(plot, monkeypatch):
    values = ValuesTimeline(plot.session.run)
    monkeypatch.setattr(type(plot.session), "timeline", values)
    monkeypatch.setattr(type(plot.session), "method_fault", "")
    plot.session.set_method(Method("differences", "x", 0, 1e-3))
    assert plot.curves.mark.step == 1e-3 and plot.told.text() == "Central at x, h = 0.001 …"
    plot.curves.grab()


@pytest.mark.parametrize("theme", THEMES.values(), ids=list(THEMES))
@pytest.mark.parametrize("step", [None, 1e-30, 0.0, 100.0, 1e-3])
def test_every_step_can_be_painted_in_every_theme(plotted, theme, step):
    plot, pictures = plotted(open_lesson("13"), theme), []
    for kind in KINDS:
        plot.session.set_method(Method("differences", "x", 0, step, kind))
        pictures.append(plot.curves.grab().toImage())
    plot.curves.show_sweep(None)
    pictures.append(plot.curves.grab().toImage())
    assert all(one != other for one, other in combinations(pictures, 2)), "a kind looks like another, or like none"


@pytest.mark.parametrize(
    "mark",
    [Chosen(1e-3, 1e-9, 1e200), Chosen(1e9, 1e200), Chosen(1e-30, 0.0, 1e-200), Chosen(1e-3, math.inf, math.inf)],
)
def test_a_mark_far_off_does_not_flatten_the_curves(plot, mark):
    before = plot.curves.decades
    plot.curves.show_chosen("central", mark)
    assert plot.curves.decades == before
    plot.curves.grab()


def test_it_follows_the_run(plot, qtbot):
    before = plot.curves.sweep
    plot.session.edit(lambda document: edits.set_value(document, "x", 2.0), "Value")
    plot.session.run_now()
    qtbot.waitUntil(lambda: plot.curves.sweep is not before)
    assert plot.curves.sweep.reference == np.cos(2.0)


def test_it_follows_the_moved_element(plotted, qtbot):
    plot = plotted(open_lesson("5"))
    assert plot.curves.sweep.element == "W[0, 0]"
    plot.session.set_method(Method("differences", "W", 3))
    assert plot.curves.sweep is None and plot.told.text() == "Working out the error over h at W[1, 1] …"
    qtbot.waitUntil(lambda: plot.curves.sweep is not None)
    assert plot.curves.sweep.element == "W[1, 1]"


def test_where_the_complex_step_cannot_be_used_its_row_says_why(plotted):
    plot = plotted(graph(x=1.0, s=("softsign", "x")))
    assert plot.rows["complex"].details == "cannot be used here"
    assert plot.rows["complex"].toolTip().startswith("s: the complex step cannot go through softsign")
    assert "complex" not in plot.curves.sweep.errors
    plot.curves.grab()


def test_a_function_without_any_error_lies_on_the_floor(plotted):
    plot = plotted(graph(x=0.0, y=("add", "x", "x")))
    places = plot.curves.places()
    assert all(point.y() == places.floor for kind in KINDS for point in plot.curves.points(kind))
    assert plot.rows["forward"].details == "best h 0.1, error 0"
    plot.curves.grab()


def test_without_a_gradient_that_is_a_number_it_says_so(plotted):
    plot = plotted(graph(x=0.0, y=("sqrt", "x")))
    assert plot.curves.empty and plot.told.text() == "Reverse mode gives inf at x, from which no error can be told."
    plot.curves.grab()


def test_without_an_output_it_says_what_to_do(plotted, qtbot):
    plot = plotted(edits.set_output(open_lesson("13"), None), curves=False)
    qtbot.waitUntil(lambda: plot.told.text() == NO_OUTPUT)
    assert plot.curves.empty


def test_the_interface_goes_on_while_it_works_and_another_run_cancels_it(plotted, qtbot, monkeypatch):
    """Old curves stay, pale, until the new ones are there."""
    plot = plotted(open_lesson("13"))
    old, begun, ended = plot.curves.sweep, threading.Event(), threading.Event()

    def endless(*args, cancelled, **options):
        begun.set()
        while not cancelled():
            pass
        ended.set()
        raise Cancelled

    monkeypatch.setattr(error_plot, "sweep", endless)
    plot.session.edit(lambda document: edits.set_value(document, "x", 2.0), "Value")
    qtbot.waitUntil(begun.is_set)
    qtbot.waitUntil(lambda: plot.curves.stale)
    assert plot.curves.sweep is old
    monkeypatch.undo()
    plot.session.edit(lambda document: edits.set_value(document, "x", 3.0), "Value")
    qtbot.waitUntil(lambda: plot.curves.sweep is not old)
    assert ended.is_set() and not plot.curves.stale and plot.curves.sweep.reference == np.cos(3.0)


def test_while_it_takes_long_the_runs_are_counted(plotted, qtbot, monkeypatch):
    def endless(*args, cancelled, **options):
        while not cancelled():
            pass
        raise Cancelled

    monkeypatch.setattr(error_plot, "sweep", endless)
    plot = plotted(open_lesson("13"), curves=False)
    counts = set()

    def counted() -> bool:
        if found := re.search(rf"… (\d+) of {error_plot.RUNS} runs\.$", plot.told.text()):
            counts.add(int(found[1]))
        return len(counts) > 1

    qtbot.waitUntil(counted)
    assert 0 < min(counts) < max(counts) <= plot.work.passes
    plot.hide()
    qtbot.waitUntil(lambda: plot.work is None)
    assert plot.curves.sweep is None


def test_a_sweep_takes_as_many_runs_as_are_said(qapp):
    made = Work(lambda cancelled: sweep(open_lesson("13"), "x", cancelled=cancelled))
    made.run()
    assert made.passes == error_plot.RUNS


def test_while_it_is_hidden_nothing_is_worked_out(plot, qtbot):
    old = plot.curves.sweep
    plot.hide()
    plot.session.edit(lambda document: edits.set_value(document, "x", 2.0), "Value")
    plot.session.run_now()
    calm(plot, plot.session)
    assert plot.curves.sweep is old and plot.work is None
    plot.show()
    qtbot.waitUntil(lambda: plot.curves.sweep is not old)


def test_an_output_of_many_numbers_is_weighed_with_its_seed(plotted):
    plot = plotted(graph(x=2.0, k=("constant", [1.0, 3.0]), y=("multiply", "x", "k")))
    assert plot.curves.sweep.reference == 4.0


@pytest.mark.parametrize(("step", "text"), [(1e-5, "10⁻⁵"), (2e-5, "2·10⁻⁵"), (0.01, "0.01"), (0.1, "0.1")])
def test_a_step_is_a_plain_power_where_it_is_one(step, text):
    assert step_text(step) == text
