"""A bad number is reported where it was born, not where it ended."""

import core
from core.document import Node
from tests.core.notation.graphs import OVERFLOW, TWO_PATHS, graph, leaf


def test_a_healthy_graph_has_no_faults() -> None:
    assert core.compile(TWO_PATHS).run().faults == ()


def test_overflow_and_the_nan_gradient_are_found_at_exp_in_float32() -> None:
    faults = core.compile(OVERFLOW).run().faults
    assert [(fault.node, fault.kind) for fault in faults] == [("e", "inf-value"), ("e", "nan-gradient")]
    assert "−0 · inf" in faults[1].message


def test_the_same_graph_is_healthy_in_float64() -> None:
    assert core.compile(OVERFLOW).run(dtype="float64").faults == ()


def test_a_nan_is_not_reported_again_by_those_who_inherit_it() -> None:
    document = graph(leaf("x", -1.0), Node("y", "log", ("x",)), Node("z", "sin", ("y",)), output="z")
    assert [(fault.node, fault.kind) for fault in core.compile(document).run().faults] == [("y", "nan-value")]


def test_a_leaf_that_was_given_nan_is_named() -> None:
    document = graph(leaf("x", float("nan")), Node("y", "sin", ("x",)), output="y")
    faults = core.compile(document).run().faults
    assert faults[0].node == "x"
    assert faults[0].kind == "nan-value"


def test_an_infinite_derivative_at_a_finite_value_is_a_gradient_fault() -> None:
    document = graph(leaf("x", 0.0), Node("y", "sqrt", ("x",)), output="y")
    assert [(fault.node, fault.kind) for fault in core.compile(document).run().faults] == [("y", "inf-gradient")]
