"""No operation escapes the comparison: each stands in a table, or in NOT_COMPARED with its reason."""

from __future__ import annotations

import pytest

from cadena.core.ops.primitive import REGISTRY

pytest.importorskip("torch")
from tests.core.oracle import (
    test_torch_elementwise,
    test_torch_layers,
    test_torch_linear,
    test_torch_shapes,
)
from tests.core.oracle.differences import DIFFERENCES

pytestmark = pytest.mark.oracle
TABLES = (test_torch_elementwise, test_torch_layers, test_torch_linear, test_torch_shapes)
COMPARED = {given.op for table in TABLES for given in table.CASES}
NOT_COMPARED = {
    "dropout": "its mask comes from numpy's generator, so that a seed means the same everywhere; PyTorch draws another",
}


def test_every_operation_is_compared_or_says_why_not() -> None:
    assert set(REGISTRY) - COMPARED == set(NOT_COMPARED)


def test_every_known_difference_belongs_to_a_comparison_and_says_why() -> None:
    labels = {given.label for given in test_torch_elementwise.CASES}
    assert {row.op for row in DIFFERENCES} <= labels
    assert all(row.why and row.ours for row in DIFFERENCES)
