"""A call of PyTorch that is not known, from within: by its TorchDispatchMode as calls of ATen, PyTorch's own operators.

What is none of the language's table there is taken apart further by PyTorch's own decompositions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Protocol

import numpy as np

from cadena.core.capture.record import Unknown
from cadena.core.capture.torch_calls import read, read_kernel
from cadena.core.capture.torch_memory import memory_of, with_part
from cadena.core.capture.torch_tensors import DTYPES, MemoryPlace, is_wrapped, numbers, place_of, tensors_in
from cadena.core.tracing.traced import Traced, apply, plain

CLOSE = {"float64": 1e-6, "float32": 1e-3, "float16": 1e-1}  # of the largest element


class KnownTensors(Protocol):
    """What is known of the tensors of a run."""

    known: dict[int, tuple[Any, int, Traced]]
    places: dict[MemoryPlace, tuple[Any, Traced]]
    sharing: dict[int, dict[int, Any]]

    def traced(self, tensor: Any) -> Traced: ...

    def know(self, tensor: Any, traced: Traced) -> Traced: ...

    def forget(self, tensor: Any) -> None: ...

    def is_leaf(self, tensor: Any) -> bool: ...

    def stopped(self, traced: Traced) -> Traced: ...

    def held(self, tensor: Any) -> np.ndarray[Any, Any]: ...

    def is_choice(self, tensor: Any) -> bool: ...

    def note_choice(self, tensor: Any, value: Any, operands: Any) -> None: ...

    def constant(self, value: np.ndarray[Any, Any], name: str) -> Traced: ...

    def opaque(self, tensor: Any, why: str, name: str) -> Traced: ...


class Opening:
    """The calls of ATen while one call that is not known runs, or one on the tensors of a torch.func transform."""

    def __init__(self, recorder: KnownTensors) -> None:
        self.recorder, self.mode = recorder, _mode_of(self)
        self.changes: dict[int, list[tuple[Any, Traced]]] = {}  # by the start of the memory: tensors changed in place
        self.lost: dict[int, Any] = {}  # tensors computed from known ones in a way that is not known
        self.changed: set[int] = set()  # the memories that calls have changed since the recorder last asked
        self.why, self.keeps_parts = "", False

    @contextmanager
    def open(self, keeps_parts: bool = False) -> Iterator[None]:
        """Record what ATen computes while this is open. Fused kernels for recurrent networks give way to their parts.

        With `keeps_parts` what cannot be expressed is an opaque value by itself, else `why` has the first such reason.
        """
        import torch

        self.why, self.keeps_parts = "", keeps_parts
        fused = torch._C._get_mkldnn_enabled()
        torch._C._set_mkldnn_enabled(False)
        try:
            with self.mode():
                yield
        finally:
            torch._C._set_mkldnn_enabled(fused)

    def result(self, tensor: Any, name: str, dtype: str) -> Traced | None:
        """What stands for a result; None where that is not known or has other numbers, which `why` says."""
        traced = None if self.lost.get(id(tensor)) is tensor else self.stand(tensor)
        if traced is None:
            self.why = self.why or "its parts do not lead to its result"
            return None
        ours, theirs = np.asarray(plain(traced), np.float64), np.asarray(numbers(tensor, name), np.float64)
        theirs_dtype = DTYPES[str(tensor.dtype)]
        allowed = max(CLOSE[dtype], CLOSE[theirs_dtype]) * largest(theirs)
        if ours.shape != theirs.shape or not np.allclose(ours, theirs, 0, allowed, equal_nan=True):
            self.why = "its parts give another value here"
            return None
        return traced

    def stand(self, tensor: Any) -> Traced | None:
        """What stands for a tensor, or for another with the same numbers at the same place of the memory."""
        if not tensor.is_floating_point() and not self.recorder.is_choice(tensor):
            return None
        if (entry := self.recorder.known.get(id(tensor))) is not None and entry[0] is tensor:
            return entry[2]
        if self.recorder.is_leaf(tensor):
            return self.recorder.traced(tensor)
        known = self.recorder.places.get(place_of(tensor))
        return known[1] if known else self._changed(tensor)

    def _changed(self, tensor: Any) -> Traced | None:
        """A tensor of no known origin of which parts were changed in place, by way of others."""
        if is_wrapped(tensor) or (changes := self.changes.get(memory_of(tensor))) is None:
            return None
        traced = self.recorder.constant(numbers(tensor, "value"), "k0")
        for part, value in changes:
            traced = with_part(tensor, traced, part, value)
        return self.recorder.know(tensor, traced)

    def call(self, function: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Run one call of ATen, and record what it computes from what is known."""
        tensors = list(tensors_in((args, kwargs)))
        is_elsewhere = any(item.device.type == "meta" for item in tensors)  # PyTorch asks so for a shape
        if is_elsewhere or not any(self.stand(item) is not None for item in tensors):
            result = function(*args, **kwargs)
            self._lose(result, tensors)
            return result
        if any(self.lost.get(id(item)) is item for item in tensors) and not self.keeps_parts:
            result = function(*args, **kwargs)
            self._lose(result, tensors)
            return result
        operands, named = self._swap(args), self._swap(kwargs)
        result = function(*args, **kwargs)
        name = function._schema.name.partition("::")[2]
        if name.startswith(MAKING):
            return result
        if name in ("detach", "detach_"):
            value: Any = self.recorder.stopped(operands[0])
        else:
            value = self._value(name, function, result, args, kwargs, operands, named)
        self._note(result, value, name, (args, kwargs), changes=function._schema.is_mutable)
        return result

    def _lose(self, result: Any, tensors: Sequence[Any]) -> None:
        """What is computed from a tensor of unknown origin is of unknown origin itself."""
        if any(self.lost.get(id(item)) is item for item in tensors):
            for item in tensors_in(result):
                self.lost[id(item)] = item
                self.recorder.forget(item)

    def _value(self, name: str, function: Any, result: Any, args: Any, kwargs: Any, operands: Any, named: Any) -> Any:
        import torch
        from torch._decomp import decomposition_table

        try:
            if name in CHOOSING:
                return _chosen(name, operands, named, result)
            return read_kernel(name, operands, named)
        except Unknown as unknown:
            why = str(unknown)
        parts = decomposition_table.get(function)
        is_random = torch.Tag.nondeterministic_seeded in function.tags
        if not any(item.is_floating_point() for item in tensors_in(result)):
            return None  # a choice that is no node, see `note_choice`
        if parts is None or function._schema.is_mutable or is_random:
            self.why = self.why or why
            return None
        with self.mode():
            parted = parts(*args, **kwargs)
        return [self.stand(item) for item in tensors_in(parted)]

    def _note(self, result: Any, value: Any, name: str, operands: Any, changes: bool) -> None:
        results = list(tensors_in(result))
        values = list(value) if isinstance(value, tuple | list) else [value] * len(results)
        for tensor, one in zip(results, values):
            if tensor.is_complex():
                continue
            if not tensor.is_floating_point():
                self.recorder.note_choice(tensor, one, operands)
                continue
            if isinstance(one, Traced) and one.shape != tuple(tensor.shape) and differ_by_ones(one.shape, tensor.shape):
                one = np.reshape(one, list(tensor.shape))
            if isinstance(one, Traced) and one.shape == tuple(tensor.shape):
                self.recorder.know(tensor, one)
                if changes:
                    self._change(tensor, one)
            elif one is not None and not isinstance(one, Traced):
                shown = np.broadcast_to(one, tuple(tensor.shape))
                self.recorder.know(tensor, self.recorder.constant(shown, "k0"))
            elif self.keeps_parts:
                self.recorder.know(tensor, self.recorder.opaque(tensor, self.why, name))
            else:
                self.lost[id(tensor)] = tensor
                self.recorder.forget(tensor)

    def _change(self, tensor: Any, value: Traced) -> None:
        """Change what shares memory with a tensor that was changed in place."""
        start = memory_of(tensor)
        self.changed.add(start)
        for item in list(self.recorder.sharing.get(start, {}).values()):
            if item is not tensor:
                _, _, old = self.recorder.known[id(item)]
                self.recorder.know(item, with_part(item, old, tensor, value))
        self.changes.setdefault(start, []).append((tensor, value))

    def _swap(self, item: Any) -> Any:
        """Tensors replaced by what stands for them, those of no known origin by their numbers."""
        import torch

        if isinstance(item, torch.Tensor):
            traced = self.stand(item)
            if traced is None and not item.is_floating_point():
                return self.recorder.held(item)
            return self.recorder.constant(numbers(item, "value"), "k0") if traced is None else traced
        if isinstance(item, tuple | list):
            return [self._swap(part) for part in item]
        return {key: self._swap(part) for key, part in item.items()} if isinstance(item, dict) else item


def _chosen(name: str, operands: Sequence[Any], named: Mapping[str, Any], result: Any) -> Any:
    """The elements of the operand at the places that PyTorch found: the same ones where several are equally large.

    The places are computed in the graph where that leads to the same ones.
    """
    x = operands[0]
    if not x.shape:
        return x
    if not isinstance(result, tuple | list):  # of all elements: those that are equal share the gradient
        if name == "median" or not np.isnan(plain(x)).any():
            middle: Any = np.sort(np.reshape(x, [-1]))[(x.size - 1) // 2]
        else:  # without the nan, of which others would leave another middle
            x.guard("value")
            middle = float(numbers(result, name))
        equal = apply("equal", [x, middle])
        return np.sum(apply("where", [equal, x, 0.0])) / np.sum(equal)
    indices = result[1].numpy()
    axes = CHOOSING[name]
    if name == "max_pool2d_with_indices":
        try:
            return [read("torch.max_pool2d", None, operands, named), None]
        except Unknown:
            pass
    if axes:  # places in an image that is read row by row
        x.guard("value")
        flat = np.reshape(x, [*x.shape[:-axes], -1])
        rows = np.reshape(indices, [*indices.shape[:-axes], -1])
        return [np.reshape(apply("take_along_axis", [flat, rows], {"axis": -1}), indices.shape), None]
    dim = next((item for item in operands[1 if name in ALONG_FIRST else 2 :] if type(item) is int), -1)
    kept = indices if indices.ndim == x.ndim else np.expand_dims(indices, dim)
    try:
        _, chosen = read(f"torch.{name}", None, operands, named)
    except Unknown:
        chosen = None
    places = kept
    if isinstance(chosen, Traced) and np.array_equal(plain(chosen), indices):
        places = chosen if chosen.ndim == x.ndim else np.expand_dims(chosen, dim)
    else:
        x.guard("value")  # other numbers may have them elsewhere
    return [np.reshape(apply("take_along_axis", [x, places], {"axis": dim}), indices.shape), chosen]


# Operators of which the second result says which elements the first has: through how many axes it counts, 0 for one.
CHOOSING = {
    "max_pool2d_with_indices": 2, "max_pool3d_with_indices": 3, "adaptive_max_pool2d": 2, "adaptive_max_pool3d": 3,
    "fractional_max_pool2d": 2, "topk": 0, "kthvalue": 0, "sort": 0, "max": 0, "min": 0, "median": 0, "mode": 0,
    "cummax": 0, "cummin": 0, "nanmedian": 0, "fractional_max_pool3d": 3,
}  # fmt: skip
MAKING = (
    "full",
    "zeros",
    "ones",
    "empty",
    "new_",
    "rand",
    "arange",
    "eye",
)  # begin the names of what takes only a shape
ALONG_FIRST = (
    "sort",
    "max",
    "min",
    "median",
    "nanmedian",
    "mode",
    "cummax",
    "cummin",
)  # the axis is the first setting, else the second


def differ_by_ones(first: Sequence[int], second: Sequence[int]) -> bool:
    """Whether two shapes are one but for axes of length 1: PyTorch gives numbers an axis, and we do not."""
    return [size for size in first if size != 1] == [size for size in second if size != 1]


def largest(array: np.ndarray[Any, Any]) -> float:
    """The largest magnitude among the finite numbers."""
    return float(np.max(np.abs(array[np.isfinite(array)]), initial=0.0))


def _mode_of(opening: Opening) -> Any:
    """A mode of PyTorch that hands every call of ATen to the opening."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class RecordingAten(TorchDispatchMode):  # type: ignore[misc, unused-ignore]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return opening.call(func, args, kwargs or {})

    return RecordingAten
