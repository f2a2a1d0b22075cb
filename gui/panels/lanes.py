"""What stands beside the step of a method: its passes or runs, what they have given so far, the present one marked."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from core.timeline import Lane
from gui import theme as look
from gui.theme import Theme

MARK, BETWEEN = 14.0, 12.0  # pixels at `type` 1: what the mark of the present lane takes; between name and number
WIDEST = 280.0


class LanesView(QWidget):
    """A row for each lane, as many as there is room for, among them the present one; the tooltip holds all."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._lanes: tuple[Lane, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._metrics = QFontMetricsF(look.font(theme, look.BODY, bold=True))
        self.updateGeometry()
        self.update()

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return self._lanes

    def show_lanes(self, lanes: tuple[Lane, ...]) -> None:
        """Show these rows; nothing at all for none."""
        self.setVisible(bool(lanes))
        if lanes != self._lanes:
            self._lanes = lanes
            words = "\n".join(f"{lane.name}  {lane.text}" for lane in lanes)
            self.setToolTip(words)
            self.setAccessibleName(words)
            self.updateGeometry()
            self.update()

    def sizeHint(self) -> QSize:
        measure, unit = self._metrics.horizontalAdvance, self._theme.type
        names = max((measure(lane.name) for lane in self._lanes), default=0.0)
        texts = max((measure(lane.text) for lane in self._lanes), default=0.0)
        wide = MARK * unit + names + BETWEEN * unit + max(texts, measure("−0.0000 (10 ops)"))
        return QSize(round(min(wide, WIDEST * unit)), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def seen(self) -> tuple[Lane, ...]:
        """The rows that there is room for, around the present one."""
        room = max(int(self.height() / self._metrics.height()), 1)
        now = next((place for place, lane in enumerate(self._lanes) if lane.now), len(self._lanes) - 1)
        first = min(max(now - room // 2, 0), max(len(self._lanes) - room, 0))
        return self._lanes[first : first + room]

    def paintEvent(self, event) -> None:
        painter, rows = QPainter(self), self.seen
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height = min(self.height() / max(len(rows), 1), self._metrics.height() * 1.25)
        for place, lane in enumerate(rows):
            self._paint_row(painter, lane, QRectF(0.0, place * height, self.width(), height))

    def _paint_row(self, painter: QPainter, lane: Lane, row: QRectF) -> None:
        theme, mark = self._theme, MARK * self._theme.type
        if lane.now:
            middle, half = row.center().y(), mark * 0.3
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(lane.role))
            corners = [QPointF(1.0, middle - half), QPointF(1.0, middle + half), QPointF(mark * 0.65, middle)]
            painter.drawPolygon(QPolygonF(corners))
        row.adjust(mark, 0.0, 0.0, 0.0)
        measure = self._metrics
        text = measure.elidedText(lane.text, Qt.TextElideMode.ElideRight, row.width() * 0.7)
        room = row.width() - measure.horizontalAdvance(text) - BETWEEN * theme.type / 2
        name = measure.elidedText(lane.name, Qt.TextElideMode.ElideMiddle, room)
        painter.setFont(look.font(theme, look.BODY, bold=lane.now))
        painter.setPen(theme.color("text"))
        painter.drawText(row, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(look.font(theme, look.BODY, bold=True))
        known = any(letter.isdigit() for letter in text) or text in ("inf", "−inf", "nan")
        painter.setPen(theme.color(lane.role if known else "muted"))
        painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
