"""A lesson's story, a card or a strip: the text of this moment, its place among all, its question with the answer."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QBoxLayout, QHBoxLayout, QLineEdit, QPushButton, QVBoxLayout, QWidget

from cadena.core.graph.fault import Refused
from cadena.core.teaching.story import Choices, StoryQuestion, StoryStep
from cadena.gui.lessons.rich_text import RichText
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, menu_text
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.flow_layout import FlowLayout
from cadena.gui.session.session import Session
from cadena.gui.widgets.strip import Strip

CARD_AIR, ABOVE = 20, 2  # pixels beside the text of a card, and above a text, to be level with the pager
QWIDGETSIZE_MAX = 16777215  # Qt's own, which PySide6 does not name
TURNER = 28  # pixels at `type` 1: the width of a button that turns to another text
TYPED, APART = 96, 4  # pixels: the field of an answer that is typed, at `type` 1; between it and the buttons
HIGH = 800  # pixels at `type` 1 of a window from which on the text is as large as numbers
SHARE, LINES = 0.1, 4.25  # of the window's height, and lines that there is always room for: a longer text scrolls
NARROW = 0.36  # of the width of a line, for choices beside a text that needs the room: they stand in two rows
OUTCOME, RIGHT = "→ **{solution}.** {because}", "✓ **Right: {solution}.** {because}"
BEGINNINGS = frozenset("0123456789+-−.,(")  # of an answer that is typed without a click on its field


class StoryStrip(Strip):
    """Follows the session alone; `focusReturned` when the keys are the canvas's again."""

    focusReturned = Signal()

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__("bottom", theme)
        self.session = session
        self.text = RichText(theme, look.READING)
        self._is_card = False
        self._line: int | None = None  # the height of the row; None: as its texts need it
        self.heading = PlainLabel(wordWrap=True)
        self.heading.setProperty("label", True)
        self.heading.hide()
        self.place = PlainLabel(alignment=Qt.AlignmentFlag.AlignCenter)
        self.before, self.after = _small("‹", "The text before (PgUp)"), _small("›", "The next text (PgDown)")
        self.before.clicked.connect(lambda: session.telling.go(-1))
        self.after.clicked.connect(lambda: session.telling.go(1))
        self.asking = AnswerRow(session)
        self.asking.answered.connect(self.focusReturned)
        self._lay_out()
        session.storyChanged.connect(self.follow)
        session.documentChanged.connect(self.follow)
        session.methodChanged.connect(self.follow)
        self.setAccessibleName("The lesson's text")
        self.set_theme(theme)

    def _lay_out(self) -> None:
        self._turn = turn = QHBoxLayout()
        self._across = row = QHBoxLayout(self)
        self._words = words = QVBoxLayout()
        turn.setSpacing(2)
        turn.addWidget(self.heading, 1)
        for widget in (self.place, self.before, self.after):
            turn.addWidget(widget)
        words.addWidget(self.text)
        row.addLayout(turn)
        row.setAlignment(turn, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        row.addWidget(self.asking, 0, Qt.AlignmentFlag.AlignTop)
        self.set_card(False)

    def set_card(self, is_card: bool) -> None:
        """Stand in a column, as a card at the foot of the dock, or in a row above the graph."""
        self._is_card, self._side = is_card, "top" if is_card else "bottom"
        air, between = (CARD_AIR, look.GAP // 2) if is_card else (2 * look.GAP, 2 * look.GAP)
        ends = 2 * look.GAP if is_card else look.GAP // 2 if self._line is None else 0
        self._across.setDirection(QBoxLayout.Direction.TopToBottom if is_card else QBoxLayout.Direction.LeftToRight)
        self._across.setContentsMargins(air, ends, air, ends)
        self._across.setSpacing(between)
        self._words.setContentsMargins(0, ABOVE, 0, 0)
        self.heading.setVisible(is_card)
        self._size = 0.0
        self.follow()

    def set_line(self, height: int | None) -> None:
        """Keep the row so high, where its texts allow it; None for as high as they need."""
        self._line = height
        for part in (self.before, self.after):
            part.setMaximumHeight(self._tallest)
        self.set_card(self._is_card)

    @property
    def _tallest(self) -> int:
        """The height of buttons and fields, at most."""
        return QWIDGETSIZE_MAX if self._line is None or self._is_card else self._line - 4

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        self._size = 0.0
        self.text.set_theme(theme)
        self.asking.field.setFixedWidth(round(TYPED * theme.type))
        self.place.setMinimumWidth(self.place.fontMetrics().horizontalAdvance("12 of 12"))
        self.follow()

    def showEvent(self, event) -> None:
        self.session.telling.set_shown(True)
        self.follow()

    def hideEvent(self, event) -> None:
        self.session.telling.set_shown(False)

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        self.fit()

    def fit(self) -> None:
        """Take the height that the longest text of the story needs, up to a share of the window's.

        It is one height for all texts, so that the graph below stays where it is; a line of a given height is exceeded
        only while a text needs it.
        """
        theme, window = self._theme, self.window().height()
        for button in (self.before, self.after):  # in type that may be larger than that of the text
            button.ensurePolished()
            button.setFixedWidth(max(round(TURNER * theme.type), button.sizeHint().width()))
        if self._is_card:
            self._fit_card()
            return
        size = look.READING if self._line is not None or window >= HIGH * theme.type else look.LABEL
        if size != self._size:
            self._size = size
            self.text.show_in(size)
        room = self._room
        now = self._needed_now(room)
        needed = now if self._line is not None else max(self._needed_ever(room), now)
        needed = min(needed, self._most)
        self.text.set_scrolling(now > needed)
        asking = 0 if self.asking.isHidden() else self.asking.heightForWidth(self.asking.width())
        margins = self._across.contentsMargins()
        least = ABOVE if self._line is None else 1
        height = max(needed + least, asking, self.before.sizeHint().height()) + margins.top() + margins.bottom()
        height = max(height, self._line or 0)
        above = least if self._line is None else max((height - now) // 2, least)  # in the middle of a line
        self._words.setContentsMargins(0, above, 0, 0)
        if height != self.maximumHeight():
            self.setFixedHeight(height)

    @property
    def _room(self) -> int:
        """The width of a line for a text and the answer beside it."""
        return self.width() - self._turn.sizeHint().width() - 6 * look.GAP

    @property
    def _most(self) -> int:
        """The height of a text in a line, at most."""
        return round(max(SHARE * self.window().height(), LINES * QFontMetrics(self.text.font()).height()))

    def _fit_card(self) -> None:
        """Take the height that the present text and its question need; a text beyond a third of the window scrolls."""
        telling, margins = self.session.telling, self._across.contentsMargins()
        if telling.step is None:
            return
        if self._size != look.READING:
            self._size = look.READING
            self.text.show_in(look.READING)
        room = self.width() - margins.left() - margins.right()
        now, most = self.text.height_of(self._present, room) + 4, self.window().height() // 3
        self.text.set_scrolling(now > most)
        heights = [
            self._turn.heightForWidth(room) if self._turn.hasHeightForWidth() else self._turn.sizeHint().height()
        ]
        heights.append(min(now, most))
        if not self.asking.isHidden():
            heights.append(self.asking.heightForWidth(room))
        height = sum(heights) + self._across.spacing() * len(heights) + margins.top() + margins.bottom()
        if height != self.maximumHeight():
            self.setFixedHeight(height)

    def _needed_now(self, room: int) -> int:
        """The height of the present text in this width."""
        step = self.session.telling.step
        if step is None:
            return 0
        return self.text.height_of(self._present, room - (0 if self.asking.isHidden() else self._asking_width(step)))

    def _needed_ever(self, room: int) -> int:
        """The height of the longest text in this width."""
        return max((self._needed(step, room) for step in self.session.telling.story.steps), default=0)

    def _needed(self, step: StoryStep, room: int) -> int:
        """The height of a text in this width: beside the field for its answer, and with the answer in its place."""
        asked = whole(step.text, step.question, "", self._gap)
        solved = whole(step.text, step.question, RIGHT, self._gap)
        height = self.text.height_of(asked, room - self._asking_width(step))
        return max(height, self.text.height_of(solved, room)) if step.question else height

    def _asking_width(self, step: StoryStep) -> int:
        """The width that the answer to a step's question takes from its text."""
        if step.question is None:
            return 0
        answer = step.question.answer
        chosen = answer.choices if isinstance(answer, Choices) else (self.asking.check.text(),)
        field = 0 if isinstance(answer, Choices) else round(TYPED * self._theme.type)
        wide = self.asking.width_of(chosen) + field + 2 * look.GAP
        asked = whole(step.text, step.question, "", self._gap)
        is_long = self.text.height_of(asked, self._room - wide) > self._most
        return min(wide, round(NARROW * self.width())) if is_long else wide

    def follow(self) -> None:
        """Show the present step of the story."""
        telling = self.session.telling
        if not self.isVisible() or telling.step is None:
            return
        count = len(telling.story.steps)
        self.heading.setText(self._heading)
        self.place.setText(f"{telling.number + 1} of {count}")
        self.before.setEnabled(telling.number > 0)
        self.after.setEnabled(telling.number + 1 < count)
        self.text.show_markdown(self._present)
        self.asking.follow(self._tallest)
        if self._is_card:
            self.asking.setMinimumWidth(0)
            self.asking.setMaximumWidth(QWIDGETSIZE_MAX)
        else:
            self.asking.setFixedWidth(max(self._asking_width(telling.step) - 2 * look.GAP, 0))
        self.fit()

    @property
    def _present(self) -> str:
        """The present text as Markdown."""
        telling = self.session.telling
        if telling.step is None:
            return ""
        form = RIGHT if telling.number in telling.answered else OUTCOME if telling.is_open else ""
        return whole(telling.step.text, telling.question, form, self._gap)

    @property
    def _gap(self) -> str:
        """What parts a text from its question."""
        return " " if self._line is not None and not self._is_card else "\n\n"

    @property
    def _heading(self) -> str:
        """The number and the title of the lesson."""
        lesson = self.session.document.extra.get("lesson")
        number = lesson.get("number") if isinstance(lesson, dict) else None
        name = str(lesson.get("title", "")) if isinstance(lesson, dict) else ""
        parts = (f"Lesson {number}" if isinstance(number, int) else "Lesson", name[:1].upper() + name[1:])
        return " · ".join(filter(None, parts))

    def sizeHint(self) -> QSize:
        return QSize(400, self.maximumHeight())


def whole(text: str, question: StoryQuestion | None, form: str, gap: str) -> str:
    """A text with its question behind a `gap`, and with the answer in this form, OUTCOME or RIGHT; "" leaves it out."""
    parts = [text]
    if question is not None:
        parts.append(" ".join((f"**{question.ask}**", outcome(question, form) if form else "")).strip())
    return gap.join(parts)


def outcome(question: StoryQuestion, form: str = OUTCOME) -> str:
    """The answer with its reason, as Markdown."""
    solution = question.solution.replace("*", "\\*")
    return form.format(solution=solution, because=question.because) if solution else question.because


class AnswerRow(QWidget):
    """Takes the answer to a question: a number in a field, or one of several choices; or lets it be shown."""

    answered = Signal()  # right, or shown

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._question: StoryQuestion | None = None
        self.field, self.check, self.reveal = QLineEdit(), QPushButton("Check"), QPushButton("Show")
        self.reveal.setToolTip("Show the answer")
        self.reveal.setAccessibleName("Show the answer")
        self.verdict, self.choices = PlainLabel(wordWrap=True), list[QPushButton]()
        self.field.setAccessibleName("Your answer")
        self.field.setPlaceholderText("answer")
        self.field.setToolTip("A number, a fraction or arithmetic; Enter checks it")
        self.field.returnPressed.connect(self._judge)
        self.check.clicked.connect(self._judge)
        self.check.setToolTip("Whether the answer is right")
        self.reveal.setToolTip("The right answer, with its reason")
        self.reveal.clicked.connect(self._reveal)
        for button in (self.check, self.reveal):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the canvas
        column, self._row = QVBoxLayout(self), FlowLayout(gap=APART)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        for widget in (self.field, self.check, self.reveal):
            self._row.addWidget(widget)
        column.addLayout(self._row)
        column.addWidget(self.verdict)

    def follow(self, tallest: int) -> None:
        """Show the means to answer the present question, none of them taller than this."""
        telling = self.session.telling
        question, is_open = telling.question, telling.is_open
        self.setVisible(question is not None and not is_open)
        if question is not self._question:
            self._question = question
            self.field.clear()
            self._make_choices(question)
        is_typed = question is not None and question.answer is not None and not self.choices
        for widget in (self.field, self.check):
            widget.setVisible(is_typed and not is_open)
        for choice in self.choices:
            choice.setVisible(not is_open)
        self.reveal.setVisible(not is_open)
        for part in (self.field, self.check, self.reveal, *self.choices):
            part.setMaximumHeight(tallest)
        self.verdict.setText("" if is_open else telling.verdict)
        self.verdict.setVisible(bool(self.verdict.text()))
        self.field.setProperty("awaits", not self.session.live)
        self.field.style().polish(self.field)

    def begin(self, event: QKeyEvent) -> bool:
        """Take a key that begins an answer, though the canvas has the keys; whether it did."""
        if not self.field.isVisible() or self.session.live or event.text() not in BEGINNINGS:
            return False
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.field.setText(event.text())
        return True

    def width_of(self, texts: Sequence[str]) -> int:
        """The width that buttons with these texts take, and the one that shows the answer."""
        metrics, buttons = self.reveal.fontMetrics(), (self.check, self.reveal)
        air = max(button.sizeHint().width() - metrics.horizontalAdvance(button.text()) for button in buttons)
        return sum(metrics.horizontalAdvance(text) + air + APART for text in (*texts, self.reveal.text()))

    def _make_choices(self, question: StoryQuestion | None) -> None:
        for button in self.choices:
            button.hide()
            button.deleteLater()
        listed = question.answer.choices if question and isinstance(question.answer, Choices) else ()
        self.choices = [QPushButton(menu_text(text)) for text in listed]
        for text, button in zip(listed, self.choices, strict=True):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _, text=text: self._choose(text))
            self._row.addWidget(button)
        self._row.removeWidget(self.reveal)  # which stands behind the choices
        self._row.addWidget(self.reveal)

    def _choose(self, text: str) -> None:
        if self.session.telling.answer(text):
            self.answered.emit()

    def _judge(self) -> None:
        try:
            if self.session.telling.answer(self.field.text()):
                self.answered.emit()
        except Refused as refusal:
            self.verdict.setText(f"{worded(refusal)}.")
            self.verdict.show()
        self.field.selectAll()

    def _reveal(self) -> None:
        self.session.telling.show_answer()
        self.answered.emit()


def _small(text: str, tip: str) -> QPushButton:
    button = QPushButton(text)
    button.setToolTip(tip)
    button.setProperty("quiet", True)
    button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    return button
