"""The wires of a document as columns."""

from __future__ import annotations

from cadena.core.graph.document import Node
from cadena.core.graph.wiring import wiring
from tests.core.graphs import graph


def test_an_open_slot_between_others_is_counted_and_has_no_wire():
    document = graph(a=1.0, b=("add", "a", "a"))
    node = document.nodes["b"]
    nodes = {**document.nodes, "b": Node(node.name, node.op, (None, "a"))}
    wired = wiring(nodes)
    assert wired.wires.tolist() == [[0, 1, 1]] and wired.arity.tolist() == [0, 2]


def test_an_open_slot_is_no_wire_from_a_node_named_none():
    nodes = {"None": Node("None", "constant", value=2.0), "L": Node("L", "add", inputs=("None", None))}
    assert wiring(nodes).wires.tolist() == [[0, 1, 0]]
