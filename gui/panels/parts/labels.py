"""Labels that elide: one line with …, or a title in one or two lines; the tooltip has the full text."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QSizePolicy

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme


class ElidedLabel(PlainLabel):
    """A label of one line that ends in … where it does not fit; the tooltip then holds the whole text."""

    def __init__(self, text: str = "") -> None:
        super().__init__(text)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.hint = ""  # a tooltip of its own, for example all digits of a number

    def minimumSizeHint(self) -> QSize:
        return QSize(24, super().minimumSizeHint().height())

    @property
    def shown(self) -> str:
        """The visible text, or its beginning with …"""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def paintEvent(self, event) -> None:
        shown = self.shown
        self.setToolTip(self.hint or ("" if shown == self.whole else self.whole))
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), int(self.alignment() | Qt.AlignmentFlag.AlignVCenter), shown)


class TitleLabel(ElidedLabel):
    """A bold title that keeps two lines where one is too narrow for most; its height depends on the width alone."""

    ROOMY = 740  # pixels at `type` 1 in which nearly every title fits
    MIN_SCALE = 0.85  # of its type, down to which one that does not fit there is set smaller

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._role = "text"
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._font = look.font(theme, look.NUMBER, bold=True)
        self._set_height()
        self.update()

    def show_in(self, role: str) -> None:
        """Paint in the colour of a role."""
        self._role = role
        self.update()

    def resizeEvent(self, event) -> None:
        self._set_height()

    def _set_height(self) -> None:
        lines = 1 if self.width() >= self.ROOMY * self._theme.type else 2
        self.setFixedHeight(QFontMetrics(self._font).lineSpacing() * lines + 2)

    @property
    def letters(self) -> QFont:
        """The type: a little smaller where a single line would else be cut."""
        font, width = QFont(self._font), self.contentsRect().width()
        metrics = QFontMetrics(font)
        wide = metrics.horizontalAdvance(self.text())
        if wide > width and self.height() < 2 * metrics.lineSpacing():
            font.setPixelSize(round(font.pixelSize() * max(width / wide, self.MIN_SCALE) - 0.5))
        return font

    @property
    def shown(self) -> str:
        """The text in one or two lines, the last one ending in … where there is more."""
        metrics, width = QFontMetrics(self.letters), self.contentsRect().width()
        if self.height() < 2 * metrics.lineSpacing() or metrics.horizontalAdvance(self.text()) <= width:
            return metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, width)
        first = ""
        words = self.text().split(" ")
        while words and metrics.horizontalAdvance(f"{first} {words[0]}") <= width:
            first = f"{first} {words.pop(0)}".strip()
        return f"{first}\n{metrics.elidedText(' '.join(words), Qt.TextElideMode.ElideRight, width)}"

    def paintEvent(self, event) -> None:
        shown = self.shown
        self.setToolTip("" if shown.replace("\n", " ") == self.whole else self.whole)
        painter = QPainter(self)
        painter.setFont(self.letters)
        painter.setPen(self._theme.color(self._role))
        painter.drawText(self.contentsRect(), int(Qt.AlignmentFlag.AlignTop | Qt.AlignmentFlag.AlignLeft), shown)
