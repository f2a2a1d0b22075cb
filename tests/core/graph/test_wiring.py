"""Wires as columns: those of an edited document are the same as if they were read anew."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace as with_fields

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.wiring import Wiring, wiring
from tests.core.graphs import graph, wide
from tests.thorough import tries

LARGE = wide(150, leaves=20)
ACTS = ("connect", "disconnect", "remove", "rename", "add", "value", "operation")


def edited(document: Document, act: str, one: str, other: str) -> Document:
    """The document after one edit, the same one where the edit is refused."""
    try:
        match act:
            case "connect":
                return edits.connect(document, one, other, 0)
            case "disconnect":
                return edits.disconnect(document, other, 0)
            case "remove":
                return edits.remove(document, [one])
            case "rename":
                return edits.rename(document, one, edits.fresh_name(document.nodes, "other"))
            case "add":
                return edits.add(document, "multiply", (0.0, 0.0))
            case "value":
                return edits.set_value(document, one, 0.25)
            case _:
                return edits.set_operation(document, one, "multiply")
    except Refused:
        return document


def differing(one: Wiring, other: Wiring) -> list[str]:
    """The parts in which two differ."""
    parts = [name for name in ("names", "numbers") if getattr(one, name) != getattr(other, name)]
    parts += [name for name in ("wires", "leaves") if not np.array_equal(getattr(one, name), getattr(other, name))]
    columns = ("arity", "counts", "plain", "wanted")
    parts += [name for name in columns if not np.array_equal(getattr(one.columns, name), getattr(other.columns, name))]
    kinds = [[each.kinds[code] for code in each.columns.codes.tolist()] for each in (one, other)]
    parts += ["kinds"] if kinds[0] != kinds[1] else []
    return parts if one.nodes is other.nodes else [*parts, "nodes"]


@tries(60)
@given(st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 400), st.integers(0, 400)), min_size=1, max_size=12))
def test_wires_after_edits_are_those_that_are_read_anew(acts):
    document, wired = LARGE, wiring(LARGE.nodes)
    for act, one, other in acts:
        names = list(document.nodes)
        document = edited(document, act, names[one % len(names)], names[other % len(names)])
        wired = wired.edited(document.nodes)
        assert differing(wired, wiring(document.nodes)) == []


def test_a_node_that_comes_back_gets_the_wires_of_those_that_still_read_it():
    nodes = dict(LARGE.nodes)
    gone = nodes.pop("w3")
    without = wiring(LARGE.nodes).edited(nodes)
    assert without.is_loose
    assert differing(without, wiring(nodes)) == []
    back = {**nodes, "w3": gone}
    assert differing(without.edited(back), wiring(back)) == []


def test_an_open_slot_between_others_is_counted_and_has_no_wire():
    document = graph(a=1.0, b=("add", "a", "a"))
    nodes = {**document.nodes, "b": replace_inputs(document.nodes["b"], (None, "a"))}
    wired = wiring(nodes)
    assert wired.wires.tolist() == [[0, 1, 1]] and wired.arity.tolist() == [0, 2] and not wired.is_loose


def replace_inputs(node: Node, inputs: tuple[str | None, ...]) -> Node:
    return Node(node.name, node.op, inputs)


def test_the_same_nodes_are_not_read_again():
    wired = wiring(LARGE.nodes)
    assert wired.edited(replace(LARGE, title="other").nodes) is wired


def test_an_open_slot_was_taken_for_a_wire_from_a_node_named_none():
    leaves = {f"z{number}": Node(f"z{number}", "constant", value=1.0) for number in range(20)}
    none, total = Node("None", "constant", value=2.0), Node("L", "add", inputs=("z0", "z1"))
    before = {**leaves, "None": none, "L": total}
    after = {**before, "L": with_fields(total, inputs=("z0", None))}
    assert not differing(wiring(before).edited(after), wiring(after))


def test_uses_are_the_slots_that_a_node_feeds():
    document = graph(x=1.0, y=("multiply", "x", "x"), z=("add", "x", "y"))
    assert [wiring(document.nodes).uses(name) for name in "xyz"] == [3, 1, 0]
