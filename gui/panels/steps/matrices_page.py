"""The content of the panel of matrices: the arrays of the present step, one element and its calculation."""

from __future__ import annotations

import math
from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.core.methods.reverse.timeline import MEETING, Frame
from cadena.core.run.program import Run
from cadena.core.teaching.element_words import element_parts, element_text, meeting_sentence
from cadena.core.teaching.elements import Meeting
from cadena.core.teaching.schemes import Scheme, scheme_of
from cadena.gui.background.throttle import Throttle
from cadena.gui.background.worker import Work
from cadena.gui.formulas import pictures
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import caption, heading
from cadena.gui.panels.parts.formula_view import FormulaView
from cadena.gui.panels.steps.matrix_board import MatrixBoard
from cadena.gui.session.session import Session

LARGE = 50_000  # elements of all arrays, from which on the numbers that meet are looked for in a thread
NO_ARRAYS = "The numbers of this step stand in its formula. A step with arrays shows them here, element by element."
HOW = "Point at an element, or choose one with the arrow keys: what meets lights up here and on the cards."
COMPUTING = "The numbers that meet are being looked for …"
OTHER_METHOD = "Choose reverse mode: its steps are shown here, element by element."
BEFORE = "Play: the first step with arrays shows them here."


Job = Callable[[], tuple[Scheme, Meeting] | None]


class MatricesPage(QWidget):
    """Follows the step, and in build mode the selected node. `elementsMarked(elements)`, by node and role."""

    elementsMarked = Signal(object)

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__()
        self.session, self._theme = session, theme
        self.scheme: Scheme | None = None
        self.item: Meeting | None = None
        self._key: tuple[Run, str, int | None] | None = None
        self._work: Work | None = None
        self._next: Job | None = None  # what is computed after it, in the place of its result
        self._wanted = 0  # the element that was chosen
        self.title, self.sentence, self.how = (
            heading("", session.named),
            PlainLabel(named=session.named, wordWrap=True),
            caption(HOW),
        )
        self.how.setWordWrap(True)
        self.board = MatrixBoard(theme)
        self.formula = FormulaView(theme, look.NUMBER, look.LABEL)
        self.board.elementChosen.connect(self.choose)
        self.setFocusProxy(self.board)
        column = QVBoxLayout(self)
        column.setContentsMargins(2 * look.GAP, look.GAP, 2 * look.GAP, look.GAP)
        column.setSpacing(look.GAP)
        column.addWidget(self.title)
        column.addWidget(self.sentence)
        column.addWidget(self.board)
        column.addWidget(self.formula)
        column.addWidget(self.how)
        column.addStretch(1)
        self._soon = Throttle(self, self.follow)
        for signal in (session.runChanged, session.methodChanged, session.selectionChanged, session.timeChanged,
                       session.askingChanged):  # fmt: skip
            signal.connect(self._request)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.board.set_theme(theme)
        self.formula.set_theme(theme)
        self._show()

    def _request(self) -> None:
        """Follow at once where only the time has moved on within the step; else soon."""
        if self.isVisible():
            if self._step(self.session.frame) == self._key:
                self._show_moment()
            else:
                self._soon.request()

    def showEvent(self, event) -> None:
        self.follow()

    def hideEvent(self, event) -> None:
        self.elementsMarked.emit({})

    # --- following

    def _step(self, frame: Frame) -> tuple[Run, str, int | None] | None:
        """The run with the node, and the slot in the reverse pass, whose arrays are shown."""
        if self.session.live:
            document = self.session.document
            chosen = [name for name in document.nodes if name in self.session.selection]
            name = chosen[0] if len(chosen) == 1 else document.output
            return (frame.run, name, None) if name is not None and name in document.nodes else None
        step = frame.step
        if step is None or not frame.timeline.goes_back:
            return None
        return frame.run, step.node, step.slot if step.phase == "reverse" else None

    def follow(self) -> None:
        """Show the arrays of the present step."""
        if not self.isVisible():
            return
        key = self._step(self.session.frame)
        if key != self._key:
            before, self._key = self.scheme, key
            self.scheme = self.item = self._next = None
            if key is not None:
                self._compute(lambda: self._first_meeting(before, *key))
        self._show()

    def _first_meeting(
        self, before: Scheme | None, run: Run, node: str, slot: int | None
    ) -> tuple[Scheme, Meeting] | None:
        """The arrays of another step and what meets in one element: the same one where only the numbers differ."""
        scheme = scheme_of(run, node, slot)
        if scheme is None:
            return None
        same = before is not None and self._same_step(before, scheme)
        return scheme, scheme.meeting(self._wanted if same else 0)

    @staticmethod
    def _same_step(one: Scheme, other: Scheme) -> bool:
        """Whether only the numbers differ, so that the chosen element stays."""
        return (one.node, one.slot, one.result.array.shape) == (other.node, other.slot, other.result.array.shape)

    # --- the chosen element

    def choose(self, element: int) -> None:
        """Choose an element (flat) of the result."""
        scheme = self.scheme
        if scheme is not None:
            self._compute(lambda: (scheme, scheme.meeting(element)))

    def _compute(self, job: Job) -> None:
        """Show what a job says, at once where the arrays are small; else from a thread, of several jobs the last."""
        self._next = None
        if self._work is not None:
            self._next = job
        elif self._size() <= LARGE:
            self._take(job())
        else:
            key = self._key
            self._work = Work(lambda _: (key, job()))
            self._work.succeeded.connect(self._finish)
            self._work.begin()

    def _finish(self, work: Work, answer: tuple[object, tuple[Scheme, Meeting] | None]) -> None:
        (key, result), coming = answer, self._next
        self._work = None
        if coming is not None:
            self._compute(coming)
        elif key == self._key:
            self._take(result)
        else:
            self._show()

    def _size(self) -> int:
        """The number of elements of the arrays of the step."""
        assert self._key is not None
        run, node, _ = self._key
        numbers = (run.plan.index.get(str(name)) for name in (node, *run.program.document.nodes[node].inputs))
        return sum(math.prod(run.plan.shapes[number] or ()) for number in numbers if number is not None)

    def _take(self, result: tuple[Scheme, Meeting] | None) -> None:
        if result is not None:
            scheme, self.item = result
            self.scheme, self._wanted = scheme.at(self.item), self.item.element
        self._show()

    # --- showing

    @property
    def _has_landed(self) -> bool:
        frame = self.session.frame
        return self.session.live or frame.step is None or frame.landed > frame.step.index

    def _show(self) -> None:
        scheme, item = self.scheme, self.item
        has_arrays = scheme is not None and item is not None
        for widget in (self.board, self.formula, self.how, self.title):
            widget.setVisible(has_arrays)
        if scheme is None or item is None:
            self.formula.show_parts(())
            first = self.session.frame.number == 0 and not self.session.live
            other = not self.session.live and not self.session.timeline.goes_back
            self.sentence.setText(
                COMPUTING if self._work else OTHER_METHOD if other else BEFORE if first else NO_ARRAYS
            )
            self.board.show_meeting(scheme, None, self._has_landed)
            self.elementsMarked.emit({})
            return
        self.title.setText(f"{scheme.result.title} {scheme.result.index(item.element)}".strip())
        self.sentence.setText(meeting_sentence(scheme, item))
        self.formula.show_parts(element_parts(scheme, item, pictures.colored(self._theme)))
        self._show_moment()
        if self.isVisible():
            self.elementsMarked.emit(scheme.on_cards(item))

    def _before_landing(self, progress: float) -> float:
        """Up to where the formula is shown: the numbers that meet may be what is asked for."""
        return 0.0 if self.session.asking.hides_factors else progress

    @property
    def _spoken(self) -> str:
        assert self.scheme is not None and self.item is not None
        return element_text(self.scheme, self.item, 1.0 if self._has_landed else self._before_landing(MEETING))

    def _show_moment(self) -> None:
        """Show what has been computed by now."""
        if self.scheme is None or self.item is None:
            return
        frame = self.session.frame
        self.formula.show_until(1.0 if self._has_landed else self._before_landing(frame.progress))
        self.board.show_meeting(self.scheme, self.item, self._has_landed)
        spoken = self._spoken
        self.formula.setAccessibleName(spoken)
        self.board.setAccessibleDescription(f"{meeting_sentence(self.scheme, self.item)} {spoken}")
