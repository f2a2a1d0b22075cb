"""Work away from the interface: its result comes back to the interface's own thread, or nothing does."""

from __future__ import annotations

import threading
import weakref

import pytest
from PySide6.QtCore import QObject

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancelled
from cadena.gui.background import worker
from cadena.gui.background.worker import Work
from tests.waiting import SECONDS


class Listener(QObject):
    def __init__(self, job) -> None:
        super().__init__()
        self.heard: list[tuple] = []
        self.work = Work(job)
        self.work.succeeded.connect(self.hear)
        self.work.refused.connect(self.hear)

    def hear(self, sender, what) -> None:
        self.heard.append((sender, str(what) if isinstance(what, Refused) else what, threading.current_thread()))


@pytest.fixture
def listen(qapp, qtbot):
    yield Listener
    qtbot.waitUntil(lambda: not worker.running)


def test_the_result_comes_to_the_thread_of_the_interface(listen, qtbot):
    listener = listen(lambda cancelled: threading.current_thread())
    listener.work.begin()
    qtbot.waitUntil(lambda: len(listener.heard) > 0)
    sender, where, heard_in = listener.heard[0]
    assert sender is listener.work and where is not heard_in and heard_in is threading.main_thread()


def test_a_refusal_is_told_in_its_sentence(listen, qtbot):
    def job(cancelled):
        raise Refused("x: no")

    listener = listen(job)
    listener.work.begin()
    qtbot.waitUntil(lambda: len(listener.heard) > 0)
    assert listener.heard[0][1] == "x: no"


class Large:
    """Something that a job makes."""


@pytest.mark.parametrize("ending", [Cancelled, Refused])
def test_what_a_job_had_made_was_kept_by_its_own_exception_until_python_searched_for_garbage(listen, qtbot, ending):
    made: list[weakref.ref[Large]] = []

    def job(cancelled):
        large = Large()
        made.append(weakref.ref(large))
        raise ending("no")

    listener = listen(job)
    with qtbot.waitSignal(listener.work.finished):
        listener.work.begin()
    listener.work.wait()
    assert made[0]() is None, "no search for garbage was needed"


@pytest.mark.parametrize("ending", [Cancelled, Refused, None])
def test_after_it_was_cancelled_nothing_more_is_heard(listen, qtbot, ending):
    """However the job ends: it may be past the point where it asks."""

    def job(cancelled):
        while not cancelled():
            pass
        if ending:
            raise ending("late")

    listener = listen(job)
    listener.work.begin()
    qtbot.waitUntil(lambda: listener.work.passes > 0)
    listener.work.cancel()
    qtbot.waitUntil(lambda: not worker.running)
    assert not listener.heard


def test_who_waits_has_the_result_at_once_and_hears_of_it_once(listen, qtbot):
    go_on = threading.Event()
    listener = listen(lambda cancelled: go_on.wait(SECONDS))
    listener.work.begin()
    assert not listener.work.finish(1) and not listener.heard
    go_on.set()
    assert listener.work.finish()
    assert [what for _, what, _ in listener.heard] == [True]
    qtbot.waitUntil(lambda: not worker.running)
    assert len(listener.heard) == 1


@pytest.mark.parametrize("cancelled", [False, True])
def test_an_error_of_the_job_is_raised_where_it_is_heard(listen, qtbot, cancelled):
    """Else nobody would know of it, and what waits for the result would wait for ever."""

    def job(asked):
        raise ZeroDivisionError("no")

    listener = listen(job)
    with qtbot.captureExceptions() as raised:
        listener.work.begin()
        listener.work.wait()
        if cancelled:
            listener.work.cancel()
        qtbot.waitUntil(lambda: not worker.running)
    assert [error[0] for error in raised] == [ZeroDivisionError]
    said = [str(what) for _, what, _ in listener.heard]
    assert said == ([] if cancelled else ["something went wrong inside Cadena (ZeroDivisionError: no)"])
