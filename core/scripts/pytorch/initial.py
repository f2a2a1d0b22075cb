"""torch.nn.init: parameters filled in place, with PyTorch's random numbers; torch.nn.utils: gradients made smaller."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch.creating import draw
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate

GAINS = {"tanh": 5.0 / 3.0, "relu": math.sqrt(2.0), "selu": 0.75}


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    if nonlinearity == "leaky_relu":
        return math.sqrt(2.0 / (1.0 + (0.01 if param is None else param) ** 2))
    return GAINS.get(nonlinearity, 1.0)


def _fans(tensor: Core) -> tuple[int, int]:
    """How many numbers go into an output, and come out of an input."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = int(np.prod(tensor.shape[2:], dtype=int))
    return tensor.shape[1] * field, tensor.shape[0] * field


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Any:
    kind = tensor.array.dtype.type
    return tensor.write(draw("uniform", tensor.array.shape, tensor.array.dtype) * kind(b - a) + kind(a))


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Any:
    numbers = draw("normal", tensor.array.shape, tensor.array.dtype).astype(np.float64)  # rounded once, as in PyTorch
    return tensor.write((numbers * std + mean).astype(tensor.array.dtype))


def constant_(tensor: Any, val: float) -> Any:
    return tensor.write(np.full(tensor.array.shape, val, tensor.array.dtype))


def eye_(tensor: Any) -> Any:
    return tensor.write(np.eye(*tensor.array.shape, dtype=tensor.array.dtype))


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Any:
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / sum(_fans(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Any:
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_fans(tensor))))


def _kaiming(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    fan = _fans(tensor)[0 if mode == "fan_in" else 1]
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    bound = math.sqrt(3.0) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    return normal_(tensor, 0.0, _kaiming(tensor, a, mode, nonlinearity))


INIT = Library(
    "torch.nn.init",
    {
        "zeros_": lambda tensor: constant_(tensor, 0.0),
        "ones_": lambda tensor: constant_(tensor, 1.0),
        **{item.__name__: item for item in (
            calculate_gain, uniform_, normal_, constant_, eye_, xavier_uniform_, xavier_normal_, kaiming_uniform_,
            kaiming_normal_,
        )},
    },
)  # fmt: skip


def _gradients(parameters: Any) -> list[Any]:
    listed: Iterable[Any] = [parameters] if isinstance(parameters, Core) else parameters
    return [item.grad for item in listed if item.grad is not None]


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, **options: Any) -> Any:
    """Shrink all gradients together where their norm is more than `max_norm`; the norm before comes back."""
    slopes = _gradients(parameters)
    norms = [np.linalg.norm(np.ravel(item.array), norm_type) for item in slopes]
    total = np.asarray(np.linalg.norm(norms, norm_type), slopes[0].array.dtype if slopes else np.float32)[()]
    scale = np.minimum(total.dtype.type(max_norm) / (total + total.dtype.type(1e-6)), total.dtype.type(1.0))
    for item in slopes:
        item.write(item.array * scale)
    return TENSOR[0](total)


def clip_grad_value_(parameters: Any, clip_value: float, **options: Any) -> None:
    for item in _gradients(parameters):
        item.write(np.clip(item.array, -clip_value, clip_value))


def parameters_to_vector(parameters: Iterable[Any]) -> Any:
    return operate("concatenate", [item.reshape(-1) for item in parameters])


UTILS = Library(
    "torch.nn.utils", {item.__name__: item for item in (clip_grad_norm_, clip_grad_value_, parameters_to_vector)}
)
