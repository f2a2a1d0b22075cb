"""The colours of code, by Pygments, which is imported when the first code is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from cadena.gui.theme import Theme

Span = tuple[int, int, str]  # where it begins, how long it is, the role of its colour
PAUSE = 120  # milliseconds without a key until the whole text is read again
# What Pygments calls a stretch of code begins with one of these -> its colour's role. Names have that of text.
ROLES = {
    "Token.Keyword": "heat_low", "Token.Operator.Word": "heat_low", "Token.Name.Builtin": "heat_low",
    "Token.Name.Tag": "heat_low", "Token.Generic.Heading": "heat_low", "Token.Generic.Subheading": "heat_low",
    "Token.Comment": "muted", "Token.Literal.Number": "value", "Token.Literal.String": "heat_high",
}  # fmt: skip


def lexer(language: str) -> Any:
    """Pygments' lexer of a language, by Pygments' name for it."""
    from pygments.lexers import get_lexer_by_name

    return get_lexer_by_name(language, stripnl=False, ensurenl=False)


def spans(text: str, read: Any) -> list[list[Span]]:
    """The coloured stretches of each line."""
    lines: list[list[Span]] = [[]]
    at = 0
    for kind, part in read.get_tokens(text):
        role = _role(str(kind))
        for number, piece in enumerate(part.split("\n")):
            if number:
                lines.append([])
                at = 0
            if role and piece:
                lines[-1].append((at, len(piece), role))
            at += len(piece)
    return lines


def _role(kind: str) -> str:
    return next((role for start, role in ROLES.items() if kind.startswith(start)), "")


class CodeColors(QSyntaxHighlighter):
    """Colours a text: a line that is being typed at once and by itself, all lines together after a pause."""

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme, self._language = theme, ""
        self._lexer: Any = None
        self._texts: list[str] = []
        self._spans: list[list[Span]] = []
        self._pause = QTimer(self, interval=PAUSE, singleShot=True)
        self._pause.timeout.connect(self.rehighlight)
        document.contentsChange.connect(lambda at, removed, added: self._pause.start() if removed or added else None)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.rehighlight()

    def set_language(self, language: str) -> None:
        """Colour by another language, one of Pygments' names."""
        if language != self._language:
            self._language, self._lexer = language, None
            self.rehighlight()

    def rehighlight(self) -> None:
        """Read the whole text, since a string may have begun many lines before."""
        self._pause.stop()
        text = self.document().toPlainText()
        if self._lexer is None and self._language and text:
            self._lexer = lexer(self._language)
        self._texts = text.split("\n") if self._lexer else []
        self._spans = spans(text, self._lexer) if self._lexer else []
        super().rehighlight()
        self._pause.stop()

    def highlightBlock(self, text: str) -> None:
        for start, length, role in self._of_line(self.currentBlock().blockNumber(), text):
            shape = QTextCharFormat()
            shape.setForeground(self._theme.color(role))
            shape.setFontItalic(role == "muted")
            self.setFormat(start, length, shape)

    def _of_line(self, number: int, text: str) -> Iterator[Span]:
        if number < min(len(self._spans), len(self._texts)) and self._texts[number] == text:
            yield from self._spans[number]
        elif self._lexer is not None:
            yield from spans(text, self._lexer)[0]
