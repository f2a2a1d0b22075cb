"""A button that has a background only while the mouse is over it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton


def quiet_button(text: str, name: str, tip: str, focus: Qt.FocusPolicy = Qt.FocusPolicy.TabFocus) -> QToolButton:
    """A button that shows `text`, and that a screen reader calls `name`."""
    button = QToolButton()
    button.setProperty("quiet", True)
    button.setText(text)
    button.setAccessibleName(name)
    button.setToolTip(tip)
    button.setFocusPolicy(focus)
    return button
