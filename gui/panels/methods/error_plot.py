"""The panel of the error over h: three curves, the best step of each, the chosen one; a drag over it chooses h."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, cast

import numpy as np
from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QFontMetrics

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import element_name, element_of
from cadena.core.methods.difference import KINDS
from cadena.core.text.numbers import short
from cadena.gui.background.throttle import Throttle
from cadena.gui.background.worker import Work
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.methods.differences_settings import NAMES
from cadena.gui.panels.methods.kind_row import SIGNS, KindRow
from cadena.gui.panels.parts.common import panel_width
from cadena.gui.panels.plots.plot_frame import RunPlotFrame
from cadena.gui.plots.errors import Chosen, Curves
from cadena.gui.plots.scale import step_text
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.methods.difference.sweep import Sweep
    from cadena.core.methods.difference.timeline import DifferencesTimeline
    from cadena.gui.plots.error_curves import ErrorCurves

PALE_AFTER = 250  # milliseconds of work
TIP = (
    "How far the quotient is from the gradient of reverse mode, for steps h from 0.1 to 10⁻¹⁶. The ring is the "
    "error at the chosen h, the bar what it is estimated at without knowing the gradient. Click or drag to choose h. "
    "The wheel zooms, the middle button moves the view."
)
LOW = 300  # pixels at `type` 1 below which the curves need the room of the rows
BOUND = "\u00a0"  # a space at which no line breaks
HOW = "Click or drag to choose h."
NO_OUTPUT = "There is nothing to plot yet: choose an output that depends on a parameter."


class ErrorPlot(RunPlotFrame):
    """Computes the errors of the moved element in a thread while the panel is visible, and chooses h."""

    plot: ErrorCurves | None
    module = "cadena.gui.plots.error_curves"
    shows = "error over h"
    are_material = True

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme)
        self.work: Work | None = None
        self.sweep: Sweep | None = None
        self.mark: Chosen | None = None
        self.stale = False  # the shown curves are being computed anew
        self._key: object = None  # the run and the element that are shown or computed
        self._shown: tuple[str | None, int] = (None, 0)  # the element of the curves
        self._sentence = ""  # the reason why there are none
        self.rows = {kind: KindRow(kind, theme) for kind in KINDS}
        for place, (kind, row) in enumerate(self.rows.items(), start=1):
            self.column.insertWidget(place, row)
            row.clicked.connect(partial(self._choose_best, kind))
        self.caption.setToolTip(TIP)
        self.setAccessibleName("Error over h")
        self._clock = QTimer(self, interval=PALE_AFTER)
        self._clock.timeout.connect(self._show_progress)
        self._soon = Throttle(self, self.follow)
        session.runChanged.connect(self._soon.request)
        session.methodChanged.connect(self._follow_method)
        self.set_theme(theme)

    def make_plot(self, module) -> ErrorCurves:
        return module.ErrorCurves(self._theme, NAMES)

    def set_theme(self, theme: Theme) -> None:
        super().set_theme(theme)
        for row in self.rows.values():
            row.set_theme(theme)
        two_lines = QFontMetrics(look.font(theme)).size(0, "10⁻¹²\n10⁻¹²")  # superscripts may come from a taller font
        self.caption.setMinimumHeight(two_lines.height())  # so that the plot does not jump

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._soon.request()

    def resizeEvent(self, event) -> None:
        super().resizeEvent(event)
        for row in self.rows.values():
            row.setVisible(self.height() >= LOW * self._theme.type)

    def minimumSizeHint(self) -> QSize:
        low = round(70 * self._theme.type)  # without the rows, which give way
        return QSize(panel_width(self._theme, 200) + 4 * look.GAP, low + self.caption.minimumHeight() + look.GAP)

    def sizeHint(self) -> QSize:
        high = round(260 * self._theme.type) + sum(row.sizeHint().height() for row in self.rows.values())
        return QSize(panel_width(self._theme, 340) + 4 * look.GAP, high + self.caption.minimumHeight() + look.GAP)

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        self._stop()

    # --- computing

    def follow(self) -> None:
        """Compute the errors of the latest run, unless that is done already."""
        if not self.isVisible():
            return
        leaf, index = self._element()
        key = self.session.run, leaf, index
        if key != self._key:
            self._stop()
            self._key, self._sentence = key, ""
            if self._shown != (leaf, index):
                self._show(None)
            if leaf is not None:
                self._begin(leaf, index)
        self._show_chosen()

    def _element(self) -> tuple[str | None, int]:
        run = self.session.run
        return element_of(run, self.session.method) if run.plan.output is not None else (None, 0)

    def _begin(self, leaf: str, index: int) -> None:
        from cadena.core.methods.difference import sweep

        run, document = self.session.run, self.session.document
        place = np.unravel_index(index, run.plan.shapes[run.plan.index[leaf]] or ())
        seed = run.seed
        self.work = Work(
            lambda cancelled: sweep.sweep(document, leaf, tuple(map(int, place)), cancelled=cancelled, seed=seed)
        )
        self.work.succeeded.connect(self._succeeded)
        self.work.refused.connect(self._refused)
        self._runs = len(KINDS) * len(sweep.STEPS)  # two are new at each step, and one is in complex numbers
        self._clock.start()
        self.work.begin()

    def _stop(self) -> None:
        """Cancel the computation under way."""
        self._clock.stop()
        if self.work is not None:
            self.work.cancel()
            self.work, self._key = None, None

    def _succeeded(self, work: Work, sweep: Sweep) -> None:
        if work is self.work:
            self._clock.stop()
            self.work, self._shown = None, self._element()
            self._show(sweep)

    def _refused(self, work: Work, refusal: Refused) -> None:
        if work is self.work:
            self._clock.stop()
            self.work, self._sentence = None, f"{worded(refusal)}."
            self._show(None)

    def _show_progress(self) -> None:
        """Show that it takes long: old curves become pale; without any, the runs are counted."""
        self.stale = True
        self.fill_plot()
        if self.sweep is None:
            self.describe_point(None)

    # --- showing

    def _show(self, sweep: Sweep | None) -> None:
        self.sweep, self.stale = sweep, False
        for kind, row in self.rows.items():
            row.show_kind(sweep, kind == self.session.method.kind)
        self._show_chosen()

    def _follow_method(self) -> None:
        if self.isVisible():
            self.follow()

    def _show_chosen(self) -> None:
        method, timeline, sweep = self.session.method, self.session.timeline, self.sweep
        self.mark = None
        if timeline.method == "difference":
            timeline = cast("DifferencesTimeline", timeline)
            error = abs(timeline.quotient - sweep.reference) if sweep is not None else math.nan
            self.mark = Chosen(timeline.h, error, timeline.slope.error)
        elif method.name == "difference" and method.step is not None:  # it cannot be used, or not yet
            self.mark = Chosen(method.step)
        self.fill_plot()
        for kind, row in self.rows.items():
            row.setChecked(kind == method.kind)
        self.describe_point(None)

    def fill_plot(self) -> None:
        if self.plot is not None:
            sweep = self.sweep
            kind = self.session.method.kind
            self.plot.show_curves(None if sweep is None else Curves(sweep, kind, self.mark, self.stale))

    def describe_point(self, index: int | None) -> None:
        """Describe the errors at one step, or at the chosen one."""
        if self.sweep is not None and index is not None:
            self.describe(_errors_text(self.sweep, index, SIGNS), _errors_text(self.sweep, index, NAMES))
        else:
            self.describe(self._chosen_text(self.sweep))

    def _chosen_text(self, sweep: Sweep | None) -> str:
        leaf, index = self._element()
        if leaf is None:
            return NO_OUTPUT
        name = element_name(leaf, index, self.session.run.plan.shapes[self.session.run.plan.index[leaf]] or ())
        if sweep is None:
            done = f" {self.work.passes} of {self._runs} runs." if self.work is not None and self.work.passes else ""
            return self._sentence or f"Computing the error over h at {name} …{done}"
        if not math.isfinite(sweep.reference):
            return f"Reverse mode gives {short(sweep.reference)} at {name}, so the error cannot be computed."
        mark = self.mark
        if mark is None:
            return f"Error over h at {name}. {HOW}"
        if self.session.method_fault:
            return f"h = {step_text(mark.step)} cannot be used with {NAMES[self.session.method.kind]}. {HOW}"
        if math.isnan(mark.error) and math.isnan(mark.estimate):  # its runs are under way
            return f"{NAMES[self.session.method.kind].capitalize()} at {name}, h = {step_text(mark.step)} …"
        kind, step, error = NAMES[self.session.method.kind].capitalize(), step_text(mark.step), short(mark.error, 2)
        if not math.isfinite(mark.estimate):
            return f"{kind} at {name}, h = {step}: error {error}, without an estimate."
        return f"{kind} at {name}, h = {step}: error {error}, estimated at {short(mark.estimate, 2)}."

    # --- choosing

    def choose(self, index: int) -> None:
        if self.sweep is None:
            return
        step = float(self.sweep.steps[index])
        if self.mark is None or self.mark.step != step:
            self._set(self.session.method.kind, step)

    def _choose_best(self, kind: str) -> None:
        """Choose this kind at its best step; at the present one while that is not known."""
        sweep = self.sweep
        best = sweep.best(kind) if sweep is not None and kind in sweep.errors else math.nan
        self._set(kind, best if math.isfinite(best) else self.session.method.step)

    def _set(self, kind: str, step: float | None) -> None:
        leaf, index = self._element()
        if leaf is not None:
            method = replace(self.session.method, name="difference", kind=kind, leaf=leaf, index=index, step=step)
            self.session.set_method(method)
            self._show_chosen()


def _errors_text(sweep: Sweep, at: int, names: Mapping[str, str]) -> str:
    errors = (f"{names[kind]}{BOUND}{short(errors[at], 2)}" for kind, errors in sweep.errors.items())
    return f"Error at h = {step_text(float(sweep.steps[at]))}: {', '.join(errors)}."
