"""The search for garbage cycles: in the interface's thread, whoever makes the garbage."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from cadena.gui.collecting import Collector
from cadena.gui.work import Work


@pytest.fixture
def collector(qapp) -> Iterator[Collector]:
    owner = QObject()
    yield Collector(owner)
    owner.deleteLater()
    gc.enable()


def garbage(count: int) -> None:
    """Objects that hold themselves."""
    for _ in range(count):
        cycle: list[object] = []
        cycle.append(cycle)


def test_garbage_of_a_thread_was_searched_there_with_objects_of_qt_in_it(collector, qtbot):
    found: list[tuple[threading.Thread, int]] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append((threading.current_thread(), info["collected"]))

    gc.callbacks.append(note)
    try:
        work = Work(lambda cancelled: garbage(5000))
        with qtbot.waitSignal(work.finished):
            work.begin()
        # Not all: what is being made during a search has survived it, and is searched again much later.
        qtbot.waitUntil(lambda: sum(count for _, count in found) >= 4900)
    finally:
        gc.callbacks.remove(note)
    assert {thread for thread, _ in found} == {threading.main_thread()}


def test_everything_is_searched_seldom(collector):
    gc.collect()
    collector.search()
    assert gc.get_count()[0] < gc.get_threshold()[0]
    collector._rested = float("inf")
    for _ in range(200):
        garbage(2 * gc.get_threshold()[0])  # which is not the same in all versions of Python
        collector.search()
    assert gc.get_count()[2] > gc.get_threshold()[2]
    collector._rested = 0.0
    garbage(1000)
    collector.search()
    assert gc.get_count()[2] == 0
