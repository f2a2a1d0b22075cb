"""The speaker's own window: notes on the moment, this step and the next, the clock. Type to be read at arm's length."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QCloseEvent, QHideEvent, QKeyEvent, QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from cadena.gui.lessons.rich_text import RichText
from cadena.gui.look import style
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, shown
from cadena.gui.look.theme import Theme
from cadena.gui.presenting.speaker.clock import LectureClock
from cadena.gui.presenting.speaker.moment_thumbnail import MomentPicture
from cadena.gui.presenting.speaker.next_step import LectureMoment, asked, coming, next_text, place, present
from cadena.gui.session.session import Session

USUAL = QSize(1280, 720)  # pixels of a window in which type has TYPE
TYPE, LEAST_TYPE, MOST_TYPE = 1.4, 1.0, 3.0
MIN_SIZE = QSize(760, 460)
TEXT_SHARE = 0.35  # of the height of all texts, at most, for the question and for what comes next
BEAT = 250  # milliseconds between two looks at the clock
NO_NOTES = "*No notes for this moment. The lesson editor has a field for them.*"
SCROLL = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class SpeakerView(QWidget):
    """Follows the session while it is shown. Keys that it does not use itself are handed to `pressed`."""

    closed = Signal()
    swapAsked = Signal()  # the two windows are to take each other's screen

    def __init__(self, session: Session, clock: LectureClock, pressed: Callable[[QKeyEvent], bool]) -> None:
        super().__init__()
        self.session, self.clock, self._pressed = session, clock, pressed
        self._theme = look.LIGHT
        self._coming: object = None  # that of which the next step is shown
        self.setWindowTitle("Speaker view — Cadena")
        self.setAccessibleDescription("Notes, the next step and a clock, for the speaker alone")
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMinimumSize(MIN_SIZE)
        self._make_parts()
        self._lay_out()
        self._beat = QTimer(self, interval=BEAT)
        self._beat.timeout.connect(self.show_clock)
        for signal in (session.timeChanged, session.runChanged, session.methodChanged, session.documentChanged):
            signal.connect(self.follow)
        session.storyChanged.connect(self._show_texts)

    def _make_parts(self) -> None:
        self.day, self.elapsed, self.place = PlainLabel(), PlainLabel(), PlainLabel()
        self.day.setAccessibleName("Time of day")
        self.elapsed.setAccessibleName("Time since the start of the lecture")
        for label in (self.day, self.elapsed):
            label.setToolTip(label.accessibleName())
        self.pause, self.reset, self.swap = QPushButton("Pause"), QPushButton("Reset"), QPushButton("Swap screens")
        self.pause.setMinimumWidth(self.pause.sizeHint().width())
        self.pause.setToolTip("Pause the lecture's clock, or let it run on")
        self.reset.setToolTip("Begin to count at 0 again")
        self.swap.setToolTip("Show the graph on this screen, and this on the other")
        self.pause.clicked.connect(self._toggle_clock)
        self.reset.clicked.connect(self._reset_clock)
        self.swap.clicked.connect(self.swapAsked)
        self.now, self.after = MomentPicture("This step", self._theme), MomentPicture("Next step", self._theme)
        self.now_words, self.after_words = PlainLabel(wordWrap=True), PlainLabel(wordWrap=True)
        for words in (self.now_words, self.after_words):
            words.setAlignment(Qt.AlignmentFlag.AlignTop)
        policy = self.after.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # at the end there is no next picture, and this one stays in its place
        self.after.setSizePolicy(policy)
        self.question, self.next_text, self.notes = self._texts = [
            RichText(self._theme, look.READING) for _ in range(3)
        ]
        for text, name in zip(self._texts, ("Question and answer", "Next text", "Notes"), strict=True):
            text.setAccessibleDescription(name)
        self._captions = [PlainLabel(text) for text in ("This step", "Next", "Question", "Next text", "Notes")]
        for button in (self.pause, self.reset, self.swap):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the lecture

    def _lay_out(self) -> None:
        head, self._grid = QHBoxLayout(), QGridLayout()
        for widget in (self.day, self.elapsed, self.pause, self.reset):
            head.addWidget(widget)
        head.addStretch(1)
        head.addWidget(self.swap)
        head.addWidget(self.place)
        head.setSpacing(2 * look.GAP)
        steps, notes = QVBoxLayout(), QVBoxLayout()
        parts = (self._captions[0], self.now, self.now_words, self._captions[1], self.after, self.after_words)
        for part in parts:
            steps.addWidget(part, int(isinstance(part, MomentPicture)))
        for caption, text in zip(self._captions[2:], self._texts, strict=True):
            caption.setContentsMargins(0, 0 if text is self.question else 2 * look.GAP, 0, look.GAP // 2)
            notes.addWidget(caption)
            notes.addWidget(text, int(text is self.notes))
        self._grid.addLayout(head, 0, 0, 1, 2)
        self._grid.addLayout(steps, 1, 0)
        self._grid.addLayout(notes, 1, 1)
        self._grid.setColumnStretch(0, 5)
        self._grid.setColumnStretch(1, 6)
        self._grid.setRowStretch(1, 1)
        self._grid.setHorizontalSpacing(3 * look.GAP)
        self._grid.setContentsMargins(2 * look.GAP, 2 * look.GAP, 2 * look.GAP, 2 * look.GAP)
        self.setLayout(self._grid)

    # --- look

    def set_theme(self, theme: Theme) -> None:
        """Take over the colours of a theme; the type is this window's own."""
        self._theme = theme
        self._dress()

    def _dress(self) -> None:
        share = min(self.height() / USUAL.height(), self.width() / USUAL.width())
        dressed = replace(self._theme, type=min(max(TYPE * share, LEAST_TYPE), MOST_TYPE))
        self.setStyleSheet(style.sheet(dressed))
        for button in (self.pause, self.reset, self.swap):
            button.setFont(look.font(dressed))
        for label in (self.day, self.elapsed, self.place):
            label.setFont(look.font(dressed, look.TITLE, bold=label is not self.day))
        for label in self._captions:
            label.setFont(look.font(dressed, look.LABEL, bold=True))
            _color(label, dressed.muted)
        for label in (self.now_words, self.after_words):
            label.setFont(look.font(dressed, look.LABEL))
            label.setMinimumHeight(2 * label.fontMetrics().lineSpacing())  # so that pictures stay where they are
        for label in (self.day, self.elapsed, self.place, self.now_words, self.after_words):
            _color(label, dressed.text)
        for picture in (self.now, self.after):
            picture.set_theme(dressed)
        for text in self._texts:
            text.set_theme(dressed)
        self._fit_texts()
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._dress()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color("window"))
        painter.end()

    def sizeHint(self) -> QSize:
        return USUAL

    # --- following

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._beat.start()
        self.show_clock()
        self.follow()
        self.setFocus()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._beat.stop()

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    def follow(self, *_: object) -> None:
        """Show the step that the audience sees, the next one and the notes."""
        if not self.isVisible():
            return
        self.place.setText(place(self.session))
        _show(present(self.session), self.now, self.now_words)
        self._show_coming()
        self._show_texts()

    def _show_coming(self) -> None:
        """Show the next step, which stays the same while this one is under way."""
        session = self.session
        key = session.timeline, session.document, session.live, math.ceil(session.time)
        if key != self._coming:
            self._coming = key
            _show(coming(session), self.after, self.after_words)

    def _show_texts(self) -> None:
        """Show the question of the moment with its answer, what comes next, and the notes."""
        if self.isVisible():
            texts = asked(self.session), next_text(self.session), self.session.telling.notes or NO_NOTES
            for part, caption, text in zip(self._texts, self._captions[2:], texts, strict=True):
                part.show_markdown(text)
                part.setVisible(bool(text))
                caption.setVisible(bool(text))
            self._fit_texts()

    def _fit_texts(self) -> None:
        """Give question and next text the height that they need, up to a share; the notes have the rest."""
        room = self._grid.cellRect(1, 1).size()
        for text in (self.question, self.next_text):
            needed = text.height_of(text.markdown, room.width()) + 2
            text.setFixedHeight(min(needed, round(TEXT_SHARE * room.height())))

    # --- the clock

    def show_clock(self) -> None:
        """Show the time of day, and that since the start of the lecture."""
        self.day.setText(self.clock.time_of_day)
        self.elapsed.setText(self.clock.elapsed_words)
        self.pause.setText("Pause" if self.clock.runs else "Go on")

    def _toggle_clock(self) -> None:
        self.clock.toggle()
        self.show_clock()

    def _reset_clock(self) -> None:
        self.clock.reset()
        self.show_clock()

    # --- keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if (by := SCROLL.get(Qt.Key(event.key()))) is not None and not event.modifiers():
            bar = self.notes.verticalScrollBar()
            bar.setValue(bar.value() + by * 3 * self.notes.fontMetrics().lineSpacing())
        elif not self._pressed(event):
            super().keyPressEvent(event)


def _show(moment: LectureMoment, picture: MomentPicture, words: QLabel) -> None:
    picture.show_moment(moment)
    picture.setVisible(moment.frame is not None)
    words.setText(shown(moment.sentence))


def _color(label: QLabel, color: str) -> None:
    palette = label.palette()
    palette.setColor(label.foregroundRole(), color)
    label.setPalette(palette)
