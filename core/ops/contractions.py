"""Products that sum over pairs of axes: dot, inner, outer, tensordot, and the products of Kronecker and of vectors."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from cadena.core.ops.building import whole
from cadena.core.ops.expression import CALL, PRODUCT, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Rule, Shape, ShapeError, Slot, fit
from cadena.core.ops.reduction import reduced_axes
from cadena.core.ops.traits import Trait

FAMILY = Family("Linear algebra")
GRID = [[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]
CUBE = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[-1.0, 0.5], [2.0, -3.0]]]
Axes = tuple[
    Sequence[int], Sequence[int]
]  # the summed axes of the left operand and the matching ones of the right operand


def _free(count: int, summed: Sequence[int]) -> list[int]:
    return [axis for axis in range(count) if axis not in summed]


def _undo(order: Sequence[int]) -> list[int]:
    return [int(item) for item in np.argsort(order)]


def contract_left(g: Any, a: Any, b: Any, axes: Axes) -> Any:
    """Gradient of the left operand of a tensordot: the upstream gradient summed with the right one's free axes."""
    left, right = axes
    free_a, free_b = _free(a.ndim, left), _free(b.ndim, right)
    product = np.tensordot(g, b, axes=(list(range(len(free_a), len(free_a) + len(free_b))), free_b))
    partners = dict(zip(right, left, strict=True))
    return np.transpose(product, _undo([*free_a, *(partners[axis] for axis in sorted(right))]))


def contract_right(g: Any, a: Any, b: Any, axes: Axes) -> Any:
    """Gradient of the right operand of a tensordot: the left one's free axes summed with the upstream gradient."""
    left, right = axes
    free_a, free_b = _free(a.ndim, left), _free(b.ndim, right)
    product = np.tensordot(a, g, axes=(free_a, list(range(len(free_a)))))
    partners = dict(zip(left, right, strict=True))
    return np.transpose(product, _undo([*(partners[axis] for axis in sorted(left)), *free_b]))


def _tensordot_axes(a: Shape, b: Shape, axes: Any) -> Axes:
    """`axes` as two lists of axes counted from 0: a number means the last ones of the left, the first of the right."""
    if isinstance(axes, int) and not isinstance(axes, bool):
        if not 0 <= axes <= min(len(a), len(b)):
            raise ShapeError(
                "{op} cannot sum over {axes} axes of shapes {a} and {b}",
                "choose a smaller number",
                op="tensordot",
                axes=axes,
                a=a,
                b=b,
            )
        return range(len(a) - axes, len(a)), range(axes)
    if not isinstance(axes, list | tuple) or len(axes) != 2:
        raise ShapeError("axes {axes} must be a number or two lists of axes", "give for example [[1], [0]]", axes=axes)
    left, right = reduced_axes(a, _listed(axes[0])), reduced_axes(b, _listed(axes[1]))
    if len(left) != len(right):
        raise ShapeError(
            "axes {axes} must name as many axes of the left as of the right operand", "change them", axes=axes
        )
    return left, right


def _listed(axes: Any) -> list[Any]:
    return list(axes) if isinstance(axes, list | tuple) else [axes]


def _tensordot_shape(a: Shape, b: Shape, axes: Any) -> Shape:
    left, right = _tensordot_axes(a, b, axes)
    return _contracted("tensordot", a, b, (left, right))


def _contracted(name: str, a: Shape, b: Shape, axes: Axes) -> Shape:
    for left, right in zip(*axes, strict=True):
        if a[left] != b[right]:
            raise ShapeError(
                "{op} cannot sum axis {left} of shape {a} with axis {right} of shape {b}",
                "they must be equally long",
                op=name,
                left=left,
                a=a,
                right=right,
                b=b,
            )
    return tuple(a[axis] for axis in _free(len(a), axes[0])) + tuple(b[axis] for axis in _free(len(b), axes[1]))


tensordot = FAMILY.structural(
    "tensordot",
    lambda a, b, axes: np.tensordot(a, b, _tensordot_axes(np.shape(a), np.shape(b), axes)),
    Slot(
        "left",
        transpose=lambda g, y, a, b, axes: contract_left(g, a, b, _tensordot_axes(a.shape, b.shape, axes)),
        push=lambda t, y, a, b, axes: np.tensordot(t, b, axes),
        shown=formula("@g · @b, summed over the axes that only @b has"),
    ),
    Slot(
        "right",
        transpose=lambda g, y, a, b, axes: contract_right(g, a, b, _tensordot_axes(a.shape, b.shape, axes)),
        push=lambda t, y, a, b, axes: np.tensordot(a, t, axes),
        shown=formula("@a · @g, summed over the axes that only @a has"),
    ),
    shape=_tensordot_shape,
    attributes=(
        Attribute("axes", 2, "integers", "how many axes are summed, or which: two lists, for example [[0, 1], [1, 0]]"),
    ),
    title="tensor product, summed over axes",
    symbol="A : B",
    phrase="the tensor product of {0} and {1}, summed over axes {axes}",
    doc="The products of all elements of one with all of the other, summed over pairs of axes.",
    examples=(
        (GRID, GRID),
        (CUBE, GRID, {"axes": [[0], [1]]}),
        (CUBE, CUBE, {"axes": [[2, 0], [1, 0]]}),
        ([1.0, 2.0], [3.0, 4.0, 5.0], {"axes": 0}),
        (CUBE, [[1.0, 2.0], [3.0, 4.0]], {"axes": 1}),
    ),
)


def _last_axes(name: str, second: bool) -> Callable[..., Axes]:
    """The summed axes of dot (second: the second to last axis of the right operand) or of inner (the last one)."""

    def axes(a: Shape, b: Shape) -> Axes:
        return [len(a) - 1], [len(b) - 2 if second and len(b) > 1 else len(b) - 1]

    return axes


def _dot_like(name: str, function: Any, second: bool, back: tuple[Rule, Rule], **record: Any) -> Any:
    """The record of dot or inner; with a single number both are plain products."""
    axes = _last_axes(name, second)

    def shape(a: Shape, b: Shape) -> Shape:
        return a + b if not a or not b else _contracted(name, a, b, axes(a, b))

    def left(g: Any, y: Any, a: Any, b: Any) -> Any:
        if a.ndim and b.ndim:
            return contract_left(g, a, b, axes(a.shape, b.shape))
        return g * b if a.ndim else np.sum(g * b)

    def right(g: Any, y: Any, a: Any, b: Any) -> Any:
        if a.ndim and b.ndim:
            return contract_right(g, a, b, axes(a.shape, b.shape))
        return g * a if b.ndim else np.sum(g * a)

    return FAMILY.structural(
        name,
        function,
        Slot("left", transpose=left, push=lambda t, y, a, b: function(t, b), shown=back[0]),
        Slot("right", transpose=right, push=lambda t, y, a, b: function(a, t), shown=back[1]),
        shape=shape,
        **record,
    )


dot = _dot_like(
    "dot",
    np.dot,
    second=True,
    back=(formula("@g @bᵀ", r"@g \, @b^{\top}"), formula("@aᵀ @g", r"@a^{\top} \, @g")),
    notation=Notation("{0} · {1}", r"{0} \cdot {1}", PRODUCT, (PRODUCT, PRODUCT + 1)),
    title="dot product",
    symbol="a · b",
    phrase="the dot product of {0} and {1}",
    doc="Of vectors the sum of the products of their elements; of matrices the matrix product; of others as in numpy.",
    traits=Trait.ZERO_OF_ZEROS,
    examples=(
        ([1.0, 2.0, 3.0], [4.0, -5.0, 6.0]),
        (GRID, [1.0, 2.0, 3.0]),
        (GRID, [[1.0, 2.0], [3.0, -4.0], [0.5, 1.0]]),
        (2.0, [1.0, 2.0]),
        (CUBE, CUBE),
        ([1.0, -2.0], CUBE),
    ),
)

inner = _dot_like(
    "inner",
    np.inner,
    second=False,
    back=(formula("@g @b", r"@g \, @b"), formula("@gᵀ @a", r"@g^{\top} \, @a")),
    notation=Notation("inner({0}, {1})", r"\left\langle {0}, {1} \right\rangle", CALL),
    title="inner product",
    symbol="⟨a, b⟩",
    phrase="the inner product of {0} and {1}",
    doc="The sum of products over the last axis of both operands.",
    examples=(
        ([1.0, 2.0, 3.0], [4.0, -5.0, 6.0]),
        (GRID, [1.0, 2.0, 3.0]),
        (GRID, [[1.0, 2.0, 3.0], [-4.0, 0.5, 1.0]]),
        ([1.0, 2.0], 2.0),
        (CUBE, CUBE),
    ),
)

outer = FAMILY.structural(
    "outer",
    np.outer,
    Slot(
        "left",
        transpose=lambda g, y, a, b: np.reshape(np.dot(g, np.reshape(b, (-1,))), a.shape),
        push=lambda t, y, a, b: np.outer(t, b),
        shown=lambda g, y, a, b: g @ b,
    ),
    Slot(
        "right",
        transpose=lambda g, y, a, b: np.reshape(np.dot(np.reshape(a, (-1,)), g), b.shape),
        push=lambda t, y, a, b: np.outer(a, t),
        shown=lambda g, y, a, b: g.T @ a,
    ),
    shape=lambda a, b: (int(np.prod(a, dtype=int)), int(np.prod(b, dtype=int))),
    notation=Notation("{0} ⊗ {1}", r"{0} \otimes {1}", PRODUCT, (PRODUCT, PRODUCT + 1)),
    title="outer product",
    symbol="a ⊗ b",
    phrase="the outer product of {0} and {1}",
    doc="The table of the products of each element of one with each element of the other.",
    definition=lambda a, b: np.reshape(a, (a.size, 1)) * np.reshape(b, (1, b.size)),
    examples=(([1.0, 2.0, 3.0], [4.0, -5.0]), (GRID, [1.0, 2.0]), (2.0, [1.0, 2.0])),
)


def _interleaved(a: Any, b: Any) -> tuple[Any, Any]:
    """Both operands as (a0, 1, a1, 1 ...) and (1, b0, 1, b1 ...): their product, reshaped, is the Kronecker product."""
    count = max(a.ndim, b.ndim)
    left, right = (1,) * (count - a.ndim) + a.shape, (1,) * (count - b.ndim) + b.shape
    spread_a = [size for pair in zip(left, (1,) * count, strict=True) for size in pair]
    spread_b = [size for pair in zip((1,) * count, right, strict=True) for size in pair]
    return np.reshape(a, spread_a), np.reshape(b, spread_b)


def _kron_transpose(g: Any, a: Any, b: Any, slot: int) -> Any:
    both = _interleaved(a, b)
    parted = np.reshape(g, np.broadcast_shapes(both[0].shape, both[1].shape))
    return np.reshape(fit(parted * both[1 - slot], both[slot]), (a, b)[slot].shape)


def _kron_shape(a: Shape, b: Shape) -> Shape:
    count = max(len(a), len(b))
    left, right = (1,) * (count - len(a)) + a, (1,) * (count - len(b)) + b
    return tuple(one * other for one, other in zip(left, right, strict=True))


kron = FAMILY.structural(
    "kron",
    np.kron,
    Slot(
        "left",
        transpose=lambda g, y, a, b: _kron_transpose(g, a, b, 0),
        push=lambda t, y, a, b: np.kron(t, b),
        shown=formula("⟨block ij of @g, @b⟩ at each place ij", r"\left\langle @g_{\text{block } ij}, @b \right\rangle"),
    ),
    Slot(
        "right",
        transpose=lambda g, y, a, b: _kron_transpose(g, a, b, 1),
        push=lambda t, y, a, b: np.kron(a, t),
        shown=formula("Σ_ij @a[ij] · block ij of @g", r"\sum_{ij} @a_{ij} \, @g_{\text{block } ij}"),
    ),
    shape=_kron_shape,
    notation=Notation("kron({0}, {1})", r"{0} \otimes {1}", CALL, (PRODUCT, PRODUCT + 1)),
    title="Kronecker product",
    symbol="A ⊗ B",
    phrase="the Kronecker product of {0} and {1}",
    doc="The block matrix that holds, for each element of the left operand, that element times the right operand.",
    examples=((GRID, [[1.0, 2.0], [3.0, -4.0]]), ([1.0, 2.0], GRID), (GRID, [1.0, -1.0]), (2.0, [1.0, 2.0])),
)


def _cross_axes(axisa: Any, axisb: Any, axisc: Any, axis: Any) -> tuple[int, int, int]:
    """The axis of the vectors in the left and the right operand and in the result; `axis` stands for all three."""
    chosen = (axisa, axisb, axisc) if axis is None else (axis, axis, axis)
    return whole("axisa", chosen[0]), whole("axisb", chosen[1]), whole("axisc", chosen[2])


def _cross_shape(a: Shape, b: Shape, **attributes: Any) -> Shape:
    at_a, at_b, at_y = _cross_axes(**attributes)
    lead = []
    for shape, axis in ((a, at_a), (b, at_b)):
        (place,) = reduced_axes(shape, axis)
        if shape[place] != 3:
            raise ShapeError(
                "{op} needs 3 numbers along axis {axis}, but shape {shape} has {shape2}",
                "choose another",
                op="cross",
                axis=axis,
                shape=shape,
                shape2=shape[place],
            )
        lead.append(shape[:place] + shape[place + 1 :])
    try:
        batch = np.broadcast_shapes(*lead)
    except ValueError:
        raise ShapeError(
            "{op} cannot pair shapes {a} and {b}", "make them equal or 1 beside the axis of 3", op="cross", a=a, b=b
        ) from None
    (place,) = reduced_axes((*batch, 3), at_y)
    return (*batch[:place], 3, *batch[place:])


def _cross_transpose(g: Any, a: Any, b: Any, slot: int, axes: tuple[int, int, int]) -> Any:
    """Of the left operand b × g, of the right one g × a, summed over the axes along which it was broadcast."""
    left, right, upstream = (np.moveaxis(x, axis, -1) for x, axis in zip((a, b, g), axes, strict=True))
    carried = np.cross(right, upstream) if slot == 0 else np.cross(upstream, left)
    return np.moveaxis(fit(carried, (left, right)[slot]), -1, axes[slot])


cross = FAMILY.structural(
    "cross",
    lambda a, b, **axes: np.cross(a, b, *_cross_axes(**axes)),
    Slot(
        "left",
        transpose=lambda g, y, a, b, **axes: _cross_transpose(g, a, b, 0, _cross_axes(**axes)),
        push=lambda t, y, a, b, **axes: np.cross(t, b, *_cross_axes(**axes)),
        shown=lambda g, y, a, b: np.cross(b, g),
    ),
    Slot(
        "right",
        transpose=lambda g, y, a, b, **axes: _cross_transpose(g, a, b, 1, _cross_axes(**axes)),
        push=lambda t, y, a, b, **axes: np.cross(a, t, *_cross_axes(**axes)),
        shown=lambda g, y, a, b: np.cross(g, a),
    ),
    shape=_cross_shape,
    attributes=(
        Attribute("axisa", -1, "integer", "the axis of the left operand along which its vectors lie"),
        Attribute("axisb", -1, "integer", "the axis of the right operand along which its vectors lie"),
        Attribute("axisc", -1, "integer", "the axis of the result along which its vectors lie"),
        Attribute("axis", None, "axis", "the axis of all three, if it is the same"),
    ),
    notation=Notation("{0} × {1}", r"{0} \times {1}", PRODUCT, (PRODUCT, PRODUCT + 1)),
    title="cross product",
    symbol="a × b",
    phrase="the cross product of {0} and {1}",
    doc="The vector perpendicular to two vectors of three numbers, as long as their parallelogram is large.",
    examples=(
        ([1.0, 2.0, 3.0], [4.0, -5.0, 6.0]),
        (GRID, [0.5, 1.0, -1.0]),
        ([[1.0, 2.0], [3.0, 4.0], [5.0, -6.0]], [0.5, 1.0, -1.0], {"axis": 0}),
        ([[1.0, 2.0], [3.0, 4.0], [5.0, -6.0]], GRID, {"axisa": 0}),
    ),
)
