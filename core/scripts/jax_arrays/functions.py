"""jax.nn, jax.lax and jax.scipy.special."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.scripts.followed import followed
from cadena.core.scripts.jax_arrays import trees
from cadena.core.scripts.jax_arrays.array import Array, is_recorded, numbers_of, operate
from cadena.core.scripts.jax_arrays.numpy_functions import JNP
from cadena.core.scripts.jax_arrays.state import STATE, canonical, float_type
from cadena.core.scripts.jax_arrays.transforms import as_array, stop_gradient


def _one(op: str, **fixed: Any) -> Callable[..., Any]:
    return lambda x: operate(op, (x,), fixed)


def elu(x: Any, alpha: Any = 1.0) -> Any:
    return operate("elu", (x,), {"alpha": numbers_of(alpha)})


def softmax(x: Any, axis: Any = -1) -> Any:
    return operate("softmax", (x,), {"axis": axis})


def log_softmax(x: Any, axis: Any = -1) -> Any:
    return operate("log_softmax", (x,), {"axis": axis})


def gelu(x: Any, approximate: bool = True) -> Any:
    return operate("gelu", (x,), {"approximate": "tanh" if approximate else "none"})


def logsumexp(a: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return operate("logsumexp", (a,), {"axis": [*axis] if isinstance(axis, tuple) else axis, "keepdims": keepdims})


def one_hot(x: Any, num_classes: int, dtype: Any = None, axis: int = -1) -> Any:
    def rows(numbers: Any) -> Any:
        return np.moveaxis(np.equal(np.expand_dims(numbers, -1), np.arange(num_classes)), -1, axis)

    kind = float_type() if dtype is None else canonical(dtype)
    return followed(Array(rows(np.asarray(numbers_of(x))).astype(kind)), rows, as_array(x))


def xlogy(x: Any, y: Any) -> Any:
    """With JAX's own gradient, which is log(y) for x, also where x is 0."""
    x, y = as_array(x), as_array(y)
    if is_recorded((x, y)):
        return operate(STATE.tape.ruled("xlogy", (0.5, 0.5)), (x, y))
    return JNP.where(x == 0, 0.0, x * JNP.log(JNP.where(x == 0, 1.0, y)))


def zeta(x: Any, q: Any) -> Any:
    if is_recorded((as_array(x),)):
        raise TypeError("zeta is built in with its gradient for q alone; run the script with JAX and cadena.capture")
    return operate("zeta", (x, q))


def _chosen(op: str, x: Any, bound: float, yes: Any, no: Any) -> Any:
    """One of two by a comparison, which is recorded."""
    return operate("where", (operate(op, (x, bound)), yes, no))


def leaky_relu(x: Any, negative_slope: Any = 0.01) -> Any:
    """As in JAX a choice, whose slope at 0 is 1; that of Cadena's operation is the slope for negative numbers."""
    x = as_array(x)
    return _chosen("greater_equal", x, 0.0, x, x * negative_slope)


def hard_tanh(x: Any) -> Any:
    """As in JAX a choice, whose slope at -1 and 1 is 1; that of Cadena's operation is 0."""
    x = as_array(x)
    return _chosen("greater", x, 1.0, 1.0, _chosen("less", x, -1.0, -1.0, x))


NN = {
    **{name: _one(op) for name, op in {
        "relu": "relu", "sigmoid": "sigmoid", "softplus": "softplus", "silu": "silu", "swish": "silu", "selu": "selu",
        "relu6": "relu6", "soft_sign": "softsign", "log_sigmoid": "logsigmoid", "mish": "mish",
        "tanh": "tanh",
    }.items()},
    **{item.__name__: item for item in (leaky_relu, hard_tanh, elu, softmax, log_softmax, gelu, logsumexp, one_hot)},
}  # fmt: skip
SPECIAL: dict[str, Callable[..., Any]] = {
    **{name: _one(name) for name in ("erf", "erfc", "gammaln", "digamma", "logit")},
    "expit": _one("sigmoid"), "logsumexp": logsumexp, "zeta": zeta, "xlogy": xlogy,
}  # fmt: skip


def conv_general_dilated(
    lhs: Any,
    rhs: Any,
    window_strides: Sequence[int],
    padding: Any,
    lhs_dilation: Any = None,
    rhs_dilation: Any = None,
    dimension_numbers: Any = None,
    feature_group_count: int = 1,
) -> Any:
    """A convolution of batches and channels before the axes over which the kernels slide."""
    count = as_array(rhs).ndim - 2
    layout = dimension_numbers or (("NCHW", "OIHW", "NCHW") if count == 2 else ("NCH", "OIH", "NCH"))
    if count not in (1, 2) or [*layout] not in (["NCHW", "OIHW", "NCHW"], ["NCH", "OIH", "NCH"]) or lhs_dilation:
        raise TypeError("conv_general_dilated is known here with one or two axes after batch and channels (NCHW, OIHW)")
    steps = [1] * count if rhs_dilation is None else [*rhs_dilation]
    kernel = as_array(rhs).shape[2:]
    if isinstance(padding, str):
        pairs = [(0, 0)] * count
        if padding.upper() == "SAME":
            sizes = zip(as_array(lhs).shape[2:], kernel, window_strides, steps, strict=True)
            wanted = [max((-(-n // s) - 1) * s + (k - 1) * d + 1 - n, 0) for n, k, s, d in sizes]
            pairs = [(total // 2, total - total // 2) for total in wanted]
    else:
        pairs = [tuple(pair) for pair in padding]
    if any(before != after for before, after in pairs):
        lhs, pairs = JNP.pad(lhs, [(0, 0), (0, 0), *pairs]), [(0, 0)] * count
    attributes: dict[str, Any] = {
        "stride": _plain(window_strides), "padding": _plain([before for before, _ in pairs]), "dilation": _plain(steps),
        "groups": feature_group_count,
    }  # fmt: skip
    return operate(f"conv{count}d", (lhs, rhs), attributes)


def _plain(sizes: Sequence[int]) -> Any:
    """One number where all are the same."""
    return sizes[0] if len({*sizes}) == 1 else [*sizes]


def cond(pred: Any, true_fun: Any, false_fun: Any, *operands: Any) -> Any:
    return (true_fun if bool(pred) else false_fun)(*operands)


def fori_loop(lower: Any, upper: Any, body_fun: Any, init_val: Any) -> Any:
    for step in range(int(lower), int(upper)):
        init_val = body_fun(step, init_val)
    return init_val


def while_loop(cond_fun: Any, body_fun: Any, init_val: Any) -> Any:
    while bool(cond_fun(init_val)):
        init_val = body_fun(init_val)
    return init_val


def scan(f: Any, init: Any, xs: Any = None, length: int | None = None, reverse: bool = False) -> Any:
    """jax.lax.scan, step by step."""
    sizes = {as_array(item).shape[0] for item in trees.leaves(xs)} or {length}
    if len(sizes) != 1 or None in sizes:
        raise ValueError(f"scan got values with different leading axis sizes: {sorted(map(str, sizes))}")
    results, carry = [], init
    for step in range(sizes.pop() or 0)[:: -1 if reverse else 1]:
        carry, y = f(carry, trees.tree_map(lambda item, at=step: as_array(item)[at], xs))
        results.append(y)
    columns = zip(*map(trees.leaves, results[::-1] if reverse else results), strict=True)
    joined = (operate("stack", [as_array(item) for item in column], {"axis": 0}) for column in columns)
    return carry, trees.rebuilt(results[0], joined) if results else None


LAX = {
    "stop_gradient": stop_gradient, "cond": cond, "fori_loop": fori_loop, "while_loop": while_loop, "scan": scan,
    "conv_general_dilated": conv_general_dilated,
}  # fmt: skip
