"""How each operation is written in TensorFlow; what only tensorflow.experimental.numpy has is called by its name."""

from __future__ import annotations

import re

import numpy as np

from cadena.core.languages import numpy_rows
from cadena.core.languages.language import Site, TableRow, literal
from cadena.core.languages.numpy_rows import gradient_axis
from cadena.core.languages.shared import (
    convolution_geometry,
    cross_axes,
    norm_order,
    padding_pairs,
    sizes,
    take_places,
    unless_none,
)
from cadena.core.ops.shaping import parse_index

OF_NUMPY = {
    "sum": "reduce_sum", "mean": "reduce_mean", "var": "math.reduce_variance", "log": "math.log",
    "log1p": "math.log1p", "expm1": "math.expm1",
}  # fmt: skip


def translated(op: str) -> TableRow:
    """A row of numpy's table that is a formula, with TensorFlow's names."""
    row = numpy_rows.ROWS[op]

    def names(text: str) -> str:
        text = text.replace("special.xlogy", "tf.math.xlogy").replace("a.shape[0]", "tf.cast(tf.shape(a)[0], a.dtype)")
        return re.sub(r"\bnp\.(\w+)", lambda match: f"tf.{OF_NUMPY.get(match[1], match[1])}", text)

    return names(row) if isinstance(row, str) else lambda site: names(row(site))


def _flat(site: Site) -> str:
    return "a" if site.ndim == 1 else "tf.reshape(a, (-1,))"


def _line(name: str) -> TableRow:
    return lambda site: f"{name}(a, axis=axis | ...)" if site["axis"] is not None else f"{name}({_flat(site)})"


def _place_of(name: str) -> TableRow:
    def row(site: Site) -> str:
        if site["axis"] is None or not site.ndim:
            return f"tf.reshape(tf.cast({name}(tf.reshape(a, (-1,))), a.dtype), {literal(site.shape)})"
        place = f"tf.cast({name}(a, axis=axis | ...), a.dtype)"
        return f"tf.expand_dims({place}, axis)" if site["keepdims"] else place

    return row


def _argsort(site: Site) -> str:
    if site["axis"] is None:
        return f"tf.cast(tf.argsort({_flat(site)}, stable=True), a.dtype)"
    return "tf.cast(tf.argsort(a, axis=axis, stable=True), a.dtype)"


def _spread(name: str) -> TableRow:
    """TensorFlow divides by the count; what is taken off that is another factor."""

    def row(site: Site) -> str:
        text = f"tf.math.reduce_{name}(a, axis=axis, keepdims=keepdims)"
        count = float(np.prod([site.shapes[0][axis] for axis in site.axes()]))
        root = "" if name == "variance" else " ** 0.5"
        return text if not site["ddof"] else f"{text} * ({count} / ({count} - ddof)){root}"

    return row


def _norm(site: Site) -> str:
    order = norm_order(site, "np.inf")
    if order in ("-np.inf", "0"):
        inner = "tf.abs(a)" if order != "0" else "tf.cast(a != 0.0, a.dtype)"
        return f"tf.reduce_{'min' if order != '0' else 'sum'}({inner}, axis=axis, keepdims=keepdims)"
    if site["axis"] is None or len(site.axes()) == 1:
        along = "" if site["axis"] is None else f", axis={site.axes()[0]}"
        return f"tf.norm(a{'' if order == '2' else f', ord={order}'}{along}, keepdims=keepdims)"
    if order == "np.inf":
        return "tf.reduce_max(tf.abs(a), axis=axis, keepdims=keepdims)"
    return f"tf.reduce_sum(tf.abs(a) ** {float(order)}, axis=axis, keepdims=keepdims) ** {1.0 / float(order)!r}"


def _softmax(name: str) -> TableRow:
    def row(site: Site) -> str:
        if isinstance(site["axis"], int):
            return f"tf.nn.{name}(a, axis=axis)"
        log = "a - tf.reduce_logsumexp(a, axis=axis, keepdims=True)"
        return log if name == "log_softmax" else f"tf.exp({log})"

    return row


def _matmul(site: Site) -> str:
    return "a @ b" if min(map(len, site.shapes)) > 1 else "tnp.matmul(a, b)"


def _index_put(site: Site) -> str:
    return f"{'put_each' if site['repeated'] == 'each' else 'put'}(a, np.s_[index], b)"


def _getitem(site: Site) -> str:
    """TensorFlow takes no lists of places."""
    index = parse_index(site["index"])
    parts = index if isinstance(index, tuple) else (index,)
    plain = all(part is None or part is ... or isinstance(part, int | slice) for part in parts)
    return "a[index]" if plain else "elements(a, np.s_[index])"


def _take(site: Site) -> str:
    places = take_places(site).tolist()
    return f"tf.gather({_flat(site)}, {places})" if site["axis"] is None else f"tf.gather(a, {places}, axis=axis)"


def _along(site: Site) -> str:
    if site["axis"] is None:
        return f"tf.gather({_flat(site)}, tf.cast(tf.reshape(b, (-1,)), tf.int64) % tf.size(a, tf.int64))"
    return "tnp.take_along_axis(a, tf.cast(b, tf.int64) % a.shape[axis], axis)"


def _pad(site: Site) -> str:
    if site["mode"] != "constant":
        return "pad(a, pad_width, mode)"
    value = "" if site["constant_values"] == 0 else ", constant_values=constant_values"
    return f"tf.pad(a, {padding_pairs(site)}{value})"


def _roll(site: Site) -> str:
    if site["axis"] is None:
        return f"tf.reshape(tf.roll(tf.reshape(a, (-1,)), shift, 0), {literal(site.shape)})"
    axes, shift = site.axes(), site["shift"]
    if isinstance(site["axis"], int) and isinstance(shift, int):
        return "tf.roll(a, shift, axis)"
    shifts = list(shift) if isinstance(shift, list | tuple) else [shift] * len(axes)
    return f"tf.roll(a, {shifts}, {list(axes) if len(axes) == len(shifts) else list(axes) * len(shifts)})"


def _repeat(site: Site) -> str:
    repeats = site["repeats"]
    return f"tf.repeat(a, {repeats if isinstance(repeats, int) else list(repeats)}, axis=axis)"


def _split(axis: int | None) -> TableRow:
    """Pieces of equal size; any others are slices."""

    def row(site: Site) -> str:
        along = site.axes()[0] if axis is None else min(axis, site.ndim - 1)
        cuts, size = site["indices_or_sections"], site.shapes[0][along]
        if isinstance(cuts, int) and size % cuts == 0:
            return f"tf.split(a, indices_or_sections, axis={along})[part]"
        piece = np.array_split(np.arange(size), cuts)[site["part"]]
        first, last = (piece[0], piece[-1] + 1) if piece.size else (0, 0)
        return f"a[{':, ' * along}{first}:{last}]"

    return row


def _convolution(site: Site) -> str:
    how = convolution_geometry(site)
    rest = f"{literal(how.stride)}, {literal(how.borders)}, {literal(how.dilation)}"
    return f"convolution(a, b, {rest}{', groups=groups' if site['groups'] != 1 else ''})"


def _pool(name: str, last: str) -> TableRow:
    def row(site: Site) -> str:
        kernel, stride = sizes(site, "kernel_size"), sizes(site, "stride", "kernel_size")
        rest = "" if site["padding"] == 0 else f", padding={sizes(site, 'padding')}"
        more = f", dilation={sizes(site, 'dilation')}" if last == "dilation" and site["dilation"] != 1 else ""
        more = ", count_include_pad=count_include_pad" if last != "dilation" else more
        return f"{name}(a, {literal(kernel)}, {literal(stride)}{rest}{more})"

    return row


def _cross(site: Site) -> str:
    axes = cross_axes(site)
    return "cross(a, b)" if set(axes) == {-1} else f"cross(a, b, {', '.join(map(str, axes))})"


def _median(site: Site) -> str:
    return f"tf.reshape(median(a, {literal(site.axes())}), {literal(site.shape)})"


def _clip(site: Site) -> str:
    low, high = site["min"], site["max"]
    if low is None or high is None:
        return "tf.identity(a)" if low is high else "tf.maximum(a, min)" if high is None else "tf.minimum(a, max)"
    return "tf.clip_by_value(a, min, max)"


def _round(site: Site) -> str:
    scale = literal(10.0 ** abs(site["decimals"]))
    inner, outer = ("*", "/") if site["decimals"] > 0 else ("/", "*")
    return f"tf.round(a {inner} {scale}) {outer} {scale}" if site["decimals"] else "tf.round(a)"


def _svd(site: Site) -> str:
    """TensorFlow gives the values first, and the right vectors as columns."""
    return "factor(a, part)" if site["part"] == 2 else f"tf.linalg.svd(a)[{(1, 0, 2)[site['part']]}]"


def _expand_dims(site: Site) -> str:
    return "tf.expand_dims(a, axis | ...)" if isinstance(site["axis"], int) else f"tf.reshape(a, {literal(site.shape)})"


def _dropout(site: Site) -> str:
    if site["p"] == 1:
        return "tf.zeros_like(a)"
    kept = f"np.random.default_rng(seed).random({literal(site.shape)}) >= p"
    return f"a * tf.cast({kept}, a.dtype) / (1.0 - p)"


def _gelu(site: Site) -> str:
    """tf.nn.gelu has the digits of float32 alone."""
    if site["approximate"] == "tanh":
        return "0.5 * a * (1.0 + tf.tanh((2.0 / math.pi) ** 0.5 * (a + 0.044715 * a**3)))"
    return "0.5 * a * (1.0 + tf.math.erf(0.5**0.5 * a))"


SAME = "abs exp sqrt square sin cos tan sinh cosh tanh floor sign sigmoid"
OF_MATH = "expm1 log log1p reciprocal erf erfc digamma softplus"
OF_NN = "relu selu silu relu6 softsign"
AS_IN_NUMPY = (
    "mse_loss l1_loss huber_loss binary_cross_entropy binary_cross_entropy_with_logits hinge hinge_embedding_loss "
    "kl_div batch_norm layer_norm"
)
ROWS: dict[str, TableRow] = {
    **{name: f"tf.{name}(a)" for name in SAME.split()},
    **{name: f"tf.math.{name}(a)" for name in OF_MATH.split()},
    **{name: f"tf.nn.{name}(a)" for name in OF_NN.split()},
    "sinc": "tnp.sinc(a)", "nan_to_num": "nan_to_num(a)",
    **{name: translated(name) for name in AS_IN_NUMPY.split()},
    **{name: f"tnp.{name}([*parts])" for name in ("hstack", "vstack", "dstack")},
    **{name: f"tnp.{name}(a, b)" for name in ("dot", "inner", "outer", "kron")},
    **{f"arc{name}": f"tf.a{name}(a)" for name in "sin cos tan sinh cosh tanh".split()},
    **{name: f"{name}(a, b)" for name in ("fmod", "logaddexp", "logaddexp2")},
    "add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b", "negative": "-a", "power": "a ** b",
    "positive": "tf.identity(a)", "remainder": "a % b", "floor_divide": "tf.round((a - a % b) / b)", "matmul": _matmul,
    "maximum": "tf.maximum(a, b)", "minimum": "tf.minimum(a, b)",
    "fmax": "tf.where(tf.math.is_nan(b) | (a >= b), a, b)", "fmin": "tf.where(tf.math.is_nan(b) | (a <= b), a, b)",
    "exp2": "2.0 ** a", "log2": "tf.math.log(a) / math.log(2.0)", "log10": "tf.math.log(a) / math.log(10.0)",
    "cbrt": "cbrt(a)", "gammaln": "tf.math.lgamma(a)", "zeta": "tf.math.zeta(a, b)", "arctan2": "tf.atan2(a, b)",
    "hypot": "tf.sqrt(a * a + b * b)", "deg2rad": "a * (math.pi / 180.0)", "rad2deg": "a * (180.0 / math.pi)",
    "ceil": "tf.math.ceil(a)", "trunc": "tf.where(a < 0.0, tf.math.ceil(a), tf.floor(a))", "round": _round,
    "leaky_relu": "tf.where(a > 0.0, a, slope * a)",
    "elu": lambda site: "tf.nn.elu(a)" if site["alpha"] == 1 else
    "tf.where(a > 0.0, a, alpha * tf.math.expm1(tf.minimum(a, 0.0)))",
    "gelu": _gelu, "mish": "a * tf.tanh(tf.math.softplus(a))", "logsigmoid": "tf.math.log_sigmoid(a)",
    "hardtanh": "tf.clip_by_value(a, -1.0, 1.0)", "softmax": _softmax("softmax"),
    "log_softmax": _softmax("log_softmax"),
    **{name: f"tf.reduce_{name}(a, axis=axis, keepdims=keepdims)" for name in "sum mean prod max min".split()},
    "logsumexp": "tf.reduce_logsumexp(a, axis=axis, keepdims=keepdims)", "norm": _norm,
    "argmax": _place_of("tf.argmax"), "argmin": _place_of("tf.argmin"), "argsort": _argsort,
    **{name: f"tf.cast(a {sign} b, a.dtype)" for name, sign in numpy_rows.COMPARISONS.items()},
    "logical_and": "tf.cast((a != 0.0) & (b != 0.0), a.dtype)",
    "logical_or": "tf.cast((a != 0.0) | (b != 0.0), a.dtype)",
    "logical_xor": "tf.cast((a != 0.0) ^ (b != 0.0), a.dtype)",
    "logical_not": "tf.cast(a == 0.0, a.dtype)", "isnan": "tf.cast(tf.math.is_nan(a), a.dtype)",
    "isinf": "tf.cast(tf.math.is_inf(a), a.dtype)", "isfinite": "tf.cast(tf.math.is_finite(a), a.dtype)",
    "stop_gradient": "tf.stop_gradient(a)", "put_along_axis": "put_along(a, b, c, axis, accumulate)",
    "var": _spread("variance"), "std": _spread("std"), "median": _median,
    "cumsum": _line("tf.cumsum"), "cumprod": _line("cumprod"),
    "tensordot": lambda site: "tf.tensordot(a, b, axes)", "cross": _cross, "einsum": "einsum(subscripts, *parts)",
    "inv": "tf.linalg.inv(a)", "det": "det(a)", "slogdet": "tf.linalg.slogdet(a)[part]",
    "cholesky": "cholesky(a)",
    "eigh": "eigh(a, part)", "svd": _svd,
    "pinv": "tf.linalg.pinv(a, rcond=rcond | ...)", "solve": "solve(a, b)",
    "trace": "tnp.trace(a, offset=offset, axis1=axis1, axis2=axis2)",
    "diag": lambda site: f"tnp.{'diag' if site.ndim == 1 else 'diagonal'}(a{', k' if site['k'] else ''})",
    "tril": "tnp.tril(a, k=k)", "triu": "tnp.triu(a, k=k)", "pad": _pad, "diff": "tnp.diff(a, n=n, axis=axis)",
    "gradient": lambda site: f"gradient(a, spacing, {gradient_axis(site)}, edge_order)", "dropout": _dropout,
    "embedding": "tf.gather(b, tf.cast(a, tf.int64))", "reshape": "tf.reshape(a, shape)",
    "getitem": _getitem, "index_put": _index_put,
    "astype": lambda site: f"tf.cast(a, tf.{site['dtype']})" if site["dtype"] else "tf.identity(a)",
    "where": "tf.where(a != 0.0, b, c)", "clip": _clip,
    "sort": lambda site: f"tf.sort({'a' if site['axis'] is not None else _flat(site)}, "
    f"axis={-1 if site['axis'] is None else site['axis']})",
    "partition": lambda site: f"tf.sort({'a' if site['axis'] is not None else _flat(site)}, "
    f"axis={-1 if site['axis'] is None else site['axis']})",
    "take": _take, "take_along_axis": _along,
    "concatenate": unless_none(
        "axis",
        "tf.concat([*parts], axis | ...)",
        "tf.concat([tf.reshape(part, (-1,)) for part in [*parts]], 0)",
    ),
    "stack": "tf.stack([*parts], axis=axis)", "split": _split(None), "array_split": _split(None),
    "hsplit": _split(1), "vsplit": _split(0), "transpose": lambda site: "tf.transpose(a)" if site["axes"] is None else
    f"tf.transpose(a, {literal(site.axes('axes'))})",
    "swapaxes": "tnp.swapaxes(a, axis1, axis2)", "moveaxis": "tnp.moveaxis(a, source, destination)",
    "squeeze": "tf.squeeze(a, axis=axis)", "expand_dims": _expand_dims, "ravel": "tf.reshape(a, (-1,))",
    "broadcast_to": "tf.broadcast_to(a, shape)", "tile": "tnp.tile(a, reps)", "repeat": _repeat, "roll": _roll,
    "flip": lambda site: f"tf.reverse(a, {list(site.axes())})", "rot90": "tnp.rot90(a, k=k, axes=axes)",
    "nll_loss": "nll_loss(a, b, reduction=reduction, ignore_index=ignore_index)",
    "cross_entropy": numpy_rows.cross_entropy,
    "conv1d": _convolution, "conv2d": _convolution,
    "max_pool2d": _pool("max_pool2d", "dilation"), "avg_pool2d": _pool("avg_pool2d", "count_include_pad"),
}  # fmt: skip

# What rows that depend on the operands write, where it is a call of a helper.
ALIASES: dict[str, tuple[str, ...]] = numpy_rows.ALIASES | {
    "index_put": ("put(a, np.s_[index], b)",),
    "getitem": ("elements(a, np.s_[index])",),
    "pad": ("pad(a, pad_width, mode)",),
    "cumprod": ("cumprod(a, axis=axis | 0)",),
    "svd": ("factor(a, part)",),
    "cholesky": ("tf.linalg.cholesky(a)",),
    "cross": ("cross(a, b, axisa=axisa, axisb=axisb, axisc=axisc)",),
    "max_pool2d": ("max_pool2d(a, kernel_size, stride, padding=padding, dilation=dilation)",),
    "avg_pool2d": ("avg_pool2d(a, kernel_size, stride, padding=padding, count_include_pad=count_include_pad)",),
}
