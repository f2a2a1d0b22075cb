"""The text of exported C++; what it computes is compared where g++ and Eigen are (see tests/core/oracle)."""

from __future__ import annotations

import re

import numpy as np
import pytest

from cadena.core.graph.document import Function
from cadena.core.graph.fault import Refused
from cadena.core.languages.cpp import rules
from cadena.core.languages.eigen.types import HELPERS
from cadena.core.languages.export import export
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import open_lesson
from tests.core.functions.graphs import calling, custom
from tests.core.graphs import graph


def test_numbers_are_variables_with_a_place_and_nodes_are_statements():
    text = export(open_lesson("1"), "eigen").text
    assert "constexpr int size = 5;" in text
    assert "const T w4 = variable(3.0, 4);" in text
    assert "const T L = k - c;" in text
    assert 'print("dL/dw4", gradient(L, 4, 1), {});' in text


def test_only_helpers_that_are_needed_are_written():
    text = export(open_lesson("1"), "eigen").text
    assert not [name for name in HELPERS if re.search(rf"\b{name}\(", text)]
    assert "T softmax_of(" not in export(graph(x=[1.0, 2.0], y=("sum", "x")), "eigen").text
    assert "T logsumexp_of(" in export(graph(x=[1.0, 2.0], y=("softmax", "x")), "eigen").text


def test_words_of_the_language_are_renamed_with_a_remark():
    text = export(graph(double=2.0, exp=("exp", "double")), "eigen").text
    assert "const T double_ = variable(2.0, 0);  // double in the graph" in text
    assert "const T exp_ = exp(double_);  // exp in the graph" in text


def test_the_rules_of_an_operation_are_translated():
    assert rules(REGISTRY["maximum"], ()) == (
        "larger(a, b)",
        (
            "(a > b) ? 1.0 : ((a < b) ? 0.0 : ((a == b) ? 0.5 : NAN))",
            "(b > a) ? 1.0 : ((b < a) ? 0.0 : ((a == b) ? 0.5 : NAN))",
        ),
    )


def test_what_is_constant_has_no_slope():
    """0 times the slope of a power by its exponent, which is nan for a negative base, is not 0."""
    text = export(graph("y", x=-2.0, k=("constant", 2.0), y=("power", "x", "k")), "eigen").text
    assert "b_.derivatives()" not in text
    assert "const T y = power_by_a(x, k);" in text


def test_every_elementwise_operation_has_its_rules():
    for record in REGISTRY.values():
        if record.elementwise:
            assert rules(record, tuple(sorted(record.complete({}).items()))), record.name


def test_large_arrays_lie_in_a_file_beside_the_program():
    numbers = np.random.default_rng(0).normal(size=(40, 30))
    made = export(graph(w=numbers, s=("square", "w"), L=("sum", "s")), "eigen", stem="big")
    assert 'std::ifstream data("big.bin", std::ios::binary);' in made.text
    assert made.data == numbers.astype("<f8").tobytes()
    assert made.data_name("big") == "big.bin"


def test_a_custom_gradient_is_kept():
    text = export(open_lesson("8"), "eigen").text
    assert "return with_gradient(" in text


@pytest.mark.parametrize("op", ["eigh", "svd", "pinv"])
def test_decompositions_bring_what_they_include(op):
    assert "#include <Eigen/SVD>" in export(graph(A=[[2.0, 0.5], [0.5, 1.0]], factor=(op, "A")), "eigen").text
    assert "#include <Eigen/SVD>" not in export(graph(A=[[2.0, 0.5], [0.5, 1.0]], y=("inv", "A")), "eigen").text


def test_what_would_be_thousands_of_places_is_refused():
    document = graph(x=np.ones((90, 90)), y=("flip", "x"))
    with pytest.raises(Refused, match="y: flip of such operands cannot be said in Eigen"):
        export(document, "eigen")


def test_half_precision_is_refused():
    from dataclasses import replace

    with pytest.raises(Refused, match="y is computed in float16, which cannot be said in Eigen; choose"):
        export(replace(graph(x=1.0, y=("exp", "x")), dtype="float16"), "eigen")


def test_a_custom_gradient_of_arrays_is_refused_by_the_name_of_its_call():
    function = Function(("x",), graph(total=("sum", "x")).nodes, "total")
    document = calling(custom(function, graph(d=("multiply", "x", "g")), "d"), np.ones(3))
    with pytest.raises(Refused, match="L: a custom gradient of arrays cannot be said in Eigen; choose another"):
        export(document, "eigen")
