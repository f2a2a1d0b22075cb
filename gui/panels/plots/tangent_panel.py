"""The panel of the tangent: the output over one number, whose slope is the gradient; a drag changes the number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from cadena.core.methods.landscape import Landscape
from cadena.core.text.numbers import short
from cadena.gui.look.theme import Theme
from cadena.gui.panels.plots.landscape_panel import FARTHEST, LandscapePanel, same_elsewhere
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.gui.plots.tangent_curve import CurveAtPoint, TangentCurve

POINTS = 161
TEXT = (
    "{output} over {name} at {at}: the tangent's slope, the gradient, is {slope}; the secant's for h = {h} is {secant}."
)
TIP = (
    "The slope of the solid line is the gradient; the dashed line goes through the point at a distance of h. Drag the "
    "point, or move it with the arrow keys: that changes the number in the graph. The wheel zooms."
)


class CurveResult(NamedTuple):
    """The landscape that was sampled, and what is drawn of it."""

    landscape: Landscape
    curve: CurveAtPoint


class TangentPanel(LandscapePanel):
    """The step h of the secant is typed, and not kept in the file; one that is chosen for differences is taken over."""

    plot: TangentCurve | None
    module = "cadena.gui.plots.tangent_curve"
    shows = "tangent"
    number_name, number_tip = "h", "The step of the secant, such as 0.5 or 10⁻³; it may be negative"

    def __init__(self, session: Session, theme: Theme) -> None:
        super().__init__(session, theme, ["of"])
        self.caption.setToolTip(TIP)
        self.setAccessibleName("Tangent")
        self._step: float | None = None
        session.methodChanged.connect(self._take_step)
        self._take_step()

    def _take_step(self) -> None:
        """Draw the secant of the method's step, when that has changed."""
        step = self.session.method.step
        if step is not None and step != self._step:
            self.number = step
            self._soon.request()
        self._step = step

    def _forget(self) -> None:
        super()._forget()
        self._step = self.session.method.step
        self.number = self._step or self.first_number

    def make_plot(self, module) -> TangentCurve:
        plot: TangentCurve = module.TangentCurve(self._theme)
        plot.placed.connect(lambda x, y: self.move_to([x]))
        plot.released.connect(self.session.seal)
        self._soon.request()
        return plot

    def compute(self, landscape: Landscape, before: Any, number: float, aspect: float) -> CurveResult:
        from cadena.gui.plots.tangent_curve import CurveAtPoint

        (at,) = landscape.here
        xs, heights = self._curve(landscape, before, at, number)
        title = landscape.elements[0].title(landscape.document)
        curve = CurveAtPoint(
            (title, str(landscape.document.output)),
            xs,
            heights,
            at,
            landscape.height([at]),
            float(landscape.gradient([at])[0]),
            number,
            landscape.height([at + number]),
        )
        return CurveResult(landscape, curve)

    def _curve(self, landscape: Landscape, before: Any, at: float, h: float) -> tuple[np.ndarray, np.ndarray]:
        """The sampled curve: that of before, while the point is on it and nothing else has changed."""
        if before is not None and same_elsewhere(before.landscape, landscape):
            xs = before.curve.xs
            if xs[0] <= at <= xs[-1] and before.curve.h == h:
                return xs, before.curve.heights
        middle = min(max(at, -FARTHEST), FARTHEST) if np.isfinite(at) else at
        reach = min(max(1.0, abs(middle), 1.5 * abs(h)), FARTHEST) if np.isfinite(at) else 1.0
        xs = np.linspace(middle - reach, middle + reach, POINTS)
        return xs, landscape.heights(xs)

    def fill_plot(self) -> None:
        if self.plot is not None:
            self.plot.show_curve(None if self.result is None else self.result.curve)

    def describe_point(self, index: int | None) -> None:
        if self.result is None:
            return
        curve: CurveAtPoint = self.result.curve
        numbers = {"at": curve.at, "slope": curve.slope, "h": curve.h, "secant": curve.secant}
        name, output = curve.names
        self.describe(TEXT.format(name=name, output=output, **{key: short(one) for key, one in numbers.items()}))
