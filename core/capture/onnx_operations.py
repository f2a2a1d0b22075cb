"""ONNX's operations on traced values, under its names: one table, and functions for those that are several operations.

A function takes the inputs (None for one that is left out), and as keywords the node's attributes and its opset.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

import numpy as np

from cadena.core.capture import torch_layers
from cadena.core.capture.jax_primitives import pad
from cadena.core.capture.record import Unknown
from cadena.core.capture.windows import each_window, max_pool
from cadena.core.tracing.traced import Traced, apply, plain

BOOL, REAL = 9, (1, 10, 11)  # ONNX's numbers for types
SAME: Mapping[str, str] = {
    **{name: name.lower() for name in (
        "Add Abs Exp Log Sqrt Sin Cos Tan Sinh Cosh Tanh Erf Floor Ceil Round Sign Sigmoid Relu Softplus Softsign Mish "
        "Reciprocal Where Det MatMul Greater Less Equal IsNaN"
    ).split()},
    "GreaterOrEqual": "greater_equal", "LessOrEqual": "less_equal", "And": "logical_and", "Or": "logical_or",
    "Xor": "logical_xor", "Not": "logical_not", "Sub": "subtract", "Mul": "multiply",
    "Neg": "negative", "Pow": "power", "Asin": "arcsin",
    "Acos": "arccos", "Atan": "arctan", "Asinh": "arcsinh", "Acosh": "arccosh", "Atanh": "arctanh",
}  # fmt: skip


def read(kind: str, inputs: Sequence[Any], attributes: Mapping[str, Any], opset: int) -> Any:
    """The result, or the list of results, of a node. Raises Unknown for one that is not known so."""
    try:
        if kind in SAME:
            return apply(SAME[kind], [_as_real(item, inputs) for item in inputs if item is not None])
        if kind not in COMPOSED:
            raise Unknown("it would read values that change")
        return COMPOSED[kind](*inputs, **attributes, opset=opset)
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise Unknown(str(error)) from None


def _as_real(item: Any, others: Sequence[Any]) -> Any:
    """Plain whole numbers and truths beside traced values, in the type of these."""
    if isinstance(item, Traced) or np.asarray(item).dtype.kind not in "biu":
        return item
    dtype = next(plain(other).dtype for other in others if isinstance(other, Traced))
    if np.any(np.asarray(item).astype(dtype).astype(np.float64) != np.asarray(item).astype(np.float64)):
        raise Unknown(f"whole numbers among its operands are too large for {dtype}")
    return np.asarray(item).astype(dtype)[()]


def _listed(numbers: Any) -> list[int]:
    """A plain input that holds sizes, axes or places."""
    if isinstance(numbers, Traced):
        raise Unknown("sizes and places must be numbers that no other value changes")
    return [int(item) for item in np.ravel(np.asarray(numbers))]


# --- elementwise


def Identity(x: Any, **_: Any) -> Any:
    return x


def Dropout(x: Any, ratio: Any = None, training_mode: Any = None, **_: Any) -> Any:
    if training_mode is not None and np.any(training_mode):
        raise Unknown("Dropout is known here outside of training alone")
    return [x, None]


def Div(a: Any, b: Any, *, whole: bool = False, opset: int) -> Any:
    quotient = apply("divide", [_as_real(item, (a, b)) for item in (a, b)])
    return apply("trunc", [quotient]) if whole else quotient


def IsInf(x: Any, *, detect_negative: int = 1, detect_positive: int = 1, opset: int) -> Any:
    if detect_negative and detect_positive:
        return apply("isinf", [x])
    if not detect_negative and not detect_positive:
        return apply("isinf", [0.0 * x]) * 0.0
    return apply("equal", [x, math.inf if detect_positive else -math.inf])


def _pairwise(op: str, parts: Sequence[Any]) -> Any:
    """An operation of two operands on any number of them, from the first on."""
    result = parts[0]
    for part in parts[1:]:
        result = apply(op, [_as_real(item, parts) for item in (result, part)])
    return result


def Mod(a: Any, b: Any, *, fmod: int = 0, opset: int) -> Any:
    return apply("fmod" if fmod else "remainder", [_as_real(item, (a, b)) for item in (a, b)])


def Clip(x: Any, least: Any = None, most: Any = None, *, min: float | None = None, max: float | None = None,
         opset: int) -> Any:  # fmt: skip
    """The limits are inputs; they were attributes before."""
    least, most = min if least is None else least, max if most is None else most
    if any(isinstance(item, Traced) for item in (least, most)):
        raised = x if least is None else apply("maximum", [x, least])
        return raised if most is None else apply("minimum", [raised, most])
    ends = (None if item is None else float(np.asarray(item).reshape(())) for item in (least, most))
    return apply("clip", [x], dict(zip(("min", "max"), ends)))


def LeakyRelu(x: Any, *, alpha: float = 0.01, opset: int) -> Any:
    return apply("leaky_relu", [x], {"slope": float(alpha)})


def PRelu(x: Any, slope: Any, *, opset: int) -> Any:
    return apply("relu", [x]) - slope * apply("relu", [-x])


def Elu(x: Any, *, alpha: float = 1.0, opset: int) -> Any:
    return apply("elu", [x], {"alpha": float(alpha)})


def Selu(x: Any, *, alpha: float = 1.6732632, gamma: float = 1.0507010, opset: int) -> Any:
    if math.isclose(alpha, 1.6732632, rel_tol=1e-6) and math.isclose(gamma, 1.0507010, rel_tol=1e-6):
        return apply("selu", [x])
    return gamma * apply("elu", [x], {"alpha": float(alpha)})


def Gelu(x: Any, *, approximate: str = "none", opset: int) -> Any:
    return apply("gelu", [x], {"approximate": approximate})


def HardSigmoid(x: Any, *, alpha: float = 0.2, beta: float = 0.5, opset: int) -> Any:
    return apply("clip", [float(alpha) * x + float(beta)], {"min": 0.0, "max": 1.0})


def HardSwish(x: Any, *, opset: int) -> Any:
    return x * HardSigmoid(x, alpha=1.0 / 6.0, opset=opset)


def _softmax(op: str, x: Any, *, axis: int | None = None, opset: int) -> Any:
    """Before opset 13 all axes from the given one on are one."""
    if opset >= 13:
        return apply(op, [x], {"axis": -1 if axis is None else axis})
    flat = Flatten(x, axis=1 if axis is None else axis, opset=opset)
    return np.reshape(apply(op, [flat], {"axis": 1}), list(x.shape))


# --- matrices, convolutions, pools, normalization


def Gemm(a: Any, b: Any, c: Any = None, *, alpha: float = 1.0, beta: float = 1.0, transA: int = 0, transB: int = 0,
         opset: int) -> Any:  # fmt: skip
    product = (a.T if transA else a) @ (b.T if transB else b)
    product = product if alpha == 1.0 else float(alpha) * product
    return product if c is None else product + (c if beta == 1.0 else float(beta) * c)


def Einsum(*parts: Any, equation: str, opset: int) -> Any:
    return apply("einsum", list(parts), {"subscripts": equation.replace(" ", "")})


def Conv(x: Any, kernel: Any, bias: Any = None, *, opset: int, group: int = 1, **how: Any) -> Any:
    count = x.ndim - 2
    if count not in (1, 2):
        raise Unknown("Conv is known here along one or two axes")
    window = _window(x.shape[2:], how, kernel.shape[2:])
    x, padding = _padded(x, window["pads"], 0.0)
    settings = {"stride": window["strides"], "padding": padding, "dilation": window["dilations"], "groups": group}
    convolution: Callable[..., Any] = torch_layers.conv1d if count == 1 else torch_layers.conv2d
    return convolution(x, kernel, bias, **settings)


def _window(sizes: Sequence[int], how: Mapping[str, Any], kernel: Sequence[int]) -> dict[str, list[int]]:
    """How a window moves: strides, dilations, and the border before each axis, then that after each."""
    count = len(sizes)
    strides = list(how.get("strides") or [1] * count)
    dilations = list(how.get("dilations") or [1] * count)
    pads, way = list(how.get("pads") or [0] * 2 * count), how.get("auto_pad", "NOTSET")
    if way in ("SAME_UPPER", "SAME_LOWER"):
        reach = [step * (width - 1) + 1 for width, step in zip(kernel, dilations)]
        totals = [
            max((-(-size // step) - 1) * step + span - size, 0) for size, step, span in zip(sizes, strides, reach)
        ]
        first = [total // 2 if way == "SAME_UPPER" else total - total // 2 for total in totals]
        pads = [*first, *(total - part for total, part in zip(totals, first))]
    return {"strides": strides, "dilations": dilations, "pads": [0] * 2 * count if way == "VALID" else pads}


def _padded(x: Any, pads: Sequence[int], fill: float) -> tuple[Any, list[int]]:
    """The array and the border that an operation is to add: where both ends differ, the border is added here."""
    count = len(pads) // 2
    if list(pads[:count]) == list(pads[count:]):
        return x, list(pads[:count])
    widths = [[0, 0]] * (x.ndim - count) + [[pads[axis], pads[axis + count]] for axis in range(count)]
    return apply("pad", [x], {"pad_width": widths, "constant_values": fill}), [0] * count


PoolReader = tuple[list[int], list[int], list[tuple[int, int]], list[int]]


def _pool(x: Any, kernel: Sequence[int], ceil_mode: int, how: Mapping[str, Any]) -> PoolReader:
    """Kernel, strides, the border before and after, and dilations, for each axis; the border holds the last window."""
    count = len(kernel)
    window = _window(x.shape[2:], how, kernel)
    strides, dilations, pads = window["strides"], window["dilations"], window["pads"]
    pairs = list(zip(pads[:count], pads[count:]))
    if ceil_mode and how.get("auto_pad", "NOTSET") == "NOTSET":
        for axis, (size, width, step, gap) in enumerate(zip(x.shape[2:], kernel, strides, dilations)):
            before, after = pairs[axis]
            reach, whole = gap * (width - 1) + 1, size + before + after
            windows = -(-(whole - reach) // step) + 1
            windows -= (windows - 1) * step >= size + before  # the last one begins inside
            pairs[axis] = (before, after + max(0, (windows - 1) * step + reach - whole))
    return list(kernel), strides, pairs, dilations


def _as_images(x: Any, pool: PoolReader) -> tuple[Any, PoolReader]:
    """A pool along one axis as one along two, the first of one row."""
    if x.ndim == 4:
        return x, pool
    if x.ndim != 3:
        raise Unknown("a pool is known here along one or two axes")
    kernel, strides, pairs, dilations = pool
    return np.expand_dims(x, 2), ([1, *kernel], [1, *strides], [(0, 0), *pairs], [1, *dilations])


def _of_volume(x: Any, pool: PoolReader, fill: float) -> Any:
    """The windows of a pool along three axes, a last axis for their elements."""
    kernel, strides, pairs, dilations = pool
    bordered = apply("pad", [x], {"pad_width": [[0, 0], [0, 0], *map(list, pairs)], "constant_values": fill})
    return each_window(bordered, [1, 1, *kernel], [1, 1, *strides], [1, 1, *dilations])


def MaxPool(x: Any, *, kernel_shape: Sequence[int], opset: int, ceil_mode: int = 0, storage_order: int = 0,
            **how: Any) -> Any:  # fmt: skip
    pool = _pool(x, kernel_shape, ceil_mode, how)
    if x.ndim == 5:
        return [apply("max", [_of_volume(x, pool, -math.inf)], {"axis": -1}), None]
    images, pool = _as_images(x, pool)
    pooled = max_pool(images, *pool)
    return [np.reshape(pooled, [*x.shape[:2], *pooled.shape[3:]]) if x.ndim == 3 else pooled, None]


def AveragePool(x: Any, *, kernel_shape: Sequence[int], opset: int, ceil_mode: int = 0, count_include_pad: int = 0,
                **how: Any) -> Any:  # fmt: skip
    """A sum over each window, divided by how many of its elements count."""
    pool = _pool(x, kernel_shape, ceil_mode, how)
    if x.ndim == 4 and not np.any(pool[2]) and set(pool[3]) == {1}:  # all of them count
        return apply("avg_pool2d", [x], {"kernel_size": pool[0], "stride": pool[1]})
    borders = _window(x.shape[2:], how, kernel_shape)["pads"]
    counted = np.zeros([size + before + after for size, (before, after) in zip(x.shape[2:], pool[2])])
    inside = tuple(slice(0, before + size + after) if count_include_pad else slice(before, before + size)
                   for size, before, after in zip(x.shape[2:], borders, borders[x.ndim - 2 :]))  # fmt: skip
    counted[inside] = 1.0
    if x.ndim == 5:
        sums = apply("sum", [_of_volume(x, pool, 0.0)], {"axis": -1})
    else:
        images, (kernel, strides, pairs, dilations) = _as_images(x, pool)
        widths = [[0, 0], [0, 0], *map(list, pairs)]
        images = apply("pad", [images], {"pad_width": widths}) if any(map(any, pairs)) else images
        rows = np.reshape(images, [images.shape[0] * images.shape[1], 1, *images.shape[2:]])
        if set(dilations) == {1}:
            sums = apply("avg_pool2d", [rows], {"kernel_size": kernel, "stride": strides}) * float(math.prod(kernel))
        else:
            ones = np.ones((1, 1, *kernel), plain(x).dtype)
            sums = apply("conv2d", [rows, ones], {"stride": strides, "dilation": dilations})
        sums = np.reshape(sums, [*x.shape[:2], *sums.shape[2 if x.ndim == 4 else 3 :]])
    kernel, strides, _, dilations = pool
    counts = _window_sums(counted, kernel, strides, dilations)
    return sums / (float(counts.flat[0]) if np.all(counts == counts.flat[0]) else counts.astype(plain(x).dtype))


def _window_sums(x: Any, kernel: Sequence[int], strides: Sequence[int], dilations: Sequence[int]) -> Any:
    spans = [gap * (width - 1) + 1 for width, gap in zip(kernel, dilations)]
    windows = np.lib.stride_tricks.sliding_window_view(x, spans)
    own = (*(slice(None, None, step) for step in strides), *(slice(None, None, gap) for gap in dilations))
    return windows[own].sum(axis=tuple(range(x.ndim, 2 * x.ndim)))


def LpPool(x: Any, *, kernel_shape: Sequence[int], p: int = 2, opset: int, **how: Any) -> Any:
    sums = AveragePool(np.abs(x) ** float(p), kernel_shape=kernel_shape, count_include_pad=1, opset=opset, **how)
    return (sums * float(math.prod(kernel_shape))) ** (1.0 / p)


def LRN(x: Any, *, size: int, alpha: float = 1e-4, beta: float = 0.75, bias: float = 1.0, opset: int) -> Any:
    """Each element beside those of the channels around it."""
    before, after = (size - 1) // 2, size // 2
    squares = apply("pad", [np.square(x)], {"pad_width": [[0, 0], [before, after]] + [[0, 0]] * (x.ndim - 2)})
    around = _pairwise("add", [squares[:, start : start + x.shape[1]] for start in range(size)])
    return x / (float(bias) + float(alpha) / size * around) ** float(beta)


def _global_pool(reduce: Callable[..., Any], x: Any, *, opset: int) -> Any:
    return reduce(x, axis=tuple(range(2, x.ndim)), keepdims=True)


def BatchNormalization(x: Any, scale: Any, bias: Any, mean: Any, var: Any, *, epsilon: float = 1e-5,
                       training_mode: int = 0, opset: int, **_: Any) -> Any:  # fmt: skip
    return torch_layers.batch_norm(x, mean, var, scale, bias, bool(training_mode), eps=float(epsilon))


def InstanceNormalization(x: Any, scale: Any, bias: Any, *, epsilon: float = 1e-5, opset: int) -> Any:
    return torch_layers.group_norm(x, x.shape[1], scale, bias, float(epsilon))


def GroupNormalization(x: Any, scale: Any, bias: Any, *, num_groups: int, epsilon: float = 1e-5, opset: int,
                       **_: Any) -> Any:  # fmt: skip
    if opset < 21:
        raise Unknown("GroupNormalization is known here from opset 21 on")
    return torch_layers.group_norm(x, num_groups, scale, bias, float(epsilon))


def LayerNormalization(x: Any, scale: Any, bias: Any = None, *, axis: int = -1, epsilon: float = 1e-5, opset: int,
                       **_: Any) -> Any:  # fmt: skip
    return torch_layers.layer_norm(x, x.shape[axis % x.ndim :], scale, bias, float(epsilon))


# --- shapes


def Reshape(x: Any, shape: Any, *, allowzero: int = 0, opset: int) -> Any:
    sizes = _listed(shape)
    return np.reshape(x, [x.shape[axis] if not size and not allowzero else size for axis, size in enumerate(sizes)])


def Flatten(x: Any, *, axis: int = 1, opset: int) -> Any:
    at = axis + x.ndim if axis < 0 else axis
    return np.reshape(x, [math.prod(x.shape[:at]), math.prod(x.shape[at:])])


def Transpose(x: Any, *, perm: Sequence[int] | None = None, opset: int) -> Any:
    return np.transpose(x, None if perm is None else list(perm))


def Squeeze(x: Any, axes_input: Any = None, *, axes: Any = None, opset: int) -> Any:
    chosen = axes if axes_input is None else _listed(axes_input)
    gone = [axis for axis, size in enumerate(x.shape) if size == 1] if chosen is None else [a % x.ndim for a in chosen]
    return np.reshape(x, [size for axis, size in enumerate(x.shape) if axis not in gone])


def Unsqueeze(x: Any, axes_input: Any = None, *, axes: Any = None, opset: int) -> Any:
    chosen = list(axes) if axes_input is None else _listed(axes_input)
    return np.expand_dims(x, tuple(chosen))


def Concat(*parts: Any, axis: int, opset: int) -> Any:
    return apply("concatenate", list(parts), {"axis": axis})


def Split(x: Any, parts: Any = None, *, axis: int = 0, split: Any = None, num_outputs: int | None = None, outputs: int,
          opset: int) -> Any:  # fmt: skip
    sizes = split if parts is None else _listed(parts)
    if sizes is None:
        each = -(-x.shape[axis] // outputs)
        sizes = [max(min(each, x.shape[axis] - at * each), 0) for at in range(outputs)]
    ends = np.cumsum(sizes)
    return [_sliced(x, axis % x.ndim, int(end - size), int(end), 1) for size, end in zip(sizes, ends)]


def _sliced(x: Any, axis: int, start: int | None, stop: int | None, step: int) -> Any:
    return x[(*(slice(None),) * axis, slice(start, stop, None if step == 1 else step))]


def Slice(x: Any, first: Any = None, last: Any = None, along: Any = None, by: Any = None, *, starts: Any = None,
          ends: Any = None, axes: Any = None, opset: int) -> Any:  # fmt: skip
    """The places are inputs; they were attributes before."""
    begin, end = (starts, ends) if first is None else (_listed(first), _listed(last))
    chosen = axes if along is None else _listed(along)
    steps = [1] * len(begin) if by is None else _listed(by)
    for axis, start, stop, step in zip(range(len(begin)) if chosen is None else chosen, begin, end, steps):
        length = x.shape[axis]
        backwards_to_the_end = step < 0 and stop < -length
        x = _sliced(x, axis % x.ndim, max(start, -length), None if backwards_to_the_end else min(stop, length), step)
    return x


def Gather(x: Any, indices: Any, *, axis: int = 0, opset: int) -> Any:
    axis = axis % np.ndim(x)
    if isinstance(indices, Traced):  # rows of a table
        rows = np.moveaxis(x, axis, 0)
        table = np.reshape(rows, [rows.shape[0], math.prod(rows.shape[1:])])
        taken = apply("embedding", [_from_the_start(np.reshape(indices, [-1]), rows.shape[0]), table])
        taken = np.reshape(taken, [*indices.shape, *rows.shape[1:]])
        return taken if not axis else np.transpose(taken, _moved_axes(indices.ndim, axis, taken.ndim))
    places = np.asarray(indices)
    if not places.ndim:
        return x[(*(slice(None),) * axis, int(places))]
    return apply("take", [x], {"indices": places.tolist(), "axis": axis})


def _moved_axes(count: int, to: int, ndim: int) -> list[int]:
    """The order of axes that puts the first `count` behind `to` others."""
    return [*range(count, count + to), *range(count), *range(count + to, ndim)]


def _from_the_start(places: Any, size: int) -> Any:
    """Places that may count from the end."""
    if isinstance(places, Traced):
        return apply("where", [apply("less", [places, 0.0]), places + float(size), places])
    return np.where(places < 0, places + size, places).astype(float)


def GatherElements(x: Any, indices: Any, *, axis: int = 0, opset: int) -> Any:
    return apply("take_along_axis", [x, _from_the_start(indices, np.shape(x)[axis])], {"axis": axis})


def GatherND(x: Any, indices: Any, *, batch_dims: int = 0, opset: int) -> Any:
    if isinstance(indices, Traced) or batch_dims:
        raise Unknown("it is known here for places that no other value changes, without batch_dims")
    places = np.asarray(indices)
    return x[tuple(places[..., axis] for axis in range(places.shape[-1]))]


def ScatterElements(x: Any, indices: Any, updates: Any, *, axis: int = 0, reduction: str = "none", opset: int) -> Any:
    if reduction not in ("none", "add"):
        raise Unknown(f"the reduction {reduction} is not known here")
    how = {"axis": axis, "accumulate": reduction == "add"}
    operands = [_as_real(item, (x, updates)) for item in (x, updates)]
    return apply("put_along_axis", [operands[0], _from_the_start(indices, np.shape(x)[axis]), operands[1]], how)


def _place_of(
    op: str, x: Any, *, axis: int = 0, keepdims: int = 1, select_last_index: int = 0, opset: int
) -> Any:  # fmt: skip
    turned = apply("flip", [x], {"axis": axis}) if select_last_index else x
    place = apply(op, [turned], {"axis": axis, "keepdims": bool(keepdims)})
    return float(x.shape[axis] - 1) - place if select_last_index else place


def TopK(x: Any, k: Any = None, *, axis: int = -1, largest: int = 1, sorted: int = 1, opset: int, **others: Any) -> Any:
    count = _listed(others["k"] if k is None else k)[0]
    order = apply("argsort", [-x if largest else x], {"axis": axis})
    order = _sliced(order, axis % x.ndim, 0, count, 1)
    return [apply("take_along_axis", [x, order], {"axis": axis}), order]


def OneHot(places: Any, depth: Any, values: Any, *, axis: int = -1, opset: int) -> Any:
    count = _listed(depth)[0]
    at = axis % (np.ndim(places) + 1)
    numbers = np.arange(float(count)).reshape([-1] + [1] * (np.ndim(places) - at))
    is_place = apply("equal", [np.expand_dims(_from_the_start(places, count), at), numbers])
    off, on = (values[0], values[1])
    return apply("where", [is_place, *(_as_real(item, (places, values)) for item in (on, off))])


def Expand(x: Any, shape: Any, *, opset: int) -> Any:
    return np.broadcast_to(x, list(np.broadcast_shapes(x.shape, tuple(_listed(shape)))))


def Tile(x: Any, repeats: Any, *, opset: int) -> Any:
    return np.tile(x, _listed(repeats))


def Pad(x: Any, padding: Any = None, value: Any = None, along: Any = None, *, mode: str = "constant", pads: Any = None,
        opset: int, **others: Any) -> Any:  # fmt: skip
    sizes = pads if padding is None else _listed(padding)
    axes = range(x.ndim) if along is None else [axis % x.ndim for axis in _listed(along)]
    widths, count = [[0, 0] for _ in range(x.ndim)], len(sizes) // 2
    for place, axis in enumerate(axes):
        widths[axis] = [int(sizes[place]), int(sizes[place + count])]
    if mode == "constant":
        filled = others.get("value", 0.0) if value is None else value
        filled = np.reshape(filled, []) if isinstance(filled, Traced) else float(np.asarray(filled).reshape(()))
        return pad(x, filled, padding_config=[(before, after, 0) for before, after in widths])
    if any(item < 0 for pair in widths for item in pair):
        raise Unknown("it cuts off and fills in at once")
    return apply("pad", [x], {"pad_width": widths, "mode": mode})


def Trilu(x: Any, k: Any = None, *, upper: int = 1, opset: int) -> Any:
    return apply("triu" if upper else "tril", [x], {"k": 0 if k is None else _listed(k)[0]})


def Cast(x: Any, *, to: int, opset: int, **_: Any) -> Any:
    """To real numbers, whole ones or truths; all are numbers of the graph."""
    return apply("not_equal", [x, 0.0]) if to == BOOL else x if to in REAL else apply("trunc", [x])


# --- sums and the like


def _reduction(op: str, before: Callable[[Any], Any] = lambda x: x, after: Callable[[Any], Any] = lambda x: x) -> Any:
    def reduce(x: Any, axes_input: Any = None, *, axes: Any = None, keepdims: int = 1, noop_with_empty_axes: int = 0,
               opset: int) -> Any:  # fmt: skip
        chosen = (None if axes is None else list(axes)) if axes_input is None else _listed(axes_input)
        if not chosen and noop_with_empty_axes:
            return x
        return after(apply(op, [before(x)], {"axis": chosen or None, "keepdims": bool(keepdims)}))

    return reduce


def CumSum(x: Any, axis: Any, *, exclusive: int = 0, reverse: int = 0, opset: int) -> Any:
    (along,) = _listed(axis)
    turned = apply("flip", [x], {"axis": along}) if reverse else x
    total = apply("cumsum", [turned], {"axis": along})
    total = total - turned if exclusive else total
    return apply("flip", [total], {"axis": along}) if reverse else total


COMPOSED: Mapping[str, Callable[..., Any]] = {
    **{name: function for name, function in globals().copy().items()
       if inspect.isfunction(function) and function.__module__ == __name__ and name[0].isupper()},
    "Max": lambda *parts, opset: _pairwise("maximum", parts), "Min": lambda *parts, opset: _pairwise("minimum", parts),
    "Sum": lambda *parts, opset: _pairwise("add", parts),
    "Mean": lambda *parts, opset: _pairwise("add", parts) / float(len(parts)),
    "Softmax": partial(_softmax, "softmax"), "LogSoftmax": partial(_softmax, "log_softmax"),
    "GlobalAveragePool": partial(_global_pool, np.mean), "GlobalMaxPool": partial(_global_pool, np.max),
    "ArgMax": partial(_place_of, "argmax"), "ArgMin": partial(_place_of, "argmin"),
    "ReduceSum": _reduction("sum"), "ReduceMean": _reduction("mean"), "ReduceMax": _reduction("max"),
    "ReduceMin": _reduction("min"), "ReduceProd": _reduction("prod"), "ReduceLogSumExp": _reduction("logsumexp"),
    "ReduceL1": _reduction("sum", np.abs), "ReduceL2": _reduction("norm"),
    "ReduceSumSquare": _reduction("sum", np.square), "ReduceLogSum": _reduction("sum", after=np.log),
}  # fmt: skip
# On sizes and places that no value changes; onnx's own reference computes these.
PLAIN = frozenset((
    "Constant ConstantOfShape Shape Size Range NonZero EyeLike BitShift ScatterND Unique"
).split())  # fmt: skip
KNOWN = frozenset((*SAME, *COMPOSED, *PLAIN))
