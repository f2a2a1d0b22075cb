"""The interface comes before threads, which let it pass for as long as they are patient."""

from __future__ import annotations

from threading import Event

import pytest

from cadena.gui import turns, typesetter
from cadena.gui.turns import first, give_way, waiting_for_a_thread
from cadena.gui.work import Work
from tests.gui.user import settle
from tests.waiting import until

real_sleep = turns.sleep
pytestmark = pytest.mark.usefixtures("qapp")


class Polite:
    """A thread that gives way once, and notes when it waits and when it has passed."""

    def __init__(self, monkeypatch, patience: float) -> None:
        self.waits, self.has_passed = Event(), Event()
        monkeypatch.setattr(turns, "PATIENCE", patience)
        monkeypatch.setattr(turns, "sleep", self._look)
        self.work = Work(self._job)
        self.work.begin()

    def _look(self, seconds: float) -> None:
        self.waits.set()
        real_sleep(seconds)

    def _job(self, cancelled) -> None:
        give_way()
        self.has_passed.set()


@pytest.fixture
def polite(monkeypatch):
    made = []

    def make(patience: float) -> Polite:
        made.append(Polite(monkeypatch, patience))
        return made[-1]

    yield make
    until(lambda: all(one.work.isFinished() for one in made), "a thread never ends", settle)
    settle()


def test_a_thread_waits_while_the_interface_is_at_it(polite):
    with first():
        with first():
            thread = polite(1000.0)
            until(thread.waits.is_set, "it does not wait")
        assert not thread.has_passed.is_set()
    until(thread.has_passed.is_set, "it waits for ever")


def test_a_thread_loses_its_patience(polite):
    with first():
        thread = polite(0.01)
        until(thread.has_passed.is_set, "it waits for ever")
    assert thread.waits.is_set()


def test_an_interface_that_waits_for_a_thread_lets_it_pass(polite):
    with first():
        thread = polite(1000.0)
        until(thread.waits.is_set, "it does not wait")
        assert not thread.has_passed.is_set()
        with waiting_for_a_thread():
            until(thread.has_passed.is_set, "both wait")
        assert thread.has_passed.is_set()
        other = polite(1000.0)
        until(other.waits.is_set, "the interface is no longer at it")
        assert not other.has_passed.is_set()


@pytest.fixture
def waits_here(monkeypatch) -> list[float]:
    """How long the interface's own thread sleeps to give way, each time; it loses its patience at once."""
    waits = list[float]()
    monkeypatch.setattr(turns, "PATIENCE", 0.01)
    monkeypatch.setattr(turns, "sleep", lambda seconds: (waits.append(seconds), real_sleep(seconds)))
    return waits


def test_the_interface_does_not_wait_for_itself(waits_here):
    with first():
        give_way()
    assert waits_here == []
    with turns.patient(), first():
        give_way()
    assert waits_here, "the list notes no waiting"


def test_work_that_was_done_in_the_interfaces_thread_made_it_wait_for_itself(waits_here):
    done = []
    Work(lambda cancelled: done.append(give_way())).run()
    waits_here.clear()
    with first():
        give_way()
    assert done == [None] and waits_here == []


def test_an_error_of_the_interface_kept_threads_waiting(polite):
    with pytest.raises(ZeroDivisionError), first():
        1 / 0  # noqa: B018
    thread = polite(1000.0)
    until(thread.has_passed.is_set, "it waits for ever")
    assert thread.has_passed.is_set()


def test_a_formula_is_set_after_what_the_interface_does(monkeypatch):
    monkeypatch.setattr(turns, "PATIENCE", 1000.0)
    typesetter._adapt_ziamath()
    latex, waits = r"\frac{a_{314}}{b_{159}}", Event()
    monkeypatch.setattr(turns, "sleep", lambda seconds: (waits.set(), real_sleep(seconds)))
    with first():
        typesetter.typesetter.ask([latex])
        until(waits.is_set, "the thread does not wait", settle)
        assert latex not in typesetter._cache
    until(lambda: latex in typesetter._cache, "it is never set", settle)
