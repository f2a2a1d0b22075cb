"""Layers, losses, selections and shapes against PyTorch: value and gradients on random operands and at edges."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.core.oracle.comparing import Case, assert_agreement, case, normal, shares, whole

torch = pytest.importorskip("torch")
F = torch.nn.functional
pytestmark = [
    pytest.mark.oracle,
    pytest.mark.filterwarnings("ignore:Using padding='same'"),
    pytest.mark.filterwarnings("ignore:reduction"),
]

CONV2D: list[tuple[Any, Any, dict[str, Any]]] = [
    ((2, 3, 7, 8), (4, 3, 3, 2), {}),
    ((2, 3, 7, 8), (4, 3, 3, 2), {"stride": 2, "padding": 1}),
    ((2, 3, 7, 8), (4, 3, 3, 2), {"stride": [3, 2], "padding": [2, 0], "dilation": [2, 3]}),
    ((2, 4, 7, 8), (6, 2, 3, 3), {"groups": 2, "padding": 4}),
    ((2, 4, 7, 8), (4, 1, 3, 3), {"groups": 4, "stride": 2}),
    ((2, 3, 7, 8), (4, 3, 4, 3), {"padding": "same", "dilation": [1, 2]}),
    ((3, 7, 8), (4, 3, 1, 1), {"padding": "valid", "stride": 3}),
    ((1, 1, 9, 9), (1, 1, 2, 2), {"stride": 4}),
]
CONV1D: list[dict[str, Any]] = [{}, {"stride": 3, "padding": 2, "dilation": 2}, {"padding": "same"}]
POOLS: list[dict[str, Any]] = [
    {"kernel_size": 2},
    {"kernel_size": 3, "stride": 2, "padding": 1},
    {"kernel_size": [2, 3], "stride": [1, 4], "padding": [1, 0]},
]
COUNTED = [{**pool, "count_include_pad": counted} for pool in POOLS for counted in (True, False)]
IMAGE, TIED, FEATURES = normal(2, 3, 7, 8), whole(3, 2, 3, 7, 8), 3.0 * normal(4, 3, 2, 5) + 1.0
EXTREME = np.array([[1000.0, -1000.0, 0.0], [0.0, 1000.0, 1000.0]])


def with_options(op: str, operands: list[Any], **given: Any) -> Case:
    """Where PyTorch's function has the same name and the same options."""
    return case(op, operands, lambda *x: getattr(F, op)(*x, **given), **given)


def index(x: Any) -> Any:
    return x.long()


LAYERS: list[Case] = [
    *(with_options("conv2d", [normal(*x), normal(*w)], **given) for x, w, given in CONV2D),
    *(with_options("conv1d", [normal(2, 3, 11), normal(4, 3, 4)], **given) for given in CONV1D),
    *(
        with_options("max_pool2d", [x], **pool)
        for x in (IMAGE, TIED)
        for pool in [*POOLS, {"kernel_size": 3, "stride": 1, "dilation": 2}]
    ),
    *(with_options("avg_pool2d", [IMAGE], **pool) for pool in COUNTED),
    *(case("softmax", [3.0 * normal(3, 4, 5)], lambda x, axis=a: torch.softmax(x, axis), axis=a) for a in (0, 1, -1)),
    *(
        case("log_softmax", [3.0 * normal(3, 4, 5)], lambda x, axis=a: torch.log_softmax(x, axis), axis=a)
        for a in (0, 1, -1)
    ),
    case("softmax", [EXTREME], lambda x: torch.softmax(x, -1)),
    case("log_softmax", [EXTREME], lambda x: torch.log_softmax(x, -1)),
    case("softmax", [[-np.inf, 0.0]], lambda x: torch.softmax(x, -1)),
    case("softmax", [[np.nan, 0.0]], lambda x: torch.softmax(x, -1)),
    case("batch_norm", [FEATURES], lambda x: F.batch_norm(x, None, None, training=True)),
    case("batch_norm", [normal(6, 3)], lambda x: F.batch_norm(x, None, None, training=True, eps=0.1), eps=0.1),
    case("layer_norm", [FEATURES], lambda x: F.layer_norm(x, (5,))),
    case("layer_norm", [FEATURES], lambda x: F.layer_norm(x, (2, 5)), normalized_shape=[2, 5]),
    case("embedding", [whole(5, 2, 7), normal(5, 3)], lambda i, w: F.embedding(index(i), w)),
]


def hinge(score: Any, target: Any, reduction: str) -> Any:
    """PyTorch has none for signs; from its definition."""
    each = F.relu(1.0 - score * target)
    return {"none": each, "sum": each.sum(), "mean": each.mean()}[reduction]


def losses(reduction: str) -> list[Case]:
    """Every loss with one way to sum up."""
    way = {"reduction": reduction}
    signs = 2.0 * whole(2, 20) - 1.0
    return [
        with_options("mse_loss", [normal(3, 4), normal(3, 4)], **way),
        with_options("l1_loss", [whole(3, 3, 4), whole(3, 3, 4)], **way),
        with_options("huber_loss", [normal(3, 4), normal(3, 4)], delta=0.7, **way),
        with_options("huber_loss", [[0.7, -0.7, 0.0], [0.0, 0.0, 0.0]], delta=0.7, **way),
        with_options("binary_cross_entropy", [shares(3, 4), shares(3, 4)], **way),
        with_options("binary_cross_entropy", [[0.0, 1.0, 1e-30, 1.0], [1.0, 0.0, 0.5, 1.0]], **way),
        with_options("binary_cross_entropy_with_logits", [5.0 * normal(3, 4), shares(3, 4)], **way),
        with_options("binary_cross_entropy_with_logits", [[1000.0, -1000.0, 0.0], [0.0, 1.0, 1.0]], **way),
        with_options("kl_div", [np.log(shares(3, 4)), shares(3, 4)], **way),
        with_options("kl_div", [np.log(shares(3, 4)), np.log(shares(3, 4))], log_target=True, **way),
        with_options("hinge_embedding_loss", [whole(4, 20), signs], margin=2.0, **way),
        case("hinge", [3.0 * normal(20), signs], lambda s, t: hinge(s, t, reduction), **way),
        *classes(reduction),
    ]


def classes(reduction: str) -> list[Case]:
    """Losses for one class of several; -100 stands for an example that does not count."""
    rows = []
    for shape, target in (((6, 4), whole(4, 6)), ((3, 4, 2, 5), whole(4, 3, 2, 5)), ((4,), np.array(2.0))):
        if target.ndim:
            target.flat[0] = -100.0
        for op in ("cross_entropy", "nll_loss"):
            peer = getattr(F, op)
            rows.append(
                case(
                    op,
                    [3.0 * normal(*shape), target],
                    lambda x, t, peer=peer: peer(x, index(t), reduction=reduction),
                    reduction=reduction,
                )
            )
    rows.append(with_options("cross_entropy", [normal(3, 4, 2), shares(3, 4, 2)], reduction=reduction))
    rows.append(with_options("cross_entropy", [normal(4), shares(1, 4)[0]], reduction=reduction))
    rows.append(case("cross_entropy", [EXTREME, [1.0, 2.0]], lambda x, t: F.cross_entropy(x, index(t))))
    return rows


LOSSES: list[Case] = [
    *(row for reduction in ("mean", "sum", "none") for row in losses(reduction)),
    with_options("kl_div", [np.log(shares(2, 3)), [[0.0, 0.4, 0.6], [1.0, 0.0, 0.0]]], reduction="batchmean"),
]
CASES = [*LAYERS, *LOSSES]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_value_and_gradient(given: Case) -> None:
    assert_agreement(given)


@pytest.mark.parametrize("given", CASES, ids=str)
def test_float32_stays_float32(given: Case) -> None:
    assert_agreement(given, np.float32)
