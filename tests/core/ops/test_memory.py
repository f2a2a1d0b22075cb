"""A graph that would not fit into the memory is refused before any is taken, with its size."""

from __future__ import annotations

import pytest

import cadena
from cadena.core.ops import memory
from tests.core.graphs import graph


def faults(**nodes):
    return [(fault.node, fault.kind, fault.message) for fault in cadena.compile(graph(**nodes)).faults]


def big(*shape: int):
    return ("broadcast_to", "x", {"shape": list(shape)})


def test_a_result_that_no_memory_holds_is_refused_with_its_size():
    assert faults(x=1.0, y=big(10**6, 10**6), z=("sin", "y")) == [
        ("y", "shape", "y: broadcast_to: the result of shape (1000000, 1000000) would take 16000.0 GB with its "
         "gradient; the most is 4.3 GB, make it smaller (x has shape ())")
    ]  # fmt: skip


def test_a_graph_that_does_not_fit_as_a_whole_is_refused_where_the_memory_ends(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 100_000_000)
    assert faults(x=1.0, a=big(2, 10**6), b=("sin", "a"), c=("cos", "a"), d=("exp", "a")) == [
        ("d", "shape", "d: exp: the result of shape (2, 1000000) would take 32 MB with its gradient; with the rest "
         "of the graph that is 128 MB, and 100 MB are free, make some smaller (a has shape (2, 1000000))")
    ]  # fmt: skip


def test_where_the_system_does_not_tell_only_the_largest_arrays_are_refused(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: None)
    assert faults(x=1.0, y=big(2**21)) == []


def test_the_free_memory_is_told_in_bytes():
    assert memory.free() is None or memory.free() > 10**7


@pytest.mark.parametrize(("count", "text"), [(16_777_216, "17 MB"), (2.14e9, "2.1 GB")])
def test_sizes_are_written_for_people(count, text):
    assert memory.size_text(count) == text


@pytest.mark.parametrize("axes", [33, 40, 65])
def test_an_array_of_more_axes_than_numpy_can_pair_was_a_traceback(axes):
    told = f"reshape: the result has {axes} axes; the most is 32, join some of them"
    found = faults(x=1.0, y=("reshape", "x", {"shape": [1] * axes}), z=("add", "y", "x"))
    assert [(node, kind) for node, kind, _ in found] == [("y", "shape")] and told in found[0][2]
