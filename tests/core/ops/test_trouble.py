"""Faults of values: an index out of range, a singular matrix, nothing to average. Each says so, and what to do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import graph
from tests.core.test_primitives import CASES
from tests.thorough import in_turn

SINGULAR = [[1.0, 2.0], [2.0, 4.0]]
EYE = [[1.0, 0.0], [0.0, 1.0]]
NONE: Any = np.zeros((0, 3))
TABLE = [[1.0, 2.0], [3.0, 4.0]]
SHARES = [[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]]
AVERAGED = [name for name, record in REGISTRY.items() if "reduction" in {item.name for item in record.attributes}]

# operation, operands, attributes, kind of the fault, what it says after "y: "
ROWS: list[tuple[str, list[Any], dict[str, Any], str, str]] = [
    ("embedding", [[0.0, 7.0], TABLE], {}, "nan-value", "embedding has the index 7 at [1], which is out of range; "
     "give one from 0 to 1 (a has shape (2,), b has shape (2, 2))"),
    ("embedding", [-1.0, TABLE], {}, "nan-value", "embedding has the index −1, which is out of range; give one from "
     "0 to 1 (a has shape (), b has shape (2, 2))"),
    ("embedding", [0.5, TABLE], {}, "nan-value", "embedding has the index 0.5, which is not a whole number; give one "
     "from 0 to 1 (a has shape (), b has shape (2, 2))"),
    ("cross_entropy", [SHARES, [0.0, 3.0]], {}, "nan-value", "cross_entropy has the class 3 at [1], which is out of "
     "range; give one from 0 to 2 (a has shape (2, 3), b has shape (2,))"),
    ("nll_loss", [SHARES, [-1.0, 1.0]], {}, "nan-value", "nll_loss has the class −1 at [0], which is out of range; "
     "give one from 0 to 2 (a has shape (2, 3), b has shape (2,))"),
    ("nll_loss", [SHARES, [-100.0, -100.0]], {}, "nan-value", "nll_loss has no example that counts, so there is no "
     "mean; give one whose class is not -100 (a has shape (2, 3), b has shape (2,))"),
    ("take_along_axis", [SHARES, [[3.0], [0.0]]], {}, "nan-value", "take_along_axis has the index 3 at [0, 0], which "
     "is out of range; give one from −3 to 2 (a has shape (2, 3), b has shape (2, 1))"),
    ("put_along_axis", [SHARES, [[3.0], [0.0]], [[1.0], [2.0]]], {}, "nan-value", "put_along_axis has the index 3 at "
     "[0, 0], which is out of range; give one from −3 to 2 (a has shape (2, 3), b has shape (2, 1), c has shape "
     "(2, 1))"),
    ("inv", [SINGULAR], {}, "nan-value", "inv needs a regular matrix, and this one is singular: its rank is 1, not 2; "
     "change the matrix (a has shape (2, 2))"),
    ("inv", [[EYE, SINGULAR]], {}, "nan-value", "inv needs a regular matrix, and matrix [1] of the batch is singular: "
     "its rank is 1, not 2; change the matrix (a has shape (2, 2, 2))"),
    ("solve", [SINGULAR, [1.0, 2.0]], {}, "nan-value", "solve needs a regular matrix, and this one is singular: its "
     "rank is 1, not 2; change the matrix (a has shape (2, 2), b has shape (2,))"),
    ("slogdet", [SINGULAR], {}, "inf-value", "slogdet needs a regular matrix, and this one is singular: its rank is 1, "
     "not 2; change the matrix (a has shape (2, 2))"),
    ("cholesky", [[[1.0, 2.0], [2.0, 1.0]]], {}, "nan-value", "cholesky needs a positive definite matrix, and this one "
     "is not: its smallest eigenvalue is −1; change it so that all are above 0 (a has shape (2, 2))"),
    ("eigh", [EYE], {"part": 1}, "nan-gradient", "eigh has the eigenvalue 1 twice, so its vectors have no derivative; "
     "change the matrix (a has shape (2, 2))"),
    ("eigh", [np.diag([3.0, 3.0, 3.0, 5.0])], {"part": 1}, "nan-gradient", "eigh has the eigenvalue 3 (3 times), so "
     "its vectors have no derivative; change the matrix (a has shape (4, 4))"),
    ("svd", [EYE], {"part": 0}, "nan-gradient", "svd has the singular value 1 twice, so its vectors have no "
     "derivative; change the matrix (a has shape (2, 2))"),
    ("mean", [NONE], {}, "nan-value", "mean averages 0 elements, but needs at least one; give it more (a has shape "
     "(0, 3))"),
    ("var", [[3.0]], {"ddof": 1}, "nan-value", "var averages 1 element, but needs more than ddof 1; give it more (a "
     "has shape (1,))"),
    ("std", [NONE], {}, "nan-value", "std averages 0 elements, but needs at least one; give it more (a has shape "
     "(0, 3))"),
    *((name, [NONE, NONE], {}, "nan-value", f"{name} averages 0 elements, but needs at least one; give it more (a has "
     "shape (0, 3), b has shape (0, 3))") for name in AVERAGED if name not in ("nll_loss", "cross_entropy")),
]  # fmt: skip


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize(("op", "operands", "attributes", "kind", "says"), ROWS, ids=[row[0] for row in ROWS])
def test_what_is_wrong_with_the_values_is_said_once(op, operands, attributes, kind, says, dtype):
    leaves = dict(zip("abc", [np.array(operand) for operand in operands]))
    run = cadena.compile(graph(**leaves, y=(op, *leaves, attributes))).run(dtype=dtype)
    assert [(fault.node, fault.kind, fault.message) for fault in run.faults] == [("y", kind, f"y: {says}")]


def test_every_operation_that_can_be_in_trouble_is_in_the_table():
    assert {row[0] for row in ROWS} >= {name for name, record in REGISTRY.items() if record.trouble}


@in_turn("case", [case for case in CASES if case.values[0].primitive.trouble])
def test_the_examples_are_in_no_trouble(case):
    assert case.primitive.trouble(case.value(*case.operands), *case.operands, **case.attributes) is None
