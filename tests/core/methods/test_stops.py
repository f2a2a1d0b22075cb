"""Longer strides through the steps: to the next node, operation or layer, on lesson 2 and on random graphs."""

from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.methods.stops import Stride, next_stop
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import documents
from tests.thorough import tries


def stops(timeline, stride):
    done, listed = 0, []
    while done < len(timeline):
        done = next_stop(timeline, done, stride)
        listed.append(done)
    return listed


@pytest.fixture(scope="module")
def two_paths():
    return compile(open_lesson("two_paths")).run().timeline


def test_the_next_operation_ends_with_all_its_contributions(two_paths):
    assert stops(two_paths, "operation") == [*range(1, 11), 12, 14, 16, 18, 20, 21, 23]


def test_the_next_node_ends_with_its_value_or_its_whole_gradient(two_paths):
    ends = stops(two_paths, "node")
    partial = two_paths.arrivals["a1"][0][0]  # the first of two contributions does not complete a1
    assert ends == [step for step in range(1, 24) if step != partial + 1]


def test_the_next_layer_ends_when_all_nodes_of_its_depth_are_through(two_paths):
    begins = [0, *(ends := stops(two_paths, "layer"))]
    layers = [{two_paths[step].node for step in range(*pair)} for pair in zip(begins, ends, strict=False)]
    assert layers[:3] == [{"m1", "m2", "b1", "b2"}, {"m3", "m4"}, {"c"}]
    assert layers[-3:] == [{"c"}, {"m4", "m3", "b2", "b1"}, {"m2", "m1"}]


@tries(40)
@given(documents())
def test_every_stride_comes_to_the_end_by_whole_steps(document):
    timeline = compile(document).run().timeline
    for stride in get_args(Stride):
        ends = stops(timeline, stride)
        assert ends == sorted(set(ends)) and (not ends or ends[-1] == len(timeline))
