"""A step of forward mode as a sentence: the value, then its derivative by the chain rule, both with their numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from cadena.core.methods.reverse.words import ratio, value_clause
from cadena.core.ops.expression import POWER, written_number
from cadena.core.run.program import Run
from cadena.core.text.numbers import PLAIN, Figures, figures, fits, short

TangentPart = tuple[
    np.ndarray | None, np.ndarray
]  # a local derivative (None where elements are mixed), the operand's tangent


def tangent_sentence(run: Run, node: str, moving: str, tangent: np.ndarray, parts: Sequence[TangentPart]) -> str:
    """ "m1 is w0 times a1: 2 · 4 = 8; its derivative ∂m1/∂w0 is 4 · 1 = 4." for the operation
    `node`; `tangent` is its derivative along the leaf or element `moving`, `parts` one for each operand that moves.
    """
    value, name = value_clause(run, node), ratio(node, moving, False)
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
