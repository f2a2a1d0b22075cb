"""The module `numpy` of scripts for numpy alone: the real one, but for functions that numpy does not hand over."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.helpers import operation
from cadena.core.scripts.library import Library
from cadena.core.scripts.numpy_arrays.number import PASSES as PASSES
from cadena.core.scripts.numpy_arrays.number import Number, fresh, operate, plain, stacked
from cadena.core.tracing.fresh import MAKERS


def array(object: Any, dtype: Any = None, **options: Any) -> Any:
    """np.array: a list in which something is recorded is stacked."""
    if type(object) in (list, tuple) and _has_numbers(object):
        if options:
            raise TypeError(f"array({next(iter(options))}=...) is not recorded of computed numbers; leave it out")
        result = stacked(object)
        return result if dtype is None else result.astype(dtype)
    if type(object) is Number:
        copy = object.copy() if isinstance(object.array, np.ndarray) else object
        return copy if dtype is None else copy.astype(dtype)
    return np.array(object, dtype, **options)


def asarray(a: Any, dtype: Any = None) -> Any:
    return a if type(a) is Number and dtype is None else array(a, dtype)


def _has_numbers(items: Any) -> bool:
    """Whether a list has something that was computed; plain numbers of variables are copied as numbers."""
    return any(_has_numbers(item) if type(item) in (list, tuple) else type(item) is Number for item in items)


def _plainly(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args, **options: function(*map(plain, args), **{key: plain(one) for key, one in options.items()})


def _fresh(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that makes an array, into which a function of the script may write what is recorded."""
    make = _plainly(function)

    def call(*args: Any, **options: Any) -> Any:
        value = make(*args, **options)
        return fresh(value) if type(value) is np.ndarray and value.dtype.kind == "f" else value

    return call


def _missing(name: str) -> Any:
    return getattr(np, name, None)


def _of_math(name: str) -> Callable[..., Any]:
    """A function of math, recorded as numpy's."""
    function, numpys = getattr(math, name), getattr(np, {"pow": "power", "fabs": "abs"}.get(name, name))

    def call(*args: Any) -> Any:
        value = function(*map(plain, args))
        if not any(type(item) is Number for item in args):
            return value
        traced = numpys(*args)
        return Number(value, traced._node) if type(traced) is Number else value

    return call


NAMED = "exp log log2 log10 log1p expm1 sqrt sin cos tan sinh cosh tanh pow fabs".split()
MATH = Library("math", {**vars(math), **{name: _of_math(name) for name in NAMED}})
NUMPY = Library(
    "numpy",
    {
        "array": array,
        "asarray": asarray,
        "arange": _plainly(np.arange),
        **{name: _fresh(getattr(np, name)) for name in MAKERS},
    },
    _missing,
    lambda: dir(np),
)


def _special(name: str) -> Callable[..., Any] | None:
    """A function of scipy.special, as the table of the language has it that programs are written with."""
    from cadena.core.languages.numpy_programs import NUMPY as LANGUAGE

    signatures = LANGUAGE.signatures.get(f"special.{name}")
    return None if signatures is None else operation(signatures, operate)


def _xlogy(x: Any, y: Any) -> Any:
    return np.where(x == 0, 0.0, x * np.log(np.where(x == 0, 1.0, y)))


SPECIAL = Library("scipy.special", {"xlogy": _xlogy}, _special)
SCIPY = Library("scipy", {"special": SPECIAL})
MODULES = {
    "scipy": SCIPY, "scipy.special": SPECIAL, "math": MATH, "numpy": NUMPY, "numpy.linalg": np.linalg,
    "numpy.random": np.random,
}  # fmt: skip
