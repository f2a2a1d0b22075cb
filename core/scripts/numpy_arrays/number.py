"""Numbers and arrays of a script: real ones, computed with by Python and numpy, and beside them their graph."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from cadena.core.ops.primitive import REGISTRY, Primitive
from cadena.core.scripts.followed import elements_of, is_computed_index, replaced_in
from cadena.core.scripts.naming import tell
from cadena.core.scripts.numpy_arrays.printed import PrintedGradients
from cadena.core.scripts.operators import Operators, swapped
from cadena.core.scripts.plain_numbers import note_left
from cadena.core.scripts.tape import SIGNS, GradientPass, ScriptPlace, ScriptTape, line_at, named_place, script_place
from cadena.core.tracing.traced import Traced, apply, index_text
from cadena.core.tracing.views import NUMPY_SHARING, parent_with

TAPE = ScriptTape()


PASSES: list[GradientPass] = []  # the assignments of the variable that was assigned last among the scalars
PRINTED = PrintedGradients()
LOST: list[tuple[int, str]] = []  # lines at which the graph ends, since an operation is not recorded, and why
FRESH: set[int] = set()  # leaves of the tape that are fresh arrays
OPERATORS: dict[str, Callable[[Any, Any], Any]] = {
    **SIGNS,
    "power": operator.pow, "matmul": operator.matmul, "floor_divide": operator.floordiv, "remainder": operator.mod,
}  # fmt: skip
# Functions that compute with whole numbers, which are places for others.
COMPUTING = frozenset(
    "dot inner outer vdot tensordot einsum kron cross sum mean concatenate stack hstack vstack".split()
)

# Functions that read one triangle, as operations of a matrix of which both are the same.
OF_SYMMETRIC: dict[Any, Callable[[Any], Any]] = {
    np.linalg.cholesky: lambda a: apply("cholesky", [a]),
    np.linalg.eigh: lambda a: tuple(apply("eigh", [a], {"part": part}) for part in range(2)),
}


class Number(Operators):
    """A number or an array, and its place on the tape; all that it shows is that of the real one."""

    __array_priority__ = 1000

    def __init__(self, array: Any, node: Traced | None = None, version: list[int] | None = None) -> None:
        self.array, self._node = array, node
        self._version = [0] if version is None else version  # how often the memory was changed; views share it
        self._seen = self._version[0]
        self._name = ""
        self._place: ScriptPlace = None
        self._parent: Number | None = None  # of a view, and how it was made of it
        self._steps: list[tuple[Primitive, dict[str, Any]]] = []
        self._from = -1  # the place of the parent's value, of which the view was computed
        self.is_fresh = False  # made by np.zeros and its like, or of such alone: data until a variable holds it

    def handle(self, computing: bool = True) -> Any:
        """The operand that is recorded: a place on the tape; whole numbers are data, or places for other elements."""
        is_data = isinstance(self.array, np.ndarray) and self.array.dtype.kind != "f"
        if is_data and not computing and not self._is_computed():
            return self.array
        if self._parent is not None:
            node = self._parent.handle()
            if node.number != self._from:
                self._from = node.number
                for record, attributes in self._steps:
                    node = TAPE.record(record, [node], attributes)
                self._node, self._name = node, ""
            return self._node
        if self._node is None or self._seen != self._version[0]:
            self._node, self._seen = TAPE.leaf(_floats(self.array)), self._version[0]
            if is_data or self.is_fresh:
                TAPE.data.add(self._node.number)
            if self.is_fresh:
                FRESH.add(self._node.number)
            if self._name:
                TAPE.name(self._node.number, self._name)
            if self._place is not None:
                TAPE.places[-1] = self._place
        return self._node

    def _is_computed(self) -> bool:
        return self._node is not None and TAPE.calls[self._node.number] is not None

    def named(self, name: str) -> None:
        """Note the first variable that holds this number."""
        if not self._name:
            self._name, self._place = name, named_place(self._node, name)

    # isinstance(x, float) and isinstance(x, np.ndarray) are as for the real one.
    __class__ = property(lambda self: type(self.array))

    def combine(self, op: str, other: Any, swapped: bool) -> Any:
        sides = (other, self) if swapped else (self, other)
        value = OPERATORS[op](*map(plain, sides))
        if not is_number(value):
            return value
        return _with(value, lambda: TAPE.record(REGISTRY[op], [_operand(item) for item in sides], {}))

    def compare(self, ufunc: Any, other: Any) -> Any:
        by_sign = {np.less: operator.lt, np.less_equal: operator.le, np.greater: operator.gt}
        by_sign |= {np.greater_equal: operator.ge, np.equal: operator.eq, np.not_equal: operator.ne}
        truth = by_sign[ufunc](self.array, plain(other))
        node = _tried(lambda: ufunc(self.handle(), _operand(other)))
        return Number(truth, node) if type(node) is Traced else truth

    __rfloordiv__, __rmod__ = swapped("floor_divide"), swapped("remainder")

    def __hash__(self) -> int:
        return hash(self.array)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        if (out := options.pop("out", None)) is not None:
            return _in_place(out[0], getattr(ufunc, method)(*inputs, **options))
        value = getattr(ufunc, method)(*map(plain, inputs), **_each(plain, options))
        return _all_with(value, lambda: getattr(ufunc, method)(*map(_operand, inputs), **options))

    def __array_function__(self, function: Any, types: Any, args: Any, options: Any) -> Any:
        if (out := options.pop("out", None)) is not None:
            return _in_place(out, function(*args, **options))
        value = function(*_each(plain, args), **_each(plain, options))
        owners = [item for item in args if type(item) is Number]
        if function in OF_SYMMETRIC and not options and _is_symmetric(args[0]):
            return _all_with(value, lambda: OF_SYMMETRIC[function](_operand(args[0])))
        of_operands = lambda item: _operand(item, function.__name__ in COMPUTING)  # noqa: E731
        return _all_with(value, lambda: function(*_each(of_operands, args), **_each(of_operands, options)), owners)

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        note_left(self)
        return np.asarray(self.array).__array__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        attribute = getattr(self.array, name)
        if name in ("T", "mT"):
            return _with(attribute, lambda: getattr(self.handle(), name), self)
        if not callable(attribute):
            return attribute

        def call(*args: Any, **options: Any) -> Any:
            value = attribute(*_each(plain, args), **_each(plain, options))
            if name in ("item", "tolist"):
                note_left(self)
                return value
            place = self.follows()
            if name == "astype" and place is not None and place.is_whole and value.dtype.kind == "f":
                return Number(value, place)  # the tape has floats alone
            return _with(value, lambda: getattr(self.handle(), name)(*_each(_operand, args), **options), self)

        return call

    def follows(self) -> Traced | None:
        place = self.handle(computing=False)
        return place if isinstance(place, Traced) else None

    def keep(self, place: Any) -> Any:
        self._node, self._seen = place, self._version[0]
        return self

    def like(self, number: float) -> Any:
        """A number of its own."""
        return Number(number)

    def __getitem__(self, index: Any) -> Any:
        plain_index = _each(plain, index)
        if is_computed_index(index):
            return _with(self.array[plain_index], lambda: elements_of(self.handle(), index), self)
        return _with(
            self.array[plain_index], lambda: apply("getitem", [self.handle()], {"index": index_text(plain_index)}), self
        )

    def __setitem__(self, index: Any, value: Any) -> None:
        plain_index, before = _each(plain, index), self.handle()
        if is_computed_index(index):
            node = _tried(lambda: replaced_in(before, index, _operand(value)))
        else:
            node = _tried(lambda: apply("index_put", [before, _operand(value)], {"index": index_text(plain_index)}))
        self.array[plain_index] = plain(value)
        self._changed(node)

    def _changed(self, node: Any) -> None:
        """Note the value after a write; that of a view is put into the value of its parent, and so on."""
        owner = self
        while owner._parent is not None:
            node = None if node is None else owner._in_parent(owner._parent, node)
            owner = owner._parent
        self._version[0] += 1
        owner._node, owner._seen, owner._name, owner.is_fresh = node, self._version[0], "", False

    def _in_parent(self, parent: Number, node: Any) -> Any:
        """The value of the parent after this view has been given a value."""
        values = [parent.handle()]
        for record, attributes in self._steps[:-1]:
            values.append(TAPE.record(record, [values[-1]], attributes))
        for (record, attributes), value in zip(reversed(self._steps), reversed(values), strict=False):
            node = parent_with(record, value, node, attributes)
        return node

    def __iadd__(self, other: Any) -> Any:
        return _in_place(self, self + other)

    def __isub__(self, other: Any) -> Any:
        return _in_place(self, self - other)

    def __imul__(self, other: Any) -> Any:
        return _in_place(self, self * other)

    def __itruediv__(self, other: Any) -> Any:
        return _in_place(self, self / other)

    def __neg__(self) -> Any:
        return _with(-self.array, lambda: apply("negative", [self.handle()]))

    def __pos__(self) -> Any:
        return _with(+self.array, lambda: apply("positive", [self.handle()]))

    def __abs__(self) -> Any:
        return _with(abs(self.array), lambda: apply("abs", [self.handle()]))

    def __iter__(self) -> Iterator[Any]:
        return (self[index] for index in range(len(self.array)))

    def __round__(self, *digits: int) -> Any:
        return round(self.array, *digits)

    def __format__(self, how: str) -> str:
        return format(self.array, how)


def _plainly(name: str) -> Callable[..., Any]:
    return lambda number: getattr(number.array, name)()


def _guarded(name: str) -> Callable[..., Any]:
    def read(number: Any) -> Any:
        value = getattr(number.array, name)()
        number.guarded("branch" if name == "__bool__" else "number")
        return value

    return read


def _float(number: Any) -> float:
    note_left(number)
    return float(number.array)


Number.__float__ = _float  # type: ignore[attr-defined]
for _name in ("__repr__", "__str__", "__len__"):
    setattr(Number, _name, _plainly(_name))
for _name in ("__bool__", "__int__", "__index__"):
    setattr(Number, _name, _guarded(_name))


def operate(op: str, operands: Sequence[Any], attributes: dict[str, Any]) -> Any:
    """Compute an operation, and record it where an operand is recorded."""
    record = REGISTRY[op]
    full = record.complete(attributes)
    value = record.value(*map(plain, operands), **full)
    if not any(type(item) is Number for item in operands):
        return value
    return _with(value, lambda: TAPE.record(record, [_operand(item) for item in operands], full))


def _is_symmetric(matrix: Any) -> bool:
    return np.array_equal(plain(matrix), np.swapaxes(plain(matrix), -1, -2))


def is_number(value: Any) -> bool:
    """Whether a value is a real number or array of numbers."""
    if type(value) is Number:
        return False
    if type(value) in (int, float):
        return True
    return isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "iuf"


def plain(value: Any) -> Any:
    """The real number or array."""
    return value.array if type(value) is Number else value


def _floats(array: Any) -> Any:
    numbers = np.asarray(array)
    return np.array(numbers if numbers.dtype.kind == "f" else numbers.astype(np.float64))[()]


def _operand(value: Any, computing: bool = True) -> Any:
    if type(value) is Number:
        return value.handle(computing)
    if not isinstance(value, np.ndarray) or (value.dtype.kind in "iu" and not computing):
        return value
    return _floats(value) if value.dtype.kind in "iuf" else value  # as it is now: the script may write into it later


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    """A value, or what is in a list, a tuple or a dictionary, changed."""
    if isinstance(value, dict) and type(value) is dict:
        return {key: _each(change, item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)(_each(change, item) for item in value)
    return change(value)


def _tried(record: Callable[[], Any]) -> Any:
    """What is recorded; nothing, and a note of it, where that is not possible."""
    try:
        return record()
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        LOST.append((line_at(script_place()), " ".join(str(error).split())))
        return None


def _is_truth(value: Any) -> bool:
    return type(value) is bool or (isinstance(value, np.ndarray | np.generic) and value.dtype.kind == "b")


def _with(value: Any, record: Callable[[], Any], owner: Number | None = None) -> Any:
    """A number, or a condition, with the graph that is recorded for it."""
    if not is_number(value) and not _is_truth(value):
        return value
    node = _tried(record)
    if type(node) is not Traced:
        return value
    return _result(value, node, [] if owner is None else [owner])


def _result(value: Any, node: Traced, owners: Iterable[Number]) -> Number:
    """A number with its graph; a view of one of the owners where it shares memory with that."""
    for owner in owners:
        if isinstance(value, np.ndarray) and np.may_share_memory(value, owner.array):
            view, source = Number(value, node, owner._version), owner.handle().number
            if (steps := _steps(node, source)) is not None:
                view._parent, view._steps, view._from = owner, steps, source
            return view
    call = TAPE.calls[node.number]
    if call is not None and all(item.number in FRESH for item in call.operands if type(item) is Traced):
        return fresh(value)
    return Number(value, node)


def _steps(node: Traced, source: int) -> list[tuple[Primitive, dict[str, Any]]] | None:
    """The operations that made a view of a value; None where others than such take part."""
    steps, number = list[tuple[Primitive, dict[str, Any]]](), node.number
    while number != source:
        call = TAPE.calls[number]
        if call is None or call.primitive.name not in NUMPY_SHARING or type(call.operands[0]) is not Traced:
            return None
        steps.insert(0, (call.primitive, call.attributes))
        number = call.operands[0].number
    return steps


def fresh(value: Any) -> Number:
    """A number that is data as long as no variable of the module holds it."""
    number = Number(value)
    number.is_fresh = True
    return number


def _all_with(value: Any, record: Callable[[], Any], owners: Sequence[Number] = ()) -> Any:
    """The same for a function of numpy, which may have several results."""
    if not isinstance(value, tuple | list):
        node = _tried(record) if is_number(value) or _is_truth(value) else None
        return _result(value, node, owners) if type(node) is Traced else value
    nodes = _tried(record)
    if not isinstance(nodes, tuple | list) or len(nodes) != len(value):
        return value
    pairs = [
        _result(one, node, owners) if type(node) is Traced else one for one, node in zip(value, nodes, strict=True)
    ]
    return type(value)(*pairs) if hasattr(value, "_fields") else type(value)(pairs)


def _in_place(target: Any, result: Any) -> Any:
    """An array that becomes the result of a computation with it; numbers are replaced instead."""
    if type(target) is not Number:
        target[...] = plain(result)
        return target
    if not isinstance(target.array, np.ndarray):
        return result
    if not np.can_cast(np.result_type(plain(result)), target.array.dtype, "same_kind"):
        raise TypeError(f"Cannot cast {np.result_type(plain(result))} to {target.array.dtype} in place")
    node = result.handle() if type(result) is Number and np.shape(result.array) == target.array.shape else None
    if node is None or TAPE.calls[node.number] is None:
        node = _tried(lambda: apply("index_put", [target.handle(), _operand(result)], {"index": "..."}))
    target.array[...] = plain(result)
    target._changed(node)
    return target


def kept(name: str, value: Any, line: int) -> Any:
    """What a variable of the script is to hold: a number or an array records from now on what is done to it."""
    if is_number(value):
        value = Number(value)
    if type(value) is Number:
        value.is_fresh = False
        tell(name, value, line)
        note(name, value, line)
    return value


def note(name: str, value: Number, line: int) -> None:
    """Note the assignment of the output.

    Where the script prints no gradients, that is a computed value: the last one of the highest rank.
    """
    if PRINTED.output:
        if name == PRINTED.output:
            PASSES.append(GradientPass(TAPE, value.handle().number, line, name))
        return
    node = value._node
    if node is None or TAPE.calls[node.number] is None:
        return
    if PASSES and _rank(name, value.array) < _rank(PASSES[-1].name, TAPE.values[PASSES[-1].root]):
        return
    if PASSES and PASSES[-1].name != name:
        PASSES.clear()
    PASSES.append(GradientPass(TAPE, node.number, line, name))


def started_anew(module: dict[str, Any], first: int, last: int, names: Sequence[str]) -> None:
    """Start variables as leaves in an iteration of the loop in the lines from `first` to `last`.

    A loop that computes the output and then changes variables for its next iteration trains: each iteration is a step
    of its own, as in a script for PyTorch, and a thousand of them are no graph that anybody wants. What was changed
    before the output was computed, as in Euler's method, stays a part of it.
    """
    if not PASSES or not first <= PASSES[-1].line <= last:
        return
    for name in names:
        value = module.get(name)
        if type(value) is Number and value._node is not None and value._node.number > PASSES[-1].root:
            module[name] = again = Number(value.array, None, value._version)
            again._name, again._place = name, value._place
            STEPS.setdefault(first, set()).add(name)


STEPS: dict[int, set[str]] = {}  # by the line of a loop the variables with which its iterations start


def _rank(name: str, numbers: Any) -> tuple[bool, bool]:
    """A loss is rather the output than a learning rate or a weight after its step, and a scalar than an array."""
    return _is_loss(name), getattr(numbers, "size", 1) == 1


@lru_cache
def _is_loss(name: str) -> bool:
    return bool(LOSS.search(name))


LOSS = re.compile("loss|cost|err|objective|mse|nll|^[LJE]$", re.IGNORECASE)


def settle_leaves() -> None:
    """Where the script prints gradients, the leaves of which it prints none are data."""
    if PRINTED.output:
        leaves = (number for number, call in enumerate(TAPE.calls) if call is None)
        TAPE.data.update(number for number in leaves if TAPE.names.get(number) not in PRINTED.leaves)


def stacked(items: Iterable[Any]) -> Any:
    """np.array of a list in which something is recorded."""
    return np.stack([stacked(item) if type(item) in (list, tuple) else item for item in items])
