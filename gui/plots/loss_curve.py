"""The loss over the steps of a training, on powers of ten where it is positive and falls by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cadena.core.text.numbers import short
from cadena.gui.look.theme import Theme
from cadena.gui.plots.axes import LogAxis, NumberAxis, even_texts, even_ticks
from cadena.gui.plots.plot import Plot
from cadena.gui.plots.scale import LogScale

DECADE = 10.0  # a loss that falls by less is drawn over even numbers: between two powers of ten it would be flat
MOST = 400  # points that are drawn; each is the largest loss of a stretch


class LossAxis(LogAxis):
    """Powers of ten, or the numbers themselves where some are not positive."""

    is_linear = False

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        if self.is_linear:
            return even_ticks(self, minVal, maxVal, size)
        return super().tickValues(minVal, maxVal, size)

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        if self.is_linear:
            return even_texts(values, spacing)
        return super().tickStrings(values, scale, spacing)


class LossCurve(Plot):
    """A curve that grows with the steps, from the loss before the first one."""

    has_powers = False

    def __init__(self, theme: Theme) -> None:
        self.losses: Sequence[float] = ()
        self.heights: Sequence[float] = ()
        super().__init__(theme, "Loss over the steps", NumberAxis("bottom", "step"), LossAxis("left", "loss"))

    def show_losses(self, losses: Sequence[float]) -> None:
        """Show the losses of all steps so far."""
        self.losses = losses
        self.draw()

    def draw(self) -> None:
        self.clear_drawn()
        losses = np.array(self.losses, float)
        self.plotItem.setOpacity(float(bool(len(losses))))
        self.xs = ()
        if not len(losses):
            return
        stretch = -(-len(losses) // MOST)
        starts = np.arange(0, len(losses), stretch)
        drawn = np.maximum.reduceat(losses, starts)
        self.xs = starts.astype(float).tolist()
        self.left.is_linear = bool((drawn < 0.0).any() or drawn.max() / DECADE < drawn.min())
        if self.left.is_linear:
            finite = drawn[np.isfinite(drawn)] if np.isfinite(drawn).any() else np.zeros(1)
            self.heights, low, high = drawn.tolist(), float(finite.min()), float(finite.max())
        else:
            scale = LogScale.of(drawn)
            self.left.show_scale(scale)
            self.heights = [scale.place(loss) for loss in drawn.tolist()]
            low, high = scale.ends
        self.set_ends(0.0, max(self.xs[-1], 1.0), low, high)
        self.put_curve(self.xs, self.heights, "value", 2.0)

    def height_at(self, index: int) -> float:
        return float(self.heights[index])

    def reading(self, index: int, height: float) -> tuple[str, str]:
        own = height == self.height_at(index)
        stretch = -(-len(self.losses) // MOST)
        here = max(self.losses[index * stretch : (index + 1) * stretch])
        at_left = short(here) if own else short(height, 3) if self.left.is_linear else self.left.log.read(height)
        return short(self.xs[index]), at_left

    def table(self) -> list[list[object]]:
        rows: list[list[object]] = [[number, loss] for number, loss in enumerate(self.losses)]
        return [["step", "loss"], *rows]
