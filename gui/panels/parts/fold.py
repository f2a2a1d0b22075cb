"""The heading of a category that folds it away and unfolds it again."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter, QPolygonF
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme


class Fold(QAbstractButton):
    """A bold title behind a small arrow; checked while unfolded. Folded, it says how much it holds."""

    def __init__(self, title: str, count: int, unfolded: bool, theme: Theme) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)  # it is painted anew as the mouse comes and goes
        self._count = count
        self.setText(title)
        self.setCheckable(True)
        self.setChecked(unfolded)
        self.set_theme(theme)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)  # reached by the arrows from the chips
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._name)
        self._name()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFont(look.font(theme, look.LABEL, bold=True))
        self.update()

    def _name(self) -> None:
        what = "Fold" if self.isChecked() else "Unfold"
        self.setAccessibleName(f"{what} {self.text()}, {self._count} operations")
        self.setToolTip(f"{what} {self.text()} ({self._count} operations)")

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + 3 * metrics.height(), round(metrics.height() * 1.35))

    def keyPressEvent(self, event) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = self.height() * 0.3
        self._paint_arrow(painter, size)
        painter.setFont(self.font())
        painter.setPen(self._theme.color("text"))
        room = self.rect().adjusted(round(2.4 * size), 0, -2, 0)
        painter.drawText(room, Qt.AlignmentFlag.AlignVCenter, self.text())
        name, count = QFontMetrics(self.font()), QFontMetrics(look.font(self._theme, look.CAPTION))
        fits = name.horizontalAdvance(self.text()) + count.horizontalAdvance(f" {self._count}") <= room.width()
        if fits and not self.isChecked():
            painter.setFont(look.font(self._theme, look.CAPTION))
            painter.setPen(self._theme.color("muted"))
            painter.drawText(room, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, str(self._count))

    def _paint_arrow(self, painter: QPainter, size: float) -> None:
        half = size / 2
        arrow = QPolygonF([QPointF(-half, -half), QPointF(half, 0.0), QPointF(-half, half)])
        painter.save()
        painter.translate(size, self.height() / 2)
        painter.rotate(90.0 if self.isChecked() else 0.0)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._theme.color("muted"))
        painter.drawPolygon(arrow)
        painter.restore()
