"""Inverse, linear systems, determinants. A singular matrix has no inverse: its numbers are nan, no exception."""

from typing import Any

import numpy as np

from cadena.core.ops import lapack
from cadena.core.ops.expression import ATOM, CALL, POWER, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.lapack import invert, solved, swap
from cadena.core.ops.primitive import Attribute, Family, Rule, Shape, ShapeError, Slot
from cadena.core.ops.products import others
from cadena.core.ops.safer import SaferForm
from cadena.core.ops.traits import CONJUGATES
from cadena.core.text.wording import Clause

GILES = "Giles (2008), Collected matrix derivative results for forward and reverse mode algorithmic differentiation"
FAMILY = Family("Linear algebra")
SQUARE = [[2.0, -1.0, 0.5], [1.0, 3.0, -2.0], [0.5, 1.0, 4.0]]
PAIR = [[[2.0, 1.0], [1.0, -3.0]], [[0.5, 2.0], [-1.0, 1.5]]]
ONE = [[1.0, 2.0], [3.0, 4.0]]


def square(name: str, shape: Shape) -> Shape:
    """`shape`, which must be that of a square matrix or of a batch of them, or ShapeError."""
    if len(shape) < 2 or shape[-1] != shape[-2]:
        raise ShapeError(
            "{op} needs a square matrix, not shape {shape}", "make its last two axes equal", op=name, shape=shape
        )
    return shape


def part_of(name: str, part: Any, count: int) -> int:
    """Check `part`, the number of one of `count` results. Raises ShapeError where there is none."""
    if not 0 <= part < count:
        raise ShapeError(
            "{op} has the parts 0 to {count}, not {part}", "choose one of them", op=name, count=count - 1, part=part
        )
    return int(part)


def in_single(rule: Rule) -> Rule:
    """`rule`, computed in float32 when its operands are float16, which LAPACK does not know and whose squares
    overflow above 256."""

    def run(*operands: Any, **attributes: Any) -> Any:
        if operands[0].dtype != np.float16:
            return rule(*operands, **attributes)
        return rule(*(operand.astype(np.float32) for operand in operands), **attributes).astype(np.float16)

    return run


SINGULAR = "{op} needs a regular matrix, and this one is singular: its rank is {rank}, not {size}"
SINGULAR_IN_BATCH = (
    "{op} needs a regular matrix, and matrix {place} of the batch is singular: its rank is {rank}, not {size}"
)


def singular(name: str, x: Any) -> Clause | None:
    """A clause about the first of the matrices `x` that has not the full rank; None where they hold inf or nan."""
    if not np.isfinite(x).all():
        return None
    size = x.shape[-1]
    ranks = np.atleast_1d(lapack.rank(x.astype(np.float64)))
    if (ranks == size).all():
        return None
    first = tuple(int(axis[0]) for axis in np.nonzero(ranks < size))
    operands = {"op": name, "place": list(first), "rank": ranks[first], "size": size}
    return Clause(SINGULAR_IN_BATCH if x.ndim > 2 else SINGULAR, "change the matrix", operands)


inv = FAMILY.structural(
    "inv",
    in_single(invert),
    Slot(
        "x",
        transpose=lambda g, y, x: -np.matmul(swap(y), np.matmul(g, swap(y))),
        push=lambda t, y, x: -np.matmul(y, np.matmul(t, y)),
        shown=lambda g, y, x: -(y.T @ g @ y.T),
    ),
    shape=lambda shape: square("inv", shape),
    notation=Notation("{0}⁻¹", r"{0}^{{-1}}", POWER, (ATOM,)),
    title="inverse",
    symbol="A⁻¹",
    synonyms=("inverse", "A^-1"),
    phrase="the inverse of {0}",
    doc="The matrix that undoes a square matrix. A singular matrix has none: all numbers are nan.",
    edges="Of a singular matrix all numbers are nan.",
    trouble=lambda y, x: singular("inv", x),
    source=f"{GILES}, section 2.2.3",
    examples=((SQUARE,), (PAIR,), ([[4.0]],)),
)


def _is_vector(b: Any) -> bool:
    return bool(b.ndim == 1)


def _solve(a: Any, b: Any) -> Any:
    """The solution; a right side with one axis is a single vector, as in numpy 2."""
    columns = np.expand_dims(b, -1) if _is_vector(b) else b
    return solved(a, columns)[..., 0] if _is_vector(b) else solved(a, columns)


def _solve_right(g: Any, a: Any, b: Any) -> Any:
    """A⁻ᵀ G, before un-broadcasting."""
    return solved(swap(a), np.expand_dims(g, -1))[..., 0] if _is_vector(b) else solved(swap(a), g)


def _solve_left(g: Any, y: Any, a: Any, b: Any) -> Any:
    """-(A⁻ᵀ G) Yᵀ, before un-broadcasting."""
    carried = _solve_right(g, a, b)
    if _is_vector(b):
        return -(np.expand_dims(carried, -1) * np.expand_dims(y, -2))
    return -np.matmul(carried, swap(y))


def _solve_push_left(t: Any, y: Any, a: Any, b: Any) -> Any:
    if _is_vector(b):
        return -solved(a, np.matmul(t, np.expand_dims(y, -1)))[..., 0]
    return -solved(a, np.matmul(t, y))


def _solve_shape(a: Shape, b: Shape) -> Shape:
    square("solve", a)
    if not b:
        raise ShapeError(
            "{op} needs a vector or matrix on the right, not a number", "give it {a} numbers", op="solve", a=a[-1]
        )
    rows = b[0] if len(b) == 1 else b[-2]
    if rows != a[-1]:
        raise ShapeError(
            "{op} cannot pair shapes {a} and {b}",
            "the right side needs {a2} rows, not {rows}",
            op="solve",
            a=a,
            b=b,
            a2=a[-1],
            rows=rows,
        )
    try:
        batch = np.broadcast_shapes(a[:-2], b[:-2])
    except ValueError:
        raise ShapeError(
            "{op} cannot pair the batches of shapes {a} and {b}", "make them equal or 1", op="solve", a=a, b=b
        ) from None
    return batch + (a[-1:] if len(b) == 1 else b[-2:])


solve = FAMILY.structural(
    "solve",
    in_single(_solve),
    Slot(
        "matrix",
        transpose=in_single(_solve_left),
        push=in_single(_solve_push_left),
        shown=lambda g, y, a, b: -(np.linalg.solve(a.T, g) @ y.T),
    ),
    Slot(
        "right side",
        transpose=in_single(lambda g, y, a, b: _solve_right(g, a, b)),
        push=in_single(lambda t, y, a, b: _solve(a, t)),
        shown=lambda g, y, a, b: np.linalg.solve(a.T, g),
    ),
    shape=_solve_shape,
    notation=Notation("solve({0}, {1})", r"{0}^{{-1}} {1}", CALL, (ATOM, POWER)),
    title="solution of a linear system",
    symbol="A⁻¹b",
    synonyms=("linsolve",),
    keywords="equations",
    phrase="the solution of the linear system with matrix {0} and right side {1}",
    doc="The x for which the matrix times x is the right side. For a singular matrix all numbers are nan.",
    edges="With a singular matrix all numbers are nan.",
    trouble=lambda y, a, b: singular("solve", a),
    source=f"{GILES}, section 2.3.1",
    examples=(
        (SQUARE, [1.0, -2.0, 0.5]),
        (SQUARE, [[1.0, 2.0], [0.5, -1.0], [3.0, 1.0]]),
        (PAIR, [1.0, 2.0]),
        (PAIR, ONE),
        (ONE, PAIR),
    ),
)


def _cofactors(y: Any, x: Any) -> Any:
    """The derivative of the determinant with respect to each element: det(A) A⁻ᵀ.

    A singular matrix has no inverse, but cofactors: with A = U S Vᵀ they are det(U) det(V) U (prod of the other s) Vᵀ,
    written with the singular values, of which one or more are 0.
    """
    singular = np.expand_dims(np.equal(y, 0.0), (-1, -2))
    regular = invert(np.where(singular, np.eye(x.shape[-1], dtype=x.dtype), x)) if np.any(singular) else invert(x)
    plain = np.expand_dims(y, (-1, -2)) * swap(regular)
    if not np.any(singular):
        return plain
    u, s, vh = lapack.svd(x)
    turned = np.sign(lapack.det(u) * lapack.det(vh))
    flat = np.matmul(u * np.expand_dims(others(s), -2), vh) * np.expand_dims(turned, (-1, -2))
    return np.where(singular, flat, plain)


det = FAMILY.structural(
    "det",
    in_single(lapack.det),
    Slot(
        "x",
        transpose=in_single(lambda g, y, x: np.expand_dims(g, (-1, -2)) * _cofactors(y, x)),
        push=in_single(lambda t, y, x: np.sum(t * _cofactors(y, x), axis=(-1, -2))),
        shown=formula("@g · the cofactors of @a"),
    ),
    shape=lambda shape: square("det", shape)[:-2],
    notation=Notation("det({0})", r"\det\left({0}\right)", CALL),
    title="determinant",
    phrase="the determinant of {0}",
    doc="How much a square matrix stretches space, with a sign. An element's gradient is its cofactor, also where the "
    "determinant is 0.",
    edges="A singular matrix has the value 0 and the right gradient, its cofactors, as in JAX.",
    source=f"{GILES}, section 2.2.4",
    examples=((SQUARE,), (PAIR,), ([[4.0]],), ([[1.0, 2.0], [2.0, 4.0]],), ([PAIR[0], [[0.0, 1.0], [0.0, 2.0]]],)),
)


def _slogdet_shape(shape: Shape, part: Any) -> Shape:
    part_of("slogdet", part, 2)
    return square("slogdet", shape)[:-2]


def _slogdet_transpose(g: Any, y: Any, x: Any, part: int) -> Any:
    """The sign is constant wherever it has a derivative; the logarithm's derivative is A⁻ᵀ."""
    return np.expand_dims(g, (-1, -2)) * swap(invert(x)) if part else np.zeros(x.shape, dtype=x.dtype)


def _slogdet_push(t: Any, y: Any, x: Any, part: int) -> Any:
    return np.sum(t * swap(invert(x)), axis=(-1, -2)) if part else np.zeros(np.shape(y), dtype=x.dtype)


slogdet = FAMILY.structural(
    "slogdet",
    in_single(lambda x, part: lapack.slogdet(x)[part]),
    Slot(
        "x",
        transpose=in_single(_slogdet_transpose),
        push=in_single(_slogdet_push),
        shown=lambda g, y, x, part=1: g * np.linalg.inv(x).T if part else g * 0.0,
    ),
    shape=_slogdet_shape,
    attributes=(Attribute("part", 1, "integer", "0 for the sign, 1 for the logarithm"),),
    notation=Notation("slogdet({0})[{part}]", r"\mathrm{{slogdet}}\left({0}\right)_{{{part}}}", CALL),
    title="logarithm of the determinant",
    symbol="log det",
    phrase="part {part} of the sign and logarithm of the determinant of {0}",
    doc="The logarithm of the determinant's magnitude (part 1) without overflow, or its sign (part 0).",
    edges="Of a singular matrix the sign is 0, the logarithm −inf and the gradient nan. The sign's gradient is 0.",
    trouble=lambda y, x, part: singular("slogdet", x),
    source=f"{GILES}, section 2.2.4",
    only_real=CONJUGATES,
    safer=(
        SaferForm(
            "Use slogdet for log(det(x))",
            "the determinant does not underflow or overflow, where it is positive",
            lambda x: np.log(det(x)),
            attributes=lambda match: {"part": 1},
        ),
    ),
    examples=((SQUARE,), (PAIR, {"part": 1}), (PAIR, {"part": 0})),
)
