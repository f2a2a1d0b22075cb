"""Two steps of each optimiser by hand, from w = 1 with the gradients 2 and then -1, at the rate 0.1."""

import math

import numpy as np
import pytest

from cadena.core.training.optimisers import OPTIMISERS, no_moments

RATE = 0.1
S1, S2 = 0.01 * 4, 0.99 * 0.01 * 4 + 0.01 * 1  # the mean squares of RMSProp
M2, V2 = 0.9 * 0.2 - 0.1, 0.999 * 0.004 + 0.001  # the moments of Adam after its second step
BY_HAND = {
    "sgd": (0.8, 0.9),
    "momentum": (0.8, 0.8 - RATE * (0.9 * 2 - 1)),
    "rmsprop": (1 - RATE * 2 / math.sqrt(S1), 1 - RATE * 2 / math.sqrt(S1) + RATE / math.sqrt(S2)),
    "adam": (0.9, 0.9 - RATE * (M2 / (1 - 0.81)) / math.sqrt(V2 / (1 - 0.999**2))),
}


@pytest.mark.parametrize("name", OPTIMISERS)
def test_two_steps_by_hand(name):
    w, state = np.array([1.0]), no_moments(np.array([1.0]))
    for gradient, expected in zip((2.0, -1.0), BY_HAND[name], strict=True):
        w, state = OPTIMISERS[name].update(w, np.array([gradient]), state, RATE)
        assert w[0] == pytest.approx(expected, abs=2e-7)  # the 1e-8 in the denominators is left out by hand
    assert state.steps == 2


@pytest.mark.parametrize("name", OPTIMISERS)
def test_a_step_changes_neither_its_arguments_nor_the_number_type(name):
    w, g = np.ones(2, np.float32), np.full(2, 3.0, np.float32)
    state = no_moments(w)
    after, _ = OPTIMISERS[name].update(w, g, state, RATE)
    assert after.dtype == np.float32
    assert w.tolist() == [1.0, 1.0] and g.tolist() == [3.0, 3.0] and state.first.tolist() == [0.0, 0.0]
