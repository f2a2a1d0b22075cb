"""Long chains: which nodes are one, with which leaves, and what splits or opens them."""

from __future__ import annotations

import pytest

from cadena.core.expressions.reading import parse
from cadena.core.graph.chains import chains, folded
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import connect

STRAIGHT = "x = 2; a = sin(x); b = cos(a); c = tanh(b); d = exp(c); L = d*a"
LEAVES = "x = 2; v = 0.5; w1 = 1; b1 = 3"
LAYERS = f"{LEAVES}; m1 = exp(x)*w1; s1 = m1 + b1; h1 = tanh(s1); m2 = h1*v; h2 = tanh(m2) + v; L = h2*x"


def nodes(text):
    return [chain.nodes for chain in chains(parse(text))]


def test_a_chain_ends_where_a_value_is_used_twice_and_at_the_output():
    assert nodes(STRAIGHT) == [("b", "c", "d")]


def test_wires_of_leaves_do_not_end_a_chain_and_leaves_of_its_own_belong_to_it():
    (chain,) = chains(parse(LAYERS))
    assert chain.nodes[1:4] == ("m1", "s1", "h1") and chain.last == "h2"
    assert {"w1", "b1"} <= set(chain.members) and not {"v", "x", "L"} & set(chain.members)


def test_the_leaf_at_the_beginning_stays_apart():
    (chain,) = chains(parse("x = 1; a = sin(x); b = cos(a); c = exp(b); L = c*2"))
    assert chain.nodes == ("a", "b", "c") and chain.members == chain.nodes


def test_both_operands_of_one_operation_make_no_chain():
    assert nodes("x = 1; a = sin(x); b = a*a; c = exp(b); L = c + c") == []


def test_what_is_kept_splits_a_chain_and_short_rests_stay_open():
    whole = chains(parse("x = 1; " + "; ".join(f"y{at} = sin({f'y{at - 1}' if at else 'x'})" for at in range(12))))
    assert [len(one.links) for one in whole] == [11]  # the last is the output
    assert [one.nodes for one in folded(whole, {"y5", "y8"})] == [
        ("y0", "y1", "y2", "y3", "y4"),
    ]
    assert [one.last for one in folded(whole, {"y4"})] == ["y3", "y10"]


def test_a_leaf_that_is_kept_keeps_its_operation():
    whole = chains(parse("w = 2; x = 1; a = sin(x); b = a*w; c = exp(b); d = cos(c); e = sin(d); L = e + x"))
    assert [one.nodes for one in folded(whole, {"w"})] == [("c", "d", "e")]


def test_one_open_node_opens_the_whole_chain():
    whole = chains(parse(STRAIGHT))
    assert folded(whole, ()) and not folded(whole, (), {"c"})


def test_a_cycle_is_no_chain():
    nodes = {name: Node(name, "sin", inputs=(source,)) for name, source in (("a", "c"), ("b", "a"), ("c", "b"))}
    assert chains(Document(nodes)) == ()


@pytest.mark.parametrize(
    ("text", "wire", "after"),
    [
        ("x = 1; a = sin(x); b = cos(a); e = exp(b); k = b*x; L = e + k*k", ("x", "k", 0), ("a", "b", "e")),
        (
            "x = 1; v = 2; r = sin(v); p = sin(x); q = cos(p); t = q*r; u = exp(t); L = u*u + r*x + r*v",
            ("x", "t", 1),
            ("p", "q", "t"),
        ),
    ],
)
def test_a_wire_makes_a_chain_of_nodes_that_were_in_none(text, wire, after):
    document = parse(text)
    assert chains(document) == ()
    (chain,) = chains(connect(document, *wire))
    assert chain.nodes == after
