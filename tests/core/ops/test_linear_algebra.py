"""Linear algebra: edge points, singular matrices, second results, what does not fit."""

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.ops.primitive import REGISTRY, ShapeError
from tests.core.graphs import graph


def gradients(op: str, *operands: Any, upstream: Any = None, **attributes: Any) -> tuple[Any, ...]:
    """The value, then the gradient of each operand."""
    record, arrays = REGISTRY[op], [np.asarray(item, dtype=float) for item in operands]
    full = record.complete(attributes)
    with np.errstate(all="ignore"):
        y = np.asarray(record.value(*arrays, **full))
        g = np.ones(y.shape) if upstream is None else np.asarray(upstream, dtype=float)
        return y, *(record.vjp(slot, g, y, arrays, full) for slot in range(len(arrays)))


IDENTITY = [[1.0, 0.0], [0.0, 1.0]]
TABLE = [
    ("det", ([[1.0, 2.0], [2.0, 4.0]],), {}, None, 0.0, [[4.0, -2.0], [-2.0, 1.0]]),
    ("det", (np.zeros((3, 3)),), {}, None, 0.0, np.zeros((3, 3))),
    ("det", ([[0.0, 0.0], [0.0, 3.0]],), {}, None, 0.0, [[3.0, 0.0], [0.0, 0.0]]),
    ("det", (1e-200 * np.eye(2),), {}, None, 0.0, 1e-200 * np.eye(2)),
    ("inv", ([[1.0, 2.0], [3.0, 4.0]],), {}, None, [[-2.0, 1.0], [1.5, -0.5]], [[-0.5, 0.5], [0.5, -0.5]]),
    ("eigh", (IDENTITY,), {}, [1.0, 0.0], [1.0, 1.0], [[1.0, 0.0], [0.0, 0.0]]),
    ("svd", (IDENTITY,), {"part": 1}, None, [1.0, 1.0], IDENTITY),
    (
        "cholesky",
        ([[2.0, 0.5], [0.5, 1.0]],),
        {},
        None,
        [[1.414214, 0.0], [0.353553, 0.935414]],
        [[0.298573, 0.219923], [0.219923, 0.534522]],
    ),
    ("outer", ([0.0, 1.0, 2.0], [0.0, 1.0]), {}, None, [[0, 0], [0, 1], [0, 2]], [1.0, 1.0, 1.0]),
    ("dot", (2.0, [0.0, 1.0, 2.0]), {}, None, [0.0, 2.0, 4.0], 3.0),
    ("trace", ([[1.0, 2.0], [3.0, 4.0]],), {}, np.inf, 5.0, [[np.inf, 0.0], [0.0, np.inf]]),
    ("diag", ([[1.0, 2.0], [3.0, 4.0]],), {}, [np.inf, 1.0], [1.0, 4.0], [[np.inf, 0.0], [0.0, 1.0]]),
    ("einsum", ([[1.0, 2.0], [3.0, 4.0]],), {"subscripts": "ii"}, np.inf, 5.0, [[np.inf, 0.0], [0.0, np.inf]]),
    ("einsum", (2.0, [1.0, 2.0]), {"subscripts": ",i->i"}, None, [2.0, 4.0], 3.0),
    ("einsum", ([[1.0], [2.0]], [3.0, 4.0]), {"subscripts": "ij,j->i"}, None, [7.0, 14.0], [[7.0], [7.0]]),
    ("pinv", ([[0.0, 0.0], [0.0, 0.0]],), {}, None, np.zeros((2, 2)), np.zeros((2, 2))),
]


@pytest.mark.parametrize(("op", "operands", "attributes", "upstream", "value", "expected"), TABLE)
def test_edge_points(op: str, operands: Any, attributes: Any, upstream: Any, value: Any, expected: Any) -> None:
    y, gradient, *_ = gradients(op, *operands, upstream=upstream, **attributes)
    np.testing.assert_allclose(y, value, rtol=2e-6, atol=1e-15)  # the table has six decimals
    scale = np.max(np.abs(expected), initial=0.0, where=np.isfinite(expected))
    np.testing.assert_allclose(gradient, expected, rtol=2e-6, atol=1e-14 * scale)


def test_the_gradient_of_a_nearly_singular_determinant_is_its_cofactors() -> None:
    _, gradient = gradients("det", [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]])
    np.testing.assert_allclose(gradient, [[-3.0, 6.0, -3.0], [6.0, -12.0, 6.0], [-3.0, 6.0, -3.0]], rtol=1e-12)


SINGULAR, REGULAR = [[1.0, 2.0], [2.0, 4.0]], [[1.0, 2.0], [3.0, 4.0]]


@pytest.mark.parametrize("op", ["inv", "cholesky"])
def test_a_matrix_without_result_is_nan_and_the_others_of_its_batch_are_not(op: str) -> None:
    good = [[2.0, 1.0], [1.0, 3.0]]
    y, gradient = gradients(op, [good, [[-1.0, -1.0], [-1.0, -1.0]]])
    assert np.isfinite(y[0]).all() and np.isnan(y[1]).all()
    assert np.isfinite(gradient[0]).all() and np.isnan(gradient[1]).all()
    np.testing.assert_array_equal(y[0], gradients(op, good)[0])


def test_a_singular_system_is_nan_and_the_others_of_its_batch_are_not() -> None:
    y, matrix, right = gradients("solve", [REGULAR, SINGULAR], [1.0, 2.0])
    np.testing.assert_allclose(y[0], [0.0, 0.5], atol=1e-15)
    assert np.isnan(y[1]).all() and np.isnan(matrix[1]).all() and np.isfinite(matrix[0]).all()
    assert np.isnan(right).all()  # one right side for both


@pytest.mark.parametrize(("op", "part"), [("eigh", 0), ("eigh", 1), ("svd", 0), ("svd", 1), ("svd", 2)])
def test_a_matrix_with_nan_gives_nan(op: str, part: int) -> None:
    y, gradient = gradients(op, [[1.0, np.nan], [np.nan, 2.0]], part=part)
    assert np.isnan(y).all() and np.isnan(gradient).all()


def test_a_singular_matrix_is_a_fault_that_names_the_node() -> None:
    run = cadena.compile(graph(a=SINGULAR, b=("inv", "a"), y=("sum", "b"))).run()
    assert np.isnan(run.value("y"))  # type: ignore[arg-type]
    assert [fault.node for fault in run.faults if fault.kind == "nan-value"] == ["b"]


def test_equal_eigenvalues_leave_the_vectors_without_gradient() -> None:
    _, gradient = gradients("eigh", IDENTITY, part=1, upstream=[[0.0, 1.0], [0.0, 0.0]])
    assert not np.isfinite(gradient).all()


def test_the_parts_of_a_decomposition_together_give_the_matrix_back() -> None:
    """A = U diag(s) Vᵀ, so the gradient of the sum of A by way of its parts is 1 everywhere."""
    x = [[1.0, -2.0], [3.0, 4.0], [0.5, 1.5]]
    nodes = {"u": ("svd", "x", {"part": 0}), "s": ("svd", "x"), "v": ("svd", "x", {"part": 2})}
    run = cadena.compile(graph(x=x, **nodes, a=("multiply", "u", "s"), b=("matmul", "a", "v"), y=("sum", "b"))).run()
    np.testing.assert_allclose(run.value("b"), x, rtol=1e-14)  # type: ignore[arg-type]
    np.testing.assert_allclose(run.gradient("x"), np.ones((3, 2)), rtol=1e-13)  # type: ignore[arg-type]


def test_an_operand_that_einsum_takes_twice_gets_both_contributions() -> None:
    document = graph(x=[1.0, 2.0], y=("einsum", "x", "x", {"subscripts": "i,i"}))
    assert cadena.compile(document).run().gradient("x").tolist() == [2.0, 4.0]  # type: ignore[union-attr]


FAULTS = [
    ("dot", [(2, 3), (2, 3)], {}, "dot cannot sum axis 1 of shape (2, 3) with axis 0 of shape (2, 3)"),
    ("inner", [(3,), (2,)], {}, "inner cannot sum axis 0 of shape (3,)"),
    ("tensordot", [(2, 3), (2, 3)], {"axes": 3}, "cannot sum over 3 axes"),
    ("tensordot", [(2, 3), (2, 3)], {"axes": [[0, 1], [0]]}, "as many axes of the left"),
    ("tensordot", [(2, 3), (2, 3)], {"axes": [1]}, "must be a number or two lists"),
    ("einsum", [(2, 3), (2, 3)], {"subscripts": "ij,jk->ik"}, "j is both 3 and 2 long"),
    ("einsum", [(2, 3)], {"subscripts": "ij,jk"}, "are for 2 operands, not 1"),
    ("einsum", [(2, 3)], {"subscripts": "i"}, "give 1 letters to shape (2, 3)"),
    ("einsum", [(2, 3)], {"subscripts": "ij->ik"}, "must name letters of the operands"),
    ("einsum", [(2, 3)], {"subscripts": "i1"}, "not '1'"),
    ("einsum", [(1, 3)], {"subscripts": "ii"}, "need equally long axes i in shape (1, 3)"),
    ("einsum", [(2, 3)], {"subscripts": 5}, "needs a text"),
    ("einsum", [(2, 3)], {"subscripts": "ij...k"}, "letters to shape (2, 3)"),
    ("cross", [(2,), (3,)], {}, "cross needs 3 numbers along axis -1"),
    ("cross", [(2, 3), (4, 3)], {}, "cross cannot pair shapes (2, 3) and (4, 3)"),
    ("swapaxes", [(2, 3)], {"axis1": 0, "axis2": 2}, "there is no axis 2"),
    ("moveaxis", [(2, 3)], {"source": [0, 1], "destination": 0}, "equally many axes"),
    ("trace", [(3,)], {}, "trace needs a matrix"),
    ("trace", [(3, 3)], {"axis1": 1, "axis2": -1}, "names the same axis twice"),
    ("diag", [(2, 2, 2)], {}, "diag needs a vector or a matrix"),
    ("tril", [(2,)], {}, "tril needs a matrix"),
    ("triu", [(2, 2)], {"k": 0.5}, "a whole number as its attribute 'k'"),
    ("inv", [(2, 3)], {}, "inv needs a square matrix, not shape (2, 3)"),
    ("solve", [(2, 2), (3,)], {}, "the right side needs 2 rows, not 3"),
    ("solve", [(2, 2), ()], {}, "needs a vector or matrix on the right"),
    ("solve", [(4, 2, 2), (3, 2, 1)], {}, "cannot pair the batches"),
    ("det", [(3,)], {}, "det needs a square matrix"),
    ("slogdet", [(2, 2)], {"part": 2}, "slogdet has the parts 0 to 1, not 2"),
    ("cholesky", [(2, 3)], {}, "cholesky needs a square matrix"),
    ("eigh", [(2, 3)], {}, "eigh needs a square matrix"),
    ("svd", [(3,)], {}, "svd needs a matrix"),
    ("svd", [(3, 3)], {"part": 3}, "svd has the parts 0 to 2, not 3"),
    ("pinv", [(3,)], {}, "pinv needs a matrix"),
]


@pytest.mark.parametrize(("op", "shapes", "attributes", "sentence"), FAULTS)
def test_what_does_not_fit_is_told(op: str, shapes: Any, attributes: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ShapeError) as caught:
        REGISTRY[op].shape(*shapes, **REGISTRY[op].complete(attributes))
    assert sentence in str(caught.value)


@pytest.mark.parametrize("op", ["svd", "pinv", "det"])
@pytest.mark.parametrize("bad", [np.inf, -np.inf, np.nan])
def test_an_inf_in_a_matrix_made_lapack_look_for_its_singular_vectors_for_ever(op: str, bad: float) -> None:
    matrices = np.stack([np.diag([bad, 1.0, 1.0]), np.diag([0.0, 1.0, 2.0])])
    value, gradient = gradients(op, matrices)
    assert not np.isfinite(value[0]).all() and np.isfinite(value[1]).all()
    assert np.isfinite(gradient[1]).all() and np.isnan(gradient[0]).any()
