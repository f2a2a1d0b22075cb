"""Axes with texts of our own: powers of ten, or names."""

from __future__ import annotations

from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtGui import QFontMetricsF

from cadena.gui import theme as look
from cadena.gui.plots.scale import LogScale, power
from cadena.gui.theme import GAP, Theme

TICK = 4  # pixels
GRID = 0.6  # opacity


class Axis(pg.AxisItem):
    """An axis in the theme's colours and type; lines across the plot belong to the vertical one."""

    def __init__(self, orientation: str, title: str = "") -> None:
        super().__init__(orientation)
        self.enableAutoSIPrefix(False)
        self.title, self.metrics = title, QFontMetricsF(look.font(look.LIGHT))

    def set_theme(self, theme: Theme) -> None:
        """Take over colours, type and line widths."""
        font = look.font(theme, look.SMALL)
        self.metrics = QFontMetricsF(font)
        room = {"tickTextWidth": round(self.widest()), "tickTextHeight": round(self.metrics.height())}
        grid = GRID if self.orientation == "left" else 255
        # Always the same room for the texts: else the first picture of longer ones would be without them.
        self.setStyle(tickFont=font, tickLength=TICK, tickAlpha=grid, autoExpandTextSpace=False, **room)
        self.setPen(pg.mkPen(theme.color("border"), width=theme.line))
        self.setTickPen(pg.mkPen(theme.color("border"), width=theme.line))
        self.setTextPen(pg.mkPen(theme.color("muted")))
        self.setGrid(255 if self.orientation == "left" else False)
        if self.title:
            size = f"{round(look.SMALL * theme.type)}px"
            self.setLabel(self.title, **{"color": theme.muted, "font-size": size})

    def widest(self) -> float:
        """The room that the widest text needs, in pixels."""
        return 0.0

    def tickSpacing(self, minVal: float, maxVal: float, size: float) -> list:
        return []  # of pyqtgraph's own ticks, which do not know what the places mean


class LogAxis(Axis):
    """Places of a LogScale."""

    def __init__(self, orientation: str, title: str = "") -> None:
        self.log = LogScale()
        super().__init__(orientation, title)

    def show_scale(self, log: LogScale) -> None:
        """Another scale from now on."""
        self.log = log
        self.setStyle(tickTextWidth=round(self.widest()))  # which also draws anew

    def widest(self) -> float:
        texts = ["0.005", *(f"5·{power(exponent)}" for exponent in (self.log.low, self.log.high)), *self.log.levels]
        return max(map(self.metrics.horizontalAdvance, texts))

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        upright = self.orientation == "left"
        room = 1.6 * self.metrics.height() if upright else self.metrics.horizontalAdvance("10⁻¹⁶") + 2 * GAP
        return [(1.0, self.log.ticks(minVal, maxVal, size / room))]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return self.log.tick_texts(values)


class NameAxis(Axis):
    """A name at each of the places 0, -1, -2, ... as far as there is room; the first and the last come first."""

    def __init__(self, orientation: str, title: str = "") -> None:
        super().__init__(orientation, title)
        self.names: Sequence[str] = ()

    def show_names(self, names: Sequence[str]) -> None:
        """Other names from now on."""
        self.names = names
        self.picture = None
        self.update()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        seen = range(max(0, -int(maxVal // 1)), min(len(self.names), int(-minVal // 1) + 1))
        if not seen:
            return [(1.0, [])]
        pixels, step = size / (maxVal - minVal), max(1, int(len(seen) / size * self.metrics.averageCharWidth()))
        taken: list[tuple[float, float]] = []
        chosen = []
        for index in dict.fromkeys((seen[0], seen[-1], *seen[::step])):
            half = self.metrics.horizontalAdvance(self.names[index]) / 2 + 3
            begin, end = -index * pixels - half, -index * pixels + half
            if all(end < left or begin > right for left, right in taken):
                taken.append((begin, end))
                chosen.append(float(-index))
        return [(1.0, chosen)]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [self.names[round(-value)] for value in values]
