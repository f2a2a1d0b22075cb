"""How JAX and TensorFlow differentiate operations at points where Cadena's own rule gives another number.

Such an operation is recorded as a function with a custom gradient, the library's own. So the graph computes what the
library computes, with other numbers too.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, NamedTuple

import numpy as np

from cadena.core.functions.calls import FunctionCall
from cadena.core.ops.primitive import Primitive
from cadena.core.scripts.custom import custom
from cadena.core.scripts.rounding import RoundingTape
from cadena.core.scripts.tape import GradientRule
from cadena.core.tracing.traced import Traced, apply, plain

TWICE = 2  # how often the gradient of an operation is differentiated by the library's own rules


class LibraryRule(NamedTuple):
    """The value of an operation, and the gradient of each operand from (upstream, y, *operands, **attributes)."""

    value: Callable[..., Any]
    gradients: Callable[..., Sequence[Any]]
    applies: Callable[..., bool] = lambda *operands: True  # whether the library's rule is another one for these


class RuledTape(RoundingTape):
    """A tape whose operations are differentiated as its library does it."""

    rules: ClassVar[Mapping[str, LibraryRule]] = {}
    library: ClassVar[str] = ""

    def __init__(self, depth: int = TWICE) -> None:
        super().__init__()
        self.depth = depth
        self._functions = dict[str, FunctionCall]()
        self._original = dict[str, tuple[Primitive, dict[str, Any]]]()

    def record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced:
        rule = self.rules.get(primitive.name) if self.depth else None
        if rule is not None and rule.applies(*operands):
            call = self.ruled(primitive.name, operands, attributes)
            self._original[call.name] = primitive, attributes
            return super().record(call, operands, {})
        return super().record(primitive, operands, attributes)

    def pull(
        self,
        seeds: Mapping[int, Any],
        kept: bool = False,
        recorded: bool = False,
        wanted: Collection[int] = (),
        hooks: Mapping[int, Callable[[Any], Any]] = {},
    ) -> dict[int, Any]:
        """A gradient that is recorded consists of the rules' own operations, among them nested functions."""
        with self.by_own_rules():
            return super().pull(seeds, kept, recorded, wanted, hooks)

    @contextmanager
    def by_own_rules(self) -> Iterator[None]:
        """While it is open, operations are differentiated by Cadena's own rules."""
        depth, self.depth = self.depth, 0
        try:
            yield
        finally:
            self.depth = depth

    def ruled(self, name: str, operands: Sequence[Any], attributes: Mapping[str, Any] = {}) -> FunctionCall:
        """The function for an operation, or for one of the library's own functions in the rules."""
        shapes = [np.shape(plain(item)) for item in operands] if attributes else []
        key = json.dumps([name, attributes, shapes])
        if key not in self._functions:
            self._functions[key] = self._function(name, self.rules[name], shapes or [()] * len(operands), attributes)
        return self._functions[key]

    def _function(
        self, name: str, rule: LibraryRule, shapes: Sequence[tuple[int, ...]], attributes: Mapping[str, Any]
    ) -> FunctionCall:
        inner = type(self)(0)
        operands = [inner.leaf(np.full(shape, 0.5)[()]) for shape in shapes]
        y = rule.value(*operands, **attributes)
        inner.depth = self.depth - 1
        upstream = inner.leaf(np.ones(np.shape(y.value))[()])
        parts = rule.gradients(upstream, y, *operands, **attributes)
        own = f"{self.library}_{name}" if self.depth == TWICE else f"{self.library}_{name}_twice"
        return custom(own, inner, operands, y, upstream, parts, self.library)

    def by_library(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The value of a function is that of the operation, with the library's rounding."""
        primitive, attributes = self._original.get(primitive.name, (primitive, attributes))
        return super().by_library(primitive, below, attributes)


def _is_awkward_power(base: Any, exponent: Any) -> bool:
    """Whether the exponent may be 0 or 1, where a power of 0 within the gradient counts."""
    return isinstance(exponent, Traced) or bool(np.any((exponent == 0.0) | (exponent == 1.0)))


def _chosen(condition: Callable[[Any, Any], Any], value: Callable[..., Any]) -> LibraryRule:
    """One of two operands, which alone gets the gradient: the left one where the condition holds."""

    def gradients(up: Any, y: Any, a: Any, b: Any) -> Sequence[Any]:
        left = condition(a, b)
        return np.where(left, up, 0.0), np.where(left, 0.0, up)

    return LibraryRule(value, gradients)


def _angle(up: Any, y: Any, a: Any, b: Any) -> Sequence[Any]:
    square = a * a + b * b
    return up * (b / square), up * (-a / square)


def _without_inf(x: Any) -> Any:
    return np.where(np.equal(x, np.inf), 0.0, x)


def _xlogy(x: Any, y: Any) -> Any:
    return np.where(np.equal(x, 0.0), 0.0, x * np.log(np.where(np.equal(x, 0.0), 1.0, y)))


def _of_gammaln(up: Any, y: Any, x: Any) -> Sequence[Any]:
    return (up * np.where(np.equal(x, 0.0), np.nan, apply("digamma", [x])),)


def _of_elu(up: Any, y: Any, x: Any, alpha: Any = 1.0, scale: Any = 1.0) -> Sequence[Any]:
    return (up * scale * np.where(np.greater(x, 0.0), 1.0, alpha * np.exp(np.where(np.greater(x, 0.0), 0.0, x))),)


def _of_soft_sign(up: Any, y: Any, x: Any) -> Sequence[Any]:
    sign = np.where(np.greater_equal(x, 0.0), 1.0, -1.0)
    below = x * sign + 1.0
    return (up / below - up * x / (below * below) * sign,)


def _of_torch_power(up: Any, y: Any, a: Any, b: Any) -> Sequence[Any] | None:
    if not isinstance(b, Traced):
        return None
    is_zero = np.logical_and(np.equal(a, 0.0), np.greater_equal(b, 0.0))
    base = np.where(np.equal(b, 0.0), 0.0, up * (b * a ** (b - 1.0)))
    return base, np.where(is_zero, 0.0, up * (y * np.log(a)))


def _of_torch_angle(up: Any, y: Any, a: Any, b: Any) -> Sequence[Any]:
    is_zero = np.logical_and(np.equal(a, 0.0), np.equal(b, 0.0))
    return tuple(np.where(is_zero, 0.0, part) for part in _angle(up, y, a, b))


def _of_torch_sinc(up: Any, y: Any, x: Any) -> Sequence[Any]:
    turned = x * np.pi
    slope = (turned * np.cos(turned) - np.sin(turned)) / (turned * x)
    return (np.where(np.equal(x, 0.0), 0.0, up * slope),)


SCALE, ALPHA = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717  # of selu
TORCH_FORMULAS: Mapping[str, GradientRule] = {
    "arctan2": _of_torch_angle, "power": _of_torch_power, "sinc": _of_torch_sinc,
}  # fmt: skip
JAX_FORMULAS: Mapping[str, GradientRule] = {
    "arctanh": lambda up, y, x: (up * (1.0 / ((1.0 - x) * (1.0 + x))),),
    "cbrt": lambda up, y, x: (up * (y**-2.0 / 3.0),),
    "elu": _of_elu,
    "selu": lambda up, y, x: _of_elu(up, y, x, ALPHA, SCALE),
    "softsign": _of_soft_sign,
}
ANGLE = LibraryRule(np.arctan2, _angle)
GAMMALN = LibraryRule(lambda x: apply("gammaln", [x]), _of_gammaln)
JAX_RULES: Mapping[str, LibraryRule] = {
    "abs": LibraryRule(np.abs, lambda up, y, x: (np.where(np.greater_equal(x, 0.0), up, -up),)),
    "arctan2": ANGLE,
    "fmax": _chosen(lambda a, b: np.logical_or(np.greater(a, b), np.isnan(b)), np.fmax),
    "fmin": _chosen(lambda a, b: np.logical_or(np.less(a, b), np.isnan(b)), np.fmin),
    "gammaln": GAMMALN,
    "logaddexp": LibraryRule(
        np.logaddexp,
        lambda up, y, *x: [up * np.exp(_without_inf(item) - _without_inf(y)) for item in x],
    ),
    "logaddexp2": LibraryRule(
        np.logaddexp2,
        lambda up, y, *x: [up * np.exp2(_without_inf(item) - _without_inf(y)) for item in x],
    ),
    "logit": LibraryRule(lambda x: apply("logit", [x]), lambda up, y, x: (up / (x * (1.0 - x)),)),
    "power": LibraryRule(
        np.power,
        lambda up, y, a, b: (up * (b * a ** (b - 1.0)), up * (np.log(np.where(np.equal(a, 0.0), 1.0, a)) * y)),
        _is_awkward_power,
    ),
    "xlogy": LibraryRule(_xlogy, lambda up, z, x, y: (up * np.log(y), up * x / y)),
}


def _of_tensorflow_power(up: Any, y: Any, a: Any, b: Any) -> Sequence[Any]:
    positive = np.greater(a, 0.0)
    return up * (b * a ** (b - 1.0)), up * (y * np.where(positive, np.log(np.where(positive, a, 1.0)), 0.0))


def _of_tensorflow_cumprod(up: Any, y: Any, x: Any, axis: Any) -> Sequence[Any]:
    rest = np.flip(np.cumsum(np.flip(up * y, axis), axis=axis), axis)
    return (np.where(np.equal(x, 0.0), 0.0, rest / np.where(np.equal(x, 0.0), 1.0, x)),)


TENSORFLOW_RULES: Mapping[str, LibraryRule] = {
    "arccosh": LibraryRule(np.arccosh, lambda up, y, x: (up / np.sinh(y),)),
    "arctan2": ANGLE,
    "cumprod": LibraryRule(lambda x, axis: np.cumprod(x, axis=axis), _of_tensorflow_cumprod),
    "gammaln": GAMMALN,
    "maximum": _chosen(np.greater_equal, np.maximum),
    "minimum": _chosen(np.less_equal, np.minimum),
    "power": LibraryRule(np.power, _of_tensorflow_power, _is_awkward_power),
    "selu": LibraryRule(
        lambda x: apply("selu", [x]),
        lambda up, y, x: (up * np.where(np.less(y, 0.0), y + SCALE * ALPHA, SCALE),),
    ),
    "sinc": LibraryRule(np.sinc, lambda up, y, x: (up * (np.cos(np.pi * x) - y) / x,)),
    "softmax_cross_entropy": LibraryRule(
        lambda x, labels, axis: -np.sum(labels * apply("log_softmax", [x], {"axis": axis}), axis=axis),
        lambda up, y, x, labels, axis: (
            np.expand_dims(up, axis) * (apply("softmax", [x], {"axis": axis}) - labels),
            -np.expand_dims(up, axis) * apply("log_softmax", [x], {"axis": axis}),
        ),
    ),
}
