"""The matrices of a step: how they stand, what they are called, and what is marked on the cards."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.teaching.lessons import open_lesson
from cadena.core.teaching.schemes import Scheme, scheme_of

PRODUCTS = "W=[[0.1,-0.2],[0.3,0.4],[1,2]]; x=[1,2]; y=[3,1,2]; z=W@x; q=y@W; o=outer(x,y); d=dot(q,x)"
TENSORS = "X=[[1,2],[3,4],[5,6]]; b=[10,20]; s=X+b; p=softmax(X); m=mean(X); r=max(X)"


def scheme(text: str, node: str, slot: int | None) -> Scheme:
    found = scheme_of(compile(parse(f"{text}; L=sum({node})")).run(), node, slot)
    assert found is not None
    return found


def described(found: Scheme) -> list[tuple[str, tuple[int, int]]]:
    return [(form.title, form.shape) for form in found.matrices]


def test_the_gradient_of_a_factor_is_a_product_with_the_other_one_transposed():
    found = scheme_of(compile(open_lesson("custom_layer")).run(), "Z", 1)
    assert found is not None and found.is_product
    assert described(found) == [("Xᵀ", (3, 3)), ("∂L/∂Z", (3, 2)), ("∂L/∂W", (3, 2))]
    assert [form.role for form in found.matrices] == ["value", "gradient", "gradient"]
    marked = found.on_cards(found.meeting(2))
    assert {key: at.tolist() for key, at in marked.items()} == {
        ("W", "gradient"): [2], ("X", "value"): [1, 4, 7], ("Z", "gradient"): [0, 2, 4]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("node", "slot", "shown"),
    [
        ("z", None, [("W", (3, 2)), ("x", (2, 1)), ("z", (3, 1))]),
        ("z", 0, [("∂L/∂z", (3, 1)), ("x", (1, 2)), ("∂L/∂W", (3, 2))]),
        ("z", 1, [("Wᵀ", (2, 3)), ("∂L/∂z", (3, 1)), ("∂L/∂x", (2, 1))]),
        ("q", None, [("Wᵀ", (2, 3)), ("y", (3, 1)), ("q", (2, 1))]),
        ("o", None, [("x", (2, 1)), ("y", (1, 3)), ("o", (2, 3))]),
        ("d", None, [("q", (1, 2)), ("x", (2, 1)), ("d", (1, 1))]),
    ],
)
def test_vectors_stand_as_rows_and_columns(node, slot, shown):
    found = scheme(PRODUCTS, node, slot)
    assert found.is_product and described(found) == shown


def test_every_row_meets_every_column():
    found = scheme(PRODUCTS, "z", 0)
    left, above = found.operands
    for element in range(found.result.array.size):
        row, column = found.result.cell(element)
        assert np.isclose(left.number(row, 0) * above.number(0, column), found.meeting(element).total)


def test_what_is_stretched_or_reduced_stands_beside_its_result():
    assert described(scheme(TENSORS, "s", None)) == [("X", (3, 2)), ("b", (1, 2)), ("s", (3, 2))]
    back = scheme(TENSORS, "s", 1)
    assert described(back) == [("∂L/∂s", (3, 2)), ("∂L/∂b", (1, 2))] and not back.is_product
    assert {key: at.tolist() for key, at in back.on_cards(back.meeting(1)).items()} == {
        ("b", "gradient"): [1], ("s", "gradient"): [1, 3, 5]
    }  # fmt: skip
    assert described(scheme(TENSORS, "m", 0)) == [("∂L/∂m", (1, 1)), ("∂L/∂X", (3, 2))]


def test_derivatives_that_are_no_operand_are_a_matrix_of_their_own():
    found = scheme(TENSORS, "p", 0)
    assert described(found) == [("∂L/∂p", (3, 2)), ("∂p/∂X", (3, 2)), ("∂L/∂X", (3, 2))]
    run = compile(parse(f"{TENSORS}; L=sum(p)")).run()
    y = np.asarray(run.value("p")).reshape(-1)
    in_its_row = np.array([0, 0, 1, 1, 0, 0])
    expected = in_its_row * y * ((np.arange(y.size) == 3) - y[3])
    assert np.allclose(found.at(found.meeting(3)).operands[1].array.reshape(-1), expected)


def test_of_several_axes_the_leading_ones_are_rows():
    run = compile(open_lesson("custom_layer")).run()
    form = scheme_of(run, "Z", None)
    assert form is not None and form.result.index(5) == "[2, 1]" and form.result.flat(2, 1) == 5


def test_numbers_alone_have_no_matrices():
    assert scheme_of(compile(open_lesson("first_chain_rule")).run(), "m1", None) is None
    assert scheme_of(compile(open_lesson("first_chain_rule")).run(), "w0", None) is None


def test_where_an_element_flows():
    forward, back = scheme(TENSORS, "s", None), scheme(TENSORS, "s", 1)
    assert forward.reached_from(forward.operands[1], 1).tolist() == [1, 3, 5]
    assert back.reached_from(back.operands[0], 4).tolist() == [0]
    largest = scheme(TENSORS, "r", None)
    assert largest.reached_from(largest.operands[0], 2).tolist() == [0]
