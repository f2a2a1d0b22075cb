"""Guards of nodes: what code read from them, which a run with other numbers may violate."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cadena
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.guards import Guard, guard
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode

ABOVE = Node("above", "greater", ("x", "k0"), guard=Guard(1.0, "x > 0", 7))
NODES = [Node("x", "parameter", value=2.0), Node("k0", "constant", value=0.0), ABOVE, Node("y", "square", ("x",))]
DOCUMENT = Document({node.name: node for node in NODES}, output="y")
SAYS = "line 7 took the branch x > 0; with these numbers it would not; run the code again with them"


def said(document: Document, **values: float) -> list[str]:
    return [fault.message for fault in cadena.compile(document).run(values).faults]


def test_numbers_that_take_the_other_branch_were_computed_in_silence():
    assert said(DOCUMENT) == [] and said(DOCUMENT, x=3.0) == []
    assert said(DOCUMENT, x=-1.0) == [f"above: {SAYS}"]
    (fault,) = cadena.compile(DOCUMENT).run({"x": -1.0}).faults
    assert (fault.node, fault.kind, fault.severity) == ("above", "violated-guard", "fault")


@pytest.mark.parametrize(
    ("one", "op", "value", "sentence"),
    [
        (Guard(0.0, "x > 0", 7), "sign", 1.0, "did not take the branch x > 0; with these numbers it would"),
        (Guard(3.0, "int(x)", 7, "number"), "trunc", 4.5, "went on with int(x) = 3; with these numbers it is 4"),
        (Guard(3.0, "x[mask]", 7, "elements"), "trunc", 4.5, "chose elements by x[mask]; with these numbers it would"),
        (Guard(3.0, "f(x)", 7, "value"), "trunc", 4.5, "computed with f(x) outside the graph; with these numbers"),
    ],
)
def test_each_kind_of_guard_says_what_the_code_did(one, op, value, sentence):
    nodes = {"x": Node("x", "parameter", value=value), "y": Node("y", op, ("x",), guard=one)}
    (message,) = said(Document(nodes, output="y"))
    assert sentence in message and "line 7" in message


def test_a_value_from_outside_may_differ_in_its_last_digits():
    assert guard(np.float32(1 / 3), kind="value").holds(1 / 3)
    assert not guard(1 / 3, kind="number").holds(np.float32(1 / 3))
    assert guard([np.nan, np.inf], kind="value").holds([np.nan, np.inf])


def test_a_guard_stays_with_its_node():
    renamed = edits.rename(edits.rename(DOCUMENT, "above", "is_above"), "x", "w")
    assert renamed.nodes["is_above"].guard == ABOVE.guard and said(renamed, w=-1.0) == [f"is_above: {SAYS}"]
    pasted, _ = edits.paste(DOCUMENT, edits.fragment(DOCUMENT, DOCUMENT.nodes))
    assert len(said(pasted, x=-1.0)) == 1 and len(pasted.guarded) == 2
    assert edits.remove(DOCUMENT, ["above"]).guarded == ()
    assert edits.set_operation(DOCUMENT, "above", "less").guarded == ()
    assert said(edits.set_value(DOCUMENT, "x", -1.0)) == [f"above: {SAYS}"]


def test_a_guard_in_a_function_is_looked_at_in_each_call():
    inner = {"k": Node("k", "constant", value=0.0), "g": Node("g", "greater", ("a", "k"), guard=Guard(1.0, "a > 0", 3))}
    function = Function(("a",), inner | {"r": Node("r", "negative", ("a",))}, "r")
    outer = Function(("b",), {"c": Node("c", "f", ("b",))}, "c")
    nodes = {"x": Node("x", "parameter", value=2.0), "y": Node("y", "outer", ("x",))}
    document = Document(nodes, output="y", functions={"f": function, "outer": outer})
    assert said(document) == []
    (message,) = said(document, x=-1.0)
    assert message.startswith("y: inside outer, inside f, line 3 took the branch a > 0")


def test_a_guard_is_saved_and_read():
    for document in (DOCUMENT, replace(DOCUMENT, functions={"f": Function(("x", "k0"), {"above": ABOVE}, "above")})):
        assert decode(encode(document)) == document


@pytest.mark.parametrize("damaged", [b"{}", b"7", b'{"outcome": [1, [2]]}', b'{"outcome": 1, "kind": "odd"}'])
def test_a_guard_that_cannot_be_read_is_refused(damaged):
    data = encode(DOCUMENT).replace(b'{"outcome": 1.0, "condition": "x > 0", "line": 7}', damaged)
    with pytest.raises(Refused, match="guard must be an object such as"):
        decode(data)
