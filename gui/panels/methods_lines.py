"""The lines of the comparison of methods: each a method with its number, how far off it is, and what it costs."""

from __future__ import annotations

import math

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from core.methods import Answer, Comparison
from core.methods.compare import Row
from core.numbers import full, short
from gui import theme as look
from gui.panels.common import dress_number, number_label
from gui.theme import Theme

DIGITS = 7
BLANK = "…"


class MethodsLines(QWidget):
    """Two rows a method. The widgets are kept, so that nothing moves when only numbers change."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.lines: list[_Line] = []
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(look.GAP)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        for line in self.lines:
            line.set_theme(theme)

    def show_lines(self, comparison: Comparison) -> None:
        """The methods with their numbers at the element that is told."""
        row, answers = comparison.rows[0], comparison.answers
        while len(self.lines) < len(answers):
            self.lines.append(_Line(self._grid, 2 * len(self.lines), self._theme))
        differ = row.judgement.status == "differ"
        for line, answer in zip(self.lines, answers, strict=False):
            line.show_answer(answer, row, differ and answer.method == row.judgement.believed)
        for line in self.lines[len(answers) :]:
            line.hide()

    def blank(self) -> None:
        """Take the numbers away and keep the room that they have."""
        for line in self.lines:
            line.blank()


class _Line:
    """A method with its number; under them how far off it is and what it costs."""

    def __init__(self, grid: QGridLayout, place: int, theme: Theme) -> None:
        self.method, self.gradient = QLabel(), number_label(theme, "gradient")
        self.details = QLabel(wordWrap=True, textFormat=Qt.TextFormat.PlainText)
        self.details.setProperty("label", True)
        self._role, self._theme = "gradient", theme
        grid.addWidget(self.method, place, 0)
        grid.addWidget(self.gradient, place, 1)
        grid.addWidget(self.details, place + 1, 0, 1, 2)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        dress_number(self.gradient, theme, self._role)

    def show_answer(self, answer: Answer, row: Row, believe: bool) -> None:
        number = row.evidence.numbers.get(answer.method)
        self._role = "muted" if number is None else "gradient"
        self.method.setText(f"{answer.method} ✓" if believe else answer.method)
        self.method.setToolTip("The one to believe" if believe else "")
        self.gradient.setText("none" if number is None else short(number, DIGITS))
        self.gradient.hint = answer.fault or ("" if number is None else full(number))
        dress_number(self.gradient, self._theme, self._role)
        self.details.setText(details_of(answer, row, believe))
        self.details.setMinimumHeight(0)
        for widget in (self.method, self.gradient, self.details):
            widget.show()

    def blank(self) -> None:
        self.details.setMinimumHeight(self.details.height())
        self.method.setText(self.method.text().removesuffix(" ✓"))
        self.gradient.setText(BLANK)
        self.gradient.hint = ""
        self.details.setText(BLANK)

    def hide(self) -> None:
        for widget in (self.method, self.gradient, self.details):
            widget.hide()


def details_of(answer: Answer, row: Row, believe: bool = False) -> str:
    """ "differs by 1.2·10⁻¹⁰, 43 runs, 2.1 ms"; for a method that cannot be used why not."""
    if answer.fault:
        return f"{answer.fault}."
    numbers = row.evidence.numbers
    gap = abs(numbers.get(answer.method, math.nan) - numbers.get("reverse", math.nan))
    apart = "" if answer.method == "reverse" or math.isnan(gap) else f"differs by {short(gap, 2)}" if gap else "equal"
    cost = f"{answer.passes} {_kind(answer)}" if answer.passes else ""
    return ", ".join(filter(None, ("believe this one" if believe else "", apart, cost, duration(answer.seconds))))


def _kind(answer: Answer) -> str:
    if answer.kind == "run":
        return f"run{'' if answer.passes == 1 else 's'}"
    return f"{answer.kind} pass{'' if answer.passes == 1 else 'es'}"


def duration(seconds: float) -> str:
    """A time in the unit that suits it."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{short(seconds / size, 2)} {unit}"
    return f"{short(seconds * 1e6, 2)} µs"
