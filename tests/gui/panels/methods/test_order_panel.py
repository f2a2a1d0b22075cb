"""The panel that compares the recursion without an order with the pass in order."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.methods.order_panel import OrderPanel


@pytest.mark.parametrize("name", ["before", "after"])
def test_a_click_on_its_buttons_leaves_the_keys_to_the_canvas(session, show, name):
    """After a click on Visit, Space went on to the next visit instead of playing."""
    button = getattr(show(OrderPanel(session, LIGHT), 900, 200), name)
    assert button.focusPolicy() is Qt.FocusPolicy.TabFocus


def test_visits_to_come_were_written_out_with_their_results(session, show):
    session.open(open_lesson("3"), None)
    panel = show(OrderPanel(session, LIGHT), 900, 200)

    def written():
        return [panel.visits.item(row).text().partition("  ")[2] for row in range(panel.visits.count())]

    assert written()[0].startswith("c → b: pushes 1, adds 1") and set(written()[1:]) == {"·"}
    for _ in range(panel.visits.count() - 1):
        panel.after.click()
    assert all("adds" in words for words in written())
    panel.visits.setCurrentRow(1)
    assert ["adds" in words for words in written()[:3]] == [True, True, False]
