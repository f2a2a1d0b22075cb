"""What each step lights up: the wires that carry, the card that gives, the card that receives."""

from __future__ import annotations

import pytest

from cadena.core.front import compile
from cadena.core.graph.fault import Fault
from cadena.core.methods.choosing import timeline_of
from cadena.core.methods.names import Method
from cadena.core.methods.reverse.activity import activity, faults_by_now, moment
from cadena.core.teaching.lessons import open_lesson
from tests.gui.canvas.pictures import graph, operation, parameter


@pytest.fixture(scope="module")
def timeline():
    return compile(open_lesson("first_chain_rule")).run().timeline


def step_of(timeline, phase: str, node: str) -> int:
    steps = (timeline[index] for index in range(len(timeline)))
    return next(step.index for step in steps if (step.phase, step.node) == (phase, node))


def test_nothing_is_lit_before_the_first_step_and_in_build_mode(timeline):
    for lit in (activity(timeline.frame(0.0), False), activity(timeline.frame(12.4), True)):
        assert not (lit.grounds or lit.edges or lit.wires or lit.label)


def test_forward_the_operands_travel_one_after_the_other_then_the_node_lights_up(timeline):
    at = step_of(timeline, "forward", "m1")
    first, second = activity(timeline.frame(at + 0.1), False), activity(timeline.frame(at + 0.6), False)
    operands = {"w0": "value", "a1": "value"}
    assert first.wires == {("m1", 0): "value"} and second.wires == {("m1", 0): "value", ("m1", 1): "value"}
    assert first.edges == second.edges == operands and not second.grounds
    assert first.used == second.used == {name: {"value"} for name in operands}
    assert activity(timeline.frame(at + 1.0), False).grounds == {"m1": "value"}


def test_the_seed_marks_the_output(timeline):
    at = timeline.forward_length
    assert activity(timeline.frame(at + 0.3), False).edges == {"L": "gradient"}
    assert activity(timeline.frame(at + 0.9), False).grounds == {"L": "gradient"}


def test_backward_the_consumer_gives_and_the_operand_receives(timeline):
    at = timeline.wire_steps[("m3", 1)]
    begun, flying, landed = [activity(timeline.frame(at + part), False) for part in (0.2, 0.5, 1.0)]
    assert begun.label is None and begun.edges == {"m3": "gradient"} and not begun.grounds
    assert flying.label == ("m3", 1) and not flying.grounds and flying.edges == begun.edges
    for lit in (begun, flying, landed):  # the upstream gradient, and what the local derivative comes from
        assert lit.used == {"m3": {"gradient"}, "w3": {"value"}}
    assert landed.grounds == {"b1": "gradient"} and landed.edges == {"m3": "gradient", "b1": "gradient"}


def test_the_moment_changes_only_when_something_starts_meets_or_lands(timeline):
    at = timeline.wire_steps[("m3", 1)]
    keys = [moment(timeline.frame(at + part), False) for part in (0.1, 0.4, 0.55, 0.75, 0.85, 0.99)]
    assert [keys[0], keys[2], keys[4]] == keys[1::2] and len(set(keys)) == 3
    assert moment(timeline.frame(at + 1.0), False) != moment(timeline.frame(at + 1.1), False)


def test_faults_of_numbers_wait_for_their_step_and_all_others_do_not():
    nodes = (parameter("x", 0.0), operation("y", "log", "x"), operation("z", "add", "y", None))
    run = compile(graph(*nodes, output="y")).run()
    begin, end = run.timeline.frame(0.0), run.timeline.frame(len(run.timeline))
    assert {fault.kind for fault in faults_by_now(begin, run.faults)} == {"open-slot"}
    assert faults_by_now(end, run.faults) == list(run.faults)
    assert {"inf-value", "open-slot"} <= {fault.kind for fault in run.faults}


def test_a_bad_gradient_is_told_when_its_contribution_has_landed():
    run = compile(graph(parameter("x", 0.0), operation("y", "sqrt", "x"), output="y")).run()
    fault = next(fault for fault in run.faults if fault.kind == "inf-gradient")
    assert isinstance(fault, Fault)
    assert not faults_by_now(run.timeline.frame(2.5), (fault,))
    assert faults_by_now(run.timeline.frame(3.0), (fault,)) == [fault]


@pytest.mark.parametrize(("name", "role"), [("forward", "tangent"), ("difference", "value"), ("symbolic", "value")])
def test_the_steps_of_other_methods_light_up_in_the_colour_of_what_they_bring(timeline, name, role):
    frame = timeline_of(timeline.run, Method(name)).frame(0.9)
    lit = activity(frame, False)
    assert lit.grounds == {"m1": role} and set(lit.wires.values()) == {role}


@pytest.mark.parametrize("name", ["difference", "symbolic"])
def test_the_last_step_of_a_method_goes_from_the_output_to_a_leaf(timeline, name):
    steps = timeline_of(timeline.run, Method(name))
    lit = activity(steps.frame(len(steps)), False)
    assert lit.edges["L"] == "gradient" and list(lit.grounds) == [steps[-1].node]
