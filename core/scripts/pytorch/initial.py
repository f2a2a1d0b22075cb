"""torch.nn.init: parameters filled in place, with PyTorch's random numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import table
from cadena.core.scripts.pytorch.creating import draw
from cadena.core.scripts.pytorch.tensor import Core

GAINS = {"linear": 1.0, "sigmoid": 1.0, "tanh": 5.0 / 3.0, "relu": math.sqrt(2.0), "selu": 0.75}


def _gain(nonlinearity: str, slope: float) -> float:
    return math.sqrt(2.0 / (1.0 + slope**2)) if nonlinearity == "leaky_relu" else GAINS[nonlinearity]


def _fans(tensor: Core) -> tuple[int, int]:
    """How many numbers go into an output, and come out of an input."""
    if tensor.ndim < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = int(np.prod(tensor.shape[2:], dtype=int))
    return tensor.shape[1] * field, tensor.shape[0] * field


def uniform_(tensor: Any, a: float = 0.0, b: float = 1.0) -> Any:
    kind = tensor.array.dtype.type
    return tensor.write(draw("uniform", tensor.array.shape, tensor.array.dtype) * kind(b - a) + kind(a))


def normal_(tensor: Any, mean: float = 0.0, std: float = 1.0) -> Any:
    numbers = draw("normal", tensor.array.shape, tensor.array.dtype).astype(np.float64)  # rounded once, as in PyTorch
    return tensor.write((numbers * std + mean).astype(tensor.array.dtype))


def constant_(tensor: Any, val: float) -> Any:
    return tensor.write(np.full(tensor.array.shape, val, tensor.array.dtype))


def zeros_(tensor: Any) -> Any:
    return constant_(tensor, 0.0)


def ones_(tensor: Any) -> Any:
    return constant_(tensor, 1.0)


def xavier_uniform_(tensor: Any, gain: float = 1.0) -> Any:
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / sum(_fans(tensor)))
    return uniform_(tensor, -bound, bound)


def xavier_normal_(tensor: Any, gain: float = 1.0) -> Any:
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / sum(_fans(tensor))))


def _kaiming(tensor: Any, a: float, mode: str, nonlinearity: str) -> float:
    fan = _fans(tensor)[0 if mode == "fan_in" else 1]
    return _gain(nonlinearity, a) / math.sqrt(fan)


def kaiming_uniform_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    bound = math.sqrt(3.0) * _kaiming(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound)


def kaiming_normal_(tensor: Any, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu") -> Any:
    return normal_(tensor, 0.0, _kaiming(tensor, a, mode, nonlinearity))


INIT = Library(
    "torch.nn.init",
    table.in_module("torch.nn.init", {item.__name__: item for item in (
        zeros_, ones_, uniform_, normal_, constant_, xavier_uniform_, xavier_normal_, kaiming_uniform_, kaiming_normal_,
    )}),
    listed=lambda: table.known("torch.nn.init"),
)  # fmt: skip
