"""Views: values that share memory with another, their parent, as slices and transposes do.

A tape holds values, not memory. So a write through a view makes a new value of its parent, by the inverse of the
operation that made the view, and so on up to the base; a view whose parent has a new value is computed from it again
when it is next used (PyTorch calls this functionalization).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from cadena.core.ops.primitive import Primitive
from cadena.core.ops.shaping import parse_index
from cadena.core.tracing.traced import Traced, apply, index_text, plain

SAME_ORDER = frozenset(("reshape", "ravel", "squeeze", "expand_dims"))  # the elements of the parent, in its order
PIECES = frozenset(("split", "array_split", "hsplit", "vsplit"))
# Operations whose result shares memory with their operand, where numpy need not copy.
SHARING = SAME_ORDER | PIECES | frozenset(("getitem", "transpose", "swapaxes", "moveaxis", "broadcast_to"))


NUMPY_SHARING = SHARING | frozenset(("flip", "rot90", "diag"))  # of the others PyTorch makes copies


def shared_numbers(record: Primitive, array: Any, attributes: dict[str, Any]) -> Any:
    """The view of `array` that the operation makes, as numpy's array; None where the result is a copy."""
    if record.name == "getitem":
        key = parse_index(str(attributes["index"]))
        parts = key if isinstance(key, tuple) else (key,)
        if any(isinstance(part, np.ndarray | bool) for part in parts):
            return None
        view = array[parts if any(part is Ellipsis for part in parts) else (*parts, ...)]  # numbers are views, too
    else:
        view = record.value(array, **attributes)
    if not isinstance(view, np.ndarray) or not (np.may_share_memory(view, array) or not view.size):
        return None
    if record.name == "broadcast_to":  # numpy's is not writeable
        return np.lib.stride_tricks.as_strided(array, view.shape, view.strides)
    return view


def parent_with(record: Primitive, parent: Any, new: Any, attributes: dict[str, Any]) -> Any:
    """The value of `parent` after the view that the operation made of it has been given the value `new`."""
    op, shape = record.name, np.shape(parent)
    if op == "broadcast_to" and math.prod(np.shape(new)) != math.prod(shape):
        raise RuntimeError(
            "unsupported operation: what is written is a part of an array whose elements are repeated (expand, "
            "broadcast_to), so that one write changes several; write into a copy"
        )
    if op in SAME_ORDER or op == "broadcast_to":
        return apply("reshape", [new], {"shape": [*shape]})
    if op == "transpose":
        axes = attributes["axes"]
        back = None if axes is None else [int(axis) for axis in np.argsort([axis % len(shape) for axis in axes])]
        return apply("transpose", [new], {"axes": back})
    if op == "rot90":
        return apply(record, [new], attributes | {"k": -attributes["k"]})
    if op in ("swapaxes", "flip"):
        return apply(record, [new], attributes)
    if op == "moveaxis":
        return apply(record, [new], {"source": attributes["destination"], "destination": attributes["source"]})
    if op == "diag":
        index = diagonal_index(shape, attributes["k"])
    else:
        index = str(attributes["index"]) if op == "getitem" else _piece(record, shape, attributes)
    return apply("index_put", [parent, new], {"index": index})


def diagonal_index(shape: tuple[int, ...], k: int) -> str:
    """The index of a diagonal of the last two axes."""
    places = range(max(0, -k), max(0, -k, min(shape[-2], shape[-1] - k)))
    return index_text((..., [*places], [place + k for place in places]))


def _piece(record: Primitive, shape: tuple[int, ...], attributes: dict[str, Any]) -> str:
    """The slices of a piece that was cut off."""
    places = record.value(np.arange(math.prod(shape)).reshape(shape), **attributes)
    if not places.size:
        return ":0"
    ends = zip(*(np.unravel_index(place, shape) for place in (places.min(), places.max())), strict=True)
    return ", ".join(f"{first}:{last + 1}" for first, last in ends)


class TracedView(Traced):
    """A traced value that is a view of its parent: it is computed again when the parent has another value."""

    __slots__ = ("_current", "attributes", "parent", "primitive", "read_only", "seen")

    def __init__(
        self, current: Traced, parent: Traced, primitive: Primitive, attributes: dict[str, Any], read_only: bool
    ) -> None:
        self._current, self.parent, self.primitive, self.attributes = current, parent, primitive, attributes
        self.read_only, self.seen = read_only, (parent.tape, parent.number)

    @classmethod
    def of(cls, result: Traced, parent: Traced, primitive: Primitive, attributes: dict[str, Any]) -> Traced:
        """The result of an operation as a view of its operand, where numpy does not copy."""
        is_diagonal = primitive.name == "diag" and parent.ndim == 2  # numpy's is a view, the operation's a copy
        if not is_diagonal and not _share(plain(result), plain(parent)):
            return result
        return cls(result, parent, primitive, attributes, is_diagonal or primitive.name == "broadcast_to")

    def is_current(self) -> bool:
        """Whether the parent still has the value of which this was computed."""
        return self.seen == (self.parent.tape, self.parent.number)

    def current(self) -> Traced:
        now = self.parent.tape, self.parent.number
        if self.seen != now:
            self._current = apply(self.primitive, [Traced(*now)], self.attributes)
            self.seen = now
        return self._current

    @property
    def tape(self) -> Any:  # type: ignore[override]
        return self.current().tape

    @property
    def number(self) -> int:  # type: ignore[override]
        return self.current().number

    def become(self, new: Traced) -> None:
        """Give the parent the value that it has with another value of this view."""
        if self.read_only:
            raise ValueError("assignment destination is read-only")
        value = parent_with(self.primitive, Traced(self.parent.tape, self.parent.number), new, self.attributes)
        self.parent.become(value)


def _share(first: Any, second: Any) -> bool:
    arrays = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return bool(arrays and np.may_share_memory(first, second))
