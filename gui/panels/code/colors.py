"""The colours of code, by Pygments, which is imported when the first code is shown."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from PySide6.QtCore import QTimer
from PySide6.QtGui import QSyntaxHighlighter, QTextCharFormat, QTextDocument

from cadena.core.methods.answer import Cancel, stop_if
from cadena.gui.background.worker import Work
from cadena.gui.look.theme import Theme

Span = tuple[int, int, str]  # where it begins, how long it is, the role of its colour
MAX_AT_ONCE = 20_000  # letters that are read in some 20 ms; a thread reads longer texts
MAX_SINGLY = 200  # lines that are read by themselves before the whole text is
BETWEEN = 500  # pieces of code between two looks at whether reading was cancelled
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


def spans(text: str, read: Any, cancelled: Cancel | None = None) -> list[list[Span]]:
    """The coloured stretches of each line."""
    lines: list[list[Span]] = [[]]
    at = 0
    for count, (kind, part) in enumerate(read.get_tokens(text)):
        if cancelled is not None and not count % BETWEEN:
            stop_if(cancelled)
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
    """Colours a text: a line that is being typed at once and by itself, all lines together after a pause.

    A long text is read in a thread; until then it stands there without colours.
    """

    def __init__(self, document: QTextDocument, theme: Theme) -> None:
        super().__init__(document)
        self._theme, self._language = theme, ""
        self._lexer: Any = None
        self._text = ""  # what was read last
        self._texts: list[str] = []  # its lines
        self._spans: list[list[Span]] = []
        self._singly = 0  # lines that were read by themselves since then
        self._reading: Work | None = None
        self._pause = QTimer(self, interval=PAUSE, singleShot=True)
        self._pause.timeout.connect(self.rehighlight)
        document.contentsChange.connect(lambda at, removed, added: self._pause.start() if removed or added else None)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.rehighlight()

    def set_language(self, language: str) -> None:
        """Colour by another language, one of Pygments' names."""
        if language != self._language:
            self._language, self._lexer, self._text = language, None, ""
            self.rehighlight()

    def rehighlight(self) -> None:
        """Read the whole text, since a string may have begun many lines before."""
        self._pause.stop()
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        text = self.document().toPlainText()
        if self._lexer is None and self._language and text:
            self._lexer = lexer(self._language)
        read = self._lexer
        if read is None or text == self._text or len(text) <= MAX_AT_ONCE:
            self._show(text, spans(text, read) if read and text != self._text else self._spans if read else [])
        else:
            self._reading = Work(lambda cancelled: (text, spans(text, read, cancelled)))
            self._reading.succeeded.connect(self._finish)
            self._reading.begin()

    def _finish(self, work: Work, result: tuple[str, list[list[Span]]]) -> None:
        if work is self._reading:
            self._reading = None
            self._show(*result)

    def _show(self, text: str, lines: list[list[Span]]) -> None:
        """Paint a text, which may have lines that were typed since then, by what was read of it."""
        self._text, self._texts, self._spans, self._singly = text, text.split("\n") if lines else [], lines, 0
        is_typing = self._pause.isActive()
        super().rehighlight()
        if not is_typing:
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
        elif self._lexer is not None and self._singly < MAX_SINGLY:
            self._singly += 1
            yield from spans(text, self._lexer)[0]
