"""The panel of learning: run, step and reset, settings, the loss and what the network predicts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, QTimer, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from cadena.core.graph.document import Changes
from cadena.core.text.numbers import number_of
from cadena.gui.background.throttle import Throttle
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import (
    Sentence,
    choose_widths,
    column_in,
    leave_keys,
    panel_width,
    row_in,
    scrolled,
)
from cadena.gui.panels.steps.question import Question
from cadena.gui.panels.training.training_form import TrainingForm
from cadena.gui.panels.training.training_plots import DecisionFrame, HistogramFrame, LossFrame, TrainingFrame
from cadena.gui.session.session import Session
from cadena.gui.widgets.segments import Segments

PLOTS_PAUSE = 150  # milliseconds
WIDE = 760  # pixels at `type` 1, from which the plots stand beside the settings

VIEW_TIPS = {
    "prediction": "What the graph says of every point, over the data",
    "values": "How often which values occur, layer by layer",
    "gradients": "How often which gradients occur, layer by layer",
}

RESTART = "Another {setting} restarts the training: its {steps} are given up, the numbers learnt stay."
READ_IT = "The training of this document reads the file {file}. Read it?"


class LearningPanel(QWidget):
    """Follows the session's training. `exportAsked(name, extension, write)` saves one of its plots."""

    exportAsked = Signal(str, str, object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self._problem = self._shown_trouble = ""
        self._ran = self._is_wide = False
        self._pictures = QWidget()  # the prediction and the histograms, with their chooser
        self._change: Callable[[], object] = lambda: None  # that waits for an answer
        self._build()
        self._lay_out()
        self._soon = Throttle(self, self._show_plots, PLOTS_PAUSE)
        session.learningChanged.connect(self.follow)
        session.documentChanged.connect(self._accept)
        self.set_theme(theme)

    def _build(self) -> None:
        session, theme = self.session, self._theme
        self.form = TrainingForm(session, self._show_problem)
        self.run, self.step, self.reset = QPushButton("Run"), QPushButton("Step"), QPushButton("Reset")
        self.run.setToolTip("Take one step after the other; stopping makes one undo step of them (Ctrl+R, Esc)")
        self.step.setToolTip("Take one step")
        self.reset.setToolTip("Back to the start: with the same seed every step is the same again")
        self.run.clicked.connect(lambda: session.learning.toggle())
        self.step.clicked.connect(lambda: session.learning.step())
        self.reset.clicked.connect(lambda: session.learning.reset())
        self.trouble = Sentence(theme, session.named)
        self.question = Question("Read it", "Read the file for the training", "Leave the file alone")
        self.question.agreed.connect(lambda: session.learning.allow(session.learning.asks_for))
        self.question.no.clicked.connect(lambda: session.learning.decline())
        self.restart = Question("Restart", "Change the setting and begin again at step 0", "Keep the setting and go on")
        self.restart.agreed.connect(self._restart)
        self.restart.no.clicked.connect(self.follow)
        self.form.asks.connect(self._ask_to_restart)
        self.loss = LossFrame(session, theme)
        self.views: dict[str, TrainingFrame] = {
            "prediction": DecisionFrame(session, theme),
            "values": HistogramFrame(session, theme, "value"),
            "gradients": HistogramFrame(session, theme, "gradient"),
        }
        self.chips = {name: QPushButton(name.capitalize()) for name in self.views}
        for name, chip in self.chips.items():
            chip.setToolTip(VIEW_TIPS[name])
            chip.clicked.connect(partial(self.choose_view, name))
        for frame in (self.loss, *self.views.values()):
            frame.exportAsked.connect(self.exportAsked)
        leave_keys(self.run, self.step, self.reset)

    def _lay_out(self) -> None:
        buttons, settings, inside, left = QWidget(), QWidget(), QWidget(), QWidget()
        row = row_in(buttons, self.run, self.step, self.reset)
        row.addStretch(1)
        row.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, 0)
        below = column_in(settings)
        for part in (self.form, self.question, self.restart, self.trouble):
            below.addWidget(part)
        below.addStretch(1)
        column = column_in(self._pictures)
        column.addWidget(Segments(*self.chips.values()))
        for view in self.views.values():
            column.addWidget(view, 1)
        column.addStretch(0)
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        self._column.setSpacing(look.GAP)
        self._column.addWidget(settings)
        self._column.addStretch(0)
        self._area = scrolled(inside)
        beside = column_in(left, spacing=0)
        beside.addWidget(buttons)
        beside.addWidget(self._area, 1)
        self._row = row_in(self, left)
        self._row.setStretch(0, 2)
        self._arrange()
        self.choose_view("prediction")

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        if self._is_wide is not (self.width() >= WIDE * self._theme.type):
            self._arrange()

    def _arrange(self) -> None:
        """Put the plots below the settings, or beside them in a panel that is wide, and so low."""
        self._is_wide = self.width() >= WIDE * self._theme.type
        edge = look.GAP if self._is_wide else 0
        for place, part in enumerate((self.loss, self._pictures), 1):
            (self._row if self._is_wide else self._column).insertWidget(place, part, 3)
            part.show()
        for frame in (self.loss, *self.views.values()):
            frame.set_in_row(self._is_wide)
        self._row.setContentsMargins(0, edge, 2 * edge, edge)
        self._share_room()

    def _share_room(self) -> None:
        """Give the loss plot the room of the prediction while a sentence replaces that."""
        has_picture = any(view.isVisibleTo(self) and not view.is_sentence for view in self.views.values())
        self._column.setStretchFactor(self._pictures, 5 if has_picture else 0)
        self._column.setStretch(self._column.count() - 1, 0 if has_picture else 2)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        choose_widths(theme, *self.chips.values())
        bold = QFontMetrics(look.font(theme, bold=True))
        self.run.setMinimumWidth(bold.horizontalAdvance("Stop") + round(4 * look.GAP * theme.type))
        self.trouble.set_theme(theme)
        for frame in (self.loss, *self.views.values()):
            frame.set_theme(theme)
        self.follow()

    def set_bare(self, bare: bool) -> None:
        """Leave out the settings, so that an audience sees the loss and the prediction."""
        self.form.setHidden(bare)

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, 400), 600)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.form.show_trained()
        self.follow()

    # --- following

    def follow(self) -> None:
        """Show the state of the training; its plots some times a second."""
        if not self.isVisible():
            return
        learning = self.session.learning
        if self.restart.isHidden():
            self.form.follow()
        self.run.setText("Stop" if learning.running else "Run")
        self.step.setEnabled(not learning.running)
        self.loss.describe_whole()
        if learning.asks_for and self.question.isHidden():
            self.question.ask(READ_IT.format(file=learning.asks_for))
            self._bring_into_view(self.question)
        self.question.setHidden(not learning.asks_for)
        trouble = self._problem or learning.refusal or self._failure()
        if trouble != self._shown_trouble:
            self._shown_trouble = trouble
            self.trouble.say(trouble)
            self._bring_into_view(self.trouble)
        if learning.running is not self._ran:
            self._ran = learning.running
            self._bring_into_view(self.loss)
        if learning.running:
            self._soon.request()
        else:
            self._show_plots()

    def _bring_into_view(self, part: QWidget) -> None:
        """Scroll to what has just come, once it has its place."""
        if part.isVisibleTo(self) and self._area.isAncestorOf(part):
            QTimer.singleShot(0, self, lambda: self._area.ensureWidgetVisible(part, 0, look.GAP))

    def _show_plots(self) -> None:
        self.loss.follow()
        for view in self.views.values():
            view.follow()
        self._share_room()

    def _failure(self) -> str:
        """Why the training stopped, and what the doctor says of its run."""
        learning = self.session.learning
        failure = learning.trainer.failure if learning.trainer is not None else None
        if failure is None or not learning.stopped:
            return learning.stopped
        first = next((fault for fault in failure.run.faults if fault.severity == "fault"), None)
        return f"{learning.stopped} {worded(first)}." if first else f"{learning.stopped[:-1]}; lower the rate."

    def _ask_to_restart(self, setting: str, change: Callable[[], object]) -> None:
        steps = self.session.learning.trainer.steps if self.session.learning.trainer is not None else 0
        self._change = change
        self.restart.ask(RESTART.format(setting=setting, steps=number_of(steps, "step")))
        self._bring_into_view(self.restart)

    def _restart(self) -> None:
        self.restart.hide()
        self._change()

    def _accept(self, changes: Changes) -> None:
        """Forget what could not be taken: the document is another now."""
        if changes.structural and self.isVisible():
            self.form.show_trained()
        self._problem = ""
        self.restart.hide()
        self.follow()

    def _show_problem(self, sentence: str) -> None:
        self._problem = sentence
        self.follow()

    # --- what the user does

    def choose_view(self, name: str) -> None:
        """Show the prediction, or a histogram."""
        for other, view in self.views.items():
            view.setVisible(other == name)
            self.chips[other].setChecked(other == name)
        self._share_room()
