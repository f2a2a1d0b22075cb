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
from tests.core.graphs import graph

GOLDEN = [-3.0, 5.0, -3.0]


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


def test_equal_seeds_give_equal_numbers_everywhere():
    """As numpy's PCG64 gives them on every machine, in every version: pinned, as answers are judged by them later."""
    document = parse("L = w*x + b")
    numbers = [with_new_numbers(document, 2026).nodes[name].value for name in ("w", "x", "b")]
    raw = np.random.PCG64(2026).random_raw(3) % np.uint64(8)
    assert numbers == [(-5.0, -4.0, -3.0, -2.0, 2.0, 3.0, 4.0, 5.0)[place] for place in raw.tolist()] == GOLDEN


def test_no_factor_of_0_or_1_hides_a_forgotten_one():
    drawn = [with_new_numbers(parse("L = w*x"), seed).nodes["w"].value for seed in range(40)]
    assert not {0.0, 1.0, -1.0} & set(drawn) and len(set(drawn)) == 8


@pytest.mark.parametrize(
    ("line", "sign"), [("L = maximum(a, b)", 1.0), ("L = a + relu(a - b)", 1.0), ("L = a * abs(a + b)", -1.0)]
)
def test_no_numbers_lie_at_a_tie_or_an_edge(line, sign):
    for seed in range(40):
        nodes = with_new_numbers(parse(line), seed).nodes
        assert nodes["a"].value != sign * nodes["b"].value


def test_constants_and_what_only_chooses_stay():
    document = graph("L", x=[1.0, 2.0, 3.0], k=("constant", 7.0), t=("input", 2.0), c=("cross_entropy", "x", "t"),
                     L=("multiply", "c", "k"))  # fmt: skip
    exercise = with_new_numbers(document, 5)
    assert exercise.nodes["t"].value == 2.0 and exercise.nodes["k"].value == 7.0
    assert exercise.nodes["x"].value != document.nodes["x"].value


def test_the_runs_that_do_not_suit_are_passed_over():
    numbers = with_new_numbers(parse("L = w*x"), 1, suits=lambda run: run.value("L") > 19)
    assert numbers.nodes["w"].value * numbers.nodes["x"].value > 19
    with pytest.raises(Refused, match="no small numbers"):
        with_new_numbers(parse("L = w*x"), 1, suits=lambda run: False)
