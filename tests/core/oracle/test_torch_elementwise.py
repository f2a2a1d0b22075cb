"""Operations on each element alone against PyTorch: random operands, and every edge point on its own."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from tests.core.oracle.comparing import (
    RELATIVE,
    RELATIVE_IN_FLOAT32,
    Case,
    assert_agreement,
    case,
    normal,
    ours,
    theirs,
)
from tests.core.oracle.differences import Point, differing

torch = pytest.importorskip("torch")
F = torch.nn.functional
pytestmark = pytest.mark.oracle

ANY, POSITIVE, UNIT, ABOVE_ONE = 3 * normal(40), np.exp(normal(40)), np.tanh(normal(40)), 1 + np.exp(normal(40))
EDGES = (
    *(0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -2.0, 6.0, -6.0, 1e-5, -1e-5, 1e-160, 1e-310, 0.01, -0.01, 3.7, -3.7),
    *(20.0, 20.5, 30.0, -30.0, 100.0, -100.0, 800.0, -800.0, 1e160, -1e160, np.inf, -np.inf, np.nan),
)
PAIRS = tuple(product((0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, -2.5, 0.1, 1e3, -1e3, np.inf, -np.inf, np.nan), repeat=2))
HUGE = ((1e160, 1e160), (1e160, 1.0), (-1e160, 1e160), (1e160, np.inf), (1e-160, 1.0), (1e-160, 1e160))


def digamma(x: Any) -> Any:
    """PyTorch's own gradient has 9 digits; its zeta function has all."""
    still = x.detach()
    return torch.digamma(still) + (x - still) * torch.special.zeta(2.0, still)


def cube_root(x: Any) -> Any:
    return torch.sign(x) * torch.abs(x) ** (1.0 / 3.0)


def floored(a: Any, b: Any) -> Any:
    """PyTorch has no derivative for it; it is flat."""
    return torch.floor_divide(a.detach(), b.detach()) + 0.0 * a + 0.0 * b


SAME_NAME = "exp exp2 expm1 square reciprocal negative positive abs floor ceil trunc sign deg2rad rad2deg nan_to_num"
SAME_NAME += " sin cos tan arctan sinh cosh tanh arcsinh sinc erf erfc sigmoid relu"
ACTIVATIONS = "elu selu gelu silu mish softplus logsigmoid softsign hardtanh relu6 leaky_relu"
UNARY: list[Case] = [
    *(case(op, [ANY], getattr(torch, op)) for op in SAME_NAME.split()),
    *(case(op, [POSITIVE], getattr(torch, op)) for op in "log log2 log10 log1p sqrt".split()),
    *(case(op, [UNIT], getattr(torch, op)) for op in "arcsin arccos arctanh".split()),
    *(case(op, [ANY], getattr(F, op)) for op in ACTIVATIONS.split()),
    case("arccosh", [ABOVE_ONE], torch.arccosh),
    case("logit", [0.5 + 0.49 * UNIT], torch.logit),
    case("gammaln", [ANY], torch.lgamma),
    case("gelu", [ANY], lambda x: F.gelu(x, approximate="tanh"), approximate="tanh"),
    case("elu", [ANY], lambda x: F.elu(x, 0.5), alpha=0.5),
    case("leaky_relu", [ANY], lambda x: F.leaky_relu(x, 0.2), slope=0.2),
    case("round", [ANY], torch.round),
    case("round", [ANY], lambda x: torch.round(x, decimals=1), decimals=1),
    case("clip", [ANY], lambda x: torch.clamp(x, -0.5, 2.0), min=-0.5, max=2.0),
    case("clip", [ANY], lambda x: torch.clamp(x, max=2.0), max=2.0),
]
BINARY: list[Case] = [
    *(
        case(op, [normal(6, 1), 2 * normal(7)], getattr(torch, op))
        for op in "add subtract multiply maximum minimum fmax fmin logaddexp logaddexp2 hypot arctan2".split()
    ),
    *(case(op, [3 * normal(40), normal(40)], getattr(torch, op)) for op in "divide remainder fmod".split()),
    case("power", [POSITIVE, normal(40)], torch.pow),
]
RANDOM_ONLY: list[Case] = [
    case("digamma", [ANY], digamma),
    case("cbrt", [ANY], cube_root),
    case("floor_divide", [ANY, normal(40)], floored),
    case("zeta", [1.5 + POSITIVE, 0.1 + POSITIVE[::-1]], torch.special.zeta),
    case("astype", [ANY], lambda x: x.double()),
]
CASES = [*UNARY, *BINARY, *RANDOM_ONLY]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_random_operands(given: Case) -> None:
    assert_agreement(given)


@pytest.mark.parametrize("given", CASES, ids=str)
def test_float32_stays_float32(given: Case) -> None:
    if given.op != "astype":
        assert_agreement(given, np.float32)


def assert_agreement_at(given: Case, points: list[Point], dtype: Any = np.float64) -> None:
    """Each point on its own, to the last digits, except at the points of the table of differences.

    Where a nan operand makes the value nan, a nan gradient is right as well.
    """
    operands = [np.array(column, dtype) for column in zip(*points)]
    (y, gradients), (expected, wanted) = (side(given, operands, np.ones_like) for side in (ours, theirs))
    unknown = np.isnan(y) & np.any(np.isnan(operands), axis=0)
    relative, least = (RELATIVE, 0.0) if dtype == np.float64 else (RELATIVE_IN_FLOAT32, np.finfo(dtype).tiny)
    for part, found, peer in zip(["value", *range(len(operands))], [y, *gradients], [expected, *wanted]):
        assert found.dtype == peer.dtype == dtype
        same = np.isclose(found, peer, rtol=relative, atol=least, equal_nan=True)
        agrees = same if part == "value" else same | (unknown & np.isnan(found))
        known = differing(given.label, part) if dtype == np.float64 else {}
        rows = zip(points, agrees, found, peer)
        different = {point: (a, b) for point, agree, a, b in rows if not agree and point not in known}
        assert not different, f"{given}, {part}: ours and PyTorch's at {different}"
        at = [index for index, point in enumerate(points) if point in known]
        np.testing.assert_allclose(found[at], [known[points[index]] for index in at], rtol=RELATIVE)
        assert not np.any(agrees[at]), f"{given}, {part}: PyTorch agrees by now; the table of differences is stale"


@pytest.mark.parametrize("given", UNARY, ids=str)
def test_edges_of_one_operand(given: Case) -> None:
    assert_agreement_at(given, [(x,) for x in EDGES])


@pytest.mark.parametrize("given", BINARY, ids=str)
def test_edges_of_two_operands(given: Case) -> None:
    assert_agreement_at(given, [*PAIRS, *HUGE])


SATURATING = "sigmoid softplus logsigmoid tanh silu mish gelu elu selu logaddexp exp"


@pytest.mark.parametrize("given", [row for row in CASES if row.op in SATURATING.split()], ids=str)
def test_large_logits_in_float32(given: Case) -> None:
    logits = (1000.0, -1000.0, 100.0, -100.0, 88.0, -80.0, 15.0, -15.0, 0.0, -np.inf, np.nan)
    if given.op != "gelu":  # of inf, PyTorch's float32 loop makes nan on some processors, and inf on others
        logits = (*logits, np.inf)
    assert_agreement_at(given, list(product(logits, repeat=len(given.operands))), np.float32)
