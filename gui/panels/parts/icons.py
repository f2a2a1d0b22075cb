"""The panels' icons, drawn as paths on a 24 x 24 grid: sharp at any size, in any theme's ink, and no emoji."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPainterPath, QPen, QPixmap, QPolygonF

from cadena.gui.look.theme import Theme

GRID = 24.0


def _polygon(*points: tuple[float, float]) -> QPainterPath:
    path = QPainterPath()
    path.addPolygon(QPolygonF([QPointF(*point) for point in points]))
    path.closeSubpath()
    return path


def _bar(x: float, width: float = 3.0) -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(x, 5, width, 14), 1, 1)
    return path


def _play() -> QPainterPath:
    return _polygon((7, 4.5), (19.5, 12), (7, 19.5))


def _pause() -> QPainterPath:
    return _bar(6.5, 4) + _bar(13.5, 4)


def _step() -> QPainterPath:
    return _polygon((6, 5.5), (16, 12), (6, 18.5)) + _bar(16.5, 2.2)


def _to_end() -> QPainterPath:
    return _polygon((3, 5.5), (11, 12), (3, 18.5)) + _polygon((10.5, 5.5), (18.5, 12), (10.5, 18.5)) + _bar(18.8, 2.2)


def _mirrored(make: Callable[[], QPainterPath]) -> Callable[[], QPainterPath]:
    def mirrored() -> QPainterPath:
        flipped = QPainterPath()
        for polygon in make().toSubpathPolygons():
            flipped.addPolygon(QPolygonF([QPointF(GRID - point.x(), point.y()) for point in polygon.toList()]))
        return flipped

    return mirrored


def _loop() -> QPainterPath:
    path = QPainterPath(QPointF(5, 13.5))
    path.cubicTo(5, 8.5, 7.5, 7, 11, 7)
    path.lineTo(18, 7)
    path.moveTo(14.5, 3.5)
    path.lineTo(18, 7)
    path.lineTo(14.5, 10.5)
    path.moveTo(19, 10.5)
    path.cubicTo(19, 15.5, 16.5, 17, 13, 17)
    path.lineTo(6, 17)
    path.moveTo(9.5, 13.5)
    path.lineTo(6, 17)
    path.lineTo(9.5, 20.5)
    return path


def _search() -> QPainterPath:
    path = QPainterPath()
    path.addEllipse(QPointF(10.5, 10.5), 5.5, 5.5)
    path.moveTo(14.8, 14.8)
    path.lineTo(20, 20)
    return path


def _mark() -> QPainterPath:
    path = QPainterPath()
    path.addRoundedRect(QRectF(2, 7.5, 12.5, 9), 4.5, 4.5)
    path.addRoundedRect(QRectF(9.5, 7.5, 12.5, 9), 4.5, 4.5)
    return path


def _window_split(begin: QPointF, end: QPointF) -> Callable[[], QPainterPath]:
    def split() -> QPainterPath:
        path = QPainterPath()
        path.addRoundedRect(QRectF(4.0, 5.0, 16.0, 14.0), 2.0, 2.0)
        path.moveTo(begin)
        path.lineTo(end)
        return path

    return split


def _close() -> QPainterPath:
    path = QPainterPath(QPointF(6.5, 6.5))
    path.lineTo(17.5, 17.5)
    path.moveTo(17.5, 6.5)
    path.lineTo(6.5, 17.5)
    return path


def _fault() -> QPainterPath:
    path = _polygon((12, 3), (22, 20.5), (2, 20.5))
    mark = QPainterPath()
    mark.addRoundedRect(QRectF(11, 9, 2, 6), 1, 1)
    mark.addEllipse(QPointF(12, 17.6), 1.2, 1.2)
    return path - mark


def _hint() -> QPainterPath:
    disc, mark = QPainterPath(), QPainterPath()
    disc.addEllipse(QPointF(12, 12), 9.5, 9.5)
    mark.addEllipse(QPointF(12, 7.4), 1.5, 1.5)
    mark.addRoundedRect(QRectF(10.8, 10.4, 2.4, 7.2), 1.2, 1.2)
    return disc - mark


def _good() -> QPainterPath:
    path = QPainterPath(QPointF(4.5, 12.5))
    path.lineTo(10, 18)
    path.lineTo(20, 6.5)
    return path


def _flag() -> QPainterPath:
    return _polygon((7, 4), (21, 9.5), (7, 15)) + _bar(4.5, 2.2)


FILLED: dict[str, Callable[[], QPainterPath]] = {
    "to-start": _mirrored(_to_end), "step-back": _mirrored(_step), "play": _play, "pause": _pause, "step": _step,
    "to-end": _to_end, "fault": _fault, "flag": _flag, "hint": _hint,
}  # fmt: skip
STROKED: dict[str, Callable[[], QPainterPath]] = {
    "loop": _loop, "search": _search, "good": _good, "mark": _mark, "close": _close,
    "below": _window_split(QPointF(4.0, 14.0), QPointF(20.0, 14.0)),
    "beside": _window_split(QPointF(14.5, 5.0), QPointF(14.5, 19.0)),
}  # fmt: skip
NAMES = (*FILLED, *STROKED)


def draw(painter: QPainter, name: str, room: QRectF, color: QColor) -> None:
    """Draw the icon `name` in the middle of `room`."""
    side = min(room.width(), room.height())
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(room.center().x() - side / 2, room.center().y() - side / 2)
    painter.scale(side / GRID, side / GRID)
    if name in FILLED:
        painter.fillPath(FILLED[name](), color)
    else:
        cap, join = Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
        painter.strokePath(STROKED[name](), QPen(color, 2.2, Qt.PenStyle.SolidLine, cap, join))
    painter.restore()


class _Engine(QIconEngine):
    """Draws the icon anew for each size and device ratio that Qt asks for."""

    def __init__(self, name: str, color: QColor, checked: QColor, disabled: QColor) -> None:
        super().__init__()
        self._name, self._color, self._checked, self._disabled = name, color, checked, disabled

    def paint(self, painter, rect, mode, state):
        color = self._checked if state is QIcon.State.On or mode is QIcon.Mode.Selected else self._color
        draw(painter, self._name, QRectF(rect), self._disabled if mode is QIcon.Mode.Disabled else color)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        pixmap = QPixmap(size)
        if pixmap.isNull():  # a button that has no room asks for an icon of no size
            return pixmap
        pixmap.fill(Qt.GlobalColor.transparent)
        with QPainter(pixmap) as painter:
            self.paint(painter, pixmap.rect(), mode, state)
        return pixmap

    def clone(self) -> QIconEngine:
        return _Engine(self._name, self._color, self._checked, self._disabled)


def icon(name: str, theme: Theme, role: str = "text") -> QIcon:
    """The icon `name` in the colour of `role`; right too on a button that is down, disabled, or in a selected row."""
    return QIcon(_Engine(name, theme.color(role), theme.color("on_strong"), theme.color("muted", 0.6)))
