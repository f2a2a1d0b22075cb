"""Several tangents in one pass are those of as many passes, bit by bit: for every record, lesson and random graph."""

from __future__ import annotations

from operator import itemgetter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import all_elements
from cadena.core.methods.forward.answer import forward, unit
from cadena.core.ops.primitive import REGISTRY
from cadena.core.run.passes.tangent import tangents
from cadena.core.run.passes.vectors import Tangents, tangent_vectors
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import documents, graph, mlp, wide
from tests.thorough import in_turn, some

EXAMPLES = [(name, number) for name, record in REGISTRY.items() for number in range(len(record.examples))]


def example(name: str, number: int) -> Document:
    """One operation on its own example, every operand a parameter."""
    given = REGISTRY[name].examples[number]
    attributes = given[-1] if isinstance(given[-1], dict) else {}
    operands = [item for item in given if not isinstance(item, dict)]
    nodes = {f"x{i}": Node(f"x{i}", "parameter", value=as_value(item)) for i, item in enumerate(operands)}
    return Document({**nodes, "y": Node("y", name, tuple(nodes), attributes=attributes)}, output="y")


def directions(run, most: int = 20):
    """Units of the first elements of every leaf, and a random direction of all leaves at once."""
    shapes = {run.plan.names[leaf]: run.plan.shapes[leaf] for leaf in run.plan.leaves}
    found = [
        {name: unit(shape, index, run.dtype)}
        for name, shape in shapes.items()
        for index in range(np.prod(shape, dtype=int))
    ]
    random = np.random.default_rng(0)
    return [*found[:most], {name: random.standard_normal(shape) for name, shape in shapes.items()}]


def equal(one, other) -> bool:
    """Whether two arrays are the same numbers in the same type; every nan is like any other."""
    one, other = np.asarray(one), np.asarray(other)
    alike = one.shape == other.shape and one.dtype == other.dtype
    return alike and np.array_equal(one, other, equal_nan=True) and np.array_equal(np.signbit(one), np.signbit(other))


def assert_carried_as_one_by_one(run) -> None:
    """All tangents of all nodes along all directions, carried at once and one by one."""
    asked = directions(run)
    carried = tangent_vectors(run, asked)
    for row, direction in enumerate(asked):
        for single, vector in zip(tangents(run, direction), carried, strict=True):
            found = None if vector is None else vector.along(row)
            assert (found is None) == (single is None)
            assert single is None or equal(np.nan_to_num(found), np.nan_to_num(single))


DTYPES = ("float64", "float32", "float16")


@in_turn("name, number, dtype", some(((*one, dtype) for one in EXAMPLES for dtype in DTYPES), kind=itemgetter(0, 2)))
def test_every_operation_carries_a_vector_of_tangents_as_it_carries_each(name, number, dtype):
    run = compile(example(name, number)).run(dtype=dtype)
    if run.plan.shapes[run.plan.index["y"]] is None:
        pytest.skip("the example needs another number type")
    assert_carried_as_one_by_one(run)


@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
def test_every_lesson_carries_vectors_of_tangents(lesson):
    assert_carried_as_one_by_one(compile(open_lesson(lesson)).run())


@given(documents(), st.sampled_from(["float64", "float32"]))
def test_random_graphs_carry_vectors_of_tangents(document, dtype):
    """Also where numbers go bad: what does not move a node meets no infinite local derivative there."""
    assert_carried_as_one_by_one(compile(document).run(dtype=dtype))


def test_forward_mode_has_the_numbers_of_single_passes_whatever_a_pass_carries():
    document = graph(x=1.0, zero=0.0, root=("sqrt", "zero"), y=("add", "x", "root"))
    for one in (document, wide(200, leaves=8), mlp((5, 4, 3), batch=2)):
        run = compile(one).run()
        answers = [forward(run, width=width) for width in (1, 3, None)]
        assert answers[0].passes == sum(map(len, all_elements(run).values()))
        for name, gradient in answers[0].gradients.items():
            assert all(np.array_equal(gradient, other.gradients[name], equal_nan=True) for other in answers)
            for index in range(min(gradient.size, 20)):
                along = {name: unit(gradient.shape, index, "float64")}
                alone = tangents(run, along)[run.plan.output]
                assert equal(gradient.flat[index], np.sum(0.0 if alone is None else alone))


def test_the_tangents_of_a_node_are_known_by_direction_and_filled_up_with_zeros():
    moved = Tangents(np.array([1, 3]), np.array([5.0, 7.0]))
    assert [moved.along(row) for row in range(5)] == [None, 5.0, None, 7.0, None]
    assert moved.full(5).tolist() == [0, 5, 0, 7, 0]


def test_directions_that_do_not_fit_are_refused_as_single_ones_are():
    run = compile(graph(x=[1.0, 2.0], y=("sin", "x"))).run()
    with pytest.raises(Refused, match="the direction of x has shape"):
        tangent_vectors(run, [{"x": [1.0, 0.0]}, {"x": [1.0, 2.0, 3.0]}])
    with pytest.raises(Refused, match="y is not a leaf with a value"):
        tangent_vectors(run, [{"y": 1.0}])


def test_without_directions_nothing_moves():
    run = compile(graph(x=1.0, y=("sin", "x"))).run()
    assert tangent_vectors(run, []) == [None, None]
