"""The room that the formula leaves the graph."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject

from cadena.core.lessons import open_lesson
from tests.gui.user import settle


class Layouts(QObject):
    """Counts the requests for a layout."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


@pytest.mark.parametrize("lesson", ["first_chain_rule", "curvature"])
def test_a_window_at_rest_lays_nothing_out(user, lesson):
    """To measure the formula's room asked for a layout, which asked to measure it again: a core was never idle."""
    user.session.open(open_lesson(lesson), None)
    user.session.set_time(3.0)
    settle()
    for _ in range(50):
        QCoreApplication.processEvents()
    layouts = Layouts()
    user.window.band.installEventFilter(layouts)
    for _ in range(50):
        QCoreApplication.processEvents()
    assert layouts.count == 0
