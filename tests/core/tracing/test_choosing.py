"""Comparisons on a tape that records them."""

from __future__ import annotations

import operator

import numpy as np
import pytest

from cadena.core.tracing.choosing import ChoosingTape
from cadena.core.tracing.traced import Traced, plain

A, B = np.array([1.0, 2.0, 3.0]), np.array([2.0, 2.0, -1.0])
COMPARISONS = [operator.gt, operator.ge, operator.lt, operator.le, operator.eq, operator.ne]


@pytest.mark.parametrize("compare", COMPARISONS)
def test_a_comparison_is_recorded_as_1_or_0(compare):
    tape = ChoosingTape()
    a, b = tape.leaf(A), tape.leaf(B)
    for left, right in ((a, b), (a, 2.0), (2.0, b)):
        made = compare(left, right)
        assert isinstance(made, Traced)
        assert plain(made).tolist() == compare(plain(left), plain(right)).astype(float).tolist()


@pytest.mark.parametrize("compare", COMPARISONS)
def test_a_comparison_of_what_is_fixed_or_the_same_is_plain(compare):
    tape = ChoosingTape()
    a, k = tape.leaf(A), tape.leaf(B)
    tape.fixed.add(k.number)
    assert not isinstance(compare(k - 1.0, 0.0), Traced)
    assert not isinstance(compare(a, a), Traced)
    assert isinstance(compare(a, k), Traced)


@pytest.mark.parametrize("compare", COMPARISONS)
def test_where_arithmetic_would_be_nan_the_comparison_is_plain_and_right(compare):
    tape = ChoosingTape()
    a, b = tape.leaf(np.array([np.inf, 1.0])), tape.leaf(np.array([np.inf, np.nan]))
    found = compare(a, b)
    assert not isinstance(found, Traced) and found.tolist() == compare(plain(a), plain(b)).tolist()


def test_choices_combine_and_where_chooses_by_them():
    tape = ChoosingTape()
    a, b = tape.leaf(A), tape.leaf(B)
    both, either = (a > 1.0) & (b > 0.0), (a > 2.0) | (b > 0.0)
    assert plain(both).tolist() == [0, 1, 0] and plain(either).tolist() == [1, 1, 1]
    assert plain(~(a > 1.0)).tolist() == [1, 0, 0]
    above = a > 1.0
    assert (above | np.isnan(b)) is above  # nothing is nan, and nothing is recorded
    chosen = np.where(a > b, a, b)
    assert plain(chosen).tolist() == [2, 2, 3]
    call = tape.calls[chosen.number]
    assert call.primitive.name == "where" and isinstance(call.operands[0], Traced)
