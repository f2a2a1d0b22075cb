"""The symbolic form of an elementwise operation: its value rule, read as a tree, with SymPy's functions for its names.

Of operations whose rule is written against overflow, such as sigmoid, the definition is read instead.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import Any

from cadena.core.ops.expression import Symbol
from cadena.core.ops.primitive import Primitive, operand_names
from cadena.core.ops.traits import Trait

Form = Callable[..., Any]


@cache
def table() -> Mapping[str, Form]:
    """For each name in a rule the function of SymPy expressions; SymPy is imported at the first call."""
    return {**_arithmetic(), **_functions(), **_choices()}


def _arithmetic() -> dict[str, Form]:
    return {
        "add": lambda a, b: a + b,
        "subtract": lambda a, b: a - b,
        "multiply": lambda a, b: a * b,
        "divide": lambda a, b: a / b,
        "negative": lambda a: -a,
        "positive": lambda a: a,
        "astype": lambda a, **_: a,
        "power": lambda a, b: a**b,
        "square": lambda a: a**2,
        "reciprocal": lambda a: 1 / a,
        "exp2": lambda a: 2**a,
        "abs": magnitude,
        "absolute": magnitude,
    }


def _functions() -> dict[str, Form]:
    import sympy as s

    same = "exp log sin cos tan sinh cosh tanh sqrt erf erfc sign"
    return {
        **{name: getattr(s, name) for name in same.split()},
        **{f"arc{name}": getattr(s, f"a{name}") for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
        "arctan2": s.atan2,
        "cbrt": lambda a: s.sign(a) * magnitude(a) ** s.Rational(1, 3),
        "expm1": lambda a: s.exp(a) - 1,
        "log2": lambda a: s.log(a) / s.log(2),
        "log10": lambda a: s.log(a) / s.log(10),
        "log1p": lambda a: s.log(1 + a),
        "logaddexp": lambda a, b: s.log(s.exp(a) + s.exp(b)),
        "logaddexp2": lambda a, b: s.log(2**a + 2**b) / s.log(2),
        "hypot": lambda a, b: s.sqrt(a**2 + b**2),
        "deg2rad": lambda a: a * s.pi / 180,
        "rad2deg": lambda a: a * 180 / s.pi,
        "sinc": lambda a: s.sin(s.pi * a) / (s.pi * a),
        "gammaln": s.loggamma,
        "digamma": lambda a: s.polygamma(0, a),
    }


def _choices() -> dict[str, Form]:
    """Not evaluated: SymPy would try to prove which operand of a maximum is larger, which takes long."""
    import sympy as s

    larger, smaller = partial(s.Max, evaluate=False), partial(s.Min, evaluate=False)
    return {
        **{"maximum": larger, "minimum": smaller, "fmax": larger, "fmin": smaller},
        **{"greater": s.Gt, "greater_equal": s.Ge, "less": s.Lt, "less_equal": s.Le, "equal": s.Eq},
        "not_equal": s.Ne,
        **{"bitwise_or": s.Or, "bitwise_and": s.And},
        "where": lambda condition, a, b: s.Piecewise((a, condition), (b, True)),
        "clip": clipped,
    }


def magnitude(a: Any) -> Any:
    """|a|; SymPy differentiates its own Abs only where it knows that the operand is real."""
    import sympy as s

    return s.Abs(a) if a.is_real else s.Max(a, -a, evaluate=False)


def clipped(a: Any, low: Any = None, high: Any = None, **bounds: Any) -> Any:
    """`a` within its bounds, either of which may be None."""
    import sympy as s

    low, high = bounds.get("min", low), bounds.get("max", high)
    a = a if low is None else s.Max(a, low, evaluate=False)
    return a if high is None else s.Min(a, high, evaluate=False)


def form(primitive: Primitive, attributes: dict[str, Any]) -> Form | None:
    """An elementwise operation as a function of SymPy expressions; None where it has no symbolic form."""
    if Trait.HELD in primitive.traits:  # its value would be differentiated
        return None
    is_choice = len(primitive.choosers) == len(primitive.slots)  # SymPy's truth values are no numbers
    if not is_choice and (direct := table().get(primitive.name)):
        return partial(direct, **attributes) if attributes else direct
    names = operand_names(primitive)
    rule = primitive.value if primitive.analytic is None else primitive.definition or primitive.analytic
    try:
        tree = rule(*map(Symbol, names), **attributes)
    except (TypeError, AttributeError, ValueError):  # a rule that cannot be read on symbols
        return None
    if not isinstance(tree, Symbol) or not _is_known(tree):
        return None
    return lambda *operands: _evaluated(tree, dict(zip(names, operands, strict=True)))


def _is_known(tree: Symbol) -> bool:
    if tree.operands is None:
        return True
    return tree.content in table() and all(map(_is_known, tree.operands))


def _evaluated(tree: Symbol, operands: Mapping[str, Any]) -> Any:
    if tree.operands is None:
        return number(tree.content) if isinstance(tree.content, float) else operands[tree.content]
    return table()[str(tree.content)](*(_evaluated(operand, operands) for operand in tree.operands))


def number(value: float) -> Any:
    """A number of the graph for SymPy: a whole one exactly, so that x² keeps its 2, any other as the float it is."""
    import sympy as s

    return s.Integer(int(value)) if float(value).is_integer() and abs(value) < 2**53 else s.Float(value)
