"""Layout of the window's parts, side by side and one below the other."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget


def splitter(orientation: Qt.Orientation, *parts: QWidget, stretch: int) -> QSplitter:
    """Parts side by side; the one numbered `stretch` takes the space."""
    widget = QSplitter(orientation)
    widget.setChildrenCollapsible(False)
    widget.setHandleWidth(1)
    for number, part in enumerate(parts):
        widget.addWidget(part)
        widget.setStretchFactor(number, int(number == stretch))
    return widget


def stack(whole: QWidget, *parts: QWidget, stretch: int | None = None) -> QWidget:
    """`whole`, filled with parts one below the other; the one numbered `stretch` takes the space."""
    box = QVBoxLayout(whole)
    box.setContentsMargins(0, 0, 0, 0)
    box.setSpacing(0)
    for number, part in enumerate(parts):
        box.addWidget(part, int(number == stretch))
    return whole
