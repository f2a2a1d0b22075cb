"""The output of a graph and its derivatives in 120 digits: what fixes are held against. Nothing of the engine's rules
is used but those that only move elements."""

from collections.abc import Callable, Mapping
from typing import Any

import mpmath as mp
import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.order import order
from cadena.core.ops.primitive import REGISTRY

DIGITS, STEPS = 120, (mp.mpf(10) ** -18, mp.mpf(10) ** -22)
MOVING = ("sum", "prod", "dot", "expand_dims", "getitem", "stack", "positive")
SMALL = mp.mpf(10) ** -16  # what slopes of 0 may differ by
NAN = mp.nan


def _real(function: Callable[..., Any]) -> Callable[..., Any]:
    """`function` of real numbers, element by element; nan where it has no real value."""

    def guarded(*numbers: Any) -> Any:
        try:
            result = NAN if any(mp.isnan(number) for number in numbers) else function(*numbers)
        except (ZeroDivisionError, ValueError):
            return NAN
        return NAN if isinstance(result, mp.mpc) else result

    return np.frompyfunc(guarded, function.__code__.co_argcount, 1)


def _quotient(a: Any, b: Any) -> Any:
    return a / b if b else NAN if not a else mp.sign(a) * mp.inf


def _power(a: Any, b: Any) -> Any:
    return a**b


def _softmax(x: Any, axis: int = -1) -> Any:
    e = EACH["exp"](x - np.max(x, axis=axis, keepdims=True))
    return e / np.sum(e, axis=axis, keepdims=True)


def _mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    axes = tuple(axis) if isinstance(axis, list) else axis
    return np.sum(x, axis=axes, keepdims=keepdims) / mp.mpf(x.size // np.sum(np.ones(x.shape), axis=axes).size)


def _var(x: Any, axis: Any = None, ddof: float = 0, keepdims: bool = False) -> Any:
    return _mean((x - _mean(x, axis, True)) ** 2, axis, keepdims)


def _norm(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    return EACH["sqrt"](np.sum(x * x, axis=axis, keepdims=keepdims))


def _det(x: Any) -> Any:
    return x[0, 0] * x[1, 1] - x[0, 1] * x[1, 0]


EACH: dict[str, Callable[..., Any]] = {
    name: _real(function)
    for name, function in {
        "add": lambda a, b: a + b, "subtract": lambda a, b: a - b, "multiply": lambda a, b: a * b,
        "divide": _quotient, "reciprocal": lambda x: _quotient(mp.mpf(1), x), "negative": lambda x: -x,
        "power": _power, "square": lambda x: x * x, "abs": lambda x: abs(x), "relu": lambda x: max(x, mp.mpf(0)),
        "sqrt": lambda x: mp.sqrt(x), "cbrt": lambda x: mp.cbrt(x), "exp": lambda x: mp.exp(x),
        "log": lambda x: mp.log(x) if x else -mp.inf, "log2": lambda x: mp.log(x, 2) if x else -mp.inf,
        "sin": lambda x: mp.sin(x), "cos": lambda x: mp.cos(x), "cosh": lambda x: mp.cosh(x),
        "tanh": lambda x: mp.tanh(x), "arctanh": lambda x: mp.atanh(x), "arccos": lambda x: mp.acos(x),
        "arccosh": lambda x: mp.acosh(x), "arctan2": lambda y, x: mp.atan2(y, x) if y or x else mp.mpf(0),
        "hypot": lambda a, b: mp.sqrt(a * a + b * b), "sigmoid": lambda x: 1 / (1 + mp.exp(-x)),
        "logaddexp": lambda a, b: mp.log(mp.exp(a) + mp.exp(b)) if max(a, b) > -mp.inf else -mp.inf,
    }.items()
}  # fmt: skip
WHOLE: dict[str, Callable[..., Any]] = {
    "softmax": _softmax, "log_softmax": lambda x, axis=-1: EACH["log"](_softmax(x, axis)), "mean": _mean, "var": _var,
    "std": lambda x, **how: EACH["sqrt"](_var(x, **how)), "norm": _norm, "det": _det,
    "logsumexp": lambda x: EACH["log"](np.sum(EACH["exp"](x))),
    "where": lambda c, a, b: np.where(np.vectorize(bool)(c), a, b),
}  # fmt: skip


def output(document: Document, values: Mapping[str, Any]) -> Any:
    """The sum of the output's elements, with these arrays of mp numbers as leaves."""
    known: dict[str, Any] = dict(values)
    for name in order(document)[0]:
        node = document.nodes[name]
        if name in known:
            continue
        operands = [known[str(source)] for source in node.inputs]
        if node.op in MOVING:
            primitive = REGISTRY[node.op]
            known[name] = np.asarray(primitive.value(*operands, **primitive.complete(node.attributes)), dtype=object)
        else:
            rule = WHOLE.get(node.op) or EACH[node.op]
            known[name] = np.asarray(rule(*operands, **node.attributes), dtype=object)
    return np.sum(known[str(document.output)])


def knows(document: Document) -> bool:
    """Whether all operations of a graph can be computed here."""
    return all(node.is_leaf or node.op in (*MOVING, *EACH, *WHOLE) for node in document.nodes.values())


def value(document: Document, given: Mapping[str, np.ndarray]) -> float | None:
    """The output, or its limit from nearby; None where there is neither."""
    with mp.workdps(DIGITS):
        leaves = {name: _exact(array) for name, array in given.items()}
        here = output(document, leaves)
        if not mp.isnan(here):
            return float(here)
        wanted = [name for name, node in document.nodes.items() if node.wants_gradient]
        around = [
            output(document, leaves | {name: leaves[name] + step * _uneven(leaves[name], way) for name in wanted})
            for step in STEPS for way in (1, -1, 2, -2)
        ]  # fmt: skip
        return _agreed(around)


def _uneven(array: Any, way: int) -> Any:
    """A direction: all numbers move by different lengths, and for way 2 and -2 not all to the same side."""
    lengths = [mp.mpf(7 + 3 * place) / 7 * (-1) ** (place * (abs(way) - 1)) for place in range(array.size)]
    return np.reshape(lengths, array.shape) * int(np.sign(way))


def gradient(document: Document, given: Mapping[str, np.ndarray], name: str) -> np.ndarray:
    """The derivative by each number of a leaf; nan where there is none, as it differs from side to side."""
    with mp.workdps(DIGITS):
        leaves = {one: _exact(array) for one, array in given.items()}
        here = output(document, leaves)
        made = np.full(given[name].shape, np.nan)
        for at in np.ndindex(given[name].shape):
            slopes = []
            for step in STEPS:
                for sign in (1, -1):
                    moved = leaves[name].copy()
                    moved[at] = moved[at] + sign * step * max(1, abs(moved[at])) if mp.isfinite(moved[at]) else NAN
                    slopes.append((output(document, leaves | {name: moved}) - here) / (moved[at] - leaves[name][at]))
            if (agreed := _agreed(slopes)) is not None:
                made[at] = agreed
    return made


def _agreed(numbers: list[Any]) -> float | None:
    there = [number for number in numbers if not mp.isnan(number)]
    if not there or any(mp.isinf(number) for number in there):
        return None
    size = max(map(abs, there))
    return float(there[0]) if max(abs(one - there[0]) for one in there) <= size * mp.mpf(10) ** -8 + SMALL else None


def _exact(array: np.ndarray) -> Any:
    return np.reshape([mp.mpf(float(number)) for number in np.ravel(array)], np.shape(array)).astype(object)
