"""What the tensors of PyTorch hold, and which of them a document can."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from cadena.core.graph.fault import Refused

MemoryPlace = tuple[int, tuple[int, ...], tuple[int, ...]]  # where a tensor's numbers are in the memory, and how
DTYPES = {"torch.float64": "float64", "torch.float32": "float32", "torch.float16": "float16"}


def tensors_in(item: Any) -> Iterator[Any]:
    import torch

    if isinstance(item, torch.Tensor):
        yield item
    elif isinstance(item, dict):
        yield from tensors_in(list(item.values()))
    elif isinstance(item, tuple | list):
        for part in item:
            yield from tensors_in(part)


def place_of(tensor: Any) -> MemoryPlace:
    if is_wrapped(tensor):  # has no numbers of its own
        return id(tensor), (), ()
    return tensor.data_ptr(), tuple(tensor.shape), tuple(tensor.stride())


def is_wrapped(tensor: Any) -> bool:
    """Whether a tensor stands for others within a transform of torch.func, and has no numbers itself."""
    import torch

    is_plain = str(tensor.layout) != "torch.strided" or torch._C._has_storage(tensor)
    return not is_plain or bool(torch._C._functorch.is_functorch_wrapped_tensor(tensor))


def version(tensor: Any) -> int:
    """How often a tensor was changed in place; those of torch.inference_mode do not count it."""
    return 0 if tensor.is_inference() else int(tensor._version)


def numbers(tensor: Any, name: str) -> np.ndarray[Any, Any]:
    """A tensor's numbers. Raises Refused for a tensor that is elsewhere, or of a type that no document has."""
    check(tensor, name)
    if tensor._is_zerotensor():
        return np.zeros(tuple(tensor.shape))
    from torch._C import _DisableFuncTorch

    with _DisableFuncTorch():  # within a transform, detach() would wrap it
        return np.asarray(tensor.detach().numpy())


def check(tensor: Any, name: str) -> None:
    """Raise Refused for a tensor that cannot be captured."""
    if tensor.device.type != "cpu":
        what = "{name} is on the device {device}, and what is captured must be in the memory of the CPU"
        raise Refused(what, "move model and data there with .cpu()", name=name, device=str(tensor.device))
    if str(tensor.layout) != "torch.strided":
        what = "{name} is sparse, and the tensors of a document are not"
        raise Refused(what, "convert it with .to_dense()", name=name)
    if tensor.dtype.is_complex or (tensor.is_floating_point() and str(tensor.dtype) not in DTYPES):
        what = "{name} has the number type {dtype}, which no document has"
        raise Refused(
            what, "convert model and data with .float(), without torch.autocast", name=name, dtype=str(tensor.dtype)
        )
