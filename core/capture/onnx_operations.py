"""ONNX's operations on traced values, under its names: one table, and functions for those that are several operations.

A function takes the inputs (None for one that is left out), and as keywords the node's attributes and its opset.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.capture import torch_layers
from cadena.core.capture.record import Unknown
from cadena.core.tracing.traced import Traced, apply

SAME: Mapping[str, str] = {
    **{name: name.lower() for name in (
        "Add Abs Exp Log Sqrt Sin Cos Tan Sinh Cosh Tanh Erf Floor Ceil Round Sign Sigmoid Relu Softplus Softsign Mish "
        "Reciprocal Where Det MatMul"
    ).split()},
    "Sub": "subtract", "Mul": "multiply", "Div": "divide", "Neg": "negative", "Pow": "power", "Asin": "arcsin",
    "Acos": "arccos", "Atan": "arctan", "Asinh": "arcsinh", "Acosh": "arccosh", "Atanh": "arctanh",
}  # fmt: skip


def read(kind: str, inputs: Sequence[Any], attributes: Mapping[str, Any], opset: int) -> Any:
    """The result, or the list of results, of a node. Raises Unknown for one that is not known so."""
    try:
        if kind in SAME:
            return apply(SAME[kind], [item for item in inputs if item is not None])
        return COMPOSED[kind](*inputs, **attributes, opset=opset)
    except (TypeError, ValueError, IndexError, KeyError) as error:
        raise Unknown(str(error)) from None


def _listed(numbers: Any) -> list[int]:
    """A plain input that holds sizes, axes or places."""
    if isinstance(numbers, Traced):
        raise Unknown("sizes and places must be numbers that no other value changes")
    return [int(item) for item in np.ravel(np.asarray(numbers))]


def _number(item: Any) -> float | None:
    if isinstance(item, Traced):
        (item,) = np.ravel(np.asarray(item.value))
    return None if item is None else float(np.asarray(item).reshape(()))


# --- elementwise


def Identity(x: Any, **_: Any) -> Any:
    return x


def Dropout(x: Any, ratio: Any = None, training_mode: Any = None, **_: Any) -> Any:
    if training_mode is not None and np.any(training_mode):
        raise Unknown("Dropout is known here outside of training alone")
    return [x, None]


def Max(*parts: Any, opset: int) -> Any:
    return _pairwise("maximum", parts)


def Min(*parts: Any, opset: int) -> Any:
    return _pairwise("minimum", parts)


def Sum(*parts: Any, opset: int) -> Any:
    return _pairwise("add", parts)


def Mean(*parts: Any, opset: int) -> Any:
    return _pairwise("add", parts) / float(len(parts))


def _pairwise(op: str, parts: Sequence[Any]) -> Any:
    result = parts[0]
    for part in parts[1:]:
        result = apply(op, [result, part])
    return result


def Mod(a: Any, b: Any, *, fmod: int = 0, opset: int) -> Any:
    return apply("fmod" if fmod else "remainder", [a, b])


def Clip(x: Any, least: Any = None, most: Any = None, *, min: float | None = None, max: float | None = None,
         opset: int) -> Any:  # fmt: skip
    """The limits are inputs; they were attributes before."""
    return apply("clip", [x], {"min": min if least is None else _number(least),
                               "max": max if most is None else _number(most)})  # fmt: skip


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


def Softmax(x: Any, *, axis: int | None = None, opset: int) -> Any:
    return _softmax("softmax", x, axis, opset)


def LogSoftmax(x: Any, *, axis: int | None = None, opset: int) -> Any:
    return _softmax("log_softmax", x, axis, opset)


def _softmax(op: str, x: Any, axis: int | None, opset: int) -> Any:
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


def MaxPool(x: Any, *, kernel_shape: Sequence[int], opset: int, ceil_mode: int = 0, storage_order: int = 0,
            **how: Any) -> Any:  # fmt: skip
    flat, kernel, how = _in_two_axes(x, kernel_shape, how)
    window = _window(flat.shape[2:], how, kernel)
    flat, padding = _padded(flat, window["pads"], -math.inf)
    pooled = torch_layers.max_pool2d(flat, kernel, window["strides"], padding, window["dilations"], bool(ceil_mode))
    return [np.reshape(pooled, [*x.shape[:2], *pooled.shape[2 + 4 - x.ndim :]]) if x.ndim == 3 else pooled, None]


def AveragePool(x: Any, *, kernel_shape: Sequence[int], opset: int, ceil_mode: int = 0, count_include_pad: int = 0,
                **how: Any) -> Any:  # fmt: skip
    flat, kernel, how = _in_two_axes(x, kernel_shape, how)
    window = _window(flat.shape[2:], how, kernel)
    pads = window["pads"]
    if pads[:2] != pads[2:] and not count_include_pad:
        raise Unknown("AveragePool is known here with the same border at both ends")
    if set(window["dilations"]) != {1}:
        raise Unknown("AveragePool is known here without dilations")
    flat, padding = _padded(flat, pads, 0.0)
    pooled = torch_layers.avg_pool2d(flat, kernel, window["strides"], padding, bool(ceil_mode), bool(count_include_pad))
    return np.reshape(pooled, [*x.shape[:2], *pooled.shape[3:]]) if x.ndim == 3 else pooled


def _in_two_axes(x: Any, kernel: Sequence[int], how: Mapping[str, Any]) -> tuple[Any, list[int], dict[str, Any]]:
    """A pool along one axis as one along two, the first of one row."""
    if x.ndim == 4:
        return x, list(kernel), dict(how)
    if x.ndim != 3:
        raise Unknown("a pool is known here along one or two axes")
    wide = {name: [1, *how[name]] for name in ("strides", "dilations") if how.get(name)}
    pads = {"pads": [0, how["pads"][0], 0, how["pads"][1]]} if how.get("pads") else {}
    return np.expand_dims(x, 2), [1, *kernel], {**how, **wide, **pads}


def GlobalAveragePool(x: Any, *, opset: int) -> Any:
    return np.mean(x, axis=tuple(range(2, x.ndim)), keepdims=True)


def GlobalMaxPool(x: Any, *, opset: int) -> Any:
    return np.max(x, axis=tuple(range(2, x.ndim)), keepdims=True)


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
    places = np.asarray(_plain_places(indices))
    if not places.ndim:
        return x[(*(slice(None),) * (axis % x.ndim), int(places))]
    return apply("take", [x], {"indices": places.tolist(), "axis": axis})


def GatherElements(x: Any, indices: Any, *, axis: int = 0, opset: int) -> Any:
    places = np.asarray(_plain_places(indices))
    return apply("take_along_axis", [x, np.where(places < 0, places + x.shape[axis], places).astype(float)],
                 {"axis": axis})  # fmt: skip


def _plain_places(indices: Any) -> Any:
    if isinstance(indices, Traced):
        raise Unknown("places must be numbers that no other value changes")
    return indices


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
    filled = others.get("value", 0.0) if value is None else _number(value) or 0.0
    rest = {"constant_values": float(filled)} if mode == "constant" else {}
    return apply("pad", [x], {"pad_width": widths, "mode": mode, **rest})


def Trilu(x: Any, k: Any = None, *, upper: int = 1, opset: int) -> Any:
    return apply("triu" if upper else "tril", [x], {"k": 0 if k is None else _listed(k)[0]})


def Cast(x: Any, *, opset: int, **_: Any) -> Any:
    return x


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
    "ReduceSum": _reduction("sum"), "ReduceMean": _reduction("mean"), "ReduceMax": _reduction("max"),
    "ReduceMin": _reduction("min"), "ReduceProd": _reduction("prod"), "ReduceLogSumExp": _reduction("logsumexp"),
    "ReduceL1": _reduction("sum", np.abs), "ReduceL2": _reduction("norm"),
    "ReduceSumSquare": _reduction("sum", np.square), "ReduceLogSum": _reduction("sum", after=np.log),
}  # fmt: skip
# On sizes, places and truths that no parameter changes; onnx's own reference computes these.
PLAIN = frozenset((
    "Constant ConstantOfShape Shape Size Range Cast CastLike Equal Greater GreaterOrEqual Less LessOrEqual And Or Not "
    "Xor NonZero ArgMax ArgMin OneHot EyeLike IsNaN IsInf BitShift ScatterND ScatterElements Unique TopK GatherND"
).split())  # fmt: skip
KNOWN = frozenset((*SAME, *COMPOSED, *PLAIN))
