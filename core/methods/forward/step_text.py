"""A step of forward mode in words: the value, then its derivative by the chain rule, or its derivative vector.

Vectors are written out while they are short, else summed up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cadena.core.methods.reverse.step_text import ratio, value_clause
from cadena.core.ops.expression import POWER, written_number
from cadena.core.run.program import Run
from cadena.core.text.numbers import PLAIN, Figures, figures, fits, latex_number, short

IN_TITLE = 4  # derivatives of a number that are written out in a title
WRITTEN = 6  # derivatives of a number that are written out; of more the first ones and the last

TangentPart = tuple[
    np.ndarray | None, np.ndarray
]  # a local derivative (None where elements are mixed), the operand's tangent


def tangent_sentence(run: Run, node: str, moving: str, tangent: np.ndarray, parts: Sequence[TangentPart]) -> str:
    """ "m1 is w0 times a1: 2 · 4 = 8; its derivative ∂m1/∂w0 is 4 · 1 = 4." for the operation
    `node`; `tangent` is its derivative along the leaf or element `moving`, `parts` one for each operand that moves.
    """
    value, name = value_clause(run, node), ratio(run, node, moving, False)
    if not parts and not tangent.any():
        return f"{value}; its derivative {name} is 0."
    precision = tangent_figures(tangent, parts)
    calculation = _sum(tangent, parts, precision)
    if not fits(tangent):
        return f"{value}; its derivative {name} is an array of {tangent.size} numbers."
    result = f"{calculation} {precision.equals} {short(tangent)}" if calculation else short(tangent)
    return f"{value}; its derivative {name} is {result}."


def tangent_figures(tangent: np.ndarray, parts: Sequence[TangentPart]) -> Figures:
    """The digits with which local derivatives and tangents of operands are shown beside the tangent that they give."""
    pairs = [(local, moved) for local, moved in parts if local is not None]
    if len(pairs) < len(parts):
        return PLAIN

    def compute(*shown: np.ndarray) -> np.ndarray:
        return sum((local * moved for local, moved in zip(shown[::2], shown[1::2], strict=True)), np.zeros(()))

    return figures(compute, [number for pair in pairs for number in pair], tangent)


def _sum(tangent: np.ndarray, parts: Sequence[TangentPart], precision: Figures) -> str:
    """The chain rule with numbers: "4 · 1 + 2 · 0"; empty for arrays."""
    if tangent.ndim or any(local is None or local.ndim or moved.ndim for local, moved in parts):
        return ""
    return " + ".join(" · ".join(_factor(number, precision) for number in part if number is not None) for part in parts)


def _factor(number: np.ndarray, precision: Figures) -> str:
    written = written_number(number, False, precision)
    return written.text if written.binding >= POWER else f"({written.text})"


def vector_text(vector: np.ndarray) -> str:
    """What a node has, for a title: "derivatives 4, 3, 0", "15 derivatives" or "15 derivative arrays"."""
    if vector.ndim > 1:
        return f"{len(vector)} derivative arrays"
    if len(vector) > IN_TITLE:
        return f"{len(vector)} derivatives"
    return f"derivative{_s(vector)} {', '.join(map(short, vector))}"


def vector_sentence(run: Run, node: str, names: Sequence[str], vector: np.ndarray) -> str:
    """ "m1 is w0 times a1: 2 · 4 = 8; its derivatives are 4 along w0, 0 along w1." for the operation
    `node`; `vector` holds one for each direction in `names`: (directions, *node shape).
    """
    value = value_clause(run, node)
    if vector.ndim == 1 and len(vector) <= WRITTEN:
        listed = ", ".join(f"{short(number)} along {name}" for number, name in zip(vector, names, strict=True))
        return f"{value}; its derivative{_s(vector)} {'is' if len(vector) == 1 else 'are'} {listed}."
    moving = int(np.count_nonzero(vector.reshape(len(vector), -1).any(axis=1)))
    if vector.ndim == 1:
        return f"{value}; of its {len(vector)} derivatives {moving} are not 0."
    return f"{value}; of its {len(vector)} derivative arrays {moving} are not 0."


def _s(vector: np.ndarray) -> str:
    return "" if len(vector) == 1 else "s"


def vector_latex(vector: np.ndarray, precision: Figures = PLAIN) -> str:
    """Derivatives of a number as a row; those of an array by their count and its shape."""
    if vector.ndim > 1:
        shape = r" \times ".join(map(str, vector.shape))
        return rf"\left({shape}\right)"
    numbers = [latex_number(number, precision.digits, precision.marked) for number in vector]
    if len(numbers) > WRITTEN:
        numbers[3:-1] = [r"\cdots"]
    return rf"\begin{{bmatrix}} {' & '.join(numbers)} \end{{bmatrix}}"


def nabla(name: str) -> str:
    """The derivative vector of a node, whose name is LaTeX already, in symbols."""
    return rf"\nabla {name}"
