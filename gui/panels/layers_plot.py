"""How large the gradient is at each layer, on a logarithmic scale: does it vanish or explode on its way back?"""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPen, QPolygonF

from cadena.core.doctor.findings.layers import Layer, by_layer
from cadena.core.text.numbers import short
from cadena.gui.panels.common import Throttle
from cadena.gui.panels.log_plot import PRESS, LogAxis, LogPlot, PlotFrame, decades, power
from cadena.gui.session import Session
from cadena.gui.theme import GAP, Theme

EXPLAINED = "Gradients by layer (root mean square)"
TIP = "Root mean square of the gradients at each distance from the output; the output is at the right, as on the canvas"
NOTHING = "There is nothing to plot yet: choose an output whose gradients are wanted at several layers."
WAYS = {Qt.Key.Key_Left: 1, Qt.Key.Key_Right: -1}
MOST_DIAMONDS = 80


class LayersPlot(PlotFrame):
    """The plot under its title. `nodesChosen(names)` when a layer is clicked, or chosen with the keys."""

    nodesChosen = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        self.curve = Curve(theme)
        super().__init__(self.curve)
        self.session = session
        self.curve.pointed.connect(self._describe)
        self.curve.chosen.connect(lambda layer: self.nodesChosen.emit(list(layer.nodes)))
        self.told.setToolTip(TIP)
        self.close_button.clicked.connect(self.hide)
        self._soon = Throttle(self, self.follow)
        session.runChanged.connect(self._soon.request)

    def set_theme(self, theme: Theme) -> None:
        self.curve.set_theme(theme)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.follow()

    def follow(self) -> None:
        """Show the layers of the latest run."""
        if self.isVisible():
            layers = by_layer(self.session.run)
            self.curve.show_layers(layers if len(layers) > 1 else ())
            self._describe(None)

    def _describe(self, layer: Layer | None) -> None:
        """Tell one layer in numbers, or what the plot is."""
        text = (EXPLAINED if self.curve.layers else NOTHING) if layer is None else told(layer)
        self.told.setText(text)
        self.curve.setAccessibleDescription(text)


def told(layer: Layer) -> str:
    """ "Layer 3: a, b. Root mean square 0.01, largest 0.02." """
    names = ", ".join(layer.nodes[:4]) + (f" and {len(layer.nodes) - 4} more" if len(layer.nodes) > 4 else "")
    return f"Layer {layer.depth}: {names}. Root mean square {short(layer.norm)}, largest {short(layer.largest)}."


class Curve(LogPlot):
    """A diamond for each layer, the output at the right as on the canvas; 0 lies on the floor, inf and nan on top."""

    pointed = Signal(object)  # the layer under the mouse or the keys, or None
    chosen = Signal(object)
    own_keys = (*PRESS, *WAYS)

    def __init__(self, theme: Theme) -> None:
        super().__init__(theme, self._paint_layers)
        self.layers: tuple[Layer, ...] = ()
        self._at: int | None = None
        self.setAccessibleName("Gradients by layer")

    def minimumSizeHint(self) -> QSize:
        return QSize(220, round(84 * self._theme.type))

    def sizeHint(self) -> QSize:
        return QSize(360, round(130 * self._theme.type))

    def show_layers(self, layers: tuple[Layer, ...]) -> None:
        self.layers, self._at = layers, None
        self.update()

    # --- where things are

    @property
    def decades(self) -> tuple[int, int]:
        """The powers of ten at the bottom and the top."""
        return decades(layer.norm for layer in self.layers)

    def _axis(self, area: QRectF) -> LogAxis:
        return LogAxis(*self.decades, area.bottom(), area.top())

    @property
    def ticks(self) -> list[int]:
        return LogAxis(*self.decades, 0.0, 1.0).ticks(self.most_ticks(self.height()))

    def area(self) -> QRectF:
        """Where the points lie, between the numbers at the left and the names below."""
        metrics, side = self.metrics, self._diamond()
        left = max(metrics.horizontalAdvance(power(tick)) for tick in self.ticks) + 2 * GAP
        return QRectF(self.rect()).adjusted(left, metrics.height(), -3 * GAP, -metrics.height() - 2 * side)

    def points(self) -> list[QPointF]:
        """The places of the layers."""
        area, side = self.area(), self._diamond()
        step, axis = area.width() / (len(self.layers) - 1), self._axis(area)

        def height(norm: float) -> float:
            if norm == 0.0:
                return area.bottom() + side
            return axis.place(norm) if math.isfinite(norm) else area.top() - side

        return [QPointF(area.right() - step * layer.depth, height(layer.norm)) for layer in self.layers]

    def _diamond(self) -> float:
        return 5.0 * self._theme.type if len(self.layers) <= MOST_DIAMONDS else 2.0

    # --- painting

    def _paint_layers(self, painter: QPainter) -> None:
        if not self.layers:
            return
        points, area = self.points(), self.area()
        self.paint_scale(painter, area, self._axis(area), self.ticks)
        self._paint_curve(painter, points)
        self._paint_names(painter, points)

    def _paint_curve(self, painter: QPainter, points: list[QPointF]) -> None:
        theme, half = self._theme, self._diamond()
        painter.setPen(QPen(theme.color("gradient", 0.6), 2.0 * theme.line))
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        for index, (layer, at) in enumerate(zip(self.layers, points, strict=True)):
            size = half * (1.6 if index == self._at else 1.0)
            painter.setBrush(theme.color("gradient" if math.isfinite(layer.norm) else "fault"))
            painter.drawPolygon(QPolygonF([at + QPointF(*way) * size for way in ((0, -1), (1, 0), (0, 1), (-1, 0))]))
            if layer.norm == 0.0 or not math.isfinite(layer.norm):
                self.write(painter, short(layer.norm), at + QPointF(0.0, -half - 0.6 * self.metrics.height()), "text")

    def _paint_names(self, painter: QPainter, points: list[QPointF]) -> None:
        """The first node of each layer below it, as far as there is room; the ends and the chosen one come first."""
        y = self.height() - 0.5 * self.metrics.height() - 1.0
        last = len(points) - 1
        order = dict.fromkeys([*([self._at] if self._at is not None else []), 0, last, *range(last + 1)])
        taken: list[tuple[float, float]] = []
        for index in list(order)[: 3 * MOST_DIAMONDS]:
            text = self._name(index)
            half = self.metrics.horizontalAdvance(text) / 2 + 3
            x = min(max(points[index].x(), half), self.width() - half)
            if all(x + half < begin or x - half > end for begin, end in taken):
                taken.append((x - half, x + half))
                self.write(painter, text, QPointF(x, y), "text" if index == self._at else "muted")

    def _name(self, index: int) -> str:
        nodes = self.layers[index].nodes
        return nodes[0] if len(nodes) == 1 else f"{nodes[0]} +{len(nodes) - 1}"

    # --- mouse and keys

    def point_at(self, index: int | None) -> None:
        """Tell one layer, or none."""
        if index != self._at:
            self._at = index
            self.pointed.emit(None if index is None else self.layers[index])
            self.update()

    def _nearest(self, x: float) -> int | None:
        if not self.layers:
            return None
        area, last = self.area(), len(self.layers) - 1
        return min(max(round((area.right() - x) / max(area.width(), 1.0) * last), 0), last)

    def mouseMoveEvent(self, event) -> None:
        self.point_at(self._nearest(event.position().x()))

    def leaveEvent(self, event) -> None:
        self.point_at(None)

    def mousePressEvent(self, event) -> None:
        self.point_at(self._nearest(event.position().x()))
        self._choose()

    def _choose(self) -> None:
        if self._at is not None:
            self.chosen.emit(self.layers[self._at])

    def keyPressEvent(self, event) -> None:
        if event.key() in WAYS and self.layers:
            at = -1 if self._at is None and WAYS[event.key()] == 1 else self._at or 0
            self.point_at(min(max(at + WAYS[event.key()], 0), len(self.layers) - 1))
        elif event.key() in PRESS:
            self._choose()
        else:
            super().keyPressEvent(event)
