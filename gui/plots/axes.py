"""Axes with texts of our own: powers of ten, or names."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pyqtgraph as pg
from PySide6.QtCore import QPointF
from PySide6.QtGui import QFontMetricsF

from cadena.core.text.numbers import DIGITS, RELIABLE_DIGITS, short
from cadena.gui.look import theme as look
from cadena.gui.look.theme import GAP, Theme
from cadena.gui.plots.scale import LogScale

TICK = 4  # pixels
GRID = 0.6  # opacity
MOST_TICKS = 9
FINEST = 1e-13  # between two ticks, as a part of their numbers: what lies nearer together is not told apart
OVERHANG = 200  # pixels by which a text may stand beside the end of its axis


class Axis(pg.AxisItem):
    """An axis in the theme's colours and type; lines across the plot belong to the vertical one."""

    def __init__(self, orientation: str, title: str = "") -> None:
        super().__init__(orientation)
        self.enableAutoSIPrefix(False)
        self.title, self.metrics = title, QFontMetricsF(look.font(look.LIGHT))

    def set_theme(self, theme: Theme) -> None:
        """Take over colours, type and line widths."""
        font = look.font(theme, look.CAPTION)
        self.metrics = QFontMetricsF(font)
        room = {"tickTextHeight": round(self.metrics.height()), "autoExpandTextSpace": False}
        grid = GRID if self.orientation == "left" else 255
        self.setStyle(tickFont=font, tickLength=TICK, tickAlpha=grid, hideOverlappingLabels=OVERHANG, **room)
        self.setPen(pg.mkPen(theme.color("border"), width=theme.line))
        self.setTickPen(pg.mkPen(theme.color("border"), width=theme.line))
        self.setTextPen(pg.mkPen(theme.color("muted")))
        self.setGrid(255 if self.orientation == "left" else False)
        if self.title:
            size = f"{round(look.CAPTION * theme.type)}px"
            self.setLabel(self.title, **{"color": theme.muted, "font-size": size})

    def make_room(self, first: float, last: float, pixels: float, least: bool) -> None:
        """Reserve room for the texts between two places before they are painted; no more than that if `least`."""
        texts = [
            text
            for spacing, values in self.tickValues(first, last, pixels)
            for text in self.tickStrings(values, 1.0, spacing)
        ]
        wide = round(max(map(self.metrics.horizontalAdvance, texts), default=0.0)) + TICK
        before = self.style["tickTextWidth"]
        if wide > before or (least and wide != before):
            self.setStyle(tickTextWidth=wide)

    def generateDrawSpecs(self, p):
        """Move the texts at the ends of a horizontal axis so that they are not cut."""
        specs = super().generateDrawSpecs(p)
        if specs is not None and self.orientation == "bottom":
            for place, *_ in specs[2]:
                place.moveCenter(QPointF(self.inside(place.center().x(), place.width() / 2), place.center().y()))
        return specs

    def inside(self, middle: float, half: float) -> float:
        """The middle of a text of that half width, moved to where it is not cut."""
        return max(min(middle, self.size().width() + TICK - half), half - self.x())


class LogAxis(Axis):
    """An axis with the places of a LogScale."""

    def __init__(self, orientation: str, title: str = "") -> None:
        self.log = LogScale()
        super().__init__(orientation, title)

    def show_scale(self, log: LogScale) -> None:
        """Change the scale."""
        self.log = log
        self.picture = None
        self.update()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        upright = self.orientation == "left"
        room = 1.6 * self.metrics.height() if upright else self.metrics.horizontalAdvance("10⁻¹⁶") + 2 * GAP
        return [(1.0, self.log.ticks(minVal, maxVal, size / room))]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return self.log.tick_texts(values)


class NumberAxis(Axis):
    """An axis with the numbers themselves."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        return even_ticks(self, minVal, maxVal, size)

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return even_texts(values, spacing)


class IndexAxis(NumberAxis):
    """An axis of places in a list: whole numbers alone."""

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        first, last = min(minVal, maxVal), max(minVal, maxVal)  # the range is turned where rows go down
        ((step, places),) = super().tickValues(first, last, size)
        return [(max(step, 1.0), [place for place in places if place == round(place)])]


def even_ticks(axis: Axis, first: float, last: float, size: float) -> list:
    """Multiples of 1, 2 or 5 times a power of ten, as many as have room for their texts."""
    upright = axis.orientation == "left"
    text = 1.8 * axis.metrics.height() if upright else axis.metrics.horizontalAdvance("−0.05") + 3 * GAP
    room = max(text, size / MOST_TICKS)
    if not (math.isfinite(first) and math.isfinite(last) and math.isfinite(last - first)):
        return [(1.0, [])]
    finest = max(1e-300, FINEST * max(abs(first), abs(last)))  # ticks nearer to each other have equal numbers
    least = max((last - first) * room / max(size, room), finest)
    power = 10.0 ** math.floor(math.log10(least))
    step = next(part * power for part in (1.0, 2.0, 5.0, 10.0) if part * power >= least * 0.999)
    return [(step, [step * number for number in range(math.ceil(first / step), math.floor(last / step) + 1)])]


def even_texts(values: Sequence[float], spacing: float) -> list[str]:
    """The numbers of such ticks, with as many digits as tell them apart; what is only rounding is 0."""
    ratio = max(map(abs, values), default=0.0) / spacing
    digits = min(max(DIGITS, math.ceil(math.log10(max(ratio, 1.0))) + 1), RELIABLE_DIGITS)
    return [short(0.0 if abs(value) < 1e-9 * spacing else float(value), digits) for value in values]


class NameAxis(Axis):
    """A name at each of the places 0, -1, -2, ... as far as there is room; the first and the last come first."""

    def __init__(self, orientation: str) -> None:
        super().__init__(orientation)
        self.names: Sequence[str] = ()

    def show_names(self, names: Sequence[str]) -> None:
        """Change the names."""
        self.names = names
        self.picture = None
        self.update()

    def tickValues(self, minVal: float, maxVal: float, size: float) -> list:
        visible = range(max(0, -int(maxVal // 1)), min(len(self.names), int(-minVal // 1) + 1))
        if not visible or size <= 0.0 or maxVal <= minVal:  # as of a plot that a splitter leaves no room
            return [(1.0, [])]
        pixels, step = size / (maxVal - minVal), max(1, int(len(visible) / size * self.metrics.averageCharWidth()))
        occupied: list[tuple[float, float]] = []
        chosen = []
        upright = self.orientation == "left"
        for index in dict.fromkeys((visible[0], visible[-1], *visible[::step])):
            half = self.metrics.height() / 2 if upright else self.metrics.horizontalAdvance(self.names[index]) / 2 + 3
            place = (-index - minVal) * pixels
            middle = place if upright else self.inside(place, half)
            begin, end = middle - half, middle + half
            if all(end < left or begin > right for left, right in occupied):
                occupied.append((begin, end))
                chosen.append(float(-index))
        return [(1.0, chosen)]

    def tickStrings(self, values: Sequence[float], scale: float, spacing: float) -> list[str]:
        return [self.names[round(-value)] for value in values]
