"""What plots on logarithmic axes share: places of numbers, the scale in powers of ten, text, keys, and the frame."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QVBoxLayout, QWidget

from cadena.core.text.numbers import SUPERSCRIPTS
from cadena.gui import theme as look
from cadena.gui.plain import PlainLabel
from cadena.gui.theme import Theme

PRESS = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
MOST_TICKS = 5


def power(exponent: int) -> str:
    """A power of ten: "1", "10⁻³"."""
    return f"10{str(exponent).translate(SUPERSCRIPTS)}" if exponent else "1"


def decades(numbers: Iterable[float]) -> tuple[int, int]:
    """The powers of ten at both ends of an axis for these numbers; those that have no logarithm do not count."""
    logs = [math.log10(number) for number in numbers if 0.0 < number < math.inf]
    low, high = (math.floor(min(logs)), math.ceil(max(logs))) if logs else (0, 1)
    return (low, high) if high > low else (low - 1, high)


@dataclass(frozen=True)
class LogAxis:
    """The powers of ten from `low` to `high`, from the pixel `begin` to the pixel `end`."""

    low: int
    high: int
    begin: float
    end: float

    def place(self, number: float) -> float:
        """The pixel of a number above 0, which may lie beyond the ends."""
        return self.place_of_power(math.log10(number))

    def place_of_power(self, exponent: float) -> float:
        """The pixel of 10 to the power of `exponent`, which may be no float itself: 10⁻³²⁴ is below the smallest."""
        return self.begin + (exponent - self.low) * self._decade

    def log_at(self, place: float) -> float:
        """The logarithm to base 10 at a pixel."""
        return self.low + (place - self.begin) / (self._decade or 1.0)

    @property
    def _decade(self) -> float:
        return (self.end - self.begin) / (self.high - self.low)

    def ticks(self, most: int) -> list[int]:
        """Whole powers of ten at even distances, about `most` of them."""
        step = math.ceil((self.high - self.low) / (max(most, 2) - 1))
        return list(range(self.low, self.high + 1, step))


class LogPlot(QWidget):
    """A plot with a vertical logarithmic axis, painted by `paint`, with a frame around it where it has the focus.

    Keys in `own_keys` are used by it and not by the window.
    """

    own_keys: tuple[Qt.Key, ...] = PRESS

    def __init__(self, theme: Theme, paint: Callable[[QPainter], None]) -> None:
        super().__init__()
        self._theme, self._paint = theme, paint
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.updateGeometry()
        self.update()

    @property
    def metrics(self) -> QFontMetrics:
        return QFontMetrics(look.font(self._theme, look.SMALL))

    def most_ticks(self, room: float) -> int:
        """How many numbers there is room for below each other."""
        return max(2, min(MOST_TICKS, int(room / (2 * self.metrics.height()))))

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(look.font(self._theme, look.SMALL))
        self._paint(painter)
        if self.hasFocus():
            painter.setPen(QPen(self._theme.color("value"), 2.0 * self._theme.line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)

    def paint_scale(self, painter: QPainter, area: QRectF, axis: LogAxis, ticks: Iterable[int]) -> None:
        """A line across the area at each power of ten, and the power at its left."""
        for tick in ticks:
            self.paint_level(painter, area, axis.place_of_power(tick), power(tick))

    def paint_level(self, painter: QPainter, area: QRectF, y: float, text: str) -> None:
        """One line across the area with its number at the left."""
        tall = self.metrics.height()
        painter.setPen(QPen(self._theme.color("border", 0.6), self._theme.line))
        painter.drawLine(QPointF(area.left() - 4, y), QPointF(area.right(), y))
        painter.setPen(self._theme.color("muted"))
        room = QRectF(0.0, y - tall / 2, area.left() - look.GAP, tall)
        painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)

    def write(self, painter: QPainter, text: str, middle: QPointF, role: str) -> QRectF:
        """A text around a point; where it stands."""
        wide, tall = self.metrics.horizontalAdvance(text) + 4.0, float(self.metrics.height())
        painter.setPen(self._theme.color(role))
        room = QRectF(middle.x() - wide / 2, middle.y() - tall / 2, wide, tall)
        painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)
        return room

    def event(self, event) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and event.key() in self.own_keys:
            event.accept()  # else the arrows would go from step to step
            return True
        return super().event(event)


class PlotFrame(QWidget):
    """A plot under words that tell what is pointed at, with a button that puts it away."""

    def __init__(self, plot: LogPlot) -> None:
        super().__init__()
        self.told = PlainLabel(wordWrap=True)
        self.close_button = QToolButton()
        self.close_button.setText("✕")
        self.close_button.setProperty("quiet", True)
        self.close_button.setToolTip("Put the plot away")
        self.close_button.setAccessibleName("Put the plot away")
        self.setFocusProxy(plot)
        head = QHBoxLayout()
        head.addWidget(self.told, 1)
        head.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignTop)
        self.column = QVBoxLayout(self)
        self.column.setContentsMargins(look.GAP, 2, look.GAP, look.GAP // 2)
        self.column.setSpacing(2)
        self.column.addLayout(head)
        self.column.addWidget(plot, 1)
