"""Logarithmic scales: where numbers, powers of ten and what is neither are."""

from __future__ import annotations

import math
import sys
from itertools import pairwise

import pytest

from cadena.gui.plots.scale import MIN_VIEW, LogScale, power, step_text, text_at


@pytest.mark.parametrize("numbers", [(5e-324, 1e-300), (1e300, sys.float_info.max), (5e-324, sys.float_info.max)])
def test_a_power_of_ten_that_is_no_float_itself_raised_in_every_paint(numbers):
    scale = LogScale.of(numbers)
    low, high = scale.ends
    assert all(low <= scale.place(number) <= high for number in numbers)
    ticks = scale.ticks(low, high, 5)
    assert 2 <= len(ticks) <= 6 and all(low <= tick <= high for tick in ticks)
    assert all(text.startswith("10") for tick, text in zip(ticks, scale.tick_texts(ticks)) if tick)
    assert all(scale.read(place) for place in (low - 5.0, low, high, high + 5.0))


def test_zero_inf_and_nan_have_levels_beyond_the_powers():
    scale = LogScale.of([0.0, 1e-3, 2.0, math.inf, math.nan])
    places = [scale.place(number) for number in (0.0, 1e-3, 2.0, math.inf, math.nan)]
    assert places == sorted(places) and places[0] < scale.low and places[3] > scale.high
    assert scale.ends == (places[0], places[-1])
    ticks = scale.ticks(*scale.ends, 40)
    assert set(scale.tick_texts(ticks)) >= {"0", "inf", "nan", "1"}
    assert [scale.read(place) for place in places] == ["0", "0.001", "2", "inf", "nan"]


@pytest.mark.parametrize("numbers", [[], [0.0], [math.inf, math.nan], [1.0], [5e-324], [sys.float_info.max]])
def test_few_numbers_make_a_scale_too(numbers):
    scale = LogScale.of(numbers)
    low, high = scale.ends
    assert low < high and scale.ticks(low, high, 5)
    assert all(low <= scale.place(number) <= high for number in numbers)


@pytest.mark.parametrize("decades", [1, 2, 5, 16, 100, 632])
@pytest.mark.parametrize("most", [1, 2, 5, 12])
def test_ticks_keep_their_distance(decades, most):
    scale = LogScale(-decades, 0, frozenset({"0", "inf"}))
    low, high = scale.ends
    ticks = sorted(scale.ticks(low, high, most))
    room = (high - low) / most
    assert all(after - before > 0.89 * room or most == 1 for before, after in pairwise(ticks))


@pytest.mark.parametrize("first", [-7.93, -7.2, -0.5, 2.01])
def test_the_closest_view_has_a_tick(first):
    assert LogScale(-16, 4).ticks(first, first + MIN_VIEW, 5)


def test_closer_than_a_power_there_are_parts_of_it():
    scale = LogScale(-16, 0)
    assert scale.tick_texts(scale.ticks(-3.1, -1.9, 4)) == ["0.001", "0.002", "0.005", "0.01"]


def test_powers_and_numbers_are_written_as_elsewhere():
    assert [power(0), power(-3), power(12)] == ["1", "10⁻³", "10¹²"]
    assert [text_at(place) for place in (-5.0, math.log10(2e-5), -324.0, 308.3)] == [
        "10⁻⁵", "2·10⁻⁵", "10⁻³²⁴", "2·10³⁰⁸"
    ]  # fmt: skip
    assert text_at(math.log10(9.99e-9)) == "10⁻⁸"


@pytest.mark.parametrize(("step", "text"), [(1e-5, "10⁻⁵"), (2e-5, "2·10⁻⁵"), (0.01, "0.01"), (0.1, "0.1")])
def test_a_step_is_a_plain_power_where_it_is_one(step, text):
    assert step_text(step) == text
