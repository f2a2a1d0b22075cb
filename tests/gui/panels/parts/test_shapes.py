"""Shapes and blocks of numbers as people type and paste them."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.graph.document import as_array, as_value
from cadena.core.graph.fault import Refused
from cadena.gui.panels.parts.shapes import read_block, read_shape, reshaped, shape_field


@pytest.mark.parametrize("shape", [(), (3,), (3, 2), (2, 3, 4)])
def test_a_shape_is_read_as_it_is_shown(shape):
    assert read_shape(shape_field(shape)) == shape


def test_words_for_a_number_and_a_vector_are_understood():
    assert read_shape(" Number ") == read_shape("") == read_shape("()") == ()
    assert read_shape("vector of 3") == (3,)


@pytest.mark.parametrize("text", ["0", "2 × -1", "two", "1.5", "9999999 × 9999999"])
def test_other_shapes_are_refused(text):
    with pytest.raises(Refused, match="type"):
        read_shape(text)


def test_the_same_number_of_elements_keeps_them_all():
    new = reshaped(as_value(np.arange(6.0).reshape(2, 3)), (3, 2))
    assert as_array(new).tolist() == [[0, 1], [2, 3], [4, 5]]


def test_a_larger_or_smaller_matrix_keeps_what_both_have():
    old = as_value([[1.0, 2.0], [3.0, 4.0]])
    assert as_array(reshaped(old, (3, 1))).tolist() == [[1], [3], [0]]
    assert as_array(reshaped(old, (3,))).tolist() == [1, 2, 3]


def test_a_number_fills_an_array_and_an_array_becomes_its_first_number():
    assert as_array(reshaped(2.5, (2, 2))).tolist() == [[2.5, 2.5], [2.5, 2.5]]
    assert reshaped(as_value([[7.0, 1.0]]), ()) == 7.0


@pytest.mark.parametrize(
    "text", ["1\t2\n3\t4", "1, 2\n3, 4", "1 2\n3 4\n", "1;2\r\n3;4\r\n", "[[1, 2],\n [3, 4]]", "1,2,\n3,4,"]
)
def test_blocks_are_read_however_they_are_written(text):
    assert read_block(text).tolist() == [[1, 2], [3, 4]]


def test_a_column_stays_a_column():
    assert read_block("1\n2\n−3").tolist() == [[1], [2], [-3]]
