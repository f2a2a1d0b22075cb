"""A toast at the canvas: what a letter did, with undo in reach, and every sentence that needs no answer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import MAX_IN_TITLE, PlainLabel
from cadena.gui.session.session import Session
from cadena.gui.widgets.elevation import FLOATING, Shadow

SHOWN, READING = 4000, 60  # milliseconds: of a short text, and for each letter of a long one
SHARE = 0.8  # of the width of the canvas, at most


class Toast(QFrame):
    """The latest sentence, over the canvas's lower left; it goes by itself, or when something else is done."""

    def __init__(self, session: Session, canvas: QWidget) -> None:
        super().__init__(canvas)
        self._canvas = canvas
        self.setProperty("toast", True)
        Shadow(self, FLOATING)
        self.text, self.undo = PlainLabel(name=MAX_IN_TITLE, named=session.named, wordWrap=True), QPushButton("Undo")
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.undo.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+Z does it for the keys
        self.undo.setToolTip("Take it back (Ctrl+Z)")
        self.undo.clicked.connect(session.undo)
        self.fading = QTimer(self, singleShot=True)
        self.fading.timeout.connect(self.take_back)
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        row.setSpacing(2 * look.GAP)
        row.addWidget(self.text)
        row.addWidget(self.undo)
        self.hide()
        canvas.installEventFilter(self)
        session.message.connect(self.say)
        session.edited.connect(self.take_back)
        session.opened.connect(self.take_back)

    def say(self, sentence: str, can_undo: bool = False) -> None:
        """Show a sentence until it is read."""
        if not sentence:
            self.take_back()
            return
        self.text.setText(sentence)
        self.setAccessibleName(self.text.whole)
        self.undo.setVisible(can_undo)
        self.show()
        self._place()
        self.raise_()
        self.fading.start(max(SHOWN, READING * len(sentence)))

    def take_back(self) -> None:
        """Show nothing any more."""
        self.fading.stop()
        self.text.setText("")
        self.hide()

    def _place(self) -> None:
        most = round(SHARE * self._canvas.width()) - (0 if self.undo.isHidden() else self.undo.sizeHint().width())
        line = self.text.fontMetrics().horizontalAdvance(self.text.text()) + look.GAP
        self.text.setFixedWidth(max(min(line, most), 1))
        self.adjustSize()
        self.move(2 * look.GAP, self._canvas.height() - self.height() - 2 * look.GAP)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False
