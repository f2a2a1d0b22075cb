"""Filling an array with numbers without typing them: zeros, ones, or random ones from a seed."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QSpinBox, QWidget

from cadena.core.graph.document import Tensor, Value, as_value
from cadena.core.ops.primitive import Shape
from cadena.gui.panels.parts.common import caption, row_in
from cadena.gui.widgets.chooser import ElidedComboBox

MAX_SEED = 999


class Filling(NamedTuple):
    """A way to fill an array: its text, its numbers from a shape and a generator, and whether these are random."""

    text: str
    numbers: Callable[[Shape, np.random.Generator], np.ndarray]
    is_random: bool = True


FILLINGS = (
    Filling("zeros", lambda shape, dice: np.zeros(shape), is_random=False),
    Filling("ones", lambda shape, dice: np.ones(shape), is_random=False),
    Filling("random, about 0", lambda shape, dice: dice.standard_normal(shape)),
    Filling("random, −1 to 1", lambda shape, dice: dice.uniform(-1.0, 1.0, shape)),
    Filling("random for a layer", lambda shape, dice: dice.standard_normal(shape) / math.sqrt(shape[-1])),
)


def filled(shape: Shape, filling: Filling, seed: int) -> Value:
    """An array of this shape; the same seed gives the same numbers, rounded so that they can be read and checked."""
    return as_value(np.round(filling.numbers(shape, np.random.default_rng(seed)), 3))


class FillRow(QWidget):
    """Emits `filled(value, text)` when a filling, or another seed of a random one, is chosen."""

    filled = Signal(object, str)

    def __init__(self) -> None:
        super().__init__()
        self._shape: Shape = ()
        self._chosen: dict[str, tuple[int, int]] = {}  # by node: the filling and its seed
        self._name = ""
        self.kind = ElidedComboBox()
        self.kind.setPlaceholderText("choose…")
        self.kind.addItems([filling.text for filling in FILLINGS])
        self.kind.setAccessibleName("Fill with")
        self.kind.setToolTip(
            "Fill the array with zeros, ones or random numbers; “for a layer” keeps sums of a row near 1"
        )
        self.kind.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)  # the panel is no wider for it
        self.seed = QSpinBox(maximum=MAX_SEED)
        self.seed.setAccessibleName("Seed")
        self.seed.setToolTip("The seed of the random numbers: another one gives others, the same one the same again")
        self.kind.activated.connect(self._fill)
        self.seed.valueChanged.connect(self._fill)
        row_in(self, caption("fill"), self.kind, self.seed).setStretch(1, 1)

    def show_value(self, name: str, value: Value) -> None:
        """Offer to fill an array; the filling that its numbers come from stays chosen."""
        self._name, self._shape = name, value.shape if isinstance(value, Tensor) else ()
        self.setVisible(math.prod(self._shape) > 0 and bool(self._shape))
        unused = max((seed for _, seed in self._chosen.values()), default=-1) + 1  # no two begin with the same numbers
        index, seed = self._chosen.get(name, (-1, unused))
        if not self._shape or index < 0 or value != filled(self._shape, FILLINGS[index], seed):
            index = -1
        self.seed.blockSignals(True)
        self.kind.setCurrentIndex(index)
        self.seed.setValue(seed)
        self.seed.blockSignals(False)
        self.seed.setVisible(index >= 0 and FILLINGS[index].is_random)

    def _fill(self) -> None:
        if (index := self.kind.currentIndex()) >= 0:
            self._chosen[self._name] = index, self.seed.value()
            value = filled(self._shape, FILLINGS[index], self.seed.value())
            self.filled.emit(value, f"Fill {self._name} with {FILLINGS[index].text}")
