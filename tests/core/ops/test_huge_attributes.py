"""Huge numbers as attributes: refused with a sentence, or harmless. None makes a run slow, or takes all the memory."""

from __future__ import annotations

from time import process_time
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.ops.primitive import REGISTRY, Attribute
from tests.core.graphs import graph

WHOLE = ("integer", "integers", "axis", "axes", "shape", "index")
HUGE = (2**31 - 1, -(2**31) + 1, 2**31, 10**9, -(10**9), 10**30, -(10**30))
MAX_SECONDS = 0.5  # seconds of the processor: a run takes a thousandth of that, one that does the work of 10**9 longer
CASES = [
    pytest.param(record, attribute, id=f"{record.name}-{attribute.name}")
    for record in REGISTRY.values()
    for attribute in record.attributes
    if attribute.kind in WHOLE
]


def settings(attribute: Attribute, huge: int) -> list[Any]:
    """A huge number alone and in lists, beside small ones and 0."""
    if attribute.kind == "integer":
        return [huge]
    made = [huge, [huge], [huge, huge], [1, huge], [huge, 0], [[huge, huge]], [[1, huge], [huge, 0]]]
    return [str(one).strip("[]") for one in made] if attribute.kind == "index" else made


@pytest.mark.some(45)
@pytest.mark.parametrize(("record", "attribute"), CASES)
def test_a_huge_attribute_is_refused_or_costs_nothing(record, attribute):
    example = record.examples[0]
    given = example[-1] if isinstance(example[-1], dict) else {}
    operands = [np.asarray(item, float) for item in example if not isinstance(item, dict)]
    leaves = {f"v{slot}": operand for slot, operand in enumerate(operands)}
    for value in [one for huge in HUGE for one in settings(attribute, huge)]:
        document = graph(**leaves, made=(record.name, *leaves, {**given, attribute.name: value}), L=("sum", "made"))
        started = process_time()
        run = cadena.compile(document).run()
        _ = run.faults, run.gradients
        assert process_time() - started < MAX_SECONDS, value
        if run.value("made") is None:
            assert [fault.node for fault in run.faults] == ["made"] and "; " in run.faults[0].message


@pytest.mark.parametrize("decimals", [2**31 - 1, -(2**31) + 1, 309, -309])
def test_rounding_to_more_decimals_than_a_number_has_is_refused_with_the_range(decimals):
    (fault,) = cadena.compile(graph(x=1.5, y=("round", "x", {"decimals": decimals}))).faults
    assert (fault.kind, fault.message) == (
        "attribute",
        f"y: round needs a whole number from -308 to 308 as its attribute 'decimals', not {decimals}; set it so "
        "(x has shape ())",
    )


@pytest.mark.parametrize("decimals", [308, -308])
def test_rounding_at_the_ends_of_the_range_runs(decimals):
    assert cadena.compile(graph(x=0.0, y=("round", "x", {"decimals": decimals}))).run().value("y") == 0.0


def test_no_copies_at_all_are_made_of_a_billion_first():
    run = cadena.compile(graph(x=[[1.0, 2.0]], y=("tile", "x", {"reps": [10**9, 0]}), L=("sum", "y"))).run()
    assert run.value("y").shape == (10**9, 0)
    np.testing.assert_array_equal(run.gradient("x"), [[0.0, 0.0]])
