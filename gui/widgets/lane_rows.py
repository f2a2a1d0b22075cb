"""Lanes as rows: a method's passes or runs with their results so far, the present one marked."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPolygonF

from cadena.core.methods.reverse.timeline import Lane
from cadena.core.notation.names import set_plainly
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme

MARK, BETWEEN = 14.0, 12.0  # pixels at `type` 1: the mark of the present lane; the gap between name and number
COLUMN_GAP = 14.0  # between two columns
USUAL_SHARE = 0.85  # of the room in which the usual type is taken: beside more, formulas would get too small
MIN_NAME = 0.36  # of a row that a long name keeps beside a long number
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


@dataclass(frozen=True)
class LaneRows:
    """Rows in a room of this height, in columns where there are many; where not all fit, those around the present.

    That is marked, unless all are under way together.
    """

    lanes: tuple[Lane, ...]
    theme: Theme
    height: float

    def _metrics(self, size: float) -> QFontMetricsF:
        return QFontMetricsF(look.font(self.theme, size, bold=True))

    def _setting(self, size: float) -> LaneLayout:
        measure, unit = self._metrics(size).horizontalAdvance, self.theme.type * size / look.LABEL
        rows = max(int(self.height / self._metrics(size).height()), 1)
        names = max((measure(set_plainly(lane.name)) for lane in self.lanes), default=0.0)
        texts = max((measure(lane.text) for lane in self.lanes), default=0.0)
        wide = self._mark(size) + BETWEEN * unit + names + max(texts, measure(ROOM[len(self.lanes) > rows]))
        return LaneLayout(size, rows, min(wide, WIDEST * unit))

    def _mark(self, size: float) -> float:
        """The width of a lane's mark."""
        together = len(self.lanes) > 1 and all(lane.now for lane in self.lanes)
        return 0.0 if together else MARK * self.theme.type * size / look.LABEL

    @property
    def _column_gap(self) -> float:
        return COLUMN_GAP * self.theme.type

    def _chosen(self, room: float) -> LaneLayout:
        """The usual type where all lanes fit into the room, else small type."""
        usual = self._setting(look.LABEL)
        return usual if usual.width(len(self.lanes), self._column_gap) <= room + 1.0 else self._setting(look.CAPTION)

    def width(self, most: float) -> int:
        """The width that the lanes want, of so much at most."""
        wide = self._chosen(USUAL_SHARE * most).width(len(self.lanes), self._column_gap)
        return math.ceil(min(wide, most))

    def _arranged(self, wide: float) -> tuple[LaneLayout, int]:
        """The setting for a width, and the number of columns that fit."""
        setting = self._chosen(wide)
        room = int((wide + self._column_gap + 1.0) / (setting.wide + self._column_gap))
        return setting, max(min(setting.columns(len(self.lanes)), room), 1)

    def visible(self, wide: float) -> tuple[Lane, ...]:
        """The lanes that fit, around the present one."""
        setting, columns = self._arranged(wide)
        room = setting.rows * columns
        if room < len(self.lanes):
            room = max(room - 1, 1)  # the number of omitted ones takes a place
        now = next((place for place, lane in enumerate(self.lanes) if lane.now), len(self.lanes) - 1)
        first = min(max(now - room // 2, 0), max(len(self.lanes) - room, 0))
        return self.lanes[first : first + room]

    def paint(self, painter: QPainter, area: QRectF) -> None:
        """Paint the lanes that fit into an area of the rows' height."""
        lanes = self.visible(area.width())
        setting, columns = self._arranged(area.width())
        left_out = len(self.lanes) - len(lanes)
        rows = math.ceil((len(lanes) + (left_out > 0)) / columns)
        height = min(self.height / max(rows, 1), self._metrics(setting.size).height() * 1.25)
        wide = (area.width() - (columns - 1) * self._column_gap) / columns
        places = [
            QRectF(area.left() + column * (wide + self._column_gap), area.top() + row * height, wide, height)
            for column, row in (divmod(place, rows) for place in range(len(lanes) + 1))
        ]
        for lane, place in zip(lanes, places, strict=False):
            self._paint_row(painter, lane, place, setting.size)
        if left_out:
            painter.setFont(look.font(self.theme, setting.size))
            painter.setPen(self.theme.color("muted"))
            place = places[-1].adjusted(self._mark(setting.size), 0.0, 0.0, 0.0)
            painter.drawText(place, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, f"and {left_out} more")

    def words(self, lane: Lane, room: float, size: float) -> tuple[str, str]:
        """Name and number for a row of `room` pixels of type `size`, shortened where necessary."""
        measure, between = self._metrics(size), BETWEEN * self.theme.type * size / look.LABEL / 2
        name = set_plainly(lane.name)
        least = min(measure.horizontalAdvance(name) + between, room * MIN_NAME)
        text = measure.elidedText(lane.text, Qt.TextElideMode.ElideRight, room - least)
        rest = room - measure.horizontalAdvance(text) - between
        return measure.elidedText(name, Qt.TextElideMode.ElideMiddle, rest), text

    def _paint_row(self, painter: QPainter, lane: Lane, row: QRectF, size: float) -> None:
        theme, mark = self.theme, self._mark(size)
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
