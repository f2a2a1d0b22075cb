"""A formula in parts, cut where a line may break, each with the mark before it and the moment at which it appears."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

PLUS_EQUALS = r"\mathrel{+}="
APPROXIMATELY = r"\approx"
QUAD = r"\quad"  # no mark, but a wide gap: another formula begins
SUMS = ("+", "-")
RELATIONS, PRODUCTS = ("=", APPROXIMATELY, PLUS_EQUALS), (r"\cdot", r"\odot")
TOKEN = re.compile(r"\\[a-zA-Z]+|\\?.", re.DOTALL)
SHAPE = re.compile(r"\\left\(\d+( \\times \d+)+\\right\)")  # that stands for a large array
OPENS, CLOSES = ("{", "(", r"\left", r"\begin"), ("}", ")", r"\right", r"\end")


class FormulaPart(NamedTuple):
    """A piece of a formula with the mark before it ("=", "·" or none) and, under it, a word that says what it is.

    `appears` is the part of a step, 0 to 1, from which on the piece is seen; a `result` is set on a plate.
    """

    latex: str
    mark: str = ""
    caption: str = ""
    appears: float = 0.0
    result: bool = False


def parts_of(latex: str) -> tuple[FormulaPart, ...]:
    """Split a formula at its relations, its products and its sums: repeated parts are set once, and where a line is too
    narrow for all of it, it breaks."""
    return tuple(FormulaPart(piece, mark) for mark, piece in split(latex, *RELATIONS, *PRODUCTS, "+"))


def split(latex: str, *marks: str) -> list[tuple[str, str]]:
    """Split `latex` at `marks` outside all braces and brackets, into pairs of (mark, the LaTeX that follows)."""
    pieces, depth, mark, begin = list[tuple[str, str]](), 0, "", 0
    tokens = re.finditer("|".join([*map(_mark_pattern, marks), TOKEN.pattern]), latex, re.DOTALL)
    for token in tokens:
        if depth == 0 and token[0] in marks:
            pieces.append((mark, latex[begin : token.start()].strip()))
            mark, begin = token[0], token.end()
        depth += (token[0] in OPENS) - (token[0] in CLOSES)
    pieces.append((mark, latex[begin:].strip()))
    return [pair for pair in pieces if pair != ("", "")]


def _mark_pattern(mark: str) -> str:
    r"""The pattern of a mark, which is not the beginning of another command: \cdot is not in \cdots."""
    return re.escape(mark) + ("(?![a-zA-Z])" if mark[-1].isalpha() else "")


def without_matrices(parts: Sequence[FormulaPart]) -> tuple[FormulaPart, ...]:
    """A formula without the numbers of the arrays that its result is computed from: its symbols and the result."""
    runs: list[list[FormulaPart]] = []
    for part in parts:
        if part.mark in (*RELATIONS, QUAD) or not runs:
            runs.append([])
        runs[-1].append(part)
    lasts = [run[0].mark in RELATIONS and (not rest or rest[0].mark == QUAD) for run, rest in pairwise([*runs, []])]
    kept = (run for run, last in zip(runs, lasts, strict=True) if last or not any(map(_has_array, run)))
    return tuple(part for run in kept for part in run)


def _has_array(part: FormulaPart) -> bool:
    return r"\begin{bmatrix}" in part.latex or has_shape(part)


def has_shape(part: FormulaPart) -> bool:
    """Whether the shape of a large array stands in a part, for its numbers."""
    return SHAPE.search(part.latex) is not None
