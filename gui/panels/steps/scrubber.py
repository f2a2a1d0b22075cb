"""The line of time: a track, blue for the forward pass and orange for the reverse pass, with a dot per step."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QPixmap
from PySide6.QtWidgets import QAbstractSlider, QSizePolicy

from cadena.core.methods.reverse.timeline import Stretch, Timeline
from cadena.core.text.numbers import number_of
from cadena.gui.formulas.pictures import STRONG
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session

TRACK, KNOB, DOT = 8.0, 11.0, 1.5  # pixels at `type` 1: the height of the track, the radii of knob and dots
BETWEEN = 3.0  # the same: between two parts of the track
MOST_APART = 2  # parts of the track that are set apart; those of more passes follow each other
PAGE = 10.0  # steps that Page Up and Page Down move by
MIN_GAP = 10.0  # pixels between two dots; with more steps only every 2nd, 5th, 10th ... has one


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

    def set_theme(self, theme: Theme, larger: float = 1.0) -> None:
        """Show the line in a theme, with words in type that may be `larger`."""
        self._theme = theme
        self.setFont(look.font(theme, larger * look.CAPTION))
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
        self.setValue(math.ceil(self.session.moment))
        self.update()

    @property
    def now(self) -> float:
        """The moment that is shown; in build mode the end."""
        return self.session.moment

    # --- places

    def _line(self) -> tuple[float, float, float]:
        """Left end, right end and height of the bar's middle."""
        margin = (KNOB + 4) * self._theme.type
        return margin, self.width() - margin, margin

    def _labels_top(self) -> float:
        return (KNOB + TRACK / 2 + 9) * self._theme.type

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
        for stretch, end in self._parts(timeline):
            self._paint_part(painter, stretch, end, self.now)
        self._paint_dots(painter, timeline, "on_strong", self.now)
        self._paint_section(painter)
        started = [stretch.role for stretch in stretches if stretch.begin < self.now]
        self._paint_knob(painter, started[-1] if started else stretches[0].role if stretches else "value")

    def _parts(self, timeline: Timeline) -> list[tuple[Stretch, int]]:
        """The stretches with their ends."""
        stretches = timeline.stretches
        ends = [*(part.begin for part in stretches[1:]), len(timeline)]
        return list(zip(stretches, ends, strict=False))  # of no stretches there is an end, that of the steps

    def labels(self, timeline: Timeline) -> list[str]:
        """The words below the stretches; names in them keep their case."""
        parts = self._parts(timeline)
        words = [part.word[:1].upper() + part.word[1:] for part, _ in parts]
        if len(parts) > MOST_APART:
            return words
        return [f"{word} · {number_of(end - part.begin, 'step')}" for word, (part, end) in zip(words, parts)]

    def _still(self, timeline: Timeline) -> QPixmap:
        """The empty track, its dots and words, which stay from step to step."""
        theme, ratio = self._theme, self.devicePixelRatioF()
        key = (len(timeline), timeline.stretches, theme, self.font(), self.size(), ratio)
        if self._kept is None or self._kept[0] != key:
            pixmap = QPixmap(self.size() * ratio)
            pixmap.setDevicePixelRatio(ratio)
            pixmap.fill(Qt.GlobalColor.transparent)
            with QPainter(pixmap) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                for stretch, end in self._parts(timeline) or [(Stretch("", 0, "value"), 1)]:
                    self._paint_part(painter, stretch._replace(role="hover"), end)
                self._paint_dots(painter, timeline, "muted", float(len(timeline)))
                self._paint_labels(painter, timeline)
            self._kept = key, pixmap
        return self._kept[1]

    def _paint_part(self, painter: QPainter, stretch: Stretch, end: int, now: float = math.inf) -> None:
        """A part of the track as far as it has been played."""
        theme, type_ = self._theme, self._theme.type
        first, last = self.place(stretch.begin), self.place(end)
        if len(self.session.timeline.stretches) <= MOST_APART:
            first += BETWEEN / 2 * type_ * (stretch.begin > 0)
            last -= BETWEEN / 2 * type_ * (end < len(self.session.timeline))
        last = min(last, self.place(now)) if now < end else last
        if last <= first:
            return
        height = TRACK * type_
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color(STRONG.get(stretch.role, stretch.role)))
        painter.drawRoundedRect(QRectF(first, self._line()[2] - height / 2, last - first, height), 3 * type_, 3 * type_)

    def dots(self, timeline: Timeline) -> np.ndarray:
        """The moments that have a dot: each step, as far as they fit."""
        left, right, _ = self._line()
        steps = len(timeline)
        if not steps or right <= left:  # in a window so narrow no stride is wide enough
            return np.zeros(0)
        stride, distance = 1, (right - left) / steps
        while distance * stride < MIN_GAP * self._theme.type:
            stride = next(n for n in (10 ** math.floor(math.log10(stride)) * f for f in (1, 2, 5, 10)) if n > stride)
        times = np.arange(stride, steps, stride)
        begins = [part.begin for part in timeline.stretches] if len(timeline.stretches) <= MOST_APART else []
        return np.setdiff1d(times, begins)

    def _paint_dots(self, painter: QPainter, timeline: Timeline, role: str, end: float) -> None:
        times = self.dots(timeline)
        pen = QPen(self._theme.color(role), 2 * DOT * self._theme.type)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        y = self._line()[2]
        painter.drawPoints([QPointF(self.place(time), y) for time in times[times <= end].tolist()])

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

    def _paint_labels(self, painter: QPainter, timeline: Timeline) -> None:
        painter.setFont(self.font())
        metrics, top = self.fontMetrics(), self._labels_top()
        free_from, parts = 0.0, self._parts(timeline)
        for ((_, time, role), _), text in zip(parts, self.labels(timeline), strict=True):
            x = min(max(self.place(time), free_from), self.width() - metrics.horizontalAdvance(text))
            if x < free_from or (len(parts) > MOST_APART and x > self.place(time) + 1.0):
                continue  # of many passes only those with room for it are named
            painter.setPen(self._theme.color(role))
            painter.drawText(QPointF(x, top + metrics.ascent()), text)
            free_from = x + metrics.horizontalAdvance(text + "  ")

    def _paint_knob(self, painter: QPainter, role: str) -> None:
        theme = self._theme
        centre, radius = QPointF(self.place(self.now), self._line()[2]), (KNOB - 1.5) * theme.type
        if self.hasFocus():
            painter.setPen(QPen(theme.color("ink"), 2 * theme.type))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(centre, radius + 3 * theme.type, radius + 3 * theme.type)
        painter.setPen(QPen(theme.color(STRONG.get(role, role)), 2.5 * theme.type))
        painter.setBrush(theme.color("card"))
        painter.drawEllipse(centre, radius, radius)

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
            self.session.step(steps[event.key()])
        elif event.key() in places:
            self.session.playback.pause()
            self.session.set_time(places[event.key()])
        else:
            event.ignore()
