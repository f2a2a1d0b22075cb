"""The line of time: a bar, blue for the forward pass and orange for the reverse pass, with ticks and a handle."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy

from cadena.core.methods.reverse.timeline import Stretch, Timeline
from cadena.gui.look import theme as look
from cadena.gui.look.batches import draw_lines
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session

TRACK, HANDLE, TICK = 6.0, 9.0, 5.0  # pixels at `type` 1: height of the bar, radius of the handle, length of a tick
PAGE = 10.0  # steps that Page Up and Page Down move by
MIN_GAP = 5.0  # pixels between two ticks of one pixel; with more steps only every 2nd, 5th, 10th ... has one


class Scrubber(QAbstractSlider):
    """The bar that shows `session.time`; a press or a drag sets it, the arrow keys move by whole steps."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(orientation=Qt.Orientation.Horizontal)
        self.session = session
        self._kept: tuple[tuple[object, ...], QPixmap] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Step")
        self.setToolTip("Drag to any moment of the run (arrow keys: step by step)")
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(look.font(theme, look.CAPTION))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, round(self._labels_top() + self.fontMetrics().height() + 1))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def follow(self) -> None:
        """Show the session's time."""
        steps = len(self.session.timeline)
        if self.maximum() != steps:
            self.setRange(0, steps)
        self.setValue(self.session.frame.number)
        self.update()

    @property
    def now(self) -> float:
        """The moment that is shown; in build mode the end."""
        return self.session.frame.time

    # --- places

    def _line(self) -> tuple[float, float, float]:
        """Left end, right end and height of the bar's middle."""
        margin = (HANDLE + 2) * self._theme.type
        return margin, self.width() - margin, margin

    def _labels_top(self) -> float:
        return (2 * HANDLE + 4) * self._theme.type

    def place(self, time: float) -> float:
        """The x of a moment."""
        left, right, _ = self._line()
        return left + (right - left) * time / max(len(self.session.timeline), 1)

    def time_at(self, x: float) -> float:
        """The moment at `x`, the nearest end where that is outside."""
        left, right, _ = self._line()
        steps = len(self.session.timeline)
        return min(max((x - left) / max(right - left, 1.0), 0.0), 1.0) * steps

    # --- painting

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        timeline = self.session.timeline
        stretches = timeline.stretches
        painter.drawPixmap(0, 0, self._still(timeline))
        ends = [*(stretch.begin for stretch in stretches[1:]), len(timeline)]
        for stretch, end in zip(stretches, ends):
            self._paint_bar(painter, stretch.begin, min(self.now, end), stretch.role)
        self._paint_section(painter)
        started = [stretch.role for stretch in stretches if stretch.begin < self.now]
        self._paint_handle(painter, started[-1] if started else "value")

    def _still(self, timeline: Timeline) -> QPixmap:
        """Ticks, the empty bar and words, which stay from step to step."""
        theme, ratio = self._theme, self.devicePixelRatioF()
        key = (len(timeline), timeline.stretches, theme, self.font(), self.size(), ratio)
        if self._kept is None or self._kept[0] != key:
            pixmap = QPixmap(self.size() * ratio)
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(pixmap) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self._paint_ticks(painter, len(timeline))
                self._paint_bar(painter, 0.0, float(len(timeline)), "border", 0.5 if theme.line < 2 else 0.35)
                self._paint_labels(painter, timeline.stretches)
            self._kept = key, pixmap
        return self._kept[1]

    def _paint_bar(self, painter: QPainter, begin: float, end: float, role: str, alpha: float = 1.0) -> None:
        if end <= begin and role != "border":
            return
        left, right, y = self._line()
        x0, x1 = (left, right) if role == "border" else (self.place(begin), self.place(end))
        height = TRACK * self._theme.type
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color(role, alpha))
        painter.drawRoundedRect(QRectF(x0, y - height / 2, x1 - x0, height), height / 2, height / 2)

    def _paint_ticks(self, painter: QPainter, steps: int) -> None:
        left, right, y = self._line()
        if not steps or right <= left:  # in a window so narrow no stride is wide enough
            return
        stride, distance = 1, (right - left) / steps
        while distance * stride < MIN_GAP * self._theme.line:
            stride = next(n for n in (10 ** math.floor(math.log10(stride)) * f for f in (1, 2, 5, 10)) if n > stride)
        top = y + (TRACK / 2 + 2) * self._theme.type
        painter.setPen(QPen(self._theme.color("muted", 0.8), self._theme.line))  # whole pixels, lest some look bolder
        x = left + (right - left) * np.arange(0, steps + 1, stride) / steps
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)  # crisp, and all of one strength
        draw_lines(
            painter, np.column_stack([x, np.full_like(x, top), x, np.full_like(x, top + TICK * self._theme.type)])
        )
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)

    def _paint_section(self, painter: QPainter) -> None:
        """Brackets around the section that is played again and again."""
        playback, theme = self.session.playback, self._theme
        if playback.section is None or not playback.loop:
            return
        _, _, y = self._line()
        high, foot = (TRACK / 2 + 4) * theme.type, 4.0 * theme.type
        painter.setPen(QPen(theme.color("text"), 2.0 * theme.line))
        for time, side in zip(playback.section, (1.0, -1.0), strict=True):
            x = self.place(time)
            painter.drawPolyline(
                [
                    QPointF(x + side * foot, y - high),
                    QPointF(x, y - high),
                    QPointF(x, y + high),
                    QPointF(x + side * foot, y + high),
                ]
            )

    def _paint_labels(self, painter: QPainter, stretches: tuple[Stretch, ...]) -> None:
        painter.setFont(self.font())
        metrics, top = self.fontMetrics(), self._labels_top()
        free_from = 0.0
        for word, time, role in stretches:
            x = min(max(self.place(time), free_from), self.width() - metrics.horizontalAdvance(word))
            if x < free_from or (len(stretches) > 2 and x > self.place(time) + 1.0):
                continue  # of many passes only those with room for it are named
            painter.setPen(self._theme.color(role))
            painter.drawText(QPointF(x, top + metrics.ascent()), word)
            free_from = x + metrics.horizontalAdvance(word + "  ")

    def _paint_handle(self, painter: QPainter, role: str) -> None:
        theme = self._theme
        _, _, y = self._line()
        radius = HANDLE * theme.type - 1
        centre = QPointF(self.place(self.now), y)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("text"), theme.line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, radius + 2, radius + 2)
        painter.setPen(QPen(theme.color(role), 3 * theme.type))
        painter.setBrush(theme.color("card" if self.isEnabled() else "field"))
        painter.drawEllipse(centre, radius - 2, radius - 2)

    # --- mouse and keys

    def mousePressEvent(self, event) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self.session.playback.pause()
            self.setSliderDown(True)
            self.session.set_time(self.time_at(event.position().x()))

    def mouseMoveEvent(self, event) -> None:
        if self.isSliderDown():
            self.session.set_time(self.time_at(event.position().x()))

    def mouseReleaseEvent(self, event) -> None:
        self.setSliderDown(False)

    def wheelEvent(self, event) -> None:
        if event.angleDelta().y():
            self.session.playback.step(1 if event.angleDelta().y() < 0 else -1)
        event.accept()

    def keyPressEvent(self, event) -> None:
        steps = {Qt.Key.Key_Right: 1, Qt.Key.Key_Up: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Down: -1}
        places = {
            Qt.Key.Key_Home: 0.0,
            Qt.Key.Key_End: float("inf"),
            Qt.Key.Key_PageUp: round(self.now) - PAGE,
            Qt.Key.Key_PageDown: round(self.now) + PAGE,
        }
        if event.key() in steps:
            self.session.playback.step(steps[event.key()])
        elif event.key() in places:
            self.session.playback.pause()
            self.session.set_time(places[event.key()])
        else:
            event.ignore()
