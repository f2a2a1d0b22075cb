"""One edit of several nodes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from cadena.core.graph import several
from cadena.core.graph.document import Document, Node, Tensor, as_value
from cadena.core.graph.fault import Refused

MIXTURE = Document(
    {
        "w": Node("w", "parameter", value=2.0),
        "X": Node("X", "input", value=as_value(np.array([[1.0, 2.0]], dtype=np.float32)), gradient=True),
        "k": Node("k", "constant", value=2.0),
        "s": Node("s", "sum", ("X",), attributes={"axis": 0}),
        "t": Node("t", "mean", ("X",)),
        "p": Node("p", "power", ("s", "k")),
    }
)


def test_leaves_get_one_kind_and_keep_their_values():
    after = several.set_kind(MIXTURE, ["w", "X", "k"], "constant")
    assert {after.nodes[name].op for name in ("w", "X", "k")} == {"constant"}
    assert after.nodes["X"].value == MIXTURE.nodes["X"].value
    assert after.nodes["k"] is MIXTURE.nodes["k"]


def test_a_fill_keeps_shapes_and_number_types():
    after = several.fill(MIXTURE, ["w", "X"], 0.5)
    assert after.nodes["w"].value == 0.5
    filled = after.nodes["X"].value
    assert isinstance(filled, Tensor) and filled.dtype == "float32" and filled.array.tolist() == [[0.5, 0.5]]
    assert several.shared_number([after.nodes["w"], after.nodes["X"]]) == 0.5


def test_numbers_that_differ_are_not_shared():
    assert several.shared_number([MIXTURE.nodes["X"]]) is None
    assert several.shared_number([MIXTURE.nodes["w"], MIXTURE.nodes["k"]]) == 2.0
    assert several.shared_number([Node("a", "input", value=math.nan)]) is None
    assert several.shared_number([Node("a", "input", value=as_value(np.ones((0, 2))))]) is None
    assert several.shared_number([Node("a", "input")]) is None


def test_one_refusal_leaves_all_nodes():
    with pytest.raises(Refused, match="s is computed from its operands"):
        several.fill(MIXTURE, ["w", "s"], 0.5)
    with pytest.raises(Refused, match="k is not an input"):
        several.set_wants_gradient(MIXTURE, ["X", "k"], False)


def test_attributes_are_shared_by_operations_that_both_have_them():
    nodes = MIXTURE.nodes
    assert [one.name for one in several.shared_attributes([nodes["s"], nodes["t"]])] == ["axis", "keepdims"]
    assert several.shared_attributes([nodes["s"], nodes["p"]]) == several.shared_attributes([]) == ()
    after = several.set_attribute(MIXTURE, ["s", "t"], "keepdims", True)
    assert after.nodes["s"].attributes == {"axis": 0, "keepdims": True}
    assert after.nodes["t"].attributes == {"keepdims": True}


def test_a_fill_beyond_a_small_number_type_is_inf_and_warned_of_overflow():
    filled = several.fill(MIXTURE, ["w", "X"], 1e200)
    assert filled.nodes["w"].value == 1e200 and np.isinf(filled.nodes["X"].value.array).all()
    assert filled.nodes["X"].value.dtype == "float32"
