"""The quick looks of the doctor, which nearly every run ends with, find what the thorough ones find."""

from dataclasses import replace
from itertools import product

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

import cadena
from cadena.core.doctor.findings.findings import Findings, arrays_finite, extremes, joined
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.structure import Structure, spreads_gradient, spreads_value
from cadena.core.doctor.findings.vanishing import vanished
from cadena.core.ops.primitive import REGISTRY, Primitive
from tests.benchmarks import healthy
from tests.core.doctor.findings.test_any_graph import is_bad
from tests.core.graphs import chain, graph, wide
from tests.thorough import in_turn

BAD = (float("inf"), float("-inf"), float("nan"))
ANY = (0.0, -0.0, 1.0, -2.5, 1e-300, *BAD)
SIZES = [-1e3, -1.0, -1e-9, 0.0, 1e-320, 1e-200, 1e-9, 0.5, 1.0, 40.0, 1e3, 1e200]
DTYPES = st.sampled_from(["float16", "float32", "float64"])


# --- what tells that all numbers are finite

SPREAD = [(name, slot) for name, primitive in REGISTRY.items() for slot in range(len(primitive.slots))
          if spreads_value(primitive, slot)]  # fmt: skip


@in_turn("name, slot", [pair for pair in SPREAD if REGISTRY[pair[0]].elementwise])
def test_a_bad_operand_makes_the_result_bad_whatever_the_others_are(name, slot):
    primitive = REGISTRY[name]
    for operands in product(*[BAD if place == slot else ANY for place in range(len(primitive.slots))]):
        with np.errstate(all="ignore"):
            assert not np.isfinite(primitive.value(*map(np.float64, operands)))


@pytest.mark.parametrize("name", [name for name, slot in SPREAD if slot == 0 and not REGISTRY[name].elementwise])
@given(data=st.data())
def test_sums_and_moves_pass_bad_numbers_on_both_ways(name, data):
    primitive = REGISTRY[name]
    *operands, attributes = (*primitive.examples[0], {})[: len(primitive.slots) + 1]
    if isinstance(primitive.examples[0][-1], dict):
        attributes = primitive.examples[0][-1]
    arrays = [_spoilt(data, np.array(operand, dtype=float)) for operand in operands]
    full = primitive.complete(attributes)
    with np.errstate(all="ignore"):
        y = np.asarray(primitive.value(*arrays, **full))
        assert np.isfinite(y).all() == all(np.isfinite(array).all() for array in arrays)
        upstream = _spoilt(data, np.ones(y.shape))
        for slot in range(len(arrays)):
            part = primitive.vjp(slot, upstream, y, arrays, full)
            assert not np.isfinite(part).all() or np.isfinite(upstream).all()


def _spoilt(data: st.DataObject, array: np.ndarray) -> np.ndarray:
    """`array` with zeros in some places and a bad number in one, or in none."""
    zeros = data.draw(st.lists(st.integers(0, array.size - 1), max_size=array.size))
    array.flat[zeros] = 0.0
    if data.draw(st.booleans()):
        array.flat[data.draw(st.integers(0, array.size - 1))] = data.draw(st.sampled_from(BAD))
    return array


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@in_turn("name, seed", product([name for name, item in REGISTRY.items() if item.elementwise], BAD))
def test_a_bad_upstream_gradient_makes_every_contribution_bad(name, seed, dtype):
    primitive, example = REGISTRY[name], next(e for e in REGISTRY[name].examples if _has_numbers(REGISTRY[name], e))
    nodes = {f"x{slot}": example[slot] for slot in range(len(primitive.slots))}
    document = graph(**nodes, y=(name, *nodes))
    if isinstance(example[-1], dict):
        nodes_ = {**document.nodes, "y": with_fields(document.nodes["y"], attributes=example[-1])}
        document = replace(document, nodes=nodes_)
    run = cadena.compile(document).run(dtype=dtype, seed=seed)
    for slot in range(len(primitive.slots)):
        if spreads_gradient(primitive, slot):
            assert not np.isfinite(run.gradient(f"x{slot}"))


def _has_numbers(primitive: Primitive, example: tuple) -> bool:
    return all(isinstance(operand, float) for operand in example[: len(primitive.slots)])


def test_a_function_with_the_name_of_an_operation_is_not_taken_for_it():
    own = msgspec.structs.replace(REGISTRY["relu"], name="add", elementwise=False)
    assert not spreads_value(own, 0) and not spreads_gradient(own, 0)
    assert spreads_value(REGISTRY["add"], 0) and spreads_gradient(REGISTRY["add"], 0)


def test_in_a_chain_of_sines_one_value_and_one_gradient_tell_for_all():
    run = cadena.compile(chain(100)).run()
    assert [[run.plan.names[number] for number in numbers] for numbers in run.plan.once(Structure).witnesses] == [
        ["n99"],
        ["x"],
    ]


@pytest.mark.parametrize("made", [lambda: wide(300, leaves=20), lambda: chain(100, "tanh")], ids=["wide", "chain"])
@given(data=st.data(), dtype=DTYPES)
def test_one_bad_leaf_among_many_numbers_is_never_overlooked(made, data, dtype):
    document = made()
    leaf = data.draw(st.sampled_from([name for name, node in document.nodes.items() if node.is_leaf]))
    run = cadena.compile(document).run({leaf: data.draw(st.sampled_from([*BAD, 1.0, 1e30]))}, dtype=dtype)
    assert is_bad(run) or Findings(run).all_finite
    assert not (is_bad(run) and Findings(run).all_finite)


@given(data=st.data(), dtype=DTYPES)
def test_empty_arrays_hide_no_bad_number(data, dtype):
    x, empty = np.full(2, data.draw(st.sampled_from([*BAD, 1.0]))), np.zeros((0, 2))
    document = graph(x=x, e=("input", empty), s=("add", "x", "e"), y=("sum", "s"))
    run = cadena.compile(document).run(dtype=dtype)
    assert is_bad(run) != Findings(run).all_finite


# --- many arrays at once


@given(data=st.data())
def test_arrays_together_are_finite_when_each_is(data):
    arrays = [_drawn(data) for _ in range(data.draw(st.integers(0, 6)))]
    assert arrays_finite(arrays) == all(np.isfinite(array).all() for array in arrays)


def _drawn(data: st.DataObject) -> np.ndarray:
    """An array of any type, contiguous or a view of another, small or large; with or without a bad number."""
    shape = data.draw(st.sampled_from([(), (0,), (3,), (2, 3), (40, 50)]))
    array = np.full(shape, 3.0, dtype=data.draw(st.sampled_from(["float16", "float32", "float64"])))
    if array.size and data.draw(st.booleans()):
        array.flat[data.draw(st.integers(0, array.size - 1))] = data.draw(st.sampled_from([0.0, 2e4, *BAD]))
    return data.draw(st.sampled_from([array, array.T, np.broadcast_to(array, (2, *shape)), array[()]]))


def test_numbers_and_views_are_joined_in_order():
    grid = np.arange(6.0).reshape(2, 3)
    assert joined([np.float64(7.0), grid.T, grid[::-1]]).tolist() == [7, 0, 3, 1, 4, 2, 5, 3, 4, 5, 0, 1, 2]


@given(data=st.data())
def test_extremes_of_arrays_together_are_those_of_each(data):
    arrays = [np.asarray(_drawn(data)) for _ in range(data.draw(st.integers(0, 6)))]
    smallest = [np.fmin.reduce(np.abs(array), axis=None, initial=np.inf) for array in arrays]
    largest = [np.max(np.abs(array), initial=0.0) for array in arrays]
    np.testing.assert_array_equal(extremes(arrays), np.reshape([smallest, largest], (2, len(arrays))))


# --- hints


def test_networks_of_numbers_with_large_weights_have_hints():
    document = healthy.network(count=400, width=6)
    values = {name: float(node.value) * 40.0 for name, node in document.nodes.items() if node.is_leaf}
    assert hints(cadena.compile(document).run(values, dtype="float32"))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("made", [healthy.products, healthy.largest_of, healthy.arrays, healthy.calls])
def test_the_graphs_that_are_timed_as_healthy_ones_are(made, dtype):
    run = cadena.compile(made(count=400)).run(dtype=dtype)
    assert run.faults == () and hints(run) == ()


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("zeros", [True, False])
def test_inputs_of_0_are_no_hint_in_a_network(zeros, dtype):
    run = cadena.compile(healthy.network(count=600, width=6, zeros=zeros)).run(dtype=dtype)
    assert run.faults == () and hints(run) == ()


@pytest.mark.parametrize("count", [3, 12, 40])
def test_what_vanished_above_sums_of_many_leaves_is_found(count):
    sums = {f"s{n}": ("add", f"s{n - 1}" if n > 1 else "x0", f"x{n}") for n in range(1, count)}
    leaves = {f"x{n}": 40.0 / count for n in range(count)}
    run = cadena.compile(graph("y", **leaves, **sums, y=("tanh", f"s{count - 1}"))).run()
    assert [hint.node for hint in vanished(run)] == ["y"]
