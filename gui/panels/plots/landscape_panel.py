"""The base of panels that show the output over elements of leaves: choosers, a thread that computes, edits by drag."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QHBoxLayout, QWidget

from cadena.core.graph.document import Document, Tensor
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel
from cadena.core.methods.landscape import Landscape, LeafElement, elements_of
from cadena.core.notation.reading import read_value, write_value
from cadena.core.text.wording import Listing
from cadena.core.training.batches import with_values
from cadena.gui.background.throttle import Throttle
from cadena.gui.background.worker import Work
from cadena.gui.look import theme as look
from cadena.gui.look.theme import Theme
from cadena.gui.look.wording import worded
from cadena.gui.panels.parts.common import caption, panel_width
from cadena.gui.panels.parts.fields import Field
from cadena.gui.panels.plots.plot_frame import RunPlotFrame
from cadena.gui.session.session import Session
from cadena.gui.widgets.chooser import Chooser

PAUSE = 16  # milliseconds between two pictures of a drag
FARTHEST = 1e300  # of a place: the room around it is a number, too
NOTHING = "There is nothing to plot yet: choose an output that depends on a parameter."


class LandscapePanel(RunPlotFrame):
    """Follows the run in a thread; `axes` are the choosers of the elements, `number` a field beside them."""

    are_material = True
    number_name, number_tip, first_number = "", "", 1.0

    def __init__(self, session: Session, theme: Theme, axes: Sequence[str]) -> None:
        super().__init__(session, theme)
        self.result: Any = None
        self.number = self.first_number
        self._work: Work | None = None
        self._again = False
        self._chosen: list[LeafElement | None] = [None] * len(axes)
        self.choosers = [self._chooser(name, place) for place, name in enumerate(axes)]
        self.field = Field()
        self.field.setAccessibleName(self.number_name)
        self.field.setToolTip(self.number_tip)
        self.field.setMaximumWidth(80)
        self.field.editingFinished.connect(self._accept)
        self._row = QHBoxLayout()
        self._row.setSpacing(look.GAP)
        for name, chooser in zip(axes, self.choosers, strict=True):
            self._row.addWidget(caption(name))
            self._row.addWidget(chooser, 1)
        self._row.addWidget(caption(self.number_name))
        self._row.addWidget(self.field)
        self.column.insertLayout(0, self._row)
        self._soon = Throttle(self, self.follow, PAUSE)
        session.runChanged.connect(self._soon.request)
        session.opened.connect(self._forget)

    def _chooser(self, name: str, place: int) -> Chooser:
        chooser = Chooser()
        chooser.setAccessibleName(name)
        chooser.setToolTip(f"The number along {name}")
        chooser.chosen.connect(partial(self._choose_element, place))
        return chooser

    def add_row(self, *widgets: QWidget) -> None:
        """Put a row below the choosers."""
        row = QHBoxLayout()
        row.setSpacing(look.GAP)
        for widget in widgets:
            row.addWidget(widget)
        row.addStretch(1)
        self.column.insertLayout(1, row)

    def sizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, 400), 600)

    def minimumSizeHint(self) -> QSize:
        return QSize(panel_width(self._theme, 300), 200)

    def showEvent(self, event) -> None:
        super().showEvent(event)
        self._soon.request()

    def hideEvent(self, event) -> None:
        super().hideEvent(event)
        if self._work is not None:
            self._work.cancel()

    def _forget(self) -> None:
        self._chosen = [None] * len(self._chosen)
        self.result = None

    # --- what is shown

    @property
    def document(self) -> Document:
        """The document with the values that are shown, those of a training too."""
        return self.session.run.program.document

    def elements(self) -> list[LeafElement]:
        """The chosen elements, by default the first ones; empty where there are too few."""
        known = elements_of(self.session.run) if self.session.run.plan.output is not None else []
        chosen: list[LeafElement] = []
        for one in self._chosen:
            free = (other for other in known if other not in chosen and other not in self._chosen)
            picked = one if one in known and one not in chosen else next(free, None)
            if picked is not None:
                chosen.append(picked)
        self._show_choice(known, chosen)
        return chosen if len(chosen) == len(self._chosen) else []

    def _show_choice(self, known: list[LeafElement], chosen: list[LeafElement]) -> None:
        titles = [one.title(self.document) for one in known]
        for chooser, one in zip(self.choosers, chosen, strict=False):
            chooser.show_only(titles, one.title(self.document))

    def follow(self) -> None:
        """Compute what is shown for the latest run, one computation at a time."""
        if not self.isVisible() or self.plot is None:
            return
        if self._work is not None:
            self._again = True
            return
        elements = self.elements()
        self.field.show_text(write_value(self.number))
        if not elements:
            self.result = None
            self.fill_plot()
            self.describe(NOTHING)
            return
        document, before, number = self.document, self.result, self.number
        aspect = self.plot.view.width() / max(self.plot.view.height(), 1.0)

        def job(cancelled: Cancel) -> Any:
            return self.compute(Landscape(document, elements, cancelled), before, number, aspect)

        self._work = Work(job)
        self._work.succeeded.connect(self._succeeded)
        self._work.refused.connect(self._refused)
        self._work.finished.connect(self._ended)
        self._work.begin()

    @abstractmethod
    def compute(self, landscape: Landscape, before: Any, number: float, aspect: float) -> Any:
        """What is shown, in a thread; `before` is what was."""

    def _succeeded(self, work: Work, result: Any) -> None:
        self.result = result
        self.fill_plot()
        self.describe_point(None)

    def _refused(self, work: Work, refusal: Refused) -> None:
        self.result = None
        self.fill_plot()
        self.describe(f"{worded(refusal)}.")

    def _ended(self) -> None:
        self._work = None
        if self._again:
            self._again = False
            self._soon.request()

    # --- what the user does

    def choose(self, index: int) -> None:
        """A click moves the point."""

    def _choose_element(self, place: int, title: str) -> None:
        known = {one.title(self.document): one for one in elements_of(self.session.run)}
        if title in known:
            picked, chosen = known[title], self.elements()
            others = [one for number, one in enumerate(chosen) if number != place]
            self._chosen = [*chosen] if chosen else self._chosen
            if picked in others:  # the axes change places
                self._chosen[others.index(picked) if place else 1] = chosen[place]
            self._chosen[place] = picked
            self.result = None
            self._soon.request()

    def _accept(self) -> None:
        if not self.field.typed:
            return
        try:
            value = read_value(self.field.text())
            if isinstance(value, Tensor) or value == 0.0 or abs(value) == float("inf") or value != value:
                raise Refused("{text} is no step", "type a number such as 0.1", text=self.field.text())
        except Refused as refusal:
            self.describe(f"{worded(refusal)}.")
            return
        self.field.accept()
        self.number = value
        self._soon.request()

    def move_to(self, place: Sequence[float], label: str = "") -> None:
        """Give the elements other values: an edit, one undo step for a drag."""
        elements = self.elements()
        if not elements:
            return
        names = Listing(tuple(one.title(self.session.document) for one in elements[: len(place)])).worded()
        chosen = elements[: len(place)]

        def change(document: Document) -> Document:
            return with_values(document, Landscape(document, chosen).values([rounded(number) for number in place]))

        self.session.edit(change, label or f"Set {names}", None if label else f"plot {names}")


def rounded(number: float) -> float:
    """A number from a drag, without digits that nobody has meant."""
    return float(f"{number:.4g}")


def same_elsewhere(one: Landscape, other: Landscape) -> bool:
    """Whether two landscapes differ at most in the place where they stand."""
    if one.elements != other.elements:
        return False
    before, after = one.document, other.document
    zeros = [0.0] * len(one.elements)
    nodes = [with_values(each.document, each.values(zeros)).nodes for each in (one, other)]
    return nodes[0] == nodes[1] and (before.output, before.dtype) == (after.output, after.dtype)
