"""The output over two elements of leaves: lines of equal height, gradient, steps by gradient and by Newton, a path."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QPointF

from cadena.core.text.numbers import short
from cadena.gui.look.theme import Theme
from cadena.gui.plots.isolines import levels
from cadena.gui.plots.plane import PointPlot

LINES = 14
ARROW = 0.16  # the length of the gradient's arrow, of the plot's smaller side


class Descended(NamedTuple):
    """A contour with a point on it; both steps and the path lead from there. `newton` is None where there is none.

    `ends` are the heights at the ends of the gradient step and of the Newton step.
    """

    names: tuple[str, str]
    xs: np.ndarray
    ys: np.ndarray
    heights: np.ndarray
    at: np.ndarray
    gradient: np.ndarray
    step: np.ndarray
    newton: np.ndarray | None
    path: np.ndarray
    ends: tuple[float, float]


class Contour(PointPlot):
    """A drag moves the point: `placed(x, y)`. Orange are the gradient and its step, green-blue is Newton's."""

    def __init__(self, theme: Theme) -> None:
        self.shown: Descended | None = None
        self._lasting = 0  # items that do not depend on the point
        self._words: list[tuple[pg.TextItem, bool]] = []  # with whether they stand above their places
        super().__init__(theme, "The output over two parameters", "x", "y")

    def show_contour(self, shown: Descended | None) -> None:
        """Show another contour, or the point elsewhere on it."""
        before, self.shown = self.shown, shown
        if shown is not None:
            self.name_axes(*shown.names)
        if shown is None or before is None or shown.heights is not before.heights:
            self.draw()
        else:
            self._draw_point(shown)

    def draw(self) -> None:
        self.clear_drawn()
        shown = self.shown
        self.plotItem.setOpacity(float(shown is not None))
        self.xs = () if shown is None else shown.xs.tolist()
        self._lasting = 0
        if shown is None:
            return
        self.set_ends(float(shown.xs[0]), float(shown.xs[-1]), float(shown.ys[0]), float(shown.ys[-1]))
        self.put_shades(shown.xs, shown.ys, shown.heights)
        for level in levels(shown.heights, LINES):
            self.put_isoline(shown.xs, shown.ys, shown.heights, level, "value", 1.2)
        self._lasting = len(self._drawn)
        self._draw_point(shown)

    def _draw_point(self, shown: Descended) -> None:
        self.clear_drawn(self._lasting)
        self._words = []
        x, y = shown.at
        self.put_curve(shown.path[:, 0], shown.path[:, 1], "muted", 1.6)
        self.put_marks(shown.path[1:, 0], shown.path[1:, 1], "o", 4.0, "muted")
        if shown.newton is not None:
            self._put_step(shown, shown.newton, "tangent", "d", 13.0, self._words_of("Newton step", shown.ends[1]))
        self._put_step(shown, shown.step, "gradient", "s", 10.0, self._words_of("gradient step", shown.ends[0]))
        self._put_gradient(shown)
        self.put_marks([x], [y], "o", 13.0, "window")
        self.put_marks([x], [y], "o", 10.0, "text")
        self.arrange()

    def _words_of(self, step: str, height: float) -> str:
        return step if self.is_quiet else f"{step}: {short(height, 3)}"

    def _put_words(self, words: str, role: str, at: np.ndarray, is_above: bool) -> None:
        text = self.make_text(words, role)
        text.setPos(*at)
        text.setZValue(5)
        self._words.append((text, is_above))
        self.put(text)

    def arrange(self) -> None:
        """Place the words above or below their places, towards the middle and within the plot."""
        visible = self.view.sceneBoundingRect()
        for text, is_above in self._words:
            at, size = self.view.mapViewToScene(text.pos()), text.textItem.boundingRect().size()
            wide, high = size.toTuple()
            is_right = at.x() > visible.center().x()
            left = at.x() - wide - 8.0 if is_right else at.x() + 8.0
            top = at.y() - 1.25 * high if is_above else at.y() + 0.25 * high
            left = min(max(left, visible.left()), visible.right() - wide)
            top = min(max(top, visible.top()), visible.bottom() - high)
            text.setAnchor(((at.x() - left) / wide, (at.y() - top) / high))

    def _put_step(self, shown: Descended, step: np.ndarray, role: str, symbol: str, size: float, words: str) -> None:
        end = shown.at + step
        self.put_curve([shown.at[0], end[0]], [shown.at[1], end[1]], role, 2.2)
        self.put_marks([end[0]], [end[1]], symbol, size, role)
        self._put_words(words, role, end, is_above=step[1] > 0.0)

    def _put_gradient(self, shown: Descended) -> None:
        """An arrow uphill, of one length on the screen: the numbers say how steep it is."""
        largest = float(np.abs(shown.gradient).max())
        if not 0.0 < largest < math.inf:
            return
        direction = shown.gradient / largest  # first: the length of a very large gradient is more than a number can be
        direction /= np.hypot(*direction)
        reach = ARROW * min(shown.xs[-1] - shown.xs[0], shown.ys[-1] - shown.ys[0])
        end = shown.at + reach * direction
        pen = pg.mkPen(self._theme.color("gradient"), width=3.0 * self._theme.line)
        self.put(pg.PlotCurveItem([shown.at[0], end[0]], [shown.at[1], end[1]], pen=pen, antialias=True))
        start, tip = (self.view.mapViewToScene(QPointF(*place)) for place in (shown.at, end))
        angle = math.degrees(math.atan2(tip.y() - start.y(), tip.x() - start.x()))
        length = 14.0 * self._theme.type
        color = self._theme.color("gradient")
        head = pg.ArrowItem(angle=180.0 + angle, headLen=length, tipAngle=40, brush=color, pen=color)
        head.setPos(*end)
        self.put(head)
        self._put_words("gradient", "gradient", end, is_above=bool(shown.gradient[1] >= 0.0))

    @property
    def point(self) -> tuple[float, float] | None:
        return None if self.shown is None else (float(self.shown.at[0]), float(self.shown.at[1]))

    def table(self) -> list[list[object]]:
        if self.shown is None:
            return []
        x, y = np.meshgrid(self.shown.xs, self.shown.ys, indexing="ij")
        rows = np.column_stack([x.ravel(), y.ravel(), self.shown.heights.ravel()])
        return [[*self.shown.names, "height"], *rows.tolist()]
