"""Tensors and variables of TensorFlow, and how they are computed with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.scripts.followed import Scalar, elements_of, followed, is_computed_index, place_of
from cadena.core.scripts.library_rules import TENSORFLOW_RULES, LibraryRule, RuledTape
from cadena.core.scripts.missing import missing
from cadena.core.scripts.operators import Operators, comparison
from cadena.core.scripts.plain_numbers import note_left
from cadena.core.scripts.tape import GradientPass, ScriptPlace, line_at, named_place, script_place
from cadena.core.tracing.traced import Traced, index_text


class TensorFlowTape(RuledTape):
    """TensorFlow's exp of float32 is mostly right to the last digit."""

    rules: ClassVar[Mapping[str, LibraryRule]] = TENSORFLOW_RULES
    library: ClassVar[str] = "tensorflow"
    rounded_once: ClassVar[frozenset[str]] = frozenset(("exp",))
    products: ClassVar[frozenset[str]] = frozenset(("relu", "relu6"))


class State:
    """What the modules share: the record, how many gradient tapes are open, and the gradients that were asked for."""

    def __init__(self) -> None:
        self.tape: TensorFlowTape = TensorFlowTape()
        self.open = 0
        self.episode = 0  # counted up when a first tape opens; what was watched before is forgotten
        self.passes: list[GradientPass] = []

    def note_pass(self, root: int) -> None:
        self.passes.append(GradientPass(self.tape, root, line_at(script_place()), end=len(self.tape.calls)))


STATE = State()


class DType:
    """A number type, as TensorFlow prints it."""

    def __init__(self, name: str) -> None:
        self.name, self.as_numpy_dtype = name, np.dtype(name).type

    min = property(lambda self: np.finfo(self.name).min if "float" in self.name else np.iinfo(self.name).min)
    max = property(lambda self: np.finfo(self.name).max if "float" in self.name else np.iinfo(self.name).max)

    is_floating = property(lambda self: self.name.startswith("float"))

    def __repr__(self) -> str:
        return f"tf.{self.name}"

    def __str__(self) -> str:
        return f"<dtype: '{self.name}'>"

    def __eq__(self, other: object) -> bool:
        return self.name == (other.name if isinstance(other, DType) else other)

    def __hash__(self) -> int:
        return hash(self.name)


DTYPES = {name: DType(name) for name in ("float16", "float32", "float64", "int32", "int64", "uint8", "bool")}


class Shape(tuple[int, ...]):
    """The shape of a tensor."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"TensorShape({list(self)})"

    def __str__(self) -> str:
        return tuple.__repr__(self)

    def as_list(self) -> list[int]:
        return [*self]

    @property
    def rank(self) -> int:
        return len(self)


def numbers_of(value: Any, dtype: Any = None) -> np.ndarray[Any, Any]:
    """Numbers as TensorFlow takes them: floats in float32, whole numbers in int32, numpy's in their own type."""
    if isinstance(value, Tensor):
        array = np.asarray(value.array)
    else:
        if dtype is not None and not _has_tensors(value):
            return np.asarray(value, dtype.as_numpy_dtype if isinstance(dtype, DType) else dtype)
        array = np.asarray([numbers_of(item) for item in value] if isinstance(value, list | tuple) else value)
        if array.dtype.kind not in "biuf":
            raise ValueError(f"a tensor is made of numbers, not of {type(value).__name__}")
        if not isinstance(value, np.ndarray | np.generic | list | tuple) or not array.size:
            array = array.astype({"f": np.float32, "i": np.int32}.get(array.dtype.kind, array.dtype))
    if dtype is None:
        return array
    return array.astype(dtype.as_numpy_dtype if isinstance(dtype, DType) else dtype)


def _has_tensors(value: Any) -> bool:
    return any(map(_has_tensors, value)) if isinstance(value, list | tuple) else isinstance(value, Tensor)


class Tensor(Operators):
    """A tensor: numbers, and the place on the record while a tape watches."""

    __array_priority__ = 100  # numpy's arrays leave operators to tensors

    def __init__(self, array: Any, node: Traced | None = None) -> None:
        self.array, self._node, self._episode = array, node, STATE.episode
        self._name = ""
        self._place: ScriptPlace = None
        self._data: Traced | None = None  # the leaf of what no tape watches

    def handle(self) -> Any:
        """What is recorded as an operand: a place on the record, or numbers without a name."""
        if self.is_tracked:
            return self._node
        if not self._name:
            return self.array
        if self._data is None or self._data.tape is not STATE.tape:
            self._data = self._leaf()
            STATE.tape.add_data(self._data)
            self._node, self._episode = self._data, -1
        return self._data

    def _leaf(self) -> Traced:
        leaf = STATE.tape.leaf(np.array(self.array)[()])
        if self._name:
            STATE.tape.name(leaf.number, self._name)
            STATE.tape.places[-1] = self._place
        return leaf

    @property
    def is_tracked(self) -> bool:
        return self._node is not None and self._episode == STATE.episode and self._node.tape is STATE.tape

    def places(self) -> list[int]:
        """The places on the record whose gradients are this tensor's."""
        return [] if self._node is None else [self._node.number]

    def follows(self) -> Traced | None:
        if not STATE.open:
            return None
        return self._node if self.is_tracked else self.handle() if self.is_data else None

    @property
    def is_data(self) -> bool:
        """Whether it is a leaf that no tape watches; choices by it are recorded all the same."""
        return bool(self._name) and self.array.dtype.kind == "f"

    def like(self, number: float) -> Any:
        """A number of its own."""
        return Tensor(np.asarray(number, np.float32)[()])

    def keep(self, place: Any) -> Any:
        self._node, self._episode = place if isinstance(place, Traced) else None, STATE.episode
        return self

    def watch(self) -> None:
        """Make this a leaf whose gradient can be asked for, if it is none yet."""
        if not self.is_tracked:
            self._node, self._episode = self._leaf(), STATE.episode

    def named(self, name: str) -> None:
        """Note the first variable that holds this tensor."""
        if not self._name:
            self._name, self._place = name, named_place(self._node, name)

    @property
    def shape(self) -> Shape:
        return Shape(np.shape(self.array))

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def dtype(self) -> DType:
        return DTYPES[self.array.dtype.name]

    def get_shape(self) -> Shape:
        return self.shape

    def numpy(self) -> Any:
        note_left(self)
        return np.array(self.array)[()]

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        note_left(self)
        return np.asarray(self.array).__array__(*args, **kwargs)

    def __str__(self) -> str:
        return f"tf.Tensor({_own_lines(str(self.array))}, shape={self.shape}, dtype={self.dtype.name})"

    def __repr__(self) -> str:
        return f"<tf.Tensor: shape={self.shape}, dtype={self.dtype.name}, numpy={numpy_text(self.array)}>"

    def __format__(self, how: str) -> str:
        return format(self.array.item() if not self.ndim else self.array, how)

    def __float__(self) -> float:
        note_left(self)
        return float(self.array)

    def __int__(self) -> int:
        self.guarded("number")
        return int(self.array)

    __index__ = __int__

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self)))

    def __getitem__(self, index: Any) -> Any:
        if is_computed_index(index):
            return tensor_at(elements_of(place_of(self), index), self.array.dtype)
        return operate("getitem", (self,), {"index": index_text(plain_index(index))})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise missing("tensorflow.Tensor", name, dir(type(self)))

    def __neg__(self) -> Any:
        return operate("negative", (self,))

    def __abs__(self) -> Any:
        return operate("abs", (self,))

    def combine(self, op: str, other: Any, swapped: bool) -> Any:
        return operate(op, (other, self) if swapped else (self, other))

    def compare(self, ufunc: Any, other: Any) -> Any:
        result = Tensor(np.asarray(ufunc(self.array, numbers_of(other)))[()])
        return followed(result, ufunc, self, other.tensor if isinstance(other, Scalar) else other)

    def __invert__(self) -> Any:
        return followed(Tensor(~np.asarray(self.array)), np.logical_not, self)


for _name, _find in (("and", np.logical_and), ("or", np.logical_or), ("xor", np.logical_xor)):
    setattr(Tensor, f"__{_name}__", comparison(_find))


def plain_index(index: Any) -> Any:
    """An index without tensors."""
    if isinstance(index, tuple):
        return tuple(map(plain_index, index))
    return index.array if isinstance(index, Tensor) else index


class Variable(Tensor):
    """A variable: every tape watches it, and it can be assigned to."""

    def __init__(
        self, initial_value: Any, trainable: bool | None = None, name: str | None = None, dtype: Any = None
    ) -> None:
        super().__init__(np.array(numbers_of(initial_value() if callable(initial_value) else initial_value, dtype)))
        self.trainable, self.name = trainable is not False, f"{name or 'Variable'}:0"
        self._before: list[int] = []  # the places of earlier values, of which the gradient is one of the variable too

    def places(self) -> list[int]:
        return [*self._before, *super().places()]

    def __getitem__(self, index: Any) -> Any:
        part = super().__getitem__(index)
        part.assign = lambda value: self._assign_part(index, value)
        return part

    def _assign_part(self, index: Any, value: Any) -> Any:
        new = np.array(self.array)
        new[plain_index(index)] = numbers_of(value, new.dtype)
        return self.assign(new)

    def follows(self) -> Traced | None:
        return self.handle() if STATE.open else None

    def handle(self) -> Any:
        self.watch()
        if self._node is not None and not (self.trainable and self.array.dtype.kind == "f"):
            STATE.tape.data.add(self._node.number)
        return self._node

    def assign(self, value: Any) -> Any:
        new = numbers_of(value, self.array.dtype)
        if new.shape != self.array.shape:
            raise ValueError(f"cannot assign a value of shape {new.shape} to a variable of shape {self.array.shape}")
        if self.is_tracked and self._node is not None:
            self._before.append(self._node.number)
        self.array, self._node = new, None
        return self

    def assign_add(self, delta: Any) -> Any:
        return self.assign(self.array + numbers_of(delta, self.array.dtype))

    def assign_sub(self, delta: Any) -> Any:
        return self.assign(self.array - numbers_of(delta, self.array.dtype))

    def __format__(self, how: str) -> str:
        return str(self)

    def value(self) -> Any:
        return operate("positive", (self,))

    read_value = value

    def __str__(self) -> str:
        shown = f"shape={self.shape} dtype={self.dtype.name}, numpy={numpy_text(self.array)}"
        return f"<tf.Variable '{self.name}' {shown}>"

    __repr__ = __str__


for _kind, _module, _name in (
    (Tensor, "tensorflow.python.framework.ops", "EagerTensor"),
    (Variable, "tensorflow.python.ops.resource_variable_ops", "ResourceVariable"),
):  # as scripts print the type
    _kind.__module__, _kind.__qualname__, _kind.__name__ = _module, _name, _name


def numpy_text(array: Any) -> str:
    """Numbers in a repr: one as Python's number, several as numpy shows them."""
    return repr(array.item()) if not np.ndim(array) else _own_lines(repr(np.asarray(array)))


def _own_lines(text: str) -> str:
    """A text, which begins on a line of its own where it has several."""
    return f"\n{text}" if "\n" in text else text


RECORDS: dict[str, Primitive] = {}
LISTS = (list, tuple)


def operate(op: str | Primitive, operands: Sequence[Any], attributes: dict[str, Any] | None = None) -> Any:
    """Compute an operation, and record it where a tape watches an operand."""
    record = (RECORDS.get(op) or RECORDS.setdefault(op, REGISTRY[op])) if isinstance(op, str) else op
    operands = [
        join_tensors(item) if isinstance(item, LISTS) else item.tensor if isinstance(item, Scalar) else item
        for item in operands
    ]
    dtype = _float_type(record.name, operands)
    tensors = operands if dtype is not None else _of_one_type(record.name, operands)
    full = record.complete(attributes or {}) if record.attributes else {}
    if not (STATE.open and any(map(_is_watched, tensors))):
        numbers = [item.array if isinstance(item, Tensor) else np.asarray(item, dtype)[()] for item in tensors]
        result = STATE.tape.computed(record, numbers, full)
        return Tensor(result if isinstance(result, np.ndarray | np.generic) else np.asarray(result)[()])
    handles = [
        item.handle() if isinstance(operand, Tensor) else operand
        for item, operand in zip(tensors, operands, strict=True)
    ]
    node = STATE.tape.record(record, handles, full)
    is_whole = node.is_whole and all(item.array.dtype.kind != "f" for item in tensors if isinstance(item, Tensor))
    return tensor_at(node) if is_whole else Tensor(node.value, node)


def tensor_at(place: Any, dtype: Any = None) -> Any:
    """The tensor whose number is at a place on the record; conditions and counts are no floats for the script."""
    if not isinstance(place, Traced):
        return Tensor(np.asarray(place)[()])
    kind: Any = np.dtype(bool) if place.is_truth else np.dtype(np.int64) if place.is_whole else place.value.dtype
    if dtype is not None:
        kind = place.value.dtype if dtype.kind == "f" else dtype
    return Tensor(place.value if place.value.dtype == kind else np.asarray(place.value).astype(kind)[()], place)


def join_tensors(item: Any) -> Any:
    """An operand; a list of tensors as one tensor."""
    if isinstance(item, LISTS) and _has_tensors(item):
        return operate("stack", [join_tensors(part) for part in item], {"axis": 0})
    return item


CHOOSING = {
    "where": (0,), "take": (1,), "take_along_axis": (1,), "embedding": (0,), "nll_loss": (1,), "cross_entropy": (1,),
}  # fmt: skip


def _is_watched(item: Any) -> bool:
    return isinstance(item, Tensor) and (item.is_tracked or isinstance(item, Variable) or item.is_data)


def _float_type(op: str, operands: Sequence[Any]) -> np.dtype[Any] | None:
    """The type where tensors of one type of floats meet Python's floats; None for all that needs more thought."""
    dtype: np.dtype[Any] | None = None
    for item in operands:
        if isinstance(item, Tensor):
            dtype = dtype or item.array.dtype
            if item.array.dtype != dtype:
                return None
        elif type(item) is not float:
            return None
    return dtype if dtype is not None and dtype.kind == "f" and op not in CHOOSING else None


def _of_one_type(op: str, operands: Sequence[Any]) -> list[Tensor]:
    """The operands as tensors; Python's numbers take the type of the others. Raises TypeError for tensors of two."""
    kinds = [
        item.array.dtype
        for slot, item in enumerate(operands)
        if isinstance(item, Tensor) and slot not in CHOOSING.get(op, ())
    ]
    if len(set(kinds)) > 1:
        raise TypeError(
            f"{op} is of tensors of one number type, not of {' and '.join(sorted({kind.name for kind in kinds}))}; "
            "convert one with tf.cast"
        )
    kind = kinds[0] if kinds else None
    if kind is not None and kind.kind in "iu" and any(isinstance(item, float) for item in operands):
        raise TypeError(f"{op} of a tensor of {kind.name} and a float; convert it with tf.cast")
    tensors = [item if isinstance(item, Tensor) else Tensor(numbers_of(item, kind)[()]) for item in operands]
    if op == "divide" and (kind or np.dtype(np.float32)).kind in "iu":
        return [Tensor(item.array.astype(np.float64)) for item in tensors]
    return tensors
