"""Losses: their edge points, their reductions, and what does not fit."""

from typing import Any

import numpy as np
import pytest

from cadena.core.ops import loss
from cadena.core.ops.primitive import REGISTRY, ShapeError
from tests.core.ops.test_layers import apply
from tests.core.ops.test_shaping import gradient

# Operation, operands, attributes, value, gradient of the first operand; from PyTorch 2.13.
EDGES = [
    ("binary_cross_entropy_with_logits", ([1000.0], [0.0]), {}, 1000.0, [1.0]),
    ("binary_cross_entropy_with_logits", ([-1000.0], [1.0]), {}, 1000.0, [-1.0]),
    ("binary_cross_entropy_with_logits", ([1000.0], [1.0]), {}, 0.0, [0.0]),
    ("binary_cross_entropy", ([0.0], [1.0]), {}, 100.0, [-1.0 / loss.MIN_DIVISOR]),
    ("binary_cross_entropy", ([1.0], [1.0]), {}, 0.0, [0.0]),
    ("binary_cross_entropy", ([0.0], [0.0]), {}, 0.0, [0.0]),
    ("cross_entropy", ([1000.0, -1000.0], 1.0), {}, 2000.0, [1.0, -1.0]),
    ("cross_entropy", ([[1000.0, 0.0, -1000.0]], [0.0]), {}, 0.0, [[0.0, 0.0, 0.0]]),
    ("cross_entropy", ([[0.0, 0.0]], [5.0]), {}, np.nan, [[np.nan, np.nan]]),
    (
        "cross_entropy",
        ([[0.0, 0.0], [1.0, 1.0]], [0.0, -100.0]),
        {"reduction": "sum"},
        np.log(2),
        [[-0.5, 0.5], [0, 0]],
    ),
    ("nll_loss", ([[-np.inf, -1.0]], [1.0]), {}, 1.0, [[0.0, -1.0]]),
    ("l1_loss", ([1.0, 2.0], [1.0, 3.0]), {"reduction": "sum"}, 1.0, [0.0, -1.0]),
    ("huber_loss", ([1.0, -3.0], [0.0, 0.0]), {"reduction": "sum"}, 3.0, [1.0, -1.0]),
    ("hinge", ([1.0, 0.0], [1.0, 1.0]), {"reduction": "sum"}, 1.0, [0.0, -1.0]),
    ("hinge_embedding_loss", ([1.0, 2.0], [-1.0, -1.0]), {"reduction": "sum"}, 0.0, [-1.0, 0.0]),
    ("kl_div", ([-1.0, -2.0], [0.0, 1.0]), {"reduction": "sum"}, 2.0, [0.0, -1.0]),
    ("mse_loss", (np.zeros(0), np.zeros(0)), {"reduction": "sum"}, 0.0, np.zeros(0)),
]


@pytest.mark.parametrize(("op", "operands", "attributes", "value", "expected"), EDGES)
def test_edge_points(op: str, operands: Any, attributes: Any, value: float, expected: Any) -> None:
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(apply(op, *operands, **attributes), value)
        np.testing.assert_allclose(gradient(op, *operands, **attributes), expected, rtol=1e-15)


def test_logits_of_1000_in_float32() -> None:
    with np.errstate(all="raise", under="ignore"):
        assert apply("cross_entropy", [[1000.0, -1000.0]], [1.0], dtype="float32") == 2000.0
        assert apply("binary_cross_entropy_with_logits", [1000.0, -1000.0], [0.0, 1.0], dtype="float32") == 1000.0


def test_class_indices_get_a_zero_gradient() -> None:
    np.testing.assert_array_equal(gradient("cross_entropy", [[1.0, 2.0]], [1.0], slot=1), [0.0])


FAULTS = [
    ("mse_loss", [(3,), (3, 1)], {}, "(3,) and (3, 1)"),
    ("l1_loss", [(3,), (3,)], {"reduction": "max"}, "mean, sum or none"),
    ("huber_loss", [(3,), (3,)], {"delta": 0.0}, "delta is 0"),
    ("kl_div", [(), ()], {"reduction": "batchmean"}, "batchmean"),
    ("kl_div", [(2,), (2,)], {"log_target": 1}, "true or false"),
    ("nll_loss", [(2, 3), (3,)], {}, "must have shape (2,)"),
    ("nll_loss", [(), ()], {}, "a number for each class"),
    ("cross_entropy", [(2, 3), (3,)], {}, "classes of shape (2,) or probabilities of shape (2, 3)"),
    ("cross_entropy", [(2, 0), (2,)], {}, "at least one class"),
]


@pytest.mark.parametrize(("op", "shapes", "attributes", "words"), FAULTS)
def test_what_does_not_fit_is_told(op: str, shapes: Any, attributes: Any, words: str) -> None:
    with pytest.raises(ShapeError) as raised:
        REGISTRY[op].shape(*shapes, **REGISTRY[op].complete(attributes))
    assert words in str(raised.value)
