"""A slider over a range of numbers, which grows with its number."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QSlider

STEPS = 200  # positions of the slider
MAX_BOUND = 5e307  # the end of the widest range, whose width is still a number; numbers beyond are at the slider's end
Range = tuple[float, float]


def sensible_range(value: float) -> Range:
    """A range around 0 that leaves room for about twice the value: -5 to 5 for 2, -20 to 20 for 7."""
    size = min(max(2.0 * abs(value), 1.0), MAX_BOUND) if math.isfinite(value) else 1.0
    power = 10.0 ** math.floor(math.log10(size))
    top = next(power * factor for factor in (1.0, 2.0, 5.0, 10.0) if power * factor >= size * (1 - 1e-12))
    return -top, top


def widened(range_: Range, value: float) -> Range:
    """A range that holds a value, too."""
    low, high = range_
    if not math.isfinite(value) or low <= value <= high:
        return range_
    around = sensible_range(value)
    return min(low, around[0]), max(high, around[1])


class NumberSlider(QSlider):
    """Emits `numberMoved(number)` while it is dragged, and `released` after a drag, or a key, is over.

    The wheel is left to the panel that scrolls.
    """

    numberMoved = Signal(float)
    released = Signal()

    def __init__(self) -> None:
        super().__init__(Qt.Orientation.Horizontal)
        self._range: Range = (-1.0, 1.0)
        self.setRange(0, STEPS)
        self.setPageStep(10)
        self.setAccessibleDescription("The arrow keys change the value of the leaf a little")
        self.valueChanged.connect(self._moved)
        self.sliderReleased.connect(self.released)

    @property
    def shown_range(self) -> Range:
        return self._range

    def show_number(self, value: float, range_: Range) -> None:
        """Place the knob for a number; while it is dragged the mouse places it."""
        self._range = low, high = range_
        if not self.isSliderDown() and math.isfinite(value):
            self.blockSignals(True)
            self.setValue(round((min(max(value, low), high) - low) / (high - low) * STEPS))
            self.blockSignals(False)

    def _moved(self, position: int) -> None:
        low, high = self._range
        step = (high - low) / STEPS
        digits = max(math.ceil(-math.log10(step) - 1e-9), 0)  # as few as distinguish the slider's positions
        self.numberMoved.emit(round(low + step * position, digits) + 0.0)  # + 0.0: never a minus zero

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat() and not self.isSliderDown():
            self.released.emit()

    def wheelEvent(self, event) -> None:
        event.ignore()
