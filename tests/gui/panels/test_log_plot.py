"""Logarithmic axes: where numbers and powers of ten are."""

from __future__ import annotations

import sys

import pytest

from cadena.gui.panels.log_plot import LogAxis, decades


@pytest.mark.parametrize("numbers", [(5e-324, 1e-300), (1e300, sys.float_info.max), (5e-324, sys.float_info.max)])
def test_a_power_of_ten_that_is_no_float_itself_raised_in_every_paint(numbers):
    low, high = decades(numbers)
    axis = LogAxis(low, high, 0.0, 100.0)
    ticks = axis.ticks(5)
    assert [axis.place_of_power(tick) for tick in (low, high)] == [0.0, 100.0]
    assert all(0.0 <= axis.place_of_power(tick) <= 100.0 for tick in ticks)
    assert all(0.0 <= axis.place(number) <= 100.0 for number in numbers)
