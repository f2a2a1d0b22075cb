"""The quick looks of the doctor, which nearly every run ends with, find what the thorough ones find."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import cadena
from cadena.core.doctor.findings.findings import Findings, extremes
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.vanishing import vanished
from tests.benchmarks import healthy
from tests.core.doctor.findings.test_any_graph import is_bad
from tests.core.graphs import chain, graph, wide

BAD = (float("inf"), float("-inf"), float("nan"))
ANY = (0.0, -0.0, 1.0, -2.5, 1e-300, *BAD)
SIZES = [-1e3, -1.0, -1e-9, 0.0, 1e-320, 1e-200, 1e-9, 0.5, 1.0, 40.0, 1e3, 1e200]
DTYPES = st.sampled_from(["float16", "float32", "float64"])


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


def _drawn(data: st.DataObject) -> np.ndarray:
    """An array of any type, contiguous or a view of another, small or large; with or without a bad number."""
    shape = data.draw(st.sampled_from([(), (0,), (3,), (2, 3), (40, 50)]))
    array = np.full(shape, 3.0, dtype=data.draw(st.sampled_from(["float16", "float32", "float64"])))
    if array.size and data.draw(st.booleans()):
        array.flat[data.draw(st.integers(0, array.size - 1))] = data.draw(st.sampled_from([0.0, 2e4, *BAD]))
    return data.draw(st.sampled_from([array, array.T, np.broadcast_to(array, (2, *shape)), array[()]]))


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
