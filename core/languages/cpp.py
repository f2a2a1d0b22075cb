"""Rules of elementwise operations in C++: the very rules of the records, read as expressions and translated."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from cadena.core.ops.expression import Symbol, source
from cadena.core.ops.primitive import Primitive

CALLS = {
    "fabs": "std::abs", "maximum": "larger", "minimum": "smaller", "isfinite": "std::isfinite", "sign": "signum",
    "radians": "0.017453292519943295 *", "degrees": "57.29577951308232 *", "float": "",
    **{name: f"std::{name}" for name in (
        "exp expm1 log log2 log10 log1p sqrt cbrt pow hypot sin cos tan asin acos atan atan2 sinh cosh tanh asinh "
        "acosh atanh fmod erf erfc trunc floor ceil"
    ).split()},
}  # fmt: skip
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.USub: "-", ast.UAdd: "+", ast.Gt: ">", ast.Lt: "<",
    ast.GtE: ">=", ast.LtE: "<=", ast.Eq: "==", ast.NotEq: "!=", ast.Or: "||", ast.And: "&&",
}  # fmt: skip
# Values of rules that take arrays only, and slopes that are other special functions.
VALUES = {
    "fmax": "std::fmax(a, b)", "fmin": "std::fmin(a, b)",
    "logaddexp": "a == b ? a + std::log(2.0) : larger(a, b) + std::log1p(std::exp(-std::abs(a - b)))",
    "logaddexp2": "a == b ? a + 1 : larger(a, b) + std::log2(1 + std::exp2(-std::abs(a - b)))",
    "sinc": "a == 0 ? 1 : std::sin(M_PI * a) / (M_PI * a)", "exp2": "std::exp2(a)",
    "hardtanh": "smaller(larger(a, -1), 1)", "relu6": "smaller(larger(a, 0), 6)",
    "nan_to_num": "std::isnan(a) ? 0 : smaller(larger(a, -std::numeric_limits<Scalar>::max()), "
    "std::numeric_limits<Scalar>::max())",
    "gammaln": "std::lgamma(a)", "digamma": "digamma_value(a)", "zeta": "zeta_value(a, b)", "astype": "a",
}  # fmt: skip
SLOPES = {
    ("gammaln", 0): "digamma_value(a)", ("digamma", 0): "zeta_value(2, a)", ("zeta", 1): "-a * zeta_value(a + 1, b)",
    ("fmod", 1): "-std::trunc((a - y) / b + signum((a - y) / b) / 2)",
}  # fmt: skip


@lru_cache(maxsize=1024)
def rules(record: Primitive, attributes: tuple[tuple[str, Any], ...]) -> tuple[str, tuple[str | None, ...]] | None:
    """The value of an elementwise operation on a, b and c, and its slope for each operand (also by y, the value)."""
    settings = dict(attributes)
    letters = [Symbol(letter) for letter in "abc"[: len(record.slots)]]
    value = _value(record, letters, settings)
    if value is None:
        return None
    slopes: list[str | None] = []
    for number, slot in enumerate(record.slots):
        if not slot.differentiable or slot.partial is None:
            slopes.append(None)
            continue
        slope = SLOPES.get((record.name, number)) or _read(slot.partial, [Symbol("y"), *letters], settings)
        if slope is None:
            return None
        slopes.append(slope)
    return value, tuple(slopes)


def _value(record: Primitive, letters: list[Symbol], attributes: Mapping[str, Any]) -> str | None:
    if record.name == "clip":
        value = "a" if attributes["min"] is None else f"larger(a, {attributes['min']!r})"
        return value if attributes["max"] is None else f"smaller({value}, {attributes['max']!r})"
    if record.name == "round":
        scale = repr(10.0 ** abs(attributes["decimals"]))
        inner, outer = ("*", "/") if attributes["decimals"] >= 0 else ("/", "*")
        return f"std::nearbyint(a {inner} {scale}) {outer} {scale}"
    return VALUES.get(record.name) or _read(record.value, letters, attributes)


def _read(rule: Any, letters: list[Symbol], attributes: Mapping[str, Any]) -> str | None:
    """A rule in C++; None for one that takes arrays only."""
    try:
        read = rule(*letters, **attributes)
    except (TypeError, AttributeError, ValueError):
        return None
    text = source(read if isinstance(read, Symbol) else Symbol(float(read)))
    return None if text is None else _bare(translated(ast.parse(text, mode="eval").body))


def _bare(text: str) -> str:
    """The text without parentheses around the whole of it."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and place < len(text) - 1:
            return text
    return text[1:-1] if text.startswith("(") else text


def translated(tree: ast.expr) -> str:
    """A Python expression of floats in C++."""
    match tree:
        case ast.Constant(value=value):
            return repr(value)
        case ast.Name(id=name):
            return {"nan": "NAN", "inf": "INFINITY"}.get(name, name)
        case ast.UnaryOp(op=op, operand=operand):
            return f"({SIGNS[type(op)]}{translated(operand)})"
        case ast.BinOp(left=left, op=ast.FloorDiv(), right=right):
            return f"floored({translated(left)}, {translated(right)})"
        case ast.BinOp(left=left, op=ast.Mod(), right=right):
            return f"modulo({translated(left)}, {translated(right)})"
        case ast.BinOp(left=left, op=op, right=right):
            return f"({translated(left)} {SIGNS[type(op)]} {translated(right)})"
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return f"({translated(left)} {SIGNS[type(op)]} {translated(right)})"
        case ast.BoolOp(op=op, values=values):
            return f"({f' {SIGNS[type(op)]} '.join(map(translated, values))})"
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return f"({translated(test)} ? {translated(body)} : {translated(orelse)})"
        case ast.Call(func=ast.Name(id=name), args=args):
            return f"{CALLS[name]}({', '.join(map(translated, args))})"
    raise TypeError(f"a rule in C++ cannot hold {ast.unparse(tree)}")
