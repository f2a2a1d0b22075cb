"""A widget that shows one formula as large as its room allows, with words under its parts; never cut."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from gui import formula
from gui import theme as look
from gui.panels.formula_lines import Lines, Part, lay_out, parts_of
from gui.theme import Theme


class FormulaView(QWidget):
    """`largest` and `least` are type sizes of the theme's scale. A view with `fixed` height fits the formula to it."""

    def __init__(self, theme: Theme, largest: float, least: float, role: str = "text", fixed: float = 0.0) -> None:
        super().__init__()
        self._theme, self._role, self._sizes, self._fixed = theme, role, (largest, least), fixed
        self._parts: tuple[Part, ...] = ()
        self._laid: tuple[float, float, Lines] | None = None
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(not fixed)
        self.setSizePolicy(policy)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme, self._laid = theme, None
        if self._fixed:
            self.setFixedHeight(round(self._fixed * theme.type))
        self._changed()

    def show_latex(self, latex: str, spoken: str = "") -> None:
        """Show a formula; `spoken` is what a screen reader says."""
        self.show_parts(parts_of(latex) if latex else (), spoken or latex)

    def show_parts(self, parts: Sequence[Part], spoken: str = "") -> None:
        """Show a formula that is already cut into parts."""
        self.setAccessibleName(spoken)
        if tuple(parts) != self._parts:
            self._parts, self._laid = tuple(parts), None
            self._changed()

    @property
    def parts(self) -> tuple[Part, ...]:
        return self._parts

    def _changed(self) -> None:
        self.updateGeometry()
        self.update()

    def lines(self, width: float, height: float = 1e6) -> Lines:
        """The formula laid out in this room."""
        if self._laid is None or self._laid[:2] != (width, height):
            largest, least = (size * self._theme.type for size in self._sizes)
            metrics = self._caption_metrics()
            laid = lay_out(self._parts, width, height, largest, least, metrics.height() + 2, metrics.horizontalAdvance)
            self._laid = (width, height, laid)
        return self._laid[2]

    def _caption_metrics(self) -> QFontMetricsF:
        return QFontMetricsF(look.font(self._theme, look.SMALL))

    def hasHeightForWidth(self) -> bool:
        return not self._fixed

    def heightForWidth(self, width: int) -> int:
        return round(self.lines(max(width, 40)).height + 2) if self._parts else 0

    def sizeHint(self) -> QSize:
        return QSize(200, int(self._fixed * self._theme.type) or self.heightForWidth(max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, 0)

    def paintEvent(self, event) -> None:
        lines = self.lines(self.width(), self.height() if self._fixed else 1e6)
        painter, ratio = QPainter(self), self.devicePixelRatioF()
        top = (self.height() - lines.height) / 2
        for item in lines.placed:
            made = formula.setting(item.latex)
            y = top + item.baseline - made.ascent * lines.size / formula.REFERENCE
            corner = QPointF(round((item.x - 1) * ratio) / ratio, round((y - 1) * ratio) / ratio)
            ink = getattr(self._theme, self._role)
            painter.drawPixmap(corner, formula.render(item.latex, lines.size, ink, ratio))
        self._paint_captions(painter, lines, top)

    def _paint_captions(self, painter: QPainter, lines: Lines, top: float) -> None:
        painter.setFont(look.font(self._theme, look.SMALL))
        painter.setPen(self._theme.color("muted"))
        height = self._caption_metrics().height()
        for item in (item for item in lines.placed if item.caption):
            level = max(o.baseline + self._descent(o.latex, lines.size) for o in lines.placed if o.baseline == item.baseline)
            middle = item.x + item.width / 2
            room = QRectF(middle - 200, top + level + 2, 400, height)
            painter.drawText(room, Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop, item.caption)

    @staticmethod
    def _descent(latex: str, size: float) -> float:
        return formula.setting(latex).descent * size / formula.REFERENCE
