"""The code of the graph in a chosen language, written anew as the graph changes; a program's lines mark their nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.core.graph.document import Document
from cadena.core.languages.record import LANGUAGES
from cadena.gui.background.throttle import Throttle
from cadena.gui.background.worker import Work
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.code.editor import CodeEditor
from cadena.gui.panels.code.find_bar import FindRow
from cadena.gui.panels.code.line_links import NONE, CodeLines
from cadena.gui.panels.parts.common import Sentence, column_in
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.languages.exported import Exported

PATIENCE = 30  # milliseconds that the interface waits for a listing, so that short ones do not blink
MAX_SHOWN = 400_000  # characters; an editor would take seconds for more


class ListingPage(QWidget):
    """Shows what `export` writes; `leftByKey` when Esc is pressed."""

    leftByKey = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self.language = session, "torch"
        self._shown: tuple[Document, str] | None = None
        self._work: Work | None = None
        self.text = ""  # all of it
        self.editor = CodeEditor(theme)
        self.editor.setReadOnly(True)
        self.editor.setAccessibleName("Code of the graph")
        self.editor.setAccessibleDescription("To read and to copy; the cursor lights the nodes of its line")
        self.editor.leftByKey.connect(self.leftByKey)
        self.lines = CodeLines(session, self.editor)
        self.find_row = FindRow(self.editor)
        self.editor.findAsked.connect(self.find_row.open)
        self.sentence = Sentence(theme)
        column = column_in(self, spacing=0)
        column.addWidget(self.find_row)
        margins = QVBoxLayout()
        margins.setContentsMargins(look.GAP, 0, look.GAP, 0)
        margins.addWidget(self.sentence)
        column.addLayout(margins)
        column.addWidget(self.editor, 1)
        self._throttle = Throttle(self, self.follow)
        session.documentChanged.connect(lambda _: self._throttle.request())

    def set_theme(self, theme: Theme) -> None:
        self.editor.set_theme(theme)
        self.sentence.set_theme(theme)

    def choose(self, language: str) -> None:
        """Show another language."""
        self.language = language
        self.follow()

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.follow()

    def copy(self) -> None:
        """Put the whole code onto the clipboard."""
        QGuiApplication.clipboard().setText(self.text)
        self.session.message.emit(f"Copied {len(self.text.splitlines())} lines of {LANGUAGES[self.language].title}")

    def follow(self) -> None:
        """Write the code of the present graph, unless it is shown or not to be seen."""
        wanted = self.session.document, self.language
        if not self.isVisible() or self._work is not None or _same(self._shown, wanted):
            return
        self._shown = wanted
        self._work = work = Work(lambda cancelled: _written(*wanted))
        work.succeeded.connect(lambda work, exported: self._show(exported.text, "", exported.lines))
        work.refused.connect(lambda work, refusal: self._show("", worded(refusal)))
        work.finished.connect(self._ended)
        work.begin()
        work.finish(PATIENCE)

    def _show(self, text: str, sentence: str, lines: Mapping[str, int] = NONE) -> None:
        self.sentence.say(sentence, capital=False)
        self.text = text
        shown = text if len(text) <= MAX_SHOWN else f"{text[:MAX_SHOWN]}\n…  Copy has the whole of it"
        self.editor.colors.set_language(LANGUAGES[self.language].lexer if len(text) <= MAX_SHOWN else "")
        self.editor.show_text(shown)
        self.lines.follow(lines)

    def _ended(self) -> None:
        self._work = None
        self.follow()  # the graph may have changed in the meantime


def _same(shown: tuple[Document, str] | None, wanted: tuple[Document, str]) -> bool:
    return shown is not None and shown[0] is wanted[0] and shown[1] == wanted[1]


def _written(document: Document, language: str) -> Exported:
    from cadena.core.languages.export import export

    return export(document, language)
