"""How large the gradient is at each layer, on a logarithmic scale: does it vanish or explode on its way back?"""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPen, QPolygonF
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from core.diagnosis import Layer, by_layer
from core.numbers import SUPERSCRIPTS, short
from gui import theme as look
from gui.panels.common import Throttle
from gui.session import Session
from gui.theme import Theme

EXPLAINED = "Gradients by layer (root mean square)"
TIP = "Root mean square of the gradients at each distance from the output; the output is at the right, as on the canvas"
NOTHING = "There is nothing to plot yet: choose an output whose gradients are wanted at several layers."
WAYS = {Qt.Key.Key_Left: 1, Qt.Key.Key_Right: -1}
PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
MOST_TICKS, MOST_DIAMONDS = 5, 80


class LayersPlot(QWidget):
    """The plot under its title. `nodesChosen(names)` when a layer is clicked, or chosen with the keys."""

    nodesChosen = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self.curve = Curve(theme)
        self.curve.pointed.connect(self._describe)
        self.curve.chosen.connect(lambda layer: self.nodesChosen.emit(list(layer.nodes)))
        self.told = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.told.setToolTip(TIP)
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setProperty("quiet", True)
        self.close_button.setToolTip("Put the plot away")
        self.close_button.setAccessibleName("Put the plot away")
        self.close_button.clicked.connect(self.hide)
        self.setFocusProxy(self.curve)
        self._soon = Throttle(self, self.follow)
        session.runChanged.connect(self._soon.request)
        self._lay_out()

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.told, 1)
        head.addWidget(self.close_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(look.GAP, 2, look.GAP, look.GAP // 2)
        column.setSpacing(2)
        column.addLayout(head)
        column.addWidget(self.curve, 1)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
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


class Curve(QWidget):
    """A diamond for each layer, the output at the right as on the canvas; 0 lies on the floor, inf and nan on top."""

    pointed = Signal(object)  # the layer under the mouse or the keys, or None
    chosen = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.layers: tuple[Layer, ...] = ()
        self._theme, self._at = theme, None  # type: Theme, int | None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName("Gradients by layer")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(220, round(84 * self._theme.type))

    def sizeHint(self) -> QSize:
        return QSize(360, round(130 * self._theme.type))

    def show_layers(self, layers: tuple[Layer, ...]) -> None:
        self.layers, self._at = layers, None
        self.update()

    # --- where things are

    @property
    def metrics(self) -> QFontMetrics:
        return QFontMetrics(look.font(self._theme, look.SMALL))

    @property
    def decades(self) -> tuple[int, int]:
        """The powers of ten at the bottom and the top."""
        logs = [math.log10(layer.norm) for layer in self.layers if 0.0 < layer.norm < math.inf]
        low, high = (math.floor(min(logs)), math.ceil(max(logs))) if logs else (0, 1)
        return (low, high) if high > low else (low - 1, high)

    @property
    def ticks(self) -> list[int]:
        low, high = self.decades
        most = max(2, min(MOST_TICKS, self.height() // (2 * self.metrics.height())))
        step = math.ceil((high - low) / (most - 1))
        return list(range(low, high + 1, step))

    def area(self) -> QRectF:
        """Where the points lie, between the numbers at the left and the names below."""
        metrics, side = self.metrics, self._diamond()
        left = max(metrics.horizontalAdvance(power(tick)) for tick in self.ticks) + 2 * look.GAP
        return QRectF(self.rect()).adjusted(left, metrics.height(), -3 * look.GAP, -metrics.height() - 2 * side)

    def points(self) -> list[QPointF]:
        """The places of the layers."""
        area, (low, high), side = self.area(), self.decades, self._diamond()
        step, decade = area.width() / (len(self.layers) - 1), area.height() / (high - low)

        def height(norm: float) -> float:
            if norm == 0.0:
                return area.bottom() + side
            return area.bottom() - decade * (math.log10(norm) - low) if math.isfinite(norm) else area.top() - side

        return [QPointF(area.right() - step * layer.depth, height(layer.norm)) for layer in self.layers]

    def _diamond(self) -> float:
        return 5.0 * self._theme.type if len(self.layers) <= MOST_DIAMONDS else 2.0

    # --- painting

    def paintEvent(self, event) -> None:
        if not self.layers:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.font(self._theme, look.SMALL))
        points = self.points()
        self._paint_scale(painter)
        self._paint_curve(painter, points)
        self._paint_names(painter, points)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("value"), 2.0 * self._theme.line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def _paint_scale(self, painter: QPainter) -> None:
        area, (low, high), theme = self.area(), self.decades, self._theme
        tall = self.metrics.height()
        for tick in self.ticks:
            y = area.bottom() - area.height() * (tick - low) / (high - low)
            painter.setPen(QPen(theme.color("border", 0.6), theme.line))
            painter.drawLine(QPointF(area.left() - 4, y), QPointF(area.right(), y))
            painter.setPen(theme.color("muted"))
            room = QRectF(0.0, y - tall / 2, area.left() - look.GAP, tall)
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, power(tick))

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
                self._write(painter, short(layer.norm), at + QPointF(0.0, -half - 0.6 * self.metrics.height()), "text")

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
                self._write(painter, text, QPointF(x, y), "text" if index == self._at else "muted")

    def _name(self, index: int) -> str:
        nodes = self.layers[index].nodes
        return nodes[0] if len(nodes) == 1 else f"{nodes[0]} +{len(nodes) - 1}"

    def _write(self, painter: QPainter, text: str, middle: QPointF, role: str) -> None:
        wide, tall = self.metrics.horizontalAdvance(text) + 4.0, float(self.metrics.height())
        painter.setPen(self._theme.color(role))
        room = QRectF(middle.x() - wide / 2, middle.y() - tall / 2, wide, tall)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

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

    def event(self, event) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and event.key() in (*PRESS, *WAYS):
            event.accept()  # else the arrows would go from step to step
            return True
        return super().event(event)

    def keyPressEvent(self, event) -> None:
        if event.key() in WAYS and self.layers:
            at = -1 if self._at is None and WAYS[event.key()] == 1 else self._at or 0
            self.point_at(min(max(at + WAYS[event.key()], 0), len(self.layers) - 1))
        elif event.key() in PRESS:
            self._choose()
        else:
            super().keyPressEvent(event)


def power(exponent: int) -> str:
    """A power of ten: "1", "10⁻³"."""
    return f"10{str(exponent).translate(SUPERSCRIPTS)}" if exponent else "1"
