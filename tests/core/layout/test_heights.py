"""How high cards stand: order and gaps are kept, and no allowed places are nearer to the wanted ones."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.layout.columns import Wires, make_columns
from cadena.core.layout.heights import CARD_GAP, _spread, make_levels


@given(st.lists(st.tuples(st.floats(-100, 100), st.floats(0.1, 9), st.floats(0, 50)), min_size=1, max_size=12))
def test_spreading_keeps_order_and_gaps_and_is_nearest(items):
    wanted, weights, gaps = ([item[i] for item in items] for i in range(3))
    places = np.array(_spread(wanted, weights, gaps[1:]))
    assert np.all(np.diff(places) >= np.array(gaps[1:]) - 1e-6)

    def cost(at: np.ndarray) -> float:
        return float(np.sum(np.array(weights) * (at - wanted) ** 2))

    rng = np.random.default_rng(0)
    for _ in range(20):  # no allowed places are better
        moved = np.maximum.accumulate(places + rng.normal(0, 1, len(places)) - np.cumsum([0, *gaps[1:]]))
        assert cost(moved + np.cumsum([0, *gaps[1:]])) >= cost(places) - 1e-6


def test_a_card_with_one_operand_is_level_with_it():
    assert make_levels(make_columns(Wires.of(3, [(0, 1, 0.0), (1, 2, 0.0)])), [72.0, 200.0, 10.0]) == [0.0, 0.0, 0.0]


def test_cards_of_a_column_keep_their_gap_whatever_their_heights():
    heights = [50.0, 200.0, 90.0, 72.0]
    levels = make_levels(make_columns(Wires.of(4, [(i, 3, 0.25 * (i - 1)) for i in range(3)])), heights)
    for upper, lower in ((0, 1), (1, 2)):
        assert levels[lower] - levels[upper] >= (heights[upper] + heights[lower]) / 2 + CARD_GAP - 1e-9


def test_a_card_with_two_operands_is_between_them():
    first, second, node = make_levels(make_columns(Wires.of(3, [(0, 2, -0.17), (1, 2, 0.17)])), [72.0] * 3)
    assert node == (first + second) / 2 and second - first == 72 + CARD_GAP
