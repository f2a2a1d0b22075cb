"""Room for the graph: what folds or shrinks in a small window, or in large type, before the graph does."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QWidget

from cadena.gui.panels.steps.step_band import StepBand

HALF, YIELDING = 0.5, 0.4  # of the height of the window, for the graph; how much of it large type takes
LEAST_FORMULA = 40.0  # pixels at `type` 1: the height of a formula that can still be read
CHANGES = (QEvent.Type.LayoutRequest, QEvent.Type.Resize)


def share_in(type_scale: float) -> float:
    """The graph's share of a window whose user has asked for larger type: cards and formula grow, both a little."""
    return HALF * max(type_scale, 1.0) ** -YIELDING


class GraphRoom(QObject):
    """The graph's share of the height of a window. The formula has what the other parts leave."""

    def __init__(
        self,
        window: QWidget,
        between: QWidget,
        beside: QWidget,
        band: QWidget,
        formula: StepBand,
        around: Sequence[QWidget],
    ) -> None:
        """`band` holds the formula, and stands with the graph in `between`; the parts `around` are above and below,
        unless they stand in `beside`."""
        super().__init__(window)
        self._window, self._band, self._formula, self._around = window, band, formula, around
        self._beside = beside
        self.share = HALF
        self._below: int | None = None
        self._width = -1  # of the band, for which its height is known
        self._soon = QTimer(self, interval=0, singleShot=True)  # when the layouts have come to rest
        self._soon.timeout.connect(self.fit)
        for part in (band, between):
            part.installEventFilter(self)

    def count(self, part: QWidget) -> None:
        """Count one more part above or below the graph."""
        self._around = (*self._around, part)
        part.installEventFilter(self)

    def divide(self, below: int | None = None) -> None:
        """Give the band so many pixels; by default what the graph leaves that has its `share` of the window."""
        self._below = below
        self.fit()

    def fit(self) -> None:
        """Give the formula its room."""
        layout, height = self._band.layout(), self._window.height()
        if layout is None:
            return
        type_ = self._formula.fit_type()
        if self._band.width() != self._width:
            self._width = self._band.width()
            layout.invalidate()  # it keeps the height that a wrapped text had at another width; asks for a layout anew
        tall = layout.heightForWidth(self._band.width()) if layout.hasHeightForWidth() else layout.sizeHint().height()
        over = (part for part in self._around if not self._beside.isAncestorOf(part))  # a lesson in the dock is not
        around = sum(part.height() for part in over if part.isVisible())
        before, beside = self._formula.body_height, tall - self._formula.body_height
        if self._below is None:
            rest = min((1.0 - self.share) * height - around - beside, self._formula.usual_height * type_)
        else:
            room = self._formula.formula_height  # that of the formula and, in a row of their own, its settings
            rest = self._below - (beside if room is None else tall - round(room))
        self._formula.set_formula_height(max(rest, LEAST_FORMULA * type_))
        if self._formula.body_height != before:
            self._band.updateGeometry()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in CHANGES:
            self._soon.start()
        return False
