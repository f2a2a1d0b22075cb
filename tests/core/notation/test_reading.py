"""What people type as a value."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from cadena.core.graph.document import Tensor, as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value, write_value


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2.0),
        (" 0.5 ", 0.5),
        ("-3", -3.0),
        ("−3", -3.0),
        ("1e-3", 1e-3),
        ("1E−3", 1e-3),
        ("3.72·10⁻⁴⁴", 3.72e-44),
        ("12\u202f345", 12345.0),
        ("1/3", 1 / 3),
        ("-pi/4", -math.pi / 4),
        ("2 * (1 + 3)", 8.0),
        ("inf", math.inf),
        ("−∞", -math.inf),
    ],
)
def test_a_number_is_read_however_it_is_written(text, number):
    assert read_value(text) == number


def test_nan_may_be_typed():
    assert math.isnan(read_value("nan"))


@pytest.mark.parametrize("text", ["[[1, 2], [3, 4]]", "((1, 2), (3, 4))", "[[1,2],\n [3,4]]", "[[1.0, 4/2], [3, −−4]]"])
def test_nested_lists_are_an_array(text):
    assert read_value(text) == as_value([[1, 2], [3, 4]])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is not a number"),
        ("four", "'four' is not a number"),
        ("[1, two]", "is not a number"),
        ("True", "is not a number"),
        ("2j", "is not a number"),
        ("'2'", "is not a number"),
        ("__import__('os').getcwd()", "is not a number"),
        ("9**9", "is not a number"),
        ("[1, 2] * 2", "is not a number"),
        ("{1: 2}", "is not a number"),
        ("9" * 5000, "is not a number"),
        ("[" * 500 + "]" * 500, "is not a number"),
        ("-" * 100_000 + "1", "is not a number"),
        ("1/0", "divides by 0"),
        ("0,5", "write 0.5 for a number"),
        ("1,000.5", "'1,000.5' has commas; write 1000.5 for a number"),
        ("1.000,5", "has commas"),
        ("1,000,000", "has commas"),
        ("[" * 33 + "1" + "]" * 33, "has more than 32 dimensions"),
        ("[[1, 2], [3]]", "differ in length"),
        ("[1, [2]]", "differ in length"),
        ("[]", "holds no number"),
        ("[[], []]", "holds no number"),
    ],
)
def test_anything_else_is_refused_in_one_sentence(text, said):
    with pytest.raises(Refused, match=said.replace("'", "['\"]")) as refused:
        read_value(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


@given(st.floats(allow_nan=False))
def test_a_number_written_is_read_as_the_same_number(number):
    assert read_value(write_value(number)) == number


@given(arrays.arrays(np.float64, arrays.array_shapes(max_dims=3), elements=st.floats(allow_nan=False)))
def test_an_array_written_is_read_as_the_same_array(array):
    np.testing.assert_array_equal(as_array(read_value(write_value(as_value(array)))), array)


def test_whole_numbers_are_written_without_a_point():
    assert write_value(2.0) == "2"
    assert write_value(as_value([[1.0, -0.5]])) == "[[1, -0.5]]"
    assert write_value(as_value(np.array([0.1], dtype=np.float32))) == "[0.1]"


def test_an_array_too_large_to_type_is_refused():
    large = as_value(np.zeros((20, 100)))
    assert isinstance(large, Tensor)
    with pytest.raises(Refused, match="too large to type"):
        write_value(large)
