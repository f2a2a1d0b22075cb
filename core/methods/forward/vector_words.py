"""Derivative vectors of forward mode in words and formulas: written out while they are short, else summed up."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cadena.core.methods.reverse.words import value_clause
from cadena.core.run.program import Run
from cadena.core.text.numbers import PLAIN, Figures, latex_number, short

IN_TITLE = 4  # derivatives of a number that are written out in a title
WRITTEN = 6  # derivatives of a number that are written out; of more the first ones and the last


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
