"""The meanings of the words and signs of an expression: one table for reading and for writing."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from difflib import get_close_matches
from typing import Any
from zlib import crc32

import numpy as np

from cadena.core.functions.calls import operations
from cadena.core.graph.document import LEAVES, Document
from cadena.core.ops.arithmetic import add, divide, multiply, negative, positive, power, subtract
from cadena.core.ops.comparison import equal, greater, greater_equal, less, less_equal, not_equal
from cadena.core.ops.linear_algebra import matmul
from cadena.core.ops.primitive import REGISTRY, SYNONYMS, Attribute, Primitive, known_as
from cadena.core.ops.rounding import floor_divide, remainder

BINARY: dict[str, type[ast.operator]] = {
    add.name: ast.Add,
    subtract.name: ast.Sub,
    multiply.name: ast.Mult,
    divide.name: ast.Div,
    power.name: ast.Pow,
    matmul.name: ast.MatMult,
    floor_divide.name: ast.FloorDiv,
    remainder.name: ast.Mod,
}
COMPARISONS: dict[str, type[ast.cmpop]] = {
    greater.name: ast.Gt,
    greater_equal.name: ast.GtE,
    less.name: ast.Lt,
    less_equal.name: ast.LtE,
    equal.name: ast.Eq,
    not_equal.name: ast.NotEq,
}
COMPARISON_OF = {sign: name for name, sign in COMPARISONS.items()}
UNARY: dict[str, type[ast.unaryop]] = {negative.name: ast.USub, positive.name: ast.UAdd}
OPERATION_OF = {sign: name for name, sign in (*BINARY.items(), *UNARY.items())}
SIGN_INSTEAD = {
    ast.BitXor: ("^ is no power in Python", "write ** for a power"),
    ast.BitOr: ("| is no operation on numbers", "write maximum(a, b) for or, and abs(x) for |x|"),
    ast.BitAnd: ("& is no operation on numbers", "write a * b for and"),
    ast.LShift: ("<< is no operation on numbers", "write x * 2**n"),
    ast.RShift: (">> is no operation on numbers", "write x / 2**n"),
    ast.Invert: ("~ is no operation on numbers", "write 1 - x for not"),
    ast.Not: ("not is no operation on numbers", "write 1 - x"),
    ast.And: ("and is no operation on numbers", "write a * b of two conditions"),
    ast.Or: ("or is no operation on numbers", "write maximum(a, b) of two conditions"),
}
NUMBERS = {"pi": math.pi, "inf": math.inf, "nan": math.nan}
MODULES = frozenset("np numpy torch tf tensorflow jnp jax math F nn scipy".split())  # prefixes that say nothing
SUBMODULES = frozenset("nn functional linalg math special numpy scipy".split())
# Numbers by shape, as in W = random(6, 6). The seed is the name that they get: the same text means the same numbers.
FILLINGS: dict[str, Callable[[tuple[int, ...], str], np.ndarray]] = {
    "random": lambda shape, name: np.round(np.random.default_rng(crc32(name.encode())).standard_normal(shape), 3),
    "zeros": lambda shape, name: np.zeros(shape),
    "ones": lambda shape, name: np.ones(shape),
}
MAX_FILLED = 1_000_000  # numbers
ARRAYS = frozenset("array asarray tensor".split())  # of these modules: they change nothing
KEYWORDS = {  # of attributes, as other libraries call them
    "dim": "axis",
    "dims": "axes",
    "keepdim": "keepdims",
    "keep_dims": "keepdims",
    "a_min": "min",
    "a_max": "max",
    "negative_slope": "slope",
    "correction": "ddof",
    "diagonal": "k",
}
# Attributes that numpy and PyTorch take by keyword alone, or behind parameters that no operation has.
BY_KEYWORD = frozenset("keepdims ddof part reduction constant_values count_include_pad eps seed".split())
LISTS = ("shape", "axes", "integers", "axis")  # kinds of attributes that may be given number by number


def called(document: Document, name: str) -> Primitive | None:
    """The operation that a call of `name` means: a function of the document, an operation, or a synonym."""
    if name in document.functions:
        return operations(document.functions)[name]
    return known_as(name)


def is_filling(tree: ast.expr) -> bool:
    """Whether an expression is random(6, 6), or another call that gives numbers by their shape."""
    return isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name) and tree.func.id in FILLINGS


def nearest(document: Document, name: str) -> str:
    """The operation whose name is nearest to one that is unknown; "" if none is near."""
    names = [*document.functions, *REGISTRY, *LEAVES, *FILLINGS, *SYNONYMS]
    near = get_close_matches(name, names, 1) or get_close_matches(name.casefold(), names, 1)
    return near[0] if near else ""


def is_reserved(name: str) -> bool:
    """Whether a name that no node has means something else than a new parameter."""
    return name in NUMBERS or name in REGISTRY or name in LEAVES


def by_position(record: Primitive) -> tuple[Attribute, ...]:
    """The attributes that may stand after the operands without their names."""
    count = next((place for place, one in enumerate(record.attributes) if one.name in BY_KEYWORD), None)
    return record.attributes[:count]


def is_list_of_parts(record: Primitive) -> bool:
    """Whether numpy returns several arrays, of which the attribute `part` chooses one."""
    names = [attribute.name for attribute in record.attributes]
    return "part" in names and "spacing" not in names  # the gradient along one axis is one array


def is_default(value: Any, default: Any) -> bool:
    """Whether an attribute has its default."""
    return type(value) is type(default) and bool(value == default)
