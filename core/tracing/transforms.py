"""Functions of functions: grad, vjp, jvp, jacobian, hessian and hvp, with JAX's names for their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from core.tracing.trace import Trace, trace

Function = Callable[..., Any]
Argnums = int | Sequence[int]


def _only(fun: Function, args: tuple[Any, ...], argnums: Argnums) -> tuple[Function, tuple[Any, ...]]:
    """`fun` as a function of the chosen arguments alone, and those arguments."""
    chosen = [argnums] if isinstance(argnums, int) else list(argnums)
    chosen = [number % len(args) for number in chosen]

    def alone(*parts: Any) -> Any:
        full = list(args)
        for number, part in zip(chosen, parts, strict=True):
            full[number] = part
        return fun(*full)

    alone.__code__ = alone.__code__.replace(co_name=getattr(fun, "__name__", "function"))
    return alone, tuple(args[number] for number in chosen)


def _pick(parts: Sequence[Any], argnums: Argnums) -> Any:
    return parts[0] if isinstance(argnums, int) else tuple(parts)


def value_and_grad(fun: Function, argnums: Argnums = 0) -> Function:
    """A function that returns `fun`'s value, a single number, and its gradient for the arguments `argnums`.

    The gradient has the shape of its argument; for several argnums it is a tuple. Raises TypeError when the value is no
    single number.
    """

    def both(*args: Any) -> tuple[Any, Any]:
        made = trace(*_flat(_only(fun, args, argnums)))
        if np.shape(made.value) != () or isinstance(made.value, tuple):
            raise TypeError(
                f"grad needs a function that returns a single number, not shape {np.shape(made.value)}; sum it, or use "
                f"jacobian or vjp"
            )
        return made.value, _pick(made.vjp(1.0), argnums)

    return both


def _flat(pair: tuple[Function, tuple[Any, ...]]) -> tuple[Any, ...]:
    return (pair[0], *pair[1])


def grad(fun: Function, argnums: Argnums = 0) -> Function:
    """A function that returns the gradient of `fun`; see `value_and_grad`."""
    both = value_and_grad(fun, argnums)
    return lambda *args: both(*args)[1]


def vjp(fun: Function, *primals: Any) -> tuple[Any, Function]:
    """The value of `fun` at `primals`, and the function cotangent -> gradients, a tuple with one for each primal."""
    made = trace(fun, *primals)
    return made.value, made.vjp


def jvp(fun: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, Any]:
    """The value of `fun` at `primals` and its tangent along `tangents`."""
    made = trace(fun, *primals)
    return made.value, made.jvp(*tangents)


def jacobian(fun: Function, argnums: Argnums = 0) -> Function:
    """A function that returns the Jacobian: shape of the value, then shape of the argument.

    Runs one pass for each element of the smaller side: forward where the argument is smaller, else reverse.
    """

    def matrix(*args: Any) -> Any:
        made = trace(*_flat(_only(fun, args, argnums)))
        if isinstance(made.value, tuple):
            raise TypeError("jacobian needs a function that returns one array; use vjp for a tuple")
        return _pick([_jacobian(made, number) for number in range(len(made.arguments))], argnums)

    return matrix


def _jacobian(made: Trace, number: int) -> Any:
    out, into = np.shape(made.value), made.arguments[number].shape
    inputs, outputs = int(np.prod(into, dtype=int)), int(np.prod(out, dtype=int))
    if inputs <= outputs:
        columns = [made.jvp(*_directions(made, number, index)) for index in range(inputs)]
        stacked = np.stack(columns, axis=-1) if columns else np.zeros((*out, 0))
    else:
        rows = [made.vjp(_basis(out, index))[number] for index in range(outputs)]
        stacked = np.stack(rows) if rows else np.zeros((0, *into))
    return np.reshape(stacked, (*out, *into))


def _basis(shape: tuple[int, ...], index: int) -> np.ndarray[Any, Any]:
    basis = np.zeros(shape)
    basis.flat[index] = 1.0
    return basis


def _directions(made: Trace, number: int, index: int) -> list[Any]:
    shapes = [argument.shape for argument in made.arguments]
    return [_basis(shape, index) if at == number else np.zeros(shape) for at, shape in enumerate(shapes)]


def hessian(fun: Function, argnums: Argnums = 0) -> Function:
    """A function that returns the second derivatives of a number: shape of the argument twice.

    For several argnums, a tuple of tuples: [i][j] holds the derivative by argument i, then by argument j.
    """
    return jacobian(grad(fun, argnums), argnums) if isinstance(argnums, int) else _hessian_blocks(fun, argnums)


def _hessian_blocks(fun: Function, argnums: Sequence[int]) -> Function:
    return lambda *args: tuple(jacobian(grad(fun, row), tuple(argnums))(*args) for row in argnums)


def hvp(fun: Function, primals: Sequence[Any], tangents: Sequence[Any]) -> tuple[Any, ...]:
    """The Hessian of `fun`, a single number, times the vector `tangents`: one product for each primal.

    The tangent of the gradient: costs a few runs of `fun`, and the Hessian is never made.
    """
    return tuple(jvp(grad(fun, number), primals, tangents)[1] for number in range(len(primals)))
