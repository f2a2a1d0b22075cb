"""What all panels share."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QPushButton

from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.inspector.inspector import Inspector


@pytest.mark.parametrize("name", [None, "w0", "m"])
def test_a_click_on_a_button_leaves_the_keys_to_the_canvas(session, show, name):
    """After "compute its gradient" or Backward was clicked, Space pressed it again instead of playing."""
    inspector = show(Inspector(session, LIGHT), 300, 700)
    session.select([name] if name else [])
    buttons = [*inspector.findChildren(QPushButton), *inspector.findChildren(QCheckBox)]
    assert buttons and not any(button.focusPolicy() & Qt.FocusPolicy.ClickFocus for button in buttons)
