"""What the panels say about operations, read from the core's records."""

from __future__ import annotations

import pytest

from core.primitive import REGISTRY
from gui.panels.operations import catalogue, definition, derivatives, find


@pytest.mark.parametrize("op", REGISTRY)
def test_every_operation_has_a_definition_and_a_derivative_for_each_operand(op):
    assert definition(op, latex=False).startswith("y = ")
    assert len(derivatives(op)) == len(REGISTRY[op].slots)
    assert all("∂" in line and " = " in line for line in derivatives(op, latex=False))


def test_the_product_is_differentiated_by_the_other_operand():
    assert derivatives("multiply", latex=False) == ["∂y/∂a = b", "∂y/∂b = a"]


def test_the_rule_of_a_matrix_product_carries_the_gradient_of_its_result():
    assert derivatives("matmul", latex=False)[1] == "∂L/∂B = Aᵀ ∂L/∂y"


def test_a_leaf_has_no_formula():
    assert definition("parameter") == ""
    assert derivatives("parameter") == []


def test_an_exact_symbol_comes_before_all_others():
    assert find("+", catalogue())[0].name == "add"
    assert find("max", catalogue())[0].name == "maximum"


def test_all_words_must_be_found():
    assert [operation.name for operation in find("square root", catalogue())] == ["sqrt"]
    assert find("square elephant", catalogue()) == []
