"""PyTorch's number types, and which one a computation has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from cadena.core.scripts.calls import refuse


@dataclass(frozen=True, repr=False)
class DType:
    """A number type as `torch.float32` shows it."""

    name: str
    numpy: np.dtype[Any]

    def __repr__(self) -> str:
        return f"torch.{self.name}"

    __str__ = __repr__

    @property
    def is_floating_point(self) -> bool:
        return self.numpy.kind == "f"


NUMPY_NAMES = ("float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool")
DTYPES = {name: DType(name, np.dtype(name)) for name in NUMPY_NAMES}
SYNONYMS = {
    "half": "float16",
    "float": "float32",
    "double": "float64",
    "short": "int16",
    "int": "int32",
    "long": "int64",
}
BY_NAME = DTYPES | {synonym: DTYPES[name] for synonym, name in SYNONYMS.items()}
# The legacy constructors, such as torch.FloatTensor.
CONSTRUCTORS = {
    "FloatTensor": "float32", "DoubleTensor": "float64", "HalfTensor": "float16", "LongTensor": "int64",
    "IntTensor": "int32", "ShortTensor": "int16", "ByteTensor": "uint8", "BoolTensor": "bool",
}  # fmt: skip


def dtype_of(array: Any) -> DType:
    """The type of numpy's numbers."""
    return DTYPES[array.dtype.name]


def type_name(dtype: np.dtype[Any]) -> str:
    """What PyTorch's errors call a type: Float, Long ..."""
    return next((key.removesuffix("Tensor") for key, name in CONSTRUCTORS.items() if name == dtype.name), dtype.name)


def common(dtypes: Sequence[tuple[np.dtype[Any], bool]], default: np.dtype[Any]) -> np.dtype[Any]:
    """The type of a computation on tensors, each given by its type and whether it has axes; of whole numbers and
    floats the floats win, and among equals those with axes."""
    rank = {"b": 0, "u": 1, "i": 1, "f": 2}
    highest = max(rank[dtype.kind] for dtype, _ in dtypes)
    best = [dtype for dtype, has_axes in dtypes if rank[dtype.kind] == highest and has_axes]
    best = best or [dtype for dtype, _ in dtypes if rank[dtype.kind] == highest]
    return np.result_type(*best) if best else default


class Device:
    """torch.device: there is the processor, and nothing else."""

    __module__, __qualname__ = "torch", "device"

    def __init__(self, device: Any = "cpu", index: int | None = None) -> None:
        refuse("torch.device", "device", device, "cpu")
        self.type, self.index = "cpu", index

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device)

    def __hash__(self) -> int:
        return hash(self.type)

    def __repr__(self) -> str:
        return "device(type='cpu')"

    def __str__(self) -> str:
        return "cpu"
