"""The lanes beside a method's step: its passes or runs with their results so far, the present one marked."""

from __future__ import annotations

import math
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from cadena.core.methods.reverse.timeline import Lane
from cadena.gui import theme as look
from cadena.gui.plain import tip
from cadena.gui.theme import Theme

MARK, BETWEEN = 14.0, 12.0  # pixels at `type` 1: the mark of the present lane; the gap between name and number
COLUMN_GAP = 14.0  # between two columns
USUAL_SHARE = 0.85  # of the room in which the usual type is taken: beside more, formulas would get too small
MIN_NAME = 0.3  # of a row that a long name keeps beside a long number
WIDEST = 280.0  # a column
ROOM = "−0.0000 (10 ops)", "−0.0000"  # texts for which there is always room, so that nothing jumps: alone; in columns


class LaneLayout(NamedTuple):
    """The layout of lanes: the type, the rows of a column, and the width of a column."""

    size: float
    rows: int
    wide: float

    def columns(self, count: int) -> int:
        return math.ceil(count / self.rows)

    def width(self, count: int, gap: float) -> float:
        """The width of so many lanes."""
        columns = self.columns(count)
        return columns * self.wide + (columns - 1) * gap


class LanesView(QWidget):
    """A row for each lane, in columns where there are many; where not all fit, those around the present one.

    It is marked, unless all are under way together. The tooltip holds all.
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._lanes: tuple[Lane, ...] = ()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Ignored)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
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
            self.setToolTip(tip(words))
            self.setAccessibleName(words)
            self.updateGeometry()
            self.update()

    # --- how wide

    def _metrics(self, size: float) -> QFontMetricsF:
        return QFontMetricsF(look.font(self._theme, size, bold=True))

    def _setting(self, size: float) -> LaneLayout:
        measure, unit = self._metrics(size).horizontalAdvance, self._theme.type * size / look.BODY
        rows = max(int(self.height() / self._metrics(size).height()), 1)
        names = max((measure(lane.name) for lane in self._lanes), default=0.0)
        texts = max((measure(lane.text) for lane in self._lanes), default=0.0)
        wide = self._mark(size) + BETWEEN * unit + names + max(texts, measure(ROOM[len(self._lanes) > rows]))
        return LaneLayout(size, rows, min(wide, WIDEST * unit))

    def _mark(self, size: float) -> float:
        """The width of a lane's mark."""
        together = len(self._lanes) > 1 and all(lane.now for lane in self._lanes)
        return 0.0 if together else MARK * self._theme.type * size / look.BODY

    @property
    def _column_gap(self) -> float:
        return COLUMN_GAP * self._theme.type

    def _chosen(self, room: float) -> LaneLayout:
        """The usual type where all lanes fit into the room, else small type."""
        usual = self._setting(look.BODY)
        return usual if usual.width(len(self._lanes), self._column_gap) <= room + 1.0 else self._setting(look.SMALL)

    def sizeHint(self) -> QSize:
        wide = self._chosen(USUAL_SHARE * self.maximumWidth()).width(len(self._lanes), self._column_gap)
        return QSize(math.ceil(min(wide, self.maximumWidth())), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    # --- visible lanes

    def _arranged(self) -> tuple[LaneLayout, int]:
        """The setting for the present size, and the number of columns that fit."""
        setting = self._chosen(self.width())
        room = int((self.width() + self._column_gap + 1.0) / (setting.wide + self._column_gap))
        return setting, max(min(setting.columns(len(self._lanes)), room), 1)

    @property
    def visible(self) -> tuple[Lane, ...]:
        """The lanes that fit, around the present one."""
        setting, columns = self._arranged()
        room = setting.rows * columns
        if room < len(self._lanes):
            room = max(room - 1, 1)  # the number of omitted ones takes a place
        now = next((place for place, lane in enumerate(self._lanes) if lane.now), len(self._lanes) - 1)
        first = min(max(now - room // 2, 0), max(len(self._lanes) - room, 0))
        return self._lanes[first : first + room]

    def paintEvent(self, event) -> None:
        painter, lanes = QPainter(self), self.visible
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        setting, columns = self._arranged()
        left_out = len(self._lanes) - len(lanes)
        rows = math.ceil((len(lanes) + (left_out > 0)) / columns)
        height = min(self.height() / max(rows, 1), self._metrics(setting.size).height() * 1.25)
        wide = (self.width() - (columns - 1) * self._column_gap) / columns
        places = [
            QRectF(column * (wide + self._column_gap), row * height, wide, height)
            for column, row in (divmod(place, rows) for place in range(len(lanes) + 1))
        ]
        for lane, place in zip(lanes, places, strict=False):
            self._paint_row(painter, lane, place, setting.size)
        if left_out:
            painter.setFont(look.font(self._theme, setting.size))
            painter.setPen(self._theme.color("muted"))
            place = places[-1].adjusted(self._mark(setting.size), 0.0, 0.0, 0.0)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, f"and {left_out} more")

    def words(self, lane: Lane, room: float, size: float) -> tuple[str, str]:
        """Name and number for a row of `room` pixels of type `size`, shortened where necessary."""
        measure, between = self._metrics(size), BETWEEN * self._theme.type * size / look.BODY / 2
        least = min(measure.horizontalAdvance(lane.name) + between, room * MIN_NAME)
        text = measure.elidedText(lane.text, Qt.TextElideMode.ElideRight, room - least)
        rest = room - measure.horizontalAdvance(text) - between
        return measure.elidedText(lane.name, Qt.TextElideMode.ElideMiddle, rest), text

    def _paint_row(self, painter: QPainter, lane: Lane, row: QRectF, size: float) -> None:
        theme, mark = self._theme, self._mark(size)
        if lane.now and mark:
            middle, half = row.center().y(), mark * 0.3
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color(lane.role))
            left = row.left()
            corners = [
                QPointF(left + 1.0, middle - half), QPointF(left + 1.0, middle + half),
                QPointF(left + mark * 0.65, middle),
            ]  # fmt: skip
            painter.drawPolygon(QPolygonF(corners))
        row.adjust(mark, 0.0, 0.0, 0.0)
        name, text = self.words(lane, row.width(), size)
        painter.setFont(look.font(theme, size, bold=lane.now))
        painter.setPen(theme.color("text"))
        painter.drawText(row, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(look.font(theme, size, bold=True))
        is_number = any(letter.isdigit() for letter in text) or text in ("inf", "−inf", "nan")
        painter.setPen(theme.color(lane.role if is_number else "muted"))
        painter.drawText(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)
