"""The output over a node in the inspector: a curve, the point where the graph is, and the tangent with its slope."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, QSizeF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from cadena.core.text.numbers import short
from cadena.core.text.plain_text import elided
from cadena.gui.look import theme as look
from cadena.gui.look.theme import GAP, RADIUS, Theme

if TYPE_CHECKING:  # the page is made before a node is selected
    from cadena.core.methods.nudging import Response

HEIGHT = 148  # pixels at `type` 1
TANGENT_SHARE = 0.2  # of the width, to each side of the point
KNOB = 5.0  # pixels: the radius of the point
CURVE, TANGENT, AXIS = 2.0, 4.5, 1.2  # the widths of the lines
MAX_LETTERS = 12  # of a name beside an axis


class ResponsePlot(QWidget):
    """Painted by hand, as the first window shows it and pyqtgraph takes longer to import than the window to open."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.response: Response | None = None
        self._names = ("", "")
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.set_theme(theme)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._bold = theme, look.font(theme, look.CAPTION, bold=True)
        self._measure = QFontMetricsF(self._bold)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(200, round(HEIGHT * self._theme.type))

    def show_response(self, response: Response | None, name: str = "", output: str = "") -> None:
        """Show the output over a node, by their names; None for nothing."""
        self.response, self._names = response, (elided(name, MAX_LETTERS), elided(output, MAX_LETTERS))
        self.setVisible(response is not None)
        if response is not None:
            slope = f"slope {short(response.slope)} at {short(response.at)}"
            self.setAccessibleName(f"{output} over {name}: {slope}")
            self.update()

    # --- painting

    def paintEvent(self, event: QPaintEvent) -> None:
        if self.response is None:
            return
        theme = self._theme
        with QPainter(self) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(theme.color("hairline"), theme.line))
            painter.setBrush(theme.color("canvas"))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
            painter.setFont(look.font(theme, look.CAPTION))
            self._paint(painter, self.response)

    def _paint(self, painter: QPainter, response: Response) -> None:
        theme, room = self._theme, self._room
        to_pixels = _Scale(room, response)
        point, corner = to_pixels.point(response.at, response.height), room.bottomLeft()
        painter.setPen(QPen(theme.color("border"), AXIS * theme.line))
        painter.drawPolyline(QPolygonF([room.topLeft(), corner, room.bottomRight()]))
        painter.setPen(QPen(theme.color("border"), theme.line, Qt.PenStyle.DotLine))
        painter.drawLine(QPointF(room.left(), point.y()), point)
        painter.drawLine(QPointF(point.x(), room.bottom()), point)
        painter.save()
        painter.setClipRect(room.adjusted(0.0, -KNOB, KNOB, 0.0))
        painter.setPen(_round_pen(theme.color("value_strong"), CURVE * theme.line))
        for line in to_pixels.lines():
            painter.drawPolyline(QPolygonF(line))
        painter.setPen(_round_pen(theme.color("gradient_strong"), TANGENT * theme.line**0.5))
        painter.drawLine(*to_pixels.tangent())
        painter.restore()
        painter.setPen(QPen(theme.color("text"), 2.0 * theme.line**0.5))
        painter.setBrush(theme.color("card"))
        painter.drawEllipse(point, KNOB, KNOB)
        self._paint_words(painter, response, to_pixels, point)

    @property
    def _room(self) -> QRectF:
        """The area between the axes."""
        left = max(map(self._measure.horizontalAdvance, (self._names[1], self._height)))
        high = self._measure.height()
        return QRectF(self.rect()).adjusted(left + 2 * GAP, 1.5 * GAP, -2 * GAP, -high - 1.5 * GAP)

    @property
    def _height(self) -> str:
        return short(self.response.height) if self.response is not None else ""

    def _paint_words(self, painter: QPainter, response: Response, to_pixels: _Scale, point: QPointF) -> None:
        theme, room, high, (name, output) = self._theme, self._room, self._measure.height(), self._names
        right, at, slope = Qt.AlignmentFlag.AlignRight, short(response.at), f"slope {short(response.slope)}"
        side = QRectF(0.0, room.top() - GAP / 2, room.left() - GAP / 2, high)
        below = QRectF(room.left(), room.bottom() + GAP / 2, room.width(), high)
        painter.setPen(theme.color("muted"))
        painter.drawText(side, right, output)
        painter.drawText(below, right, name)
        painter.setFont(self._bold)
        painter.setPen(theme.color("value"))
        y = min(max(point.y() - high / 2, side.bottom()), room.bottom() - high)
        painter.drawText(QRectF(0.0, y, side.width(), high), right, self._height)
        wide = self._measure.horizontalAdvance(at) + 1.0
        most = room.right() - self._measure.horizontalAdvance(name) - GAP - wide
        painter.drawText(QRectF(min(point.x() - wide / 2, most), below.top(), wide, high), right, at)
        painter.setPen(theme.color("gradient"))
        size = QSizeF(self._measure.horizontalAdvance(slope) + 1.0, high)
        painter.drawText(to_pixels.free(size), Qt.AlignmentFlag.AlignCenter, slope)


def _round_pen(color: QColor, width: float) -> QPen:
    return QPen(color, width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


class _Scale:
    """The curve in pixels of a room."""

    def __init__(self, room: QRectF, response: Response) -> None:
        self.room, self.response = room, response
        finite = response.heights[np.isfinite(response.heights)]
        low, high = float(finite.min()), float(finite.max())
        more = 0.08 * (high - low) or 0.5 * abs(high) or 0.5
        self._low, self._high = low - more, high + more

    def point(self, place: float, height: float) -> QPointF:
        first, last = float(self.response.places[0]), float(self.response.places[-1])
        across = (place - first) / (last - first)
        down = (self._high - height) / (self._high - self._low)
        return QPointF(self.room.left() + across * self.room.width(), self.room.top() + down * self.room.height())

    def lines(self) -> Iterator[list[QPointF]]:
        """The parts of the curve between places where it has no number."""
        line = list[QPointF]()
        for place, height in zip(self.response.places.tolist(), self.response.heights.tolist(), strict=True):
            if math.isfinite(height):
                line.append(self.point(place, height))
            elif line:
                yield line
                line = []
        if line:
            yield line

    def tangent(self) -> tuple[QPointF, QPointF]:
        """The ends of the tangent around the point, of one length whatever its slope."""
        response, middle = self.response, self.point(self.response.at, self.response.height)
        ahead = self.point(response.at + (reach := self._reach), response.height + response.slope * reach) - middle
        length = math.hypot(ahead.x(), ahead.y())
        way = ahead * (TANGENT_SHARE * self.room.width() / length)
        return middle - way, middle + way

    @property
    def _reach(self) -> float:
        return float(self.response.places[-1]) - self.response.at

    def free(self, size: QSizeF) -> QRectF:
        """The place for words of this size among the corners, where the curve is farthest."""
        wide, high = size.width() + 2.0 * GAP, size.height() + GAP
        corners = [
            QRectF(x, y, wide, high)
            for y in (self.room.top(), self.room.bottom() - high)
            for x in (self.room.right() - wide, self.room.left())
        ]
        points = [point for line in self.lines() for point in line]
        return max(corners, key=lambda corner: round(min(_distance(corner, point) for point in points)))


def _distance(area: QRectF, point: QPointF) -> float:
    x = max(area.left() - point.x(), point.x() - area.right(), 0.0)
    y = max(area.top() - point.y(), point.y() - area.bottom(), 0.0)
    return math.hypot(x, y)
