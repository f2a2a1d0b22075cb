"""Functions of torch that are composed of several operations, by numpy's functions on traced values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.scripts.by_numpy import by_numpy
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate


def _below(value: Any) -> Any:
    if not isinstance(value, Core):
        return value
    return value.handle() if value.requires_grad and STATE.records else value.array


def _numpys(function: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """numpy's function, whose keywords torch calls otherwise."""
    called = by_numpy(function, _below, lambda value, node: TENSOR[0](value, node))
    return lambda *operands, **keywords: called(
        *operands, **{names.get(key, key): one for key, one in keywords.items()}
    )


def quantile(input: Any, q: float, dim: int | None = None, keepdim: bool = False) -> Any:
    if q != 0.5:
        raise TypeError("quantile is known here with q=0.5 alone; sort, and take the elements")
    return operate("median", (input,), {"axis": dim, "keepdims": keepdim})


def broadcast_tensors(*tensors: Any) -> Any:
    shape = [*np.broadcast_shapes(*(item.array.shape for item in tensors))]
    return tuple(operate("broadcast_to", (item,), {"shape": shape}) for item in tensors)


def pad(input: Any, pad: Sequence[int], mode: str = "constant", value: float | None = None) -> Any:
    """Widths of the last axis first, as PyTorch takes them."""
    pairs = [[pad[place], pad[place + 1]] for place in range(0, len(pad), 2)][::-1]
    widths = [[0, 0]] * (input.ndim - len(pairs)) + pairs
    attributes = {"pad_width": widths, "mode": {"replicate": "edge", "circular": "wrap"}.get(mode, mode)}
    return operate("pad", (input,), attributes | ({"constant_values": value or 0} if mode == "constant" else {}))


def embedding(input: Any, weight: Any, padding_idx: Any = None, **options: Any) -> Any:
    return operate("embedding", (input, weight))


def layer_norm(input: Any, normalized_shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5) -> Any:
    shape = [normalized_shape] if isinstance(normalized_shape, int) else [*normalized_shape]
    return _scaled(operate("layer_norm", (input,), {"normalized_shape": shape, "eps": eps}), weight, bias)


def batch_norm(
    input: Any,
    running_mean: Any,
    running_var: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """While training by the batch, whose mean and variance are added to the running ones; else by those."""
    spread = (1, -1, *(1,) * (input.ndim - 2))
    if training or running_mean is None:
        normal = operate("batch_norm", (input,), {"eps": eps})
        if running_mean is not None:
            _update(input.array, running_mean, running_var, momentum)
    else:
        normal = (input - running_mean.reshape(spread)) / (running_var.reshape(spread) + eps).sqrt()
    scale = None if weight is None else weight.reshape(spread)
    return _scaled(normal, scale, None if bias is None else bias.reshape(spread))


def _update(numbers: Any, mean: Any, variance: Any, momentum: float) -> None:
    axes = tuple(axis for axis in range(numbers.ndim) if axis != 1)
    kind = mean.array.dtype.type
    for running, new in ((mean, numbers.mean(axes)), (variance, numbers.var(axes, ddof=1))):
        running.write(kind(1 - momentum) * running.array + kind(momentum) * new)


def _scaled(normal: Any, weight: Any, bias: Any) -> Any:
    normal = normal if weight is None else normal * weight
    return normal if bias is None else normal + bias


def eigh(A: Any) -> Any:
    return tuple(operate("eigh", (A,), {"part": part}) for part in (0, 1))


COMPOSED: dict[str, Callable[..., Any]] = {
    "tensordot": _numpys(np.tensordot, dims="axes"), "trace": _numpys(np.trace), "dstack": _numpys(np.dstack),
    "hsplit": _numpys(np.hsplit),
    "vsplit": _numpys(np.vsplit), "tensor_split": _numpys(np.array_split, dim="axis"),
    "repeat_interleave": _numpys(np.repeat, dim="axis"), "quantile": quantile, "broadcast_tensors": broadcast_tensors,
    "gradient": lambda input, *, spacing=1.0, dim=None, edge_order=1: (
        _numpys(np.gradient)(input, spacing, axis=dim, edge_order=edge_order),
    ),
}  # fmt: skip
COMPOSED_LINEAR = {"slogdet": _numpys(np.linalg.slogdet), "eigh": eigh, "svd": _numpys(np.linalg.svd)}
COMPOSED_FUNCTIONAL = {"pad": pad, "embedding": embedding, "layer_norm": layer_norm, "batch_norm": batch_norm}
