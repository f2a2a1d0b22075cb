"""A window that is closed goes, with its graph: the program may have others."""

from __future__ import annotations

import gc
import weakref
from pathlib import Path

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QApplication
from shiboken6 import getCppPointer

from cadena.core.teaching.lessons import open_lesson
from cadena.gui.background import worker
from tests.gui.conftest import leave, make_user
from tests.gui.user import settle


def closed_window(folder: Path, qapp, qtbot) -> list[weakref.ref]:
    """The parts of a window that was used and closed."""
    user = make_user(folder)
    user.session.open(open_lesson("13"), None)
    user.window.toggle_panel("error")
    error = user.window.panels["error"].open()
    qtbot.waitUntil(lambda: error.sweep is not None and error.plot is not None)
    user.session.select([next(iter(user.session.document.nodes))])
    settle()
    leave(user)
    qtbot.waitUntil(lambda: not worker.running)
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    return [weakref.ref(part) for part in (user.window, user.session, user.canvas, error, error.plot)]


def widgets() -> set[int]:
    return {getCppPointer(widget)[0] for widget in QApplication.topLevelWidgets()}


def test_a_closed_window_stayed_alive_with_its_graph_and_its_plots(qapp, qtbot, tmp_path):
    parts = closed_window(tmp_path, qapp, qtbot)
    gc.collect()
    assert [part() for part in parts] == [None] * 5


def test_a_closed_window_left_widgets_without_a_parent(qapp, qtbot, tmp_path):
    closed_window(tmp_path, qapp, qtbot)  # with the first one come tooltips, which stay
    before = widgets()
    closed_window(tmp_path, qapp, qtbot)
    assert widgets() <= before
