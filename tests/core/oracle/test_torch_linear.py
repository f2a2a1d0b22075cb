"""Reductions and linear algebra against PyTorch on random operands, with ties, zeros and nothing at all."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from cadena.core.ops.primitive import REGISTRY
from tests.core.oracle.comparing import (
    Case,
    assert_agreement,
    assert_close,
    case,
    normal,
    ours,
    signed,
    theirs,
    whole,
)

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
A, B, C = (3, 4), (4, 2), (2, 3, 4)
inf, nan = np.inf, np.nan


def positive_definite(*shape: int) -> Any:
    x = normal(*shape)
    return x @ np.swapaxes(x, -1, -2) + np.eye(shape[-1])


def well_conditioned(*shape: int) -> Any:
    return normal(*shape) + 3 * np.eye(*shape[-2:])


REDUCTIONS: list[Case] = [
    case("sum", [normal(*C)], lambda x: torch.sum(x, (0, 2)), axis=[0, 2]),
    case("mean", [normal(*C)], lambda x: torch.mean(x, 1, keepdim=True), axis=1, keepdims=True),
    case("prod", [normal(*C)], torch.prod),
    case("prod", [normal(*C)], lambda x: torch.prod(x, 1), axis=1),
    case("max", [normal(*C)], torch.amax),
    case("max", [normal(*C)], lambda x: torch.amax(x, (0, 2)), axis=[0, 2]),
    case("min", [normal(*C)], lambda x: torch.amin(x, 1, keepdim=True), axis=1, keepdims=True),
    case("var", [normal(*C)], lambda x: torch.var(x, 2, correction=0), axis=2),
    case("var", [normal(*C)], torch.var, ddof=1),
    case("std", [normal(*C)], lambda x: torch.std(x, (0, 1)), axis=[0, 1], ddof=1),
    case("std", [normal(*C)], lambda x: torch.std(x, correction=0)),
    case("norm", [normal(*C)], torch.linalg.vector_norm),
    case("norm", [normal(*C)], lambda x: torch.linalg.matrix_norm(x, "fro", (1, 2)), ord="fro", axis=[1, 2]),
    case("norm", [normal(*C)], lambda x: torch.linalg.vector_norm(x, 1, 2), ord=1, axis=2),
    case("norm", [normal(*C)], lambda x: torch.linalg.vector_norm(x, 2, 2), ord=2, axis=2),
    case("norm", [normal(*C)], lambda x: torch.linalg.vector_norm(x, 3.5, 0), ord=3.5, axis=0),
    case("norm", [normal(*C)], lambda x: torch.linalg.vector_norm(x, torch.inf, 1), ord="inf", axis=1),
    case("logsumexp", [normal(*C)], lambda x: torch.logsumexp(x, (0, 1)), axis=[0, 1]),
    case("cumsum", [normal(*C)], lambda x: torch.cumsum(x, 1), axis=1),
    case("cumsum", [normal(*C)], lambda x: torch.cumsum(x.ravel(), 0)),
    case("cumprod", [normal(*C)], lambda x: torch.cumprod(x, -1), axis=-1),
    case("trace", [normal(*C)], lambda x: torch.diagonal(x, -1, 2, 0).sum(-1), axis1=2, axis2=0, offset=-1),
    case("tril", [normal(*C)], lambda x: torch.tril(x, -1), k=-1),
    case("triu", [normal(*C)], lambda x: torch.triu(x, 1), k=1),
    case("swapaxes", [normal(*C)], lambda x: torch.swapaxes(x, 0, -1), axis1=0, axis2=-1),
    case("moveaxis", [normal(*C)], lambda x: torch.moveaxis(x, (0, 1), (-1, 0)), source=[0, 1], destination=[-1, 0]),
    case("median", [normal(2, 5)], lambda x: torch.median(x, 1).values, axis=1),
    case("argmax", [whole(3, 2, 5)], lambda x: torch.argmax(x, 1).to(x.dtype), axis=1),
]


def with_zeros(*places: int) -> Any:
    x = normal(5)
    x[list(places)] = 0.0
    return x


GRID = np.array([[1.0, 3.0, 3.0], [0.0, 0.0, 0.0]])
EDGES: list[Case] = [
    *(case("prod", [with_zeros(*places)], torch.prod) for places in [(1,), (0, 3), (4,)]),
    *(case("cumprod", [with_zeros(*places)], lambda x: torch.cumprod(x, 0)) for places in [(1,), (0, 3), (4,)]),
    case("max", [GRID], lambda x: torch.amax(x, 1), axis=1),
    case("max", [GRID], torch.amax),
    case("min", [GRID], lambda x: torch.amin(x, 0, keepdim=True), axis=0, keepdims=True),
    case("norm", [GRID], lambda x: torch.linalg.vector_norm(x, 2, 1), axis=1),
    case("norm", [GRID], lambda x: torch.linalg.vector_norm(x, 1, 1), axis=1, ord=1),
    case("norm", [GRID], lambda x: torch.linalg.vector_norm(x, torch.inf, 1), axis=1, ord="inf"),
    case("norm", [GRID], lambda x: torch.linalg.vector_norm(x, 3, 1), axis=1, ord=3),
    case("std", [GRID], lambda x: torch.std(x, 1, correction=0), axis=1),
    case("var", [GRID], lambda x: torch.var(x, 1, correction=0), axis=1),
    case("logsumexp", [[1000.0, 1000.0, -1000.0]], lambda x: torch.logsumexp(x, 0)),
    case("logsumexp", [[-inf, -inf]], lambda x: torch.logsumexp(x, 0)),
    case("logsumexp", [[-inf, 1.0]], lambda x: torch.logsumexp(x, 0)),
    case("logsumexp", [[inf, 1.0]], lambda x: torch.logsumexp(x, 0)),
    *(case(op, [[1.0, nan, 3.0]], getattr(torch, op)) for op in ["sum", "mean"]),
    *(case(op, [[1.0, inf, -3.0]], getattr(torch, op)) for op in ["sum", "mean"]),
    *(case(op, [np.zeros((0, 3))], getattr(torch, op)) for op in ["sum", "mean", "prod"]),
    case("sum", [np.zeros((0, 3))], lambda x: torch.sum(x, 0), axis=0),
    case("logsumexp", [np.zeros((0, 3))], lambda x: torch.logsumexp(x, 0), axis=0),
    case("cumsum", [[1.0, inf, -inf, nan]], lambda x: torch.cumsum(x, 0)),
    case("max", [[1.0, inf, inf]], torch.amax),
    case("min", [[-inf, 1.0, 3.0]], torch.amin),
    case("matmul", [np.zeros((2, 0)), np.zeros((0, 3))], torch.matmul),
    case("eigh", [np.diag([1.0, 1.0, 2.0])], lambda x: torch.linalg.eigvalsh(x), part=0),
    case("svd", [np.eye(2)], lambda x: torch.linalg.svdvals(x), part=1),
]

PRODUCTS: list[Case] = [
    *(
        case("matmul", [normal(*a), normal(*b)], torch.matmul)
        for a, b in [
            ((3,), (3,)),
            ((3,), (3, 2)),
            ((2, 3), (3,)),
            ((2, 3), (3, 2)),
            ((5, 2, 3), (3, 2)),
            ((5, 2, 3), (5, 3, 2)),
            ((5, 2, 3), (3,)),
            ((3,), (5, 3, 2)),
            ((4, 1, 2, 3), (5, 3, 2)),
        ]
    ),
    case("dot", [normal(4), normal(4)], torch.dot),
    case("dot", [normal(*A), normal(*B)], torch.mm),
    case("dot", [normal(*C), normal(4, 2)], lambda a, b: torch.tensordot(a, b, 1)),
    case("inner", [normal(*C), normal(*A)], torch.inner),
    case("outer", [normal(3), normal(4)], torch.outer),
    case(
        "tensordot",
        [normal(*C), normal(4, 3, 5)],
        lambda a, b: torch.tensordot(a, b, ([1, 2], [1, 0])),
        axes=[[1, 2], [1, 0]],
    ),
    case("tensordot", [normal(*A), normal(*B)], lambda a, b: torch.tensordot(a, b, 0), axes=0),
    case("kron", [normal(*A), normal(*B)], torch.kron),
    case("kron", [normal(3), normal(*B)], lambda a, b: torch.kron(a[None], b)),
    case("cross", [normal(4, 3), normal(4, 3)], torch.linalg.cross),
    case("cross", [normal(3, 4), normal(3, 1)], lambda a, b: torch.linalg.cross(a, b.expand(3, 4), dim=0), axis=0),
    case("diag", [normal(3)], lambda x: torch.diag(x, 1), k=1),
    case("diag", [normal(*A)], lambda x: torch.diagonal(x, 1), k=1),
    case("solve", [well_conditioned(3, 3), normal(3)], torch.linalg.solve),
    case("solve", [well_conditioned(2, 3, 3), normal(2, 3, 4)], torch.linalg.solve),
    case("solve", [well_conditioned(2, 3, 3), normal(3, 4)], torch.linalg.solve),
    case("inv", [well_conditioned(2, 3, 3)], torch.linalg.inv),
    case("det", [well_conditioned(2, 3, 3)], torch.linalg.det),
    case("slogdet", [well_conditioned(2, 3, 3)], lambda x: torch.linalg.slogdet(x)[1], part=1),
    case("pinv", [normal(2, 4, 3)], torch.linalg.pinv),
    case("pinv", [normal(3, 5)], torch.linalg.pinv),
    *(
        case(
            "einsum",
            [normal(*shape) for shape in shapes],
            lambda *x, text=text: torch.einsum(text, *x),
            subscripts=text,
        )
        for text, shapes in {
            "ij,jk->ik": [A, B],
            "ij,jk": [A, B],
            "ii->i": [(3, 3)],
            "ii": [(3, 3)],
            "iij->ji": [(2, 2, 4)],
            "ij->j": [A],
            "ij,kl->il": [A, B],
            "bij,bjk,k->bi": [C, (2, 4, 3), (3,)],
            "...ij,...jk->...ik": [(5, 1, 2, 3), (4, 3, 2)],
            "i...,i->...": [C, (2,)],
        }.items()
    ),
    case("transpose", [normal(*C)], lambda x: x.permute(2, 1, 0)),
    case("transpose", [normal(*C)], lambda x: x.permute(1, 2, 0), axes=[1, 2, 0]),
    case("slogdet", [well_conditioned(2, 3, 3)], lambda x: torch.linalg.slogdet(x)[0], part=0),
    *(case("cholesky", [positive_definite(*shape)], torch.linalg.cholesky) for shape in [(4, 4), (2, 3, 3)]),
    *(case("eigh", [positive_definite(*s)], lambda x: torch.linalg.eigh(x)[0], part=0) for s in [(4, 4), (2, 3, 3)]),
    *(
        Case(
            "svd",
            [normal(*shape)],
            lambda x, part=part: torch.linalg.svd(x, full_matrices=False)[part],
            {"part": part},
            axis,
        )
        for shape in [(3, 3), (5, 3), (3, 5), (2, 4, 3)]
        for part, axis in [(0, -2), (1, None), (2, -1)]
    ),
]
CASES = [*REDUCTIONS, *EDGES, *PRODUCTS]


@pytest.mark.parametrize("given", CASES, ids=str)
def test_value_and_gradient(given: Case) -> None:
    assert_agreement(given)


@pytest.mark.parametrize("given", CASES, ids=str)
def test_float32_stays_float32(given: Case) -> None:
    assert_agreement(given, np.float32)


def test_eigenvectors_by_way_of_what_does_not_depend_on_their_sign() -> None:
    """PyTorch's gradient for V is not symmetric; of a symmetric matrix only its symmetric part means something."""
    x = positive_definite(4, 4)
    record, upstream = REGISTRY["eigh"], normal(4, 4)
    y = record.value(x, part=1)
    theirs = torch.tensor(x, requires_grad=True)
    vectors = torch.linalg.eigh(theirs)[1]
    sign = signed(vectors.detach().numpy(), y, -2)
    (gradient,) = torch.autograd.grad(vectors, [theirs], torch.tensor(sign * upstream))
    mean = (gradient + gradient.T) / 2
    assert_close(record.vjp(0, upstream, y, [x], {"part": 1}), mean.numpy(), 1e-12)


@pytest.mark.parametrize("odd", [nan, inf])
def test_of_a_product_the_others_alone_are_the_slope_where_pytorch_divides_by_nan_or_inf(odd: float) -> None:
    given = case("prod", [[2.0, odd, 3.0]], torch.prod)
    (_, (slopes,)), (_, (divided,)) = (side(given, given.operands, np.ones_like) for side in (ours, theirs))
    np.testing.assert_array_equal(slopes, [3.0 * odd, 6.0, 2.0 * odd])
    assert np.isnan(divided[1])
