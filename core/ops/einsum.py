"""Einstein's summation: any product of operands, summed over any of their axes, in one line of letters."""

from collections.abc import Sequence
from string import ascii_letters
from typing import Any

import numpy as np

from cadena.core.ops.expression import CALL, Notation
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import REQUIRED, Attribute, Family, Shape, ShapeError, Slot

FAMILY = Family("Linear algebra")
GRID = [[1.0, -2.0, 3.0], [4.0, 5.0, -6.0]]
SQUARE = [[1.0, 2.0, 3.0], [4.0, -5.0, 6.0], [0.5, 8.0, -9.0]]
CUBE = [[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[-1.0, 0.5], [2.0, -3.0]]]
Terms = tuple[list[str], str]  # a letter for each axis of each operand, and of the result


def terms(subscripts: Any, shapes: Sequence[Shape]) -> Terms:
    """The subscripts with the result written out and each "..." replaced by letters of its own. Raises ShapeError."""
    text = subscripts.replace(" ", "")
    left, arrow, right = text.partition("->")
    inputs = left.split(",")
    if len(inputs) != len(shapes):
        raise ShapeError(
            "the subscripts {text!r} are for {count} operands, not {count2}",
            "change them",
            text=text,
            count=len(inputs),
            count2=len(shapes),
        )
    spare = "".join(letter for letter in ascii_letters if letter not in text)
    dots = [len(shape) - len(term.replace("...", "")) if "..." in term else 0 for term, shape in zip(inputs, shapes)]
    most = spare[: max([*dots, 0])]
    written = [term.replace("...", most[len(most) - max(count, 0) :]) for term, count in zip(inputs, dots, strict=True)]
    for term, shape in zip(written, shapes, strict=True):
        _check_term(text, term, shape)
    if arrow:
        return written, _checked_result(text, right.replace("...", most), written)
    once = (letter for letter in sorted({*left} - {*",."}) if left.count(letter) == 1)
    return written, most + "".join(once)


def _check_term(text: str, term: str, shape: Shape) -> None:
    if strange := [letter for letter in term if letter not in ascii_letters]:
        raise ShapeError(
            'the subscripts {text!r} may hold letters, "...", "," and "->", not {strange!r}',
            "change them",
            text=text,
            strange=strange[0],
        )
    if len(term) != len(shape):
        raise ShapeError(
            "the subscripts {text!r} give {count} letters to shape {shape}",
            "give one to each axis",
            text=text,
            count=len(term),
            shape=shape,
        )
    for letter in set(term):
        if len({size for one, size in zip(term, shape, strict=True) if one == letter}) > 1:
            raise ShapeError(
                "the subscripts {text!r} need equally long axes {letter} in shape {shape}",
                "change them",
                text=text,
                letter=letter,
                shape=shape,
            )


def _checked_result(text: str, result: str, inputs: list[str]) -> str:
    for letter in result:
        if letter not in "".join(inputs) or result.count(letter) > 1:
            raise ShapeError(
                "the result of the subscripts {text!r} must name letters of the operands, each once",
                "change them",
                text=text,
            )
    return result


def _sizes(text: str, inputs: list[str], shapes: Sequence[Shape]) -> dict[str, int]:
    """How long the axis of each letter is. Axes of length 1 are broadcast."""
    sizes: dict[str, int] = {}
    for term, shape in zip(inputs, shapes, strict=True):
        for letter, size in zip(term, shape, strict=True):
            known = sizes.get(letter, 1)
            if 1 not in (known, size) and known != size:
                raise ShapeError(
                    "in the subscripts {text!r} {letter} is both {known} and {size} long",
                    "make them equal",
                    text=text,
                    letter=letter,
                    known=known,
                    size=size,
                )
            sizes[letter] = size if known == 1 else known
    return sizes


def _shape(*shapes: Shape, subscripts: Any) -> Shape:
    inputs, result = terms(subscripts, shapes)
    sizes = _sizes(str(subscripts), inputs, shapes)
    return tuple(sizes[letter] for letter in result)


def _sum(subscripts: str, *operands: Any) -> Any:
    return np.einsum(subscripts, *operands, optimize=len(operands) > 1)


def _transpose(g: Any, y: Any, *operands: Any, subscripts: str, slot: int) -> Any:
    """The upstream gradient takes the place of the operand, and the operand's letters the place of the result's.

    A letter that only this operand has was summed away: ones bring it back. One that it has twice is a diagonal.
    """
    shapes = [operand.shape for operand in operands]
    inputs, result = terms(subscripts, shapes)
    own = inputs[slot]
    target = "".join(dict.fromkeys(own))
    factors = [(result, g)] + [pair for i, pair in enumerate(zip(inputs, operands, strict=True)) if i != slot]
    lost = [letter for letter in target if all(letter not in term for term, _ in factors)]
    if lost:
        sizes = _sizes(subscripts, inputs, shapes)
        factors.append(("".join(lost), np.ones([sizes[letter] for letter in lost], dtype=g.dtype)))
    left = ",".join(term for term, _ in factors)
    result = _sum(f"{left}->{target}", *(factor for _, factor in factors))
    return result if target == own else _on_diagonal(result, own, shapes[slot])


def _on_diagonal(result: Any, term: str, shape: Shape) -> Any:
    """`result`, which has an axis for each letter, put where the indices of equal letters are equal; else 0."""
    first = [term.index(letter) for letter in term]
    indices = np.indices(shape, sparse=True)
    mask = np.ones(shape, dtype=bool)
    for axis, place in enumerate(first):
        mask = mask & (indices[axis] == indices[place])
    spread = np.expand_dims(result, [axis for axis, place in enumerate(first) if axis != place])
    return np.where(mask, spread, np.zeros((), dtype=result.dtype))


def _push(t: Any, y: Any, *operands: Any, subscripts: str, slot: int) -> Any:
    return _sum(subscripts, *operands[:slot], t, *operands[slot + 1 :])


einsum = FAMILY.structural(
    "einsum",
    lambda *operands, subscripts: np.array(_sum(subscripts, *operands)),
    Slot(
        "operand",
        transpose=_transpose,
        push=_push,
        shown=formula("einsum of @g with the other operands, over the letters that this one has not"),
    ),
    variadic=True,
    shape=_shape,
    attributes=(Attribute("subscripts", REQUIRED, "text", 'a letter for each axis, for example "ij,jk->ik"'),),
    notation=Notation("einsum({operands})", r"\mathrm{{einsum}}\left({operands}\right)", CALL),
    title="Einstein sum",
    phrase="the Einstein sum {subscripts} of {operands}",
    doc="Products of the operands' elements, summed over every letter that the result does not have: "
    '"ij,jk->ik" is the matrix product, "ii" the trace, "i,j->ij" the outer product.',
    examples=(
        (GRID, SQUARE, {"subscripts": "ij,jk->ik"}),
        (GRID, [1.0, 2.0, -1.0], {"subscripts": "ij,j"}),
        (SQUARE, {"subscripts": "ii"}),
        (SQUARE, {"subscripts": "ii->i"}),
        (GRID, {"subscripts": "ij->j"}),
        (GRID, {"subscripts": "ij->ji"}),
        (GRID, SQUARE, [1.0, -2.0], {"subscripts": "ij, jk, i -> k"}),
        (CUBE, CUBE, {"subscripts": "...ij,...jk->...ik"}),
        (CUBE, [[1.0, 2.0], [3.0, -4.0]], {"subscripts": "...ij,jk"}),
        (SQUARE, GRID, {"subscripts": "ii,ab->ab"}),
    ),
)
