"""Text from documents and files prepared for display: as it is, never as HTML or a mnemonic, and shortened."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from cadena.core.text.plain_text import cleaned, elided, with_short_names

MAX_IN_NAME, MAX_IN_TITLE, MAX_IN_TIP = 20, 80, 400  # letters of a name: in a panel, on its own, in a tooltip
MAX_LETTERS = 10_000  # letters of any text
LINES = "\n"  # characters that break a text into lines


def shown(text: str, name: int = MAX_IN_NAME, most: int = MAX_LETTERS) -> str:
    """A text with … in the middle of long names, and of itself where it is endless, for widgets that take no HTML."""
    return cleaned(elided(with_short_names(text, name), most), keep=LINES)


def title(text: str, most: int = MAX_IN_TITLE) -> str:
    """Shorten a text that stands alone on one line: the name of a file, an entry of a list."""
    return cleaned(elided(text, most))


def tip(text: str) -> str:
    """Prepare a text for a tooltip, which has room for more but interprets HTML."""
    text_ = shown(text, MAX_IN_TIP)
    is_html = "<" in text_ or "&" in text_
    return f"<span>{escape(text_).replace(LINES, '<br>')}</span>" if is_html else text_


def menu_text(text: str) -> str:
    """Prepare a text for a button or an entry of a menu, where & marks the key of a letter."""
    return title(text).replace("&", "&&")


class PlainLabel(QLabel):
    """A label that shows text as it is, like all labels that are not written as HTML.

    `named` puts names as people read them, w[3] for w_3, into the text (`Session.named`).
    """

    def __init__(
        self, text: str = "", name: int = MAX_IN_NAME, named: Callable[[str], str] = str, **properties: Any
    ) -> None:
        super().__init__(textFormat=Qt.TextFormat.PlainText, **properties)
        self._name, self._named, self.whole = name, named, ""
        self.setText(text)

    def setText(self, text: str) -> None:
        text = self._named(text)
        if text != self.whole:
            self.whole = text
            super().setText(shown(text, self._name))

    def setToolTip(self, text: str) -> None:
        super().setToolTip(tip(text))
