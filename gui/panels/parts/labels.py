"""Labels that elide: one line with …, or a sentence with coloured numbers; the tooltip has the full text."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QTextLayout
from PySide6.QtWidgets import QSizePolicy

from cadena.core.text.painted_text import PaintedPiece, pieces
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, shown
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


class SentenceLabel(ElidedLabel):
    """A sentence in bold with its numbers in colour: on one line, or two where it is long; its height stays."""

    LEAST = 15.0  # pixels at `type` 1 of a single line
    LINES = 36.0  # of the label: a line at its largest, or two

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._role, self._largest = "text", look.SENTENCE
        self._pieces: tuple[PaintedPiece, ...] = ()
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.setFixedHeight(round(self.LINES * theme.type))
        self.update()

    def show_marked(self, marked: str) -> None:
        """Show a sentence whose numbers are marked, as `painted_text` does."""
        self._pieces = tuple(piece._replace(text=shown(piece.text)) for piece in pieces(self._named(marked)))
        self.setText("".join(piece.text for piece in self._pieces))

    def show_in(self, role: str) -> None:
        """Paint the words in the colour of a role."""
        self._role = role
        self.update()

    def limit(self, largest: float) -> None:
        """Set sentences no larger than this, in pixels at `type` 1."""
        if largest != self._largest:
            self._largest = largest
            self.update()

    @property
    def letters(self) -> QFont:
        """The type: the largest that the line has room for."""
        font = look.font(self._theme, self._largest, bold=True)
        least, width = round(min(self.LEAST, self._largest) * self._theme.type), self.contentsRect().width()
        while font.pixelSize() > least and QFontMetrics(font).horizontalAdvance(self.text()) > width:
            font.setPixelSize(font.pixelSize() - 1)
        return font

    @property
    def shown(self) -> str:
        """The text in one or two lines, the last one ending in … where there is more."""
        metrics, width = QFontMetrics(self.letters), self.contentsRect().width()
        if metrics.horizontalAdvance(self.text()) <= width:
            return self.text()
        first = ""
        words = self.text().split(" ")
        while words and metrics.horizontalAdvance(f"{first} {words[0]}") <= width:
            first = f"{first} {words.pop(0)}".strip()
        return f"{first}\n{metrics.elidedText(' '.join(words), Qt.TextElideMode.ElideRight, width)}"

    def paintEvent(self, event) -> None:
        shown_ = self.shown
        self.setToolTip("" if shown_.replace("\n", " ") == self.whole else self.whole)
        painter = QPainter(self)
        painter.setPen(self._theme.color(self._role))
        lines = shown_.split("\n")
        spacing = QFontMetrics(self.letters).lineSpacing()
        top = (self.height() - spacing * len(lines)) / 2
        begin = 0
        for line in lines:
            layout = QTextLayout(line, self.letters)
            layout.setFormats(self._formats(begin, begin + len(line)))
            layout.beginLayout()
            layout.createLine().setLineWidth(1e6)
            layout.endLayout()
            layout.draw(painter, QPointF(0.0, top))
            begin, top = begin + len(line) + 1, top + spacing

    def _formats(self, begin: int, end: int) -> list[QTextLayout.FormatRange]:
        """The colours of the numbers between two letters."""
        formats, place = list[QTextLayout.FormatRange](), 0
        for piece in self._pieces:
            first, last = max(place, begin), min(place + len(piece.text), end)
            if piece.role and first < last:
                range_ = QTextLayout.FormatRange()
                range_.start, range_.length = first - begin, last - first
                range_.format.setForeground(self._theme.color(piece.role))
                formats.append(range_)
            place += len(piece.text)
        return formats
