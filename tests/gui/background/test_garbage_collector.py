"""Python's garbage collector runs in the interface's thread, whoever makes the garbage."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject

from cadena.gui.background import garbage_collector
from cadena.gui.background.garbage_collector import Collector
from cadena.gui.background.worker import Work


@pytest.fixture
def collector(qapp, monkeypatch) -> Iterator[Collector]:
    monkeypatch.setattr(garbage_collector, "INTERVAL", 1)
    owner = QObject()
    yield Collector(owner)
    owner.deleteLater()


def garbage(count: int) -> None:
    """Objects that hold themselves."""
    for _ in range(count):
        cycle: list[object] = []
        cycle.append(cycle)


def test_garbage_of_a_thread_was_searched_there_with_objects_of_qt_in_it(collector, qtbot, monkeypatch):
    monkeypatch.setattr(garbage_collector, "SHARE", 0)
    found: list[tuple[threading.Thread, int]] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "stop":
            found.append((threading.current_thread(), info["collected"]))

    gc.callbacks.append(note)
    threshold = gc.get_threshold()
    gc.set_threshold(1, *threshold[1:])  # of the usual 700 the last that are made may be too few to be due
    try:
        work = Work(lambda cancelled: garbage(5000))
        with qtbot.waitSignal(work.finished):
            work.begin()
        # Not all: what is being made during a collection has survived it, and is collected much later.
        qtbot.waitUntil(lambda: sum(count for _, count in found) >= 4900)
    finally:
        gc.callbacks.remove(note)
        gc.set_threshold(*threshold)
    assert {thread for thread, _ in found} == {threading.main_thread()}


def test_a_collection_that_takes_long_comes_seldom(collector, monkeypatch):
    garbage(2 * gc.get_threshold()[0])
    clock = iter((0.0, 0.3))
    monkeypatch.setattr(garbage_collector, "perf_counter", lambda: next(clock))
    collector.collect()
    assert collector._timer.interval() == 15_000
