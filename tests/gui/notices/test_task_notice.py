"""The notice of what is under way: a row for each task, its bar, its button."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest

from cadena.core.layout import arrange as layout
from cadena.gui.background.tasks import Order
from tests.gui.gate import ended, press_escape, shown
from tests.gui.user import User, settle
from tests.waiting import SECONDS, until


@pytest.fixture
def held(user: User, gate) -> Iterator[Callable[[str], None]]:
    """Begins a task with a text, which lasts until the test ends."""
    end = threading.Event()

    def begin(text: str) -> None:
        user.session.tasks.in_thread(Order(text, lambda _: None, lambda _: None), lambda _: end.wait(SECONDS))

    yield begin
    end.set()
    ended(user)


def test_two_tasks_are_two_rows_and_escape_cancels_the_later_one(user, held):
    held("Arranging 16 nodes")
    held("Exporting graph.py")
    assert shown(user) == ["Arranging 16 nodes", "Exporting graph.py"]
    press_escape(user)
    assert shown(user) == ["Arranging 16 nodes"]
    held("Opening a.cadena")
    assert shown(user) == ["Arranging 16 nodes", "Opening a.cadena"]


def test_escape_closed_the_second_canvas_and_left_the_task_going(user, held):
    user.do("compare.toggle")
    held("Exporting graph.py")
    assert shown(user) == ["Exporting graph.py"]
    press_escape(user)
    assert shown(user) == [] and user.window.menus.by_id["compare.toggle"].checked()
    press_escape(user)
    assert not user.window.menus.by_id["compare.toggle"].checked()


def test_the_bar_shows_how_much_is_done_where_that_is_known(user, gate):
    known, end = threading.Event(), threading.Event()

    def job(report: Callable[[float], object]) -> None:
        known.wait(SECONDS)
        report(0.25)
        end.wait(SECONDS)

    task = user.session.tasks.in_thread(Order("Counting", lambda _: None, lambda _: None), job)
    assert shown(user) == ["Counting"]
    row = user.window.task_notice.rows[0]
    assert row.bar.maximum() == 0
    known.set()
    until(lambda: row.bar.value() == 250, "the bar does not move", settle)
    assert row.bar.maximum() == 1000
    end.set()
    ended(user)
    assert task.is_over and shown(user) == []


def test_what_is_quick_is_done_at_once_and_never_shown(user):
    rows = []
    user.session.tasks.changed.connect(lambda: rows.append(user.session.tasks.shown))
    user.press("Ctrl+L")
    assert user.session.document.layout == layout.arrange(user.session.document).layout and not rows


def test_an_error_of_ours_in_a_task_is_told_and_raised(user, qtbot, monkeypatch):
    refused: list[str] = []

    def pieces() -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("oh")

    order = Order("Counting", lambda _: refused.append("done"), lambda refusal: refused.append(str(refusal)))
    with pytest.raises(ZeroDivisionError):
        user.session.tasks.in_pieces(order, pieces(), 2)
    assert refused == ["something went wrong inside Cadena (ZeroDivisionError: oh)"]
