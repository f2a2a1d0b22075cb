"""Functions of functions: grad, vjp, jvp, jacobian, hessian and hvp, with JAX's names for their arguments."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from core.fault import Refused
from core.tracing.trace import Trace, trace
from core.tracing.traced import plain

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


def check_grads(fun: Function, args: Sequence[Any], order: int = 1, atol: float = 1e-6, rtol: float = 1e-6) -> None:
    """Compare reverse mode, forward mode and central differences of `fun` at `args`, along random directions.

    `order` 2 checks the derivatives of the derivatives too. Raises AssertionError with all three numbers where they
    differ, and with what `core.methods.compare` says of each element, where the value is one array.
    """
    random = np.random.default_rng(0)
    arrays = [np.asarray(arg, dtype=np.float64) for arg in args]
    tangents = [np.asarray(random.standard_normal(array.shape)) for array in arrays]
    made = trace(fun, *arrays)
    cotangent = _like_value(random, made.value)
    forward = _inner(cotangent, made.jvp(*tangents))
    reverse = sum(float(np.sum(plain(g) * t)) for g, t in zip(made.vjp(cotangent), tangents, strict=True))
    numeric = _difference(fun, arrays, tangents, cotangent)
    if not np.allclose([reverse, forward], numeric, atol=atol, rtol=rtol):
        raise AssertionError(
            f"reverse mode gives {reverse}, forward mode {forward}, central differences give {numeric} along one "
            f"random direction{_by_element(made, cotangent)}"
        )
    if order > 1:
        check_grads(lambda *parts: _total(trace(fun, *parts).vjp(cotangent)), arrays, order - 1, atol, rtol)


def _by_element(made: Trace, cotangent: Any) -> str:
    """What all methods give for each argument of a trace; empty where its value is a tuple or plain."""
    from core.methods import compare  # here, since methods run programs, and tracing is below them

    document = made.document
    if isinstance(made.value, tuple) or document.output is None:
        return ""
    try:
        return f". {compare(document, seed=cotangent).verdict}"
    except Refused:  # the value depends on no argument
        return ""


def _total(parts: Sequence[Any]) -> Any:
    """One number that depends on every element: the sum of the sines, so that nothing cancels."""
    return sum((np.sum(np.sin(part)) for part in parts[1:]), np.sum(np.sin(parts[0])))


def _like_value(random: np.random.Generator, value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(random.standard_normal(np.shape(part)) for part in value)
    return random.standard_normal(np.shape(value))


def _inner(a: Any, b: Any) -> float:
    pairs = zip(a, b, strict=True) if isinstance(a, tuple) else [(a, b)]
    return sum(float(np.sum(plain(x) * plain(y))) for x, y in pairs)


def _difference(fun: Function, args: Sequence[Any], tangents: Sequence[Any], cotangent: Any) -> float:
    """<cotangent, derivative of fun along tangents> by central differences; the step is the cube root of epsilon."""
    step = np.cbrt(np.finfo(np.float64).eps)
    ahead = fun(*(arg + step * tangent for arg, tangent in zip(args, tangents, strict=True)))
    behind = fun(*(arg - step * tangent for arg, tangent in zip(args, tangents, strict=True)))
    return float((_inner(cotangent, ahead) - _inner(cotangent, behind)) / (2.0 * step))
