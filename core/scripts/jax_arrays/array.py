"""Arrays of JAX: numbers that never change, and their place on the tape while a function is differentiated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY, Primitive, ShapeError
from cadena.core.scripts.followed import (
    Scalar,
    elements_of,
    followed,
    is_computed_index,
    place_of,
    replaced_in,
    stopped,
)
from cadena.core.scripts.jax_arrays.state import STATE, canonical, float_type, whole_type
from cadena.core.scripts.missing import missing
from cadena.core.scripts.operators import Operators, comparison, swapped
from cadena.core.scripts.plain_numbers import note_left
from cadena.core.scripts.tape import NUMBERS, ScriptPlace, named_place
from cadena.core.tracing.traced import Traced, index_text

IMMUTABLE = (
    "JAX arrays are immutable and do not support in-place item assignment. Instead of x[idx] = y, use "
    "x = x.at[idx].set(y) or another .at[] method: "
    "https://docs.jax.dev/en/latest/_autosummary/jax.numpy.ndarray.at.html"
)
# Operations that JAX does on whole numbers without making floats of them.
ON_WHOLE_NUMBERS = frozenset(
    "add subtract multiply negative power remainder floor_divide abs sign maximum minimum matmul getitem index_put "
    "positive square where".split()
)


OTHERS = (int, float, np.ndarray, np.generic)  # what arrays are computed with, beside arrays


class Array(Operators):
    """An array of JAX."""

    __array_priority__ = 1000  # numpy's arrays leave operators to these

    def __init__(self, array: Any, node: Traced | None = None, weak: bool = False) -> None:
        self.array, self._node, self.weak_type = array, node, weak
        self._leaf: Traced | None = None
        self._name = ""
        self._place: ScriptPlace = None

    def handle(self) -> Any:
        """What is recorded as an operand: a place on the tape, or numbers without a name."""
        if self._node is not None and self._node.tape is STATE.tape:
            return self._node
        if not self._name or self.array.dtype.kind != "f":
            return self.array
        if self._leaf is None or self._leaf.tape is not STATE.tape:
            self._leaf = leaf(self.array, self._name, self._place)
            STATE.tape.data.add(self._leaf.number)
        return self._leaf

    def follows(self) -> Traced | None:
        node = self._node
        if not STATE.depth:
            return None
        if node is not None and node.tape is STATE.tape:
            return node
        return self.handle() if self.is_data else None

    @property
    def is_data(self) -> bool:
        """Whether it is a leaf that nothing differentiates; choices by it are recorded all the same."""
        return bool(self._name) and self.array.dtype.kind == "f"

    def like(self, number: float) -> Any:
        """A number of its own."""
        return Array(np.asarray(number, float_type())[()])

    def keep(self, place: Any) -> Any:
        self._node = place if isinstance(place, Traced) else None
        return self

    def named(self, name: str) -> None:
        """Note the first variable that holds this array."""
        if not self._name:
            self._name, self._place = name, named_place(self._node, name)

    shape = property(lambda self: self.array.shape)
    ndim = property(lambda self: self.array.ndim)
    size = property(lambda self: int(self.array.size))
    dtype = property(lambda self: self.array.dtype)
    T = property(lambda self: operate("transpose", (self,)))
    mT = property(lambda self: operate("swapaxes", (self,), {"axis1": -1, "axis2": -2}))
    at = property(lambda self: At(self))

    def _check_plain(self) -> None:
        """Raise JAX's error for plain numbers of an array that is differentiated; note those of others."""
        node = self.follows()
        if node is not None and node.number not in STATE.tape.data:
            raise TypeError(
                "JAX has no plain numbers of an array that it differentiates (ConcretizationTypeError); compute with "
                "jnp's functions, or take the number outside of the function"
            )
        note_left(self)

    def item(self, *index: int) -> Any:
        number = self.array.item(*index)
        if self.follows() is None or index:
            return number
        if type(number) is not float:
            self.guarded("branch" if type(number) is bool else "number")
            return number
        return Scalar(number, Array(self.array, stopped(self)))

    def tolist(self) -> Any:
        self._check_plain()
        return self.array.tolist()

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        self._check_plain()
        return np.asarray(self.array).__array__(*args, **kwargs)

    def __repr__(self) -> str:
        array = np.asarray(self.array)
        weak = ", weak_type=True" if self.weak_type else ""
        text = np.array2string(array, separator=", ", prefix="Array(", suffix=",")
        return f"Array({text}, dtype={array.dtype.name}{weak})"

    def __str__(self) -> str:
        return str(self.array)

    def __format__(self, how: str) -> str:
        return format(self.array[()] if not self.array.ndim else self.array, how)

    def __float__(self) -> float:
        self._check_plain()
        return float(self.array)

    def __int__(self) -> int:
        self.guarded("number")
        return int(self.array)

    def __index__(self) -> int:
        if self.array.dtype.kind not in "iu" or self.array.ndim:
            raise TypeError("Only integer scalar arrays can be converted to a scalar index.")
        self.guarded("number")
        return int(self.array)

    def __len__(self) -> int:
        if not self.array.ndim:
            raise TypeError("len() of unsized object")
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        if not self.array.ndim:
            raise TypeError("iteration over a 0-d array")
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if is_computed_index(index):
            return array_at(elements_of(place_of(self), index), self.array.dtype)
        return operate("getitem", (self,), {"index": index_text(plain_index(index))})

    def __setitem__(self, index: Any, value: Any) -> None:
        raise TypeError(IMMUTABLE)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or not METHODS:
            raise AttributeError(name)
        if name not in METHODS[0]:
            raise missing("jax.Array", name, [*dir(type(self)), *METHODS[0]])
        return lambda *args, **kwargs: METHODS[0][name](self, *args, **kwargs)

    def __neg__(self) -> Any:
        return operate("negative", (self,))

    def __pos__(self) -> Any:
        return operate("positive", (self,))

    def __abs__(self) -> Any:
        return operate("abs", (self,))

    def __invert__(self) -> Any:
        return followed(Array(~np.asarray(self.array)), np.logical_not, self)

    def __round__(self, digits: int = 0) -> Any:
        return operate("round", (self,), {"decimals": digits})

    def combine(self, op: str, other: Any, swapped: bool) -> Any:
        if not isinstance(other, Array) and not isinstance(other, OTHERS):
            return NotImplemented
        operands = (other, self) if swapped else (self, other)
        return raised(*operands) if op == "power" else operate(op, operands)

    def compare(self, ufunc: Any, other: Any) -> Any:
        if not isinstance(other, Array) and not isinstance(other, OTHERS):
            return NotImplemented
        result = Array(np.asarray(ufunc(self.array, numbers_of(other))))
        return followed(result, ufunc, self, other.tensor if isinstance(other, Scalar) else other)

    __rfloordiv__, __rmod__ = swapped("floor_divide"), swapped("remainder")
    __and__, __or__, __xor__ = map(comparison, (np.bitwise_and, np.bitwise_or, np.bitwise_xor))
    __hash__ = None  # type: ignore[assignment]


Array.__module__, Array.__qualname__, Array.__name__ = "jaxlib._jax", "ArrayImpl", "ArrayImpl"  # as type(x) shows it
METHODS: list[dict[str, Any]] = []  # the functions of jax.numpy that arrays have as methods


def _changing(op: str) -> Callable[..., Any]:
    """A method that computes an operation of some elements and a value, and puts the result in their place."""
    return lambda at, values: at._changed(op, values)


class At:
    """x.at: copies of x with other elements."""

    def __init__(self, array: Array, index: Any = None) -> None:
        self._array, self._index = array, index

    def __getitem__(self, index: Any) -> At:
        return At(self._array, index)

    def get(self) -> Any:
        return self._array[self._index]

    def set(self, values: Any) -> Any:
        numbers = values if isinstance(values, Array) else np.asarray(values, self._array.dtype)[()]
        if is_computed_index(self._index):
            return array_at(replaced_in(place_of(self._array), self._index, place_of(numbers)), self._array.dtype)
        return operate("index_put", (self._array, numbers), {"index": index_text(plain_index(self._index))})

    def _changed(self, op: str, value: Any) -> Any:
        if op in ("add", "subtract") and is_computed_index(self._index):
            numbers = value if isinstance(value, Array) else Array(np.asarray(value, self._array.dtype)[()])
            added = place_of(numbers if op == "add" else -numbers)
            return array_at(replaced_in(place_of(self._array), self._index, added, True), self._array.dtype)
        index = plain_index(self._index)
        seen = np.zeros(self._array.shape, int)
        np.add.at(seen, index, 1)
        if seen.size and seen.max() > 1:
            raise TypeError(f"x.at[...].{op} of an element that is indexed twice is not known here; add one by one")
        return self.set(operate(op, (self._array[self._index], value)))

    add, subtract, multiply, divide, power, max, min = map(
        _changing, "add subtract multiply divide power maximum minimum".split()
    )
    mul = multiply


def array_at(place: Any, dtype: Any = None) -> Array:
    """The array whose number is at a place on the tape; conditions and counts are no floats for the script."""
    if not isinstance(place, Traced):
        return Array(np.asarray(place)[()])
    kind = np.dtype(bool) if place.is_truth else whole_type() if place.is_whole else place.value.dtype
    if dtype is not None:
        kind = place.value.dtype if dtype.kind == "f" else dtype
    return Array(np.asarray(place.value).astype(kind)[()], place)


def leaf(numbers: Any, name: str = "", place: ScriptPlace = None) -> Traced:
    """A new leaf of the tape."""
    handle = STATE.tape.leaf(np.array(numbers)[()])
    if name:
        STATE.tape.name(handle.number, name)
    if place is not None:
        STATE.tape.places[-1] = place
    return handle


def plain_index(index: Any) -> Any:
    """An index without arrays of JAX."""
    if isinstance(index, tuple):
        return tuple(map(plain_index, index))
    return index.array if isinstance(index, Array) else index


def numbers_of(value: Any) -> Any:
    """Numbers as JAX takes them; Python's as they are."""
    if isinstance(value, Array):
        return value.array
    if isinstance(value, np.ndarray | np.generic):
        return value.astype(canonical(value.dtype))
    return value


def is_weak(value: Any) -> bool:
    """Whether a value leaves its number type to others."""
    return value.weak_type if isinstance(value, Array) else isinstance(value, NUMBERS)


def is_recorded(operands: Sequence[Any]) -> bool:
    """Whether an operation on these is recorded."""
    if STATE.depth:
        for item in operands:
            if isinstance(item, Array) and item._node is not None and item._node.tape is STATE.tape:
                return True
    return False


def raised(base: Any, exponent: Any) -> Any:
    """A power. With a whole number of Python's as exponent JAX multiplies: the derivative of x ** 0 is 0 everywhere."""
    if type(exponent) is not int:
        return operate("power", (base, exponent))
    with STATE.tape.by_own_rules():
        return operate("power", (base, exponent))


RECORDS: dict[str, Primitive] = {}


def operate(op: str | Primitive, operands: Sequence[Any], attributes: dict[str, Any] | None = None) -> Any:
    """Compute an operation, and record it where a function is differentiated that an operand depends on."""
    operands = [item.tensor if isinstance(item, Scalar) else item for item in operands]
    record = (RECORDS.get(op) or RECORDS.setdefault(op, REGISTRY[op])) if isinstance(op, str) else op
    weak, converted = all(map(is_weak, operands)), _quickly_of_one_type(record.name, operands)
    if converted is None:
        weak, converted = weak or _is_weak_float(operands), of_one_type(record.name, operands)
    if is_recorded(operands) or (STATE.depth and any(isinstance(item, Array) and item.is_data for item in operands)):
        handles = [item.handle() if isinstance(item, Array) else item for item in converted]
        full = record.complete(attributes or {}) if record.attributes else {}
        node = STATE.tape.record(record, handles, full)
        is_whole = node.is_whole and all(np.result_type(numbers_of(item)).kind != "f" for item in converted)
        return array_at(node) if is_whole else Array(node.value, node, weak)
    try:
        numbers = [item.array if isinstance(item, Array) else item for item in converted]
        result = STATE.tape.computed(record, numbers, record.complete(attributes or {}) if record.attributes else {})
    except ShapeError as error:
        shapes = ", ".join(str(np.shape(numbers_of(item))) for item in operands)
        if len(operands) == 2 and record.name in ON_WHOLE_NUMBERS | {"divide"} and record.name != "matmul":
            raise TypeError(f"{record.name} got incompatible shapes for broadcasting: {shapes}.") from None
        raise TypeError(str(error)) from None
    return Array(np.asarray(result)[()], None, weak)


def _is_weak_float(operands: Sequence[Any]) -> bool:
    """Whether of whole numbers and floats the floats are weak alone."""
    floats = [item for item in operands if np.result_type(numbers_of(item)).kind == "f"]
    return bool(floats) and all(map(is_weak, floats))


CHOOSING = {"where": (0,), "take_along_axis": (1,), "embedding": (0,), "nll_loss": (1,)}


def _quickly_of_one_type(op: str, operands: Sequence[Any]) -> Sequence[Any] | None:
    """The operands where arrays of one type of floats meet Python's numbers; None for all that needs more thought."""
    if op in CHOOSING or op == "index_put":
        return None
    dtype = None
    for item in operands:
        if type(item) is not Array:
            if type(item) is not float and type(item) is not int:
                return None
        elif dtype is None:
            dtype = item.array.dtype
        elif item.array.dtype != dtype:
            return None
    if dtype is None or dtype.kind != "f":
        return None
    return [item if type(item) is Array else dtype.type(item) for item in operands]


def of_one_type(op: str, operands: Sequence[Any]) -> list[Any]:
    """The operands in the number type that JAX computes with."""
    skipped = CHOOSING.get(op, ())
    chosen = [numbers_of(item) for slot, item in enumerate(operands) if slot not in skipped]
    strong = [item for item, operand in zip(chosen, _kept(operands, skipped), strict=True) if not is_weak(operand)]
    dtype = canonical(_joined([np.result_type(item) for item in (strong or chosen)]))
    if dtype.kind != "f" and (any(np.result_type(item).kind == "f" for item in chosen) or op not in ON_WHOLE_NUMBERS):
        dtype = float_type()
    if dtype.kind == "b" and op not in ("getitem", "positive", "maximum", "minimum"):
        dtype = whole_type()
    if op in ("index_put", "getitem"):
        dtype = operands[0].array.dtype
    return [item if slot in skipped else _in(item, dtype) for slot, item in enumerate(operands)]


def _kept(operands: Sequence[Any], skipped: Sequence[int]) -> list[Any]:
    return [item for slot, item in enumerate(operands) if slot not in skipped]


def _joined(dtypes: Sequence[np.dtype[Any]]) -> np.dtype[Any]:
    """The type for some types: of whole numbers and floats the floats win, however narrow."""
    floats = [dtype for dtype in dtypes if dtype.kind == "f"]
    return np.result_type(*(floats or dtypes))


def _in(item: Any, dtype: np.dtype[Any]) -> Any:
    """A number or an array in a type."""
    if not isinstance(item, Array):
        return np.asarray(item, dtype)[()]
    return item if item.array.dtype == dtype else cast(item, dtype)


def cast(item: Array, dtype: Any) -> Array:
    """An array in another type."""
    kind = canonical(dtype)
    if is_recorded((item,)) and kind.kind == "f" and item.array.dtype.kind == "f":
        node = STATE.tape.record(REGISTRY["astype"], [item.handle()], {"dtype": kind.name})
        return Array(node.value, node)
    result = Array(np.asarray(item.array).astype(kind)[()])
    if (place := item.follows()) is not None:
        if item.array.dtype.kind != "f":
            return result.keep(np.not_equal(place, 0.0) if kind.kind == "b" else place)  # type: ignore[no-any-return]
        return result.keep(place.astype(kind))  # type: ignore[no-any-return]
    result._name, result._place = (item._name, item._place) if kind.kind == "f" else ("", None)
    return result
