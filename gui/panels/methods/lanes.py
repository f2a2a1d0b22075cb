"""The lanes beside a method's step, in the step band."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from cadena.core.methods.reverse.timeline import Lane
from cadena.gui.look.text_cleaning import tip
from cadena.gui.look.theme import Theme
from cadena.gui.widgets.lane_rows import LaneRows


class LanesView(QWidget):
    """As many lanes as fit; the tooltip holds all."""

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

    @property
    def rows(self) -> LaneRows:
        return LaneRows(self._lanes, self._theme, self.height())

    def sizeHint(self) -> QSize:
        return QSize(self.rows.width(self.maximumWidth()), 0)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    @property
    def visible(self) -> tuple[Lane, ...]:
        """The lanes that fit, around the present one."""
        return self.rows.visible(self.width())

    def paintEvent(self, event) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self.rows.paint(painter, QRectF(self.rect()))
