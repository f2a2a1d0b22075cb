"""PyTorch's layers and losses that are several operations, under its own names and parameters, on traced values."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from cadena.core.capture.record import Unknown
from cadena.core.capture.windows import max_pool
from cadena.core.tracing.traced import apply, plain


def embedding(weight: Any, indices: Any, padding_idx: int, scale_grad_by_freq: bool, sparse: bool) -> Any:
    """As torch.embedding has it; torch.nn.functional's turns its own parameters into these."""
    if scale_grad_by_freq:
        raise Unknown("an embedding is not known here with scale_grad_by_freq")
    rows = apply("embedding", [indices, weight])
    padded = np.asarray(plain(indices)) == padding_idx
    if padding_idx < 0 or not padded.any():
        return rows
    return apply("where", [padded[..., None], plain(rows), rows])  # of padding no gradient comes back


def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    product = input @ weight.T
    return product if bias is None else product + bias


def _channels(values: Any, ndim: int) -> Any:
    """Values of the channels, which are the second axis."""
    return np.reshape(values, [-1, *(1,) * (ndim - 2)])


def convolved(input: Any, weight: Any, **how: Any) -> Any:
    """A convolution of one or two axes, without bias."""
    op = f"conv{weight.ndim - 2}d"
    listed = {name: list(item) if isinstance(item, tuple | list) else item for name, item in how.items()}
    listed = {name: item[0] if op == "conv1d" and isinstance(item, list) else item for name, item in listed.items()}
    return apply(op, [input, weight], listed)


def conv1d(
    input: Any, weight: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    y = convolved(input, weight, stride=stride, padding=padding, dilation=dilation, groups=groups)
    return y if bias is None else y + np.reshape(bias, [-1, *(1,) * (weight.ndim - 2)])


conv2d = conv1d


def batch_norm(
    input: Any,
    running_mean: Any = None,
    running_var: Any = None,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Any:
    ndim = input.ndim
    if training:
        y = apply("batch_norm", [input], {"eps": eps})
    else:
        y = (input - _channels(running_mean, ndim)) / np.sqrt(_channels(running_var, ndim) + eps)
    return _affine(y, *(None if item is None else _channels(item, ndim) for item in (weight, bias)))


def _affine(y: Any, weight: Any, bias: Any) -> Any:
    scaled = y if weight is None else y * weight
    return scaled if bias is None else scaled + bias


def layer_norm(
    input: Any, normalized_shape: Sequence[int], weight: Any = None, bias: Any = None, eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Any:  # fmt: skip
    return _affine(apply("layer_norm", [input], {"normalized_shape": list(normalized_shape), "eps": eps}), weight, bias)


def group_norm(input: Any, num_groups: int, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    grouped = np.reshape(input, [input.shape[0], num_groups, -1])
    y = np.reshape(apply("layer_norm", [grouped], {"normalized_shape": [grouped.shape[-1]], "eps": eps}), input.shape)
    return _affine(y, *(None if item is None else _channels(item, input.ndim) for item in (weight, bias)))


def max_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1, ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:  # fmt: skip
    if return_indices:
        raise Unknown("max_pool2d is not known here with return_indices")
    kernel, steps, around, gaps = map(_pair, (kernel_size, stride or kernel_size, padding, dilation))
    sizes = zip(input.shape[-2:], kernel, steps, around, gaps)
    ends = [_missing(*one) for one in sizes] if ceil_mode else (0, 0)
    return max_pool(input, kernel, steps, [(before, before + end) for before, end in zip(around, ends)], gaps)


def _missing(length: int, kernel: int, stride: int, padding: int, dilation: int) -> int:
    """How many places an axis lacks for the last window of a pool in ceil mode, which begins inside of it."""
    reach = dilation * (kernel - 1) + 1
    count = -(-(length + 2 * padding - reach) // stride) + 1
    count -= (count - 1) * stride >= length + padding
    return max(0, (count - 1) * stride + reach - length - 2 * padding)


def avg_pool2d(
    input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
    count_include_pad: bool = True, divisor_override: Any = None,
) -> Any:  # fmt: skip
    if ceil_mode:
        return _average_with_last_windows(
            input, kernel_size, stride or kernel_size, padding, count_include_pad, divisor_override
        )
    how = {"kernel_size": kernel_size, "stride": stride or None, "padding": padding}
    listed = {name: _listed(item) for name, item in how.items()}
    if divisor_override is None:
        return apply("avg_pool2d", [input], {**listed, "count_include_pad": count_include_pad})
    rows, columns = kernel_size if isinstance(kernel_size, tuple | list) else (kernel_size, kernel_size)
    return apply("avg_pool2d", [input], {**listed, "count_include_pad": True}) * (rows * columns / divisor_override)


def _average_with_last_windows(
    input: Any, kernel: Any, stride: Any, padding: Any, counts_padding: bool, divisor: Any
) -> Any:
    """An average pool in ceil mode: of the image with zeros around it, times what its windows count of a number more.

    The last windows may reach over the padding; what is there never counts.
    """
    sizes, steps, around = map(_pair, (kernel, stride, padding))
    ends = [_missing(size, *how, 1) for size, how in zip(input.shape[-2:], zip(sizes, steps, around))]
    config = [[before, before + end] for before, end in zip(around, ends)]
    inner = np.pad(np.ones(input.shape[-2:]), [[before, before] for before in around], constant_values=counts_padding)
    counted = np.pad(inner, [[0, end] for end in ends])
    windows = np.lib.stride_tricks.sliding_window_view(counted, sizes)[:: steps[0], :: steps[1]]
    counts = windows.sum((-1, -2)) if divisor is None else float(divisor)
    if any(map(any, config)):
        input = apply("pad", [input], {"pad_width": [[0, 0]] * (input.ndim - 2) + config})
    return apply("avg_pool2d", [input], {"kernel_size": sizes, "stride": steps}) * (math.prod(sizes) / counts)


def _pair(item: Any) -> list[int]:
    """A setting of a pool for both axes."""
    parts = item if isinstance(item, tuple | list) else (item,)
    return [int(part) for part in (*parts, *parts)[:2]]


def _listed(item: Any) -> Any:
    return list(item) if isinstance(item, tuple | list) else item


def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    wanted = [output_size] * 2 if isinstance(output_size, int) else list(output_size)
    sizes = [size or there for size, there in zip(wanted, input.shape[-2:])]
    if sizes == [1, 1]:
        return np.mean(input, axis=(-2, -1), keepdims=True)
    return adaptive_means(input, sizes)


def adaptive_means(input: Any, sizes: Sequence[int]) -> Any:
    """The means of as many bins along the last axes; bins overlap where an axis does not divide evenly."""
    for axis, count in zip(range(-len(sizes), 0), sizes):
        length = input.shape[axis]
        starts = [(index * length // count, -(-(index + 1) * length // count)) for index in range(count)]
        bins = [input[(..., slice(*ends), *(slice(None),) * (-axis - 1))] for ends in starts]
        means = [np.mean(part, axis=axis, keepdims=True) for part in bins]
        input = np.concatenate(means, axis=axis)
    return input


def cross_entropy(
    input: Any, target: Any, weight: Any = None, size_average: Any = None, ignore_index: int = -100,
    reduce: Any = None, reduction: str = "mean", label_smoothing: float = 0.0,
) -> Any:  # fmt: skip
    if reduce is False or size_average is False:  # what `reduction` was called before
        reduction = "none" if reduce is False else "sum"
    settings = {"reduction": reduction, "ignore_index": ignore_index}
    if weight is not None:
        if label_smoothing or target.ndim == input.ndim:
            raise Unknown("cross_entropy with weight is known here for classes alone, without label_smoothing")
        return _weighted_cross_entropy(input, target, plain(weight), ignore_index, reduction)
    if not label_smoothing:
        return apply("cross_entropy", [input, target], settings)
    if np.any(np.asarray(target.value) == ignore_index) or target.ndim == input.ndim:
        raise Unknown("cross_entropy with label_smoothing is known here for classes alone, none ignored")
    logs = apply("log_softmax", [input], {"axis": 1 if input.ndim > 1 else 0})
    smooth = -np.mean(logs, axis=1 if input.ndim > 1 else 0)
    reduced = smooth if reduction == "none" else apply(reduction, [smooth])
    hard = apply("cross_entropy", [input, target], settings)
    return (1.0 - label_smoothing) * hard + label_smoothing * reduced


def _weighted_cross_entropy(input: Any, target: Any, weight: Any, ignored: int, reduction: str) -> Any:
    classes = np.asarray(plain(target)).astype(int)
    counts = classes != ignored
    weights = np.where(counts, np.asarray(weight)[np.where(counts, classes, 0)], 0.0)
    each = apply("cross_entropy", [input, target], {"reduction": "none", "ignore_index": ignored}) * weights
    if reduction == "none":
        return each
    return np.sum(each) if reduction == "sum" else np.sum(each) / weights.sum()


def scaled_dot_product_attention(
    query: Any, key: Any, value: Any, attn_mask: Any = None, dropout_p: float = 0.0, is_causal: bool = False,
    scale: float | None = None, enable_gqa: bool = False,
) -> Any:  # fmt: skip
    if dropout_p:
        raise Unknown("attention is not known here with dropout_p; set it to 0")
    if enable_gqa:  # several heads of the query share one of key and value
        key, value = (np.repeat(item, query.shape[-3] // item.shape[-3], axis=-3) for item in (key, value))
    factor = 1.0 / math.sqrt(query.shape[-1]) if scale is None else scale
    scores = query @ np.swapaxes(key, -1, -2) * factor
    if is_causal:
        allowed = np.tril(np.ones(scores.shape[-2:]))
        scores = apply("where", [allowed, scores, -math.inf])
    if attn_mask is not None:
        scores = scores + attn_mask  # one of truths is made a sum's before it comes here
    largest = apply("max", [scores], {"axis": -1, "keepdims": True})
    if np.isneginf(plain(largest)).any():  # a row of which the mask leaves nothing is 0, as in PyTorch
        is_row = apply("greater", [largest, -math.inf])
        weights = apply("softmax", [apply("where", [is_row, scores, 0.0])], {"axis": -1})
        return apply("where", [is_row, weights, 0.0]) @ value
    return apply("softmax", [scores], {"axis": -1}) @ value


def hardtanh(input: Any, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Any:
    own = {(0.0, 6.0): "relu6", (-1.0, 1.0): "hardtanh"}.get((min_val, max_val))
    if own is not None:  # at the ends their gradient is 0, as PyTorch's is; that of clip is 1
        return apply(own, [input])
    bounds = {"min": float(min_val), "max": float(max_val)}
    inside = apply("logical_and", [apply("greater", [input, bounds["min"]]), apply("less", [input, bounds["max"]])])
    return apply("where", [inside, input, apply("stop_gradient", [apply("clip", [input], bounds)])])


def celu(input: Any, alpha: float = 1.0, inplace: bool = False) -> Any:
    return apply("elu", [input / float(alpha)]) * float(alpha)


SIXTH = float(np.float32(1.0 / 6.0))  # PyTorch's slope of hardsigmoid, also in float64, where its value has all digits


def hardsigmoid(input: Any, inplace: bool = False) -> Any:
    risen = apply("relu6", [input + 3.0])
    if plain(risen).dtype != np.float64:
        return risen / 6.0
    sloped = risen * SIXTH
    return sloped + apply("stop_gradient", [risen / 6.0 - sloped])


def hardswish(input: Any, inplace: bool = False) -> Any:
    return input * (apply("relu6", [input + 3.0]) / 6.0)


def _cell(kind: str, x: Any, state: tuple[Any, ...], weights: Sequence[Any]) -> tuple[Any, ...]:
    """One step of a recurrent cell, its matrices transposed: its new state, of which the first part is its output."""
    from_input, from_state = x @ weights[0], state[0] @ weights[1]
    if len(weights) > 2:
        from_input, from_state = from_input + weights[2], from_state + weights[3]
    if kind in ("tanh", "relu"):
        return (apply(kind, [from_input + from_state]),)
    size = state[0].shape[-1]
    if kind == "lstm":
        i, f, g, o = _gates(from_input + from_state, size)
        c = _sigmoid(f) * state[1] + _sigmoid(i) * np.tanh(g)
        return _sigmoid(o) * np.tanh(c), c
    (ri, zi, ni), (rh, zh, nh) = _gates(from_input, size), _gates(from_state, size)
    z = _sigmoid(zi + zh)
    n = np.tanh(ni + _sigmoid(ri + rh) * nh)
    return ((1.0 - z) * n + z * state[0],)


def _weights(*params: Any) -> list[Any]:
    """Both matrices transposed, once for all steps, and the biases where there are any."""
    return [params[0].T, params[1].T, *(bias for bias in params[2:] if bias is not None)]


def _sigmoid(x: Any) -> Any:
    return apply("sigmoid", [x])


def _gates(x: Any, size: int) -> list[Any]:
    return [x[..., at : at + size] for at in range(0, x.shape[-1], size)]


def lstm_cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
    return list(_cell("lstm", input, tuple(hx), _weights(w_ih, w_hh, b_ih, b_hh)))


def _simple_cell(kind: str) -> Any:
    def cell(input: Any, hx: Any, w_ih: Any, w_hh: Any, b_ih: Any = None, b_hh: Any = None) -> Any:
        return _cell(kind, input, (hx,), _weights(w_ih, w_hh, b_ih, b_hh))[0]

    return cell


gru_cell, rnn_tanh_cell = _simple_cell("gru"), _simple_cell("tanh")


def _network(kind: str) -> Any:
    def network(input: Any, hx: Any, params: Any, *settings: Any) -> Any:
        return _recurrent(kind, input, tuple(hx) if kind == "lstm" else (hx,), params, *settings)

    return network


lstm, gru, rnn_tanh, rnn_relu = map(_network, ("lstm", "gru", "tanh", "relu"))


def _recurrent(
    kind: str, input: Any, start: tuple[Any, ...], params: Sequence[Any], has_biases: bool, num_layers: int,
    dropout: float, train: bool, bidirectional: bool, batch_first: bool = False,
) -> list[Any]:  # fmt: skip
    """A recurrent network as its cells, step by step: the outputs, then the last states."""
    if dropout and train and num_layers > 1:
        raise Unknown("a recurrent network is not known here with dropout; set it to 0")
    axis = 1 if batch_first and input.ndim == 3 else 0
    steps = [input[:, at] if axis else input[at] for at in range(input.shape[axis])]
    each, ways = (4 if has_biases else 2), (2 if bidirectional else 1)
    lasts: list[tuple[Any, ...]] = []
    for layer in range(num_layers):
        outputs = []
        for way in range(ways):
            row = layer * ways + way
            weights, state = _weights(*params[row * each : row * each + each]), tuple(part[row] for part in start)
            results = []
            for step in steps[::-1] if way else steps:
                state = _cell(kind, step, state, weights)
                results.append(state[0])
            outputs.append(results[::-1] if way else results)
            lasts.append(state)
        steps = outputs[0] if ways == 1 else [np.concatenate(pair, axis=-1) for pair in zip(*outputs)]
    return [np.stack(steps, axis=axis), *(np.stack(parts) for parts in zip(*lasts))]
