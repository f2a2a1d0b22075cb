"""Where the window and its parts stand when the program starts."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from cadena.gui.frame.window_layout import FIRST_SIZE, LEAST_SIZE, first_size, least_size


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


def test_on_a_small_screen_that_is_scaled_the_foot_of_every_window_lay_below_it(qtbot):
    """A screen of 1280 x 720 pixels has 1024 x 576 where a pixel counts as 1.25."""
    scaled, usual = Small(QSize(1024, 576)), Small(QSize(1280, 720))
    for widget in (scaled, usual):
        qtbot.addWidget(widget)
    assert least_size(scaled).width() == 900 and least_size(scaled).height() < 576 - 16
    assert least_size(usual).toTuple() == LEAST_SIZE
