"""The panel of costs: passes and processor time of forward and reverse mode, against inputs and against outputs."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QPushButton

from cadena.core.graph.fault import Refused
from cadena.core.methods.costs import Against, ModeCost, costs
from cadena.core.text.numbers import number_of, short
from cadena.gui.background.worker import Work
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import choose_widths, leave_keys, panel_width
from cadena.gui.panels.plots.plot_frame import RunPlotFrame
from cadena.gui.session.session import Session
from cadena.gui.widgets.segments import Segments

if TYPE_CHECKING:
    from cadena.gui.plots.cost_curves import CostCurves

WAYS: tuple[Against, ...] = ("inputs", "outputs")
TEXT = (
    "{inputs} and {outputs} ({node}): forward mode takes {forward} and {forward_time} ms, reverse mode {reverse} and "
    "{reverse_time} ms."
)
MEASURING = "Measuring …"


class CostPanel(RunPlotFrame):
    """Measures in a thread when it is opened, when the graph changes, and when it is asked to."""

    plot: CostCurves | None
    module = "cadena.gui.plots.cost_curves"
    shows = "cost"

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.against = WAYS[0]
        self.rows: Sequence[ModeCost] = ()
        self.node = ""
        self._refusal = ""
        self._work: Work | None = None
        self._key: object = None
        self.setAccessibleName("Cost")
        self.chips = {way: QPushButton(way.capitalize()) for way in WAYS}
        self.again = QPushButton("Measure again")
        row = QHBoxLayout()
        row.setSpacing(look.GAP)
        for way, chip in self.chips.items():
            chip.setToolTip(f"The cost of both modes against the number of {way}")
            chip.clicked.connect(partial(self.choose_way, way))
        row.addWidget(Segments(*self.chips.values()))
        self.again.setToolTip("Time both modes anew")
        self.again.clicked.connect(self.measure)
        row.addWidget(self.again)
        row.addStretch(1)
        leave_keys(self.again)
        self.chips[self.against].setChecked(True)
        self.column.insertLayout(0, row)
        self.set_theme(theme)
        session.runChanged.connect(self.follow)

    def make_plot(self, module) -> CostCurves:
        return module.CostCurves(self._theme)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        choose_widths(theme, *self.chips.values())

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, 400), 600)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self.follow()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self._stop()

    def follow(self) -> None:
        """Measure anew when the graph is another; its numbers change no cost."""
        if self.isVisible() and self.session.run.plan is not self._key:
            self.measure()

    def choose_way(self, way: Against) -> None:
        """Show the cost against inputs, or outputs."""
        self.against = way
        for other, chip in self.chips.items():
            chip.setChecked(other == way)
        self.measure()

    def measure(self) -> None:
        """Measure anew."""
        self._stop()
        self._key = self.session.run.plan
        self.rows, self._refusal = (), ""
        document, against = self.session.document, self.against
        self._work = Work(lambda cancelled: costs(document, against, cancelled))
        self._work.succeeded.connect(self._succeeded)
        self._work.refused.connect(self._refused)
        self._work.begin()
        self._show()

    def _stop(self) -> None:
        if self._work is not None:
            self._work.cancel()
            self._work, self._key = None, None

    def _succeeded(self, work: Work, result: tuple[str, list[ModeCost]]) -> None:
        if work is self._work:
            self._work = None
            self.node, self.rows = result
            self._show()

    def _refused(self, work: Work, refusal: Refused) -> None:
        if work is self._work:
            self._work, self._refusal = None, f"{worded(refusal)}."
            self._show()

    def _show(self) -> None:
        self.fill_plot()
        self.describe_point(None)

    def fill_plot(self) -> None:
        if self.plot is not None:
            self.plot.show_costs(self.rows, self.against)

    def describe_point(self, index: int | None) -> None:
        """Describe the cost at one place, or for all inputs and outputs."""
        if not self.rows:
            self.describe(self._refusal or MEASURING)
            return
        row = self.rows[-1 if index is None else index]
        self.describe(
            TEXT.format(
                inputs=number_of(row.inputs, "input"), outputs=number_of(row.outputs, "output"), node=self.node,
                forward=_passes(row.forward_passes), forward_time=short(1e3 * row.forward_seconds, 2),
                reverse=_passes(row.reverse_passes), reverse_time=short(1e3 * row.reverse_seconds, 2),
            )
        )  # fmt: skip

    def choose(self, index: int) -> None:
        """Nothing is chosen by a click."""


def _passes(count: int) -> str:
    return "1 pass" if count == 1 else f"{count} passes"
