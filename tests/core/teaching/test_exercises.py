"""New numbers for any lesson: small, whole where that works, and never a fault."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.graph.document import as_array
from cadena.core.graph.fault import Refused
from cadena.core.teaching.exercises import LARGEST, with_new_numbers
from cadena.core.teaching.lessons import open_lesson


@pytest.mark.parametrize("lesson", ["first_chain_rule", "two_paths", "custom_layer", "dual_numbers"])
def test_an_exercise_has_other_numbers_and_computable_results(lesson):
    document = open_lesson(lesson)
    exercises = [with_new_numbers(document, seed) for seed in range(4)]
    assert len({str(exercise.nodes) for exercise in exercises}) > 1
    for exercise in exercises:
        run = compile(exercise).run()
        assert exercise.nodes.keys() == document.nodes.keys() and not run.faults
        assert all(np.abs(run.value(name)).max(initial=0.0) <= LARGEST for name in exercise.nodes)


def test_numbers_are_whole_where_that_works_and_the_seed_brings_them_back():
    document = with_new_numbers(open_lesson("two_paths"), 7)
    assert document == with_new_numbers(open_lesson("two_paths"), 7)
    values = [as_array(node.value) for node in document.nodes.values() if node.op == "parameter"]
    assert all((value == np.round(value)).all() and (value != 0).all() for value in values)


def test_a_logarithm_gets_positive_numbers():
    assert with_new_numbers(parse("y = log(x) + sqrt(z)"), 3).nodes["x"].value > 0


def test_a_graph_without_small_results_is_refused():
    with pytest.raises(Refused, match="no small numbers"):
        with_new_numbers(parse("y = 1e9 * x"), 1)
