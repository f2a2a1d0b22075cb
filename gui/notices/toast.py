"""A toast on the canvas: what a letter did, with undo in reach, and every sentence that needs no answer."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer
from PySide6.QtWidgets import QFrame, QHBoxLayout, QPushButton, QWidget

from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import MAX_IN_TITLE, PlainLabel
from cadena.gui.session.session import Session
from cadena.gui.session.shown_document import EditChoice
from cadena.gui.widgets.elevation import FLOATING, Shadow

SHOWN, READING = 4000, 60  # milliseconds: of a short text, and for each letter of a long one
SHARE = 0.8  # of the width of the canvas, at most


class Toast(QFrame):
    """The latest sentence, at the side of the canvas where it covers no card, first of all at the lower left. It goes
    by itself, or when something else is done. `covered(area)` is larger the more an area of the canvas covers.
    """

    def __init__(self, session: Session, canvas: QWidget, covered: Callable[[QRect], tuple[int, ...]]) -> None:
        super().__init__(canvas)
        self._canvas, self._covered = canvas, covered
        self.setProperty("toast", True)
        Shadow(self, FLOATING)
        self.text, self.undo = PlainLabel(name=MAX_IN_TITLE, named=session.named, wordWrap=True), QPushButton("Undo")
        self.text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.undo.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # Ctrl+Z does it for the keys
        self.undo.setToolTip("Take it back (Ctrl+Z)")
        self.undo.clicked.connect(session.undo)
        self._held: str | None = None  # the latest news of a presentation; None: news is shown at once
        self.fading = QTimer(self, singleShot=True)
        self.fading.timeout.connect(self.take_back)
        self.other = QPushButton()  # the other way to go on
        self.other.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.other.clicked.connect(lambda: self._choice())
        self._choice: Callable[[], object] = lambda: None
        row = QHBoxLayout(self)
        row.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        row.setSpacing(2 * look.GAP)
        for part in (self.text, self.other, self.undo):
            row.addWidget(part)
        self.hide()
        canvas.installEventFilter(self)
        session.timeChanged.connect(self.give_way)
        session.message.connect(self.say)
        session.done.connect(lambda sentence, choice: self.say(sentence, True, choice))
        session.news.connect(self._bring)
        session.edited.connect(self.take_back)
        session.opened.connect(self.take_back)

    def say(self, sentence: str, can_undo: bool = False, choice: EditChoice | None = None) -> None:
        """Show a sentence until it is read."""
        if not sentence:
            self.take_back()
            return
        self.text.setText(sentence)
        self.setAccessibleName(self.text.whole)
        self.undo.setVisible(can_undo)
        self.other.setVisible(choice is not None)
        if choice is not None:
            self.other.setText(choice.text)
            self.other.setToolTip(choice.tip)
            self._choice = choice.act
        self.show()
        self._place()
        self.raise_()
        self.fading.start(max(SHOWN, READING * len(sentence)))

    def hold(self, holds: bool) -> None:
        """Keep news back while an audience watches; the latest is shown when nobody does any more."""
        late, self._held = self._held, "" if holds else None
        if late and not holds:
            self.say(late)

    def _bring(self, news: str) -> None:
        if self._held is None:
            self.say(news)
        else:
            self._held = news

    def take_back(self) -> None:
        """Show nothing any more."""
        self.fading.stop()
        self.text.setText("")
        self.hide()

    def _place(self) -> None:
        buttons = sum(one.sizeHint().width() for one in (self.other, self.undo) if not one.isHidden())
        most = round(SHARE * self._canvas.width()) - buttons
        line = self.text.fontMetrics().horizontalAdvance(self.text.text()) + look.GAP
        self.text.setFixedWidth(max(min(line, most), 1))
        self.adjustSize()
        self._stand()

    def give_way(self) -> None:
        """Move where a card has come below it."""
        if not self.isHidden() and any(self._covered(self.geometry())):
            self._stand()

    def _stand(self) -> None:
        edge = 2 * look.GAP
        left, right = edge, max(edge, self._canvas.width() - self.width() - edge)
        low, high = self._canvas.height() - self.height() - edge, edge
        levels = (low, high, *range(low, high, -3 * look.GAP))  # the corners first
        places = [QRect(x, y, self.width(), self.height()) for y in levels for x in (left, right)]
        scores = ((place, self._covered(place)) for place in places)
        free = next((place for place, score in scores if not any(score)), None)
        self.move((free or min(places, key=self._covered)).topLeft())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and not self.isHidden():
            self._place()
        return False
