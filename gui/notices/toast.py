"""A short notice at the canvas: what a single letter did, with undo in reach."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, title
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session

SHOWN = 6000  # milliseconds


class DoneNotice(QFrame):
    """The notice goes by itself, or when something else is done."""

    def __init__(self, session: Session, canvas: QWidget, theme: Callable[[], Theme]) -> None:
        super().__init__(canvas)
        self._session, self._canvas, self._theme, self._count = session, canvas, theme, 0
        self.text, self.undo = PlainLabel(), QPushButton("Undo")
        self.undo.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+Z does it for the keys
        self.undo.setToolTip("Take it back (Ctrl+Z)")
        self.undo.clicked.connect(session.undo)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, look.GAP // 2, look.GAP, look.GAP // 2)
        row.addWidget(self.text)
        row.addWidget(self.undo)
        self.hide()
        canvas.installEventFilter(self)
        session.edited.connect(self.hide)
        session.opened.connect(self.hide)

    def say(self, text: str, can_undo: bool) -> None:
        """Show what was done, for a while."""
        theme, self._count = self._theme(), self._count + 1
        self.setStyleSheet(
            f"DoneNotice {{ background: {theme.card}; border: {round(theme.line)}px solid {theme.border};"
            f" border-radius: {look.RADIUS}px; }}"
        )
        self.text.setText(title(self._session.named(text)))
        self.setAccessibleName(text)
        self.undo.setVisible(can_undo)
        self.show()
        self._place()
        self.raise_()
        QTimer.singleShot(SHOWN, self, partial(self._go, self._count))

    def _go(self, number: int) -> None:
        if number == self._count:  # another is shown since
            self.hide()

    def _place(self) -> None:
        self.adjustSize()
        self.move((self._canvas.width() - self.width()) // 2, self._canvas.height() - self.height() - 2 * look.GAP)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False
