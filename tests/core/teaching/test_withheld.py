"""What is left of a product when its factors or its result are to be found."""

from __future__ import annotations

import pytest

from cadena.core.notation.parts import parts_of
from cadena.core.teaching.withheld import Withheld, in_symbols

WORDS = "∂L/∂c · ∂c/∂a = (−1) · 3 ≈ −3"
PARTS = parts_of(r"\frac{\partial L}{\partial c} \cdot \frac{\partial c}{\partial a} = \left(-1\right) \cdot 3 = -3")


@pytest.mark.parametrize(
    ("withheld", "left", "numbers"),
    [
        (Withheld(), WORDS, 3),
        (Withheld(factors=True), "∂L/∂c · ∂c/∂a ≈ −3", 1),
        (Withheld(result=True), "∂L/∂c · ∂c/∂a = (−1) · 3", 2),
        (Withheld(True, True), "∂L/∂c · ∂c/∂a", 0),
    ],
)
def test_factors_and_result_are_left_out_alike_in_words_and_formula(withheld, left, numbers):
    assert withheld.words(WORDS) == left
    parts = withheld.parts(PARTS)
    assert len(parts) == 2 + numbers and parts[:2] == list(PARTS[:2])


def test_a_product_of_matrices_is_a_result_alone():
    assert Withheld(factors=True).words("∂L/∂Z = [[1, 2]]") == "∂L/∂Z = [[1, 2]]"
    assert Withheld(result=True).words("∂L/∂Z = [[1, 2]]") == "∂L/∂Z"


def test_the_symbols_end_where_numbers_begin():
    assert in_symbols(PARTS) == PARTS[:4]
