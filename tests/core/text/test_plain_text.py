from __future__ import annotations

import numpy as np
import pytest

from cadena.core.text.plain_text import aligned, number_text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (None, "-"),
        (-254.0, "-254"),
        (0.30000000000000004, "0.3"),
        (np.float32(0.1), "0.1"),
        (2.03499214, "2.034992"),
        (-0.3983077, "-0.398308"),
        (3.72e-44, "3.72e-44"),
        (1234567.0, "1234567"),
        (float("nan"), "nan"),
        (float("-inf"), "-inf"),
        ([1, -2.5], "[1, -2.5]"),
        ([[1, 2], [3, 4]], "[[1, 2], [3, 4]]"),
        ([], "[]"),
        (np.arange(100.0) - 50, "100 numbers, -50 to 49"),
    ],
)
def test_numbers_are_written_in_plain_characters(value, text):
    shown = number_text(None if value is None else np.asarray(value))
    assert shown == text
    assert shown.isascii()


def test_columns_of_numbers_line_up_on_the_right():
    assert (
        aligned(("node", "value"), [("w0", "2"), ("loss", "-254")], ("value",))
        == "node  value\nw0        2\nloss   -254"
    )


def test_wide_columns_line_up_on_the_left():
    shown = aligned(("node", "value"), [("w0", "2"), ("X", "[1, 2, 3, 4, 5, 6]")], numbers=("value",))
    assert shown == "node  value\nw0    2\nX     [1, 2, 3, 4, 5, 6]"
