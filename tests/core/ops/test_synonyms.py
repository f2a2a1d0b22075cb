"""The other names of operations: each means one operation, and what numpy calls so is the same function."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

from cadena.core.ops.primitive import REGISTRY, SYNONYMS, known_as, register
from tests.core.test_primitives import case


@pytest.mark.parametrize(
    ("name", "op"),
    [
        ("sin", "sin"),
        ("average", "mean"),
        ("ln", "log"),
        ("@", "matmul"),
        ("*", "multiply"),
        ("**", "power"),
        ("x2", "square"),
        ("ReLU", "relu"),
        ("asin", "arcsin"),
        ("swish", "silu"),
        ("mse", "mse_loss"),
        ("CE", "cross_entropy"),
        ("bce", "binary_cross_entropy"),
        ("nothing", None),
        ("", None),
    ],
)
def test_an_operation_is_known_by_its_name_and_by_its_synonyms(name, op):
    found = known_as(name)
    assert (found.name if found else None) == op


def test_no_synonym_is_the_name_of_an_operation():
    assert not SYNONYMS.keys() & {name.casefold() for name in REGISTRY}


def test_a_synonym_that_is_taken_is_refused():
    with pytest.raises(ValueError, match="two records for the operation Average"):
        register(replace(REGISTRY["sin"], name="new", synonyms=("Average",)))
    assert "new" not in REGISTRY


NUMPYS = [name for name in SYNONYMS if callable(getattr(np, name, None))]


@pytest.mark.parametrize("name", NUMPYS)
def test_what_numpy_calls_by_a_synonym_is_the_same_function(name):
    first = case(SYNONYMS[name], SYNONYMS[name].examples[0])
    operands = [first.operands] if first.primitive.variadic else first.operands
    np.testing.assert_array_equal(getattr(np, name)(*operands), first.value(*first.operands))
