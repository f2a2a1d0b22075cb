"""A gradient by all its paths, each lit on the canvas, multiplied and added; and the whole calculation, to copy."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from cadena.core.graph.fault import Refused
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.notation.parts import parts_of
from cadena.core.teaching.withheld import Withheld, in_symbols
from cadena.core.text.numbers import number_of
from cadena.gui.background.throttle import Throttle
from cadena.gui.background.worker import Work
from cadena.gui.formulas import pictures
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import caption, choose_widths, clear, heading, leave_keys, scrolled
from cadena.gui.panels.parts.fields import Field
from cadena.gui.panels.parts.formula_view import FormulaView
from cadena.gui.session.asking import HELD_BACK
from cadena.gui.session.session import Session
from cadena.gui.session.state import OwnResult
from cadena.gui.widgets.chooser import Chooser
from cadena.gui.widgets.segments import Segments

if TYPE_CHECKING:  # what the panel needs is imported when it is first opened
    from cadena.core.methods.reverse.paths import PathSum
    from cadena.core.teaching.calculation import CalculationForm
    from cadena.gui.panels.steps.path_card import PathCard

NOTHING = "There is no gradient to work out: choose an output that depends on a parameter."
MORE = "{count}; more than the {listed} that are listed"
MAX_STEPS = 120  # formulas of the calculation that are set; a copy holds all of them
FORMS: tuple[tuple[CalculationForm, str], ...] = (
    ("latex", "Copy as LaTeX"),
    ("text", "Text"),
    ("markdown", "Markdown"),
)


class PathsPanel(QWidget):
    """Follows the selected node, or the first one with paths. `pathShown(wires)` when a path is lit; () for none."""

    pathShown = Signal(tuple)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self._name, self._chosen = "", Withheld()
        self._work: Work | None = None
        self.paths: PathSum | None = None
        self.cards: list[PathCard] = []
        self.lit = -1
        self._build()
        self._lay_out()
        self._soon = Throttle(self, self.follow)
        for signal in (session.runChanged, session.selectionChanged, session.opened, session.askingChanged):
            signal.connect(self._soon.request)
        self.set_theme(theme)

    def _build(self) -> None:
        self.title, self.count = heading("Paths from"), PlainLabel(named=self.session.named, wordWrap=True)
        self.goal = heading("", self.session.named)
        self.count.setProperty("label", True)
        self.node = Chooser()
        self.node.setAccessibleName("node")
        self.node.setToolTip("The node whose gradient is worked out")
        self.node.chosen.connect(lambda name: self.session.select([name]))
        self.as_paths, self.as_steps = QPushButton("Paths"), QPushButton("Calculation")
        self.views = Segments(self.as_paths, self.as_steps)
        self.as_paths.setToolTip("The product along each path, and their sum")
        self.as_steps.setToolTip("Every step of the reverse pass that this gradient needs")
        self.as_paths.setChecked(True)
        for button, other in ((self.as_paths, self.as_steps), (self.as_steps, self.as_paths)):
            button.clicked.connect(partial(self._choose_view, button, other))
        self.hide_results = QCheckBox("hide results")
        self.hide_results.setToolTip("Show the factors alone, to multiply and to add them oneself")
        self.hide_factors = QCheckBox("hide factors")
        self.hide_factors.setToolTip("Show the products in symbols, to find each factor oneself")
        for hides in (self.hide_results, self.hide_factors):
            hides.clicked.connect(self._choose_withheld)
        self.sum = FormulaView(self._theme, look.TITLE, look.NUMBER)
        self.answer, self.verdict = Field(), PlainLabel(named=self.session.named, wordWrap=True)
        self.answer.setAccessibleName("Your own result")
        self.answer.setPlaceholderText("such as 2 · 3 + 4")
        self.answer.setToolTip("A number, a fraction or arithmetic; Enter checks it")
        self.answer.returnPressed.connect(self._hand_in)
        self.answer.textEdited.connect(self._keep)
        self.copies = [QPushButton(text) for _, text in FORMS]
        for (form, _), button in zip(FORMS, self.copies, strict=True):
            button.setToolTip("Put the whole calculation onto the clipboard")
            button.clicked.connect(partial(self.copy, form))
        leave_keys(self.hide_results, self.hide_factors, *self.copies)

    def _lay_out(self) -> None:
        inside = QWidget()
        self._column = QVBoxLayout(inside)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._scroll = scrolled(inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.addLayout(_row(self.title, self.node, self.goal, None))
        column.addWidget(self.count)
        column.addLayout(_row(self.views, None))
        column.addLayout(_row(self.hide_results, self.hide_factors, None))
        column.addWidget(self._scroll, 1)
        column.addWidget(self.sum)
        column.addWidget(caption("your own result"))
        column.addWidget(self.answer)
        column.addWidget(self.verdict)
        column.addLayout(_row(*self.copies, None))

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._fit_buttons()
        choose_widths(theme, self.as_paths, self.as_steps)
        self.sum.set_theme(theme)
        self.follow()

    def _fit_buttons(self) -> None:
        copies = sum(button.sizeHint().width() + look.GAP for button in self.copies)
        self.setMinimumWidth(copies + 3 * look.GAP)

    def showEvent(self, event) -> None:
        self._fit_buttons()  # the buttons know the style, and so their size, once they are shown
        self.follow()

    def hideEvent(self, event) -> None:
        self._light(-1)

    # --- following

    def follow(self) -> None:
        """Work out the gradient of the selected node anew, in a thread: networkx takes its time on large graphs."""
        if not self.isVisible():
            return
        run, document = self.session.run, self.session.document
        known = [name for name in document.nodes if name != document.output and run.gradient(name) is not None]
        chosen = [name for name in known if name in self.session.selection]
        name = chosen[0] if len(chosen) == 1 else self._name if self._name in known else next(iter(known), "")
        self._name = name
        self._show_own()
        self.node.show_only(known, name, self.session.named)
        self.goal.setText(f"to {document.output}" if name else "")
        if self._work:
            self._work.cancel()
        from cadena.core.methods.reverse.paths import PathSum

        paths = PathSum(run, name)
        self._work = Work(lambda _: (paths, paths.summary if name else None, paths.listed))
        self._work.succeeded.connect(self._succeeded)
        self._work.begin()

    def _succeeded(self, work: Work, result: tuple) -> None:
        if work is self._work:
            self.paths = result[0]
            self._show()

    def _show(self) -> None:
        lit = self.cards[self.lit].path.wires if 0 <= self.lit < len(self.cards) else ()
        clear(self._column)
        self.cards = []
        paths, is_held_back = self.paths, self.session.asking.holds_steps
        self._allow()
        if paths is None or paths.gradient is None or is_held_back:
            self._light(-1)
            self.count.setText(HELD_BACK if is_held_back else NOTHING)
            self.sum.show_latex("")
            return
        from cadena.core.methods.reverse.paths import MAX_LISTED
        from cadena.core.teaching.calculation import count_of

        template = MORE if paths.summary.number > MAX_LISTED else "{count}"
        self.count.setText(template.format(count=count_of(paths), listed=MAX_LISTED))
        for widget in self._path_cards(paths) if self.as_paths.isChecked() else self._steps(paths):
            self._column.addWidget(widget)
        self._column.addStretch(1)
        self._light(next((number for number, card in enumerate(self.cards) if card.path.wires == lit), -1))
        self._show_sum(paths)
        self._show_own()

    def _allow(self) -> None:
        """Enable what an open question leaves to be chosen."""
        asking = self.session.asking
        for choice in (self.views, self.hide_factors):
            choice.setEnabled(not asking.holds_steps)
        for button in (self.hide_results, *self.copies):
            button.setEnabled(not asking.is_open)
        self.hide_results.setChecked(self._withheld.result)

    def _show_sum(self, paths: PathSum) -> None:
        """Show the sum of all products, or of what it is."""
        parts = parts_of(paths.sum_formula(latex=True, paint=pictures.colored(self._theme)))
        words = paths.sum_formula(latex=False)
        if self._withheld.result:
            parts, words = parts[:1], words.partition(" =")[0]
        self.sum.show_parts(parts, words)

    def _path_cards(self, paths: PathSum) -> list[PathCard]:
        from cadena.gui.panels.steps.path_card import PathCard

        for number, path in enumerate(paths.listed, start=1):
            card = PathCard(number, paths, path, self._theme, self._withheld)
            card.pressed.connect(partial(self._press, number - 1))
            self.cards.append(card)
        return self.cards

    def _steps(self, paths: PathSum) -> list[QWidget]:
        """The formulas of the calculation, all of one size."""
        from cadena.core.methods.reverse.step_parts import step_parts
        from cadena.core.teaching.calculation import steps_to

        timeline = Timeline(paths.run)
        steps = steps_to(timeline, paths.name)
        views: list[QWidget] = []
        for step in steps[:MAX_STEPS]:
            view = FormulaView(self._theme, look.NUMBER, look.NUMBER)
            parts = step_parts(timeline, step, pictures.colored(self._theme))
            plain = [part._replace(caption="", result=False) for part in parts]
            view.show_parts(in_symbols(plain) if any(self._withheld) else plain)
            views.append(view)
        if len(steps) > MAX_STEPS:
            views.append(caption(f"and {number_of(len(steps) - MAX_STEPS, 'step')} more: a copy holds all of them"))
        return views

    # --- what the user does

    def _choose_view(self, button: QPushButton, other: QPushButton) -> None:
        button.setChecked(True)
        other.setChecked(False)
        self._show()

    def _press(self, number: int) -> None:
        self._light(-1 if number == self.lit else number)

    def _light(self, number: int) -> None:
        self.lit = number
        for place, card in enumerate(self.cards):
            card.set_lit(place == number)
        self.pathShown.emit(self.cards[number].path.wires if number >= 0 else ())

    def _choose_withheld(self) -> None:
        self._chosen = Withheld(self.hide_factors.isChecked(), self.hide_results.isChecked())
        self._show()

    @property
    def _withheld(self) -> Withheld:
        """What a learner is to find: what is chosen, and every result while a question is open."""
        return self._chosen._replace(result=self._chosen.result or self.session.asking.is_open)

    def _keep(self) -> None:
        """Keep what is typed with the document."""
        self.session.keep_result(self._name, OwnResult(self.answer.text()))
        self.verdict.setText("")

    def _hand_in(self) -> None:
        if self.paths is not None and self.paths.gradient is not None:
            self.session.keep_result(self._name, OwnResult(self.answer.text(), judged=True))
            self._show_own()

    def _show_own(self) -> None:
        """Show the learner's own result for this node in this document, with what is said about it."""
        own = self.session.state.own_results.get(self._name, OwnResult())
        if self.answer.text() != own.text:
            self.answer.setText(own.text)
        self.verdict.setText(self._judged(own.text) if own.judged else "")

    def _judged(self, text: str) -> str:
        """What is said about a result; a typical mistake is named."""
        from cadena.core.teaching.answers import is_right, mistake_of, read_answer
        from cadena.core.teaching.calculation import typical_mistakes

        if self.paths is None or self.paths.gradient is None or self.paths.name != self._name:
            return ""
        try:
            answer = read_answer(text)
        except Refused as refusal:
            return f"{worded(refusal)}."
        if is_right(answer, self.paths.gradient):
            return "right"
        mistake = mistake_of(answer, self.paths.gradient, typical_mistakes(self.paths))
        return mistake.sentence if mistake else "not yet"

    def copy(self, form: CalculationForm) -> None:
        """Put the whole calculation onto the clipboard."""
        from cadena.core.teaching.calculation import calculation

        if self.paths is not None and self.paths.gradient is not None:
            QGuiApplication.clipboard().setText(calculation(self.paths, form))
            self.session.message.emit(f"The calculation of the gradient of {self._name} is on the clipboard.")


def _row(*widgets: QWidget | None) -> QHBoxLayout:
    """Widgets side by side; None takes the room that is left."""
    row = QHBoxLayout()
    for widget in widgets:
        if widget is None:
            row.addStretch(1)
        else:
            row.addWidget(widget, 1 if isinstance(widget, PlainLabel) else 0)
    return row
