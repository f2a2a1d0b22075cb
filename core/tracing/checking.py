"""Whether gradients are right: every method on a function of numpy code, in one table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from core.fault import Refused
from core.tracing.nesting import arrays_in, nested_like
from core.tracing.trace import Trace, as_argument, trace

if TYPE_CHECKING:
    from core.methods import Comparison

Function = Callable[..., Any]


def check_grads(
    fun: Function, args: Sequence[Any], order: int = 1, atol: float = 1e-6, rtol: float = 1e-6
) -> Comparison:
    """Differentiate `fun` at `args` by reverse mode, forward mode, differences, complex step and symbols.

    Returns the table of what they give and cost (print it; `verdict` says which to believe); an array, or each of
    several, is weighed with random numbers first. Raises AssertionError with that table where a method disagrees, or
    where the two modes and central differences do along a random direction, to within `atol` and `rtol`: that looks at
    every element, and with `order` 2 at the derivatives of the derivatives too. Raises Refused where the value depends
    on no argument.
    """
    if not isinstance(args, tuple | list):
        raise TypeError(f"args is {type(args).__name__}; give a tuple with one for each argument, such as (x,)")
    table = _checked(fun, [np.asarray(as_argument(arg), dtype=np.float64) for arg in args], order, (atol, rtol))
    if table is None:
        raise Refused(
            f"{getattr(fun, '__name__', 'fun')}: its value depends on no argument; there is no gradient to check"
        )
    return table


def _checked(
    fun: Function, args: Sequence[np.ndarray], order: int, tolerance: tuple[float, float]
) -> Comparison | None:
    """The same, with None where the value depends on no argument, as the slopes of what is linear do not."""
    from core.methods import compare  # here, since methods run programs, and tracing is below them

    made = trace(fun, *args)
    cotangent = _like_value(np.random.default_rng(0), made.value)
    is_number = not isinstance(made.value, tuple) and np.ndim(made.value) == 0
    document = made.document if is_number else trace(_weighed(fun, cotangent), *args).document
    table = None if document.output is None else compare(document)
    wrong = _along_a_direction(fun, args, made, cotangent, tolerance)
    if wrong or (table is not None and not table.agrees):
        raise AssertionError(f"{wrong or 'the methods disagree'}\n{table or ''}")
    if order > 1:
        _checked(_slopes(fun, cotangent), args, order - 1, tolerance)
    return table


def _weighed(fun: Function, cotangent: Any) -> Function:
    """One number: the sum of all that `fun` returns, each element times its part of the cotangent."""
    return lambda *parts: _inner(cotangent, fun(*parts))


def _slopes(fun: Function, cotangent: Any) -> Function:
    """One number that depends on every derivative: the sum of their sines, so that nothing cancels."""
    return lambda *parts: sum(np.sum(np.sin(part)) for part in trace(fun, *parts).vjp(cotangent))


def _along_a_direction(
    fun: Function, args: Sequence[np.ndarray], made: Trace, cotangent: Any, tolerance: tuple[float, float]
) -> str:
    """What both modes and central differences give along one random direction, in a sentence; "" where they agree."""
    random = np.random.default_rng(1)
    tangents = [np.asarray(random.standard_normal(arg.shape)) for arg in args]
    forward = _inner(cotangent, made.jvp(*tangents))
    reverse = sum(_inner(gradient, tangent) for gradient, tangent in zip(made.vjp(cotangent), tangents, strict=True))
    numeric = _difference(fun, args, tangents, cotangent)
    if np.allclose([reverse, forward], numeric, rtol=tolerance[1], atol=tolerance[0]):
        return ""
    return (
        f"reverse mode gives {reverse}, forward mode {forward}, central differences give {numeric} along one random "
        f"direction"
    )


def _like_value(random: np.random.Generator, value: Any) -> Any:
    return nested_like(value, [random.standard_normal(np.shape(part)) for part in arrays_in(value)])


def _inner(a: Any, b: Any) -> Any:
    return sum(np.sum(x * y) for x, y in zip(arrays_in(a), arrays_in(b), strict=True))


def _difference(fun: Function, args: Sequence[np.ndarray], tangents: Sequence[np.ndarray], cotangent: Any) -> float:
    """<cotangent, derivative of fun along tangents> by central differences; the step is the cube root of epsilon."""
    step = np.cbrt(np.finfo(np.float64).eps)
    ahead = fun(*(arg + step * tangent for arg, tangent in zip(args, tangents, strict=True)))
    behind = fun(*(arg - step * tangent for arg, tangent in zip(args, tangents, strict=True)))
    return float((_inner(cotangent, ahead) - _inner(cotangent, behind)) / (2.0 * step))
