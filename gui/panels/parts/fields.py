"""Text fields: text being typed is never overwritten, and Escape restores the earlier text."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import tip
from cadena.gui.look.theme import Theme

INDENT, ELIDED = 3, Qt.TextElideMode.ElideRight


class Field(QLineEdit):
    """A field that shows a text of the session until another is typed; `typed` says whether that has happened."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = ""

    @property
    def typed(self) -> bool:
        return self.isModified()

    def show_text(self, text: str, always: bool = False) -> None:
        """Show `text`, unless another is being typed; `always` for that of another node."""
        self._shown = text
        if always or not (self.hasFocus() and self.isModified()):
            self._restore()

    def accept(self) -> None:
        """Accept the typed text as the session's."""
        self.setModified(False)

    def _restore(self) -> None:
        if self.text() != self._shown or self.isModified():
            self.setText(self._shown)
            self.setCursorPosition(0)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.isModified():
            self._restore()
        else:
            super().keyPressEvent(event)


class HeadingField(Field):
    """A heading that is edited in place: large while it fits, smaller where it is long, read from its beginning."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__()
        self.setProperty("quiet", True)
        self.setTextMargins(-2, 0, 0, 0)
        self.setAccessibleName(name)
        self._tip = f"{name}: click to change it"
        self.setToolTip(self._tip)
        self.textChanged.connect(self._fit)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fit()

    @property
    def shown(self) -> str:
        """The visible text while nobody types: the text, or its beginning with …"""
        is_long = QFontMetrics(self._font).horizontalAdvance(self.text()) > self._room()
        room = self.width() - 2 * INDENT
        return QFontMetrics(self._font).elidedText(self.text(), ELIDED, room) if is_long else self.text()

    def _room(self) -> int:
        return self.width() - round(18 * self._theme.line)

    def paintEvent(self, event: QPaintEvent) -> None:
        is_cut = not self.hasFocus() and self.shown != self.text()
        self.setToolTip(tip(f"{self.text()}\n{self._tip}") if is_cut else self._tip)
        if not is_cut:
            super().paintEvent(event)
            return
        painter = QPainter(self)
        painter.setFont(self._font)
        painter.setPen(self._theme.color("text"))
        painter.drawText(self.rect().adjusted(INDENT, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, self.shown)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self._fit()
        if not self.hasFocus():
            self.setCursorPosition(0)  # a field that was narrow is scrolled to its end

    def _fit(self) -> None:
        room = self._room()
        sizes = (look.TITLE, look.NUMBER, look.LABEL, look.CAPTION)
        fonts = [look.font(self._theme, size, bold=True) for size in sizes]
        fitting = (font for font in fonts if QFontMetrics(font).horizontalAdvance(self.text()) <= room)
        self._font = next(fitting, fonts[-1])
        sheet = f"font-weight: bold; font-size: {self._font.pixelSize()}px;"
        if sheet != self.styleSheet():
            self.setStyleSheet(sheet)
