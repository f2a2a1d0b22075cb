"""Reductions and linear algebra against PyTorch on random operands: value and gradients, 1e-12 in float64."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from core.primitive import REGISTRY

torch = pytest.importorskip("torch")
pytestmark = pytest.mark.oracle
A, B, C = (3, 4), (4, 2), (2, 3, 4)


def normal(*shape: int) -> Any:
    return np.random.default_rng(sum(shape) + 7 * len(shape)).normal(size=shape)


def positive_definite(*shape: int) -> Any:
    x = normal(*shape)
    return x @ np.swapaxes(x, -1, -2) + np.eye(shape[-1])


def signed(x: Any, y: Any, axis: int) -> Any:
    """Vectors are only known up to their sign: +1 or -1 for each, so that the largest element of `x` is that of `y`."""
    largest = np.expand_dims(np.argmax(np.abs(x), axis=axis), axis)
    same = np.take_along_axis(x, largest, axis) * np.take_along_axis(y, largest, axis)
    return np.sign(same)


def check(op: str, operands: list[Any], attributes: dict[str, Any], peer: Callable[..., Any], axis: int | None) -> None:
    record = REGISTRY[op]
    full = record.complete(attributes)
    with np.errstate(all="ignore"):
        y = np.asarray(record.value(*operands, **full))
        theirs = [torch.tensor(operand, requires_grad=True) for operand in operands]
        expected = peer(*theirs)
        sign = 1.0 if axis is None else signed(expected.detach().numpy(), y, axis)
        upstream = np.asarray(np.random.default_rng(3).normal(size=y.shape))
        close(y, sign * expected.detach().numpy())
        gradients = torch.autograd.grad(expected, theirs, torch.tensor(sign * upstream))
        for slot, gradient in enumerate(gradients):
            close(record.vjp(slot, upstream, y, operands, full), gradient.numpy())


def close(found: Any, expected: Any) -> None:
    """Within 1e-12 of the largest element: cancellation may take digits from small ones, here as there."""
    assert np.shape(found) == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=1e-12, atol=1e-12 * np.max(np.abs(expected), initial=0.0))


REDUCTIONS: list[tuple[str, dict[str, Any], Callable[..., Any]]] = [
    ("sum", {"axis": [0, 2]}, lambda x: torch.sum(x, (0, 2))),
    ("mean", {"axis": 1, "keepdims": True}, lambda x: torch.mean(x, 1, keepdim=True)),
    ("prod", {}, torch.prod),
    ("prod", {"axis": 1}, lambda x: torch.prod(x, 1)),
    ("max", {}, torch.amax),
    ("max", {"axis": [0, 2]}, lambda x: torch.amax(x, (0, 2))),
    ("min", {"axis": 1, "keepdims": True}, lambda x: torch.amin(x, 1, keepdim=True)),
    ("var", {"axis": 2}, lambda x: torch.var(x, 2, correction=0)),
    ("var", {"ddof": 1}, torch.var),
    ("std", {"axis": [0, 1], "ddof": 1}, lambda x: torch.std(x, (0, 1))),
    ("std", {}, lambda x: torch.std(x, correction=0)),
    ("norm", {}, torch.linalg.vector_norm),
    ("norm", {"ord": "fro", "axis": [1, 2]}, lambda x: torch.linalg.matrix_norm(x, "fro", (1, 2))),
    ("norm", {"ord": 1, "axis": 2}, lambda x: torch.linalg.vector_norm(x, 1, 2)),
    ("norm", {"ord": 2, "axis": 2}, lambda x: torch.linalg.vector_norm(x, 2, 2)),
    ("norm", {"ord": 3.5, "axis": 0}, lambda x: torch.linalg.vector_norm(x, 3.5, 0)),
    ("norm", {"ord": "inf", "axis": 1}, lambda x: torch.linalg.vector_norm(x, torch.inf, 1)),
    ("logsumexp", {"axis": [0, 1]}, lambda x: torch.logsumexp(x, (0, 1))),
    ("cumsum", {"axis": 1}, lambda x: torch.cumsum(x, 1)),
    ("cumsum", {}, lambda x: torch.cumsum(x.ravel(), 0)),
    ("cumprod", {"axis": -1}, lambda x: torch.cumprod(x, -1)),
    ("trace", {"axis1": 2, "axis2": 0, "offset": -1}, lambda x: torch.diagonal(x, -1, 2, 0).sum(-1)),
    ("tril", {"k": -1}, lambda x: torch.tril(x, -1)),
    ("triu", {"k": 1}, lambda x: torch.triu(x, 1)),
    ("swapaxes", {"axis1": 0, "axis2": -1}, lambda x: torch.swapaxes(x, 0, -1)),
    ("moveaxis", {"source": [0, 1], "destination": [-1, 0]}, lambda x: torch.moveaxis(x, (0, 1), (-1, 0))),
]


@pytest.mark.parametrize(("op", "attributes", "peer"), REDUCTIONS)
def test_of_one_array(op: str, attributes: dict[str, Any], peer: Callable[..., Any]) -> None:
    check(op, [normal(*C)], attributes, peer, None)


def test_median_of_an_odd_count() -> None:
    check("median", [normal(2, 5)], {"axis": 1}, lambda x: torch.median(x, 1).values, None)


@pytest.mark.parametrize("zeros", [(1,), (0, 3), (4,)])
@pytest.mark.parametrize("op", ["prod", "cumprod"])
def test_products_with_zeros(op: str, zeros: tuple[int, ...]) -> None:
    x = normal(5)
    x[list(zeros)] = 0.0
    check(op, [x], {}, lambda x: torch.prod(x) if op == "prod" else torch.cumprod(x, 0), None)


PRODUCTS: list[tuple[str, list[tuple[int, ...]], dict[str, Any], Callable[..., Any]]] = [
    ("dot", [(4,), (4,)], {}, torch.dot),
    ("dot", [A, B], {}, torch.mm),
    ("dot", [C, (4, 2)], {}, lambda a, b: torch.tensordot(a, b, 1)),
    ("inner", [C, A], {}, torch.inner),
    ("outer", [(3,), (4,)], {}, torch.outer),
    ("tensordot", [C, (4, 3, 5)], {"axes": [[1, 2], [1, 0]]}, lambda a, b: torch.tensordot(a, b, ([1, 2], [1, 0]))),
    ("tensordot", [A, B], {"axes": 0}, lambda a, b: torch.tensordot(a, b, 0)),
    ("kron", [A, B], {}, torch.kron),
    ("kron", [(3,), B], {}, lambda a, b: torch.kron(a[None], b)),
    ("cross", [(4, 3), (4, 3)], {}, torch.linalg.cross),
    ("cross", [(3, 4), (3, 1)], {"axis": 0}, lambda a, b: torch.linalg.cross(a, b.expand(3, 4), dim=0)),
    *(
        ("einsum", shapes, {"subscripts": text}, lambda *x, text=text: torch.einsum(text, *x))
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
    ("diag", [(3,)], {"k": 1}, lambda x: torch.diag(x, 1)),
    ("diag", [A], {"k": 1}, lambda x: torch.diagonal(x, 1)),
    ("solve", [(3, 3), (3,)], {}, torch.linalg.solve),
    ("solve", [(2, 3, 3), (2, 3, 4)], {}, torch.linalg.solve),
    ("solve", [(2, 3, 3), (3, 4)], {}, torch.linalg.solve),
    ("inv", [(2, 3, 3)], {}, torch.linalg.inv),
    ("det", [(2, 3, 3)], {}, torch.linalg.det),
    ("slogdet", [(2, 3, 3)], {"part": 1}, lambda x: torch.linalg.slogdet(x)[1]),
    ("pinv", [(2, 4, 3)], {}, torch.linalg.pinv),
    ("pinv", [(3, 5)], {}, torch.linalg.pinv),
]


@pytest.mark.parametrize(("op", "shapes", "attributes", "peer"), PRODUCTS)
def test_products_and_systems(op: str, shapes: Any, attributes: dict[str, Any], peer: Callable[..., Any]) -> None:
    random = np.random.default_rng(5)
    check(op, [random.normal(size=shape) for shape in shapes], attributes, peer, None)


@pytest.mark.parametrize("shape", [(4, 4), (2, 3, 3)])
def test_of_positive_definite_matrices(shape: tuple[int, ...]) -> None:
    x = positive_definite(*shape)
    check("cholesky", [x], {}, torch.linalg.cholesky, None)
    check("eigh", [x], {"part": 0}, lambda x: torch.linalg.eigh(x)[0], None)


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
    close(record.vjp(0, upstream, y, [x], {"part": 1}), mean.numpy())


@pytest.mark.parametrize("shape", [(3, 3), (5, 3), (3, 5), (2, 4, 3)])
@pytest.mark.parametrize(("part", "axis"), [(0, -2), (1, None), (2, -1)])
def test_singular_values_and_vectors(shape: tuple[int, ...], part: int, axis: int | None) -> None:
    check("svd", [normal(*shape)], {"part": part}, lambda x: torch.linalg.svd(x, full_matrices=False)[part], axis)
