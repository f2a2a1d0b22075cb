"""Nodes switched off and on again: what comes out, what goes back, and that nothing is lost."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Function
from cadena.core.graph.fault import Refused
from cadena.core.graph.rewiring import passing_slots
from cadena.core.languages.export import export
from cadena.core.methods.compare import compare
from cadena.core.rewriting.function_edits import make_function, remove_unused
from cadena.core.rewriting.switching import BYPASSED, MUTED, switch, way_off
from cadena.core.storage import files
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import documents, graph
from tests.core.languages.programs import differences, expected, is_healthy, run
from tests.thorough import tries

LESSON = open_lesson("1")
WAYS = st.sampled_from([BYPASSED, MUTED])


def numbers(document: Document) -> dict[str, float | None]:
    """The output and the gradients of the parameters of a graph of numbers."""
    made = compile(document).run()
    leaves = [name for name, node in document.nodes.items() if node.op == "parameter"]
    gradients = {name: made.gradient(name) for name in leaves}
    return {"L": float(made.value("L"))} | {
        name: None if gradient is None else float(gradient) for name, gradient in gradients.items()
    }


def test_a_bypassed_product_lets_its_first_operand_through():
    """m1 is w0 = 2 in the place of 8: b1 = 17, m3 = 119, L = 15 - (119 + 108)."""
    assert numbers(switch(LESSON, ["m1"], BYPASSED)) == {
        "L": -212.0, "w0": -7.0, "w1": -21.0, "w2": -12.0, "w3": -17.0, "w4": -36.0
    }  # fmt: skip


def test_a_muted_product_gives_0_and_no_gradient_goes_back():
    """b1 = 15, m3 = 105, L = 15 - (105 + 108)."""
    assert numbers(switch(LESSON, ["m1"], MUTED)) == {
        "L": -198.0, "w0": None, "w1": -21.0, "w2": -12.0, "w3": -15.0, "w4": -36.0
    }  # fmt: skip


@tries(60)
@given(documents(), st.data(), WAYS)
def test_what_is_switched_off_and_on_is_the_same_document(document, data, way):
    operations = [name for name, node in document.nodes.items() if not node.is_leaf]
    assume(operations)
    chosen = data.draw(st.sets(st.sampled_from(operations), min_size=1))
    off = switch(document, chosen, way)
    assert all(way_off(off, name) == way for name in chosen)
    assert {name: node.inputs for name, node in off.nodes.items()} == {
        name: node.inputs for name, node in document.nodes.items()
    }
    other = MUTED if way == BYPASSED else BYPASSED
    assert switch(off, chosen, way) == switch(switch(off, chosen, other), chosen, other) == document


@tries(60)
@given(documents(), st.data(), WAYS)
def test_what_comes_out_of_a_node_that_is_off(document, data, way):
    operations = [name for name, node in document.nodes.items() if not node.is_leaf]
    assume(operations)
    name = data.draw(st.sampled_from(operations))
    made, off = compile(document).run(), compile(switch(document, [name], way)).run()
    if way == MUTED:
        assert np.array_equal(off.value(name), np.zeros_like(made.value(name)))
    else:
        source = document.nodes[name].inputs[passing_slots(document, document.nodes[name])[0]]
        assert np.array_equal(off.value(name), made.value(source), equal_nan=True)


@tries(30)
@given(documents(max_operations=5), st.data(), WAYS)
def test_programs_and_other_methods_agree_with_nodes_that_are_off(document, data, way):
    operations = [name for name, node in document.nodes.items() if not node.is_leaf]
    assume(operations)
    off = switch(document, {data.draw(st.sampled_from(operations))}, way)
    assume(is_healthy(off))
    assert not list(differences(run(export(off, "numpy").text), expected(off), 1e-12))


@pytest.mark.parametrize("way", [BYPASSED, MUTED])
@pytest.mark.parametrize("nodes", [["m1"], ["b1", "m4"]])
def test_every_method_has_the_gradients_of_a_graph_with_nodes_off(way, nodes):
    assert compare(switch(LESSON, nodes, way)).verdict.startswith("All methods agree")


def test_bad_numbers_of_a_muted_node_are_gone():
    document = graph("L", x=0.0, y=("log", "x"), L=("add", "y", "x"))
    muted = compile(switch(document, ["y"], MUTED)).run()
    assert muted.faults == () and float(muted.value("L")) == 0.0 and float(muted.gradient("x")) == 1.0


def test_calls_and_operations_of_many_operands_are_switched_off_too():
    called = make_function(LESSON, ["m1", "m2", "b1"], "layer")
    assert switch(switch(called, ["b1"], MUTED), ["b1"], MUTED) == called
    assert remove_unused_or_same(switch(called, ["b1"], BYPASSED)).functions.keys() == {"layer", "b1_bypassed"}
    joined = graph("L", x=[1.0], y=[2.0, 3.0], z=("concatenate", "x", "y"), L=("sum", "z"))
    off = switch(joined, ["z"], BYPASSED)
    assert compile(off).run().value("L") == 1.0 and switch(off, ["z"], BYPASSED) == joined


def remove_unused_or_same(document: Document) -> Document:
    try:
        return remove_unused(document)
    except Refused:
        return document


def test_the_wires_of_now_stay_when_a_node_is_switched_on():
    off = edits.connect(edits.rename(switch(LESSON, ["m1"], BYPASSED), "w0", "v"), "w1", "m1", 1)
    on = switch(off, ["m1"], BYPASSED)
    assert on.nodes["m1"].op == "multiply" and on.nodes["m1"].inputs == ("v", "w1") and not on.functions


def test_a_pasted_copy_is_switched_on_by_itself():
    off = switch(LESSON, ["m1"], MUTED)
    pasted, (copy,) = edits.paste(off, edits.fragment(off, ["m1"]))
    on = switch(pasted, [copy], MUTED)
    assert way_off(on, "m1") == MUTED and on.nodes[copy].op == "multiply" and on.functions


def test_a_file_keeps_what_is_off(tmp_path):
    off = switch(switch(LESSON, ["m1"], MUTED), ["b1"], BYPASSED)
    files.save(off, tmp_path / "off.cadena")
    assert files.load(tmp_path / "off.cadena") == off


@pytest.mark.parametrize("record", [3, {}, {"way": "muted"}, {"way": "gone", "node": "y"}, {"way": "muted", "node": 1}])
def test_a_record_that_nobody_can_read_makes_a_function_like_any_other(record):
    function = Function(("a",), graph(y=("sin", "a")).nodes, "y", extra={"off": record})
    document = replace(graph("L", x=1.0, L=("f", "x")), functions={"f": function})
    assert way_off(document, "L") == "" and document.function_of("L") is function


@pytest.mark.parametrize(
    ("names", "way", "sentence"),
    [
        (["w0", "a1"], MUTED, "no operation is selected; select nodes that compute something"),
        (["y"], BYPASSED, "y has no operand that could go through; connect one"),
    ],
)
def test_what_cannot_be_switched_off_says_why(names, way, sentence):
    document = edits.add(LESSON, "sin", (0.0, 0.0), "y")
    with pytest.raises(Refused, match=sentence):
        switch(document, names, way)
