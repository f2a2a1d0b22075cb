"""Captured functions of JAX run again: the same value and every gradient."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import cadena

jax = pytest.importorskip("jax")
jnp = jax.numpy
pytestmark = pytest.mark.oracle
RELATIVE = {"float32": 1e-4, "float64": 1e-8}
Made = tuple[Callable[..., Any], tuple[Any, ...]]


def _draw(*shape: int, seed: int = 0) -> Any:
    return jnp.asarray(np.random.default_rng(seed).normal(size=shape))


def mlp_with_vmap_and_scan() -> Made:
    params = {
        "first": {"w": _draw(3, 4), "b": _draw(4)},
        "hidden": {"w": _draw(3, 4, 4, seed=1), "b": _draw(3, 4, seed=2)},
        "last": {"w": _draw(4, 3, seed=3)},
    }

    def one(params: Any, x: Any) -> Any:
        h = jax.nn.relu(x @ params["first"]["w"] + params["first"]["b"])
        h, sums = jax.lax.scan(lambda h, p: (jnp.tanh(h @ p["w"] + p["b"]), h.sum()), h, params["hidden"])
        return jax.nn.log_softmax(h @ params["last"]["w"]) + sums.mean()

    def loss(params: Any, x: Any, y: Any) -> Any:
        logits = jax.vmap(one, in_axes=(None, 0))(params, x)
        return -jnp.take_along_axis(logits, y[:, None], 1).mean()

    return loss, (params, _draw(5, 3, seed=4), jnp.array([0, 1, 2, 2, 0]))


def convnet() -> Made:
    params = {"k1": _draw(3, 3, 2, 4), "k2": _draw(3, 3, 2, 6, seed=1), "w": _draw(6, 3, seed=2)}
    order = ("NHWC", "HWIO", "NHWC")

    def loss(params: Any, x: Any, y: Any) -> Any:
        h = jax.lax.conv_general_dilated(x, params["k1"], (1, 1), "SAME", dimension_numbers=order)
        h = (h - h.mean((0, 1, 2))) * jax.lax.rsqrt(h.var((0, 1, 2)) + 1e-5)
        h = jax.lax.reduce_window(jax.nn.relu(h), -jnp.inf, jax.lax.max, (1, 2, 2, 1), (1, 2, 2, 1), "VALID")
        h = jax.lax.conv_general_dilated(
            h, params["k2"], (2, 2), "SAME", rhs_dilation=(1, 2), dimension_numbers=order, feature_group_count=2
        )
        h = jax.lax.reduce_window(h, 0.0, jax.lax.add, (1, 2, 2, 1), (1, 1, 1, 1), "SAME") / 4
        logits = h.mean((1, 2)) @ params["w"]
        return (jax.nn.logsumexp(logits, axis=-1) - (jax.nn.one_hot(y, 3) * logits).sum(-1)).mean()

    return loss, (params, _draw(4, 8, 8, 2, seed=3), jnp.array([0, 1, 2, 0]))


def transposed_convolution() -> Made:
    def loss(kernel: Any, x: Any) -> Any:
        y = jax.lax.conv_transpose(x, kernel, (2,), "SAME", dimension_numbers=("NWC", "WIO", "NWC"))
        return (jnp.tanh(y) ** 2).sum()

    return loss, (_draw(3, 2, 3), _draw(2, 5, 2, seed=1))


def attention() -> Made:
    params = {"qkv": _draw(8, 24) / 3, "out": _draw(8, 8, seed=1), "scale": jnp.ones(8)}

    def loss(params: Any, x: Any) -> Any:
        h = (x - x.mean(-1, keepdims=True)) / jnp.sqrt(x.var(-1, keepdims=True) + 1e-5) * params["scale"]
        q, k, v = (part.reshape(2, 5, 2, 4) for part in jnp.split(h @ params["qkv"], 3, axis=-1))
        scores = jnp.einsum("bqhd,bkhd->bhqk", q, k) / 2
        weights = jax.nn.softmax(jnp.where(jnp.tril(jnp.ones((5, 5), bool)), scores, -jnp.inf))
        y = x + jnp.einsum("bhqk,bkhd->bqhd", weights, v).reshape(2, 5, 8) @ params["out"]
        return (jax.nn.gelu(y) ** 2).mean()

    return loss, (params, _draw(2, 5, 8, seed=2))


def second_derivative() -> Made:
    def loss(params: Any, x: Any) -> Any:
        def u(x: Any) -> Any:
            return (jnp.tanh(x * params[0] + params[1]) * params[2]).sum()

        bend = jax.vmap(jax.grad(jax.grad(u)))(x)
        return ((bend + jnp.sin(x)) ** 2).mean() + u(0.0) ** 2

    return loss, ([_draw(6), _draw(6, seed=1), _draw(6, seed=2)], jnp.linspace(0.0, 3.0, 7))


def places() -> Made:
    def loss(x: Any, y: Any) -> Any:
        changed = x.at[jnp.array([0, 2, 0])].add(y).at[1].set(5 * y[0]).at[jnp.array([3, 4])].multiply(2.0)
        picked = x[jnp.array([0, 0, 3])] * y + jnp.sort(x)[:3] + jax.lax.top_k(x, 3)[0]
        window = jax.lax.dynamic_slice(x, (1,), (2,)) * x[::-2][:2]
        moved = jnp.cumsum(x)[2] + jnp.roll(x, 1)[0] * x[jnp.argmax(x)] + jnp.pad(x, 2)[::3].prod()
        return (changed**2).sum() + picked.prod() + window.sum() + moved + jnp.clip(x, -1.0, 0.5).sum()

    return loss, (jnp.array([0.3, 0.7, -2.0, 3.0, 1.5]), jnp.array([1.0, 2.0, 3.0]))


def branches_and_loops() -> Made:
    def loss(w: Any) -> Any:
        y = jax.lax.cond(w.sum() > 0, jnp.sin, jnp.cos, w)
        y = jax.lax.fori_loop(0, 3, lambda turn, y: y * w + turn, y)
        _, rows = jax.lax.scan(lambda c, v: (c + v, c * v), 0.5, y, reverse=True)
        return jnp.stack([jax.checkpoint(jnp.tanh)(y), rows]).sum() + jax.lax.switch(1, [jnp.sum, jnp.prod], y)

    return loss, (jnp.array([0.4, 1.2]),)


def functions_of_its_own() -> Made:
    def loss(x: Any, a: Any) -> Any:
        activations = (
            jax.nn.silu(x)
            + jax.nn.softplus(x)
            + jax.nn.selu(x)
            + jax.nn.leaky_relu(x)
            + jax.nn.elu(x)
            + jax.nn.relu6(x)
        )
        solved = jnp.linalg.solve(a, activations) + jnp.linalg.inv(a)[0]
        return jax.nn.logsumexp(solved) + jax.nn.softmax(x, axis=0)[0] + jnp.logaddexp(x, 2.0).sum()

    return loss, (jnp.array([0.3, -0.7, 2.0]), _draw(3, 3) + 4 * jnp.eye(3))


def matrices() -> Made:
    """Decompositions were opaque nodes."""

    def loss(w: Any, y: Any) -> Any:
        s = w @ w.T + jnp.eye(4)
        factor = jax.scipy.linalg.cho_factor(s, lower=True)
        solved = jax.scipy.linalg.solve_triangular(jnp.tril(s), w, lower=True, trans=1)
        values = jnp.linalg.eigvalsh(s).sum() + jnp.linalg.svd(w, compute_uv=False) @ y
        determinants = jnp.linalg.slogdet(s)[1] + jnp.linalg.det(s)
        return y @ jax.scipy.linalg.cho_solve(factor, y) + solved.sum() + values + determinants

    return loss, (_draw(4, 4), _draw(4, seed=1))


def largest_so_far() -> Made:
    def loss(x: Any) -> Any:
        return (jax.lax.cummax(x, 0) * jnp.arange(12.0).reshape(4, 3)).sum() + jax.lax.cummin(x, 1, reverse=True).prod()

    return loss, (_draw(4, 3),)


MODELS = (
    matrices, largest_so_far,
    mlp_with_vmap_and_scan, convnet, transposed_convolution, attention, second_derivative, places, branches_and_loops,
    functions_of_its_own,
)  # fmt: skip


@pytest.mark.parametrize("dtype", RELATIVE)
@pytest.mark.parametrize("made", MODELS, ids=lambda made: made.__name__)
def test_a_captured_function_has_the_value_and_every_gradient_of_jax(made, dtype):
    with jax.enable_x64(True) if dtype == "float64" else contextlib.nullcontext():
        loss, args = made()
        real = [number for number, item in enumerate(args) if jax.tree.leaves(item)[0].dtype.kind == "f"]
        theirs = jax.tree.leaves(jax.grad(loss, real)(*args))
        captured = cadena.capture(loss, *args)
        assert captured.notes == ()
        assert captured.document.dtype == dtype
        assert float(captured.value) == pytest.approx(float(loss(*args)), rel=1e-5)
    assert len(captured.gradients) == len(theirs)
    run = cadena.compile(captured.document).run()
    _assert_close(run.value(captured.document.output), captured.value, RELATIVE[dtype])
    largest = max(float(np.max(np.abs(gradient))) for gradient in theirs)
    for (name, gradient), own in zip(captured.gradients.items(), theirs):
        _assert_close(gradient, own, RELATIVE[dtype], 1e-2 * RELATIVE[dtype] * largest)
        _assert_close(run.gradient(name), own, RELATIVE[dtype], 1e-2 * RELATIVE[dtype] * largest)
    assert captured.check().ok


def _assert_close(ours: Any, theirs: Any, relative: float, least: float = 0.0) -> None:
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=max(relative * float(np.max(np.abs(theirs))), least))


def test_parameters_are_named_after_their_keys_and_jitted_functions_are_collapsed():
    @jax.jit
    def layer(h: Any, p: Any) -> Any:
        return jnp.tanh(h @ p["w"] + p["b"])

    def loss(params: Any, x: Any) -> Any:
        return layer(layer(x, params["layer1"]), params["layer2"]).sum()

    params = {name: {"w": jnp.ones((2, 2)), "b": jnp.ones(2)} for name in ("layer1", "layer2")}
    captured = cadena.capture(loss, params, jnp.ones((3, 2)), argnums=0)
    nodes = captured.document.nodes
    assert set(captured.gradients) == {"layer1_w", "layer1_b", "layer2_w", "layer2_b"}
    assert nodes["layer1_w"].op == "parameter" and nodes["x"].op == "input" and not nodes["x"].gradient
    assert sum(node.op == "layer" for node in nodes.values()) == 2  # one function, called twice
    np.testing.assert_array_equal(captured.gradients["layer1.w"], captured.gradients["layer1_w"])


def test_a_list_of_parameters_and_arrays_from_around_have_names():
    table = jnp.array([1.0, 2.0])
    captured = cadena.capture(lambda ws, x: (ws[0] * x * table + ws[1]).sum(), [jnp.ones(2), jnp.ones(2)], jnp.ones(2))
    assert {"ws_0", "ws_1", "x", "table"} <= captured.document.nodes.keys()
    assert captured.document.nodes["table"].op == "constant"


def test_a_gradient_of_the_users_own_is_a_custom_gradient_of_the_document():
    @jax.custom_vjp
    def clipped(x: Any, most: Any) -> Any:
        return jnp.exp(x) * most

    clipped.defvjp(lambda x, most: (clipped(x, most), (x, most)),
                   lambda kept, upstream: (jnp.clip(upstream * kept[0], -1.0, 1.0), upstream.sum() * 0.0))  # fmt: skip

    @jax.custom_jvp
    def turned(x: Any) -> Any:
        return jnp.sin(x)

    turned.defjvp(lambda at, along: (turned(*at), -3.0 * along[0] * at[0]))
    x = jnp.array([0.3, 4.0])
    captured = cadena.capture(lambda x: (clipped(x, 2.0) + turned(x) * turned(2.0 * x)).sum(), x)
    assert captured.notes == () and captured.check().ok
    custom = [function.gradient for function in captured.document.functions.values()]
    assert len(custom) == 2 and all(custom)  # one of them is called twice
    np.testing.assert_allclose(
        captured.gradients["x"], cadena.compile(captured.document).run().gradient("x"), rtol=1e-5
    )


def test_a_loss_of_unknown_length_has_gradients_by_forward_mode():
    def loss(x: Any) -> Any:
        turns, y = jax.lax.while_loop(lambda s: s[1].sum() < 100, lambda s: (s[0] + 1, s[1] * x * 3), (0, x))
        return y.sum() * turns

    captured = cadena.capture(loss, jnp.array([1.3, 2.7]))
    assert captured.notes == () and captured.check().ok and len(captured.gradients) == 1


@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_the_operation_that_makes_a_captured_loss_nan_is_found(dtype):
    w = jnp.array([200.0], dtype)
    captured = cadena.capture(lambda w: jnp.log(jnp.exp(w) / (1 + jnp.exp(w))).sum(), w)
    assert math.isnan(captured.value) and captured.document.dtype == dtype
    run = cadena.compile(captured.document).run()
    assert next(fault.node for fault in run.faults if fault.kind in ("nan-value", "inf-value")).startswith("exp")
    assert captured.check().ok


def test_what_cannot_be_expressed_holds_its_value_and_says_so():
    captured = cadena.capture(lambda w: jax.lax.bessel_i0e(w).sum() + (w * w).sum(), jnp.array([1.0, 2.0]))
    (note,) = captured.notes
    assert "bessel_i0e" in note and "no gradient goes through it" in note
    (node,) = (node for node in captured.document.nodes.values() if node.extra)
    assert node.op == "constant" and node.extra["recorded"] == note
    agreement = captured.check()
    assert agreement.differing == ("w",) and note in str(agreement)


def test_a_captured_function_prints_once(capsys):
    def loss(w: Any) -> Any:
        print("once")
        jax.debug.print("and there")
        return (w * jax.random.normal(jax.random.key(0), w.shape)).sum()

    captured = cadena.capture(loss, jnp.ones(3))
    jax.effects_barrier()
    printed = capsys.readouterr().out
    assert printed.count("once\n") == 1 and printed.count("and there\n") == 1
    assert captured.check().ok


def test_a_loss_with_more_beside_it_and_settings_among_its_arguments():
    def loss(w: Any, name: str, turns: int, nothing: None) -> Any:
        for _ in range(turns):
            w = jnp.sin(w) if name == "sin" else w
        return w.sum(), {"mean": w.mean()}

    captured = cadena.capture(loss, jnp.ones(3), "sin", 2, None)
    assert captured.check().ok and len(captured.document.nodes) == 4


def test_larger_arrays_than_the_limit_are_kept_as_a_summary():
    captured = cadena.capture(lambda w: (w * w).sum(), jnp.ones((3, 4)), limit=10)
    assert captured.document.nodes["w"].value is None
    with pytest.raises(cadena.Refused, match="w"):
        captured.check()


@pytest.mark.parametrize(
    ("fn", "sentence"),
    [
        (lambda w: None, "the function returned no array; let it return its loss"),
        (lambda w: jnp.argmax(w), "whole numbers"),
        (lambda w: jnp.ones(2).sum(), "depends on none of its arguments"),
        (lambda w: (w.astype(jnp.bfloat16) * 2).sum(), "bfloat16"),
        (lambda w: jnp.fft.fft(w).real.sum(), "complex64"),
    ],
)
def test_what_cannot_be_captured_is_refused_with_a_sentence(fn, sentence):
    with pytest.raises(cadena.Refused, match=sentence):
        cadena.capture(fn, jnp.ones(2))


def test_parameters_in_bfloat16_are_refused_by_name():
    with pytest.raises(cadena.Refused, match=r"w has the number type bfloat16.*astype"):
        cadena.capture(lambda w: w.sum(), jnp.ones(2, jnp.bfloat16))


def test_a_branch_of_python_on_an_argument_was_a_traceback():
    def loss(w: Any) -> Any:
        return w.sum() if w[0] > 0 else w.prod()

    with pytest.raises(cadena.Refused, match=r"JAX cannot trace the function: .*jax\.lax\.cond"):
        cadena.capture(loss, jnp.ones(2))


X, Y = [0.3, -1.0, 2.0, 0.5], [-3.0, 4.0, 0.1, 1.0]
WEIGHTS = np.array([1.0, 2.0, 3.0, 4.0], np.float32)
CHOICES: dict[str, Callable[[Any], Any]] = {
    "where": lambda a: jnp.where(a > 0, a**2, -3 * a),
    "masks": lambda a: ((a > 0) & ~(a > 1.5)).astype(a.dtype) * a,
    "argmax": lambda a: a[jnp.argmax(a)] * a,
    "sort": lambda a: jnp.sort(a),
    "argsort": lambda a: a[jnp.argsort(a)],
    "top_k": lambda a: jax.lax.top_k(a, 2)[0].sum() * a,
    "lexsort": lambda a: a[jnp.lexsort((a, jnp.round(a)))],
    "median": lambda a: jnp.median(a) * a,
    "set": lambda a: a.at[jnp.argmin(a)].set(5.0) * a,
    "add": lambda a: a.at[jnp.argsort(a)[:2]].add(a[:2]) ** 2,
    "slice": lambda a: jax.lax.dynamic_slice(a, (jnp.argmax(a),), (2,)).sum() * a,
    "update": lambda a: jax.lax.dynamic_update_slice(a, a[:2] * 2, (jnp.argmax(a),)),
    "whole numbers": lambda a: (jnp.floor(a).astype(int) % 3).astype(float) * a,
    "one hot": lambda a: jax.nn.one_hot(jnp.argmax(a), 4) * a,
    "largest so far": lambda a: jax.lax.cummax(a),
    "places so far": lambda a: jnp.searchsorted(jnp.sort(a), 0.2).astype(float) * a,
    "bins": lambda a: a[jnp.digitize(a, jnp.array([0.0, 1.0]))],
    "along an axis": lambda a: jnp.take_along_axis(a.reshape(2, 2), jnp.argsort(a.reshape(2, 2), 1), 1).ravel(),
    "any": lambda a: jnp.where(jnp.any(a > 3), a.sum(), a.prod()) * a,
    "stopped": lambda a: jax.lax.stop_gradient(a) * a,
}


def test_choices_that_values_decide_stayed_those_of_the_capture():
    for name, chosen in CHOICES.items():

        def loss(a: Any, chosen: Any = chosen) -> Any:
            return (chosen(a) * WEIGHTS).sum()

        captured = cadena.capture(loss, jnp.array(X))
        assert captured.notes == () and captured.check().ok, name
        run = cadena.compile(captured.document).run({"a": np.array(Y)})
        value, gradient = jax.value_and_grad(loss)(jnp.array(Y))
        np.testing.assert_allclose(run.value(captured.document.output), value, rtol=1e-4, err_msg=name)
        np.testing.assert_allclose(run.gradient("a"), gradient, rtol=1e-4, atol=1e-6, err_msg=name)


def test_branches_and_turns_that_values_decide_followed_the_first_numbers_for_ever():
    def loss(x: Any) -> Any:
        y = jax.lax.cond(x[0] > 0, jnp.sin, jnp.cos, x)
        z = jax.lax.while_loop(lambda z: z.sum() < 5.0, lambda z: z * 2.0, y + 2.0)
        return (z + jax.lax.switch(x.argmax(), [jnp.sin, jnp.tanh], x)).sum()

    captured = cadena.capture(loss, jnp.array([0.5, 0.2]))
    assert captured.notes == () and captured.check().ok
    program = cadena.compile(captured.document)

    def violated(*numbers: float) -> list[str]:
        faults = program.run({"x": np.array(numbers)}).faults
        return [str(fault) for fault in faults if fault.kind == "violated-guard"]

    assert violated(0.5, 0.2) == violated(0.7, 0.1) == []
    assert any("line" in sentence for sentence in violated(-0.5, -0.7))
    assert violated(0.1, 0.4) and violated(0.6, -0.3) == []
    opaque = cadena.capture(lambda x: jax.lax.bessel_i0e(x).sum() * x.sum(), jnp.array([0.5, 0.2]))
    faults = cadena.compile(opaque.document).run({"x": np.array([1.0, 2.0])}).faults
    assert any(fault.kind == "violated-guard" for fault in faults)


def test_a_gradient_of_digamma_that_is_wrong_in_jax_is_right_and_noted():
    with jax.enable_x64(True):
        captured = cadena.capture(lambda x: jax.lax.digamma(x).sum(), jnp.array([-0.5, -9.85]))
    (note,) = captured.notes
    assert "JAX's own gradient is wrong" in note
    gradient = cadena.compile(captured.document).run().gradient("x")
    np.testing.assert_allclose(gradient, [8.934802200544679, 47.789197941670324], rtol=1e-9)


AWKWARD: dict[str, tuple[Callable[[Any], Any], list[float]]] = {
    "abs": (jnp.abs, [0.0, -0.0, 1.0]),
    "norm": (lambda x: jnp.linalg.norm(x) * x, [0.0, 0.0, 0.0]),
    "clamp": (lambda x: jax.lax.clamp(0.0, x, 1.0), [0.0, 1.0, 0.5]),
    "clip": (lambda x: jnp.clip(x, 0.0, 1.0), [0.0, 1.0, 0.5]),
    "hard_tanh": (jax.nn.hard_tanh, [-1.0, 1.0, 0.0]),
    "relu": (jax.nn.relu, [0.0, -0.0, 1.0]),
    "selu": (jax.nn.selu, [0.0, -1.0, 1.0]),
    "soft_sign": (jax.nn.soft_sign, [0.0, -1.0, 1.0]),
    "power 0": (lambda x: x**0.0, [0.0, 1.0, 2.0]),
    "integer power": (lambda x: x**3 + x**2 + x**1 + x**0, [0.0, -0.0, 2.0]),
    "root": (jnp.sqrt, [0.0, 1.0, 4.0]),
    "xlogy": (lambda x: jax.scipy.special.xlogy(x, 2.0), [0.0, 1.0, 2.0]),
    "entropy": (jax.scipy.special.entr, [0.0, 1.0, 0.5]),
    "logit": (jax.scipy.special.logit, [0.0, 1.0, 0.5]),
    "hypot": (lambda x: jnp.hypot(x, 0.0), [0.0, 1.0, -2.0]),
    "arctan2": (lambda x: jnp.arctan2(x, jnp.abs(x)), [0.0, 1.0, -1.0]),
    "maximum": (lambda x: jnp.maximum(x, 1.0) + jnp.minimum(x, 1.0), [1.0, 0.0, 2.0]),
    "largest of equals": (lambda x: jnp.max(x) * x, [2.0, 2.0, 1.0]),
    "sorted ties": (jnp.sort, [1.0, 1.0, 0.0]),
    "largest so far": (jax.lax.cummax, [1.0, 1.0, 0.0]),
    "sum of exponentials": (lambda x: jnp.logaddexp(x, x), [0.0, 1.0, 2.0]),
    "sum of exponentials of 2": (lambda x: jnp.logaddexp2(x, x), [0.0, 1.0, 2.0]),
    "sinc": (jnp.sinc, [0.0, 1.0, 0.5]),
    "deviation": (lambda x: jnp.std(x) * x, [1.0, 1.0, 1.0]),
    "remainder": (lambda x: jnp.remainder(x, 1.0), [0.0, 1.0, 2.5]),
    "places twice": (lambda x: x.at[jnp.array([0, 0, 1])].set(x * x), [1.0, 2.0, 3.0]),
    "places beyond": (lambda x: x.at[jnp.array([0, 5, 1])].add(x) + x.at[jnp.array([0, 5])].get(mode="fill").sum(),
                      [1.0, 2.0, 3.0]),
    "places moved inside": (lambda x: x.at[jnp.array([0, 5, 1])].add(x, mode="clip"), [1.0, 2.0, 3.0]),
    "largest update": (lambda x: x.at[jnp.array([0, 0, 1])].max(x), [1.0, 1.0, 3.0]),
}  # fmt: skip


@pytest.mark.filterwarnings("ignore")
def test_the_gradient_at_awkward_points_was_that_of_our_rules():
    with jax.enable_x64(True):
        for name, (fn, point) in AWKWARD.items():

            def loss(x: Any, fn: Any = fn) -> Any:
                return (fn(x) * jnp.array([1.0, 2.0, 3.0])).sum()

            x = jnp.array(point)
            captured = cadena.capture(loss, x)
            assert captured.notes == (), name
            run = cadena.compile(captured.document).run()
            np.testing.assert_allclose(run.value(captured.document.output), loss(x), rtol=1e-7, err_msg=name)
            np.testing.assert_allclose(run.gradient("x"), jax.grad(loss)(x), rtol=1e-7, atol=1e-12, err_msg=name)
            ours = cadena.hessian(cadena.as_function(captured.document))(np.array(point))
            theirs = jax.hessian(loss)(x)
            np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-12, err_msg=f"{name}, second derivative")
