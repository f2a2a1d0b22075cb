"""Matrix decompositions: Cholesky factor, eigenvalues and eigenvectors, singular values and vectors, pseudoinverse.

A matrix without a decomposition gives nan, not an exception. An operation with several results has the attribute
`part`, the number of the result that the node holds. The gradient of a part is that of all results with the upstream
gradients of the others 0.
"""

from typing import Any

import numpy as np

from cadena.core.ops import lapack
from cadena.core.ops.expression import ATOM, CALL, POWER, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.lapack import solved, swap, symmetric
from cadena.core.ops.primitive import Attribute, Family, Shape, ShapeError, Slot
from cadena.core.ops.solving import GILES, in_single, part_of, square
from cadena.core.ops.traits import CONJUGATES, Trait
from cadena.core.text.numbers import short
from cadena.core.text.wording import Clause

FAMILY = Family("Linear algebra")
POSITIVE = [[4.0, 1.0, 0.5], [1.0, 3.0, -0.5], [0.5, -0.5, 2.0]]
PAIR = [[[2.0, 0.5], [0.5, 1.0]], [[3.0, -1.0], [-1.0, 5.0]]]
TALL = [[1.0, -2.0], [3.0, 4.0], [0.5, 1.5]]
WIDE = [[1.0, 3.0, 0.5], [-2.0, 4.0, 1.5]]
SQUARE = [[2.0, -1.0, 0.5], [1.0, 3.0, -2.0], [0.5, 1.0, 4.0]]
STACK = [TALL, [[2.0, 0.0], [1.0, -1.0], [3.0, 0.5]]]


def _half_lower(x: Any) -> Any:
    """Murray's Φ: the lower triangle with half of the diagonal."""
    return np.tril(x) * (1.0 - 0.5 * np.eye(x.shape[-1])).astype(x.dtype)


def _cholesky_transpose(g: Any, y: Any, x: Any) -> Any:
    """L⁻ᵀ Φ(Lᵀ G) L⁻¹, made symmetric: Murray (2016), eq. 10."""
    above = swap(y)
    inner = solved(above, _half_lower(np.matmul(above, g)))
    return symmetric(swap(solved(above, swap(inner))))


def _cholesky_push(t: Any, y: Any, x: Any) -> Any:
    """L Φ(L⁻¹ T L⁻ᵀ): Murray (2016), eq. 8."""
    inner = swap(solved(y, swap(solved(y, symmetric(t)))))
    return np.matmul(y, _half_lower(inner))


INDEFINITE = "{op} needs a positive definite matrix, and this one is not: its smallest eigenvalue is {least}"
INDEFINITE_IN_BATCH = (
    "{op} needs a positive definite matrix, and matrix {place} of the batch is not: its smallest eigenvalue is {least}"
)


def _indefinite(y: Any, x: Any) -> Clause | None:
    """A clause about the first matrix that is not positive definite; None where they hold inf or nan."""
    if not np.isfinite(x).all():
        return None
    smallest = np.atleast_1d(lapack.eigh(x.astype(np.float64))[0][..., 0])
    failed = np.atleast_1d(np.isnan(y).any(axis=(-1, -2)))
    if not failed.any():
        return None
    first = tuple(int(axis[0]) for axis in np.nonzero(failed))
    operands = {"op": "cholesky", "place": list(first), "least": short(smallest[first])}
    return Clause(INDEFINITE_IN_BATCH if x.ndim > 2 else INDEFINITE, "change it so that all are above 0", operands)


CHOLESKY_BACK = formula(
    "sym(@y⁻ᵀ low(@yᵀ @g) @y⁻¹), low: the lower triangle with half of the diagonal",
    r"\mathrm{sym}\left(@y^{-\top} \, \mathrm{low}\left(@y^{\top} @g\right) @y^{-1}\right)",
)

cholesky = FAMILY.structural(
    "cholesky",
    in_single(lapack.cholesky),
    Slot("x", transpose=in_single(_cholesky_transpose), push=in_single(_cholesky_push), shown=CHOLESKY_BACK),
    shape=lambda shape: square("cholesky", shape),
    notation=Notation("cholesky({0})", r"\mathrm{{chol}}\left({0}\right)", CALL),
    title="Cholesky factor",
    symbol="chol",
    phrase="the Cholesky factor of {0}",
    doc="The lower triangular L with L Lᵀ = A. Of A its symmetric part counts, so the gradient is symmetric; numpy, "
    "also in traced code, reads the lower triangle instead. Where A is not positive definite there is no factor: all "
    "numbers are nan.",
    edges="The gradient is symmetric. A matrix that is not positive definite gives nan.",
    trouble=_indefinite,
    source="y⁻ᵀ Φ(yᵀ G) y⁻¹ made symmetric, with G = ∂L/∂y and Φ the lower triangle with half of the diagonal: "
    "Murray (2016), Differentiation of the Cholesky decomposition, eqs. 8 and 10",
    only_real=CONJUGATES,
    examples=((POSITIVE,), (PAIR,), ([[4.0]],)),
)


def _per_difference(values: Any, also: Any = 1.0) -> Any:
    """1 / (vj - vi) at (i, j), over `also` too, and 0 on the diagonal; inf where two values are equal."""
    differences = np.expand_dims(values, -2) - np.expand_dims(values, -1)
    same = np.eye(values.shape[-1], dtype=bool)
    return np.where(same, np.zeros((), dtype=values.dtype), 1.0 / (np.where(same, 1.0, differences * also)))


def _eigh_transpose(g: Any, y: Any, x: Any, part: int) -> Any:
    """V diag(G) Vᵀ for the values, V (F ∘ VᵀG) Vᵀ for the vectors, with F = 1 / (wj - wi): Giles (2008), 3.1."""
    values, vectors = lapack.eigh(x)
    if part == 0:
        return np.matmul(vectors * np.expand_dims(g, -2), swap(vectors))
    inner = _per_difference(values) * np.matmul(swap(vectors), g)
    return symmetric(np.matmul(vectors, np.matmul(inner, swap(vectors))))


def _eigh_push(t: Any, y: Any, x: Any, part: int) -> Any:
    values, vectors = lapack.eigh(x)
    inner = np.matmul(swap(vectors), np.matmul(symmetric(t), vectors))
    if part == 0:
        return np.einsum("...ii->...i", inner)
    return np.matmul(vectors, _per_difference(values) * inner)


REPEATED = {
    "eigenvalue": "{op} has the eigenvalue {number} {times}, so its vectors have no derivative",
    "singular value": "{op} has the singular value {number} {times}, so its vectors have no derivative",
}


def _equal(name: str, what: str, values: Any) -> Clause | None:
    """A clause about the first of `values`, sorted, that occurs more than once."""
    same = np.nonzero(np.diff(values) == 0)
    if not same[0].size:
        return None
    *row, place = (axis[0] for axis in same)
    number, count = values[(*row, place)], int(np.sum(values[tuple(row)] == values[(*row, place)]))
    times = "twice" if count == 2 else f"({count} times)"
    return Clause(REPEATED[what], "change the matrix", {"op": name, "number": short(number), "times": times})


def _eigh_trouble(y: Any, x: Any, part: int) -> Clause | None:
    return _equal("eigh", "eigenvalue", in_single(lambda x: lapack.eigh(x)[0])(x)) if part else None


def _eigh_shape(shape: Shape, part: Any) -> Shape:
    return square("eigh", shape) if part_of("eigh", part, 2) else square("eigh", shape)[:-1]


EIGH_BACK = formula(
    "V diag(@g) Vᵀ for the values, V (F ∘ Vᵀ @g) Vᵀ for the vectors V, F_ij = 1 / (λ_j − λ_i)",
    r"V \, \mathrm{diag}\left(@g\right) V^{\top} \text{ or } V \left(F \odot V^{\top} @g\right) V^{\top}",
)

eigh = FAMILY.structural(
    "eigh",
    in_single(lambda x, part: lapack.eigh(x)[part]),
    Slot("x", transpose=in_single(_eigh_transpose), push=in_single(_eigh_push), shown=EIGH_BACK),
    shape=_eigh_shape,
    attributes=(Attribute("part", 0, "integer", "0 for the eigenvalues, 1 for the eigenvectors"),),
    title="eigenvalues of a symmetric matrix",
    symbol="λ",
    synonyms=("eigvalsh",),
    keywords="eigenvectors decomposition",
    phrase="part {part} of the eigenvalues and eigenvectors of {0}",
    doc="The eigenvalues of a symmetric matrix from small to large (part 0), or its eigenvectors as columns (part 1). "
    "Of the matrix its symmetric part counts; numpy, also in traced code, reads the lower triangle instead. Where two "
    "eigenvalues are equal, the eigenvectors have no gradient: nan.",
    edges="Of equal eigenvalues the vectors' gradient is not defined: nan; the values' is.",
    trouble=_eigh_trouble,
    source="V diag(G) Vᵀ for the values w, V (F ∘ VᵀG) Vᵀ for the vectors V, with G = ∂L/∂y and Fᵢⱼ = 1 / (wⱼ − wᵢ): "
    f"{GILES}, section 3.1",
    only_real=CONJUGATES,
    traits=Trait.CHOOSES,
    examples=((POSITIVE,), (POSITIVE, {"part": 1}), (PAIR,), (PAIR, {"part": 1})),
)


def _per_square(s: Any) -> Any:
    """1 / (sj² - si²) at (i, j), from the sum and the difference so that near values keep their digits."""
    return _per_difference(s, np.expand_dims(s, -2) + np.expand_dims(s, -1))


def _outside(g: Any, basis: Any) -> Any:
    """The part of the columns of `g` that is perpendicular to the orthonormal columns of `basis`."""
    return g - np.matmul(basis, np.matmul(swap(basis), g))


def _svd_transpose(g: Any, y: Any, x: Any, part: int) -> Any:
    """Townsend (2016), eqs. 18 to 25, for one of U, s, Vᵀ."""
    u, s, vh = lapack.svd(x)
    if part == 1:
        return np.matmul(u * np.expand_dims(g, -2), vh)
    if part == 0:
        return _from_left(g, u, s, vh)
    return swap(_from_left(swap(g), swap(vh), s, swap(u)))


def _from_left(g: Any, u: Any, s: Any, vh: Any) -> Any:
    """The gradient by way of U; by way of V it is the same for the transposed matrix."""
    inner = _per_square(s) * np.matmul(swap(u), g)
    gradient = np.matmul(u, (inner + swap(inner)) * np.expand_dims(s, -2))
    if u.shape[-2] > u.shape[-1]:
        gradient = gradient + _outside(g, u) / np.expand_dims(s, -2)
    return np.matmul(gradient, vh)


def _svd_push(t: Any, y: Any, x: Any, part: int) -> Any:
    u, s, vh = lapack.svd(x)
    if part == 1:
        return np.einsum("...ii->...i", np.matmul(swap(u), np.matmul(t, swap(vh))))
    if part == 0:
        return _moved_left(t, u, s, vh)
    return swap(_moved_left(swap(t), swap(vh), s, swap(u)))


def _moved_left(t: Any, u: Any, s: Any, vh: Any) -> Any:
    """The tangent of U; that of V is the same for the transposed matrix."""
    carried = np.matmul(t, swap(vh))
    inner = np.matmul(swap(u), carried) * np.expand_dims(s, -2)
    moved = np.matmul(u, _per_square(s) * (inner + swap(inner)))
    if u.shape[-2] > u.shape[-1]:
        moved = moved + _outside(carried, u) / np.expand_dims(s, -2)
    return moved


def _svd_trouble(y: Any, x: Any, part: int) -> Clause | None:
    if part == 1:
        return None
    s = in_single(lambda x: lapack.svd(x)[1])(x)
    if clause := _equal("svd", "singular value", s):
        return clause
    if x.shape[-1] == x.shape[-2] or s.all():
        return None
    return Clause(
        "{op} has the singular value 0, so its vectors have no derivative", "change the matrix", {"op": "svd"}
    )


def _svd_shape(shape: Shape, part: Any) -> Shape:
    which = part_of("svd", part, 3)
    if len(shape) < 2:
        raise ShapeError("{op} needs a matrix, not shape {shape}", "give it two axes at least", op="svd", shape=shape)
    count = min(shape[-2:])
    return shape[:-2] + ((shape[-2], count), (count,), (count, shape[-1]))[which]


SVD_BACK = formula(
    "U diag(@g) Vᵀ for s, (U (F ∘ (Uᵀ @g − @gᵀ U)) S + (I − U Uᵀ) @g S⁻¹) Vᵀ for U, F_ij = 1 / (s_j² − s_i²); "
    "for Vᵀ as for the U of the transpose",
    r"U \, \mathrm{diag}\left(@g\right) V^{\top} \text{ or } \left(U \left(F \odot \left(U^{\top} @g - @g^{\top} "
    r"U\right)\right) S + \left(I - U U^{\top}\right) @g S^{-1}\right) V^{\top}",
)

svd = FAMILY.structural(
    "svd",
    in_single(lambda x, part: lapack.svd(x)[part]),
    Slot("x", transpose=in_single(_svd_transpose), push=in_single(_svd_push), shown=SVD_BACK),
    shape=_svd_shape,
    attributes=(Attribute("part", 1, "integer", "0 for U, 1 for the singular values, 2 for Vᵀ"),),
    title="singular values",
    keywords="decomposition",
    phrase="part {part} of the singular value decomposition of {0}",
    doc="The singular values from large to small (part 1), or the orthonormal vectors U (part 0) and Vᵀ (part 2) with "
    "A = U diag(s) Vᵀ. Where two singular values are equal, the vectors have no gradient: nan.",
    edges="Of equal singular values the vectors' gradient is not defined: nan; the values' is.",
    trouble=_svd_trouble,
    source="Townsend (2016), Differentiating the singular value decomposition, eqs. 18 to 25",
    only_real=CONJUGATES,
    traits=Trait.CHOOSES,
    examples=tuple((matrix, {"part": part}) for matrix in (TALL, WIDE, SQUARE) for part in (0, 1, 2))
    + ((STACK, {"part": 0}), (STACK,)),
)


def _rest(x: Any, y: Any) -> tuple[Any, Any]:
    """I - A P and I - P A: the projections onto the left and the right null space of A."""
    rows, columns = np.eye(x.shape[-2], dtype=x.dtype), np.eye(x.shape[-1], dtype=x.dtype)
    return rows - np.matmul(x, y), columns - np.matmul(y, x)


def _pinv_transpose(g: Any, y: Any, x: Any, rcond: Any) -> Any:
    unreached, lost = _rest(x, y)
    back, up = swap(y), swap(g)
    direct = np.matmul(back, np.matmul(g, back))
    return (
        np.matmul(unreached, np.matmul(up, np.matmul(y, back)))
        + np.matmul(back, np.matmul(y, np.matmul(up, lost)))
        - direct
    )


def _pinv_push(t: Any, y: Any, x: Any, rcond: Any) -> Any:
    """Golub and Pereyra (1973), eq. 4.12."""
    unreached, lost = _rest(x, y)
    back, turned = swap(y), swap(t)
    direct = np.matmul(y, np.matmul(t, y))
    return (
        np.matmul(y, np.matmul(back, np.matmul(turned, unreached)))
        + np.matmul(lost, np.matmul(turned, np.matmul(back, y)))
        - direct
    )


def _pinv_shape(shape: Shape, rcond: Any) -> Shape:
    if isinstance(rcond, bool) or not isinstance(rcond, int | float):
        raise ShapeError("rcond {rcond!r} must be a small number", "give for example 1e-15", rcond=rcond)
    if len(shape) < 2:
        raise ShapeError("{op} needs a matrix, not shape {shape}", "give it two axes at least", op="pinv", shape=shape)
    return (*shape[:-2], shape[-1], shape[-2])


PINV_BACK = formula(
    "(I − @a @y) @gᵀ @y @yᵀ + @yᵀ @y @gᵀ (I − @y @a) − @yᵀ @g @yᵀ",
    r"\left(I - @a @y\right) @g^{\top} @y @y^{\top} + @y^{\top} @y @g^{\top} \left(I - @y @a\right) "
    r"- @y^{\top} @g @y^{\top}",
)

pinv = FAMILY.structural(
    "pinv",
    in_single(lapack.pinv),
    Slot("x", transpose=in_single(_pinv_transpose), push=in_single(_pinv_push), shown=PINV_BACK),
    shape=_pinv_shape,
    attributes=(Attribute("rcond", 1e-15, "number", "singular values below this part of the largest count as 0"),),
    notation=Notation("{0}⁺", r"{0}^{{+}}", POWER, (ATOM,)),
    title="pseudoinverse",
    symbol="A⁺",
    phrase="the pseudoinverse of {0}",
    doc="The matrix that solves a linear system in the sense of least squares; for a regular matrix its inverse.",
    edges="The rule holds where the rank does not change.",
    source="Golub and Pereyra (1973), The differentiation of pseudo-inverses and nonlinear least squares problems, "
    "eq. 4.12",
    only_real=CONJUGATES,
    examples=((TALL,), (WIDE,), (SQUARE,), (STACK,)),
)
