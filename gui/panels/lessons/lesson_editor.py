"""The lesson editor: the texts, moments and questions of a lesson, as edits of the document; the strip shows them."""

from __future__ import annotations

from functools import partial

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from cadena.core.methods.names import METHODS
from cadena.core.teaching import story_edits
from cadena.core.teaching.moments import END, START, Moment, moment_at, moment_before
from cadena.core.teaching.story import NO_STORY, StoryBeside, StoryStep, missing_moments, notes_of
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel, shown
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import (
    Divider,
    Sentence,
    attempt,
    caption,
    column_in,
    flow_of,
    leave_keys,
    row_of,
    scrolled,
)
from cadena.gui.panels.steps.question_form import QuestionForm
from cadena.gui.session.graph_edits import DocumentChange, Edit
from cadena.gui.session.session import Session
from cadena.gui.widgets.chooser import Chooser

NOTHING = "none"
LIST_ROWS, TEXT_ROWS, SUMMARY_ROWS, NOTES_ROWS = 5, 5, 2, 3
NOTES_TIP = "For the speaker view alone; the audience never sees them. Markdown, with $mathematics$"
EMPTY = "No text yet. Go to a moment of the steps, then add one for it."
INSIDE = "Leave the function first: a lesson is about the whole graph."
NEW = "A new text"
FIRST_LINE = 38  # letters of a text in the list
AFTER, BEFORE, NUMBERED = "after {step}", "before {step}", "after step {count}"


class LessonEditor(QWidget):
    """The chosen text stays chosen while the time moves on, so that it can be put elsewhere. All can be undone."""

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self._number = 0  # of the edited step
        self._build()
        self._lay_out()
        for signal in (session.storyChanged, session.documentChanged, session.methodChanged, session.selectionChanged):
            signal.connect(self.follow)
        session.timeChanged.connect(self._follow_time)
        self.set_theme(theme)

    # --- parts

    def _describe(self) -> None:
        """Say of each field what it is for."""
        for widget, words in (
            (self.title, "The title of the lesson"),
            (self.summary, "What the lesson is about, in one sentence"),
            (self.remove, "Take this text out of the lesson"),
            (self.up, "Put this text before the one above"),
            (self.down, "Put this text after the one below"),
            (self.pause, "Playing waits here until the reader goes on"),
            (self.panel, "The panel that opens with this text"),
        ):
            widget.setToolTip(words)
        self.steps.setAccessibleName("Texts of the lesson")
        self.steps.setAccessibleDescription("In their order; the chosen one can be edited below")
        self.panel.setAccessibleName("Panel")
        self.text.setAccessibleDescription("Markdown, with $mathematics$")

    def _build(self) -> None:
        self.title, self.summary = QLineEdit(), _text_field(SUMMARY_ROWS, "Summary")
        self.title.setAccessibleName("Title of the lesson")
        self.title.textEdited.connect(self._change_about)
        self.summary.textChanged.connect(self._change_about)
        self.whole_notes = _text_field(NOTES_ROWS, "Notes on the whole")
        self.whole_notes.setToolTip(NOTES_TIP)
        self.whole_notes.textChanged.connect(self._change_notes)
        self.steps = QListWidget()
        self.steps.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.steps.currentRowChanged.connect(self._choose)
        self.add, self.remove = QPushButton("Add here"), QPushButton("Remove")
        self.up, self.down = QPushButton("Up"), QPushButton("Down")
        self.add.setToolTip("A new text after this one, for the present moment of the steps")
        self.add.clicked.connect(self._add)
        self.remove.clicked.connect(self._remove)
        self.up.clicked.connect(partial(self._move, -1))
        self.down.clicked.connect(partial(self._move, 1))
        self.text = _text_field(TEXT_ROWS, "Text")
        self.text.setPlaceholderText("Markdown, with $mathematics$")
        self.text.textChanged.connect(lambda: self._change("text", text=self.text.toPlainText()))
        self.notes = _text_field(NOTES_ROWS, "Notes on this text")
        self.notes.setToolTip(NOTES_TIP)
        self.notes.textChanged.connect(lambda: self._change("notes", notes=self.notes.toPlainText()))
        self.moment, self.here = PlainLabel(wordWrap=True), QPushButton("Here")
        self.here.setToolTip("Show this text from the present moment of the steps on")
        self.here.clicked.connect(self._put_here)
        self.before, self.pause = QCheckBox("before the next step"), QCheckBox("pause playing")
        self.before.setToolTip(
            "For a question about that step's result: the text stays with the step, not with the one before"
        )
        self.before.clicked.connect(self._put_here)
        self.pause.clicked.connect(lambda on: self._change("pause", pause=on))
        self.panel, self.node, self.selected = (
            Chooser(),
            PlainLabel(named=self.session.named),
            QPushButton("The selected one"),
        )
        self.panel.chosen.connect(lambda name: self._change("panel", panel="" if name == NOTHING else name))
        self.selected.setToolTip("Select this node when the text comes; without one selected, none")
        self.selected.clicked.connect(lambda: self._change("node", node=self._selected()))
        self.question = QuestionForm(lambda question: self._change("question", question=question))
        self.opening, self.opens = PlainLabel(wordWrap=True), QPushButton("Open like this")
        self.opens.setToolTip("Open the lesson at the present moment, with the selected node and this text's panel")
        self.opens.clicked.connect(self._set_view)
        self.beside = Chooser()
        self.beside.setAccessibleName("Beside the lesson's graph")
        self.beside.setToolTip("Open the lesson with the same graph by another method on the right side")
        self.beside.chosen.connect(self._set_beside)
        self.trouble = Sentence(self._theme)
        self._describe()
        buttons = (self.add, self.remove, self.up, self.down, self.here, self.selected, self.opens)
        leave_keys(*buttons, self.before, self.pause)

    def _lay_out(self) -> None:
        inside, self._form = QWidget(), QWidget()
        column, form = QVBoxLayout(inside), column_in(self._form)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        self._empty = PlainLabel(EMPTY, wordWrap=True)
        self._dividers = Divider(self._theme), Divider(self._theme)
        about = (caption("title"), self.title, caption("summary"), self.summary)
        for widget in (*about, caption("notes on the whole"), self.whole_notes):
            column.addWidget(widget)
        column.addWidget(self._dividers[0])
        column.addWidget(self._empty)
        column.addWidget(self.steps)
        column.addWidget(flow_of(self.add, self.remove, self.up, self.down))
        column.addWidget(self.trouble)
        column.addWidget(self._form)
        for widget in (self.text, caption("notes on this text"), self.notes):
            form.addWidget(widget)
        form.addLayout(row_of(caption("shown"), self.moment, self.here, stretch=1))
        form.addWidget(flow_of(self.before, self.pause))
        form.addLayout(row_of(caption("panel"), self.panel))
        form.addLayout(row_of(caption("node"), self.node, self.selected, stretch=1))
        form.addWidget(self.question)
        form.addWidget(self._dividers[1])
        form.addLayout(row_of(self.opening, self.opens, stretch=0))
        form.addLayout(row_of(caption("beside it"), self.beside))
        column.addStretch(1)
        column_in(self).addWidget(scrolled(inside))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.trouble.set_theme(theme)
        for divider in self._dividers:
            divider.set_theme(theme)
        notes = (self.whole_notes, NOTES_ROWS), (self.notes, NOTES_ROWS)
        for field, rows in ((self.summary, SUMMARY_ROWS), (self.text, TEXT_ROWS), *notes):
            field.setFixedHeight(round((rows + 1.4) * field.fontMetrics().lineSpacing()))
        self.steps.setFixedHeight(round((LIST_ROWS + 0.5) * self.steps.fontMetrics().lineSpacing() * 1.4))
        self.question.set_theme(theme)
        self.follow()

    def showEvent(self, event) -> None:
        self._number = self.session.telling.number
        self.follow()

    # --- following

    @property
    def step(self) -> StoryStep | None:
        """The edited step."""
        steps = self.session.telling.story.steps
        return steps[self._number] if self._number < len(steps) else None

    def _choose(self, number: int) -> None:
        """Edit another step, and show its moment."""
        self._number = max(number, 0)
        self.session.telling.show(self._number)
        self.follow()

    def _follow_time(self) -> None:
        if self.isVisible() and not self.session.playback.playing:
            self._show_buttons()

    def follow(self) -> None:
        """Show the lesson as the document has it; what is being typed is the same already."""
        if not self.isVisible():
            return
        session = self.session
        steps = session.telling.story.steps
        self._number = min(self._number, max(len(steps) - 1, 0))
        step = self.step
        lesson = session.document.extra.get("lesson")
        about = lesson if isinstance(lesson, dict) else {}
        _put(self.title, about.get("title"))
        _put(self.summary, about.get("summary"))
        _put(self.whole_notes, notes_of(session.document))
        _put(self.text, step.text if step else "")
        _put(self.notes, step.notes if step else "")
        with QSignalBlocker(self.steps):
            entries = [f"{number + 1}  {_first_line(item.text)}" for number, item in enumerate(steps)]
            if entries != [self.steps.item(row).text() for row in range(self.steps.count())]:
                self.steps.clear()
                self.steps.addItems(entries)
            self.steps.setCurrentRow(self._number if steps else -1)
        self._empty.setText(INSIDE if session.levels else EMPTY)
        self._empty.setVisible(not steps or bool(session.levels))
        for widget in (self.steps, self._form):
            widget.setVisible(step is not None)
        self._show_trouble()
        if step is not None:
            self._show_step(step)
        self._show_buttons()

    def _show_step(self, step: StoryStep) -> None:
        from cadena.gui.panels.table import PANELS

        self.moment.setText(moment_words(step.at))
        self.before.setChecked(step.at.before)
        self.pause.setChecked(step.pause)
        names = [NOTHING, *(panel.name for panel in PANELS)]
        self.panel.show_only(names if step.panel in ("", *names) else [*names, step.panel], step.panel or NOTHING)
        self.node.setText(step.node or NOTHING)
        self.question.show_question(step.question)
        view = self.session.telling.story.view
        parts = [moment_words(view.at) if view.at else "at the start", view.node, view.panel]
        beside = (view.beside.method or view.beside.lesson) if view.beside else NOTHING
        choices = [NOTHING, *METHODS]
        self.beside.show_only(choices if beside in choices else [*choices, beside], beside)
        self.opening.setText(f"The lesson opens {', '.join(part for part in parts if part)}.")

    def _show_trouble(self) -> None:
        """Show the first thing that is wrong with the story."""
        story, session = self.session.telling.story, self.session
        missing = () if session.working or story is NO_STORY else missing_moments(story, session.timeline)
        faults = [*story.faults, *missing]
        self.trouble.say(f"{faults[0]}." if faults else "")

    def _show_buttons(self) -> None:
        is_inside, count = bool(self.session.levels), len(self.session.telling.story.steps)
        for widget in (self.title, self.summary, self.whole_notes, self.add, self._form):
            widget.setEnabled(not is_inside)
        self.remove.setEnabled(count > 0 and not is_inside)
        self.up.setEnabled(self._number > 0 and not is_inside)
        self.down.setEnabled(self._number + 1 < count and not is_inside)

    # --- edits

    def _edit(self, change: DocumentChange, label: str, merge: str | None = None) -> bool:
        """Edit the lesson; whether that was possible. Else the panel says why not."""
        if refused := attempt(self.session, Edit(change, label), merge):
            self.trouble.say(f"{refused}.")
        return not refused

    def _change(self, key: str, **fields: object) -> None:
        """Change the edited step; what is typed in one field is one undo step."""
        number, step = self._number, self.step
        if step is None or all(getattr(step, name) == value for name, value in fields.items()):
            return
        new = replace(step, **fields)
        self._edit(lambda document: story_edits.set_step(document, number, new), "Edit the lesson", f"{key} {number}")
        if key in ("text", "question") and self.session.telling.number != number:
            self.session.telling.show(number)  # the strip is the preview

    def _change_about(self) -> None:
        title, summary = self.title.text(), self.summary.toPlainText()
        self._edit(
            lambda document: story_edits.set_about(document, title, summary), "Edit the lesson", "about the lesson"
        )

    def _change_notes(self) -> None:
        notes = self.whole_notes.toPlainText()
        self._edit(lambda document: story_edits.set_notes(document, notes), "Edit the notes", "notes on the whole")

    def _here(self) -> Moment:
        """The present moment, as the checkbox says after the last step or before the next."""
        timeline, time = self.session.timeline, self.session.time
        before = moment_before(timeline, time) if self.before.isChecked() else None
        return before or moment_at(timeline, time)

    def _put_here(self) -> None:
        self._change("moment", at=self._here())
        self.follow()

    def _add(self) -> None:
        number = self._number + 1 if self.step else 0
        new = StoryStep(moment_at(self.session.timeline, self.session.time), NEW)
        if self._edit(lambda document: story_edits.insert_step(document, number, new), "Add a text"):
            self._choose(number)
            self.text.setFocus()
            self.text.selectAll()

    def _remove(self) -> None:
        number = self._number
        self._edit(lambda document: story_edits.remove_step(document, number), "Remove a text")

    def _move(self, by: int) -> None:
        number = self._number
        if self._edit(lambda document: story_edits.move_step(document, number, by), "Move a text"):
            self._choose(number + by)

    def _set_view(self) -> None:
        before = self.session.telling.story.view
        panel = self.step.panel if self.step else ""
        view = replace(before, at=self._here(), node=self._selected(), panel=panel)
        if view.at == Moment(START):
            view = replace(view, at=None)
        self._edit(lambda document: story_edits.set_view(document, view), "Choose how the lesson opens")

    def _set_beside(self, name: str) -> None:
        before = self.session.telling.story.view
        if name in METHODS or name == NOTHING:
            beside = None if name == NOTHING else replace(before.beside or StoryBeside(), method=name, lesson="")
            view = replace(before, beside=beside)
            self._edit(lambda document: story_edits.set_view(document, view), "Choose how the lesson opens")

    def _selected(self) -> str:
        """The one selected node, or ""."""
        chosen = self.session.selection
        return next(iter(chosen)) if len(chosen) == 1 else ""


def moment_words(moment: Moment) -> str:
    """A moment in words: "after m1 → w0 (reverse)"."""
    if moment.step is not None:
        return NUMBERED.format(count=moment.step)
    if moment.phase in (START, END):
        return f"at the {moment.phase}"
    way = " → ".join(name for name in (moment.node, moment.operand) if name)
    step = f"{way} ({moment.phase})" if way else moment.phase
    return (BEFORE if moment.before else AFTER).format(step=step)


def _first_line(text: str) -> str:
    line = shown(text.strip().partition("\n")[0])
    return line if len(line) <= FIRST_LINE else f"{line[:FIRST_LINE]}…"


def _text_field(rows: int, name: str) -> QPlainTextEdit:
    field = QPlainTextEdit()
    field.setAccessibleName(name)
    field.setTabChangesFocus(True)
    return field


def _put(field: QLineEdit | QPlainTextEdit, text: object) -> None:
    """Show a text where another one stands, which is no edit; the cursor stays in one that is the same."""
    text = text if isinstance(text, str) else ""
    with QSignalBlocker(field):
        if isinstance(field, QLineEdit):
            if field.text() != text:
                field.setText(text)
        elif field.toPlainText() != text:
            field.setPlainText(text)
