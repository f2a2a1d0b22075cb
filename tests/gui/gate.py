"""Work that is held at a gate, so that nothing depends on how long it takes; and what the window shows of it."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.gui.user import User, settle
from tests.waiting import SECONDS, until


class Gate:
    """Holds a function when it is called in a thread, until it is opened; then the function goes on."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._monkeypatch, self._open, self.reached = monkeypatch, threading.Event(), threading.Event()

    def hold(self, module: Any, name: str) -> None:
        whole = getattr(module, name)

        def held(*arguments: Any, **named: Any) -> Any:
            if threading.current_thread() is not threading.main_thread():
                self.reached.set()
                assert self._open.wait(SECONDS), "nobody opens the gate"
            return whole(*arguments, **named)

        self._monkeypatch.setattr(module, name, held)

    def open(self) -> None:
        self._open.set()


def shown(user: User) -> list[str]:
    """What the notice over the canvas says."""
    settle()
    notice = user.window.task_notice
    return [row.text.text() for row in notice.rows if row.bar.isVisible() and row.cancel.isVisible()]


def ended(user: User) -> None:
    until(lambda: not user.session.tasks.under_way, "it does not end", settle)
    settle()


def said(user: User) -> str:
    return user.window.toast.text.whole


def click_cancel(user: User) -> None:
    QTest.mouseClick(user.window.task_notice.rows[-1].cancel, Qt.MouseButton.LeftButton)
    settle()


def press_escape(user: User) -> None:
    user.canvas.setFocus()
    user.press("Esc")
