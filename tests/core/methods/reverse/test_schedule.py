"""The steps of reverse mode as columns, against the instructions one by one."""

from __future__ import annotations

import gc
import weakref
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.graph.document import Document
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.schedule import Schedule
from tests.core.graphs import documents, wide
from tests.thorough import tries


def check_schedule(document: Document) -> int:
    """Check all that a schedule says against going through the instructions; the number of its steps."""
    plan = compile(document).plan
    order, arrivals, steps = Schedule(plan), defaultdict(list), {}
    assert order.forward.tolist() == [item.out for item in plan.instructions]
    at = order.first
    for item in reversed(plan.instructions):
        for slot in item.active:
            arrivals[plan.names[item.operands[slot]]].append((at, plan.names[item.out], slot))
            steps[plan.names[item.out], slot] = at
            at += 1
    assert len(order) == at
    assert {name: list(of_node) for name, of_node in order.arrivals.items()} == arrivals
    assert dict(order.wire_steps) == steps and len(order.wire_steps) == len(steps)
    for name in plan.names:
        assert (name in order.arrivals) == (name in arrivals)
        for slot in range(3):
            assert order.wire_steps.get((name, slot)) == steps.get((name, slot))
    wires = [(plan.index[name], slot) for name in plan.names for slot in range(3)]
    targets, slots = np.array(wires).T
    expected = [steps.get((plan.names[target], slot), -7) for target, slot in wires]
    assert order.steps_of(targets, slots, -7).tolist() == expected
    numbers, first = order.first_arrivals
    assert dict(zip(numbers.tolist(), first.tolist(), strict=True)) == {
        plan.index[name]: of_node[0][0] for name, of_node in arrivals.items()
    }
    return len(order)


@tries(40)
@given(documents())
def test_the_columns_say_what_the_instructions_say(document):
    assert check_schedule(document) == len(timeline_of(compile(document).run(), Method()))


def test_the_columns_of_a_large_graph_say_what_its_instructions_say():
    document = wide(200)
    assert compile(document).plan.columns is not None
    assert check_schedule(document) == len(timeline_of(compile(document).run(), Method()))


def test_an_instruction_of_a_large_graph_is_the_one_in_the_list():
    plan = compile(wide(200)).plan
    looked_up = {out: plan.instruction_of[out] for out in plan.instruction_of}
    assert looked_up == {item.out: item for item in plan.instructions}
    with pytest.raises(KeyError):
        plan.instruction_of[plan.leaves[0]]


def test_the_steps_of_a_plan_held_each_other_and_it_until_python_searched_for_garbage():
    gc.disable()
    try:
        run = compile(wide(100)).run()
        assert run.timeline.accumulated(str(run.program.output), len(run.timeline)) is not None
        assert run.timeline.arrivals and run.timeline.wire_steps
        order = Schedule(run.plan)
        assert order.arrivals.keys() and order.wire_steps.keys()
        left = weakref.ref(order)
        del order
        assert left() is None
    finally:
        gc.enable()
