"""The lines of the comparison of methods: each method with its number, its deviation and its cost."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from cadena.core.methods.answer import Answer
from cadena.core.methods.names import REFERENCE
from cadena.core.text.numbers import full, short
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import column_in
from cadena.gui.panels.parts.labels import ElidedLabel

if TYPE_CHECKING:
    from cadena.core.methods.comparison import Comparison, Row

DIGITS, MIN_DIGITS = 7, 4
BLANK = "…"


class MethodsLines(QWidget):
    """A line for each method. The widgets stay, so that nothing moves when only numbers change."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.lines: list[MethodLine] = []
        self._column = column_in(self, 4)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for line in self.lines:
            line.set_theme(theme)

    def show_lines(self, comparison: Comparison) -> None:
        """Show the methods with their numbers at the chosen element."""
        row, answers = comparison.rows[0], comparison.answers
        while len(self.lines) < len(answers):
            self.lines.append(MethodLine(self._theme))
            self._column.addWidget(self.lines[-1])
        differ = row.judgement.status == "differ"
        for line, answer in zip(self.lines, answers, strict=False):
            line.show_answer(answer, row, differ and answer.method == row.judgement.believed)
            line.show()
        for line in self.lines[len(answers) :]:
            line.hide()

    def blank(self) -> None:
        """Hide the numbers but keep their room."""
        for line in self.lines:
            line.blank()


class NumberLabel(ElidedLabel):
    """A number with as many digits as fit: cutting it off would lose the power of ten."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.number: float | None = None
        self.setAlignment(Qt.AlignmentFlag.AlignRight)
        self.set_theme(theme)

    def set_theme(self, theme: Theme) -> None:
        """Set the number in the colour of gradients; other text is muted and not bold."""
        role, weight = ("muted", "normal") if self.number is None else ("gradient", "bold")
        size = round(look.LABEL * theme.type)
        style = f"color: {getattr(theme, role)}; font-size: {size}px; font-weight: {weight};"
        if style != self.styleSheet():  # Qt takes a millisecond
            self.setFont(look.font(theme, look.LABEL, bold=self.number is not None))
            self.setStyleSheet(style)

    def blank(self) -> None:
        """Hide the number, in the look that it will have again soon."""
        self.number, self.hint = None, ""
        self.setText(BLANK)
        self.update()

    def show_number(self, number: float | None, theme: Theme, otherwise: str, hint: str = "") -> None:
        """Show a number, in full on hover, or a word in its place with a hint of its own."""
        self.number = number
        self.setText(otherwise if number is None else short(number, DIGITS))
        self.hint = hint or ("" if number is None else full(number))
        self.set_theme(theme)
        self.update()

    def least_width(self) -> int:
        """The width of a word or of the fewest digits."""
        text = self.text() if self.number is None else short(self.number, MIN_DIGITS)
        return self.fontMetrics().horizontalAdvance(text)

    @property
    def shown(self) -> str:
        """The number with the most digits that fit."""
        if self.number is None:
            return super().shown
        texts = [short(self.number, digits) for digits in range(DIGITS, MIN_DIGITS - 1, -1)]
        measure, room = self.fontMetrics().horizontalAdvance, self.contentsRect().width()
        return next((text for text in texts if measure(text) <= room), texts[-1])


class MethodLine(QWidget):
    """A method with its number beside it, or below where both do not fit; then its deviation and its cost."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.method, self.gradient = PlainLabel(), NumberLabel(theme)
        self.details = PlainLabel(wordWrap=True)
        self.details.setProperty("label", True)
        self._theme = theme
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(look.GAP)
        self._grid.setVerticalSpacing(1)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self.method, 0, 0)
        self._grid.addWidget(self.details, 2, 0, 1, 2)
        self._below: bool | None = None
        self._arrange()

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self.gradient.set_theme(theme)

    def show_answer(self, answer: Answer, row: Row, believe: bool) -> None:
        self.method.setText(f"{answer.method} ✓" if believe else answer.method)
        self.method.setToolTip("The one to believe" if believe else "")
        number, why = row.evidence.numbers.get(answer.method), "" if answer.fault is None else worded(answer.fault)
        self.gradient.show_number(number, self._theme, "none", why)
        self.details.setText(details_of(answer, row, believe))
        self.details.setMinimumHeight(0)
        self._arrange()

    def blank(self) -> None:
        """Hide the number but keep its room."""
        self.details.setMinimumHeight(self.details.height())
        self.method.setText(self.method.text().removesuffix(" ✓"))
        self.gradient.blank()
        self.details.setText(BLANK)

    def resizeEvent(self, event) -> None:
        self._arrange()

    def _arrange(self) -> None:
        below = self.method.sizeHint().width() + look.GAP + self.gradient.least_width() > self.width()
        if below != self._below:
            self._below = below
            self._grid.addWidget(self.gradient, *((1, 0, 1, 2) if below else (0, 1, 1, 1)))


def details_of(answer: Answer, row: Row, believe: bool = False) -> str:
    """ "differs by 1.2·10⁻¹⁰, 43 runs, 2.1 ms"; for a method that cannot be used the reason."""
    if answer.fault:
        return f"{worded(answer.fault)}."
    numbers = row.evidence.numbers
    gap = abs(numbers.get(answer.method, math.nan) - numbers.get(REFERENCE, math.nan))
    difference = (
        ""
        if answer.method == REFERENCE or not math.isfinite(gap)
        else f"differs by {short(gap, 2)}"
        if gap
        else "equal"
    )
    parts = ("believe this one" if believe else "", difference, answer.cost, duration(answer.seconds))
    return ", ".join(filter(None, parts))


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    seconds = float(f"{seconds:.3g}")  # 0.9996 s is 1 s, not 1 000 ms
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{short(seconds / size, 2)}\N{NO-BREAK SPACE}{unit}"
    return f"{short(seconds * 1e6, 2)}\N{NO-BREAK SPACE}µs"
