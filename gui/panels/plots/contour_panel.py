"""The panel of the contour: the output over two numbers, with a gradient step beside a Newton step and a path."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from PySide6.QtWidgets import QPushButton

from cadena.core.graph.fault import Refused
from cadena.core.methods.landscape import Landscape, Newton, newton
from cadena.core.text.numbers import short
from cadena.gui.look.theme import Theme
from cadena.gui.panels.parts.common import leave_keys
from cadena.gui.panels.plots.landscape_panel import FARTHEST, LandscapePanel, same_elsewhere
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.gui.plots.contour import Contour, Descended

FINE, COARSE, SECONDS = 61, 15, 1.0  # places along an axis; what the grid may take
TEXT = (
    "{output} = {height}; gradient {gradient}; Hessian {hessian}. The gradient step leads to {first}, "
    "{words} to {second}."
)
WITHOUT = "{output} = {height}; gradient {gradient}; Hessian {hessian}. The gradient step leads to {first}; {words}."
TIP = (
    "Lines of equal height. The arrow is the gradient; a gradient step goes the other way, by the rate. The Newton "
    "step solves Hessian · step = −gradient. Dots are gradient descent. Drag the point, or use the arrow keys."
)


class ContourResult(NamedTuple):
    """The landscape, what is drawn of it, and what its Hessian says."""

    landscape: Landscape
    descended: Descended
    height: float
    newton: Newton
    rate: float


class ContourPanel(LandscapePanel):
    """The rate of the gradient step is typed; both steps can be taken, as edits."""

    plot: Contour | None
    module = "cadena.gui.plots.contour"
    shows = "contour"
    number_name, number_tip, first_number = "rate", "The rate of the gradient step and of the path", 0.1

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, ["x", "y"])
        self.caption.setToolTip(TIP)
        self.setAccessibleName("Contour")
        self.gradient_step, self.newton_step = QPushButton("Gradient step"), QPushButton("Newton step")
        self.gradient_step.setToolTip("Go against the gradient, by the rate: an edit")
        self.newton_step.setToolTip("Go to where the gradient would be 0 if the Hessian stayed: an edit")
        self.gradient_step.clicked.connect(lambda: self._take("step", "Take a gradient step"))
        self.newton_step.clicked.connect(lambda: self._take("newton", "Take a Newton step"))
        leave_keys(self.gradient_step, self.newton_step)
        self.add_row(self.gradient_step, self.newton_step)

    def make_plot(self, module) -> Contour:
        plot: Contour = module.Contour(self._theme)
        plot.placed.connect(lambda x, y: self.move_to([x, y]))
        plot.released.connect(self.session.seal)
        self._soon.request()
        return plot

    def _take(self, which: str, label: str) -> None:
        if self.result is not None:
            shown: Descended = self.result.descended
            step = getattr(shown, which)
            if step is not None:
                self.move_to((shown.at + step).tolist(), label)

    # --- computing

    def compute(self, landscape: Landscape, before: Any, number: float, aspect: float) -> ContourResult:
        from cadena.gui.plots.contour import Descended

        at = np.array(landscape.here)
        gradient = landscape.gradient(at.tolist())
        try:
            curved = newton(gradient, landscape.hessian(at.tolist()))
        except Refused:  # an operation without a second derivative
            curved = Newton(np.full((2, 2), np.nan), None, False)
        step, path = -number * gradient, landscape.descent(at.tolist(), number)
        ends = [at + step, at + (curved.step if curved.step is not None else 0.0)]
        xs, ys, heights = self._grid(landscape, before, [at, *ends, *path], aspect, number)
        tops = tuple(landscape.height(end.tolist()) for end in ends)
        titles = [one.title(landscape.document) for one in landscape.elements]
        descended = Descended(
            (titles[0], titles[1]), xs, ys, heights, at, gradient, step, curved.step, path, (tops[0], tops[1])
        )
        return ContourResult(landscape, descended, landscape.height(at.tolist()), curved, number)

    def _grid(self, landscape: Landscape, before: Any, places: list, aspect: float, rate: float) -> tuple:
        """The grid: that of before, while the point is within it and nothing else has changed."""
        if before is not None and before.rate == rate and same_elsewhere(before.landscape, landscape):
            shown = before.descended
            axes = (shown.xs, shown.ys)
            if all(axis[0] <= number <= axis[-1] for number, axis in zip(places[0], axes, strict=True)):
                return shown.xs, shown.ys, shown.heights
        (left, right), (low, high) = frame(np.array(places), aspect)
        started = perf_counter()
        landscape.height(places[0].tolist())
        count = int(np.clip(np.sqrt(SECONDS / max(perf_counter() - started, 1e-6)), COARSE, FINE))
        xs, ys = np.linspace(left, right, count), np.linspace(low, high, count)
        return xs, ys, landscape.heights(xs, ys)

    # --- showing

    def fill_plot(self) -> None:
        if self.plot is not None:
            self.plot.show_contour(None if self.result is None else self.result.descended)
        self.newton_step.setEnabled(self.result is not None and self.result.descended.newton is not None)
        self.gradient_step.setEnabled(self.result is not None)

    def describe_point(self, index: int | None) -> None:
        if self.result is None:
            return
        result: ContourResult = self.result
        shown = result.descended
        template = TEXT if shown.newton is not None else WITHOUT
        first, second = map(short, shown.ends)
        words = {"words": result.newton.words, "output": result.landscape.document.output, "first": first}
        hessian, gradient = _matrix(result.newton.hessian), _vector(shown.gradient)
        height = short(result.height)
        self.describe(template.format(height=height, gradient=gradient, hessian=hessian, second=second, **words))


def frame(places: np.ndarray, aspect: float) -> tuple[tuple[float, float], tuple[float, float]]:
    """What is seen: all these places with room around them, of equal scales unless one axis is much longer."""
    places = np.clip(places, -FARTHEST, FARTHEST)
    near = places[np.abs(places - places[0]).max(axis=1) <= max(10.0 * (1.0 + np.abs(places[0]).max()), 1.0)]
    low, high = near.min(axis=0), near.max(axis=0)
    middle, half = (low + high) / 2.0, np.maximum(0.75 * (high - low), 0.5)
    if 0.1 < half[0] / half[1] < 10.0:
        half = np.maximum(half, [half[1] * aspect, half[0] / aspect])
    return (middle[0] - half[0], middle[0] + half[0]), (middle[1] - half[1], middle[1] + half[1])


def _vector(numbers: np.ndarray) -> str:
    return f"({', '.join(map(short, numbers.tolist()))})"


def _matrix(numbers: np.ndarray) -> str:
    rows = [f"[{', '.join(map(short, row))}]" for row in numbers.tolist()]
    return f"[{', '.join(rows)}]"
