"""Arrays that a traced function makes, such as np.zeros(3): numpy's until a traced value is written into them.

While a function is traced, np.zeros and its like make these for the code that calls them. Each works as the array that
it holds. When a traced value is written into one, or into a view of it, it turns into a traced value with its views.
np.array and np.asarray read lists with traced values in them as arrays.
"""

from __future__ import annotations

import copy
import functools
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from cadena.core.tracing.traced import Traced, apply, lowered, quietly, write_into

MAKERS = "zeros ones empty full eye identity zeros_like ones_like empty_like full_like".split()
READERS = ("array", "asarray")  # also of lists in which a traced value is, which they stack
OWN = ("cadena.", "numpy", "scipy")  # modules whose arrays stay plain


class FreshArray(np.lib.mixins.NDArrayOperatorsMixin):
    """An array of a traced function, or a view of one: `again` makes the view of another array or traced value."""

    __slots__ = ("_again", "_array", "_exposed", "_parent", "_traced")
    __hash__ = None  # type: ignore[assignment]
    __class__ = property(lambda self: np.ndarray)  # as isinstance is to find  # type: ignore[assignment]

    def __init__(self, array: Any, parent: Any = None, again: Callable[[Any], Any] | None = None) -> None:
        self._array, self._parent, self._again = array, parent, again
        self._traced: Traced | None = None
        self._exposed = False

    def __stands_for__(self) -> Any:
        """The traced value, or the array as long as no traced value was written into it."""
        if self._traced is None and self._parent is not None:
            above = self._parent.__stands_for__()
            if type(above) is not np.ndarray:
                assert self._again is not None
                self._traced = self._again(above)
        return self._array if self._traced is None else self._traced

    def _for_writing(self, *values: Any) -> Any:
        """What is written into: a traced value where one is written."""
        now = self.__stands_for__()
        tapes = [value.tape for value in values if isinstance(value, Traced)]
        if isinstance(now, Traced) or not tapes:
            return now
        base = self
        while base._parent is not None:
            base = base._parent
        if base._exposed:
            raise TypeError(
                "a traced value cannot be written into an array of which there is a plain array already (np.asarray, "
                "or a function outside of numpy); write it before that, or into a copy"
            )
        base._traced = max(tapes, key=lambda tape: tape.level).constant(base._array.copy())
        return self.__stands_for__()

    def _view(self, result: Any, again: Callable[[Any], Any]) -> Any:
        """A result of numpy: a view of this array where it shares its memory, and another array of the function."""
        if type(result) in (list, tuple):
            parts = [self._view(part, _part(again, place)) for place, part in enumerate(result)]
            return type(result)(parts)
        if type(result) is np.ndarray and np.may_share_memory(result, self._array):
            return FreshArray(result, self, again)
        return fresh(result)

    @quietly
    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:
        call, out = getattr(ufunc, method), options.pop("out", None)
        plain_inputs, plain_options = lowered(inputs), lowered(options)
        target = inputs[0] if method == "at" else out[0] if isinstance(out, tuple) else out
        if target is None:
            return fresh(call(*plain_inputs, **plain_options))
        into = target._for_writing(*plain_inputs) if type(target) is FreshArray else target
        if method == "at":
            return call(into, *plain_inputs[1:])
        if isinstance(into, Traced):
            write_into(into, call(*plain_inputs, **plain_options))
        else:
            call(*plain_inputs, **plain_options, out=(into,))
        return target

    @quietly
    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:
        out = kwargs.get("out")
        if type(out) is FreshArray:
            rest = lowered({key: one for key, one in kwargs.items() if key != "out"})
            result = function(*lowered(args), **rest)
            into = out._for_writing(result)
            if isinstance(into, Traced):
                write_into(into, result)
            else:
                function(*lowered(args), **rest, out=into)
            return out
        result = function(*lowered(args), **lowered(kwargs))
        owner = next((item for item in args if type(item) is FreshArray), self)

        def again(x: Any) -> Any:
            return function(*(x if item is owner else lowered(item) for item in args), **lowered(kwargs))

        return owner._view(result, again)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        now = self.__stands_for__()
        if isinstance(now, Traced):
            return now.__array__()
        if copy:
            return np.array(now, dtype)
        base = self
        while base._parent is not None:
            base = base._parent
        base._exposed = True
        return np.asarray(now, dtype)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__array_"):
            raise AttributeError(name)
        now = self.__stands_for__()
        attribute = getattr(now, name)
        if isinstance(now, Traced):
            return attribute
        if not callable(attribute):
            return self._view(attribute, lambda x: getattr(x, name))

        def call(*args: Any, **options: Any) -> Any:
            result = attribute(*lowered(args), **lowered(options))
            return self._view(result, lambda x: getattr(x, name)(*lowered(args), **lowered(options)))

        return call

    def fill(self, value: Any) -> None:
        self[...] = value

    def __getitem__(self, index: Any) -> Any:
        index = lowered(index)
        now = self.__stands_for__()
        return now[index] if isinstance(now, Traced) else self._view(now[index], lambda x: x[index])

    def __setitem__(self, index: Any, value: Any) -> None:
        value = lowered(value)
        if type(value) in (list, tuple) and any(isinstance(item, Traced) for item in value):
            value = np.stack(value)
        self._for_writing(value)[lowered(index)] = value

    def __iter__(self) -> Iterator[Any]:
        return (self[place] for place in range(len(self)))

    def __len__(self) -> int:
        return len(self.__stands_for__())

    def __bool__(self) -> bool:
        return bool(self.__stands_for__())

    def __float__(self) -> float:
        return float(self.__stands_for__())

    def __int__(self) -> int:
        return int(self.__stands_for__())

    def __repr__(self) -> str:
        return repr(self.__stands_for__())

    def __str__(self) -> str:
        return str(self.__stands_for__())

    def __format__(self, how: str) -> str:
        return format(self.__stands_for__(), how)

    def __copy__(self) -> Any:
        now = self.__stands_for__()
        return copy.copy(now) if isinstance(now, Traced) else FreshArray(now.copy())

    def __deepcopy__(self, memo: Any) -> Any:
        return self.__copy__()

    copy = __copy__

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__stands_for__().__reduce_ex__(protocol)


def fresh(result: Any) -> Any:
    """A result of numpy; floats as an array that traced values can be written into."""
    return FreshArray(result) if type(result) is np.ndarray and result.dtype.kind == "f" else result


def _part(again: Callable[[Any], Any], place: int) -> Callable[[Any], Any]:
    return lambda x: again(x)[place]


_tracing = threading.local()  # how many traces run in this thread
_lock = threading.Lock()
_replaced: dict[str, Any] = {}  # numpy's own functions, while any thread traces
_count = 0


@contextmanager
def fresh_arrays() -> Iterator[None]:
    """While a function is traced, have np.zeros and its like make arrays that traced values can be written into."""
    global _count
    with _lock:
        if not _count:
            _replaced.update({name: getattr(np, name) for name in (*MAKERS, *READERS)})
            for name, maker in _replaced.items():
                setattr(np, name, _making(maker))
        _count += 1
    _tracing.depth = getattr(_tracing, "depth", 0) + 1
    try:
        yield
    finally:
        _tracing.depth -= 1
        with _lock:
            _count -= 1
            if not _count:
                for name, maker in _replaced.items():
                    setattr(np, name, maker)


def _making(maker: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(maker)
    def make(*args: Any, **options: Any) -> Any:
        caller = sys._getframe(1).f_globals.get("__name__") or ""
        if not getattr(_tracing, "depth", 0) or caller.startswith(OWN):
            return maker(*args, **options)
        if maker.__name__ in READERS:
            return _read(maker, *args, **options)
        plain_args, plain_options = lowered(args), lowered(options)
        if maker.__name__ == "full" and len(args) == 2 and isinstance(plain_args[1], Traced) and not options:
            return apply("positive", [np.broadcast_to(plain_args[1], args[0])])
        return fresh(maker(*plain_args, **plain_options))

    return make


def _read(reader: Callable[..., Any], items: Any, dtype: Any = None, **options: Any) -> Any:
    """np.array or np.asarray of a traced value, of a list with traced values, or of anything else."""
    held = items.__stands_for__() if type(items) is FreshArray else items
    copies = reader.__name__ == "array"
    if isinstance(held, Traced) or _has_traced(held):
        if options:
            raise TypeError(f"np.{reader.__name__} of traced values takes dtype= alone; leave {min(options)}= away")
        whole = _stacked(held) if isinstance(held, list | tuple) else items.copy() if copies else items
        return whole if dtype is None else whole.astype(dtype)
    if type(items) is FreshArray and dtype is None and not options and not copies:
        return items
    array = reader(items, dtype, **options)
    return fresh(array) if copies else array


def _has_traced(items: Any) -> bool:
    if type(items) not in (list, tuple):
        return False
    return any(isinstance(lowered(item), Traced) or _has_traced(item) for item in items)


def _stacked(items: Any) -> Any:
    return np.stack([_stacked(item) if type(item) in (list, tuple) else lowered(item) for item in items])
