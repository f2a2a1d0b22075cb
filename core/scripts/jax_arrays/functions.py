"""jax.nn, jax.lax, jax.random and jax.scipy.special."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.scripts.jax_arrays import dice, trees
from cadena.core.scripts.jax_arrays.array import Array, numbers_of, operate
from cadena.core.scripts.jax_arrays.numpy_functions import JNP, array
from cadena.core.scripts.jax_arrays.state import STATE, canonical, float_type, whole_type
from cadena.core.scripts.jax_arrays.transforms import as_array, stop_gradient
from cadena.core.scripts.library import Library


def _one(op: str, **fixed: Any) -> Callable[..., Any]:
    return lambda x: operate(op, (x,), fixed)


def _with(op: str, keyword: str, attribute: str, default: Any) -> Callable[..., Any]:
    def call(x: Any, *options: Any, **keywords: Any) -> Any:
        value = options[0] if options else keywords.get(keyword, default)
        return operate(op, (x,), {attribute: numbers_of(value)})

    return call


def _two(op: str) -> Callable[..., Any]:
    return lambda x, y: operate(op, (x, y))


def gelu(x: Any, approximate: bool = True) -> Any:
    return operate("gelu", (x,), {"approximate": "tanh" if approximate else "none"})


def logsumexp(a: Any, axis: Any = None, b: Any = None, keepdims: bool = False) -> Any:
    if b is not None:
        raise TypeError("logsumexp is not known here with b=; leave it away")
    return operate("logsumexp", (a,), {"axis": [*axis] if isinstance(axis, tuple) else axis, "keepdims": keepdims})


def one_hot(x: Any, num_classes: int, dtype: Any = None, axis: int = -1) -> Any:
    numbers = np.asarray(numbers_of(x))
    rows = (numbers[..., None] == np.arange(num_classes)).astype(float_type() if dtype is None else canonical(dtype))
    return Array(np.moveaxis(rows, -1, axis))


def xlogy(x: Any, y: Any) -> Any:
    return JNP.where(as_array(x) == 0, 0.0, x * JNP.log(JNP.where(as_array(x) == 0, 1.0, y)))


NN = {
    **{name: _one(op) for name, op in {
        "relu": "relu", "sigmoid": "sigmoid", "softplus": "softplus", "silu": "silu", "swish": "silu", "selu": "selu",
        "relu6": "relu6", "hard_tanh": "hardtanh", "soft_sign": "softsign", "log_sigmoid": "logsigmoid", "mish": "mish",
        "tanh": "tanh",
    }.items()},
    "leaky_relu": _with("leaky_relu", "negative_slope", "slope", 0.01), "elu": _with("elu", "alpha", "alpha", 1.0),
    "softmax": _with("softmax", "axis", "axis", -1), "log_softmax": _with("log_softmax", "axis", "axis", -1),
    "gelu": gelu, "logsumexp": logsumexp, "one_hot": one_hot,
}  # fmt: skip
SPECIAL = {name: _one(name) for name in ("erf", "erfc", "gammaln", "digamma", "logit")} | {
    "expit": _one("sigmoid"), "logsumexp": logsumexp, "zeta": _two("zeta"), "xlogy": xlogy, "softmax": NN["softmax"],
    "log_softmax": NN["log_softmax"],
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
    **options: Any,
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


def cond(pred: Any, true_fun: Any, false_fun: Any, *operands: Any, **options: Any) -> Any:
    return (true_fun if bool(numbers_of(pred)) else false_fun)(*operands)


def switch(index: Any, branches: Sequence[Any], *operands: Any) -> Any:
    return branches[min(max(int(numbers_of(index)), 0), len(branches) - 1)](*operands)


def fori_loop(lower: Any, upper: Any, body_fun: Any, init_val: Any, **options: Any) -> Any:
    for step in range(int(lower), int(upper)):
        init_val = body_fun(step, init_val)
    return init_val


def while_loop(cond_fun: Any, body_fun: Any, init_val: Any) -> Any:
    while bool(numbers_of(cond_fun(init_val))):
        init_val = body_fun(init_val)
    return init_val


def scan(
    f: Any, init: Any, xs: Any = None, length: int | None = None, reverse: bool = False, unroll: Any = 1, **options: Any
) -> Any:
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
    **{name: getattr(JNP, name) for name in (
        "exp log log1p expm1 sin cos tan tanh sinh cosh sqrt abs sign floor ceil round".split()
    )},
    **{name: getattr(JNP, of) for name, of in {
        "neg": "negative", "add": "add", "sub": "subtract", "mul": "multiply", "div": "divide", "max": "maximum",
        "min": "minimum", "pow": "power", "square": "square", "reciprocal": "reciprocal", "dot": "dot",
        "expand_dims": "expand_dims", "stop_gradient": "positive", "atan2": "arctan2",
    }.items()},
    "rsqrt": lambda x: 1 / operate("sqrt", (x,)), "logistic": _one("sigmoid"), "integer_pow": _two("power"),
    "erf": _one("erf"), "lgamma": _one("gammaln"), "select": lambda pred, x, y: JNP.where(pred, x, y),
    "stop_gradient": stop_gradient, "cond": cond, "switch": switch, "fori_loop": fori_loop, "while_loop": while_loop,
    "scan": scan, "conv_general_dilated": conv_general_dilated,
}  # fmt: skip


class Key(Array):
    """A key of jax.random.key, which is printed as one."""

    def __repr__(self) -> str:
        return f"Array({self.array.shape[:-1]}, dtype=key<fry>) overlaying:\n{self.array}"

    __str__ = __repr__


def prng_key(seed: Any) -> Array:
    return Array(dice.key_of(int(seed), STATE.wide))


def _words(key: Any) -> Any:
    words = np.asarray(numbers_of(key))
    if words.dtype != np.uint32 or words.shape != (2,):
        raise TypeError("a function of jax.random needs a key first; make one with jax.random.PRNGKey(0)")
    return words


def split(key: Any, num: Any = 2) -> Any:
    return type(key)(dice.split(_words(key), (num,) if isinstance(num, int) else tuple(num)))


def fold_in(key: Any, data: Any) -> Any:
    return type(key)(dice.fold_in(_words(key), int(data)))


def _size(shape: Any) -> tuple[int, ...]:
    return (shape,) if isinstance(shape, int) else tuple(int(item) for item in shape)


def _kind(dtype: Any) -> np.dtype[Any]:
    return float_type() if dtype is None or dtype is float else canonical(dtype)


def normal(key: Any, shape: Any = (), dtype: Any = None) -> Array:
    return Array(np.asarray(dice.normal(_words(key), _size(shape), _kind(dtype)))[()])


def uniform(key: Any, shape: Any = (), dtype: Any = None, minval: Any = 0.0, maxval: Any = 1.0) -> Array:
    low, high = numbers_of(minval), numbers_of(maxval)
    return Array(np.asarray(dice.uniform(_words(key), _size(shape), _kind(dtype), low, high))[()])


def bernoulli(key: Any, p: Any = 0.5, shape: Any = None) -> Array:
    size = np.shape(numbers_of(p)) if shape is None else _size(shape)
    return Array(dice.uniform(_words(key), size, float_type()) < np.asarray(numbers_of(p), float_type()))


def randint(key: Any, shape: Any, minval: Any, maxval: Any, dtype: Any = None) -> Array:
    kind = whole_type() if dtype is None or dtype is int else canonical(dtype)
    return Array(np.asarray(dice.whole_numbers(_words(key), _size(shape), int(minval), int(maxval), kind))[()])


def permutation(key: Any, x: Any, axis: int = 0, independent: bool = False) -> Any:
    if independent:
        raise TypeError("permutation is not known here with independent=True; leave it away")
    if isinstance(x, int):
        return Array(dice.permutation(_words(key), x).astype(whole_type()))
    values = as_array(x)
    return JNP.take(values, dice.permutation(_words(key), values.shape[axis]), axis=axis)


def choice(key: Any, a: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: int = 0) -> Any:
    if not replace or p is not None:
        raise TypeError("choice is known here with replacement and without p=; shuffle with jax.random.permutation")
    values = JNP.arange(a) if isinstance(a, int) else array(a)
    places = dice.whole_numbers(_words(key), _size(shape), 0, values.shape[axis], np.dtype(whole_type()))
    return JNP.take(values, places, axis=axis)


RANDOM = Library(
    "jax.random",
    {
        "PRNGKey": prng_key, "key": lambda seed: Key(prng_key(seed).array), "split": split, "fold_in": fold_in,
        "normal": normal, "uniform": uniform, "bernoulli": bernoulli, "randint": randint, "permutation": permutation,
        "choice": choice, "key_data": lambda key: Array(key.array),
    },
)  # fmt: skip
