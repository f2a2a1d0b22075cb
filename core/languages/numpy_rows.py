"""How each operation is written in numpy; of numpy's own functions tracing knows already how they are called."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Mapping
from typing import Any

import numpy as np

from cadena.core.languages.language import Site, TableRow, literal
from cadena.core.languages.shared import norm_order, reduced
from cadena.core.ops.primitive import REGISTRY
from cadena.core.tracing.functions import IGNORED, TABLE, Many, NumpySignature, Parts
from cadena.core.tracing.ufuncs import NAMES


def _of_functions() -> dict[str, TableRow]:
    """np.sum(a, axis=axis, keepdims=keepdims) and its like: numpy's functions as tracing knows them."""
    rows: dict[str, TableRow] = {}
    for function, line in TABLE.items():
        if not isinstance(line, NumpySignature) or line.op in rows:
            continue
        folder = "np.linalg" if function.__module__ == "numpy.linalg" else "np"
        rows[line.op] = f"{folder}.{function.__name__}({', '.join(_arguments(function, line))})" + (
            "[part]" * isinstance(line, Parts)
        )
    return rows


def _arguments(function: Any, line: NumpySignature) -> list[str]:
    """The arguments as a pattern has them: by position what numpy requires, by keyword what has a default."""
    attributes = {item.name: item.default for item in REGISTRY[line.op].attributes}
    operands, others = list("abc"[: line.operands]), line.parameters[line.operands :]
    if isinstance(line, Many):
        operands, others = ["[*parts]"], line.parameters
    known = [name for name in others if name in attributes and name not in IGNORED]
    try:
        parameters: Mapping[str, inspect.Parameter] = inspect.signature(function).parameters
    except ValueError:  # written in C, and says nothing
        parameters = {}
    needed = [name for name in known if name in parameters and parameters[name].default is inspect.Parameter.empty]
    return [*operands, *needed, *(f"{name}={name}" for name in known if name not in needed)]


def _of_ufuncs() -> dict[str, TableRow]:
    """np.exp(a) and its like: what tracing takes for an operation when numpy calls its own ufunc."""
    ufuncs = [item for item in vars(np).values() if isinstance(item, np.ufunc) and item.nout == 1]
    named = {NAMES.get(item.__name__, item.__name__): item for item in reversed(ufuncs) if item.nin <= 2}
    calls = {op: op if hasattr(np, op) else ufunc.__name__ for op, ufunc in named.items() if op in REGISTRY}
    return {op: f"np.{call}({', '.join('ab'[: named[op].nin])})" for op, call in calls.items()}


def _loss(each: str) -> TableRow:
    return lambda site: reduced(each, site["reduction"])


def _huber(site: Site) -> str:
    d = literal(float(site["delta"]))
    each = f"np.where(np.abs(a - b) <= {d}, 0.5 * (a - b) ** 2, {d} * (np.abs(a - b) - 0.5 * {d}))"
    return reduced(each, site["reduction"])


def _kl_div(site: Site) -> str:
    return reduced("np.exp(b) * (b - a)" if site["log_target"] else "special.xlogy(b, b) - b * a", site["reduction"])


def _hinge_embedding(site: Site) -> str:
    each = "np.where(b != 1.0, np.maximum(margin - a, 0.0), 0.0) + np.where(b != -1.0, a, 0.0)"
    return reduced(each, site["reduction"])


def cross_entropy(site: Site) -> str:
    """A target of the logits' shape holds a probability for each class, any other the numbers of classes."""
    name = "soft_cross_entropy" if site.shapes[0] == site.shapes[1] else "cross_entropy"
    rest = "" if name.startswith("soft") else ", ignore_index=ignore_index"
    return f"{name}(a, b, reduction=reduction{rest})"


def _norm(site: Site) -> str:
    code = norm_order(site, "np.inf")
    return f"np.linalg.vector_norm(a, axis=axis, keepdims=keepdims{'' if code == '2' else f', ord={code}'})"


def _pad(site: Site) -> str:
    filled = ", constant_values=constant_values" if site["mode"] == "constant" else ""
    return f"np.pad(a, pad_width, mode=mode{filled})"


def gradient_axis(site: Site) -> int:
    """The axis along which `gradient` takes its part."""
    part: int = site["part"]
    return site.axes()[part]


def _gradient(site: Site) -> str:
    return f"np.gradient(a, spacing, axis={gradient_axis(site)}, edge_order=edge_order)"


def batch_axes(site: Site) -> tuple[int, ...]:
    """All axes but that of the channels."""
    return tuple(axis for axis in range(site.ndim) if axis != 1)


def layer_axes(site: Site) -> tuple[int, ...]:
    """The last axes, as many as `normalized_shape` has."""
    count = 1 if site["normalized_shape"] is None else len(site["normalized_shape"])
    return tuple(range(-count, 0))


def _normalized(axes: Any) -> TableRow:
    def row(site: Site) -> str:
        along = f"axis={literal(axes(site))}, keepdims=True"
        return f"(a - np.mean(a, {along})) / np.sqrt(np.var(a, {along}) + eps)"

    return row


def _dropout(site: Site) -> str:
    if site["p"] == 1:
        return "np.zeros_like(a)"
    return f"a * (np.random.default_rng(seed).random({literal(site.shape)}) >= p) / (1.0 - p)"


def _gelu(site: Site) -> str:
    if site["approximate"] == "tanh":
        return "0.5 * a * (1.0 + np.tanh((2.0 / math.pi) ** 0.5 * (a + 0.044715 * a**3)))"
    return "0.5 * a * (1.0 + special.erf(0.5**0.5 * a))"


def _diag(site: Site) -> str:
    return "np.diag(a, k=k)" if site.ndim == 1 else "np.diagonal(a, k)" if site["k"] else "np.diagonal(a)"


def _clip(site: Site) -> str:
    bounds = site["min"], site["max"]
    return "+a" if bounds == (None, None) else "np.clip(a, min, max)"


def indices_array(text: str) -> str:
    """An index in which lists are arrays, as jax wants them."""
    tree = ast.parse(f"x[{text}]", mode="eval").body
    assert isinstance(tree, ast.Subscript)

    class Arrays(ast.NodeTransformer):
        def visit_List(self, node: ast.List) -> ast.AST:
            return ast.parse(f"np.array({ast.unparse(node)})", mode="eval").body

    if "[" not in text:
        return text
    index = Arrays().visit(tree.slice)
    return ast.unparse(index)[1:-1] if isinstance(index, ast.Tuple) else ast.unparse(index)


COMPARISONS = {
    "greater": ">", "greater_equal": ">=", "less": "<", "less_equal": "<=", "equal": "==", "not_equal": "!=",
}  # fmt: skip
CONNECTIVES, TESTS = ("logical_and", "logical_or", "logical_xor"), ("logical_not", "isnan", "isinf", "isfinite")


def _conditions() -> dict[str, TableRow]:
    """Truth values as numbers of the operands' type."""
    return {
        **{name: f"(a {sign} b).astype(np.result_type(a, b))" for name, sign in COMPARISONS.items()},
        **{name: f"np.{name}(a, b).astype(np.result_type(a, b))" for name in CONNECTIVES},
        **{name: f"np.{name}(a).astype(a.dtype)" for name in TESTS},
    }


def _without_numpys() -> dict[str, TableRow]:
    """Operations that numpy writes with an operator, or in several steps."""
    return _conditions() | {
        "add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b", "negative": "-a",
        "power": "a ** b", "positive": "+a", "matmul": "a @ b", "remainder": "a % b", "floor_divide": "a // b",
        "getitem": "a[index]",
        "index_put": "put(a, np.s_[index], b)",
        "reshape": "np.reshape(a, shape)",
        "astype": lambda site: "+a" if site["dtype"] is None else f"a.astype(np.{site['dtype']})",
        "where": "np.where(a != 0.0, b, c)",
        "clip": _clip,
        "take": "np.take(a, indices, axis=axis, mode=mode)",
        "take_along_axis": "np.take_along_axis(a, b.astype(int), axis=axis)",
        "einsum": "np.einsum(subscripts, *parts)",
        "argmax": "np.argmax(a, axis=axis, keepdims=keepdims).astype(a.dtype)",
        "argmin": "np.argmin(a, axis=axis, keepdims=keepdims).astype(a.dtype)",
        "argsort": 'np.argsort(a, axis=axis, kind="stable").astype(a.dtype)',
        "put_along_axis": "put_along(a, b, c, axis, accumulate)",
        "stop_gradient": lambda site: "+a",
        "transpose": lambda site: "a.T" if site["axes"] is None else "np.transpose(a, axes)",
        "norm": _norm, "pad": _pad, "gradient": _gradient, "diag": _diag,
        "slogdet": "np.linalg.slogdet(a)[part]",
        "cholesky": "cholesky(a)",
        "eigh": "eigh(a, part)",
        "svd": "np.linalg.svd(a, full_matrices=False)[part]",
        "pinv": "np.linalg.pinv(a, rcond=rcond)",
        "solve": "np.linalg.solve(a, b)",
        "sigmoid": "special.expit(a)", "logit": "special.logit(a)", "logsigmoid": "special.log_expit(a)",
        "softmax": "special.softmax(a, axis=axis | None)", "log_softmax": "special.log_softmax(a, axis=axis | None)",
        "logsumexp": "special.logsumexp(a, axis=axis, keepdims=keepdims)",
        "erf": "special.erf(a)", "erfc": "special.erfc(a)", "gammaln": "special.gammaln(a)",
        "digamma": "special.digamma(a)", "zeta": "special.zeta(a, b)",
        "relu": "np.maximum(a, 0.0)",
        "leaky_relu": "np.where(a > 0.0, a, slope * a)",
        "elu": "np.where(a > 0.0, a, alpha * np.expm1(np.minimum(a, 0.0)))",
        "selu": "1.0507009873554805 * np.where(a > 0.0, a, 1.6732632423543772 * np.expm1(np.minimum(a, 0.0)))",
        "softplus": "np.logaddexp(a, 0.0)", "softsign": "a / (1.0 + np.abs(a))",
        "hardtanh": "np.clip(a, -1.0, 1.0)", "relu6": "np.clip(a, 0.0, 6.0)",
        "gelu": _gelu, "silu": "a * special.expit(a)", "mish": "a * np.tanh(np.logaddexp(a, 0.0))",
        "mse_loss": _loss("(a - b) ** 2"), "l1_loss": _loss("np.abs(a - b)"), "huber_loss": _huber,
        "binary_cross_entropy": _loss(
            "-(b * np.maximum(np.log(a), -100.0) + (1.0 - b) * np.maximum(np.log1p(-a), -100.0))"
        ),
        "binary_cross_entropy_with_logits": _loss("np.maximum(a, 0.0) - a * b + np.log1p(np.exp(-np.abs(a)))"),
        "hinge": _loss("np.maximum(1.0 - a * b, 0.0)"), "hinge_embedding_loss": _hinge_embedding, "kl_div": _kl_div,
        "nll_loss": "nll_loss(a, b, reduction=reduction, ignore_index=ignore_index)",
        "cross_entropy": cross_entropy,
        "conv1d": "conv1d(a, b, stride=stride, padding=padding, dilation=dilation, groups=groups)",
        "conv2d": "conv2d(a, b, stride=stride, padding=padding, dilation=dilation, groups=groups)",
        "max_pool2d": "max_pool2d(a, kernel_size, stride=stride, padding=padding, dilation=dilation)",
        "avg_pool2d": "avg_pool2d(a, kernel_size, stride=stride, padding=padding, count_include_pad=count_include_pad)",
        "batch_norm": _normalized(batch_axes), "layer_norm": _normalized(layer_axes),
        "dropout": _dropout, "embedding": "b[a.astype(int)]",
    }  # fmt: skip


ROWS: dict[str, TableRow] = _of_ufuncs() | _of_functions() | _without_numpys()

# What rows that depend on the operands write, where it is a call of a helper.
ALIASES: dict[str, tuple[str, ...]] = {
    "cross_entropy": (
        "cross_entropy(a, b, reduction=reduction, ignore_index=ignore_index)",
        "soft_cross_entropy(a, b, reduction=reduction)",
    ),
}
