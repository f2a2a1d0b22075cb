"""How each operation is written in PyTorch, what it calls the same by another name, and what it lacks."""

from __future__ import annotations

import numpy as np

from cadena.core.languages.language import Site, TableRow, literal
from cadena.core.languages.numpy_rows import COMPARISONS, CONNECTIVES, TESTS, gradient_axis, layer_axes
from cadena.core.languages.shared import (
    cross_axes,
    flat_axis,
    norm_order,
    padding_pairs,
    reduced,
    take_places,
    tensordot_axes,
    unless_none,
)
from cadena.core.ops.shaping import parse_index


def _dims(name: str, every: bool = False) -> TableRow:
    """A reduction whose axes must be listed: always, or where all are meant and kept."""

    def row(site: Site) -> str:
        kept = ", keepdim=keepdims"
        if isinstance(site["axis"], int) and site.ndim:
            return f"{name}(a, dim=axis{kept})"
        if site["axis"] is None and not site["keepdims"] and not every:
            return f"{name}(a)"
        return f"{name}(a, {literal(site.axes())}{kept})"

    return row


def _one_dim(name: str) -> TableRow:
    """A reduction along one axis at a time."""

    def row(site: Site) -> str:
        if site["axis"] is None and not site["keepdims"]:
            return f"{name}(a)"
        if isinstance(site["axis"], int):
            return f"{name}(a, dim=axis, keepdim=keepdims)"
        text = "a"
        for axis in sorted(site.axes(), reverse=True):
            text = f"{name}({text}, {axis}, keepdim=keepdims)"
        return text

    return row


def _median(site: Site) -> str:
    if not isinstance(site["axis"], list | tuple):
        return "torch.quantile(a, 0.5, dim=axis, keepdim=keepdims)"
    axes = site.axes()
    moved = f"torch.movedim(a, {literal(axes)}, {literal(tuple(range(-len(axes), 0)))}).flatten({-len(axes)})"
    text = f"torch.quantile({moved}, 0.5, dim=-1)"
    return f"{text}.reshape({literal(site.shape)})" if site["keepdims"] else text


def _along_line(name: str, rest: str = "") -> TableRow:
    return lambda site: f"{name}(a, axis{rest})" if site["axis"] is not None else f"{name}(a.flatten(), 0{rest})"


def _norm(site: Site) -> str:
    order = norm_order(site, "torch.inf")
    return f"torch.linalg.vector_norm(a{'' if order == '2' else f', {order}'}, dim=axis, keepdim=keepdims)"


def _dot(site: Site) -> str:
    left, right = map(len, site.shapes)
    return "a * b" if not left or not right else "a @ b" if right <= 2 else "torch.tensordot(a, b, ((-1,), (-2,)))"


def _solve(site: Site) -> str:
    left, right = map(len, site.shapes)
    if right == 1:
        return (
            "torch.linalg.solve(a, b)"
            if left == 2
            else f"torch.linalg.solve(a, b[{'None, ' * (left - 2)}:, None])[..., 0]"
        )
    # torch takes an operand with one axis less than the matrices for a stack of vectors.
    return "torch.linalg.solve(a, b)" if right != left - 1 else "torch.linalg.solve(a, b[None])"


def _trace(site: Site) -> str:
    if site.ndim == 2 and not site["offset"] and site.axes("axis1") == (0,) and site.shapes[0][0] == site.shapes[0][1]:
        return "torch.trace(a)"
    return "torch.diagonal(a, offset, axis1, axis2).sum(-1)"


def _softmax(name: str) -> TableRow:
    def row(site: Site) -> str:
        if isinstance(site["axis"], int):
            return f"torch.{name}(a, axis)"
        log = f"a - torch.logsumexp(a, {literal(site.axes())}, keepdim=True)"
        return log if name == "log_softmax" else f"torch.exp({log})"

    return row


def _index_put(site: Site) -> str:
    return f"{'put_each' if site['repeated'] == 'each' else 'put'}(a, np.s_[index], b)"


def _getitem(site: Site) -> str:
    """torch has no negative steps."""
    index = parse_index(site["index"])
    parts = index if isinstance(index, tuple) else (index,)
    backward = any(isinstance(part, slice) and (part.step or 1) < 0 for part in parts)
    return "elements(a, np.s_[index])" if backward else "a[index]"


def _take(site: Site) -> str:
    axis, places = flat_axis(site)[0], take_places(site)
    listed = str(places.tolist())
    owner, before = ("a.flatten()", "") if site["axis"] is None else ("a", ":, " * axis)
    return f"{owner}[{before}{listed if places.ndim < 2 else f'torch.tensor({listed})'}]"


def _pad(site: Site) -> str:
    if site["mode"] != "constant":
        return "pad(a, pad_width, mode)"
    widths = [size for pair in reversed(padding_pairs(site)) for size in pair]
    value = "" if site["constant_values"] == 0 else ", value=constant_values"
    return f"F.pad(a, {literal(widths)}{value})"


def _roll(site: Site) -> str:
    if site["axis"] is None:
        return "torch.roll(a, shift)"
    axes, shift = site.axes(), site["shift"]
    shifts = shift if isinstance(shift, list | tuple) else [shift] * len(axes)
    if isinstance(site["axis"], int) and isinstance(shift, int):
        return "torch.roll(a, shift, axis)"
    dims = axes if len(axes) == len(shifts) else axes * len(shifts)
    return f"torch.roll(a, {literal(shifts)}, {literal(dims)})"


def _repeat(site: Site) -> str:
    repeats = site["repeats"]
    if isinstance(repeats, list | tuple):
        repeats = repeats[0] if len(repeats) == 1 else f"torch.tensor({list(repeats)})"
    return f"torch.repeat_interleave(a, {repeats}, dim=axis)"


def _same_shape(name: str, more: str = "") -> TableRow:
    """A loss of two operands; torch wants them of one shape."""

    def row(site: Site) -> str:
        pair = "a, b" if site.shapes[0] == site.shapes[1] else "*torch.broadcast_tensors(a, b)"
        return f"F.{name}({pair}{more}, reduction=reduction)"

    return row


def _kl_div(site: Site) -> str:
    """torch warns of its own mean, which is not the mathematical one."""
    pair = "a, b" if site.shapes[0] == site.shapes[1] else "*torch.broadcast_tensors(a, b)"
    mean = site["reduction"] == "mean"
    way = '"none"' if mean else "reduction"
    return f"F.kl_div({pair}, reduction={way}, log_target=log_target)" + (".mean()" if mean else "")


def _pool(name: str, last: str) -> TableRow:
    """torch wants images with channels; of more axes before them it takes two."""

    def row(site: Site) -> str:
        operand, after = "a", ""
        if site.ndim == 2:
            operand, after = "a[None]", "[0]"
        elif site.ndim > 4:
            operand, after = f"a.flatten(0, {site.ndim - 4})", f".reshape({literal(site.shape)})"
        return f"F.{name}({operand}, kernel_size, stride=stride, padding=padding, {last}={last}){after}"

    return row


def _layer_norm(site: Site) -> str:
    return f"F.layer_norm(a, {literal(site.shapes[0][layer_axes(site)[0] :])}, eps=eps)"


def _dropout(site: Site) -> str:
    if site["p"] == 1:
        return "torch.zeros_like(a)"
    kept = f"np.random.default_rng(seed).random({literal(site.shape)}) >= p"
    return f"a * torch.tensor({kept}) / (1.0 - p)"


def _call(name: str, operands: str = "a", module: str = "torch") -> TableRow:
    return f"{module}.{name}({operands})"


def _cross_entropy(site: Site) -> str:
    if site.shapes[0] == site.shapes[1]:
        return "F.cross_entropy(a, b, reduction=reduction)"
    return "F.cross_entropy(a, b.long(), ignore_index=ignore_index, reduction=reduction)"


def _outer(site: Site) -> str:
    flat = [*map(len, site.shapes)] == [1, 1]
    return "torch.outer(a, b)" if flat else "torch.outer(a.flatten(), b.flatten())"


def _cross(site: Site) -> str:
    axes = cross_axes(site)
    return "cross(a, b)" if set(axes) == {-1} else f"cross(a, b, {', '.join(map(str, axes))})"


def _slogdet(site: Site) -> str:
    """The sign has a gradient here, which is 0, and none in PyTorch."""
    return "torch.linalg.slogdet(a)[part]" if site["part"] else "torch.sign(torch.linalg.det(a))"


def _diag(site: Site) -> str:
    return f"torch.{'diag' if site.ndim == 1 else 'diagonal'}(a{', k' if site['k'] else ''})"


def _embedding(site: Site) -> str:
    return "F.embedding(a.long(), b)" if len(site.shapes[1]) == 2 else "b[a.long()]"


def _clip(site: Site) -> str:
    return "+a" if site["min"] is site["max"] is None else "torch.clamp(a, min=min, max=max)"


def _transpose(site: Site) -> str:
    if site["axes"] is not None:
        return "a.permute(axes)"
    return "a.T" if site.ndim == 2 else f"a.permute({literal(tuple(range(site.ndim))[::-1])})"


def _expand_dims(site: Site) -> str:
    return "torch.unsqueeze(a, axis)" if isinstance(site["axis"], int) else f"a.reshape({literal(site.shape)})"


SAME_UNARY = (
    "abs exp exp2 expm1 log log2 log10 log1p sqrt square reciprocal erf erfc digamma deg2rad rad2deg floor ceil trunc "
    "sign nan_to_num sin cos tan arcsin arccos arctan sinh cosh tanh arcsinh arccosh arctanh sinc sigmoid relu ravel"
)
SAME_BINARY = "maximum minimum fmax fmin inner kron logaddexp logaddexp2 hypot fmod arctan2"
OF_F = "selu softplus logsigmoid softsign hardtanh relu6 silu mish"
SAME_STACK = "hstack vstack dstack"

ROWS: dict[str, TableRow] = {
    **{name: _call(name) for name in SAME_UNARY.split()},
    **{name: _call(name, "a, b") for name in SAME_BINARY.split()},
    **{name: _call(name, module="F") for name in OF_F.split()},
    **{name: _call(name, "[*parts]") for name in SAME_STACK.split()},
    **{name: _call(name, module="torch.linalg") for name in ("inv", "det")},
    "add": "a + b", "subtract": "a - b", "multiply": "a * b", "divide": "a / b", "negative": "-a", "power": "a ** b",
    "positive": "+a", "matmul": "a @ b", "remainder": "a % b",
    "floor_divide": 'torch.div(a, b, rounding_mode="floor")',
    "leaky_relu": "F.leaky_relu(a, negative_slope=slope)", "elu": "F.elu(a, alpha=alpha)",
    "gelu": "F.gelu(a, approximate=approximate)",
    "logit": "torch.logit(a)", "cbrt": "Cbrt.apply(a)", "digamma": "Digamma.apply(a)", "gammaln": "torch.lgamma(a)",
    "zeta": "torch.special.zeta(a.detach(), b)",
    "sum": "torch.sum(a, dim=axis, keepdim=keepdims)", "mean": "torch.mean(a, dim=axis, keepdim=keepdims)",
    "prod": _one_dim("torch.prod"), "max": _dims("torch.amax"), "min": _dims("torch.amin"), "median": _median,
    "argmax": "torch.argmax(a, dim=axis, keepdim=keepdims).to(a.dtype)",
    "argmin": "torch.argmin(a, dim=axis, keepdim=keepdims).to(a.dtype)",
    "argsort": unless_none(
        "axis",
        "torch.argsort(a, dim=axis, stable=True).to(a.dtype)",
        "torch.argsort(a.flatten(), stable=True).to(a.dtype)",
    ),
    **{name: f"(a {sign} b).to(torch.result_type(a, b))" for name, sign in COMPARISONS.items()},
    **{name: f"torch.{name}(a, b).to(torch.result_type(a, b))" for name in CONNECTIVES},
    **{name: f"torch.{name}(a).to(a.dtype)" for name in TESTS},
    "stop_gradient": "a.detach()", "put_along_axis": "put_along(a, b, c, axis, accumulate)",
    "var": "torch.var(a, dim=axis, correction=ddof | 1, keepdim=keepdims)",
    "std": "torch.std(a, dim=axis, correction=ddof | 1, keepdim=keepdims)",
    "logsumexp": _dims("torch.logsumexp", every=True), "norm": _norm,
    "cumsum": _along_line("torch.cumsum"), "cumprod": _along_line("torch.cumprod"),
    "softmax": _softmax("softmax"), "log_softmax": _softmax("log_softmax"),
    "dot": _dot, "outer": _outer,
    "cross": _cross, "tensordot": lambda site: f"torch.tensordot(a, b, {tensordot_axes(site)})",
    "einsum": "torch.einsum(subscripts, *parts)",
    "solve": _solve, "slogdet": _slogdet, "eigh": "eigh(a, part)", "cholesky": "cholesky(a)",
    "svd": "torch.linalg.svd(a, full_matrices=False)[part]", "pinv": "torch.linalg.pinv(a, rtol=rcond | ...)",
    "trace": _trace, "diag": _diag,
    "tril": "torch.tril(a, diagonal=k)", "triu": "torch.triu(a, diagonal=k)",
    "pad": _pad, "diff": "torch.diff(a, n=n, dim=axis)",
    "gradient": lambda site: f"torch.gradient(a, spacing=spacing, dim={gradient_axis(site)}, edge_order=edge_order)[0]",
    "dropout": _dropout, "embedding": _embedding,
    "reshape": "a.reshape(shape)", "getitem": _getitem, "index_put": _index_put,
    "astype": lambda site: f"a.to(torch.{site['dtype']})" if site["dtype"] else "+a",
    "where": "torch.where(a != 0.0, b, c)", "clip": _clip,
    "sort": unless_none(
        "axis", "torch.sort(a, dim=axis, stable=True).values", "torch.sort(a.flatten(), stable=True).values"
    ),
    "partition": unless_none("axis", "partition(a, kth, axis)", "partition(a.flatten(), kth, -1)"),
    "take": _take, "take_along_axis": unless_none(
        "axis",
        "torch.take_along_dim(a, b.long() % a.shape[axis], axis)",
        "torch.take_along_dim(a.flatten(), b.long().flatten() % a.numel(), 0)",
    ),
    "concatenate": unless_none(
        "axis", "torch.cat([*parts], dim=axis)", "torch.cat([part.flatten() for part in [*parts]])"
    ),
    "stack": "torch.stack([*parts], dim=axis)",
    **dict.fromkeys(("split", "array_split"), "torch.tensor_split(a, indices_or_sections, dim=axis)[part]"),
    "hsplit": "torch.hsplit(a, indices_or_sections)[part]", "vsplit": "torch.vsplit(a, indices_or_sections)[part]",
    "transpose": _transpose,
    "swapaxes": "torch.swapaxes(a, axis1, axis2)", "moveaxis": "torch.moveaxis(a, source, destination)",
    "squeeze": unless_none("axis", "torch.squeeze(a, axis)", "torch.squeeze(a)"), "expand_dims": _expand_dims,
    "broadcast_to": "torch.broadcast_to(a, shape)",
    "tile": lambda site: f"torch.tile(a, {literal(np.atleast_1d(site['reps']).tolist())})",
    "repeat": _repeat, "roll": _roll, "flip": lambda site: f"torch.flip(a, {literal(site.axes())})",
    "rot90": "torch.rot90(a, k, axes)", "round": "torch.round(a, decimals=decimals)",
    "mse_loss": _same_shape("mse_loss"), "l1_loss": _same_shape("l1_loss"),
    "huber_loss": _same_shape("huber_loss", ", delta=delta"),
    "binary_cross_entropy": _same_shape("binary_cross_entropy"),
    "binary_cross_entropy_with_logits": _same_shape("binary_cross_entropy_with_logits"),
    "hinge": lambda site: reduced("torch.relu(1.0 - a * b)", site["reduction"], "torch"),
    "hinge_embedding_loss": _same_shape("hinge_embedding_loss", ", margin=margin"),
    "kl_div": _kl_div,
    "nll_loss": "F.nll_loss(a, b.long(), ignore_index=ignore_index, reduction=reduction)",
    "cross_entropy": _cross_entropy,
    "conv1d": "F.conv1d(a, b, stride=stride, padding=padding, dilation=dilation, groups=groups)",
    "conv2d": "F.conv2d(a, b, stride=stride, padding=padding, dilation=dilation, groups=groups)",
    "max_pool2d": _pool("max_pool2d", "dilation"), "avg_pool2d": _pool("avg_pool2d", "count_include_pad"),
    "batch_norm": "F.batch_norm(a, None, None, training=True, eps=eps)", "layer_norm": _layer_norm,
}  # fmt: skip
