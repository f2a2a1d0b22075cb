"""The panel that compares the recursion without an order with the pass in order."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from cadena.gui.panels.order_panel import OrderPanel
from cadena.gui.theme import LIGHT


@pytest.mark.parametrize("name", ["before", "after", "close_button"])
def test_a_click_on_its_buttons_leaves_the_keys_to_the_canvas(session, show, name):
    """After a click on Visit, Space went on to the next visit instead of playing."""
    button = getattr(show(OrderPanel(session, LIGHT), 900, 200), name)
    assert button.focusPolicy() is Qt.FocusPolicy.TabFocus
