"""The editor of a single number: a field with all its digits and a slider whose range can be changed."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout, QWidget

from cadena.core.graph.document import Value
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value, write_value
from cadena.core.text.numbers import MINUS
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import Sentence
from cadena.gui.panels.parts.fields import Field
from cadena.gui.widgets.number_slider import STEPS, NumberSlider, Range, sensible_range, widened


class NumberEditor(QWidget):
    """Emits `edited(value, dragging)`, and `released` when a drag of the slider is over."""

    edited = Signal(object, bool)
    released = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._value, self._key = 0.0, ""
        self._ranges: dict[str, Range] = {}  # by node name, for as long as the window is open
        self.field = Field()
        self.field.setAccessibleName("Value")
        self.field.setToolTip("A number such as 2, -0.5, 1/3 or 1e-3; or lists such as [[1, 2], [3, 4]]")
        self.field.editingFinished.connect(self._typed)
        self.slider = NumberSlider()
        self.slider.setAccessibleName("Value, by slider")
        self.slider.numberMoved.connect(self._moved)
        self.slider.released.connect(self.released)
        self.low, self.high = self._bound("Least value of the slider"), self._bound("Greatest value of the slider")
        self.high.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.sentence = Sentence(theme)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(2)
        grid.addWidget(self.field, 0, 0, 1, 2)
        grid.addWidget(self.slider, 1, 0, 1, 2)
        grid.addWidget(self.low, 2, 0)
        grid.addWidget(self.high, 2, 1)
        grid.addWidget(self.sentence, 3, 0, 1, 2)

    def _bound(self, name: str) -> Field:
        field = Field()
        field.setProperty("quiet", True)
        field.setProperty("label", True)
        field.setTextMargins(-2, 0, -2, 0)
        field.setAccessibleName(name)
        field.setToolTip(f"{name}; type another")
        field.editingFinished.connect(self._range_typed)
        return field

    def set_theme(self, theme: Theme) -> None:
        self.sentence.set_theme(theme)

    # --- showing

    def show_number(self, key: str, value: float) -> None:
        """Show the value of node `key`; text being typed stays."""
        another, self._key, self._value = key != self._key, key, value
        if another:
            self.sentence.say("")
        self._widen()
        self._place_slider()
        low, high = self.range
        for field, number in ((self.field, value), (self.low, low), (self.high, high)):
            field.show_text(write_value(number).replace("-", MINUS), always=another)

    @property
    def range(self) -> Range:
        return self._ranges[self._key]

    def _widen(self) -> None:
        """Widen the range of this node so that it holds its value."""
        now = self._ranges.setdefault(self._key, sensible_range(self._value))
        self._ranges[self._key] = widened(now, self._value)

    def _place_slider(self) -> None:
        self.slider.show_number(self._value, self.range)

    # --- editing

    def _typed(self) -> None:
        if not self.field.typed:
            return
        try:
            value: Value = read_value(self.field.text())
        except Refused as refusal:
            self.sentence.say(f"{refusal}.")
            return
        self.field.accept()
        self.sentence.say("")
        self.edited.emit(value, False)

    def _moved(self, number: float) -> None:
        self.sentence.say("")
        self.field.accept()
        self.edited.emit(number, True)

    def _range_typed(self) -> None:
        if not (self.low.typed or self.high.typed):
            return
        try:
            low, high = read_value(self.low.text()), read_value(self.high.text())
        except Refused as refusal:
            self.sentence.say(f"{refusal}.")
            return
        self._set_range(low, high)

    def _set_range(self, low: Value, high: Value) -> None:
        fits = isinstance(low, float) and isinstance(high, float) and math.isfinite(high - low)
        if not fits or not (high - low) / STEPS > 0.0:  # type: ignore[operator]
            self.sentence.say("The slider's least value must be below its greatest; type two such numbers.")
            return
        self.sentence.say("")
        self._ranges[self._key] = (low, high)  # type: ignore[assignment]
        for field in (self.low, self.high):
            field.accept()
        self._place_slider()
