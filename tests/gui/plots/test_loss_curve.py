"""The curve of the loss, from the loss before the first step on."""

from __future__ import annotations

import pytest

from cadena.gui.look.theme import LIGHT
from cadena.gui.plots.loss_curve import LossCurve
from tests.gui.plots.conftest import show


@pytest.mark.parametrize(
    ("losses", "is_linear"),
    [([0.6957, 0.6, 0.5], True), ([0.6957, 0.1, 0.01], False), ([1.0, -1.0], True), ([1.0, 0.0], False)],
)
def test_a_loss_that_fell_by_less_than_a_power_of_ten_was_a_flat_line(qtbot, losses, is_linear):
    plot = show(qtbot, LossCurve(LIGHT))
    plot.show_losses(losses)
    assert plot.left.is_linear is is_linear
    (low, high), places = plot.view.viewRange()[1], plot.heights
    assert max(places) - min(places) > 0.7 * (high - low) or not is_linear


def test_it_begins_at_step_0(qtbot):
    plot = show(qtbot, LossCurve(LIGHT))
    plot.show_losses([4.0, 2.0, 1.0])
    assert list(plot.xs) == [0.0, 1.0, 2.0]
    assert plot.reading(2, plot.height_at(2)) == ("2", "1")
    assert plot.table() == [["step", "loss"], [0, 4.0], [1, 2.0], [2, 1.0]]
