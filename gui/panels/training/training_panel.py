"""The panel of learning: run, step and reset, settings, the loss and what the network predicts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

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
    row_of,
    scrolled,
)
from cadena.gui.panels.steps.question import Question
from cadena.gui.panels.training.training_form import TrainingForm
from cadena.gui.panels.training.training_plots import DecisionFrame, HistogramFrame, LossFrame, TrainingFrame
from cadena.gui.session.session import Session
from cadena.gui.widgets.segments import Segments

PLOTS_PAUSE = 150  # milliseconds


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
        self._problem = ""
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
        self.run.setToolTip("Take one step after the other; pausing makes one undo step of them (Ctrl+R)")
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
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        column.addLayout(row_of(self.run, self.step, self.reset))
        column.addWidget(self.form)
        column.addWidget(self.question)
        column.addWidget(self.restart)
        column.addWidget(self.trouble)
        column.addWidget(self.loss, 2)
        column.addWidget(Segments(*self.chips.values()))
        for view in self.views.values():
            column.addWidget(view, 5)
        column_in(self).addWidget(scrolled(inside))
        self.choose_view("prediction")

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        choose_widths(theme, *self.chips.values())
        bold = QFontMetrics(look.font(theme, bold=True))
        self.run.setMinimumWidth(bold.horizontalAdvance("Pause") + round(4 * look.GAP * theme.type))
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
        self.follow()

    # --- following

    def follow(self) -> None:
        """Show the state of the training; its plots some times a second."""
        if not self.isVisible():
            return
        learning = self.session.learning
        if self.restart.isHidden():
            self.form.follow()
        self.run.setText("Pause" if learning.running else "Run")
        self.step.setEnabled(not learning.running)
        self.loss.describe_point(None)
        if learning.asks_for and self.question.isHidden():
            self.question.ask(READ_IT.format(file=learning.asks_for))
        self.question.setHidden(not learning.asks_for)
        self.trouble.say(self._problem or learning.refusal or self._failure())
        if learning.running:
            self._soon.request()
        else:
            self._show_plots()

    def _show_plots(self) -> None:
        self.loss.follow()
        for view in self.views.values():
            view.follow()

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

    def _restart(self) -> None:
        self.restart.hide()
        self._change()

    def _accept(self) -> None:
        """Forget what could not be taken: the document is another now."""
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
