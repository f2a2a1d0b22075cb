"""Answers as people type them, judged within a tolerance."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.teaching.answers import is_right, read_answer


@pytest.mark.parametrize("text", ["-41", "−14 − 27", "7·(−2) − 27", "-82/2", "7×(-2)-27", "-4.1e1", "−4.1·10¹"])
def test_numbers_fractions_and_arithmetic_are_answers(text):
    assert is_right(read_answer(text), np.array(-41.0))


@pytest.mark.parametrize(
    ("text", "number"),
    [("0,25", 0.25), ("−0,5 · 7", -3.5), ("7·(−0,5) − 1,25", -4.75), (",5", 0.5), ("0,125", 0.125), ("−12,5", -12.5)],
)
def test_a_decimal_comma_was_refused(text, number):
    assert is_right(read_answer(text), np.array(number))


def test_a_comma_that_may_part_thousands_is_asked_about():
    with pytest.raises(Refused, match=r"1,250 is a thousand to some and 1\.250 to others; write 1\.250 or 1250"):
        read_answer("1,250")


@pytest.mark.parametrize("text", ["", "minus 41", "w0 * 2", "1/0", "__import__('os')", "(1, 2"])
def test_anything_else_is_refused(text):
    with pytest.raises(Refused):
        read_answer(text)


@pytest.mark.parametrize(
    ("answer", "expected", "right"),
    [
        ("0.333", 1 / 3, True),
        ("0.33", 1 / 3, False),
        ("0", 0.0, True),
        ("0.001", 0.0, False),
        ("41", -41.0, False),
        ("nan", np.nan, True),
        ("0", np.nan, False),
        ("inf", np.inf, True),
        ("-inf", np.inf, False),
        ("[1, 2]", [1.0, 2.0], True),
        ("[[1, 2]]", [1.0, 2.0], False),
        ("1", [1.0, 1.0], False),
    ],
)
def test_an_answer_is_right_within_the_tolerance_and_in_its_shape(answer, expected, right):
    assert is_right(read_answer(answer), np.array(expected)) is right
