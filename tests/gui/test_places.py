"""Where the window and its parts stand when the program starts."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from cadena.gui.places import FIRST_SIZE, first_size


class Small(QWidget):
    """A widget on a screen of a size of one's own."""

    def __init__(self, size) -> None:
        super().__init__()
        self._size = size

    def screen(self):
        return self

    def availableSize(self):
        return self._size


def test_the_foot_of_the_first_window_lay_below_a_small_screen(qtbot):
    small, large = Small(QSize(1280, 720)), Small(QSize(2560, 1440))
    for widget in (small, large):
        qtbot.addWidget(widget)
    assert first_size(small).width() == 1280 and 600 < first_size(small).height() < 720 - 16
    assert first_size(large).toTuple() == FIRST_SIZE
