"""The whole text of the lesson in the document: its summary, its idea, what to look at and what to try."""

from __future__ import annotations

from html import escape

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from cadena.core.graph.document import Document
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import shown, title
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import column_in, scrolled
from cadena.gui.session.asking import HELD_BACK
from cadena.gui.session.session import Session


def lesson_text(document: Document) -> str:
    """The lesson in the file as rich text: its summary, then idea, what to notice, what to try; or ""."""
    lesson = document.extra.get("lesson")
    if not isinstance(lesson, dict):
        return _paragraph("", lesson)
    text = lesson.get("text")
    parts = [_paragraph("", lesson.get("summary"))]
    if isinstance(text, dict):
        parts += [_paragraph(str(word), part) for word, part in text.items()]
    else:
        parts.append(_paragraph("", text))
    return "".join(parts)


def _paragraph(word: str, text: object) -> str:
    """One part of a lesson under its word; "" for what is no text."""
    if not isinstance(text, str) or not text:
        return ""
    head = f"<b>{escape(title(word).capitalize())}.</b> " if word else ""
    return f"<p>{head}{escape(shown(text))}</p>"


class LessonText(QWidget):
    """Follows the document."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self._session = session
        self.text = QLabel(wordWrap=True, textFormat=Qt.TextFormat.RichText)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.addWidget(self.text)
        column.addStretch(1)
        column_in(self).addWidget(scrolled(inside))
        session.opened.connect(self.follow)
        session.edited.connect(self.follow)
        session.askingChanged.connect(self.follow)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self.text.setFont(look.font(theme, look.READING))
        self.follow()

    def follow(self) -> None:
        session = self._session
        self.text.setText(_paragraph("", HELD_BACK) if session.asking.is_open else lesson_text(session.document))
