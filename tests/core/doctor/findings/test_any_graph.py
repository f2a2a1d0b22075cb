"""The doctor on random graphs with numbers at the edges: it never fails, and no bad number goes unexplained."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.findings.layers import by_layer
from cadena.core.doctor.findings.origins import number_faults
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.graph.document import Document, Value, as_array, as_value
from tests.core.graphs import documents
from tests.thorough import tries

EDGES = (0.0, -0.0, 1.0, -1.0, 3.0, -200.0, 100.0, 1e-30, 1e30, 1e200, 800.0, float("inf"), float("nan"))
BAD = ("inf-value", "nan-value", "inf-gradient", "nan-gradient")
COMMON = tuple(
    "add subtract multiply divide power exp log log1p sqrt cbrt square reciprocal sigmoid tanh relu where softmax "
    "log_softmax logsumexp sum mean matmul hypot norm negative cos softplus maximum".split()
)


@st.composite
def at_the_edges(draw: st.DrawFn, **options: Any) -> Document:
    """A random document whose leaves hold numbers at which operations overflow, underflow or have no value."""
    document = draw(documents(**options))
    nodes = {
        name: with_fields(node, value=_edges(draw, node.value)) if node.value is not None else node
        for name, node in document.nodes.items()
    }
    return replace(document, nodes=nodes)


def _edges(draw: st.DrawFn, value: Value) -> Value:
    array = as_array(value)
    numbers = draw(st.lists(st.sampled_from(EDGES), min_size=array.size, max_size=array.size))
    return as_value(np.reshape(numbers, array.shape))


def is_bad(run: cadena.Run) -> bool:
    """Whether any number is inf or nan."""
    numbers = [run.value(name) for name in run.plan.names] + [run.gradient(name) for name in run.plan.names]
    return not all(np.isfinite(number).all() for number in numbers if number is not None)


def is_bad_where_it_matters(run: cadena.Run) -> bool:
    """Whether the output or the gradient of a leaf is inf or nan."""
    plan = run.plan
    leaves = [run.gradients[leaf] for leaf in plan.leaves if plan.reached[leaf]]
    return not all(np.isfinite(number).all() for number in (run.value(str(run.program.output)), *leaves))


@pytest.mark.parametrize("ops", [COMMON, None], ids=["common", "all"])
@given(data=st.data(), dtype=st.sampled_from(["float16", "float32", "float64"]))
def test_a_bad_number_is_always_explained_and_a_good_run_never_accused(ops, data, dtype):
    run = cadena.compile(data.draw(at_the_edges(ops=ops))).run(dtype=dtype)
    faults = [*number_faults(run)]
    assert not faults or is_bad(run)
    if is_bad_where_it_matters(run):
        assert any(fault.severity == "fault" for fault in faults)
    for fault in faults:
        assert fault.kind in BAD and fault.rule and "; " in fault.message
        number = run.value(fault.node)
        if fault.kind.endswith("value"):
            assert number is not None and not np.isfinite(number).all()


@pytest.mark.parametrize("ops", [COMMON, None], ids=["common", "all"])
@given(data=st.data(), dtype=st.sampled_from(["float16", "float32", "float64"]))
def test_hints_never_fail(ops, data, dtype):
    run = cadena.compile(data.draw(at_the_edges(ops=ops))).run(dtype=dtype)
    assert all(hint.severity == "hint" and "; " in hint.message for hint in hints(run, digits=True))
    assert all(layer.nodes for layer in by_layer(run))


@given(document=at_the_edges(ops=COMMON, max_operations=6), dtype=st.sampled_from(["float32", "float64"]))
@tries(40)
def test_fixes_never_fail_and_leave_the_fault_behind(document, dtype):
    run = cadena.compile(document).run(dtype=dtype)
    for fault in [*number_faults(run)][:3]:
        for fix in fixes(document, run, fault):
            after = cadena.compile(fix.apply(document)).run(dtype=dtype)
            assert (fault.node, fault.kind) not in [(other.node, other.kind) for other in after.faults]
            assert fix.apply(document).output == document.output
