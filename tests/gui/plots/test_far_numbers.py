"""Plots of numbers at the ends of what a number can be."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cadena.gui.look.theme import LIGHT
from cadena.gui.plots.axes import NumberAxis, even_ticks
from cadena.gui.plots.decision import DecisionPlot
from cadena.gui.plots.loss_curve import LossCurve
from tests.gui.plots.conftest import show


@pytest.mark.parametrize(
    ("first", "last"),
    [
        (1e308, 1e308),
        (-1e308, 1e308),
        (5e-324, 1e-323),
        (0.0, math.inf),
        (math.nan, 1.0),
        (1e16, 1e16 + 2.0),
        (3.0, 3.0),
    ],
)
def test_ticks_of_ends_that_are_too_near_or_too_far_were_counted_for_ever(qapp, first, last):
    ((step, places),) = even_ticks(NumberAxis("left", ""), first, last, 300.0)
    assert step > 0.0 and len(places) < 20 and all(map(math.isfinite, places))


@pytest.mark.parametrize(
    "losses", [[-1e308, 1e308], [-1e308, -1e308], [1e308, 1e308], [-5e-324, 1.0], [math.inf, -1.0], [-math.inf]]
)
def test_losses_of_any_size_are_drawn(qtbot, losses):
    plot = show(qtbot, LossCurve(LIGHT))
    plot.show_losses(losses)
    assert not plot.grab().isNull()


def test_examples_beyond_all_bounds_are_left_out_of_the_picture(qtbot):
    """The difference of their places is no number, and pyqtgraph took it in each paint."""
    points = np.array([[0.0, 1.0], [math.inf, 2.0], [-math.inf, 3.0], [1e308, 4.0], [-1e308, 5.0]])
    plot = show(qtbot, DecisionPlot(LIGHT))
    plot.put_marks(points[:, 0], points[:, 1], "o", 6.0, "muted")
    assert not plot.grab().isNull()
    (marks,) = [item for item in plot._drawn if hasattr(item, "points")]
    assert [point.pos().x() for point in marks.points()] == [0.0]
