"""What the help of operations says, computed: formulas by mpmath, edge points by the operation itself."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import mpmath as mp
import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.methods.reverse.step_text import step_sentence
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import graph
from tests.thorough import in_turn

nan, inf = np.nan, np.inf


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + mp.exp(-x))


def _softplus(x: Any) -> Any:
    return mp.log(1 + mp.exp(x))


# operation: (what its help says, the same by mpmath)
FORMULAS: dict[str, tuple[str, Callable[..., Any]]] = {
    "exp": ("e to the power x", lambda x: mp.e**x),
    "exp2": ("2 to the power x", lambda x: mp.mpf(2) ** x),
    "expm1": ("exp(x) − 1", lambda x: mp.exp(x) - 1),
    "log1p": ("log(1 + x)", lambda x: mp.log(1 + x)),
    "log2": ("The logarithm to base 2", lambda x: mp.log(x, 2)),
    "log10": ("The logarithm to base 10", lambda x: mp.log(x, 10)),
    "square": ("The operand times itself", lambda x: x * x),
    "reciprocal": ("1 divided by the operand", lambda x: 1 / x),
    "logaddexp": ("log(exp(a) + exp(b))", lambda a, b: mp.log(mp.exp(a) + mp.exp(b))),
    "logaddexp2": ("log2(2^a + 2^b)", lambda a, b: mp.log(mp.mpf(2) ** a + mp.mpf(2) ** b, 2)),
    "hypot": ("The square root of the sum of squares", lambda a, b: mp.sqrt(a * a + b * b)),
    "deg2rad": ("An angle in degrees as radians", lambda x: x * mp.pi / 180),
    "rad2deg": ("An angle in radians as degrees", lambda x: x * 180 / mp.pi),
    "arcsin": ("The angle whose sine is x", mp.asin),
    "arctan": ("The angle whose tangent is x", mp.atan),
    "sinh": ("(exp(x) − exp(−x)) / 2", lambda x: (mp.exp(x) - mp.exp(-x)) / 2),
    "cosh": ("(exp(x) + exp(−x)) / 2", lambda x: (mp.exp(x) + mp.exp(-x)) / 2),
    "arcsinh": ("The number whose hyperbolic sine is x", mp.asinh),
    "arccosh": ("whose hyperbolic cosine is x", mp.acosh),
    "arctanh": ("The number whose hyperbolic tangent is x", mp.atanh),
    "arctan2": ("The angle from the x axis to the point (x, y)", mp.atan2),
    "sinc": ("sin(pi x) / (pi x)", lambda x: mp.sin(mp.pi * x) / (mp.pi * x) if x else mp.mpf(1)),
    "sigmoid": ("1 / (1 + exp(−x))", _sigmoid),
    "relu": ("x where x is positive, else 0", lambda x: x if x > 0 else mp.mpf(0)),
    "selu": ("elu with constants", lambda x: mp.mpf("1.0507009873554805") * (
        x if x > 0 else mp.mpf("1.6732632423543772") * (mp.exp(x) - 1))),
    "silu": ("x sigmoid(x)", lambda x: x * _sigmoid(x)),
    "mish": ("x tanh(softplus(x))", lambda x: x * mp.tanh(_softplus(x))),
    "softplus": ("log(1 + exp(x))", _softplus),
    "logsigmoid": ("log(sigmoid(x))", lambda x: mp.log(_sigmoid(x))),
    "softsign": ("x / (1 + |x|)", lambda x: x / (1 + abs(x))),
    "hardtanh": ("x between −1 and 1, else the nearer bound", lambda x: max(min(x, mp.mpf(1)), mp.mpf(-1))),
    "relu6": ("relu with an upper bound of 6", lambda x: max(min(x, mp.mpf(6)), mp.mpf(0))),
    "erf": ("The integral of the bell curve from −x to x",
            lambda x: mp.quad(lambda t: mp.exp(-t * t), [-x, x]) / mp.sqrt(mp.pi)),
    "erfc": ("1 − erf(x)", lambda x: 1 - mp.erf(x)),
    "gammaln": ("log |gamma(x)|", lambda x: mp.log(abs(mp.gamma(x)))),
    "digamma": ("The derivative of the logarithm of the gamma function", lambda x: mp.diff(mp.loggamma, x)),
    "zeta": ("The sum of 1 / (q + n)^s over n from 0 on", mp.zeta),
    "remainder": ("What a division rounded down leaves", lambda a, b: a - b * mp.floor(a / b)),
    "floor_divide": ("The quotient rounded down", lambda a, b: mp.floor(a / b)),
}  # fmt: skip


@pytest.mark.parametrize("name", FORMULAS)
def test_an_operation_computes_the_formula_in_its_help(name: str) -> None:
    said, formula = FORMULAS[name]
    primitive = REGISTRY[name]
    assert said in primitive.doc
    for example in primitive.examples:
        attributes = primitive.complete(example[-1] if isinstance(example[-1], dict) else {})
        operands = [np.asarray(item, dtype=float) for item in example if not isinstance(item, dict)]
        shown = np.asarray(primitive.value(*operands, **attributes))
        rows = zip(*(part.ravel() for part in np.broadcast_arrays(*operands)), strict=True)
        with mp.workdps(30):
            exact = [float(formula(*map(mp.mpf, row))) for row in rows]
        np.testing.assert_allclose(shown.ravel(), exact, rtol=1e-12, atol=1e-13)


# operation -> the operation, or the number, that its help says its derivative is
DERIVATIVES = {
    "exp": ("it is its own derivative", lambda x: REGISTRY["exp"].value(x)),
    "sin": ("its derivative is the cosine", np.cos),
    "cos": ("its derivative is minus the sine", lambda x: -np.sin(x)),
    "softplus": ("whose derivative is the sigmoid", lambda x: REGISTRY["sigmoid"].value(x)),
    "gammaln": ("Its derivative is the digamma function", lambda x: REGISTRY["digamma"].value(x)),
    "digamma": ("The derivative of the logarithm of the gamma function", lambda x: REGISTRY["zeta"].value(2.0, x)),
    "floor": ("no gradient passes", np.zeros_like),
    "ceil": ("no gradient passes", np.zeros_like),
    "trunc": ("no gradient passes", np.zeros_like),
    "round": ("no gradient passes", np.zeros_like),
    "sign": ("no gradient passes", np.zeros_like),
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_an_operation_has_the_derivative_that_its_help_names(name: str) -> None:
    said, slope = DERIVATIVES[name]
    assert said in REGISTRY[name].doc
    points = np.array([0.3, 1.7, 2.4])
    np.testing.assert_allclose(_gradients(name, points)[1][0], slope(points), rtol=1e-12)


def _gradients(name: str, *operands: Any, **given: Any) -> tuple[np.ndarray, list[Any]]:
    """Value, and the gradient of its sum for each operand."""
    primitive = REGISTRY[name]
    attributes = primitive.complete(given)
    arrays = [np.asarray(operand, dtype=float) for operand in operands]
    with np.errstate(all="ignore"):
        value = np.asarray(primitive.value(*arrays, **attributes))
        ones = np.ones_like(value)
        slots = range(len(arrays))
        flows = [primitive.slot(slot).differentiable for slot in slots]
        return value, [primitive.vjp(i, ones, value, arrays, attributes) if flows[i] else None for i in slots]


# (operation, what its edge points or help say, operands, value, gradient of each operand; None: not looked at)
EDGES: list[tuple[str, str, tuple[Any, ...], Any, tuple[Any, ...]]] = [
    ("divide", "At a denominator of 0 the value is inf or nan", (1, 0), inf, (inf, -inf)),
    ("power", "0 to the power 0 is 1, with the derivative 0 for base and exponent", (0, 0), 1, (0, 0)),
    ("power", "Of 0 to a positive power the exponent's derivative is 0", (0, 2), 0, (0, 0)),
    ("power", "A negative base has the derivative nan for its exponent", (-2, 2), 4, (-4, nan)),
    ("power", "A negative base with a fractional exponent gives nan", (-2, 0.5), nan, (nan, nan)),
    ("abs", "At 0 the derivative is 0", (0,), 0, (0,)),
    ("maximum", "Equal operands share the gradient evenly", (1, 1), 1, (0.5, 0.5)),
    ("minimum", "An operand that is nan makes value and gradient nan", (nan, 1), nan, (nan, nan)),
    ("fmax", "At a tie the left operand gets the whole gradient", (1, 1), 1, (1, 0)),
    ("fmin", "where one is nan, the other", (nan, 1), 1, (0, 1)),
    ("exp", "It overflows above 709.78 in float64", (709.79,), inf, (inf,)),
    ("exp", "underflow 0", (-800,), 0, (0,)),
    ("expm1", "The derivative is exp(x), not y + 1", (-40,), -1, (float(mp.exp(-40)),)),
    ("log", "At 0 the value is −inf and the derivative inf", (0,), -inf, (inf,)),
    ("log2", "below 0 the value is nan", (-1,), nan, (None,)),
    ("log10", "At 0 the value is −inf and the derivative inf", (0,), -inf, (inf,)),
    ("log1p", "At −1 the value is −inf and the derivative inf", (-1,), -inf, (inf,)),
    ("sqrt", "Its derivative at 0 is inf; below 0 it is nan", ([0, -1],), [0, nan], ([inf, nan],)),
    ("cbrt", "also of negative numbers", (-8,), -2, (1 / 12,)),
    ("cbrt", "At 0 the derivative is inf", (0,), 0, (inf,)),
    ("reciprocal", "At 0 the value is inf and the derivative −inf", (0,), inf, (-inf,)),
    ("logaddexp", "share the gradient evenly, also huge ones", (1e300, 1e300), 1e300, (0.5, 0.5)),
    ("logaddexp2", "Where both are −inf the gradient is nan", (-inf, -inf), -inf, (nan, nan)),
    ("hypot", "At (0, 0) both derivatives are nan", (0, 0), 0, (nan, nan)),
    ("arcsin", "At −1 and 1 the derivative is inf", ([-1, 1],), [-np.pi / 2, np.pi / 2], ([inf, inf],)),
    ("arccos", "At −1 and 1 the derivative is −inf", ([-1, 1],), [np.pi, 0], ([-inf, -inf],)),
    ("arccosh", "At 1 the derivative is inf; below 1 value and derivative are nan",
     ([1, 0.5],), [0, nan], ([inf, nan],)),
    ("arctanh", "At −1 and 1 value and derivative are infinite", ([-1, 1],), [-inf, inf], ([inf, inf],)),
    ("arctan2", "At (0, 0) both derivatives are 0", (0, 0), 0, (0, 0)),
    ("sinc", "At 0 the value is 1 and the derivative 0", (0,), 1, (0,)),
    ("sigmoid", "at −1000 it is 0 and at 1000 it is 1, both with the derivative 0",
     ([-1000, 1000],), [0, 1], ([0, 0],)),
    ("relu", "At 0 the derivative is 0", (0,), 0, (0,)),
    ("leaky_relu", "At 0 the derivative is the slope for negative x", (0,), 0, (0.01,)),
    ("selu", "At 0 the derivative is 1.758, the limit from below", (0,), 0, (1.7580993408473766,)),
    ("softplus", "Never overflows, and is not cut off", ([1000, 25],), [1000, float(mp.log1p(mp.exp(25)))], (None,)),
    ("logsigmoid", "without underflow", (-1000,), -1000, (1,)),
    ("softsign", "At inf the derivative is its limit 0, although the value there is nan", (inf,), nan, (0,)),
    ("hardtanh", "At the bounds −1 and 1 the derivative is 0", ([-1, 1],), [-1, 1], ([0, 0],)),
    ("relu6", "At the bounds 0 and 6 the derivative is 0", ([0, 6],), [0, 6], ([0, 0],)),
    ("max", "Equal largest elements share the gradient evenly", ([1, 1, 0],), 1, ([0.5, 0.5, 0],)),
    ("median", "Of an even count it is the mean of the middle two", ([1, 2, 3, 4],), 2.5, ([0, 0.5, 0.5, 0],)),
    ("prod", "With one element 0, that element gets the product of the others", ([0, 2, 3],), 0, ([6, 0, 0],)),
    ("prod", "with two, all get 0", ([0, 0, 3],), 0, ([0, 0, 0],)),
    ("cumprod", "each gets the right product of the others", ([0, 2, 3],), [0, 0, 0], ([9, 0, 0],)),
    ("var", "An element's gradient is 2/n of its distance", ([1, 2, 6],), 14 / 3, ([-4 / 3, -2 / 3, 2],)),
    ("std", "Where all elements are equal the gradient is 0", ([2, 2],), 0, ([0, 0],)),
    ("norm", "At 0 the gradient is 0", ([0, 0],), 0, ([0, 0],)),
    ("logsumexp", "Where all elements are −inf the value is −inf and the gradient nan",
     ([-inf, -inf],), -inf, ([nan, nan],)),
    ("mean", "Of no elements it is nan", ([],), nan, (None,)),
    ("det", "A singular matrix has the value 0 and the right gradient", ([[1, 1], [1, 1]],), 0, ([[1, -1], [-1, 1]],)),
    ("inv", "Of a singular matrix all numbers are nan", ([[1, 1], [1, 1]],), [[nan, nan], [nan, nan]], (None,)),
    ("l1_loss", "Where prediction and target are equal the gradient is 0", ([1], [1]), 0, ([0], [0])),
    ("huber_loss", "At the distance delta both forms agree, and so do their derivatives", ([1], [0]), 0.5, ([1], [-1])),
    ("hinge", "Where score times target is exactly 1 the gradient is 0", ([1], [1]), 0, ([0], [0])),
    ("hinge_embedding_loss", "At the margin the derivative is −1", ([1], [-1]), 0, ([-1], None)),
    ("kl_div", "Where the target is 0 its part is 0, and the gradient of the target nan", ([-1], [0]), 0, ([0], [nan])),
    ("binary_cross_entropy", "a certain mistake costs 100", ([0], [1]), 100, (None, None)),
    ("where", "The branch that is not taken gets the gradient 0",
     ([1, 0], [1, 2], [3, 4]), [1, 4], (None, [1, 0], [0, 1])),
    ("remainder", "it has the sign of the denominator", (-7, 3), 2, (1, 3)),
    ("remainder", "The denominator's derivative is minus how often it was taken", (7.5, 2), 1.5, (1, -3)),
    ("fmod", "it has the sign of the numerator", (-7, 3), -1, (1, 2)),
    ("round", "halves to the even one", ([0.5, 1.5, 2.5],), [0, 2, 2], ([0, 0, 0],)),
    ("sign", "0 at 0, nan for nan", ([0, nan],), [0, nan], (None,)),
    ("nan_to_num", "Where something was replaced the gradient is 0", ([nan, 1],), [0, 1], ([0, 1],)),
    ("gammaln", "At 0 and at negative whole numbers it is inf", ([0, -1],), [inf, inf], (None,)),
    ("gammaln", "for whole n, log((n − 1)!)", (5,), float(np.log(24)), (None,)),
    ("digamma", "At 0 it is −inf, at negative whole numbers nan", ([0, -1],), [-inf, nan], (None,)),
    ("zeta", "At s = 1 it is inf", (1, 2), inf, (None, None)),
]  # fmt: skip


@pytest.mark.parametrize(("name", "said", "operands", "value", "wanted"), EDGES)
def test_an_operation_does_at_its_edges_what_its_help_says(
    name: str, said: str, operands: tuple[Any, ...], value: Any, wanted: tuple[Any, ...]
) -> None:
    primitive = REGISTRY[name]
    assert said in primitive.doc or said in primitive.edges
    shown, gradients = _gradients(name, *operands)
    np.testing.assert_allclose(shown, value, rtol=1e-12, atol=1e-15)
    for gradient, expected in zip(gradients, wanted, strict=True):
        if expected is not None:
            np.testing.assert_allclose(gradient, expected, rtol=1e-12, atol=1e-15)


def test_each_number_in_the_help_of_edge_points_belongs_to_a_claim_that_is_computed() -> None:
    """Only numbers that are no claim of their own, such as the first version of a rule or of a library, are let off."""
    told = {name: " ".join(said for one, said, *_ in EDGES if one == name) for name in REGISTRY}
    numbers = re.compile(r"\d+\.\d+|\d{2,}")
    for name, primitive in REGISTRY.items():
        free = FREE.get(name, set())
        for number in numbers.findall(primitive.edges):
            assert number in told[name] or number in free, (name, number)


FREE = {
    "sinc": {"0.01"},  # where the series takes over
    "softplus": {"20"},  # where PyTorch's ends
    "binary_cross_entropy": {"100"},
}


def test_the_series_of_sinc_and_its_quotient_are_one_curve_where_they_meet() -> None:
    near = np.array([0.0099999, 0.0100001])
    exact = [float(mp.diff(lambda t: mp.sinc(mp.pi * t), x)) for x in near]
    np.testing.assert_allclose(_gradients("sinc", near)[1][0], exact, rtol=1e-10)


def test_exp_overflows_where_its_help_says() -> None:
    exp = REGISTRY["exp"].value
    for number, kind in (("709.78", np.float64), ("88.72", np.float32)):
        assert number in REGISTRY["exp"].doc
        with np.errstate(over="ignore"):
            assert np.isfinite(exp(kind(number))) and np.isinf(exp(kind(float(number) + 0.01)))


# --- the rules that are printed beside a step


@in_turn("name", sorted(name for name, primitive in REGISTRY.items() if primitive.elementwise))
def test_the_local_derivative_that_is_printed_is_the_one_that_is_computed(name: str) -> None:
    primitive = REGISTRY[name]
    for example in primitive.examples:
        attributes = primitive.complete(example[-1] if isinstance(example[-1], dict) else {})
        operands = [np.asarray(item, dtype=float) for item in example if not isinstance(item, dict)]
        value = np.asarray(primitive.value(*operands, **attributes))
        for slot in primitive.slots[: len(operands)]:
            if slot.differentiable and callable(slot.shown) and slot.partial is not None:
                printed = slot.shown(value, *operands, **attributes)
                computed = slot.partial(value, *operands, **attributes)
                np.testing.assert_allclose(printed, np.broadcast_to(computed, np.shape(printed)), rtol=1e-10)


ROWS = [[1.0, -2.0, 3.0], [4.0, 5.0, -6.5]]
PRINTED = [
    ("norm", {}, [3.0, -4.0]),
    ("norm", {"ord": 1}, [1.0, -2.0, 4.0]),
    ("norm", {"ord": 3}, [1.0, -2.0, 4.0]),
    ("slogdet", {"part": 1}, [[2.0, 1.0], [1.0, -3.0]]),
    ("slogdet", {"part": 0}, [[2.0, 1.0], [1.0, -3.0]]),
    ("transpose", {}, ROWS),
    ("inv", {}, [[2.0, 1.0], [1.0, -3.0]]),
    ("logsumexp", {}, [1.0, -2.0, 4.0]),
]


@pytest.mark.parametrize(("name", "given", "operand"), PRINTED)
def test_the_rule_of_a_norm_was_printed_for_the_2_norm_whatever_its_order(name: str, given: Any, operand: Any) -> None:
    primitive, x = REGISTRY[name], np.asarray(operand)
    attributes = primitive.complete(given)
    value = np.asarray(primitive.value(x, **attributes))
    upstream = np.full(value.shape, 0.7)
    printed = primitive.slots[0].printed(attributes)
    computed = primitive.vjp(0, upstream, value, [x], attributes)
    np.testing.assert_allclose(np.broadcast_to(printed(upstream, value, x), x.shape), computed, rtol=1e-12)


SAID = [
    ("norm", {"ord": "inf"}, [1.0, -4.0], "∂y/∂y · sign(x) where |x| is y, else 0 = [0, −1]"),
    ("prod", {}, [2.0, 0.0, 3.0], "∂y/∂y · Π_(j ≠ i) x[j] = [0, 6, 0]"),
    ("det", {}, [[1.0, 2.0], [2.0, 4.0]], "∂y/∂y · the cofactors of x = [[4, −2], [−2, 1]]"),
    ("slogdet", {"part": 0}, [[2.0, 0.0], [1.0, 3.0]], "∂y/∂y · 0 = [[0, 0], [0, 0]]"),
]


@pytest.mark.parametrize(("name", "given", "operand", "said"), SAID)
def test_a_rule_was_printed_that_has_no_value_here(name: str, given: Any, operand: Any, said: str) -> None:
    """y / x of a product with a 0, the inverse of a singular matrix, x / y for the largest element."""
    steps = compile(graph(x=operand, y=(name, "x", given))).run().timeline
    assert step_sentence(steps, len(steps) - 1).endswith(f"∂y/∂x += {said}.")
