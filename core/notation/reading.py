"""Values as people type them: parsed safely, never evaluated; and written so that they can be typed again."""

from __future__ import annotations

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.graph.document import Tensor, Value, as_value
from cadena.core.graph.fault import Refused
from cadena.core.ops.memory import MAX_AXES

LARGEST_TYPED = 1000  # elements; larger arrays come from files
EXAMPLES = "type a number such as 2, -0.5, 1/3 or 1e-3, or lists such as [[1, 2], [3, 4]]"
_NAMES = {"pi": math.pi, "π": math.pi, "e": math.e, "inf": math.inf, "nan": math.nan, "∞": math.inf}
_POWERS = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_POWER_OF_TEN = re.compile(r"\s*[·×]\s*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)")
_SPACE_IN_NUMBER = re.compile(r"(?<=\d)[\u202f\u00a0\u2009](?=\d)")
_DECIMAL_COMMA = re.compile(r"[+-]?\d*,\d+(e[+-]?\d+)?")
_COMMAS_IN_NUMBER = re.compile(
    r"[+-]?\d[\d.]*(,\d[\d.]*)+(e[+-]?\d+)?"
)  # "1,000.5" is one number to some, two to Python


def read_value(text: str) -> Value:
    """Parse a number or an array, also as Cadena prints it ("−3", "3.72·10⁻⁴⁴", "12 345", "1/3", "2 * pi").

    Raises Refused with one sentence for anything else, and for an array of uneven rows.
    """
    plain = _plain(text)
    if _DECIMAL_COMMA.fullmatch(plain):
        raise Refused(
            "{text} has a comma",
            "write {plain} for a number, [a, b] for a list",
            text=text.strip(),
            plain=plain.replace(",", "."),
        )
    if _COMMAS_IN_NUMBER.fullmatch(plain):
        raise Refused("{text} has commas", "write 1000.5 for a number, [a, b] for a list", text=_short(text))
    try:
        numbers = _read(ast.parse(plain, mode="eval").body)
    except ZeroDivisionError:
        raise Refused("{text} divides by 0", "type another number", text=_short(text)) from None
    except (SyntaxError, ValueError, TypeError, OverflowError, RecursionError, MemoryError):
        raise Refused("{text} is not a number", "{examples}", text=_short(text), examples=EXAMPLES) from None
    return _even(numbers, text)


def _plain(text: str) -> str:
    """Rewrite `text` with numbers in Python's notation."""
    text = _SPACE_IN_NUMBER.sub("", text.strip()).replace("∞", " inf ").replace("−", "-").replace("–", "-").strip()
    text = _POWER_OF_TEN.sub(lambda match: f"e{match[1].translate(_POWERS)}", text)
    return text.replace("·", "*").replace("×", "*")


# The operators between two numbers that are themselves a number, here and in expressions.
ARITHMETIC: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def _read(tree: ast.expr) -> Any:
    match tree:
        case ast.List() | ast.Tuple():
            return [_read(item) for item in tree.elts]
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return float(number)
        case ast.Name(id=name) if name.lower() in _NAMES:
            return _NAMES[name.lower()]
        case ast.UnaryOp(op=ast.USub()):
            return -_number(tree.operand)
        case ast.UnaryOp(op=ast.UAdd()):
            return _number(tree.operand)
        case ast.BinOp(op=op) if type(op) in ARITHMETIC:
            return ARITHMETIC[type(op)](_number(tree.left), _number(tree.right))
    raise ValueError(tree)


def _number(tree: ast.expr) -> float:
    number = _read(tree)
    if not isinstance(number, float):
        raise TypeError("arithmetic is for numbers alone")
    return number


def _even(numbers: Any, text: str) -> Value:
    try:
        value = as_value(numbers)
    except (TypeError, ValueError):
        raise Refused(
            "the rows of {text} differ in length", "give each as many numbers as the first", text=_short(text)
        ) from None
    if isinstance(value, Tensor) and 0 in value.shape:
        raise Refused("{text} holds no number", "{examples}", text=_short(text), examples=EXAMPLES)
    if isinstance(value, Tensor) and len(value.shape) > MAX_AXES:
        raise Refused(
            "{text} has more than {most_axes} dimensions",
            "nest its lists less deeply",
            text=_short(text),
            most_axes=MAX_AXES,
        )
    return value


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= 40 else f"{text[:37]}...")


def write_value(value: Value) -> str:
    """Write `value` with all its digits, so that `read_value` reads it: "2", "0.1", "[[1, 2], [3, 4]]".

    Raises Refused for an array of more than `LARGEST_TYPED` elements.
    """
    if not isinstance(value, Tensor):
        return _write_number(value)
    if value.array.size > LARGEST_TYPED:
        raise Refused("an array of {size} numbers is too large to type", "load it from a file", size=value.array.size)
    return _write_array(value.array)


def _write_array(array: np.ndarray) -> str:
    return f"[{', '.join(_write_array(item) if np.ndim(item) else _write_number(item) for item in array)}]"


def _write_number(number: float | np.generic) -> str:
    text = str(number)
    return text[:-2] if text.endswith(".0") else text
