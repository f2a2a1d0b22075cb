"""The curve with its tangent and secant, named in their colours."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.gui.look.theme import LIGHT
from cadena.gui.plots.tangent_curve import CurveAtPoint, TangentCurve


@pytest.mark.parametrize("slope", [2.0, -2.0])
def test_curve_tangent_and_secant_are_named_in_the_corner_that_they_leave_free(qtbot, slope):
    plot = TangentCurve(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(360, 300)
    plot.show()
    xs = np.linspace(0.0, 2.0, 21)
    plot.show_curve(CurveAtPoint(("x", "y"), xs, slope * xs, 1.0, slope, slope, 0.1, 1.1 * slope))
    assert [text.toPlainText() for text in plot._legend] == ["y", "tangent", "secant"]
    visible = plot.view.sceneBoundingRect()
    for text in plot._legend:
        area = text.mapRectToScene(text.boundingRect())
        assert visible.contains(area)
        assert (area.center().x() < visible.center().x()) == (slope > 0.0)
    plot.show_curve(CurveAtPoint(("x", "y"), xs, slope * xs, 1.0, slope, slope, 0.1, float("nan")))
    assert [text.toPlainText() for text in plot._legend] == ["y", "tangent"]
