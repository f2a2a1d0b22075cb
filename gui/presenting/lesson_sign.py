"""A sign over the graph: that a lesson has ended or begins, and which one comes next."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import LIGHT, Theme

MOST = 0.8  # of the width of the graph


class Sign(QWidget):
    """A heading and a line below it, in the middle of the widget that it stands on."""

    def __init__(self, ground: QWidget) -> None:
        super().__init__(ground)
        self._ground = ground
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.heading, self.line = PlainLabel(wordWrap=True), PlainLabel(wordWrap=True)
        self._column = QVBoxLayout(self)
        for label in (self.heading, self.line):
            label.setAlignment(Qt.AlignmentFlag.AlignCenter)
            self._column.addWidget(label)
        self._theme = LIGHT
        ground.installEventFilter(self)
        self.hide()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        air = round(3 * look.GAP * theme.type)
        self._column.setContentsMargins(air, air, air, air)
        self._column.setSpacing(round(look.GAP * theme.type))
        self.heading.setFont(look.font(theme, look.TITLE, bold=True))
        self.line.setFont(look.font(theme, look.READING))
        self._place()

    def put_up(self, heading: str, line: str) -> None:
        """Show two sentences."""
        self.heading.setText(heading)
        self.line.setText(line)
        self.line.setVisible(bool(line))
        self.setAccessibleName(f"{heading} {line}".strip())
        self.show()
        self._place()
        self.raise_()

    def _place(self) -> None:
        ground = self._ground.rect()
        width = round(MOST * ground.width())
        height = self._column.heightForWidth(width) if self._column.hasHeightForWidth() else self.sizeHint().height()
        self.resize(width, height)
        self.move(ground.center() - self.rect().center())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("text"), 2.0 * theme.line))
        painter.setBrush(theme.color("card"))
        edge, corner = 1.0 + theme.line, look.RADIUS * theme.type
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), corner, corner)
        painter.end()
