"""Names to complete a word with, offered below the cursor of an editor."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Callable, Iterable

from PySide6.QtCore import QStringListModel
from PySide6.QtWidgets import QAbstractItemView, QCompleter, QPlainTextEdit, QTextEdit

from cadena.gui.look import theme as look

WORD = re.compile(r"[^\W\d]\w*(?:\.\w*)*$")
NAME = re.compile(r"[^\W\d]\w+")
MIN_LETTERS = 2  # typed before names are offered without being asked for
PYTHON = frozenset((*keyword.kwlist, *(name for name in dir(builtins) if not name.startswith("_") and name.islower())))
NameSource = Callable[[str], Iterable[str]]  # from "" the names, from "torch" the names of that library


class Completion(QCompleter):
    """Offers what `words` knows, the names in the text and those of Python; `insert` takes the one that is chosen."""

    def __init__(self, editor: QPlainTextEdit | QTextEdit, words: NameSource, is_python: bool = True) -> None:
        super().__init__(editor)
        self._others = PYTHON if is_python else frozenset[str]()
        self._editor, self._words, self._listed = editor, words, QStringListModel(self)
        self.setWidget(editor)
        self.setModel(self._listed)
        self.activated.connect(self.insert)

    @property
    def menu(self) -> QAbstractItemView:
        """The list that opens."""
        menu = self.popup()
        assert menu is not None
        return menu

    @property
    def is_open(self) -> bool:
        return self.menu.isVisible()

    def close_menu(self) -> None:
        self.menu.hide()

    def offer(self, least: int = MIN_LETTERS) -> None:
        """Offer names that begin as the word before the cursor does, if that has enough letters."""
        cursor = self._editor.textCursor()
        match = WORD.search(cursor.block().text()[: cursor.positionInBlock()])
        head = match[0] if match else ""
        if not head or len(head) < least:
            self.menu.hide()
            return
        owner, dot, _ = head.rpartition(".")
        others = () if dot else (*NAME.findall(self._editor.toPlainText()), *self._others)
        words = {*self._words(owner), *others} - {head}
        self._listed.setStringList(sorted(words, key=lambda word: (word.lower(), word)))
        self.setCompletionPrefix(head)
        if self.completionCount():
            self._open()
        else:
            self.menu.hide()

    def _open(self) -> None:
        menu = self.menu
        menu.setFont(self._editor.font())
        place = self._editor.cursorRect()
        place.translate(self._editor.viewport().x(), 0)
        bar = menu.verticalScrollBar()
        place.setWidth(menu.sizeHintForColumn(0) + (bar.sizeHint().width() if bar else 0) + 2 * look.GAP)
        self.complete(place)
        menu.setCurrentIndex(self.completionModel().index(0, 0))

    def insert(self, word: str = "") -> None:
        """Complete the word before the cursor; by default with the name that is chosen in the list."""
        word = word or self.menu.currentIndex().data() or self.currentCompletion()
        self.menu.hide()
        self._editor.textCursor().insertText(word[len(self.completionPrefix()) :])
