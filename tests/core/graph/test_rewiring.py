"""Nodes put into wires and taken out of them, operands swapped, wires cut."""

from __future__ import annotations

import pytest

import cadena
from cadena.core.graph import edits, rewiring
from cadena.core.graph.fault import Refused
from tests.core.graphs import graph


@pytest.fixture
def line():
    """L = (w*x) - b, with s, a sine, beside it."""
    document = cadena.parse("L = w*x - b")
    return edits.add(document, "sin", (0.0, 0.0), "s")


def product(document):
    return next(name for name, node in document.nodes.items() if node.op == "multiply")


def test_a_node_is_put_into_a_wire(line):
    m = product(line)
    after = rewiring.insert(line, "s", ("L", 0))
    assert after.nodes["s"].inputs == (m,)
    assert after.nodes["L"].inputs == ("s", "b")


def test_a_wire_comes_into_where_by_a_slot_with_a_gradient(line):
    after = rewiring.insert(edits.add(line, "where", (0, 0), "c"), "c", ("L", 0))
    assert after.nodes["c"].inputs == (None, product(line), None)


@pytest.mark.parametrize(
    ("name", "wire", "why"),
    [
        ("w", ("L", 0), "w is a leaf"),
        ("L", ("L", 0), "L has wires of its own; disconnect it first"),
        ("s", ("s", 0), "no wire ends in slot 1 of s"),
    ],
)
def test_what_cannot_be_put_into_a_wire_says_why(line, name, wire, why):
    with pytest.raises(Refused, match=why):
        rewiring.insert(line, name, wire)


def test_what_went_into_a_node_goes_on_to_what_read_it(line):
    after = rewiring.dissolve(line, [product(line)])
    assert after.nodes["L"].inputs == ("w", "b")
    assert product(line) not in after.nodes and product(line) not in after.layout


def test_a_row_of_nodes_is_healed_whatever_their_order_in_the_file(line):
    document = rewiring.insert(line, "s", ("L", 0))
    after = rewiring.dissolve(document, ["s", product(line)])
    assert after.nodes["L"].inputs == ("w", "b")


def test_the_operand_of_a_dissolved_output_is_the_output(line):
    assert rewiring.dissolve(line, ["L"]).output == product(line)


def test_an_operand_that_goes_too_does_not_take_the_place(line):
    assert rewiring.dissolve(line, ["w", product(line)]).nodes["L"].inputs == ("x", "b")


def test_the_condition_of_where_does_not_go_on():
    document = cadena.parse("L = sin(where(c, a, b))")
    where = next(name for name, node in document.nodes.items() if node.op == "where")
    assert rewiring.dissolve(document, [where]).nodes["L"].inputs == ("a",)


def test_a_leaf_that_is_read_cannot_be_healed(line):
    with pytest.raises(Refused, match="b has no operand that could take its place in L"):
        rewiring.dissolve(line, ["b"])


def test_a_leaf_that_nothing_reads_is_deleted(line):
    lonely = edits.add(line, "parameter", (0, 0), "lonely")
    assert "lonely" not in rewiring.dissolve(lonely, ["lonely"]).nodes


def test_operands_are_swapped(line):
    assert rewiring.swap(line, "L").nodes["L"].inputs == ("b", product(line))
    assert rewiring.swap(rewiring.swap(line, "L"), "L") == line


def test_an_open_slot_is_swapped_too(line):
    assert rewiring.swap(edits.disconnect(line, "L", 1), "L").nodes["L"].inputs == (None, product(line))


@pytest.mark.parametrize("name", ["s", "w"])
def test_one_operand_cannot_be_swapped(line, name):
    with pytest.raises(Refused, match=f"{name} has no two operands to swap"):
        rewiring.swap(line, name)


def test_wires_are_cut_also_two_of_a_node_with_any_number_of_operands():
    document = cadena.parse("L = sum(concatenate(a, b, c))")
    joined = next(name for name, node in document.nodes.items() if node.op == "concatenate")
    after = rewiring.cut(document, [(joined, 1), (joined, 2)])
    assert after.nodes[joined].inputs == ("a",)


@pytest.mark.parametrize("names", [("s",), ("t",), ("s", "t"), ("x",), ("x", "s"), ("y",)])
def test_what_can_be_healed_is_what_dissolving_does_not_refuse(names):
    document = graph(x=1.0, s=("sin", "x"), t=("cos", "s"), y=("add", "t", "x"))
    try:
        rewiring.dissolve(document, names)
    except Refused:
        assert not rewiring.can_heal(document, names)
    else:
        assert rewiring.can_heal(document, names) is (names != ("y",))  # which nothing reads
