"""The lesson's text as a strip above the step."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout

from cadena.core.lessons import lesson_of
from cadena.gui import theme as look
from cadena.gui.plain import PlainLabel
from cadena.gui.session import Session
from cadena.gui.strip import Strip
from cadena.gui.theme import Theme


class SummaryStrip(Strip):
    """The number and the summary of the open lesson; nothing for other graphs."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__("bottom", theme)
        self._session, self.wanted, self._on = session, True, False
        self.text = PlainLabel(wordWrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        row.addWidget(self.text)
        self.hide()
        session.opened.connect(lambda: self.follow(self._on))

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self.text.setFont(look.font(theme, look.NUMBER))

    def follow(self, shown: bool) -> None:
        """Show the text of the open lesson, if it is to be shown and there is one."""
        self._on = shown
        lesson = lesson_of(self._session.graph)
        if lesson is not None:
            self.text.setText(f"Lesson {lesson.number}: {lesson.summary}")
        self.setVisible(shown and self.wanted and lesson is not None)
