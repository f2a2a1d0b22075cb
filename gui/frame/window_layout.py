"""The sizes of a window and of its parts."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QStyle, QWidget

FIRST_SIZE, LEAST_SIZE = (1400, 900), (900, 600)


@dataclass(frozen=True)
class PartSizes:
    """The sizes of the parts of a window, in pixels at `type` 1."""

    header: int  # height
    has_search: bool  # the header has the field of the search, not only its icon
    palette: int  # width
    dock: int  # the same, for every panel
    has_lines: bool  # the expression bar shows several lines; else one until it is used
    has_lesson: bool  # the dock has the lesson at its foot; else it is a line above the canvas


LARGE = PartSizes(header=52, has_search=True, palette=208, dock=344, has_lines=True, has_lesson=True)
SMALL = PartSizes(header=44, has_search=False, palette=176, dock=304, has_lines=False, has_lesson=False)


def sizes_in(window: QSize) -> PartSizes:
    """The sizes for a window of this size."""
    return LARGE if window.width() >= 1360 and window.height() >= 800 else SMALL


def first_size(window: QWidget) -> QSize:
    """The size in which a window opens first; on a small screen what its title bar leaves, else its foot is cut off."""
    title = window.style().pixelMetric(QStyle.PixelMetric.PM_TitleBarHeight)
    return QSize(*FIRST_SIZE).boundedTo(window.screen().availableSize() - QSize(0, title))


def least_size(window: QWidget) -> QSize:
    """The least size of a window, on a screen that is smaller still the size of the screen."""
    return QSize(*LEAST_SIZE).boundedTo(first_size(window))
