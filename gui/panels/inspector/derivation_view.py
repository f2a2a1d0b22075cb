"""The dependence of the output on a node: definitions on the way, derivatives in orange, their product."""

from __future__ import annotations

import weakref
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from cadena.core.methods.reverse import derivation
from cadena.core.methods.reverse.timeline import Frame
from cadena.core.notation.in_script import with_shown_names
from cadena.core.run.program import Run
from cadena.gui.background.worker import Work
from cadena.gui.formulas import pictures
from cadena.gui.look import theme as look
from cadena.gui.look.text_cleaning import PlainLabel
from cadena.gui.look.theme import Theme
from cadena.gui.panels.inspector.response_plot import ResponsePlot
from cadena.gui.panels.parts.common import Divider, caption, column_in, heading
from cadena.gui.panels.parts.formula_view import FormulaView

if TYPE_CHECKING:
    from cadena.core.methods.nudging import Response

SECTION = 12  # pixels above a heading
PATIENCE = 10  # milliseconds that the interface waits for a curve, so that one of a small graph is there at once


class DerivationView(QWidget):
    """The lines of the derivation; takes no room where the output does not depend on the node."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.title = heading("")
        self._not_yet = caption("")
        for label in (self.title, self._not_yet):
            label.setWordWrap(True)
        self._rows: list[_Row] = []
        self._result, self._product = FormulaView(theme, look.NUMBER, look.NUMBER, right=True), caption("Product")
        self._grows = heading("")
        self.growth = PlainLabel(wordWrap=True)
        self.plot = ResponsePlot(theme)
        self._stated: tuple[weakref.ref[Run], str] | None = None  # of the sentence on growth, which takes a run
        self._work: Work | None = None  # which computes the curve
        self._column = column_in(self, 4)
        self._above = Divider(theme)  # the product
        below = QHBoxLayout()
        below.addWidget(self._product, 0, Qt.AlignmentFlag.AlignVCenter)
        below.addWidget(self._result, 1)
        for widget in (self.title, self._not_yet, self._above):
            self._column.addWidget(widget)
        self._column.addLayout(below)
        self._column.addSpacing(SECTION)
        for words in (self._grows, self.growth):
            self._column.addWidget(words)
        self._column.addWidget(self.plot)

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._result.set_theme(theme)
        self.plot.set_theme(theme)
        self._above.set_theme(theme, "ink")
        for row in self._rows:
            row.set_theme(theme)

    def follow(self, frame: Frame, name: str) -> None:
        """Show the numbers known at this moment."""
        run, output = frame.run, frame.run.program.output
        shown = output is not None and name != output and run.gradient(name) is not None
        self.setVisible(shown)
        if not shown:
            return
        document = run.program.document
        self.title.setText(with_shown_names(document, f"How {run.target} depends on {name}"))
        arrived = complete(frame, name)
        self._not_yet.setVisible(not arrived)
        self._not_yet.setText(with_shown_names(document, f"The reverse pass has not reached {name} yet."))
        lines = derivation.derivation(run, name) if arrived else []
        self._show_lines(lines)
        self._result.show_latex(derivation.result_latex(run, name, pictures.colored(self._theme)) if arrived else "")
        self._product.setText(derivation.result_word(run, name))
        for widget in (self._above, self._product):
            widget.setVisible(bool(lines))
        self._show_growth(frame.run, name if arrived else "")

    def _show_growth(self, run: Run, name: str) -> None:
        """Say what the output does when the node grows by 1, and show it over the node, computed once for a run."""
        if self._stated is None or self._stated[0]() is not run or self._stated[1] != name:
            from cadena.core.methods.nudging import growth_sentence  # no first frame shows it

            self._stated = weakref.ref(run), name
            named = partial(with_shown_names, run.program.document)
            self._grows.setText(named(f"If {name} grows by 1"))
            self.growth.setText(named(growth_sentence(run, name)) if name else "")
            self._plot_growth(run, name)
        for label in (self._grows, self.growth):
            label.setVisible(bool(self.growth.text()))

    def _plot_growth(self, run: Run, name: str) -> None:
        """Compute the curve in a thread; what it shows until then is gone."""
        from cadena.core.methods.nudging import response

        if self._work is not None:
            self._work.cancel()
        self._work = None
        self.plot.show_response(None)
        if self.growth.text():
            self._work = work = Work(lambda cancelled: response(run, name, cancelled))
            named = partial(with_shown_names, run.program.document)
            names = named(name), named(str(run.program.output))
            work.succeeded.connect(partial(self._show_response, names))
            work.begin()
            work.finish(PATIENCE)

    def _show_response(self, names: tuple[str, str], work: Work, shown: Response | None) -> None:
        if work is self._work:
            self.plot.show_response(shown, *names)
            self._work = None

    def _show_lines(self, lines: list[tuple[str, str]]) -> None:
        while len(self._rows) < len(lines):
            self._rows.append(_Row(self._theme))
            self._column.insertWidget(self._column.indexOf(self._above), self._rows[-1])
        for row, line in zip(self._rows, lines):
            row.show_line(*line)
        for number, row in enumerate(self._rows):
            row.setVisible(number < len(lines))


def complete(frame: Frame, name: str) -> bool:
    """Whether all contributions to the gradient of `name` have arrived."""
    arrivals = frame.timeline.arrivals.get(name, ())
    return bool(arrivals) and arrivals[-1][0] < frame.landed


class _Row(QWidget):
    """One line: a definition, and the local derivative against the right edge."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._left = FormulaView(theme, look.NUMBER, look.NUMBER)
        self._right = FormulaView(theme, look.NUMBER, look.NUMBER, role="gradient", right=True)
        self._line = Divider(theme)
        row = QHBoxLayout()
        row.addWidget(self._left, 5)
        row.addWidget(self._right, 6)
        column = column_in(self, 4)
        column.addWidget(self._line)
        column.addLayout(row)

    def set_theme(self, theme: Theme) -> None:
        self._line.set_theme(theme)
        self._left.set_theme(theme)
        self._right.set_theme(theme)

    def show_line(self, definition: str, derivative: str) -> None:
        self._left.show_latex(definition)
        self._right.show_latex(derivative)
