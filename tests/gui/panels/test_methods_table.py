"""The table of methods: worked out away from the interface, cancelled by the user or by an edit."""

from __future__ import annotations

import threading

import pytest

from core import edits
from core.methods import Cancelled
from gui import work
from gui.panels import comparing
from gui.panels.methods_table import MethodsTable, duration
from gui.theme import LIGHT
from tests.gui.panels.conftest import matrices


@pytest.fixture
def table(session, show):
    made = show(MethodsTable(session, LIGHT), 280, 500)
    made.show_leaf("w0")
    yield made
    made._forget()
    for thread in tuple(work.running):
        thread.wait()


def words(table) -> list[str]:
    items = (table.grid.itemAt(place).widget() for place in range(table.grid.count()))
    return [item.text() for item in items]


def test_every_method_has_its_gradient_and_its_cost(table, qtbot):
    table.start.click()
    assert table.cancel.isVisible() and "pass" in table.note.text()
    qtbot.waitUntil(lambda: table.comparison is not None, timeout=20000)
    shown = words(table)
    assert shown[0::3] == ["reverse", "forward", "central difference", "complex step", "symbols"]
    assert shown[1::3] == ["−4"] * 5
    assert "1 reverse pass" in shown[2] and shown[5].startswith("equal, 1 tangent pass")
    assert table.verdict.text().startswith("All methods agree") and not table.cancel.isVisible()


def test_what_is_found_is_shown_by_the_thread_of_the_interface(table, qtbot, monkeypatch):
    """Callables that belong to no QObject are called in the thread that emits."""
    threads = []
    monkeypatch.setattr(table, "_show", lambda comparison: threads.append(threading.current_thread()))
    table.start.click()
    qtbot.waitUntil(lambda: len(threads) > 0, timeout=20000)
    assert threads == [threading.main_thread()]


def hold(monkeypatch) -> threading.Event:
    """A comparison that goes on until it is cancelled, and says when it has begun."""
    begun = threading.Event()

    def endless(document, wrt, cancelled, seed):
        begun.set()
        while not cancelled():
            pass
        raise Cancelled

    monkeypatch.setattr(comparing, "compare", endless)
    return begun


def test_it_can_be_cancelled_while_the_interface_goes_on(table, qtbot, monkeypatch):
    begun = hold(monkeypatch)
    table.start.click()
    qtbot.waitUntil(begun.is_set)
    table.cancel.click()
    assert table.note.text() == "Cancelled." and table.start.isVisible() and not table.cancel.isVisible()
    qtbot.waitUntil(lambda: not work.running)


def test_an_edit_cancels_it(table, session, qtbot, monkeypatch):
    begun = hold(monkeypatch)
    table.start.click()
    qtbot.waitUntil(begun.is_set)
    session.edit(lambda document: edits.set_value(document, "w0", 3.0), "Value")
    assert table.thread_ is None and not table.cancel.isVisible()
    qtbot.waitUntil(lambda: not work.running)


def test_what_is_true_no_longer_is_shown_no_longer(table, session, qtbot):
    table.start.click()
    qtbot.waitUntil(lambda: table.comparison is not None, timeout=20000)
    session.edit(lambda document: edits.set_value(document, "w0", 3.0), "Value")
    assert table.comparison is None and not words(table)


def test_an_output_of_many_numbers_is_compared_with_its_seed(table, session, qtbot):
    session.open(edits.set_output(matrices(), "Y"), None)
    table.show_leaf("W")
    table.start.click()
    qtbot.waitUntil(lambda: table.comparison is not None, timeout=20000)
    assert words(table)[0].startswith("at W[") and "seed" in table.verdict.text()


def test_without_an_output_it_says_so(table, session, qtbot):
    session.edit(lambda document: edits.set_output(document, None), "No output")
    table.start.click()
    qtbot.waitUntil(lambda: "no output" in table.note.text())
    assert table.start.isVisible()


def test_a_time_has_the_unit_that_suits_it():
    assert [duration(seconds) for seconds in (2.0, 0.0031, 4.2e-5)] == ["2 s", "3.1 ms", "42 µs"]
