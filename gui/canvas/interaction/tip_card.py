"""The tooltip of the canvas: facts, set as on the panels, on a card beside what they are about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from cadena.core.text.numbers import is_bad, shape_text, short
from cadena.gui.canvas.interaction.tooltips import TipFact
from cadena.gui.formulas import pictures
from cadena.gui.formulas.typesetter import cached, set_quickly, typesetter
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import MAX_IN_TIP, shown
from cadena.gui.look.theme import Theme
from cadena.gui.widgets import decimals
from cadena.gui.widgets.elevation import FLOATING, Shadow

ACROSS, DOWN, BETWEEN, AIR = 12.0, 8.0, 24.0, 6.0  # pixels: padding, from a label to its number, between lines
MOST = 420  # pixels at `type` 1: a longer sentence gets a second line
CELLS = 6  # rows and columns of an array that are shown
AWAY = 10.0  # pixels between a tooltip and what it is about
LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


class TipRow(NamedTuple):
    """A laid-out line: its size, and what paints it in its room."""

    width: float
    height: float
    paint: Callable[[QPainter, QRectF], object]


class TipCard(QFrame):
    """A child of the canvas, which shows and hides it; the mouse goes through it."""

    def __init__(self, canvas: QWidget, theme: Theme) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.facts: tuple[TipFact, ...] = ()
        self._rows: list[TipRow] = []
        self._around, self._avoided = QRectF(), list[QRectF]()
        self._crowd: Callable[[QRectF], int] = lambda area: 0
        self.setProperty("floating", True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        Shadow(self, FLOATING)
        typesetter.formulas_set.connect(self._lay_out)
        self.hide()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.hide()

    def show_facts(
        self, facts: Iterable[TipFact], around: QRectF, avoided: Sequence[QRectF], crowd: Callable[[QRectF], int]
    ) -> None:
        """Show `facts` beside the area `around`, where they cover as little as can be of the areas to be avoided, and
        few of the others, which `crowd` counts.
        """
        self.facts, self._crowd = tuple(facts), crowd
        self._around, self._avoided = around, list(avoided)
        set_quickly(fact.latex for fact in self.facts if fact.latex)
        self.show()
        self._lay_out()
        self.raise_()

    # --- layout

    def _lay_out(self) -> None:
        if self.isHidden():
            return
        numbers = [fact.text for fact in self.facts if self._is_single(fact)]
        behind = decimals.room_behind(numbers, QFontMetricsF(self._font(bold=True)))
        self._rows = [self._row(place, fact, behind) for place, fact in enumerate(self.facts)]
        width = max((row.width for row in self._rows), default=0.0) + 2 * ACROSS
        height = sum(row.height for row in self._rows) + 2 * DOWN
        self.resize(QSize(round(width + 0.5), round(height + 0.5)))
        self._move()
        self.update()

    def _font(self, bold: bool = False) -> QFont:
        return look.font(self._theme, look.LABEL, bold=bold)

    @staticmethod
    def _is_single(fact: TipFact) -> bool:
        return fact.number is not None and fact.number.ndim == 0

    def _row(self, place: int, fact: TipFact, behind: float) -> TipRow:
        if fact.latex and cached(fact.latex) is not None:
            return self._formula(fact)
        if fact.number is not None and fact.number.ndim:
            return self._array(fact)
        if fact.text:
            return self._pair(fact, behind if self._is_single(fact) else 0.0)
        return self._sentence(fact, is_heading=place == 0)

    def _sentence(self, fact: TipFact, is_heading: bool) -> TipRow:
        theme, font = self._theme, self._font(bold=is_heading)
        color = theme.color("text" if is_heading else fact.role if fact.role != "text" else "muted")
        flags = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextWordWrap.value
        text = shown(fact.label, MAX_IN_TIP)
        bounds = QFontMetricsF(font).boundingRect(QRectF(0, 0, MOST * theme.type, 10_000), flags, text)

        def paint(painter: QPainter, room: QRectF) -> None:
            painter.setFont(font)
            painter.setPen(color)
            painter.drawText(room, flags, text)

        return TipRow(bounds.width() + 1.0, bounds.height() + AIR, paint)

    def _label(self, painter: QPainter, fact: TipFact, room: QRectF) -> None:
        painter.setFont(self._font())
        painter.setPen(self._theme.color("muted"))
        painter.drawText(room, LEFT, shown(fact.label))

    def _label_width(self, fact: TipFact) -> float:
        return QFontMetricsF(self._font()).horizontalAdvance(shown(fact.label)) + BETWEEN if fact.label else 0.0

    def _pair(self, fact: TipFact, behind: float) -> TipRow:
        font, text = self._font(bold=fact.number is not None), shown(fact.text, MAX_IN_TIP).replace("\n", " ")
        metrics = QFontMetricsF(font)
        whole, rest = decimals.split(text)
        width = metrics.horizontalAdvance(whole) + max(metrics.horizontalAdvance(rest), behind)

        def paint(painter: QPainter, room: QRectF) -> None:
            self._label(painter, fact, room)
            painter.setFont(font)
            role = "fault" if fact.number is not None and is_bad(fact.number) else fact.role
            painter.setPen(self._theme.color(role))
            decimals.write(painter, text, room, behind)

        return TipRow(self._label_width(fact) + width, metrics.height() + AIR, paint)

    def _formula(self, fact: TipFact) -> TipRow:
        size, color = look.NUMBER * self._theme.type, self._theme.color(fact.role).name()
        room_needed = pictures.size(fact.latex, size)
        formula = pictures.setting(fact.latex)
        ascent = formula.ascent * size / pictures.REFERENCE

        def paint(painter: QPainter, room: QRectF) -> None:
            self._label(painter, fact, room)
            left = room.right() - room_needed.width() if fact.label else room.left()
            at = QPointF(left, room.center().y() - room_needed.height() / 2 + ascent)
            pictures.paint(painter, fact.latex, size, color, at)

        return TipRow(self._label_width(fact) + room_needed.width(), room_needed.height() + 2 * AIR, paint)

    def _array(self, fact: TipFact) -> TipRow:
        """The first rows and columns of an array, its shape where there are more."""
        assert fact.number is not None
        matrix = np.atleast_2d(fact.number) if fact.number.ndim < 3 else fact.number.reshape(-1, fact.number.shape[-1])
        font = self._font()
        metrics = QFontMetricsF(font)
        columns = [[short(number) for number in column] for column in matrix[:CELLS, :CELLS].T]
        widths = [decimals.column_width(column, metrics) + 16.0 for column in columns]
        behind = [decimals.room_behind(column, metrics) for column in columns]
        line, rows = metrics.height() + AIR, min(len(matrix), CELLS)
        is_cut = matrix.shape[0] > CELLS or matrix.shape[1] > CELLS
        more = TipFact(fact.label, f"the first of {shape_text(fact.number.shape)}" if is_cut else "")

        def paint(painter: QPainter, room: QRectF) -> None:
            head = QRectF(room.left(), room.top(), room.width(), line)
            self._label(painter, more._replace(label=f"{more.label}, {more.text}" if is_cut else more.label), head)
            painter.setFont(font)
            painter.setPen(self._theme.color(fact.role))
            left = room.left()
            for column, width, room_behind in zip(columns, widths, behind, strict=True):
                for row, number in enumerate(column):
                    cell = QRectF(left, room.top() + (row + 1) * line, width, line)
                    decimals.write(painter, number, cell, room_behind)
                left += width

        label = QFontMetricsF(font).horizontalAdvance(f"{more.label}, {more.text}")
        return TipRow(max(sum(widths), label), line * (rows + 1) + AIR, paint)

    def _move(self) -> None:
        """Go where the least is covered: below, above, at the right, at the left, or into a corner."""
        around, size, whole = self._around, self.size(), QRectF(self._canvas.rect())
        right, bottom = max(whole.width() - size.width(), 0.0), max(whole.height() - size.height(), 0.0)
        beside = (around.left() - AWAY - size.width(), around.right() + AWAY)
        near = (around.top(), around.bottom() - size.height())
        places = [
            QPointF(around.left(), around.bottom() + AWAY),
            QPointF(around.left(), around.top() - AWAY - size.height()),
            *(QPointF(x, y) for x in reversed(beside) for y in near),
        ]
        corners = [QPointF(x, y) for y in (0.0, bottom) for x in (right, 0.0)]  # where nothing nearer is free

        def covered(place: QPointF) -> tuple[float, bool, int]:
            area = QRectF(place, size.toSizeF())
            parts = (area.intersected(each) for each in (*self._avoided, around))
            overlap = sum(part.width() * part.height() for part in parts if not part.isEmpty())
            return overlap, place in corners, self._crowd(area)

        within = [QPointF(min(max(at.x(), 0.0), right), min(max(at.y(), 0.0), bottom)) for at in places]
        self.move(min((*within, *corners), key=covered).toPoint())

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        top = DOWN
        for row in self._rows:
            row.paint(painter, QRectF(ACROSS, top, self.width() - 2 * ACROSS, row.height))
            top += row.height
        painter.end()
