"""Edits: what each does, what it leaves alone, and what it refuses in one sentence."""

from __future__ import annotations

import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, Document, Node, as_value, is_name
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import NAMES, documents, edit_sequences
from tests.core.graphs import graph as made
from tests.thorough import in_turn, tries

ABC = made(a=2.0, b=("sin", "a"), c=("multiply", "b", "a"))
PLACED = edits.move(ABC, {"a": (0, 0), "b": (10, 0), "c": (20, 0)})


def is_variadic(node: Node) -> bool:
    """Whether its operation takes any number of operands: it offers one slot more than it has wires."""
    return node.op in REGISTRY and REGISTRY[node.op].variadic


@tries(30)
@given(edit_sequences())
def test_random_edits_keep_a_document_sound(states):
    for before, after in itertools.pairwise(states):
        assert all(name == node.name and is_name(name) for name, node in after.nodes.items())
        assert all(source is None or source in after.nodes for node in after.nodes.values() for source in node.inputs)
        assert not graph.order(after)[1]
        assert after.output is None or after.output in after.nodes
        assert set(after.layout) <= set(after.nodes)
        assert all(len(node.inputs) == edits.slot_count(node) - is_variadic(node) for node in after.nodes.values())
        assert not any(is_variadic(node) and node.inputs[-1:] == (None,) for node in after.nodes.values())
        equal = [name for name in after.nodes if after.nodes[name] == before.nodes.get(name)]
        assert sum(after.nodes[name] is not before.nodes[name] for name in equal) <= 1  # so that views redo little


@tries(40)
@given(edit_sequences())
def test_no_edit_changes_the_document_it_was_given(states):
    copies = [(dict(state.nodes), dict(state.layout), [dict(node.attributes) for node in state.nodes.values()])
              for state in states]  # fmt: skip
    for state, (nodes, layout, attributes) in zip(states, copies, strict=True):
        assert (state.nodes, state.layout) == (nodes, layout)
        assert [node.attributes for node in state.nodes.values()] == attributes


# --- add


@in_turn("op", [*LEAVES, *REGISTRY])
def test_a_new_node_has_open_slots_or_the_value_1_and_a_name_of_its_own(op):
    document = Document({})
    for _ in range(3):
        document = edits.add(document, op, (3, 4))
    assert len(document.nodes) == 3
    node = list(document.nodes.values())[-1]
    fixed = op in REGISTRY and not REGISTRY[op].variadic  # one that takes any number of operands begins with none
    assert node.inputs == ((None,) * len(REGISTRY[op].slots) if fixed else ())
    assert node.value == (1.0 if op in LEAVES else None)
    assert document.layout[node.name] == (3.0, 4.0)


def test_new_names_follow_the_kind():
    document = Document({})
    for op in ("parameter", "parameter", "input", "constant", "add", "add"):
        document = edits.add(document, op, (0, 0))
    assert list(document.nodes) == ["w0", "w1", "x0", "k0", "add1", "add2"]


# --- connect


def test_a_wire_that_would_close_a_cycle_is_refused_with_the_path_named():
    open_slot = edits.disconnect(ABC, "b", 0)
    with pytest.raises(
        Refused, match=re.escape("c cannot feed b: that would close the cycle c → b → c; remove a wire")
    ):
        edits.connect(open_slot, "c", "b", 0)
    with pytest.raises(Refused, match="b cannot feed b: that would close the cycle b → b"):
        edits.connect(open_slot, "b", "b", 0)


@tries(30)
@given(documents(max_operations=6), st.data())
def test_connecting_replaces_one_wire_or_is_refused_because_of_a_cycle(document, data):
    operations = [node for node in document.nodes.values() if not node.is_leaf]
    if not operations:
        return
    node = data.draw(st.sampled_from(operations))
    source, slot = data.draw(st.sampled_from(list(document.nodes))), data.draw(st.integers(0, len(node.inputs) - 1))
    if node.name in graph.ancestors(document, source):
        with pytest.raises(Refused, match="cycle"):
            edits.connect(document, source, node.name, slot)
        return
    after = edits.connect(document, source, node.name, slot)
    assert after.nodes[node.name].inputs[slot] == source
    assert all(a == b for i, (a, b) in enumerate(zip(node.inputs, after.nodes[node.name].inputs)) if i != slot)
    assert all(after.nodes[name] is document.nodes[name] for name in document.nodes if name != node.name)


def test_connecting_to_a_slot_or_a_node_that_is_not_there_is_refused():
    with pytest.raises(Refused, match="b has no slot 2; it takes 1 operand"):
        edits.connect(ABC, "a", "b", 1)
    with pytest.raises(Refused, match="a has no slot 1; it takes 0 operands"):
        edits.connect(ABC, "b", "a", 0)
    for source, target in (("nobody", "b"), ("a", "nobody")):
        with pytest.raises(Refused, match="there is no node nobody"):
            edits.connect(ABC, source, target, 0)


def test_connecting_fills_slots_that_a_file_left_out():
    short = Document({"a": Node("a", "parameter", value=1.0), "m": Node("m", "multiply", ("a",))})
    assert edits.connect(short, "a", "m", 1).nodes["m"].inputs == ("a", "a")
    empty = Document({"a": Node("a", "parameter", value=1.0), "m": Node("m", "multiply")})
    assert edits.connect(empty, "a", "m", 1).nodes["m"].inputs == (None, "a")


def test_a_disconnected_slot_is_open_and_the_wire_can_be_put_back():
    cut = edits.disconnect(ABC, "c", 0)
    assert cut.nodes["c"].inputs == (None, "a")
    assert edits.connect(cut, "b", "c", 0) == ABC


# --- values and settings


def test_an_isolated_node_has_no_wires_and_the_others_keep_theirs():
    nodes = (
        Node("x", "input", value=1.0),
        Node("y", "sin", inputs=("x",)),
        Node("z", "add", inputs=("y", "x")),
        Node("t", "multiply", inputs=("y", "y")),
    )
    isolated = edits.isolate(Document({node.name: node for node in nodes}), "y")
    assert [isolated.nodes[name].inputs for name in "yzt"] == [(None,), (None, "x"), (None, None)]


def test_only_leaves_have_a_value_to_set():
    assert edits.set_value(ABC, "a", as_value([1, 2])).nodes["a"].value == as_value([1, 2])
    with pytest.raises(Refused, match="b is computed from its operands; set the value of a parameter"):
        edits.set_value(ABC, "b", 1.0)


def test_an_attribute_is_set_beside_those_there_are():
    document = made(x=[1.0], s=("sum", "x", {"axis": 0}))
    assert edits.set_attribute(document, "s", "keepdims", True).nodes["s"].attributes == {"axis": 0, "keepdims": True}
    assert document.nodes["s"].attributes == {"axis": 0}


def test_only_inputs_can_be_asked_for_a_gradient():
    document = made(x=("input", 1.0), w=1.0)
    assert edits.set_wants_gradient(document, "x", True).nodes["x"].wants_gradient
    with pytest.raises(Refused, match="w is not an input; parameters always have a gradient"):
        edits.set_wants_gradient(document, "w", True)


@in_turn("op", [*LEAVES, *REGISTRY])
def test_another_operation_keeps_the_wires_that_it_has_slots_for(op):
    after = edits.set_operation(ABC, "c", op).nodes["c"]
    wider = edits.set_operation(ABC, "b", op).nodes["b"]
    assert after.op == op and (after.value is None) == (op in REGISTRY)
    if op in REGISTRY and REGISTRY[op].variadic:  # as many slots as wires
        assert (after.inputs, wider.inputs) == (("b", "a"), ("a",))
    else:
        slots = len(REGISTRY[op].slots) if op in REGISTRY else 0
        assert after.inputs == ("b", "a", None)[:slots]
        assert wider.inputs == ("a", None, None)[:slots]


def test_another_operation_keeps_the_attributes_that_it_knows():
    document = made(x=[1.0], s=("sum", "x", {"axis": 0}))
    assert edits.set_operation(document, "s", "mean").nodes["s"].attributes == {"axis": 0}
    assert edits.set_operation(document, "s", "exp").nodes["s"].attributes == {}


def test_a_leaf_of_another_kind_keeps_its_value():
    assert edits.set_operation(ABC, "a", "constant").nodes["a"].value == 2.0


@pytest.mark.parametrize("name", ["multiply1", "multiply12"])
def test_a_name_that_the_program_gave_follows_the_operation(name):
    document = edits.set_output(made(a=2.0, add1=("add", "a", "a"), **{name: ("multiply", "a", "a")}), name)
    after = edits.change_operation(document, name, "add")
    assert after.nodes["add2"].inputs == ("a", "a") and after.output == "add2" and name not in after.nodes


@pytest.mark.parametrize("name", ["loss", "multiply", "multiply_1", "add1", "w0"])
def test_a_name_that_somebody_chose_stays_with_another_operation(name):
    document = made(a=2.0, **{name: ("multiply", "a", "a")})
    assert edits.change_operation(document, name, "subtract").nodes[name].op == "subtract"
    leaf = made(w0=2.0)
    assert edits.change_operation(leaf, "w0", "input").nodes["w0"].op == "input"


# --- the only sink

OPEN = edits.set_output(ABC, None)
LOOSE = edits.set_output(made(a=2.0, b=("sin", "a"), c=("multiply", "b", None)), None)
EXP_B, EXP_C = Node("d", "exp", ("b",)), Node("d", "exp", ("c",))


def follow(before, after):
    return edits.follow_only_sink(before, after).output


def test_the_only_operation_that_none_reads_becomes_the_output():
    assert follow(made(a=2.0), OPEN) == "c"
    assert follow(LOOSE, edits.connect(LOOSE, "a", "c", 1)) == "c"
    assert follow(ABC, edits.with_nodes(ABC, EXP_C)) == "d"
    assert follow(ABC, edits.remove(ABC, ["c"])) == "b"


def test_an_output_that_somebody_chose_stays_and_so_does_none():
    assert follow(LOOSE, edits.with_nodes(OPEN, EXP_B)) is None  # which of the two is meant?
    chosen = edits.set_output(ABC, "b")
    assert follow(chosen, edits.with_nodes(chosen, EXP_C)) == "b"
    assert follow(OPEN, edits.set_value(OPEN, "a", 3.0)) is None  # c was the only sink before, too
    assert follow(ABC, edits.with_nodes(ABC, Node("d", "multiply", ("c", None)))) == "c"  # d is not whole yet


# --- rename


@tries(30)
@given(documents(max_operations=6), st.data())
def test_renaming_changes_the_name_everywhere_and_nothing_else(document, data):
    old, new = data.draw(st.sampled_from(list(document.nodes))), data.draw(NAMES)
    if new in document.nodes and new != old:
        with pytest.raises(Refused, match=f"there is a node {new} already; choose another name, such as"):
            edits.rename(document, old, new)
        return
    after = edits.rename(document, old, new)
    assert list(after.nodes) == [new if name == old else name for name in document.nodes]
    assert edits.rename(after, new, old) == document
    run, rerun = compile(document).run(), compile(after).run()
    assert repr(rerun.value(new)) == repr(run.value(old))
    assert repr(rerun.gradient(new)) == repr(run.gradient(old))


LETTERS = "cannot be a name; use letters, digits and _, not beginning with a digit"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("0a", "0a begins with a digit; put a letter or _ before it"),
        ("a b", "'a b' has spaces in it; write a_b"),
        ("", "a name is missing; type one such as w0"),
        ("  ", "a name is missing; type one such as w0"),
        ("if", "if is a Python keyword; choose another name, such as if_"),
        ("None", "None is a Python keyword; choose another name, such as None_"),
        ("a-b", "'a-b' has - in it; write a_b"),
        ("a.b", "'a.b' has . in it; write a_b"),
        ("w*(x + 1)", "'w*(x + 1)' has *(+) in it; write w_x_1"),
        ("dL/dw", "'dL/dw' has / in it; write dL_dw"),
        ("→", f"'→' {LETTERS}"),
        ("0-", f"'0-' {LETTERS}"),
        ("if else", "'if else' has spaces in it; write if_else"),
        ("\x1b[2J", f"'\\x1b[2J' {LETTERS}"),
        ("b", "there is a node b already; choose another name, such as b1"),
    ],
)
def test_the_refusal_of_a_keyword_spoke_of_letters_and_digits(name, told):
    with pytest.raises(Refused) as refused:
        edits.rename(ABC, "a", name)
    assert str(refused.value) == told


# --- remove, move, output


@tries(30)
@given(documents(max_operations=6), st.data())
def test_removing_opens_the_slots_that_were_fed_and_leaves_the_rest(document, data):
    gone = data.draw(st.sets(st.sampled_from(list(document.nodes))))
    after = edits.remove(document, gone)
    assert list(after.nodes) == [name for name in document.nodes if name not in gone]
    for name, node in after.nodes.items():
        left = [None if source in gone else source for source in document.nodes[name].inputs]
        while left and left[-1] is None and is_variadic(node):
            left.pop()  # such an operation has as many slots as it needs
        assert node.inputs == tuple(left)
    assert set(after.layout) == set(document.layout) - gone
    assert after.output == (None if document.output in gone else document.output)


def test_moving_takes_along_only_what_is_named():
    after = edits.move(PLACED, {"a": (5, 6), "nobody": (1, 1)})
    assert after.layout == {"a": (5.0, 6.0), "b": (10.0, 0.0), "c": (20.0, 0.0)}
    assert after.nodes is PLACED.nodes


def test_the_output_must_be_a_node_or_none():
    assert edits.set_output(ABC, "b").output == "b" and edits.set_output(ABC, None).output is None
    with pytest.raises(Refused, match="there is no node nobody"):
        edits.set_output(ABC, "nobody")


def test_number_types_are_those_that_numpy_computes_in():
    assert edits.set_dtype(ABC, "float16").dtype == "float16"
    with pytest.raises(Refused, match="int8 is not a number type; choose float64, float32, float16"):
        edits.set_dtype(ABC, "int8")


@pytest.mark.parametrize("edit", [edits.add, lambda document, op, at: edits.set_operation(document, "a", op)])
def test_an_operation_that_does_not_exist_is_refused(edit):
    with pytest.raises(Refused, match="there is no operation frobnicate; choose one from the palette"):
        edit(ABC, "frobnicate", (0, 0))


# --- copy and paste


@tries(30)
@given(documents(max_operations=6), st.data())
def test_pasting_adds_a_copy_under_new_names_and_touches_nothing_else(document, data):
    chosen = data.draw(st.sets(st.sampled_from(list(document.nodes)), min_size=1))
    part = edits.fragment(document, chosen)
    after, names = edits.paste(document, part, (7.0, 8.0))
    assert len(names) == len(set(names)) == len(chosen) and not set(names) & set(document.nodes)
    assert all(after.nodes[name] is document.nodes[name] for name in document.nodes)
    new = dict(zip(part.nodes, names, strict=True))
    for old, name in new.items():
        before, node = document.nodes[old], after.nodes[name]
        assert (node.op, node.value, node.attributes, node.gradient) == (
            before.op, before.value, before.attributes, before.gradient,
        )  # fmt: skip
        assert node.inputs == tuple(new.get(source, source) for source in before.inputs)  # outside wires are kept
        if old in document.layout:
            x, y = document.layout[old]
            assert after.layout[name] == (x + 7.0, y + 8.0)


def test_wires_from_nodes_that_the_other_document_has_not_become_open_slots():
    part = edits.fragment(ABC, {"b", "c"})
    after, names = edits.paste(Document({}), part)
    assert names == ("b", "c") and after.nodes["b"].inputs == (None,) and after.nodes["c"].inputs == ("b", None)


def test_a_pasted_node_read_itself_where_what_it_read_was_gone():
    """It got the name of the node that it had read, and the wire to that was kept."""
    document = made("r", x=1.0, r1=("sin", "x"), r=("cos", "r1"))
    part = edits.fragment(document, ["r"])
    pasted, (copy,) = edits.paste(edits.remove(document, ["r1"]), part)
    assert copy == "r1" and pasted.nodes[copy].inputs == (None,) and graph.order(pasted)[1] == []


def test_a_pasted_copy_gives_the_same_numbers():
    after, names = edits.paste(ABC, edits.fragment(ABC, ABC.nodes))
    run = compile(after, output=names[-1]).run()
    original = compile(ABC).run()
    assert run.value(names[-1]) == original.value("c") and run.gradient(names[0]) == original.gradient("a")


def test_pasting_many_nodes_does_not_go_through_all_names_for_each(monkeypatch):
    monkeypatch.setattr(edits, "fresh_name", lambda *_: pytest.fail("all names were gone through for one node"))
    part = made(w0=1.0, w1=2.0, w7=3.0, sum1=("add", "w0", "w1"))
    _, names = edits.paste(part, part)
    assert names == ("w2", "w3", "w4", "sum2")


@given(st.lists(NAMES, max_size=8), NAMES)
def test_a_fresh_name_is_free_valid_and_near(taken, like):
    name = edits.fresh_name(taken, like)
    assert is_name(name) and name not in taken
    assert name == like or name.startswith(like.rstrip("0123456789") or "node")


@pytest.mark.parametrize(("like", "fresh"), [("w0", "w1"), ("if", "if_1"), ("9", "node1"), ("", "node1")])
def test_fresh_names_near_what_is_taken_or_no_name(like, fresh):
    assert edits.fresh_name(["w0"], like) == fresh


def test_a_sum_behind_the_output_makes_it_one_number():
    nodes = (Node("x", "parameter", value=as_value([1.0, 2.0])), Node("y", "sin", ("x",)))
    document = Document({node.name: node for node in nodes}, output="y", layout={"y": (10.0, 20.0)})
    summed = edits.sum_output(document)
    assert summed.output == "sum1" and summed.nodes["sum1"].inputs == ("y",) and summed.layout["sum1"][1] == 20.0
    assert compile(summed).run().plan.shapes[-1] == ()


def test_a_sum_is_placed_clear_of_the_cards_that_are_there():
    crowded = edits.move(ABC, {"a": (0, 0), "b": (290, 10), "c": (290, 200)})
    summed = edits.sum_output(edits.set_output(crowded, "a"))
    x, y = summed.layout["sum1"]
    assert all(abs(x - left) >= 200 or abs(y - top) >= 160 for left, top in crowded.layout.values())


def test_a_sum_without_an_output_is_refused():
    with pytest.raises(Refused, match="no output"):
        edits.sum_output(Document({}))
