"""Arrays written out can be read back by what they are written for."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from cadena.core.graph.fault import Refused
from cadena.core.storage.array_texts import FORMS, array_text

ARRAYS = [
    np.array(0.1),
    np.array([1.0, -2.5, np.nan]),
    np.array([[0.1, np.inf], [-np.inf, 1e-300]]),
    np.arange(24, dtype=np.float32).reshape(2, 3, 4) / 7,
    np.zeros((0, 3)),
    np.array([[True, False]]),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: str(array.shape))
def test_numpy_reads_its_own_text_back(array):
    read = eval(array_text(array, "numpy"), {"np": np})
    assert read.dtype == array.dtype
    np.testing.assert_array_equal(read, array.reshape(read.shape))
    assert read.size == array.size and (not array.size or read.shape == array.shape)


def test_long_arrays_are_written_whole():
    array = np.arange(5000.0)
    assert "..." not in array_text(array, "numpy")
    assert len(array_text(array, "CSV").splitlines()) == 5000


def test_a_table_has_a_line_for_each_row():
    rows = [*csv.reader(io.StringIO(array_text(ARRAYS[2], "CSV")))]
    assert rows == [["0.1", "inf"], ["-inf", "1e-300"]]
    assert array_text(ARRAYS[1], "CSV") == "1.0\n-2.5\nnan\n"
    assert array_text(np.array(0.1), "CSV") == "0.1\n"


def test_of_three_axes_each_line_has_the_place_of_its_element():
    rows = [*csv.reader(io.StringIO(array_text(ARRAYS[3], "CSV")))]
    assert rows[0] == ["axis 0", "axis 1", "axis 2", "element"] and len(rows) == 25
    assert rows[24][:3] == ["1", "2", "3"] and np.float32(rows[24][3]) == ARRAYS[3][1, 2, 3]


def test_json_has_texts_for_what_it_cannot_hold():
    assert json.loads(array_text(ARRAYS[2], "JSON")) == [[0.1, "inf"], ["-inf", 1e-300]]


def test_matrices_in_latex():
    assert array_text(np.array([[1.0, -2.5], [0.0, np.inf]]), "LaTeX") == (
        "\\begin{bmatrix}\n1 & -2.5 \\\\\n0 & \\infty\n\\end{bmatrix}"
    )
    assert array_text(ARRAYS[3], "LaTeX").count(r"\begin{bmatrix}") == 2
    assert array_text(np.array([1.0, 2.0]), "LaTeX") == "\\begin{bmatrix}\n1 & 2\n\\end{bmatrix}"


@pytest.mark.parametrize("form", FORMS)
def test_too_many_elements_for_a_text_are_refused_in_a_sentence(form):
    with pytest.raises(Refused, match=f"1,000,001 elements are too many for one text as {form}; save the array"):
        array_text(np.zeros(1_000_001), form)
