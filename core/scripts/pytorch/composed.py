"""Functions of torch that are composed of several operations, by numpy's functions on traced values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.by_numpy import by_numpy
from cadena.core.scripts.calls import checked
from cadena.core.scripts.followed import place_of, stopped
from cadena.core.scripts.pytorch import table
from cadena.core.scripts.pytorch.selecting import norm, where
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate


def _below(value: Any) -> Any:
    if not isinstance(value, Core) or not value.requires_grad:
        return place_of(value)
    return value.handle() if STATE.records else stopped(value)


def _above(value: Any, node: Any) -> Any:
    if node is None or node.number not in STATE.tape.data:
        return TENSOR[0](value, node)
    return TENSOR[0](value).keep(node)


def _numpys(module: str, name: str, function: Callable[..., Any], **names: str) -> Callable[..., Any]:
    """numpy's function as PyTorch's of another name, with numpy's names for those of its arguments that are used."""
    called = by_numpy(function, _below, _above)
    forms = table.FORMS[f"{module}.{name}"]

    def call(**keywords: Any) -> Any:
        operands = [keywords.pop(key) for key in names if names[key] in OPERANDS and key in keywords]
        return called(*operands, **{names[key]: one for key, one in keywords.items()})

    return checked(f"{module}.{name}", forms, call, table.SYNONYMS, used=names)  # type: ignore[no-any-return]


OPERANDS = ("a", "b", "tup", "ary", "indices_or_sections", "repeats")  # numpy's names for what comes first


def quantile(input: Any, q: float, dim: int | None = None, keepdim: bool = False) -> Any:
    if q != 0.5:
        raise TypeError("quantile is built in with q=0.5 alone; sort, and take the elements")
    return operate("median", (input,), {"axis": dim, "keepdims": keepdim})


def broadcast_tensors(*tensors: Any) -> Any:
    shape = [*np.broadcast_shapes(*(item.array.shape for item in tensors))]
    return tuple(operate("broadcast_to", (item,), {"shape": shape}) for item in tensors)


def eigh(A: Any) -> Any:
    return tuple(operate("eigh", (A,), {"part": part}) for part in (0, 1))


def vector_norm_of(input: Any, ord: Any = None, dim: Any = None, keepdim: bool = False) -> Any:
    """torch.linalg.norm, of vectors."""
    if ord is not None and input.ndim > 1 and not isinstance(dim, int):
        raise TypeError("norms of matrices are not built in; leave ord out, or choose one dim")
    return norm(input, 2 if ord is None else ord, dim, keepdim)


def clamp(input: Any, min: Any = None, max: Any = None, *, out: Any = None) -> Any:
    """Within bounds, which have a gradient where they are tensors; at a bound it is that of the input."""
    if not isinstance(min, Core) and not isinstance(max, Core):
        return CLAMP(input, min, max, out=out)
    if out is not None:
        raise TypeError(
            "torch.clamp with out= is not known here for bounds that are tensors; write x = torch.clamp(...)"
        )
    raised = input if min is None else where(input < min, min, input)
    return raised if max is None else where(raised > max, max, raised)


def clamp_min(input: Any, min: Any) -> Any:
    return clamp(input, min)


def clamp_max(input: Any, max: Any) -> Any:
    return clamp(input, None, max)


CLAMP: Any = table.function("torch.clamp")


def gradient(input: Any, *, spacing: Any = 1, dim: Any = None, edge_order: int = 1) -> Any:
    called = by_numpy(np.gradient, _below, _above)
    return (called(input, spacing, axis=dim, edge_order=edge_order),)


ROWS: dict[str, tuple[Callable[..., Any], dict[str, str]]] = {
    "tensordot": (np.tensordot, {"a": "a", "b": "b", "dims": "axes"}), "trace": (np.trace, {"input": "a"}),
    "dstack": (np.dstack, {"tensors": "tup"}),
    "hsplit": (np.hsplit, {"input": "ary", "indices_or_sections": "indices_or_sections"}),
    "vsplit": (np.vsplit, {"input": "ary", "indices_or_sections": "indices_or_sections"}),
    "tensor_split": (np.array_split, {"input": "ary", "indices_or_sections": "indices_or_sections", "dim": "axis"}),
    "repeat_interleave": (np.repeat, {"input": "a", "repeats": "repeats", "dim": "axis"}),
}  # fmt: skip
COMPOSED: dict[str, Callable[..., Any]] = table.in_module("torch", {
    **{name: _numpys("torch", name, function, **names) for name, (function, names) in ROWS.items()},
    "quantile": quantile, "broadcast_tensors": broadcast_tensors, "gradient": gradient,
    "clamp": clamp, "clip": clamp, "clamp_min": clamp_min, "clamp_max": clamp_max,
})  # fmt: skip
NO_METHODS = ("tensordot", "dstack", "broadcast_tensors", "gradient")
COMPOSED_LINEAR = {
    "slogdet": _numpys("torch.linalg", "slogdet", np.linalg.slogdet, A="a"),
    "svd": _numpys("torch.linalg", "svd", np.linalg.svd, A="a", full_matrices="full_matrices"),
    "eigh": eigh,
    "norm": vector_norm_of,
}
