"""What is said of an array as a whole."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.text.array_summary import array_summary, find_element, summary_text


def test_the_numbers_about_an_array():
    summary = array_summary(np.array([[3.0, -4.0], [0.0, 1.0]]))
    assert (summary.size, summary.finite, summary.zeros) == (4, 4, 1)
    assert (summary.least, summary.greatest, summary.mean) == (-4.0, 3.0, 0.0)
    assert summary.deviation == pytest.approx(np.sqrt(26 / 4)) and summary.norm == pytest.approx(np.sqrt(26))


def test_bad_elements_are_counted_and_left_out():
    summary = array_summary(np.array([np.nan, np.inf, -np.inf, 2.0]))
    assert (summary.nans, summary.infinities, summary.finite) == (1, 2, 1)
    assert (summary.least, summary.greatest, summary.mean, summary.deviation, summary.norm) == (2, 2, 2, 0, 2)


@pytest.mark.parametrize("array", [np.zeros((0, 2)), np.array([np.nan])])
def test_without_finite_elements_there_is_nothing_to_say(array):
    summary = array_summary(array)
    assert summary.least is summary.mean is summary.norm is None and summary.finite == 0


def test_squares_neither_overflow_nor_vanish():
    assert array_summary(np.array([3e200, -4e200])).norm == pytest.approx(5e200)
    assert array_summary(np.array([3e-200, 4e-200])).norm == pytest.approx(5e-200)


@pytest.mark.parametrize(("what", "at"), [("largest", 3), ("smallest", 1), ("farthest", 1), ("bad", 2)])
def test_elements_are_found(what, at):
    assert find_element(np.array([[0.0, -5.0], [np.nan, 4.0]]), what) == at


def test_what_is_not_there_is_not_found():
    assert find_element(np.array([1.0, 2.0]), "bad") is None
    assert find_element(np.array([np.nan]), "largest") is None
    assert find_element(np.zeros(0), "smallest") is None


def test_the_first_of_equal_elements_is_found():
    assert find_element(np.array([2.0, 7.0, 7.0]), "largest") == 1


def test_the_summary_in_words():
    assert summary_text(np.array([[3.0, -4.0], [0.0, 1.0]])) == (
        "4 elements, least −4, greatest 3, mean 0, deviation 2.55, norm 5.099, 1 zero"
    )
    assert summary_text(np.array([1.0, np.nan, np.inf])).endswith("norm 1, 1 nan, 1 infinite")
    assert summary_text(np.array([np.nan])) == "1 element, 1 nan"


def test_large_numbers_overflowed_in_the_deviation():
    assert "deviation 4·10²⁰⁰" in summary_text(np.array([1e200, 9e200]))
