"""Sums in PyTorch's order; `samples/torch_digits.txt` has PyTorch itself take them."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.scripts.pytorch.summing import total

SHAPES = [
    ((1,), None), ((7,), None), ((1000,), None), ((0,), None), ((), None), ((40_000,), 0), ((20, 3), 0), ((100, 1), 0),
    ((200, 33), 0), ((30, 10), 1), ((3, 4, 5), (0, 1)), ((3, 4, 5), 1), ((3, 4, 5), [-1]),
]  # fmt: skip


@pytest.mark.parametrize(("shape", "axis"), SHAPES, ids=str)
@pytest.mark.parametrize("dtype", ["float32", "float64", "int64"])
def test_a_sum_is_numpy_s_but_for_rounding(shape, axis, dtype):
    x = (np.random.default_rng(0).normal(size=shape) * 100).astype(dtype)
    for keepdims in (False, True):
        expected = np.sum(x, axis=tuple(axis) if isinstance(axis, list) else axis, keepdims=keepdims)
        found = total(x, axis, keepdims)
        assert np.shape(found) == expected.shape and found.dtype == expected.dtype
        np.testing.assert_allclose(found, expected, rtol=1e-4, atol=1e-2)


def test_every_fourth_vector_of_eight_is_added_first():
    x = np.zeros(64, np.float32)
    x[[0, 8, 32]] = 1.0, 2.0**-24, 2.0**-24  # PyTorch adds 32 to 0, then 8; numpy 0, 8 and 32 in pairs
    assert total(x) == 1.0
    x[[0, 8, 40]] = 1.0, 2.0**-24, 2.0**-24  # 8 and 40 meet first here
    x[32] = 0.0
    assert total(x) == np.float32(1.0 + 2.0**-23)
