"""Plain numpy code in, graph out: operators, functions, methods, indexing, nesting; nothing is lost silently."""

from __future__ import annotations

from functools import reduce
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.methods.checking import check_grads
from cadena.core.tracing.trace import trace
from cadena.core.tracing.traced import is_traced
from cadena.core.tracing.transforms import grad, hessian, hvp, jacobian, jvp, value_and_grad, vjp
from tests.effort import effort

X = np.array([[-1.0, 0.0, 1.0], [2.0, 3.0, 4.0], [-1.0, -5.0, 2.0]])
W = np.array([[0.1, -0.2], [0.3, 0.4], [-0.5, 0.6]])


def layer(x: Any, w: Any) -> Any:
    z = x @ w
    y = np.sin(z)
    loss = np.sum(y**2)
    return loss  # noqa: RET504  the variable names a node


def test_the_custom_layer_has_its_golden_numbers() -> None:
    made = trace(layer, X, W)
    assert made.value == pytest.approx(2.034992, abs=5e-7)
    expected = [[-1.899111, 0.165564], [-7.338816, 5.009843], [-3.060520, -0.398308]]
    np.testing.assert_allclose(made.vjp(1.0)[1], expected, atol=5e-7)


def test_nodes_take_the_names_of_the_variables_that_held_them() -> None:
    document = trace(layer, X, W).document
    assert {"x", "w", "z", "y", "loss"} <= set(document.nodes)
    assert document.output == "loss"


def test_the_graph_of_a_function_is_a_document_that_runs_and_saves(tmp_path: Any) -> None:
    made = trace(layer, X, W)
    cadena.save(made.document, tmp_path / "layer.cadena")
    run = cadena.compile(cadena.load(tmp_path / "layer.cadena")).run()
    assert run.value("loss") == pytest.approx(float(made.value))
    np.testing.assert_allclose(run.gradient("w"), made.vjp(1.0)[1])


def test_forward_and_reverse_mode_agree() -> None:
    made = trace(layer, X, W)
    dx, dw = made.vjp(1.0)
    assert made.jvp(X, W) == pytest.approx(np.sum(dx * X) + np.sum(dw * W))


def test_derivatives_nest_to_any_order() -> None:
    assert grad(grad(lambda x: x**3))(2.0) == pytest.approx(12.0)
    third = grad(grad(grad(np.tanh)))(0.3)
    t = np.tanh(0.3)
    assert third == pytest.approx((1 - t * t) * (6 * t * t - 2))


def test_an_outer_derivative_does_not_confuse_its_variable_with_an_inner_one() -> None:
    # Siskind and Pearlmutter's test of perturbation confusion: d/dx (x d/dy (x + y)) = 1
    assert grad(lambda x: x * grad(lambda y: x + y)(1.0))(1.0) == 1.0


def test_jacobian_and_hessian_have_the_shapes_and_numbers_of_the_textbook() -> None:
    v = np.array([1.0, 2.0])
    expected = [[2.0, 1.0], [0.0, np.cos(2.0)], [1.0, 1.0]]
    np.testing.assert_allclose(jacobian(lambda v: np.stack([v[0] * v[1], np.sin(v[1]), v.sum()]))(v), expected)
    np.testing.assert_allclose(hessian(lambda v: v[0] ** 2 * v[1] + np.exp(v[1]))(v), [[4.0, 2.0], [2.0, np.exp(2.0)]])


def test_a_hessian_vector_product_is_the_hessian_times_the_vector() -> None:
    def f(v: Any) -> Any:
        return np.sum(np.sin(v) * v[::-1])

    v, direction = np.array([0.3, -1.2, 0.7]), np.array([1.0, 2.0, -0.5])
    np.testing.assert_allclose(hvp(f, [v], [direction])[0], hessian(f)(v) @ direction, rtol=1e-12)


def test_argnums_choose_the_arguments() -> None:
    f = lambda a, b: a * b**2  # noqa: E731
    assert grad(f, 1)(3.0, 2.0) == 12.0
    assert grad(f, argnums=(0, 1))(3.0, 2.0) == (4.0, 12.0)
    assert value_and_grad(f)(3.0, 2.0) == (12.0, 4.0)


def test_vjp_and_jvp_have_jaxs_form() -> None:
    value, pull = vjp(lambda x: x * x, 3.0)
    assert (value, pull(1.0)) == (9.0, (6.0,))
    assert jvp(lambda x: x * x, (3.0,), (2.0,)) == (9.0, 12.0)


def test_a_function_with_several_results_takes_a_cotangent_for_each() -> None:
    made = trace(lambda x: (x * 2.0, np.sin(x)), 0.5)
    assert made.value == (1.0, np.sin(0.5))
    assert made.vjp((1.0, 1.0))[0] == pytest.approx(2.0 + np.cos(0.5))


def test_assignment_to_elements_is_traced() -> None:
    def f(x: Any) -> Any:
        y = np.zeros(3) + x
        y[1] = x[0] * 5.0
        y += 1.0
        return (y * np.array([1.0, 2.0, 3.0])).sum()

    x = np.array([1.0, 2.0, 3.0])
    assert trace(f, x).value == f(x)
    check_grads(f, [x], order=2)


def test_out_writes_into_a_traced_array() -> None:
    def f(x: Any) -> Any:
        y = x * 1.0
        np.multiply(y, 3.0, out=y)
        return y.sum()

    np.testing.assert_array_equal(grad(f)(np.ones(2)), [3.0, 3.0])


@pytest.mark.parametrize(
    "function",
    [
        lambda x: np.add.reduce(x, axis=1).sum(),
        lambda x: np.multiply.reduce(x, axis=0).sum(),
        lambda x: np.maximum.reduce(x, axis=1).sum(),
        lambda x: np.add.accumulate(x, axis=1).sum(),
        lambda x: np.multiply.outer(x, x).sum(),
        lambda x: x.mean(axis=0).std(),
        lambda x: x.reshape(-1)[::2].sum() + x.T[0].prod(),
        lambda x: np.einsum("ij,kj->", x, x),
        lambda x: np.where(x > 0.5, x * x, -x).sum(),
        lambda x: np.concatenate([x, x * 2.0], axis=1).var(),
        lambda x: np.linalg.slogdet(x[:, :2].T @ x[:, :2])[1],
        lambda x: sum(part.sum() ** 2 for part in np.split(x, 3, axis=1)),
        lambda x: np.linalg.svd(x, full_matrices=False)[1].sum(),
        lambda x: sum(row[0] * row[1] for row in x),
        lambda x: np.clip(x, 0.2, 0.9).sum() + np.pad(x, 1).max(),
        lambda x: np.take(x, [0, 0, 1], axis=0).sum() + np.sort(x, axis=1)[:, 0].sum(),
    ],
)
def test_numpy_code_of_many_kinds_is_traced(function: Any) -> None:
    x = np.random.default_rng(3).uniform(0.1, 1.0, (2, 3))
    assert trace(function, x).value == pytest.approx(function(x))
    check_grads(function, [x], atol=1e-5, rtol=1e-5)


@pytest.mark.parametrize(
    ("function", "advice"),
    [
        (lambda x: np.array([x, x], ndmin=2), "takes dtype= alone; leave ndmin= away"),
        (lambda x: np.ascontiguousarray(x), "graph would be lost"),
        (lambda x: float(x), "keep the value"),
        (lambda x: np.fft.fft(x), "np.fft.fft is not traced"),
        (lambda x: np.add(x, 1.0, out=np.arange(1.0)), "leave out="),
        (lambda x: np.multiply.at(x, 0, 1.0), "np.multiply.at"),
        (lambda x: np.sum(x, dtype=np.float32), "leave dtype="),
        (lambda x: x.nothing, "use numpy's functions"),
    ],
)
def test_what_cannot_be_traced_raises_and_says_what_to_write(function: Any, advice: str) -> None:
    with pytest.raises((TypeError, AttributeError), match=advice):
        trace(function, 2.0)


def test_comparisons_and_branches_see_the_numbers() -> None:
    f = lambda x: x * 2.0 if x > 1.0 else x * 3.0  # noqa: E731
    assert (grad(f)(2.0), grad(f)(0.5)) == (2.0, 3.0)


def test_float32_stays_float32() -> None:
    x = np.float32(2.0)
    assert grad(lambda x: x * 2.0 + np.sin(x))(x).dtype == np.float32


def test_an_argument_that_is_not_used_has_gradient_zero() -> None:
    assert grad(lambda a, b: a * 1.0, 1)(1.0, np.ones(2)).tolist() == [0.0, 0.0]


def test_grad_of_an_array_says_to_sum_it() -> None:
    with pytest.raises(TypeError, match="sum it"):
        grad(lambda x: x * 1.0)(np.ones(2))


def test_a_wrong_derivative_is_noticed() -> None:
    from cadena.core.ops.primitive import REGISTRY
    from cadena.core.tracing.traced import apply

    assert "floor" in REGISTRY
    with pytest.raises(AssertionError, match="central differences"):
        check_grads(lambda x: apply("floor", [x * 1e7]) * 1e-7, [0.3])


def test_is_traced() -> None:
    seen = []
    trace(lambda x: seen.append(is_traced(x)) or x, 1.0)  # type: ignore[func-returns-value]
    assert seen == [True]
    assert not is_traced(1.0)


def test_mixed_number_types_nest() -> None:
    x, y = np.float32(2.0), np.array([1.0, 3.0])
    inner = grad(lambda x: np.sum(x * x * y))
    assert inner(x).dtype == np.float32
    assert grad(inner)(x) == pytest.approx(8.0)


def test_full_like_keeps_a_traced_filling() -> None:
    assert grad(lambda x: np.full_like(np.ones(3) * x, x).sum())(2.0) == 3.0


def test_add_at_changes_an_element_twice_that_is_named_twice() -> None:
    def f(x: Any) -> Any:
        y = np.zeros(3) + x
        np.add.at(y, [0, 0, 2], x * x)
        np.subtract.at(y, 1, x[0])
        return np.sum(y * np.array([1.0, 2.0, 3.0]))

    x = np.array([1.0, 2.0, 3.0])
    assert trace(f, x).value == f(x)
    check_grads(f, [x], order=2)


def test_the_functional_api_is_cores_own() -> None:
    assert cadena.grad(cadena.grad(np.sin))(1.0) == pytest.approx(-np.sin(1.0))
    assert cadena.trace(np.exp, 0.0).value == 1.0


@pytest.mark.parametrize("x", [1.5, np.array([1.0, -2.0])])
def test_a_condition_of_truth_values_can_be_put_into_a_document(x: Any) -> None:
    made = trace(lambda x: np.sum(np.where(x > 0.0, x * 2.0, -x)), x)
    assert cadena.compile(made.document).run().value(made.document.output) == made.value


# --- argnums, has_aux, tuples: JAX's forms


@pytest.mark.parametrize("number", [np.int64(1), -1])
def test_argnums_may_be_any_whole_number(number: Any) -> None:
    assert grad(lambda a, b: a * b**2, number)(3.0, 2.0) == 12.0


@pytest.mark.parametrize(
    ("argnums", "words"),
    [
        (2, "argnums names argument 2, and 2 are given; count them from 0"),
        (-3, "argnums names argument -3, and 2 are given"),
        ((0, 5), "argnums names argument 5"),
        ((0, 0), r"argnums \(0, 0\) names an argument twice; name each once"),
        ((1, -1), r"argnums \(1, -1\) names an argument twice"),
        ("a", "argnums is 'a'; give a whole number"),
        (0.0, r"argnums is 0\.0; give a whole number"),
    ],
)
@pytest.mark.parametrize("transform", [grad, value_and_grad, jacobian, hessian])
def test_argnums_that_name_no_argument_or_one_twice_were_taken_for_others(
    transform: Any, argnums: Any, words: str
) -> None:
    with pytest.raises(TypeError, match=words):
        transform(lambda a, b: a * b, argnums)(2.0, 3.0)


def test_a_function_without_arguments_has_no_gradient_and_a_sentence_says_so() -> None:
    with pytest.raises(TypeError, match="argnums names argument 0, and 0 are given"):
        grad(lambda: 3.0)()


def test_arguments_by_name_go_to_the_function_as_they_are() -> None:
    def f(x: Any, *, power: int = 2) -> Any:
        return np.sum(x**power)

    assert grad(f)(3.0, power=3) == 27.0
    assert hessian(f)(3.0, power=3) == 18.0
    assert jacobian(f)(3.0) == 6.0


def test_what_a_function_returns_beside_its_value_comes_back_without_traces() -> None:
    def f(x: Any) -> Any:
        return x * x, {"root": [np.sqrt(x)], "name": "f"}

    beside = {"root": [2.0], "name": "f"}
    assert grad(f, has_aux=True)(4.0) == (8.0, beside)
    assert value_and_grad(f, has_aux=True)(4.0) == ((16.0, beside), 8.0)
    assert jacobian(f, has_aux=True)(4.0) == (8.0, beside)
    assert hessian(f, has_aux=True)(4.0) == (2.0, beside)
    assert jvp(f, (4.0,), (1.0,), has_aux=True) == (16.0, 8.0, beside)
    value, pull, aux = vjp(f, 4.0, has_aux=True)
    assert (value, pull(1.0), aux) == (16.0, (8.0,), beside)
    with pytest.raises(TypeError, match="with has_aux a function returns a pair"):
        grad(lambda x: x, has_aux=True)(2.0)


def test_a_function_that_returns_nothing_has_no_gradient_of_0() -> None:
    for transform in (grad, value_and_grad, jacobian, hessian):
        with pytest.raises(TypeError, match="the function returned nothing; let it return its value"):
            transform(lambda x: None)(2.0)


def test_the_jacobian_of_a_tuple_is_a_tuple_of_jacobians_however_they_are_nested() -> None:
    made = jacobian(lambda a, b: (a * b, (b**2, (a,))), (0, 1))(2.0, 3.0)
    assert made == ((3.0, 2.0), ((0.0, 6.0), ((1.0, 0.0),)))
    third = jacobian(hessian(lambda a, b: a**2 * b**3, (0, 1)), 1)(2.0, 3.0)
    assert third == ((54.0, 72.0), (72.0, 24.0))


def test_cotangents_tangents_and_primals_of_another_count_are_refused_with_a_sentence() -> None:
    two = lambda a, b: (a * b, a + b)  # noqa: E731
    with pytest.raises(TypeError, match="vjp needs 2 cotangents, one for each value, not 1"):
        vjp(two, 2.0, 3.0)[1]((1.0,))
    with pytest.raises(TypeError, match="vjp needs 2 cotangents"):
        vjp(two, 2.0, 3.0)[1](1.0)
    with pytest.raises(TypeError, match="jvp needs 2 tangents"):
        jvp(two, (2.0, 3.0), (1.0,))
    for call in (jvp, hvp):
        with pytest.raises(TypeError, match=r"primals is ndarray; give a tuple with one for each argument"):
            call(np.sum, X, X)
    with pytest.raises(TypeError, match=r"args is ndarray; give a tuple"):
        check_grads(np.sum, X)


def test_arguments_and_cotangents_that_are_no_numbers_are_refused_with_a_sentence() -> None:
    with pytest.raises(cadena.Refused, match="rows of several lengths"):
        trace(np.sum, [[1.0, 2.0], [3.0]])
    for odd in (1j, "a", None):
        with pytest.raises(cadena.Refused, match="must be a number or an array of numbers"):
            check_grads(np.sin, (odd,))
        with pytest.raises(TypeError, match=r"is not an array of numbers; give one of shape \(3,\)"):
            vjp(np.sin, np.ones(3))[1](odd)
    with pytest.raises(TypeError, match="the function returned nothing"):
        check_grads(lambda x: None, (1.0,))


def test_traced_cotangents_and_tangents_are_held_to_the_shape_of_the_value_like_plain_ones() -> None:
    """A single traced number moved an array to a single number; one of shape (1,) was taken for any shape."""
    x = np.array([0.3, 0.4, 0.5])
    moved = trace(lambda c: jvp(lambda v: v, (x,), (c,))[1], 2.0)
    assert moved.value.tolist() == [2.0, 2.0, 2.0]
    _, pull = vjp(np.sin, x)
    np.testing.assert_allclose(grad(lambda c: np.sum(pull(c)[0]))(1.0), np.sum(np.cos(x)), rtol=1e-15)
    np.testing.assert_allclose(jacobian(lambda c: pull(c)[0])(np.ones(3)), np.diag(np.cos(x)), rtol=1e-15)
    for odd in (np.ones(1), np.ones(2)):
        with pytest.raises(ValueError, match=r"where the value has shape \(3,\); give one of equal shape"):
            trace(lambda c: pull(c)[0], odd)
        with pytest.raises(ValueError, match=r"where the value has shape \(3,\)"):
            trace(lambda c: jvp(np.sin, (x,), (c,))[1], odd)


def test_an_empty_index_is_the_whole_array() -> None:
    assert grad(lambda x: np.sum(x[()] ** 2))(np.array([1.0, 2.0])).tolist() == [2.0, 4.0]
    assert grad(lambda x: x[()] ** 2)(3.0) == 6.0


# --- the document of a trace


def test_the_document_of_a_long_trace_is_made_in_linear_time() -> None:
    """That of 20,000 multiplications took three minutes."""

    def making(count: int) -> int:
        made = trace(lambda x: reduce(lambda y, _: y * 1.0001, range(count), x), 1.0)
        lines = effort(lambda: made.document)
        assert len(made.document.nodes) == 2 * count + 1
        return lines

    assert making(800) < 2.1 * making(400)


@pytest.mark.parametrize(
    ("args", "dtype"),
    [
        ([np.float32([1, 2])], "float32"),
        ([np.float16(1.0)], "float16"),
        ([1], "float64"),
        ([np.float32(1.0), 2.0], "float64"),
        ([], "float64"),
        ([np.longdouble(1.0)], "float64"),
    ],
)
def test_the_document_of_a_trace_has_the_number_type_of_its_arguments(args: Any, dtype: str) -> None:
    made = trace(lambda *parts: sum((np.sum(np.sin(part)) for part in parts), 0.0), *args)
    document = made.document
    assert document.dtype == dtype
    if args:
        assert cadena.compile(document).run().value(str(document.output)).dtype == dtype


def test_a_float32_argument_beside_float64_numbers_makes_a_float64_document() -> None:
    made = trace(lambda x: np.sum(x * np.array([0.1, 0.2])), np.float32(3.0))
    run = cadena.compile(made.document).run()
    assert made.document.dtype == "float64" and run.value(str(made.document.output)) == made.value
