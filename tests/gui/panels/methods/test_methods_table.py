"""The table of methods: worked out away from the interface, by itself where that is cheap, cancelled by any change."""

from __future__ import annotations

import re
import threading
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton

from cadena.core.graph import edits
from cadena.core.graph.edits import set_value
from cadena.core.graph.history import History
from cadena.core.methods import cutting
from cadena.core.methods.answer import Cancelled
from cadena.core.rewriting.opening import opened
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.methods import methods_table
from cadena.gui.panels.methods.methods_lines import BLANK, NumberLabel, duration
from cadena.gui.panels.methods.methods_table import MethodsTable
from tests.core.functions.graphs import RECIPROCAL, calling
from tests.core.graphs import wide
from tests.gui.panels.conftest import matrices
from tests.gui.user import calm
from tests.gui.user import settle as settle_events
from tests.waiting import MILLISECONDS

METHODS = ["reverse", "forward", "central difference", "complex step", "symbolic"]


@pytest.fixture
def table(session, show, qtbot):
    session.show_live()
    made = MethodsTable(session, LIGHT)
    made.show_node("w0")
    show(made, 280, 500)
    yield made
    made.hide()
    for one in tuple(worker.running):
        one.wait()
    qtbot.waitUntil(lambda: not worker.running)


@pytest.fixture
def costly(monkeypatch):
    """Comparisons wait for the button."""
    monkeypatch.setattr(methods_table, "AT_ONCE", 0)


def settle(table, qtbot) -> None:
    under_way = (table.session._pending.isActive, table._rest.isActive, lambda: table.work is not None)
    qtbot.waitUntil(lambda: not any(asked() for asked in under_way))


def shown(table) -> list[tuple[str, str, str]]:
    lines = [line for line in table.lines.lines if not line.isHidden()] if table.lines.isVisible() else []
    return [(line.method.text(), line.gradient.text(), line.details.text()) for line in lines]


def hold(monkeypatch) -> threading.Event:
    """A comparison that goes on until it is cancelled, and says when it has begun."""
    begun = threading.Event()

    def endless(run, name, cancelled):
        begun.set()
        while not cancelled():
            pass
        raise Cancelled

    monkeypatch.setattr(cutting, "compare_node", endless)
    return begun


def test_every_method_has_its_gradient_and_its_cost_without_a_press(table, qtbot):
    assert not table.start.isVisible()
    settle(table, qtbot)
    methods, gradients, details = zip(*shown(table), strict=True)
    assert list(methods) == METHODS and set(gradients) == {"−4"}
    assert details[0].startswith("1 reverse pass, ") and details[1].startswith("equal, 1 tangent pass, ")
    assert table.verdict.text().startswith("All methods agree") and not table.note.text()


def test_gradients_are_not_told_before_the_steps_do_unless_asked_for(table, session, qtbot):
    session.open(session.document, None)
    table.show_node("m")
    calm(table, session)
    assert table.start.isVisible() and not shown(table)
    session.set_time(len(session.timeline) - 0.5)
    assert not table._rest.isActive()
    session.set_time(len(session.timeline))
    settle(table, qtbot)
    assert len(shown(table)) == 5 and not table.start.isVisible()
    table.show_node("w0")
    settle(table, qtbot)
    session.set_time(0.0)
    assert len(shown(table)) == 5
    table.show_node("m")
    table.start.click()
    settle(table, qtbot)
    assert len(shown(table)) == 5


def test_another_graph_of_the_same_names_ended_the_process(table, session, qtbot):
    """Two plans were compared by their arrays, in a showEvent: ValueError, and then a segmentation fault."""
    for leaf in (1.0, 2.0):
        graph = wide(1_000)
        first = next(iter(graph.nodes))
        session.open(set_value(graph, first, leaf), None)
        table.show_node(first)
        table.hide()
        table.show()
        assert table._effort is not None and table._effort[:2] == (session.run.plan, first)
    settle(table, qtbot)


@pytest.mark.parametrize(("name", "gradient"), [("m", "−1"), ("L", "1"), ("k", "1"), ("x0", "−2")])
def test_any_node_is_compared(table, qtbot, name, gradient):
    """An operation, the output itself, a constant and an input whose gradient nobody asked for."""
    table.show_node(name)
    assert not shown(table)
    settle(table, qtbot)
    assert [line[:2] for line in shown(table)] == [(method, gradient) for method in METHODS]


def test_lesson_11_shows_the_passes_and_the_time_of_dual_numbers_derivative_vectors_and_reverse_mode(
    table, session, qtbot
):
    session.open(open_lesson("one_pass_per_input"), None)
    session.show_live()
    table.show_node("W")
    settle(table, qtbot)
    lines = {method: details for method, _, details in shown(table)}
    assert re.match(r"1 reverse pass, [\d.]+\s.?s$", lines["reverse"])
    assert re.match(r"equal, 6 tangent passes, [\d.]+\s.?s$", lines["forward"])
    assert re.match(r"equal, 1 pass carrying 6 tangents, [\d.]+\s.?s$", lines["derivative vectors"])


def test_a_node_inside_a_function_is_compared_with_the_gradient_from_above(table, session, qtbot):
    session.open(calling(RECIPROCAL, 0.5), None)
    session.show_live()
    table.show_node("L")
    settle(table, qtbot)
    assert [line[1] for line in shown(table)] == ["1"] * 5
    history, seed = History(opened(session.document, "L", session.run)), session.run.gradient("L") * 3.0
    session.show(replace(session.state, history=history, seed=seed))
    session.show_live()
    table.show_node("e")
    settle(table, qtbot)
    assert [line[1] for line in shown(table)] == ["−1.103638"] * 5


def test_a_node_on_which_the_output_does_not_depend_has_a_sentence(table, session, qtbot):
    session.edit(lambda document: edits.set_output(document, "m"), "Output")
    table.show_node("L")
    settle(table, qtbot)
    assert table.note.text() == "m does not depend on L, so there is no gradient to compare." and not shown(table)


def test_the_method_to_believe_is_marked_where_they_differ(table, session, qtbot):
    session.open(edits.set_dtype(open_lesson("7"), "float32"), None)
    session.show_live()
    table.show_node("x")
    settle(table, qtbot)
    lines = shown(table)
    assert [method for method, _, _ in lines if method.endswith("✓")] == ["symbolic ✓"] and len(lines) == 6
    assert [details for _, _, details in lines if details.startswith("believe this one")] == [lines[4][2]]
    assert "believe symbolic" in table.verdict.text()


def test_what_is_found_is_shown_by_the_thread_of_the_interface(table, qtbot, monkeypatch):
    threads = []
    monkeypatch.setattr(table, "_show", lambda comparison: threads.append(threading.current_thread()))
    qtbot.waitUntil(lambda: len(threads) > 0)
    assert threads == [threading.main_thread()]


def test_a_costly_one_waits_for_its_button_and_can_be_cancelled(costly, table, qtbot, monkeypatch):
    begun = hold(monkeypatch)
    assert table.start.isVisible() and not shown(table)
    table.start.click()
    qtbot.waitUntil(begun.is_set)
    qtbot.waitUntil(lambda: "passes" in table.note.text())
    table.cancel.click()
    assert table.note.text() == "Cancelled." and table.start.isVisible() and not table.cancel.isVisible()
    qtbot.waitUntil(lambda: not worker.running)


def test_a_costly_one_is_shown_until_the_graph_is_another_one(costly, table, session, qtbot):
    table.start.click()
    settle(table, qtbot)
    assert len(shown(table)) == 5 and table.start.isVisible()
    session.edit(lambda document: edits.set_value(document, "w0", 3.0), "Value")
    assert not shown(table) and table.comparison is None


@pytest.mark.parametrize("change", ["value", "node", "hidden"])
def test_a_change_cancels_it(table, session, qtbot, monkeypatch, change):
    begun = hold(monkeypatch)
    qtbot.waitUntil(begun.is_set)
    changes = {
        "value": lambda: session.edit(lambda document: edits.set_value(document, "w0", 3.0), "Value"),
        "node": lambda: table.show_node("m"),
        "hidden": table.hide,
    }
    changes[change]()
    assert table.work is None
    qtbot.waitUntil(lambda: not worker.running)


def test_moving_a_node_about_leaves_the_comparison(table, session, qtbot):
    settle(table, qtbot)
    session.edit(lambda document: edits.move(document, {"m": (50.0, 50.0)}), "Move")
    assert table.comparison is not None and not table._rest.isActive()


def test_while_a_value_is_dragged_the_lines_stay_where_they_are(table, session, qtbot):
    settle(table, qtbot)
    table._rest.setInterval(MILLISECONDS)  # the mouse never rests, however long the machine takes for a step
    before = table.height(), table.lines.height(), [line.details.height() for line in table.lines.lines]
    for number in range(30):
        session.edit(lambda document, x=number: edits.set_value(document, "w0", float(x)), "Value", merge="drag")
        settle_events()
        assert table.lines.isVisible() and table.work is None
        assert (table.height(), table.lines.height(), [line.details.height() for line in table.lines.lines]) == before
    qtbot.waitUntil(lambda: {line[1] for line in shown(table)} == {BLANK})  # true no longer, shown no longer
    table._rest.setInterval(0)
    session.edit(lambda document: edits.set_value(document, "x0", 7.0), "Value")
    settle(table, qtbot)
    assert {line[1] for line in shown(table)} == {"−7"}


def test_an_output_of_many_numbers_is_compared_with_its_seed(table, session, qtbot):
    session.open(edits.set_output(matrices(), "Y"), None)
    session.show_live()
    table.show_node("Z")
    settle(table, qtbot)
    assert table.place.text().startswith("at Z[") and "seed" in table.verdict.text()


def test_without_an_output_it_says_so(table, session, qtbot):
    session.edit(lambda document: edits.set_output(document, None), "No output")
    settle(table, qtbot)
    assert table.note.text().startswith("The graph has no output")


def test_a_node_that_is_removed_is_not_compared(table, session, qtbot):
    """The page is shown until the inspector has followed."""
    session.edit(lambda document: edits.remove(document, ["w0"]), "Remove")
    settle(table, qtbot)
    assert table.comparison is None and not table.note.text()


def test_an_error_in_the_thread_is_heard_and_the_table_goes_on(table, session, qtbot, monkeypatch):
    def fails(run, name, cancelled):
        raise ZeroDivisionError("no")

    monkeypatch.setattr(cutting, "compare_node", fails)
    with qtbot.captureExceptions() as raised:
        settle(table, qtbot)
        qtbot.waitUntil(lambda: not worker.running)
    assert [error[0] for error in raised] == [ZeroDivisionError] and "went wrong" in table.note.text()


def test_the_number_type_is_followed(table, session, qtbot):
    settle(table, qtbot)
    session.edit(lambda document: edits.set_dtype(document, "float16"), "Type")
    settle(table, qtbot)
    assert [line[0] for line in shown(table)] == [*METHODS, "reverse in float64"]
    session.undo()
    settle(table, qtbot)
    assert [line[0] for line in shown(table)] == METHODS


def test_where_there_is_little_room_digits_go_and_never_the_power_of_ten(show):
    label = show(NumberLabel(LIGHT), 300, 20)
    label.show_number(-3.720076123e-44, LIGHT, "none")
    widths = range(200, 60, -10)
    shown = []
    for width in widths:
        label.resize(width, 20)
        shown.append(label.shown)
    digits = ["−3.720076", "−3.72008", "−3.7201", "−3.72"]
    assert list(dict.fromkeys(shown)) == [f"{text}·10⁻⁴⁴" for text in digits]


def test_a_number_that_does_not_fit_beside_its_method_stands_below(table, session, qtbot):
    settle(table, qtbot)
    line = table.lines.lines[2]
    beside = line.gradient.y() == line.method.y()
    line.resize(line.method.sizeHint().width() + 4, 80)
    line.layout().activate()
    assert beside and line.gradient.y() > line.method.y()


def test_a_time_has_the_unit_that_suits_it():
    assert [duration(seconds) for seconds in (0.9996, 0.00099996)] == ["1\xa0s", "1\xa0ms"]  # not 1 000 of the next
    assert [duration(seconds) for seconds in (2.0, 0.0031, 4.2e-5)] == ["2\xa0s", "3.1\xa0ms", "42\xa0µs"]


def test_the_button_that_gives_way_to_another_gives_it_the_keys(costly, table, qtbot, monkeypatch):
    """They went to the next button in the window, "no problems", and Space opened the problems instead of playing."""
    begun = hold(monkeypatch)
    QPushButton("the next in the window", table).show()
    assert {table.start.focusPolicy(), table.cancel.focusPolicy()} == {Qt.FocusPolicy.TabFocus}
    table.start.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(table.start, Qt.Key.Key_Space)
    qtbot.waitUntil(begun.is_set)
    assert table.cancel.isVisible() and table.cancel.hasFocus()
    qtbot.keyClick(table.cancel, Qt.Key.Key_Space)
    assert table.start.isVisible() and table.start.hasFocus()
