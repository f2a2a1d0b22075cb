"""Convolution, pooling, normalization, dropout, embedding."""

from typing import Any

import numpy as np
import pytest

from cadena.core.ops.dropout import dropout_mask
from cadena.core.ops.primitive import REGISTRY, ShapeError
from tests.core.ops.test_shaping import gradient


def apply(op: str, *operands: Any, dtype: str = "float64", **attributes: Any) -> Any:
    return REGISTRY[op].value(
        *(np.asarray(item, dtype=dtype) for item in operands), **REGISTRY[op].complete(attributes)
    )


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_large_logits_neither_overflow_nor_lose_their_gradient(dtype: str) -> None:
    np.testing.assert_array_equal(apply("softmax", [1000.0, -1000.0, 0.0], dtype=dtype), [1.0, 0.0, 0.0])
    np.testing.assert_array_equal(
        gradient("softmax", [1000.0, -1000.0, 0.0], upstream=[1.0, 0.0, 0.0]), [0.0, -0.0, -0.0]
    )
    assert apply("log_softmax", [1000.0, -1000.0], dtype=dtype)[1] == -2000.0
    np.testing.assert_array_equal(gradient("log_softmax", [1000.0, -1000.0], upstream=[0.0, 1.0]), [-1.0, 1.0])


def test_the_first_of_equal_elements_in_a_window_gets_the_gradient() -> None:
    found = gradient("max_pool2d", [[1.0, 1.0], [1.0, 1.0]], kernel_size=2)
    np.testing.assert_array_equal(found, [[1.0, 0.0], [0.0, 0.0]])


def test_a_window_with_nan_gives_nan_as_value_and_gradient() -> None:
    x = [[1.0, np.nan, 3.0, 4.0]]
    np.testing.assert_array_equal(apply("max_pool2d", x, kernel_size=[1, 2]), [[np.nan, 4.0]])
    np.testing.assert_array_equal(gradient("max_pool2d", x, kernel_size=[1, 2]), [[np.nan, np.nan, 0.0, 1.0]])


def test_the_border_of_max_pool_is_never_the_largest() -> None:
    found = apply("max_pool2d", [[-5.0, -6.0]], kernel_size=[1, 2], padding=[0, 1])
    np.testing.assert_array_equal(found, [[-5.0, -6.0]])


def test_an_infinite_upstream_gradient_stays_with_the_chosen_element() -> None:
    found = gradient("max_pool2d", [[1.0, 2.0]], kernel_size=[1, 2], upstream=[[np.inf]])
    np.testing.assert_array_equal(found, [[0.0, np.inf]])


def test_batch_norm_of_equal_numbers_is_zero_with_zero_gradient() -> None:
    np.testing.assert_array_equal(apply("batch_norm", [[2.0], [2.0]]), [[0.0], [0.0]])
    np.testing.assert_array_equal(gradient("batch_norm", [[2.0], [2.0]]), [[0.0], [0.0]])


def test_the_dropout_mask_depends_on_seed_and_shape_alone() -> None:
    mask = dropout_mask((100,), 0.25, 3)
    assert set(mask) == {0.0, 1.0 / 0.75}
    np.testing.assert_array_equal(apply("dropout", np.ones(100), p=0.25, seed=3), mask)
    np.testing.assert_array_equal(gradient("dropout", np.ones(100), p=0.25, seed=3), mask)
    assert not np.array_equal(mask, dropout_mask((100,), 0.25, 4))
    np.testing.assert_array_equal(apply("dropout", [1.0, 2.0], p=1.0), [0.0, 0.0])


def test_a_row_looked_up_twice_gets_both_gradients_and_a_row_that_is_not_there_is_nan() -> None:
    table = [[1.0, 2.0], [3.0, 4.0]]
    np.testing.assert_array_equal(apply("embedding", [1.0, 2.0, -1.0], table), [[3.0, 4.0], [np.nan] * 2, [np.nan] * 2])
    found = gradient("embedding", [1.0, 1.0, 5.0], table, slot=1)
    np.testing.assert_array_equal(found, [[0.0, 0.0], [2.0, 2.0]])


@pytest.mark.parametrize("op", ["layer_norm", "batch_norm"])
def test_normalization_of_large_numbers_in_float16_is_worked_out_in_float32(op: str) -> None:
    """The variance of numbers above 256 overflowed, and everything was 0 without a word; PyTorch takes float32 too."""
    x = np.array([[300.0, -900.0, 1500.0], [2000.0, 40.0, -700.0]])
    made = apply(op, x, dtype="float16")
    assert made.dtype == np.float16
    np.testing.assert_allclose(made, apply(op, x), rtol=2e-3)
    wide, weights = x.astype(np.float16), np.array([[1.0, 2.0, -3.0], [0.5, 0.0, 1.0]], np.float16)
    attributes = REGISTRY[op].complete({})
    back = REGISTRY[op].vjp(0, weights, made, [wide], attributes)
    true = REGISTRY[op].vjp(0, weights.astype(float), apply(op, x), [x], attributes)
    np.testing.assert_allclose(back, true, rtol=1e-2, atol=2e-6)


FAULTS = [
    ("conv2d", [(1, 2, 5, 5), (3, 1, 2, 2)], {}, "2 channels"),
    ("conv2d", [(5, 5), (3, 1, 2, 2)], {}, "kernels (out, in, height, width)"),
    ("conv2d", [(1, 1, 2, 2), (1, 1, 3, 3)], {}, "does not fit 2"),
    ("conv2d", [(1, 1, 4, 4), (1, 1, 3, 3)], {"stride": [1, 1, 1]}, "2, one for each axis"),
    ("conv2d", [(1, 1, 4, 4), (1, 1, 3, 3)], {"padding": "same", "stride": 2}, "stride 1"),
    ("conv2d", [(1, 1, 4, 4), (1, 1, 3, 3)], {"padding": "full"}, "same or valid"),
    ("conv2d", [(1, 2, 4, 4), (3, 1, 3, 3)], {"groups": 2}, "3 kernels"),
    ("conv1d", [(1, 1, 4), (1, 1, 3)], {"stride": 0}, "at least 1"),
    ("max_pool2d", [(4,)], {"kernel_size": 2}, "height and width"),
    ("max_pool2d", [(4, 4)], {"kernel_size": 2, "padding": 2}, "half a window"),
    ("avg_pool2d", [(4, 4)], {"kernel_size": 5}, "does not fit 4"),
    ("avg_pool2d", [(4, 4)], {}, "needs its attribute 'kernel_size'"),
    ("softmax", [(2,)], {"axis": 1}, "no axis 1"),
    ("softmax", [(2, 0)], {}, "at least one"),
    ("batch_norm", [(3,)], {}, "needs a batch"),
    ("batch_norm", [(1, 3)], {}, "more than one number"),
    ("layer_norm", [(2, 3)], {"normalized_shape": [2]}, "(2, 3)"),
    ("layer_norm", [()], {}, "()"),
    ("dropout", [(3,)], {"p": 1.5}, "from 0 to 1"),
    ("embedding", [(3,), (0, 2)], {}, "at least one row"),
]


@pytest.mark.parametrize(("op", "shapes", "attributes", "words"), FAULTS)
def test_what_does_not_fit_is_told(op: str, shapes: Any, attributes: Any, words: str) -> None:
    with pytest.raises(ShapeError) as raised:
        REGISTRY[op].shape(*shapes, **REGISTRY[op].complete(attributes))
    assert words in str(raised.value)
