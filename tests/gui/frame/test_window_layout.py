"""Where the window and its parts stand when the program starts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QSize
from PySide6.QtWidgets import QWidget

from cadena.gui.frame.window_layout import FIRST_SIZE, LEAST_SIZE, first_size, least_size
from tests.gui.user import User, calm


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


LARGE = {"header": 52, "expressions": 106, "canvas": 600, "step_band": 178, "transport": 64}
SMALL = {"header": 44, "expressions": 40, "step_band": 150, "transport": 52}


@pytest.mark.parametrize(
    ("size", "heights", "palette", "dock"), [((1600, 1000), LARGE, 208, 344), ((1280, 720), SMALL, 176, 304)]
)
def test_the_parts_of_the_window_have_the_sizes_of_the_style(user: User, size, heights, palette, dock):
    window = user.window
    window.resize(*size)
    calm(window)
    assert {name: getattr(window, name).height() for name in heights} == heights
    assert window.dock.width() == dock and user.canvas.width() == size[0] - dock and window.operations.isHidden()
    assert window.dock.tabs.height() == 46
    user.press("B")
    assert window.operations.width() == palette and user.canvas.width() == size[0] - dock - palette
    user.press("E")
    assert window.expressions.height() == 106
