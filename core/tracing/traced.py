"""Traced values: arrays that record how they are computed. numpy's own protocols hand every call on them to a record.

Traces nest. Each has a level; a call is recorded on the trace with the highest level among its operands, and what that
trace holds as values may itself be traced by a lower one. So derivatives of derivatives need no code of their own.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import partial
from typing import Any, Protocol

import numpy as np

from cadena.core.ops.primitive import REGISTRY, Primitive, ShapeError
from cadena.core.tracing.advice import METHODS_INSTEAD

# Traced code computes on the user's behalf: an inf or a nan is in the result, without a warning.
quietly = np.errstate(all="ignore")


class Recorder(Protocol):
    """The interface of the record that a traced value belongs to; `recording.Tape` implements it."""

    level: int
    values: list[Any]
    calls: list[Any]
    truths: set[int]
    wholes: set[int]

    def guard(self, number: int, kind: str) -> None: ...
    def elements(self, x: Traced, index: Any) -> Any: ...
    def replaced(self, x: Traced, index: Any, values: Any) -> Any: ...

    def constant(self, value: Any) -> Traced: ...
    def record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced: ...
    def call_ufunc(self, ufunc: np.ufunc, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any: ...
    def call_function(self, function: Handler, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any: ...


def is_choice(primitive: Primitive) -> bool:
    """Whether an operation only compares or searches: no operand of it has a gradient."""
    return 0 < len(primitive.slots) == len(primitive.choosers)


def is_traced(x: Any) -> bool:
    """Whether `x` is a traced value."""
    return isinstance(x, Traced)


def apply(primitive: Primitive | str, operands: Sequence[Any], attributes: dict[str, Any] | None = None) -> Any:
    """Compute one operation on operands of which some may be traced; the result is traced when one is."""
    record = REGISTRY[primitive] if isinstance(primitive, str) else primitive
    full = record.complete(attributes or {}) if attributes is not None or record.attributes else {}
    tapes = [operand.tape for operand in operands if isinstance(operand, Traced)]
    if not tapes:
        return _computed(record, operands, full)
    highest = tapes[0] if len(tapes) == 1 else max(tapes, key=lambda tape: tape.level)
    return highest.record(record, operands, full)


def _computed(record: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """Compute an operation on plain arrays. Raises our ShapeError where numpy refuses their shapes."""
    try:
        return record.value(*operands, **attributes)
    except (TypeError, ValueError, IndexError, AttributeError):
        try:
            record.shape(*map(np.shape, operands), **attributes)
        except ShapeError as error:
            what = "{error} (operands of shape {shapes})"
            if not error.names(record.name):
                what = "{op}: {error} (operands of shape {shapes})"
            shapes = ", ".join(str(np.shape(operand)) for operand in operands)
            raise ShapeError(what, op=record.name, error=error, shapes=shapes) from None
        raise


Handler = Callable[..., Any]


class GraphLost(TypeError):
    """An attempt to turn a traced value into plain numbers; the message says what to write instead."""


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A value of a trace. Works with numpy's functions, operators, methods and indexing.

    It is a handle: an assignment to elements or an out= makes it stand for the new value, which all holders of the same
    array see, as with numpy.
    """

    __slots__ = ("number", "tape")

    def __init__(self, tape: Recorder, number: int) -> None:
        self.tape, self.number = tape, number

    @property
    def value(self) -> Any:
        return self.tape.values[self.number]

    @property
    def shape(self) -> tuple[int, ...]:
        return np.shape(self.value)

    @shape.setter
    def shape(self, new_shape: Any) -> None:
        raise TypeError(f"the shape of a traced value cannot be set; write x = np.reshape(x, {new_shape})")

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=int))

    @property
    def is_truth(self) -> bool:
        """Whether this is a condition: 1 and 0 on the tape, True and False for the code that runs."""
        return self.number in self.tape.truths

    @property
    def is_whole(self) -> bool:
        """Whether this is a whole number for the code that runs: a place, a count, a condition."""
        return self.number in self.tape.wholes or self.is_truth

    @property
    def is_index(self) -> bool:
        """Whether this is what a comparison or a search gives, whatever it is of."""
        call = self.tape.calls[self.number]
        return call is not None and is_choice(call.primitive)

    def guard(self, kind: str) -> Any:
        """The plain numbers, which code goes on with: where they are others, it would do something else."""
        self.tape.guard(self.number, kind)
        return self.value.guard(kind) if isinstance(self.value, Traced) else self.value

    @property
    def dtype(self) -> np.dtype[Any]:
        if self.is_truth:
            return np.dtype(bool)
        if self.is_whole:
            return np.dtype(np.int64)
        value = self.value
        return value.dtype if isinstance(value, WITH_DTYPE) else np.result_type(value)

    def apply_operation(self, primitive: Primitive, operands: list[Any], attributes: dict[str, Any]) -> Any:
        """Compute and record one operation of which this is an operand."""
        return apply(primitive, operands, attributes)

    @property
    def T(self) -> Any:
        """The transpose, as on an array."""
        return apply("transpose", [self])

    @property
    def mT(self) -> Any:
        """The transpose of the last two axes, as on an array."""
        return np.swapaxes(self, -1, -2)

    @property
    def real(self) -> Any:
        """The value itself: traced values are real."""
        return self

    @property
    def imag(self) -> Any:
        """Zeros: traced values are real."""
        return np.zeros(self.shape, self.dtype)

    @quietly
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if any(hasattr(type(item), "__stands_for__") for item in options.get("out", ())):
            return NotImplemented  # what is written into sees to it
        return self.tape.call_ufunc(ufunc, method, lowered(inputs), options)

    @quietly
    def __array_function__(self, function: Handler, types: Any, args: Any, kwargs: Any) -> Any:
        if hasattr(type(kwargs.get("out")), "__stands_for__"):
            return NotImplemented
        return self.tape.call_function(function, lowered(args), lowered(kwargs))

    def __primitive__(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
        return apply(primitive, operands, attributes)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        if self.is_whole:  # which choose from an array that is not traced
            return np.asarray(self.guard("elements")).astype(args[0] if args and args[0] is not None else self.dtype)
        raise GraphLost(
            "a traced value cannot become a plain array, since its graph would be lost; use np.stack or np.concatenate "
            "on a list of traced values, and numpy's functions instead of others"
        )

    def __float__(self) -> float:
        raise GraphLost(
            "float() of a traced value would lose its graph; keep the value as it is, and use np.sin and the like "
            "instead of math's"
        )

    __complex__ = __float__

    def __int__(self) -> int:
        """The whole number, as a plain one: with another the code would do something else."""
        if self.size != 1:
            raise TypeError("only arrays of one element can be converted to a whole number")
        whole: Any = np.trunc(self)
        return int(whole.guard("number"))

    def __index__(self) -> int:
        if self.size != 1 or float(plain(self)) != np.rint(plain(self)):
            raise TypeError("only whole numbers can be an index")
        return int(self.guard("number"))

    def __round__(self, digits: int = 0) -> Any:
        return np.round(self, digits)

    def __trunc__(self) -> Any:
        return np.trunc(self)

    def __floor__(self) -> Any:
        return np.floor(self)

    def __ceil__(self) -> Any:
        return np.ceil(self)

    def __format__(self, how: str) -> str:
        return format(plain(self), how) if how else repr(self)

    def __copy__(self) -> Traced:
        return Traced(self.tape, self.number)

    def __deepcopy__(self, memo: Any) -> Traced:
        """A handle of its own on the same tape, so that the copy keeps its graph."""
        return Traced(self.tape, self.number)

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise GraphLost("a traced value cannot be pickled, since its graph would be lost; save the trace's document")

    def __bool__(self) -> bool:
        """The truth value, as a plain one: with another the code would do something else."""
        truth = bool(plain(self))
        self.guard("branch")
        return truth

    def __len__(self) -> int:
        return len(plain(self))

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        index = lowered(index)
        if is_computed(index):
            return self.tape.elements(self, index)
        return apply("getitem", [self], {"index": index_text(index)})

    def __setitem__(self, index: Any, value: Any) -> None:
        index, value = lowered(index), lowered(value)
        if is_computed(index):
            self.become(self.tape.replaced(self, index, value))
        else:
            self.become(apply("index_put", [self, value], {"index": index_text(index)}))

    def become(self, new: Traced) -> None:
        """Stand for another value from now on."""
        self.tape, self.number = new.tape, new.number

    def __getattr__(self, name: str) -> Any:
        """The methods of arrays are numpy's functions of the same name."""
        if name in METHODS:
            return partial(METHODS[name], self)
        if name in METHODS_INSTEAD:
            raise AttributeError(f"x.{name} of a traced value x is not traced; {METHODS_INSTEAD[name]}")
        raise AttributeError(f"a traced value has no {name}; use numpy's functions")

    def __repr__(self) -> str:
        return f"Traced({plain(self)!r})"


WITH_DTYPE = (np.generic, np.ndarray, Traced)


METHODS: dict[str, Callable[..., Any]] = {
    name: getattr(np, name)
    for name in (
        "sum mean prod max min var std cumsum cumprod trace argmax argmin ravel squeeze swapaxes repeat "
        "take clip round dot all any nonzero argsort argpartition searchsorted diagonal conj conjugate"
    ).split()
}


def _reshape(x: Any, *shape: Any, **options: Any) -> Any:
    return np.reshape(x, shape[0] if len(shape) == 1 else shape, **options)


def _transpose(x: Any, *axes: Any) -> Any:
    return np.transpose(x, (axes[0] if len(axes) == 1 else axes) or None)


def _astype(x: Traced, dtype: Any, **options: Any) -> Any:
    """A copy in another dtype; its gradient comes back in the dtype of `x`."""
    kind = np.dtype(dtype).kind
    if kind == "b":
        return np.not_equal(x, 0.0)
    if kind not in "iu":
        return apply("astype", [x], {"dtype": np.dtype(dtype).name})
    call = x.tape.calls[x.number]
    is_rounded = x.is_whole or (call is not None and call.primitive.name in ("trunc", "floor", "ceil"))
    whole: Any = x if is_rounded else apply("trunc", [x])
    if x.is_truth:  # as an index 0 and 1 are places, not a mask
        whole = apply("astype", [x], {"dtype": x.dtype.name if x.dtype.kind == "f" else "float64"})
    whole.tape.wholes.add(whole.number)
    return whole


METHODS["reshape"], METHODS["transpose"], METHODS["astype"] = _reshape, _transpose, _astype
METHODS["flatten"], METHODS["copy"] = lambda x, *order: copy(np.ravel(x, *order)), np.positive


def _compress(x: Traced, condition: Any, axis: Any = None) -> Any:
    return np.compress(condition, x, axis)


METHODS["compress"] = _compress


def _refused(name: str) -> Callable[..., Any]:
    def refuse(x: Traced, *args: Any, **kwargs: Any) -> Any:
        raise GraphLost(f"x.{name}() of a traced value x is not traced; {METHODS_INSTEAD[name]}")

    return refuse


def _fill(x: Traced, value: Any) -> None:
    x[...] = value


METHODS["fill"] = _fill
METHODS |= {name: _refused(name) for name in METHODS_INSTEAD if callable(getattr(np.ndarray, name, None))}


def lowered(x: Any) -> Any:
    """`x`, or what is in it, with what stands for an array replaced by the array or traced value that it stands for."""
    if type(x) in (tuple, list):
        return type(x)(map(lowered, x))
    if type(x) is dict:
        return {key: lowered(item) for key, item in x.items()}
    stands_for = getattr(type(x), "__stands_for__", None)
    return x if stands_for is None else stands_for(x)


def write_into(target: Traced, result: Any) -> Traced:
    """Make `target` hold `result`: all holders of the same traced array see the new value, as with numpy's."""
    if np.shape(result) != target.shape:
        try:
            result = np.broadcast_to(result, target.shape)
        except ValueError:
            raise ValueError(
                f"a result of shape {np.shape(result)} does not fit into out= of shape {target.shape}; give an out= of "
                "its shape"
            ) from None
    # A value that a plain result replaces no longer influences it.
    target.become(result if isinstance(result, Traced) else apply("index_put", [target, result], {"index": "..."}))
    return target


def plain(x: Any) -> Any:
    """The numbers of `x` without any trace."""
    while isinstance(x, Traced):
        x = x.value
    return x


def is_computed(index: Any) -> bool:
    """Whether an index has a computed place or condition in it; computed ends of slices are plain numbers."""
    parts = index if isinstance(index, tuple) else (index,)
    return any(isinstance(part, Traced) or (isinstance(part, list) and is_computed(tuple(part))) for part in parts)


def index_text(index: Any) -> str:
    """An index as the text that the operation getitem keeps: "1:3, None, [0, 2]". Raises TypeError for other things."""
    if isinstance(index, tuple):
        if not index:
            return "..."
        return ", ".join(map(_part_text, index)) + ("," if len(index) == 1 else "")
    return _part_text(index)


def _part_text(part: Any) -> str:
    if isinstance(part, slice):
        ends = ["" if end is None else str(operator.index(end)) for end in (part.start, part.stop, part.step)]
        return ":".join(ends[:2] if part.step is None else ends)
    if part is None or part is Ellipsis:
        return "None" if part is None else "..."
    array = np.asarray(plain(part))
    if array.dtype.kind not in "biu" and array.size:
        raise TypeError(f"an index is whole numbers, slices or truth values, not {array.dtype}")
    return str(array.tolist())
