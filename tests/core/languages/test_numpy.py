"""Programs in numpy, run here: every operation, every lesson, random graphs."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings

from cadena.core.languages.export import export
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import documents, graph
from tests.core.languages.programs import differences, expected, is_healthy, of_record, run
from tests.thorough import in_turn


@pytest.mark.some(6)
@in_turn("op", REGISTRY)
def test_every_operation_has_the_engines_value_and_gradients(op):
    for document in of_record(REGISTRY[op]):
        assert not list(differences(run(export(document, "numpy").text), expected(document), 1e-12))


@pytest.mark.some(4)
@in_turn("op", REGISTRY)
def test_float32_stays_float32(op):
    for document in of_record(REGISTRY[op]):
        single = replace(document, dtype="float32")
        assert not list(differences(run(export(single, "numpy").text), expected(single), 1e-5))


@pytest.mark.parametrize("number", [str(lesson.number) for lesson in lessons()])
def test_every_lesson_prints_its_numbers(number):
    document = open_lesson(number)
    relative = 1e-12 if document.dtype == "float64" else 1e-6
    assert not list(differences(run(export(document, "numpy").text), expected(document), relative))


@settings(max_examples=60)
@given(documents())
def test_random_graphs(document):
    if is_healthy(document):
        assert not list(differences(run(export(document, "numpy").text), expected(document), 1e-12))


@pytest.mark.parametrize("op", ["cholesky", "eigh"])
def test_of_a_matrix_that_is_not_symmetric_the_program_read_one_triangle(op):
    document = graph("L", x=[[4.0, 1.0], [0.5, 3.0]], y=(op, "x"), L=("sum", "y"))
    assert not list(differences(run(export(document, "numpy").text), expected(document), 1e-12))


@pytest.mark.parametrize("op", ["logsumexp", "sum", "mean", "max", "norm"])
def test_a_reduction_of_a_number_was_printed_with_an_axis_or_refused(op):
    """SciPy's logsumexp keeps an axis even of a number, and torch.sum takes no keepdim without one."""
    document = graph("L", x=0.5, L=(op, "x", {"axis": None, "keepdims": True}))
    assert not list(differences(run(export(document, "numpy").text), expected(document), 1e-12))
    assert "keepdim" not in export(document, "torch").text
