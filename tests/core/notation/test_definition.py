"""The definition and the derivatives of operations as formulas, read from their records."""

from __future__ import annotations

from cadena.core.notation.definition import definition, derivatives
from cadena.core.ops.primitive import REGISTRY
from tests.thorough import in_turn


@in_turn("op", REGISTRY)
def test_every_operation_has_a_definition_and_a_derivative_for_each_operand(op):
    assert definition(op, latex=False).startswith("y = ")
    assert len(derivatives(op)) == sum(slot.differentiable for slot in REGISTRY[op].slots)
    assert all("∂" in line and " = " in line for line in derivatives(op, latex=False))


def test_the_product_is_differentiated_by_the_other_operand():
    assert derivatives("multiply", latex=False) == ["∂y/∂a = b", "∂y/∂b = a"]


def test_the_rule_of_a_matrix_product_carries_the_gradient_of_its_result():
    assert derivatives("matmul", latex=False)[1] == "∂L/∂B = Aᵀ ∂L/∂y"


def test_the_derivative_is_printed_with_the_names_of_the_settings():
    assert derivatives("leaky_relu", latex=False) == ["∂y/∂x = (1 if x > 0, else slope)"]
    assert "alpha" in derivatives("elu", latex=False)[0]


def test_what_only_chooses_goes_by_its_label_and_gets_no_derivative():
    assert definition("where", latex=False) == "y = (A if c, else B)"
    assert [line.split(" = ")[0] for line in derivatives("where", latex=False)] == ["∂L/∂A", "∂L/∂B"]


def test_an_operation_of_any_number_of_operands_shows_two_and_dots():
    assert definition("concatenate", latex=False) == "y = concatenate(A, B, …)"
    assert derivatives("concatenate", latex=False) == ["∂L/∂A = ∂L/∂y at the places of this operand"]


def test_the_derivative_of_digamma_is_written_with_zeta():
    assert derivatives("digamma", latex=False) == ["∂y/∂x = ζ(2, x)"]


def test_a_leaf_has_no_formula():
    assert definition("parameter") == ""
    assert derivatives("parameter") == []
