"""Changing a number by dragging on it: everything that depends on it follows live, and it is one undo step."""

from __future__ import annotations

import math
from itertools import count

from PySide6.QtCore import QPointF, Qt

from cadena.gui.canvas.interaction.commands import Commands
from cadena.gui.canvas.interaction.gestures.base import Gesture, Modifiers
from cadena.gui.session import graph_edits

PIXELS_PER_STEP = 4.0
FINE, COARSE = 0.1, 10.0
MIN_DIGIT, MAX_DIGIT = -300, 300  # exponents between which a step is an ordinary number
_keys = count()  # each drag has a merge key of its own


class Scrub(Gesture):
    """To the right is more. A step is a tenth of the number's leading digit; Shift makes it finer, Ctrl coarser."""

    cursor = Qt.CursorShape.SizeHorCursor

    def __init__(self, commands: Commands, at: QPointF, modifiers: Modifiers, name: str, value: float) -> None:
        super().__init__(commands, at, modifiers)
        self._name, self._first, self._exact = name, value, value
        self._digit, self._last_x = scrub_digit(value), at.x()
        self._history, self._live, self._time = self.session.history.copy(), self.session.live, self.session.time
        self._selected = self.session.selection
        self._key = f"scrub {next(_keys)}"

    def drag(self, at: QPointF, modifiers: Modifiers) -> None:
        pace = FINE if modifiers & Qt.KeyboardModifier.ShiftModifier else 1.0
        pace = COARSE if modifiers & Qt.KeyboardModifier.ControlModifier else pace
        digit = self._digit + round(math.log10(pace))
        self._exact += (at.x() - self._last_x) / PIXELS_PER_STEP * 10.0**digit
        self._last_x = at.x()
        value = rounded(self._exact, digit)
        self.session.select([self._name])
        self.is_editing = True
        self.session.edit(*graph_edits.set_value(self._name, value), self._key)
        self.is_editing = False

    def drop(self, at: QPointF, modifiers: Modifiers) -> None:
        self.session.seal()
        if self.session.document == self._history.present:
            self.session.restore(self._history)

    def click(self) -> None:
        self.commands.click_node(self._name, self.modifiers)

    def abandon(self) -> None:
        self.session.seal()

    @property
    def shown_cursor(self) -> Qt.CursorShape | None:
        return self.cursor

    def cancel(self) -> None:
        self.session.restore(self._history)
        self.session.select(self._selected)
        if not self._live:
            self.session.set_time(self._time)


def scrub_digit(value: float) -> int:
    """The power of ten of one step: a tenth of the leading digit (2 goes by 0.1, 0.5 by 0.01, 0 by 0.1)."""
    leading = math.floor(math.log10(abs(value))) if value else 0
    return min(max(leading - 1, MIN_DIGIT), MAX_DIGIT)


def rounded(value: float, digit: int) -> float:
    """`value` to a whole number of steps of 10 ** digit, as short as it can be written; never minus zero."""
    return float(f"{value:.{max(-digit, 0)}f}") + 0.0 if digit <= 0 else round(value / 10.0**digit) * 10.0**digit + 0.0
