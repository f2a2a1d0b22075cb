"""The recursion without an order is wrong exactly where a node with operands of its own is used more than once."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from msgspec.structs import replace as with_fields

from cadena.core.front import compile
from cadena.core.graph.document import Document, as_value
from cadena.core.graph.fault import Refused
from cadena.core.run.passes.naive import naive, visits_needed
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import chain, documents, graph

TWICE = graph(a=1.0, b=("add", "a", "a"), c=("add", "b", "b"))


def doubling(count: int) -> Document:
    """a0 = 1; each further node is the sum of the one before with itself: 2^count ways to a0."""
    return graph(a0=1.0, **{f"a{i + 1}": ("add", f"a{i}", f"a{i}") for i in range(count)})


def test_lesson_3_is_4_in_order_and_6_without():
    run = compile(TWICE).run()
    wrong = naive(run)
    assert float(run.gradient("a")) == 4 and float(wrong.gradients["a"]) == 6
    seen = [(v.node, v.slot, float(v.pushed), v.operand, float(v.contribution), float(v.accumulated)) for v in wrong[1]]
    assert seen == [
        ("c", 0, 1, "b", 1, 1),
        ("b", 0, 1, "a", 1, 1),
        ("b", 1, 1, "a", 1, 2),
        ("c", 1, 1, "b", 1, 2),
        ("b", 0, 2, "a", 2, 4),
        ("b", 1, 2, "a", 2, 6),
    ]


def test_leaves_used_twice_are_no_matter():
    run = compile(open_lesson("2")).run()
    wrong = naive(run)
    assert {name: float(gradient) for name, gradient in wrong.gradients.items()} == {
        name: float(run.gradient(name)) for name in wrong.gradients
    }
    assert len(wrong.visits) == len(run.timeline) - run.timeline.forward_length - 1


@given(documents(max_operations=6))
def test_it_is_right_where_each_operation_is_used_once(document):
    with np.errstate(all="ignore"):
        run = compile(document).run()
        if run.value(document.output) is None:
            return
        try:
            wrong = naive(run, limit=500)
        except Refused:
            assert visits_needed(run.plan) > 500
            return
        assert len(wrong.visits) == visits_needed(run.plan)
        for name, gradient in wrong.gradients.items():
            assert gradient.shape == run.value(name).shape
        uses: dict[str, int] = {}
        for instruction in run.plan.instructions:
            for slot in instruction.active:
                name = run.plan.names[instruction.operands[slot]]
                uses[name] = uses.get(name, 0) + (not document.nodes[name].is_leaf)
        if all(count <= 1 for count in uses.values()):
            for name, gradient in wrong.gradients.items():
                np.testing.assert_allclose(gradient, run.gradient(name), rtol=1e-12)


def test_a_number_of_visits_that_doubles_from_node_to_node_is_refused_before_the_first():
    run = compile(doubling(100)).run()
    assert visits_needed(run.plan) == 2**101 - 2
    with pytest.raises(Refused, match=f"takes {2**101 - 2} visits, more than the 10000"):
        naive(run)
    with pytest.raises(Refused, match="takes more than 10\\^300 visits"):
        naive(compile(doubling(5000)).run())


def test_a_long_chain_takes_no_recursion():
    run = compile(chain(5000)).run()
    np.testing.assert_allclose(naive(run).gradients["x"], run.gradient("x"), rtol=1e-12)


def test_without_an_output_there_is_nothing_to_go_back_from():
    with pytest.raises(Refused, match="there is no output"):
        naive(compile(Document({})).run())


def test_an_output_with_an_open_slot_was_said_to_be_none():
    run = compile(graph(x=2.0, y=("add", "x", None))).run()
    with pytest.raises(Refused, match="y does not run, so there is nothing to go back from; fix its faults first"):
        naive(run)


def test_an_output_that_is_a_leaf_has_the_seed_as_gradient():
    assert naive(compile(graph(x=2.0)).run()) == ({"x": np.asarray(1.0)}, ())


def test_visits_of_large_arrays_that_no_memory_would_hold_are_refused():
    """Four thousand visits of 90,000 numbers each took three gigabytes and half a minute."""
    document = doubling(11)
    value = {"a0": with_fields(document.nodes["a0"], value=as_value(np.ones((300, 300))))}
    run = compile(replace(document, nodes={**document.nodes, **value})).run()
    assert visits_needed(run.plan) == 4094
    with pytest.raises(Refused, match=f"has contributions of {4094 * 90_000} numbers in all, more than the 10000000"):
        naive(run)
