"""Many arrays at once: a numpy call costs more than the work on a small array, so small ones are put together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import msgspec
import numpy as np

from cadena.core.doctor.findings.kept import once_a_plan, once_a_run
from cadena.core.run.passes import Numbers

if TYPE_CHECKING:
    from cadena.core.run.program import Run

FEW = 4  # fewer than one of so many: picking them out is quicker than going through all
BLAS = "fd"  # codes of float32 and float64
FLOATS = msgspec.msgpack.Encoder(enc_hook=float)  # the hook is for numpy's scalars
PACKED = np.dtype([("type", "u1"), ("number", ">f8")])
SMALL = 1024  # elements: what is larger is not worth copying


def arrays_finite(arrays: Sequence[Any]) -> bool:
    """Whether all numbers in `arrays` (None for no array) are finite."""
    parts = flat_parts([array for array in arrays if array is not None])
    return all(np.isfinite(part).all() for part in parts)


def square_sum(array: np.ndarray) -> float:
    """The sum of the squares, in an array's own type but for float16; inf where it overflows."""
    flat = array.reshape(-1) if array.dtype.char in BLAS else array.reshape(-1).astype(np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        return float(np.dot(flat, flat))


def flat_parts(arrays: Sequence[Any]) -> list[np.ndarray]:
    """The numbers of all arrays in a few flat ones: small arrays of one type are put together."""
    parts, small = list[np.ndarray](), dict[np.dtype[Any], list[Any]]()
    for array in arrays:
        if array.size > SMALL:
            parts.append(array.reshape(-1))
        else:
            small.setdefault(array.dtype, []).append(array)
    return parts + [joined(some) for some in small.values()]


def places_with(found: Callable[[np.ndarray], np.ndarray], arrays: Sequence[Any]) -> list[int]:
    """Which arrays hold a number at which `found` is true: their places in the list."""
    if not any(found(part).any() for part in flat_parts(arrays)):
        return []
    if len({array.dtype for array in arrays}) > 1:
        return [place for place, array in enumerate(arrays) if found(array).any()]
    ends = np.cumsum([array.size for array in arrays])
    holding: list[int] = np.unique(np.searchsorted(ends, np.flatnonzero(found(joined(arrays))), side="right")).tolist()
    return holding


def joined(arrays: Sequence[Any]) -> np.ndarray:
    """The numbers of arrays of one type, one after the other; several times faster than np.concatenate."""
    try:
        data = b"".join(arrays)
    except TypeError:  # some are views whose numbers do not lie in a row
        data = b"".join([array if array.flags.c_contiguous else array.tobytes() for array in arrays])
    return np.frombuffer(data, arrays[0].dtype) if data else np.zeros(0)


def floats(numbers: Sequence[float]) -> np.ndarray:
    """Python floats as an array, in a tenth of the time of np.array.

    After a short head MessagePack has a byte and a big-endian float64 for each (github.com/msgpack/msgpack, spec.md).
    """
    data = FLOATS.encode(numbers)
    packed = np.frombuffer(data, PACKED, offset=len(data) - len(numbers) * PACKED.itemsize)
    return packed["number"].astype(np.float64)


@once_a_run
def all_sizes(run: Run) -> np.ndarray:
    """The magnitudes of the gradients of a graph of numbers by node number; 0 where a node has none."""
    gradients = run.gradients
    if isinstance(gradients, np.ndarray):
        return np.abs(gradients)
    if gradients and type(gradients[0]) is not float:
        gradients = [0.0 if gradient is None else gradient for gradient in gradients]
    sizes = floats(gradients)
    np.abs(sizes, out=sizes)
    return sizes


@once_a_run
def all_low(run: Run) -> np.ndarray:
    """Which of these are tiny."""
    low: np.ndarray = all_sizes(run) < tiny_of(run.dtype)
    return low


@lru_cache
def tiny_of(dtype: str) -> float:
    """The smallest number of a type that has all its digits; 0 and the subnormal ones below it are tiny."""
    return float(np.finfo(dtype).tiny)


@once_a_plan
def fed_leaves(run: Run) -> np.ndarray:
    """The numbers of the leaves that get a gradient."""
    return np.array([leaf for leaf in run.plan.leaves if run.plan.reached[leaf]], dtype=np.intp)


def picked(numbers: Numbers, chosen: np.ndarray) -> np.ndarray:
    """The numbers of some nodes."""
    return numbers[chosen] if isinstance(numbers, np.ndarray) else floats([numbers[node] for node in chosen.tolist()])
