"""Formulas in parts: what is left of one where its arrays have no room."""

from __future__ import annotations

from cadena.core.notation.parts import QUAD, FormulaPart, has_shape, parts_of, without_matrices

MATRIX = r"\begin{bmatrix} 1 & 2 \\ 3 & 4 \end{bmatrix}"
SHAPE = r"\left(4 \times 4\right)"


def test_without_matrices_a_formula_goes_from_its_symbols_to_the_result():
    parts = parts_of(rf"G \mathrel{{+}}= X \odot Y = X \cdot 1 = {MATRIX} \odot {MATRIX} = {MATRIX}")
    assert without_matrices(parts) == parts_of(rf"G \mathrel{{+}}= X \odot Y = X \cdot 1 = {MATRIX}")
    assert without_matrices(parts_of(rf"Z = X W = {SHAPE} \, {MATRIX} = {SHAPE}")) == parts_of(rf"Z = X W = {SHAPE}")


def test_each_of_several_formulas_keeps_its_result():
    first, second = parts_of(rf"G = {MATRIX} + {MATRIX} = {MATRIX}"), parts_of(rf"g = 1 + {MATRIX} = {MATRIX}")
    both = (*first, FormulaPart(second[0].latex, QUAD), *second[1:])
    assert [part.latex for part in without_matrices(both)] == ["G", MATRIX, "g", MATRIX]


def test_numbers_and_symbols_stay():
    parts = parts_of(r"L = a \cdot b = 3 \cdot 4 = 12")
    assert without_matrices(parts) == parts
    assert not any(map(has_shape, parts)) and has_shape(FormulaPart(SHAPE))
