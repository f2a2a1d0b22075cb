"""Transformations of functions: grad, vjp, jvp, jacobian, hessian and hvp, with JAX's names for their arguments.

Keyword arguments go to `fun` as they are. With `has_aux` it returns a pair: its value, and anything else, which is
returned beside the result.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.tracing.nesting import arrays_in, changed, nested_like
from cadena.core.tracing.trace import Trace, as_number, trace
from cadena.core.tracing.traced import lowered

NumpyCode = Callable[..., Any]
Argnums = int | Sequence[int]


def value_and_grad(fun: NumpyCode, argnums: Argnums = 0, has_aux: bool = False) -> NumpyCode:
    """A function that returns `fun`'s value, a single number, and its gradient with respect to `argnums`.

    The gradient has the shape of its argument; for several argnums it is a tuple. Raises TypeError when the value is no
    single number, and for argnums that name no argument, or one twice. With `has_aux`: ((value, aux), gradient).
    """

    def both(*args: Any, **named: Any) -> tuple[Any, Any]:
        trace_, aux = _traced(fun, args, named, argnums, has_aux)
        if isinstance(trace_.value, tuple) or np.shape(trace_.value) != ():
            if isinstance(trace_.value, tuple):
                raise TypeError(
                    f"grad needs a function that returns a single number, not a tuple of {len(trace_.value)}; sum it, "
                    "or use jacobian or vjp"
                )
            raise TypeError(
                f"grad needs a function that returns a single number, not shape {np.shape(trace_.value)}; sum it, or "
                "use jacobian or vjp"
            )
        value = (trace_.value, aux) if has_aux else trace_.value
        return value, _pick(trace_.vjp(1.0), argnums)

    return both


def grad(fun: NumpyCode, argnums: Argnums = 0, has_aux: bool = False) -> NumpyCode:
    """A function that returns the gradient of `fun`; see `value_and_grad`. With `has_aux`: (gradient, aux)."""
    both = value_and_grad(fun, argnums, has_aux)

    def gradient(*args: Any, **named: Any) -> Any:
        value, slopes = both(*args, **named)
        return (slopes, value[1]) if has_aux else slopes

    return gradient


def vjp(fun: NumpyCode, *primals: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The value of `fun` at `primals`, and the function cotangent -> gradients, a tuple with one for each primal.

    With `has_aux`: (value, function, aux).
    """
    trace_, aux = _traced(fun, primals, {}, range(len(primals)), has_aux)
    return (trace_.value, trace_.vjp, aux) if has_aux else (trace_.value, trace_.vjp)


def jvp(fun: NumpyCode, primals: Sequence[Any], tangents: Sequence[Any], has_aux: bool = False) -> tuple[Any, ...]:
    """The value of `fun` at `primals` and its tangent along `tangents`. With `has_aux`: (value, tangent, aux)."""
    _check_lists(primals=primals, tangents=tangents)
    trace_, aux = _traced(fun, tuple(primals), {}, range(len(primals)), has_aux)
    pair = trace_.value, trace_.jvp(*tangents)
    return (*pair, aux) if has_aux else pair


def jacobian(fun: NumpyCode, argnums: Argnums = 0, has_aux: bool = False) -> NumpyCode:
    """A function that returns the Jacobian: shape of the value, then shape of the argument.

    For several argnums it is a tuple, and where `fun` returns a tuple, one of such for each of its parts. Runs one pass
    for each element of the smaller side: forward where the argument is smaller, else reverse. With `has_aux`:
    (Jacobian, aux).
    """

    def matrix(*args: Any, **named: Any) -> Any:
        trace_, aux = _traced(fun, args, named, argnums, has_aux)
        by_argument = [_jacobians(trace_, number) for number in range(len(trace_.arguments))]
        parts = [_pick(row, argnums) for row in zip(*by_argument, strict=True)]  # a row for each part of the value
        result = nested_like(trace_.value, parts)
        return (result, aux) if has_aux else result

    return matrix


def hessian(fun: NumpyCode, argnums: Argnums = 0, has_aux: bool = False) -> NumpyCode:
    """A function that returns the second derivatives of a number: shape of the argument twice.

    For several argnums, a tuple of tuples: [i][j] holds the derivative with respect to argument i, then argument j.
    With `has_aux`: (Hessian, aux).
    """
    return jacobian(grad(fun, argnums, has_aux), argnums, has_aux)


def hvp(fun: NumpyCode, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
    """The Hessian of `fun`, a single number, times the vector `tangents`: one product for each primal.

    The tangent of the gradient: costs a few runs of `fun`, and the Hessian is never built.
    """
    _check_lists(primals=primals, tangents=tangents)
    return jvp(grad(fun, range(len(primals))), primals, tangents)[1]  # type: ignore[no-any-return]


# --- shared helpers


def _traced(
    fun: NumpyCode, args: tuple[Any, ...], named: Mapping[str, Any], argnums: Argnums, has_aux: bool
) -> tuple[Trace, Any]:
    """The trace of `fun` as a function of the chosen arguments alone, and its auxiliary result."""
    chosen, auxiliary = _numbers(argnums, len(args)), list[Any]()

    def alone(*parts: Any) -> Any:
        full = list(args)
        for number, part in zip(chosen, parts, strict=True):
            full[number] = part
        value, aux = _pair(fun(*full, **named)) if has_aux else (fun(*full, **named), None)
        auxiliary.append(aux)
        return value

    trace_ = trace(alone, *(args[number] for number in chosen))
    return trace_, changed(trace_.tape.lower, lowered(auxiliary[0]))


def _numbers(argnums: Argnums, count: int) -> list[int]:
    """The chosen arguments of `count`. Raises TypeError for one that is not there, is named twice, or is no number."""
    listed: Sequence[Any] = argnums if isinstance(argnums, Sequence) else [argnums]
    try:
        numbers = [operator.index(number) for number in listed]
    except TypeError:
        raise TypeError(f"argnums is {argnums!r}; give a whole number, or a tuple of them") from None
    if outside := [number for number in numbers if not -count <= number < count]:
        raise TypeError(
            f"argnums names argument {outside[0]}, and {count} are given; count them from 0, without those "
            "given by name"
        )
    places = [number % count for number in numbers]
    if len(set(places)) < len(places):
        raise TypeError(f"argnums {tuple(numbers)} names an argument twice; name each once")
    return places


def _pick(parts: Sequence[Any], argnums: Argnums) -> Any:
    return tuple(parts) if isinstance(argnums, Sequence) else parts[0]


def _pair(result: Any) -> tuple[Any, Any]:
    if not isinstance(result, tuple | list) or len(result) != 2:
        raise TypeError("with has_aux a function returns a pair: its value, and what comes beside it")
    return result[0], result[1]


def _check_lists(**lists: Any) -> None:
    for name, listed in lists.items():
        if not isinstance(listed, tuple | list):
            raise TypeError(f"{name} is {type(listed).__name__}; give a tuple with one for each argument, such as (x,)")


def _jacobians(trace_: Trace, number: int) -> list[Any]:
    """The Jacobian of each part of the value with respect to one argument."""
    into, values = trace_.arguments[number].shape, arrays_in(trace_.value)
    shapes = [np.shape(value) for value in values]
    if _size(into) <= sum(map(_size, shapes)):
        columns = [arrays_in(trace_.jvp(*_directions(trace_, number, index))) for index in range(_size(into))]
        parts = [_stacked([column[part] for column in columns], -1, shape) for part, shape in enumerate(shapes)]
    else:
        rows = [_rows(trace_, number, part, shapes) for part in range(len(shapes))]
        parts = [_stacked(row, 0, into) for row in rows]
    return [as_number(np.reshape(part, (*shape, *into))) for part, shape in zip(parts, shapes, strict=True)]


def _rows(trace_: Trace, number: int, part: int, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """The gradients for one argument of each element of one part of the value."""
    rows = []
    for index in range(_size(shapes[part])):
        cotangents = [_basis(shape, index if at == part else None) for at, shape in enumerate(shapes)]
        rows.append(trace_.vjp(nested_like(trace_.value, cotangents))[number])
    return rows


def _stacked(parts: list[Any], axis: int, shape: tuple[int, ...]) -> Any:
    return np.stack(parts, axis=axis) if parts else np.zeros((*shape, 0) if axis else (0, *shape))


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=int))


def _basis(shape: tuple[int, ...], index: int | None) -> np.ndarray[Any, Any]:
    """Zeros, with a 1 at the flat `index`."""
    basis = np.zeros(shape)
    if index is not None:
        basis.flat[index] = 1.0
    return basis


def _directions(trace_: Trace, number: int, index: int) -> list[Any]:
    return [_basis(item.shape, index if at == number else None) for at, item in enumerate(trace_.arguments)]
