"""Steps that take long come later: until then the values are shown, and any other choice calls them off."""

from __future__ import annotations

import threading
import weakref
from collections import OrderedDict
from functools import partial

import pytest

from cadena.core.graph import edits
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancelled
from cadena.core.methods.choosing import computed_timeline
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from cadena.gui.formulas import typesetter
from cadena.gui.session import run_steps
from cadena.gui.session.run_steps import Steps
from cadena.gui.session.session import Session
from tests.core.graphs import wide
from tests.gui.user import calm
from tests.waiting import MILLISECONDS, SECONDS

FORWARD, SYMBOLS = Method("forward"), Method("symbolic")


@pytest.fixture
def session(qapp, qtbot):
    made = Session(open_lesson("1"))
    yield made
    made.playback.pause()
    qtbot.waitUntil(lambda: not worker.running)


class Held:
    """Stands for `computed_timeline`: each call says that it has begun and goes on once it may, or is cancelled."""

    def __init__(self, error: Exception | None = None) -> None:
        self.begun, self.may, self.calls, self.error = threading.Event(), threading.Event(), [], error

    def __call__(self, run, method, cancelled):
        self.calls.append(method)
        self.begun.set()
        while not self.may.is_set():
            if cancelled():
                raise Cancelled
        if self.error is not None:
            raise self.error
        return computed_timeline(run, method, cancelled)


@pytest.fixture
def held(monkeypatch):
    """Steps take long, and the interface does not wait."""
    made = Held()
    monkeypatch.setattr(Steps, "patience", 0)
    monkeypatch.setattr(run_steps, "computed_timeline", made)
    yield made
    made.may.set()


def test_what_takes_little_is_there_at_once_and_nothing_blinks(session):
    heard = []
    session.methodChanged.connect(lambda: heard.append(session.timeline.method))
    session.set_method(FORWARD)
    assert heard == ["forward"] and not session.working


def test_while_they_are_worked_out_the_values_are_shown_and_then_they_come(session, held, qtbot):
    session.set_method(FORWARD)
    assert session.working and session.timeline.method == "values" and len(session.timeline) == 8
    session.set_time(3.0)
    with qtbot.waitSignals([session.methodChanged, session.timeChanged]):
        held.may.set()
    assert not session.working and session.timeline.method == "forward" and session.time == 3.0
    assert session.timeline.run is session.run and held.calls == [FORWARD]


def test_the_end_asked_for_too_early_is_the_end_of_the_steps_that_come(session, held, qtbot):
    """The key End brought the end of the values, and that stayed: step 8 of 13 by symbols."""
    session.set_method(FORWARD)
    session.set_time(float("inf"))
    held.may.set()
    qtbot.waitUntil(lambda: not session.working)
    assert session.time == len(session.timeline) == 40


def test_what_plays_before_the_steps_have_come_plays_on(session, held, qtbot):
    """It stopped at the end of the values, in the middle of the steps."""
    session.set_method(FORWARD)
    session.playback.play()
    session.playback.advance(60.0)
    assert session.time == 8.0 and session.playback.playing
    held.may.set()
    qtbot.waitUntil(lambda: not session.working)
    session.playback.advance(60.0)
    assert session.time == 40.0 and not session.playback.playing


def test_a_method_chosen_again_is_as_it_was_set(session):
    """Choosing differences while they were shown forgot the kind and the step, and began anew."""
    session.set_method(Method("difference", "w1", 0, 1e-3, "forward", width=None))
    session.set_time(5.0)
    session.choose_method("difference")
    assert session.method.step == 1e-3 and session.time == 5.0
    session.choose_method("forward")
    assert session.timeline.passes_needed == 1
    session.choose_method("difference")
    assert session.method == Method("difference", "w1", 0, 1e-3, "forward", width=None)


def test_another_method_calls_them_off(session, held, qtbot):
    session.set_method(FORWARD)
    qtbot.waitUntil(held.begun.is_set)
    session.set_method(Method())
    assert not session.working and session.timeline is session.run.timeline
    qtbot.waitUntil(lambda: not worker.running)
    assert session.timeline.method == "reverse" and held.calls == [FORWARD]


def test_another_run_calls_them_off_and_they_begin_anew(session, held, qtbot):
    session.set_method(FORWARD)
    qtbot.waitUntil(held.begun.is_set)
    session.edit(lambda document: edits.set_value(document, "w0", 3.0), "Value")
    session.run_now()
    assert session.working
    held.may.set()
    qtbot.waitUntil(lambda: not session.working)
    assert session.timeline.run is session.run and float(session.timeline.result(0)) == -28.0


def test_one_thread_works_at_a_time(session, qtbot, monkeypatch):
    """One that does not ask whether it is cancelled comes to its end first."""
    monkeypatch.setattr(Steps, "patience", 0)
    begun, may, calls = threading.Event(), threading.Event(), []

    def deaf(run, method, cancelled):
        calls.append(method.name)
        begun.set()
        assert may.wait(SECONDS)
        return computed_timeline(run, method)

    monkeypatch.setattr(run_steps, "computed_timeline", deaf)
    session.set_method(FORWARD)
    qtbot.waitUntil(begun.is_set)
    session.set_method(SYMBOLS)
    session.set_method(Method("difference"))
    assert session.working and len(worker.running) == 1
    may.set()
    qtbot.waitUntil(lambda: not session.working)
    assert session.timeline.method == "difference" and calls == ["forward", "difference"]


def test_who_needs_them_can_wait(session, held):
    session.set_method(FORWARD)
    held.may.set()
    session.finish_steps()
    assert session.timeline.method == "forward"
    session.finish_steps()


def test_who_waits_for_the_next_ones_waits_for_what_was_cancelled_too(session, held, qtbot):
    session.set_method(FORWARD)
    qtbot.waitUntil(held.begun.is_set)
    session.set_method(Method("difference"))
    held.may.set()
    session.finish_steps()
    assert session.timeline.method == "difference"


@pytest.mark.parametrize("patience", [0, MILLISECONDS])
def test_why_a_method_cannot_be_used_is_told(session, qtbot, monkeypatch, patience):
    def refuses(run, method, cancelled):
        raise Refused("c: no")

    monkeypatch.setattr(Steps, "patience", patience)
    monkeypatch.setattr(run_steps, "computed_timeline", refuses)
    session.set_method(SYMBOLS)
    qtbot.waitUntil(lambda: not session.working)
    assert session.method_fault == "c: no" and session.timeline.method == "values"


def test_an_error_in_the_thread_is_raised_in_the_interface(session, held, qtbot):
    held.error = ZeroDivisionError("no")
    with qtbot.captureExceptions() as raised:
        session.set_method(FORWARD)
        held.may.set()
        qtbot.waitUntil(lambda: not worker.running)
    assert [error[0] for error in raised] == [ZeroDivisionError]
    assert not session.working and "went wrong" in session.method_fault


def test_the_end_of_the_program_ends_the_thread(session, held, qtbot):
    session.set_method(FORWARD)
    qtbot.waitUntil(held.begun.is_set)
    worker.end_all()
    assert not worker.running


def test_the_formulas_of_the_cards_are_set_in_the_thread_too(session, monkeypatch):
    monkeypatch.setattr(typesetter, "_cache", OrderedDict())
    session.set_method(SYMBOLS)
    timeline = session.timeline
    shown = [line for name in session.document.nodes for line in timeline.lines(timeline.frame(len(timeline)), name)]
    made = [latex in typesetter._cache for line in shown for latex in line.latex]
    assert len(made) > 10 and all(made)


@pytest.mark.parametrize("count", [12, 1200])  # with operations one by one, and as columns
def test_the_numbers_before_each_edit_were_kept_for_hundreds_of_edits(user, count):
    """2.7 MB at 10,000 nodes: run and steps held each other, and a plan the view of its operations, which held it."""
    session = user.session
    session.open(wide(count), None)
    assert all(item.out == number for number, item in session.program.plan.instruction_of.items())
    left = [set[weakref.ref](), set[weakref.ref](), set[weakref.ref]()]
    leaves = [name for name, node in session.document.nodes.items() if node.is_leaf]
    target = next(name for name, node in session.document.nodes.items() if len(node.inputs) == 2)
    for number in range(12):  # pictures are compared with those before
        connect = partial(edits.connect, source=leaves[number % 3 - 3], target=target, slot=0)
        session.undo() if number % 2 else session.edit(connect, "Connect")
        user.window.repaint()
        calm(user.window, session)
        for some, shown in zip(left, (session.run, session.timeline, session.run.plan), strict=True):
            some.add(weakref.ref(shown))
    runs, timelines, plans = (sum(reference() is not None for reference in some) for some in left)
    assert len(left[0]) > 5
    assert runs == timelines == 1
    assert plans <= 4
