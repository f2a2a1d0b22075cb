"""Check gradients: every method on a function of numpy code, in one table."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.compare import compare
from cadena.core.methods.comparison import Comparison
from cadena.core.run.plan import make_plan
from cadena.core.tracing.nesting import arrays_in, nested_like
from cadena.core.tracing.trace import Trace, as_argument, trace
from cadena.core.tracing.traced import quietly

NumpyCode = Callable[..., Any]
DISAGREEMENTS = {  # by how many modes were compared
    1: "{mode} mode gives {number}, central differences give {numeric} along one random direction",
    2: "reverse mode gives {reverse}, forward mode {forward}, central differences give {numeric} along one random "
    "direction",
}
MODES = ("fwd", "rev")  # JAX's words
_STEP = float(np.cbrt(np.finfo(np.float64).eps))  # where the errors of rounding and of the step are alike


class _How(NamedTuple):
    """The settings of a comparison of derivatives along a random direction."""

    modes: frozenset[str]
    atol: float
    rtol: float
    step: float


def check_grads(
    f: NumpyCode,
    args: Sequence[Any],
    order: int = 1,
    modes: Collection[str] = MODES,
    atol: float = 1e-6,
    rtol: float = 1e-6,
    eps: float | None = None,
) -> Comparison:
    """Differentiate `f` at `args` by reverse mode, forward mode, differences, complex step and symbols.

    Returns the table of what they give and cost (print it; `verdict` says which to believe); an array, or each of
    several, is weighted with random numbers first. Raises AssertionError with that table where a method disagrees, or
    where the `modes` ("fwd", "rev") and central differences of step `eps` do along a random direction, to within `atol`
    and `rtol`: that looks at every element, and with `order` 2 at the derivatives of the derivatives too. Raises
    Refused where the value depends on no argument.
    """
    modes = [modes] if isinstance(modes, str) else modes
    if odd := [mode for mode in modes if mode not in MODES]:
        raise ValueError(f"modes has {odd[0]!r}; give some of {', '.join(MODES)}")
    if not isinstance(args, tuple | list):
        raise TypeError(f"args is {type(args).__name__}; give a tuple with one for each argument, such as (x,)")
    how = _How(frozenset(modes), atol, rtol, _STEP if eps is None else eps)
    table = _checked(f, [np.asarray(as_argument(arg), dtype=np.float64) for arg in args], order, how)
    if table is None:
        raise Refused(
            "{function}: its value depends on no argument",
            "there is no gradient to check",
            function=getattr(f, "__name__", "f"),
        )
    return table


def _checked(fun: NumpyCode, args: Sequence[np.ndarray], order: int, how: _How) -> Comparison | None:
    """The same, with None where the value depends on no argument, as the slopes of what is linear do not."""
    traced = trace(fun, *args)
    cotangent = _like_value(np.random.default_rng(0), traced.value)
    is_number = not isinstance(traced.value, tuple) and np.ndim(traced.value) == 0
    document = traced.document if is_number else trace(_weighted_sum(fun, cotangent), *args).document
    table = compare(document) if _has_gradient(document) else None
    wrong = _disagreement_along_a_direction(fun, args, traced, cotangent, how)
    if wrong or (table is not None and not table.agrees):
        raise AssertionError(f"{wrong or 'the methods disagree'}\n{table or ''}")
    if order > 1:
        _checked(_slopes(fun, cotangent), args, order - 1, how)
    return table


def _has_gradient(document: Document) -> bool:
    """Whether a gradient flows to an argument; some only choose, as those of relu's slope do."""
    if document.output is None:
        return False
    plan = make_plan(document, document.output, None)
    return any(plan.reached[leaf] for leaf in plan.leaves)


def _weighted_sum(fun: NumpyCode, cotangent: Any) -> NumpyCode:
    """One number: the sum of all that `fun` returns, each element times its part of the cotangent."""
    return lambda *parts: _inner(cotangent, fun(*parts))


def _slopes(fun: NumpyCode, cotangent: Any) -> NumpyCode:
    """One number that depends on every derivative: the sum of their sines, so that nothing cancels."""
    return lambda *parts: sum(np.sum(np.sin(part)) for part in trace(fun, *parts).vjp(cotangent))


@quietly  # the function itself too, where we displace it
def _disagreement_along_a_direction(
    fun: NumpyCode, args: Sequence[np.ndarray], traced: Trace, cotangent: Any, how: _How
) -> str:
    """A sentence on how the modes and central differences disagree along a random direction; "" where they agree."""
    random = np.random.default_rng(1)
    tangents = [np.asarray(random.standard_normal(arg.shape)) for arg in args]
    numbers = {}
    if "rev" in how.modes:
        pairs = zip(traced.vjp(cotangent), tangents, strict=True)
        numbers["reverse"] = sum(np.sum(gradient * tangent) for gradient, tangent in pairs)
    if "fwd" in how.modes:
        numbers["forward"] = _inner(cotangent, traced.jvp(*tangents))
    numeric = _difference(fun, args, tangents, cotangent, how.step)
    if np.allclose(list(numbers.values()), numeric, rtol=how.rtol, atol=how.atol):
        return ""
    mode, *_ = numbers
    return DISAGREEMENTS[len(numbers)].format(**numbers, mode=mode, number=numbers[mode], numeric=numeric)


def _like_value(random: np.random.Generator, value: Any) -> Any:
    return nested_like(value, [random.standard_normal(np.shape(part)) for part in arrays_in(value)])


def _inner(a: Any, b: Any) -> Any:
    return sum(np.sum(x * y) for x, y in zip(arrays_in(a), arrays_in(b), strict=True))


def _difference(
    fun: NumpyCode, args: Sequence[np.ndarray], tangents: Sequence[np.ndarray], cotangent: Any, step: float
) -> float:
    """<cotangent, derivative of fun along tangents> by central differences."""
    ahead = fun(*(arg + step * tangent for arg, tangent in zip(args, tangents, strict=True)))
    behind = fun(*(arg - step * tangent for arg, tangent in zip(args, tangents, strict=True)))
    return float((_inner(cotangent, ahead) - _inner(cotangent, behind)) / (2.0 * step))
