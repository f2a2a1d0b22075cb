"""ATen's operators that PyTorch has under no such name itself, under ATen's names and parameters, on traced values.

A name that Python has taken ends with an underscore, and one that ATen begins with an underscore has none. Tensors of
whole numbers and of truths come as numpy's arrays.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cadena.core.capture import torch_layers, torch_shapes
from cadena.core.capture.jax_primitives import added_at
from cadena.core.capture.jax_primitives import pad as padded
from cadena.core.capture.record import Unknown
from cadena.core.tracing.traced import apply, plain


def softmax(self: Any, dim: int, half_to_float: bool = False) -> Any:
    return apply("softmax", [self], {"axis": dim})


def log_softmax(self: Any, dim: int, half_to_float: bool = False) -> Any:
    return apply("log_softmax", [self], {"axis": dim})


def safe_softmax(self: Any, dim: int) -> Any:
    """A softmax whose rows of nothing but -inf are 0, and pass no gradient."""
    empty = np.all(plain(self) == -math.inf, axis=dim, keepdims=True)
    if not empty.any():
        return softmax(self, dim)
    y = softmax(apply("where", [empty, 0.0, self]), dim)
    return apply("where", [empty, 0.0, y])


def positive(self: Any, *args: Any, **kwargs: Any) -> Any:
    return self


alias = lift_fresh = to_copy = conj = conj_physical = resolve_conj = resolve_neg = lift = convert_element_type = (
    positive
)


def copy(self: Any, src: Any, non_blocking: bool = False) -> Any:
    return src if src.shape == self.shape else np.broadcast_to(src, self.shape)


def unsafe_view(self: Any, size: Sequence[int]) -> Any:
    return np.reshape(self, list(size))


def broadcast_tensors(tensors: Sequence[Any]) -> Any:
    shape = np.broadcast_shapes(*(item.shape for item in tensors))
    return [np.broadcast_to(item, shape) for item in tensors]


def polygamma(n: int, self: Any) -> Any:
    """The n-th derivative of digamma: (-1)^(n + 1) n! zeta(n + 1, x)."""
    if not n:
        return apply("digamma", [self])
    return apply("zeta", [float(n + 1), self]) * float((-1) ** (n + 1) * math.factorial(n))


def angle(self: Any) -> Any:
    """π for negative numbers; it has no slope."""
    return np.where(np.isnan(self), math.nan, np.less(self, 0.0) * math.pi)


def logcumsumexp(self: Any, dim: int) -> Any:
    largest = np.maximum.accumulate(plain(self), axis=dim).max(axis=dim, keepdims=True)
    return np.log(np.cumsum(np.exp(self - largest), axis=dim)) + largest


def rsqrt(self: Any) -> Any:
    return 1.0 / np.sqrt(self)


def log_sigmoid(self: Any) -> Any:
    return apply("logsigmoid", [self])


def log_sigmoid_forward(self: Any) -> Any:
    return [log_sigmoid(self), None]


def tensor_split(self: Any, sections: int, dim: int = 0) -> Any:
    return np.array_split(self, sections, axis=dim)


def atleast_2d(self: Any) -> Any:
    return self if self.ndim > 1 else np.reshape(self, [1, -1])


def trace(self: Any) -> Any:
    return apply("trace", [self])


def trilinear(i1: Any, i2: Any, i3: Any, expand1: Any, expand2: Any, expand3: Any, sumdim: Any, *_: Any) -> Any:
    """A product of three, each with more axes, summed along some: what torch.nn.Bilinear calls."""
    parts = (
        np.expand_dims(item, tuple(axes)) if axes else item
        for item, axes in ((i1, expand1), (i2, expand2), (i3, expand3))
    )
    first, second, third = parts
    return np.sum(first * second * third, axis=tuple(sumdim))


def embedding_bag(
    weight: Any, indices: Any, offsets: Any, scale_grad_by_freq: bool = False, mode: int = 0, sparse: bool = False,
    per_sample_weights: Any = None, include_last_offset: bool = False, padding_idx: int = -1,
) -> Any:  # fmt: skip
    """By a matrix that says which rows of the table a bag has, and how much of each."""
    if mode == 2 or per_sample_weights is not None or padding_idx >= 0 or scale_grad_by_freq:
        raise Unknown("embedding_bag is known here for sums and means of all rows alike")
    starts = offsets[:-1] if include_last_offset else offsets
    bags = np.searchsorted(starts, np.arange(len(indices)), side="right") - 1
    parts = (np.arange(len(starts))[:, None] == bags).astype(plain(weight).dtype)
    if mode == 1:
        parts = parts / np.maximum(parts.sum(1, keepdims=True), 1)
    return [parts @ apply("embedding", [indices, weight]), None, None, None]


embedding_bag_forward_only = embedding_bag


# --- places


def slice_(self: Any, dim: int = 0, start: Any = None, end: Any = None, step: int = 1) -> Any:
    end = None if end is not None and end >= self.shape[dim] else end
    places: list[Any] = [slice(None)] * self.ndim
    places[dim % self.ndim] = slice(start or 0, end, None if step == 1 else step)
    return self if places[dim % self.ndim] == slice(0, None) else self[tuple(places)]


def _index(indices: Sequence[Any]) -> tuple[Any, ...]:
    places: list[Any] = []
    for item in indices:
        array = None if item is None else np.asarray(item)
        is_mask = array is not None and array.dtype == bool
        places += [slice(None)] if array is None else np.nonzero(array) if is_mask else [array]
    return tuple(places)


def index(self: Any, indices: Sequence[Any]) -> Any:
    return self[_index(indices)]


unsafe_index = index


def index_put(self: Any, indices: Sequence[Any], values: Any, accumulate: bool = False, unsafe: bool = False) -> Any:
    places = _index(indices)
    if not accumulate:
        return torch_shapes.replaced_at(self, places, values)
    flat = np.arange(math.prod(self.shape)).reshape(self.shape)[places]
    return added_at(self, flat.ravel(), np.reshape(np.broadcast_to(values, flat.shape), [-1]))


def index_fill(self: Any, dim: int, index: Any, value: Any) -> Any:
    places = (*(slice(None),) * (dim % self.ndim), np.unique(index)) if self.ndim else ...
    return self[...] * 0.0 + value if places is ... else torch_shapes.replaced_at(self, places, value)


def masked_select(self: Any, mask: Any) -> Any:
    shape = np.broadcast_shapes(self.shape, mask.shape)
    return np.broadcast_to(self, shape)[np.broadcast_to(mask, shape)]


def masked_scatter(self: Any, mask: Any, source: Any) -> Any:
    places = np.flatnonzero(np.broadcast_to(mask, self.shape))
    flat = torch_shapes.replaced_at(np.reshape(self, [-1]), places, np.reshape(source, [-1])[: len(places)])
    return np.reshape(flat, self.shape)


def diagonal_scatter(self: Any, src: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    numbers = np.arange(math.prod(self.shape)).reshape(self.shape)
    places = np.diagonal(numbers, offset, dim1, dim2)
    flat = torch_shapes.replaced_at(np.reshape(self, [-1]), places.ravel(), np.reshape(src, [-1]))
    return np.reshape(flat, self.shape)


def scatter_reduce(self: Any, dim: int, index: Any, src: Any, reduce: str, *, include_self: bool = True) -> Any:
    if reduce not in ("sum", "mean"):
        raise Unknown("scatter_reduce is known here for sums and means")
    ones = np.ones(index.shape)
    counts = np.zeros(self.shape)
    np.add.at(counts.reshape(-1), _along(self, dim % self.ndim, index), ones.ravel())
    start = self if include_self else apply("where", [counts > 0, 0.0, self])
    total = scatter_add(start, dim, index, src)
    if reduce == "sum":
        return total
    return total / np.where(counts > 0, counts + include_self, 1.0)


def index_select(self: Any, dim: int, index: Any) -> Any:
    return self[(*(slice(None),) * (dim % self.ndim), np.atleast_1d(index))] if self.ndim else self


def index_add(self: Any, dim: int, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """By a matrix that has a 1 where a row of the source goes."""
    chosen = np.arange(self.shape[dim])[:, None] == np.atleast_1d(index)[None, :]
    first = np.moveaxis(source, dim, 0) if dim % self.ndim else source
    rows = chosen.astype(plain(source).dtype) @ np.reshape(first, [len(np.atleast_1d(index)), -1])
    shaped = np.reshape(rows, [self.shape[dim], *first.shape[1:]])
    return self + (np.moveaxis(shaped, 0, dim) if dim % self.ndim else shaped) * alpha


def _along(self: Any, dim: int, index: Any) -> Any:
    """The places in the flattened array that an index of `gather` or `scatter` means."""
    places = list(np.indices(index.shape))
    places[dim] = index
    return np.ravel_multi_index(tuple(places), self.shape).ravel()


def scatter_add(self: Any, dim: int, index: Any, src: Any) -> Any:
    dim, cut = dim % self.ndim, tuple(map(slice, index.shape))
    src = src if src.shape == index.shape else src[cut]
    rows = np.moveaxis(index, dim, 0).reshape(len(index) if not dim else index.shape[dim], -1)
    others = [size for axis, size in enumerate(self.shape) if axis != dim]
    if (rows == rows[:, :1]).all() and others == [size for axis, size in enumerate(index.shape) if axis != dim]:
        return index_add(self, dim, rows[:, 0], src)
    return added_at(self, _along(self, dim, index), np.reshape(src, [-1]))


def scatter(self: Any, dim: int, index: Any, src: Any = None, value: Any = None, reduce: Any = None) -> Any:
    if reduce is not None:
        raise Unknown("scatter is known here without reduce")
    flat = np.reshape(self, [-1])
    values = value if src is None else src
    values = np.reshape(values[tuple(map(slice, index.shape))], [-1]) if getattr(values, "ndim", 0) else float(values)
    changed = torch_shapes.replaced_at(flat, _along(self, dim % self.ndim, index), values)
    return np.reshape(changed, self.shape)


def diagonal(self: Any, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Any:
    first, second = dim1 % self.ndim, dim2 % self.ndim
    moved = self if (first, second) == (self.ndim - 2, self.ndim - 1) else np.moveaxis(self, (first, second), (-2, -1))
    rows, columns = moved.shape[-2:]
    places = np.arange(min(rows + min(offset, 0), columns - max(offset, 0)))
    return moved[(..., places - min(offset, 0), places + max(offset, 0))]


def as_strided(self: Any, size: Sequence[int], stride: Sequence[int], storage_offset: Any = None) -> Any:
    """Of a tensor that lies in the memory without gaps; the caller knows no other."""
    places = int(storage_offset or 0) + sum(
        np.arange(length).reshape(-1, *(1,) * (len(size) - axis - 1)) * step
        for axis, (length, step) in enumerate(zip(size, stride))
    )
    return np.reshape(self, [-1])[np.broadcast_to(places, size)]


def unfold(self: Any, dimension: int, size: int, step: int) -> Any:
    axis = dimension % self.ndim
    starts = np.arange(0, self.shape[axis] - size + 1, step)
    windows = self[(*(slice(None),) * axis, starts[:, None] + np.arange(size))]
    return np.moveaxis(windows, axis + 1, -1)


def pack_padded_sequence(input: Any, lengths: Any, batch_first: bool) -> Any:
    """The steps of all sequences that are so long, one step after the other; longer sequences come first."""
    counts = [int(np.sum(lengths > step)) for step in range(int(np.max(lengths)))]
    steps = np.repeat(np.arange(len(counts)), counts)
    rows = np.concatenate([np.arange(count) for count in counts])
    return [input[(rows, steps) if batch_first else (steps, rows)], None]


def constant_pad_nd(self: Any, pad: Sequence[int], value: Any = 0) -> Any:
    pairs = [(pad[at], pad[at + 1], 0) for at in range(0, len(pad), 2)][::-1]
    return padded(self, value, padding_config=[(0, 0, 0)] * (self.ndim - len(pairs)) + pairs)


# --- convolutions and pools


def convolution(
    input: Any, weight: Any, bias: Any, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int],
    transposed: bool, output_padding: Sequence[int], groups: int,
) -> Any:  # fmt: skip
    count = weight.ndim - 2
    if transposed:
        input, weight = _as_direct(input, weight, stride, padding, dilation, output_padding, groups)
        stride, padding = [1] * count, [0] * count
    how: dict[str, Any] = {"stride": list(stride), "padding": list(padding), "dilation": list(dilation)}
    how["groups"] = groups
    y: Any = _convolved_3d(input, weight, **how) if count == 3 else torch_layers.convolved(input, weight, **how)
    return y if bias is None else y + np.reshape(bias, [-1, *(1,) * count])


def _as_direct(
    input: Any, weight: Any, stride: Any, padding: Any, dilation: Any, output_padding: Any, groups: int
) -> tuple[Any, Any]:
    """Image and kernel of a convolution that does what a transposed one does: the image spread, the kernel turned."""
    ends = [reach * (size - 1) - pad for reach, size, pad in zip(dilation, weight.shape[2:], padding)]
    config = [
        (0, 0, 0),
        (0, 0, 0),
        *((end, end + more, step - 1) for end, more, step in zip(ends, output_padding, stride)),
    ]
    turned = apply("flip", [weight], {"axis": list(range(2, weight.ndim))})
    split = np.reshape(turned, [groups, weight.shape[0] // groups, *weight.shape[1:]])
    swapped = np.swapaxes(split, 1, 2)
    return padded(input, 0.0, padding_config=config), np.reshape(swapped, [-1, *swapped.shape[2:]])


def _convolved_3d(input: Any, weight: Any, stride: Any, padding: Any, dilation: Any, groups: int) -> Any:
    """A sum of convolutions of two axes, one for each place of the kernel along the first."""
    x = padded(input, 0.0, padding_config=[(0, 0, 0)] * 2 + [(padding[0], padding[0], 0)] + [(0, 0, 0)] * 2)
    how = {"stride": stride[1:], "padding": padding[1:], "dilation": dilation[1:], "groups": groups}
    depth = (x.shape[2] - dilation[0] * (weight.shape[2] - 1) - 1) // stride[0] + 1
    total: Any = None
    for place in range(weight.shape[2]):
        start = place * dilation[0]
        part = np.swapaxes(x[:, :, start : start + (depth - 1) * stride[0] + 1 : stride[0]], 1, 2)
        y = torch_layers.convolved(np.reshape(part, [-1, *part.shape[2:]]), weight[:, :, place], **how)
        total = y if total is None else total + y
    return np.swapaxes(np.reshape(total, [input.shape[0], depth, *total.shape[1:]]), 1, 2)


def adaptive_avg_pool3d(self: Any, output_size: Sequence[int]) -> Any:
    return torch_layers.adaptive_means(self, output_size)


def avg_pool3d(
    self: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = None,
) -> Any:  # fmt: skip
    """The mean of pools of two axes, one for each place of the window along the first."""
    sizes, steps, around = (list(item) for item in (kernel_size, stride or kernel_size, padding or [0, 0, 0]))
    sizes, steps, around = ((item * 3)[:3] for item in (sizes, steps, around))
    if ceil_mode or divisor_override or (not count_include_pad and any(around)):
        raise Unknown("avg_pool3d is known here without ceil_mode and divisor_override, and counts the padding")
    x = padded(self, 0.0, padding_config=[(0, 0, 0)] * (self.ndim - 3) + [(around[0], around[0], 0)] + [(0, 0, 0)] * 2)
    depth = (x.shape[-3] - sizes[0]) // steps[0] + 1
    slices = [x[..., at : at + (depth - 1) * steps[0] + 1 : steps[0], :, :] for at in range(sizes[0])]
    how = {"kernel_size": sizes[1:], "stride": steps[1:], "padding": around[1:]}
    return sum(apply("avg_pool2d", [item], how) for item in slices) / sizes[0]


def upsample_nearest2d(self: Any, output_size: Any = None, *scales: Any, **named: Any) -> Any:
    factors = next((item for item in (*scales, *named.values()) if isinstance(item, list)), None)
    sizes = output_size or [int(size * factor) for size, factor in zip(self.shape[-2:], factors or ())]
    rows, columns = (np.arange(size) * there // size for size, there in zip(sizes, self.shape[-2:]))
    return self[(..., rows[:, None], columns)]


def linalg_vector_norm(self: Any, ord: float = 2, dim: Any = None, keepdim: bool = False) -> Any:
    axis = list(dim) if isinstance(dim, tuple | list) else dim
    how = {"axis": axis or None if isinstance(axis, list) else axis, "keepdims": keepdim}
    if ord >= 1:
        return apply("norm", [self], {"ord": None if ord == 2 else "inf" if ord == math.inf else float(ord), **how})
    if ord == -math.inf:
        return apply("min", [np.abs(self)], how)
    zero = apply("equal", [self, 0.0])
    if ord == 0:  # counts, so that no gradient comes back
        return np.sum(
            apply("not_equal", [self, 0.0]),
            axis=None if how["axis"] is None else tuple(np.atleast_1d(axis)),
            keepdims=keepdim,
        )
    # the slope at 0 is infinite; PyTorch lets no gradient pass there
    powers = apply("where", [zero, 0.0, np.abs(apply("where", [zero, 1.0, self])) ** float(ord)])
    return apply("sum", [powers], how) ** (1.0 / ord)


def cdist_forward(x1: Any, x2: Any, p: float, compute_mode: Any = None) -> Any:
    return linalg_vector_norm(np.expand_dims(x1, -2) - np.expand_dims(x2, -3), p, -1)


def pdist_forward(self: Any, p: float = 2) -> Any:
    rows, columns = np.triu_indices(self.shape[0], 1)
    return linalg_vector_norm(self[rows] - self[columns], p, -1)


# --- normalization: with the results that only a reverse pass reads left out


def native_layer_norm(input: Any, normalized_shape: Any, weight: Any, bias: Any, eps: float) -> Any:
    return [torch_layers.layer_norm(input, normalized_shape, weight, bias, eps), None, None]


def native_group_norm(input: Any, weight: Any, bias: Any, N: int, C: int, HxW: int, group: int, eps: float) -> Any:
    return [torch_layers.group_norm(input, group, weight, bias, eps), None, None]


def native_batch_norm(
    input: Any, weight: Any, bias: Any, running_mean: Any, running_var: Any, training: bool, momentum: float, eps: float
) -> Any:
    y = torch_layers.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)
    return [y, None, None]


def var_mean(self: Any, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    return [
        torch_shapes.var(self, dim, keepdim=keepdim, correction=correction),
        apply("mean", [self], {"axis": list(dim) if dim else None, "keepdims": keepdim}),
    ]


def std_mean(self: Any, dim: Any = None, *, correction: Any = None, keepdim: bool = False) -> Any:
    _, mean = var_mean(self, dim, correction=correction, keepdim=keepdim)
    return [torch_shapes.std(self, dim, keepdim=keepdim, correction=correction), mean]


# --- matrices


def linalg_cholesky_ex(self: Any, *, upper: bool = False, check_errors: bool = False) -> Any:
    lower = apply("cholesky", [self])
    return [np.swapaxes(lower, -1, -2) if upper else lower, None]


def linalg_solve_triangular(self: Any, B: Any, *, upper: bool, left: bool = True, unitriangular: bool = False) -> Any:
    if unitriangular:
        inner = {"k": 1 if upper else -1}
        triangle = apply("triu" if upper else "tril", [self], inner) + np.eye(self.shape[-1])
    else:
        triangle = apply("triu" if upper else "tril", [self])
    if left:
        return apply("solve", [triangle, B])
    return np.swapaxes(apply("solve", [np.swapaxes(triangle, -1, -2), np.swapaxes(B, -1, -2)]), -1, -2)


def triangular_solve(
    self: Any, A: Any, upper: bool = True, transpose: bool = False, unitriangular: bool = False
) -> Any:
    triangle = np.swapaxes(A, -1, -2) if transpose else A
    turned = upper != transpose
    return [linalg_solve_triangular(triangle, self, upper=turned, unitriangular=unitriangular), +A]


def cholesky_inverse(self: Any, upper: bool = False) -> Any:
    lower = np.swapaxes(self, -1, -2) if upper else self
    lower = apply("tril", [lower])
    return apply("inv", [lower @ np.swapaxes(lower, -1, -2)])


def cholesky_solve(self: Any, input2: Any, upper: bool = False) -> Any:
    lower = np.swapaxes(input2, -1, -2) if upper else input2
    return apply("solve", [lower @ np.swapaxes(lower, -1, -2), self])


def linalg_eigh(A: Any, UPLO: str = "L", compute_v: bool = True) -> Any:
    return [apply("eigh", [A], {"part": 0}), apply("eigh", [A], {"part": 1}) if compute_v else None]


def linalg_svd(A: Any, full_matrices: bool = False, compute_uv: bool = True, *, driver: Any = None) -> Any:
    if full_matrices and A.shape[-1] != A.shape[-2]:
        raise Unknown("svd is known here without full_matrices")
    return [apply("svd", [A], {"part": part}) if compute_uv or part == 1 else None for part in range(3)]


def linalg_slogdet(A: Any) -> Any:
    return [apply("slogdet", [A], {"part": 0}), apply("slogdet", [A], {"part": 1}), None, None]


def linalg_det(A: Any) -> Any:
    return [apply("det", [A]), None, None]


def linalg_pinv(self: Any, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Any:
    if atol is not None and np.any(plain(atol)):
        raise Unknown("pinv is known here without atol")
    least = float(plain(rtol)) if rtol is not None else max(self.shape[-2:]) * np.finfo(plain(self).dtype).eps
    return apply("pinv", [self], {"rcond": float(least)})


def linalg_inv_ex(A: Any, *, check_errors: bool = False) -> Any:
    return [apply("inv", [A]), None]


def linalg_solve_ex(A: Any, B: Any, *, left: bool = True, check_errors: bool = False) -> Any:
    if B.ndim == 1 or (B.ndim == A.ndim - 1 and B.shape == A.shape[:-1]):
        return [np.squeeze(apply("solve", [A, np.expand_dims(B, -1)]), axis=-1), None, None, None]
    if not left:
        turned = apply("solve", [np.swapaxes(A, -1, -2), np.swapaxes(B, -1, -2)])
        return [np.swapaxes(turned, -1, -2), None, None, None]
    return [apply("solve", [A, B]), None, None, None]
