"""A row to choose a kind of differences, with its mark, its best step and its least error."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from cadena.core.text.numbers import short
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.methods.differences_settings import NAMES
from cadena.gui.plots.scale import step_text

if TYPE_CHECKING:
    from cadena.core.methods.difference.sweep import Sweep

SIGNS = {"forward": "▲", "central": "◆", "complex": "■"}  # the marks on the curves


CHOOSE = "Choose this kind at its best step"


class KindRow(QAbstractButton):
    """A kind with its mark, its best step and its least error; checked while it is the chosen one."""

    def __init__(self, kind: str, theme: Theme) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # it is painted anew as the mouse comes and goes
        self.kind = kind
        self.setText(NAMES[kind])
        self.setCheckable(True)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._details = ""
        self.setToolTip(CHOOSE)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(look.font(theme, look.LABEL))
        self.updateGeometry()
        self.update()

    def show_kind(self, sweep: Sweep | None, chosen: bool) -> None:
        """Show the kind's best step in this sweep, or the reason why it has none."""
        self.setChecked(chosen)
        self._details, tip = "", CHOOSE
        if sweep is not None and self.kind in sweep.missing:
            self._details, tip = "cannot be used here", f"{worded(sweep.missing[self.kind])}."
        elif sweep is not None and math.isfinite(best := sweep.best(self.kind)):
            least = short(float(np.nanmin(sweep.errors[self.kind])), 2)
            self._details = f"best h {step_text(best)}, error {least}"
        self.setToolTip(tip)
        self.setAccessibleName(f"{self.text()} {self._details}")
        self.update()

    @property
    def details(self) -> str:
        return self._details

    def sizeHint(self) -> QSize:
        return QSize(round(200 * self._theme.type), round(QFontMetrics(self.font()).height() * 1.3))

    def paintEvent(self, event) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = 4.0 * theme.type
        role = "gradient" if self.isChecked() else "muted"
        painter.setPen(theme.color(role))
        painter.setFont(look.font(theme, look.LABEL))
        sign = QRectF(0.0, 0.0, 4.4 * size, self.height())
        painter.drawText(sign, Qt.AlignmentFlag.AlignCenter, SIGNS[self.kind])
        room = QRectF(self.rect()).adjusted(4.4 * size, 0.0, -4.0, 0.0)
        painter.setFont(look.font(theme, look.LABEL, bold=self.isChecked()))
        painter.setPen(theme.color("text"))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
        left = painter.fontMetrics().horizontalAdvance(self.text()) + 2.0 * look.GAP
        painter.setFont(look.font(theme, look.CAPTION))
        painter.setPen(theme.color("text"))
        room.adjust(left, 0.0, 0.0, 0.0)
        words = painter.fontMetrics().elidedText(self._details, Qt.TextElideMode.ElideRight, int(room.width()))
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, words)
        if self.hasFocus():
            painter.setPen(QPen(theme.color("ink"), 2.0 * theme.line))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
