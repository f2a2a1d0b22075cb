"""The memory of tensors: views, detached tensors and `.data` share it, and a tape keeps what it was given of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.scripts.tape import ScriptPlace, script_place


class Counter:
    """PyTorch's version of a tensor: the number of changes in place, and where the last one stands.

    Views and detached tensors have the counter of their base; `.data` has one of its own, so that PyTorch does not
    notice what is written through it.
    """

    __slots__ = ("place", "version")

    def __init__(self) -> None:
        self.version = 0
        self.place: ScriptPlace = None


class Memory(Counter):
    """Numbers that tensors share; it is the counter of the tensor that it was made for.

    array: the numbers.
    moves: how often they moved into another array; views are then made again.
    writes: how often they were changed, noticed by PyTorch or not.
    written: where the last change stands.
    kept: a tape or a graph holds the array, which must stay as it is: the next write moves the numbers.
    exposed: the script holds the array as numpy's, so that it must never move, and may change without a note.
    known: where the numbers are on the tape since the last change, without a gradient, and the number of that change.
    """

    __slots__ = ("array", "exposed", "kept", "known", "moves", "writes", "written")

    def __init__(self, array: Any, kept: bool = False) -> None:
        super().__init__()
        self.moves = self.writes = 0
        self.written: ScriptPlace = None
        self.known: tuple[Any, int] | None = None
        self.array, self.kept, self.exposed = array, kept, False

    def shareable(self) -> None:
        """Have the numbers in an array, of which there are views; a single number may be none."""
        if not isinstance(self.array, np.ndarray):
            self.array, self.kept = np.array(self.array), False
            self.moves += 1

    def move(self) -> None:
        """Leave the array to those who keep it."""
        array = np.asarray(self.array)
        self.array, self.kept = array.copy(order="K"), False
        self.moves += 1

    def expose(self) -> Any:
        self.shareable()
        if not self.exposed and (self.kept or not self.array.flags.writeable):
            self.move()
        if not self.exposed:
            self.exposed, self.written = True, script_place()
        return self.array


def moved(view: Any, origin: Any, target: Any) -> Any:
    """The view of `target` that stands where `view` stands in `origin`, an array of the same shape and strides."""
    offset = view.__array_interface__["data"][0] - origin.__array_interface__["data"][0]
    order = sorted(range(target.ndim), key=lambda axis: -target.strides[axis])
    dense = target.transpose(order)  # in the order of memory, as a buffer must be
    return np.ndarray(view.shape, view.dtype, dense, offset, view.strides)


def is_dense(array: Any) -> bool:
    """Whether the elements fill a stretch of memory, in any order of the axes."""
    expected = array.itemsize
    for step, size in sorted((step, size) for step, size in zip(array.strides, array.shape, strict=True) if size != 1):
        if step != expected:
            return False
        expected *= size
    return True


def overlap(target: Any, other: Any) -> str:
    """How an array that is written lies over another that is read: "" for apart or the same, "partial" where PyTorch
    sees it, "unseen" where it does not, and the result hangs on the order of reading and writing."""
    if not np.may_share_memory(target, other):
        return ""
    first, second = (array.__array_interface__["data"][0] for array in (target, other))
    if is_dense(target) and is_dense(other):
        same = first == second and target.nbytes == other.nbytes
        return "" if same and target.strides == other.strides else "partial"
    if first == second and _axes(target) == _axes(other):
        return ""
    return "unseen" if np.shares_memory(target, other) else ""


def _axes(array: Any) -> list[tuple[int, int]]:
    return [(step, size) for step, size in zip(array.strides, array.shape, strict=True) if size != 1]
