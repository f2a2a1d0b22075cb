"""Markdown with $mathematics$ as a widget: Qt sets the text, the typesetter the formulas."""

from __future__ import annotations

import math
import re

from PySide6.QtCore import QPointF, QSize, Qt, QUrl
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPixmap,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextImageFormat,
)
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser

from cadena.core.text.plain_text import cleaned
from cadena.gui.formulas import pictures
from cadena.gui.formulas.typesetter import cached, typesetter
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme

MATHEMATICS = re.compile(r"(?<!\\)\$(?!\s)([^$\n]+?)(?<![\s\\])\$")
FIRST_MARK, MARKS = 0xE000, 6000  # characters of private use stand for the formulas while Qt reads the Markdown
MARK = re.compile(f"[{chr(FIRST_MARK)}-{chr(FIRST_MARK + MARKS)}]")
NO_PICTURE = "!\u2060["  # a word joiner: it is not seen, and parts the two signs that begin a picture
STOPS = ".,;:!?)"
X_HEIGHT = 1.12  # of the type: at this size letters of a formula are as large as those around it
LETTERS = 20_000
MAX_HEIGHTS = 256  # of texts that are kept: a story is measured whole whenever its document or its width changes


def with_marks(text: str) -> tuple[str, list[str]]:
    """The text with a mark in the place of each formula, and the formulas. It holds no picture: Qt would open its file,
    whatever the browser's `loadResource` says, and wait for a pipe or for another machine."""
    formulas: list[str] = []

    def mark(match: re.Match[str]) -> str:
        if len(formulas) == MARKS:
            return match[0]
        formulas.append(match[1])
        return chr(FIRST_MARK + len(formulas) - 1)

    plain = MARK.sub("", cleaned(text[:LETTERS], keep="\n"))
    return MATHEMATICS.sub(mark, plain).replace(r"\$", "$").replace("![", NO_PICTURE), formulas


class RichText(QTextBrowser):
    """Shows a text and takes no keys. It reads no files: a picture in a text is a link that leads nowhere."""

    def __init__(self, theme: Theme, size: float = look.LABEL) -> None:
        super().__init__()
        self._theme, self._size, self._text = theme, size, ""
        self._heights: dict[tuple[str, int, str, float], int] = {}
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setOpenLinks(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.setProperty("plain", True)
        self.viewport().setAutoFillBackground(False)
        self.document().setDocumentMargin(0)
        typesetter.formulas_set.connect(self._come)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.show_in(self._size)

    def show_in(self, size: float) -> None:
        """Show the text at another size of the scale."""
        self._size = size
        self.setFont(look.font(self._theme, size))
        self.document().setDefaultFont(self.font())
        self._fill()

    def set_scrolling(self, scrolls: bool) -> None:
        """Offer to scroll, or leave the width of the bar to the text: Qt would show the bar for the bar's own sake."""
        policy = Qt.ScrollBarPolicy.ScrollBarAsNeeded if scrolls else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        self.setVerticalScrollBarPolicy(policy)

    def show_markdown(self, text: str) -> None:
        """Show this text, with formulas between dollar signs."""
        if text != self._text:
            self._text = text
            self._fill()

    @property
    def markdown(self) -> str:
        """The text that is shown."""
        return self._text

    def height_of(self, text: str, width: int) -> int:
        """The height of a text in this width."""
        key = text, width, self.font().key(), self.devicePixelRatioF()
        height = self._heights.get(key)
        if height is None:
            document = QTextDocument(documentMargin=0)
            self._write(document, text)
            document.setTextWidth(width)
            height = round(document.size().height() + 1)
            if len(self._heights) >= MAX_HEIGHTS:
                self._heights.clear()
            if not MARK.search(document.toPlainText()):  # else formulas are still to come
                self._heights[key] = height
        return height

    def sizeHint(self) -> QSize:
        return QSize(200, self.height_of(self._text, max(self.width(), 200)))

    def minimumSizeHint(self) -> QSize:
        return QSize(40, QFontMetricsF(self.font()).height().__ceil__())

    # --- the document

    def _come(self) -> None:
        """Set the text again, since formulas have come: perhaps those of this one."""
        if MARK.search(self.toPlainText()):
            self._fill()
        self.updateGeometry()

    def _fill(self) -> None:
        self._write(self.document(), self._text)
        self.setAccessibleName(MATHEMATICS.sub(r"\1", self._text))
        self.updateGeometry()

    def _write(self, document: QTextDocument, text: str) -> None:
        """Set a text in a document, with those of its formulas that are set already."""
        marked, formulas = with_marks(text)
        typesetter.ask(formulas)
        document.setDefaultFont(self.font())
        document.setMarkdown(marked, QTextDocument.MarkdownFeature.MarkdownNoHTML)
        for number, latex in enumerate(formulas):
            place = document.find(chr(FIRST_MARK + number))
            if not place.isNull() and cached(latex) is not None:
                self._insert(place, latex)

    def _insert(self, place: QTextCursor, latex: str) -> None:
        """Put a formula in the place of its mark, with its baseline on that of the text, and the stop that follows."""
        size, ratio = self.font().pixelSize() * X_HEIGHT, self.devicePixelRatioF()
        picture = pictures.render(latex, size, self._theme.text, ratio)
        stop = place.document().characterAt(place.selectionEnd())
        if stop and stop in STOPS:  # Qt would break the line at the picture, even before a full stop
            place.movePosition(QTextCursor.MoveOperation.NextCharacter, QTextCursor.MoveMode.KeepAnchor)
        else:
            stop = ""
        descent = max(pictures.setting(latex).descent * size / pictures.REFERENCE, 0.0) + 1  # and the air around it
        font, own = _font_that_descends(self.font(), descent)
        name = f"formula {latex}{stop}"
        padded = self._on_line(picture, stop, own, own - descent)
        width, height = padded.deviceIndependentSize().toTuple()
        place.document().addResource(QTextDocument.ResourceType.ImageResource, QUrl(name), padded)
        image = QTextImageFormat()
        image.setName(name)
        image.setWidth(width)
        image.setHeight(height)
        image.setFont(font)
        image.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignBaseline)
        place.insertImage(image)

    def _on_line(self, picture: QPixmap, stop: str, descent: float, room: float) -> QPixmap:
        """A picture with `room` below it and a stop behind it, on the line that is `descent` above the bottom."""
        ratio = picture.devicePixelRatio()
        wide = picture.width() + math.ceil(QFontMetricsF(self.font()).horizontalAdvance(stop) * ratio)
        whole = QPixmap(wide, picture.height() + round(room * ratio))
        whole.setDevicePixelRatio(ratio)
        whole.fill(QColor(0, 0, 0, 0))
        with QPainter(whole) as painter:
            painter.drawPixmap(0, 0, picture)
            painter.setFont(self.font())
            painter.setPen(QColor(self._theme.text))
            begin, bottom = picture.deviceIndependentSize().width(), whole.deviceIndependentSize().height()
            painter.drawText(QPointF(begin, bottom - descent), stop)
        return whole


def _font_that_descends(font: QFont, descent: float) -> tuple[QFont, float]:
    """A font whose letters reach at least so far below the line, and how far: Qt aligns a picture by its font alone."""
    font_ = QFont(font)
    size = font.pixelSize()
    while QFontMetricsF(font_).descent() < descent:
        size += 1
        font_.setPixelSize(size)
    return font_, QFontMetricsF(font_).descent()
