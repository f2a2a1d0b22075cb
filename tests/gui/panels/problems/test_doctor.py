"""The doctor: hints at once where that is cheap, fixes from a thread that the next run calls off."""

from __future__ import annotations

import threading

import pytest

from cadena.core.doctor.fixes import offers
from cadena.core.graph import edits
from cadena.core.graph.document import Node
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.panels.problems import doctor as module
from cadena.gui.panels.problems.doctor import Doctor, Examination
from cadena.gui.session.session import Session
from tests.gui.panels.conftest import document_of
from tests.waiting import SECONDS


@pytest.fixture
def lesson(qapp):
    return Session(open_lesson("7"))


def settle(doctor, qtbot):
    qtbot.waitUntil(lambda: not doctor.busy)


def test_fixes_are_known_after_a_rest(lesson, qtbot):
    doctor = Doctor(lesson)
    assert doctor.busy and doctor.fixes(lesson.faults[0]) == ()
    settle(doctor, qtbot)
    assert [bool(doctor.fixes(fault)) for fault in lesson.faults] == [True, True]


def test_hints_that_need_no_second_run_follow_at_once(lesson, qtbot):
    doctor = Doctor(lesson)
    lesson.edit(lambda d: edits.set_value(d, "x", 60.0), "Set x")
    lesson.run_now()
    assert [hint.kind for hint in doctor.hints] == ["vanished-gradient"]


def test_lost_digits_are_found_in_the_background(qapp, qtbot):
    nodes = (
        Node("a", "parameter", value=1e8), Node("b", "constant", value=1.0), Node("c", "add", ("a", "b")),
        Node("L", "subtract", ("c", "a")),
    )  # fmt: skip
    session = Session(edits.set_dtype(document_of(*nodes), "float32"))
    doctor = Doctor(session)
    assert doctor.hints == ()
    settle(doctor, qtbot)
    assert [hint.kind for hint in doctor.hints] == ["lost-digits"]


@pytest.fixture
def slow(monkeypatch):
    """A fix that takes until it may go on; what has begun, what may, and what was tried."""
    begun, go_on, tried = threading.Event(), threading.Event(), []

    def fixes(document, run, fault):
        tried.append(fault)
        begun.set()
        assert go_on.wait(SECONDS)
        return ()

    monkeypatch.setattr(offers, "fixes", fixes)
    yield begun, go_on, tried
    go_on.set()


def test_another_run_calls_off_the_look_under_way(lesson, qtbot, slow):
    begun, go_on, tried = slow
    doctor = Doctor(lesson)
    qtbot.waitUntil(begun.is_set)
    lesson.edit(lambda d: edits.set_value(d, "x", 1.0), "Set x")
    looks: list[None] = []
    doctor._rest.timeout.connect(lambda: looks.append(None))
    lesson.run_now()
    qtbot.waitUntil(lambda: len(looks) > 1)  # the next look waits until the fix that is being tried is done
    assert len(worker.running) == 1
    go_on.set()
    settle(doctor, qtbot)
    assert len(tried) == 1 and doctor.hints == ()


def test_a_doctor_that_is_stopped_does_not_finish_the_look(lesson, qtbot, slow):
    begun, go_on, tried = slow
    doctor = Doctor(lesson)
    doctor._begin()
    qtbot.waitUntil(begun.is_set)
    doctor.stop()
    go_on.set()
    qtbot.waitUntil(lambda: not worker.running)
    assert not doctor.busy and len(tried) == 1 < len(lesson.faults)


def test_hints_of_many_numbers_wait_for_a_rest(lesson, qtbot, monkeypatch):
    monkeypatch.setattr(module, "MAX_NUMBERS", 3)
    doctor = Doctor(lesson)
    lesson.edit(lambda d: edits.set_value(d, "x", 60.0), "Set x")
    lesson.run_now()
    assert doctor.hints == ()
    settle(doctor, qtbot)
    assert [hint.kind for hint in doctor.hints] == ["vanished-gradient"]


def test_an_error_in_the_thread_is_raised_in_the_interface(lesson, qtbot, monkeypatch):
    def fails(document, run, fault):
        raise ZeroDivisionError

    monkeypatch.setattr(offers, "fixes", fails)
    doctor = Doctor(lesson)
    with qtbot.captureExceptions() as raised:
        settle(doctor, qtbot)
    assert [error[0] for error in raised] == [ZeroDivisionError]


def test_large_graphs_are_not_run_again(qapp, monkeypatch):
    monkeypatch.setattr(module, "MAX_NODES", 2)
    monkeypatch.setattr(offers, "fixes", None)
    look = Examination(Session(open_lesson("7")).run)
    look.work(lambda: False)
    assert look.hints == () and look.fixes == {}
