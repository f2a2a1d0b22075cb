"""Layers, losses and selections against PyTorch on random operands: value and gradients, in float64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import core.ops  # noqa: E402, F401
from core.primitive import REGISTRY  # noqa: E402

F = torch.nn.functional
pytestmark = pytest.mark.oracle
RNG = np.random.default_rng(11)


def normal(*shape: int) -> Any:
    return RNG.normal(size=shape)


def shares(*shape: int) -> Any:
    e = np.exp(normal(*shape))
    return e / e.sum(axis=1, keepdims=True)


def whole(high: int, *shape: int) -> Any:
    return RNG.integers(0, high, size=shape).astype(float)


def index(x: Any) -> Any:
    return x.long()


@np.errstate(all="ignore")  # as the engine runs them
def compare(
    op: str, operands: list[Any], attributes: dict[str, Any], torchs: Callable[..., Any], tight: float = 1e-12
) -> None:
    """Value, and gradients of a random weighting of it, within `tight` of the largest element."""
    record = REGISTRY[op]
    full = record.complete(attributes)
    y = record.value(*operands, **full)
    assert np.shape(y) == record.shape(*map(np.shape, operands), **full)
    leaves = [torch.tensor(item, requires_grad=record.slot(slot).differentiable) for slot, item in enumerate(operands)]
    expected = torchs(*leaves)
    close(y, expected.detach().numpy(), tight)
    upstream = np.asarray(normal(*np.shape(y)))
    (expected * torch.tensor(upstream)).sum().backward()
    for slot, leaf in enumerate(leaves):
        if leaf.grad is not None:
            found = record.vjp(slot, upstream, y, operands, full)
            assert found.dtype == np.float64
            close(found, leaf.grad.numpy(), tight)


def close(found: Any, expected: Any, tight: float) -> None:
    scale = np.max(np.abs(expected[np.isfinite(expected)]), initial=0.0)
    np.testing.assert_allclose(found, expected, rtol=tight, atol=tight * scale)


CONV2D = [
    ((2, 3, 7, 8), (4, 3, 3, 2), {}),
    ((2, 3, 7, 8), (4, 3, 3, 2), {"stride": 2, "padding": 1}),
    ((2, 3, 7, 8), (4, 3, 3, 2), {"stride": [3, 2], "padding": [2, 0], "dilation": [2, 3]}),
    ((2, 4, 7, 8), (6, 2, 3, 3), {"groups": 2, "padding": 4}),
    ((2, 4, 7, 8), (4, 1, 3, 3), {"groups": 4, "stride": 2}),
    ((2, 3, 7, 8), (4, 3, 4, 3), {"padding": "same", "dilation": [1, 2]}),
    ((3, 7, 8), (4, 3, 1, 1), {"padding": "valid", "stride": 3}),
    ((1, 1, 9, 9), (1, 1, 2, 2), {"stride": 4}),
]


@pytest.mark.parametrize(("x", "w", "attributes"), CONV2D)
@pytest.mark.filterwarnings("ignore:Using padding='same'")
def test_conv2d(x: Any, w: Any, attributes: Any) -> None:
    compare("conv2d", [normal(*x), normal(*w)], attributes, lambda a, b: F.conv2d(a, b, **attributes))


@pytest.mark.parametrize("attributes", [{}, {"stride": 3, "padding": 2, "dilation": 2}, {"padding": "same"}])
@pytest.mark.filterwarnings("ignore:Using padding='same'")
def test_conv1d(attributes: Any) -> None:
    compare("conv1d", [normal(2, 3, 11), normal(4, 3, 4)], attributes, lambda a, b: F.conv1d(a, b, **attributes))


POOLS = [
    {"kernel_size": 2},
    {"kernel_size": 3, "stride": 2, "padding": 1},
    {"kernel_size": [2, 3], "stride": [1, 4], "padding": [1, 0]},
]


@pytest.mark.parametrize("attributes", [*POOLS, {"kernel_size": 3, "stride": 1, "dilation": 2}])
@pytest.mark.parametrize("ties", [False, True])
def test_max_pool2d(attributes: Any, ties: bool) -> None:
    x = whole(3, 2, 3, 7, 8) if ties else normal(2, 3, 7, 8)
    compare("max_pool2d", [x], attributes, lambda a: F.max_pool2d(a, **attributes))


@pytest.mark.parametrize("attributes", POOLS)
@pytest.mark.parametrize("counted", [True, False])
def test_avg_pool2d(attributes: Any, counted: bool) -> None:
    full = {**attributes, "count_include_pad": counted}
    compare("avg_pool2d", [normal(2, 3, 7, 8)], full, lambda a: F.avg_pool2d(a, **full))


@pytest.mark.parametrize("axis", [0, 1, -1])
def test_softmax(axis: int) -> None:
    x = 3.0 * normal(3, 4, 5)
    compare("softmax", [x], {"axis": axis}, lambda a: torch.softmax(a, axis))
    compare("log_softmax", [x], {"axis": axis}, lambda a: torch.log_softmax(a, axis))


def test_normalization() -> None:
    x = 3.0 * normal(4, 3, 2, 5) + 1.0
    compare("batch_norm", [x], {}, lambda a: F.batch_norm(a, None, None, training=True))
    compare("batch_norm", [normal(6, 3)], {"eps": 0.1}, lambda a: F.batch_norm(a, None, None, training=True, eps=0.1))
    compare("layer_norm", [x], {}, lambda a: F.layer_norm(a, (5,)))
    compare("layer_norm", [x], {"normalized_shape": [2, 5]}, lambda a: F.layer_norm(a, (2, 5)))


def test_embedding() -> None:
    compare("embedding", [whole(5, 2, 7), normal(5, 3)], {}, lambda i, w: F.embedding(index(i), w))


REDUCTIONS = ["mean", "sum", "none"]
PAIRS: list[tuple[str, Callable[[], list[Any]], dict[str, Any]]] = [
    ("mse_loss", lambda: [normal(3, 4), normal(3, 4)], {}),
    ("l1_loss", lambda: [whole(3, 3, 4), whole(3, 3, 4)], {}),
    ("huber_loss", lambda: [normal(3, 4), normal(3, 4)], {"delta": 0.7}),
    ("binary_cross_entropy", lambda: [shares(3, 4), shares(3, 4)], {}),
    ("binary_cross_entropy", lambda: [np.array([0.0, 1.0, 1e-30, 1.0]), np.array([1.0, 0.0, 0.5, 1.0])], {}),
    ("binary_cross_entropy_with_logits", lambda: [5.0 * normal(3, 4), shares(3, 4)], {}),
    ("binary_cross_entropy_with_logits", lambda: [np.array([1000.0, -1000.0, 0.0]), np.array([0.0, 1.0, 1.0])], {}),
    ("kl_div", lambda: [np.log(shares(3, 4)), shares(3, 4)], {}),
    ("kl_div", lambda: [np.log(shares(3, 4)), np.log(shares(3, 4))], {"log_target": True}),
]


@pytest.mark.parametrize(("op", "operands", "attributes"), PAIRS)
@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.filterwarnings("ignore:reduction")
def test_losses(op: str, operands: Any, attributes: Any, reduction: str) -> None:
    full = {**attributes, "reduction": reduction}
    compare(op, operands(), full, lambda a, b: getattr(F, op)(a, b, **full))


def test_kl_div_where_the_target_is_zero() -> None:
    attributes = {"reduction": "batchmean"}
    operands = [np.log(shares(2, 3)), np.array([[0.0, 0.4, 0.6], [1.0, 0.0, 0.0]])]
    compare("kl_div", operands, attributes, lambda a, b: F.kl_div(a, b, **attributes))


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_hinge_embedding_loss(reduction: str) -> None:
    a, t = whole(4, 20), 2.0 * whole(2, 20) - 1.0
    full = {"reduction": reduction, "margin": 2.0}
    compare("hinge_embedding_loss", [a, t], full, lambda a, t: F.hinge_embedding_loss(a, t, **full))


@pytest.mark.parametrize("reduction", REDUCTIONS)
@pytest.mark.parametrize("shape", [(6, 4), (3, 4, 2, 5), (4,)])
def test_classes(reduction: str, shape: Any) -> None:
    full = {"reduction": reduction}
    rows = whole(4, *shape[:1], *shape[2:]) if len(shape) > 1 else np.array(2.0)
    if len(shape) > 1:
        rows.flat[0] = -100.0
    x = 3.0 * normal(*shape)
    compare("cross_entropy", [x, rows], full, lambda a, t: F.cross_entropy(a, index(t), **full))
    compare("nll_loss", [x, rows], full, lambda a, t: F.nll_loss(a, index(t), **full))


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_cross_entropy_with_probabilities(reduction: str) -> None:
    full = {"reduction": reduction}
    compare("cross_entropy", [normal(3, 4, 2), shares(3, 4, 2)], full, lambda a, t: F.cross_entropy(a, t, **full))
    compare("cross_entropy", [normal(4), shares(1, 4)[0]], full, lambda a, t: F.cross_entropy(a, t, **full))


def test_extreme_logits() -> None:
    x = np.array([[1000.0, -1000.0, 0.0], [0.0, 1000.0, 1000.0]])
    compare("cross_entropy", [x, np.array([1.0, 2.0])], {}, lambda a, t: F.cross_entropy(a, index(t)))
    compare("softmax", [x], {}, lambda a: torch.softmax(a, -1))
    compare("log_softmax", [x], {}, lambda a: torch.log_softmax(a, -1))
    compare("softmax", [np.array([-np.inf, 0.0])], {}, lambda a: torch.softmax(a, -1))


def test_choices() -> None:
    x = normal(3, 4)
    compare("where", [whole(2, 4), x, np.array(0.5)], {}, lambda c, a, b: torch.where(c != 0, a, b))
    compare("sort", [whole(3, 3, 9)], {"axis": 0}, lambda a: torch.sort(a, dim=0, stable=True).values)
    compare("sort", [x], {}, lambda a: torch.sort(a, stable=True).values)
    compare("take", [x], {"indices": [0, 3, 3, 1], "axis": 1}, lambda a: a[:, [0, 3, 3, 1]])
    compare("index_put", [x, normal(2, 2)], {"index": "[0, 2], :2"}, _put)
    compare("repeat", [x], {"repeats": [2, 0, 3], "axis": 0}, lambda a: a[[0, 0, 2, 2, 2]])


def _put(a: Any, v: Any) -> Any:
    changed = a.clone()
    changed[[0, 2], :2] = v
    return changed


def test_places() -> None:
    x, z = normal(2, 3, 4), normal(2, 3, 4)
    compare("concatenate", [x, z, x], {"axis": -1}, lambda *parts: torch.cat(parts, -1))
    compare("stack", [x, z], {"axis": 1}, lambda *parts: torch.stack(parts, 1))
    compare("hstack", [x, z], {}, lambda *parts: torch.hstack(parts))
    compare("vstack", [x[0, 0], z[0, 1]], {}, lambda *parts: torch.vstack(parts))
    compare("dstack", [x[0, 0], z[0, 1]], {}, lambda *parts: torch.dstack(parts))
    compare("tile", [x], {"reps": [2, 1, 1, 3]}, lambda a: torch.tile(a, (2, 1, 1, 3)))
    compare("roll", [x], {"shift": [1, -2], "axis": [0, 2]}, lambda a: torch.roll(a, (1, -2), (0, 2)))
    compare("rot90", [x], {"k": -1, "axes": [1, 2]}, lambda a: torch.rot90(a, -1, (1, 2)))
    compare("diff", [x], {"n": 2}, lambda a: torch.diff(a, n=2))
    compare("broadcast_to", [x[:, :1]], {"shape": [5, 2, 3, 4]}, lambda a: torch.broadcast_to(a, (5, 2, 3, 4)))
    compare("gradient", [normal(3, 4, 5)], {"spacing": 0.3, "edge_order": 2, "part": 2}, _slope)
    for mode, torchs in (("reflect", "reflect"), ("edge", "replicate"), ("wrap", "circular")):
        attributes = {"pad_width": [[0, 0], [0, 0], [3, 2]], "mode": mode}
        compare("pad", [x], attributes, lambda a, way=torchs: F.pad(a, (3, 2), mode=way))


def _slope(a: Any) -> Any:
    return torch.gradient(a, spacing=0.3, dim=2, edge_order=2)[0]
