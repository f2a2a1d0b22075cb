"""Functions made from nodes and folded back, renamed, removed: the numbers stay what they were."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from cadena.core.front import Run, compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, changes
from cadena.core.graph.fault import Refused
from cadena.core.rewriting.function_edits import (
    automatic,
    call_of,
    inline,
    make_function,
    remove_function,
    remove_unused,
    rename_function,
    set_gradient,
    users,
)
from cadena.core.storage.encoding import encode
from tests.core.functions.graphs import RECIPROCAL, STABLE, calling, with_functions
from tests.core.graphs import graph
from tests.thorough import tries

LAYER = graph(
    x=("input", 0.5),
    w=2.0,
    k=("constant", 3.0),
    m=("multiply", "w", "x"),
    s=("sin", "m"),
    t=("multiply", "s", "k"),
    L=("square", "t"),
)


def run_over_arrays(document: Document) -> Run:
    """A run by the pass that graphs with functions take: the C library's erf differs from scipy's in the last digit."""
    program = compile(document)
    program.passes.table = None
    return program.run()


def assert_same_numbers(plain: Document, made: Document) -> None:
    """Every node that both have: the same value bit for bit; the same gradient but for the order of a sum."""
    before, after = run_over_arrays(plain), run_over_arrays(made)
    for name in plain.nodes.keys() & made.nodes.keys():
        np.testing.assert_array_equal(after.value(name), before.value(name))
        old, new = before.gradient(name), after.gradient(name)
        assert (old is None) == (new is None), name
        if old is not None and np.isfinite(old).all():
            np.testing.assert_allclose(new, old, rtol=1e-9, atol=1e-9 * (1 + largest_contribution(before, name)))


def largest_contribution(run, name):
    """How large the parts of a gradient are that may cancel in its sum."""
    parts = [run.contribution(node, slot) for _, node, slot in run.timeline.arrivals.get(name, ())]
    return max((float(np.max(np.abs(part), initial=0.0)) for part in parts), default=0.0)


def test_the_document_before_is_not_touched_so_that_undo_is_the_document_before():
    before = encode(LAYER)
    made = make_function(LAYER, ["m", "s", "t"], "layer")
    written = encode(made)
    inline(set_gradient(made, "layer", None), "t")
    assert encode(LAYER) == before and encode(made) == written and not changes(LAYER, LAYER).structural


@tries(150)
@given(with_functions())
def test_a_part_made_into_a_function_keeps_every_value_and_every_gradient(pair):
    assert_same_numbers(*pair)


@tries(60)
@given(with_functions())
def test_folding_every_call_back_gives_the_same_numbers_and_the_same_operations(pair):
    plain, made = pair
    while calls := [name for name, node in made.nodes.items() if node.op in made.functions]:
        made = inline(made, calls[0])
    assert_same_numbers(plain, made)
    assert sorted(node.op for node in made.nodes.values() if not node.is_leaf) == sorted(
        node.op for node in plain.nodes.values() if not node.is_leaf
    )


def test_a_function_takes_its_operands_in_the_order_in_which_they_are_read():
    made = make_function(LAYER, ["m", "s", "t"], "layer")
    assert made.functions["layer"].inputs == ("w", "x", "k")
    assert made.nodes["t"].op == "layer" and made.nodes["t"].inputs == ("w", "x", "k")
    assert list(made.nodes) == ["x", "w", "k", "t", "L"]


def test_chosen_constants_go_inside_and_chosen_parameters_become_operands():
    made = make_function(LAYER, LAYER.nodes.keys() - {"L"}, "layer")
    assert made.functions["layer"].inputs == ("w", "x") and "k" in made.functions["layer"].nodes
    assert list(made.nodes) == ["x", "w", "t", "L"]


def test_a_constant_that_others_read_too_stays_for_them():
    shared = replace(LAYER, nodes={**LAYER.nodes, **graph(z=("add", "k", "L")).nodes}, output="z")
    made = make_function(shared, ["k", "s", "m", "t"], "layer")
    assert "k" in made.nodes and "k" in made.functions["layer"].nodes


def test_folding_back_what_was_just_made_gives_the_document_again():
    placed = edits.move(LAYER, {name: (40.0 * at, 8.0) for at, name in enumerate(LAYER.nodes)})
    back = inline(make_function(placed, ["m", "s", "t"], "layer"), "t")
    assert dict(back.nodes) == dict(placed.nodes) and back.layout == placed.layout and back.output == placed.output


def test_two_calls_fold_back_side_by_side_under_fresh_names():
    made = make_function(LAYER, ["m", "s"], "bend")
    twice = edits.set_operation(edits.add(made, "bend", (0, 0), "s2"), "L", "add")
    for source, target, slot in [("k", "s2", 0), ("x", "s2", 1), ("t", "L", 0), ("s2", "L", 1)]:
        twice = edits.connect(twice, source, target, slot)
    both = inline(inline(twice, "s"), "s2")
    assert {node.name for node in both.nodes.values() if node.op == "multiply"} == {"m", "m1", "t"}
    assert_same_numbers(twice, both)


def test_a_function_that_gives_back_its_operand_folds_back_to_a_node_that_does_the_same():
    document = calling(replace(RECIPROCAL, output="x"), 3.0)
    assert_same_numbers(document, inline(document, "L"))


REFUSED = [
    (["m", "s"], "sin", "sin is an operation of Cadena; choose another name"),
    (["m", "s"], "input", "input is an operation of Cadena; choose another name"),
    (["m", "s"], "2x", "2x begins with a digit"),
    (["m", "nothing"], "f", "there is no node nothing; choose nodes of the graph"),
    (["x", "w"], "f", "a function needs an operation; choose"),
    (["m", "L"], "f", "m and L are results, and a function has exactly one; choose nodes that lead to one"),
    (["m", "t"], "f", "m and t are results, and a function has exactly one; choose nodes that lead to one"),
    ([], "f", "a function needs an operation"),
]


@pytest.mark.parametrize(("names", "name", "sentence"), REFUSED)
def test_what_makes_no_function_is_refused_in_one_sentence(names, name, sentence):
    with pytest.raises(Refused, match=sentence):
        make_function(LAYER, names, name)


def test_nodes_with_another_one_between_them_are_refused_naming_it():
    document = graph(x=1.0, a=("sin", "x"), b=("cos", "a"), c=("add", "a", "b"))
    with pytest.raises(Refused, match="a and c are results, and a function has exactly one"):
        make_function(document, ["a", "c"], "f")


def test_an_operand_that_depends_on_the_result_is_refused_naming_it():
    looped = graph("a", x=1.0, a=("add", "x", "b"), b=("sin", "a"))
    with pytest.raises(Refused, match="b depends on a and is read by the chosen nodes; choose it too"):
        make_function(looped, ["a"], "f")


def test_open_slots_and_functions_of_nothing_but_constants_are_refused():
    with pytest.raises(Refused, match="s waits for an operand; connect all slots"):
        make_function(edits.disconnect(LAYER, "s", 0), ["s", "t"], "f")
    with pytest.raises(Refused, match="k and y read nothing but constants"):
        make_function(graph(k=("constant", 1.0), y=("sin", "k")), ["k", "y"], "f")


def test_what_could_not_be_called_is_not_made():
    with pytest.raises(Refused, match="in function f, node b: this version does not know the operation blur"):
        make_function(graph(x=1.0, a=("sin", "x"), b=("blur", "a")), ["a", "b"], "f")
    with pytest.raises(Refused, match="in function f, node a depends on itself: a → b → a"):
        make_function(graph("c", x=1.0, a=("add", "x", "b"), b=("sin", "a"), c=("sin", "a")), ["a", "b", "c"], "f")
    broken = replace(NESTED, functions={**NESTED.functions, "layer": replace(NESTED.functions["layer"], output="gone")})
    with pytest.raises(Refused, match="in function layer, there is no node gone for its result"):
        inline(broken, "t")


def test_the_name_of_a_function_is_taken_once():
    made = make_function(LAYER, ["m", "s"], "bend")
    with pytest.raises(Refused, match="there is a function bend already; choose another name"):
        make_function(made, ["t"], "bend")
    with pytest.raises(Refused, match="there is a function bend already"):
        rename_function(make_function(made, ["t"], "f"), "f", "bend")


# --- the functions of a document

NESTED = make_function(make_function(LAYER, ["m", "s"], "bend"), ["s", "t"], "layer")


def test_calls_follow_when_a_function_is_renamed_in_the_graph_and_in_other_functions():
    renamed = rename_function(rename_function(NESTED, "bend", "curve"), "layer", "block")
    assert renamed.functions.keys() == {"curve", "block"}
    assert renamed.functions["block"].nodes["s"].op == "curve" and renamed.nodes["t"].op == "block"
    assert_same_numbers(NESTED, renamed)
    assert rename_function(NESTED, "bend", "bend") is NESTED


def test_a_function_in_use_is_not_removed():
    assert users(NESTED, "bend") == ["layer"] and users(NESTED, "layer") == ["t"]
    with pytest.raises(Refused, match="bend is called by layer; replace these by their nodes or remove them first"):
        remove_function(NESTED, "bend")
    unused = edits.remove(NESTED, ["t"])
    assert not remove_function(remove_function(unused, "layer"), "bend").functions
    with pytest.raises(Refused, match="there is no function sin; this graph has bend, layer"):
        remove_function(NESTED, "sin")


def test_only_calls_are_folded_back():
    with pytest.raises(Refused, match="L is square, no call of a function"):
        inline(NESTED, "L")
    with pytest.raises(Refused, match="there is no node q"):
        call_of(NESTED, "q")


def test_a_custom_gradient_is_given_and_taken_away():
    plain = calling(RECIPROCAL, 2.0)
    given = set_gradient(plain, "f", STABLE)
    assert given.functions["f"].gradient == STABLE and automatic(given, "f") == plain
    with pytest.raises(Refused, match=r"the custom gradient of f must read the operands \(x\), the result and the"):
        set_gradient(plain, "f", replace(STABLE, inputs=("x", "upstream")))


# --- edits of the graph, with calls in it


def test_copied_calls_bring_the_functions_that_they_need():
    part = edits.fragment(NESTED, ["t"])
    assert part.functions.keys() == {"bend", "layer"}
    assert not edits.fragment(NESTED, ["x", "w"]).functions
    pasted, names = edits.paste(graph(w=1.0, x=2.0, k=3.0), part)
    assert pasted.functions == NESTED.functions and compile(pasted, names[0]).run().value("t") == 3 * np.sin(2.0)


def test_a_pasted_function_that_is_there_already_stays_one():
    pasted, _ = edits.paste(NESTED, edits.fragment(NESTED, ["t"]))
    assert pasted.functions is NESTED.functions and pasted.nodes["t1"].op == "layer"


def test_a_pasted_function_of_a_taken_name_gets_another_and_so_do_its_calls():
    other = make_function(make_function(LAYER, ["s"], "bend"), ["m", "s"], "layer")
    pasted, names = edits.paste(other, edits.fragment(NESTED, ["t"]))
    assert pasted.functions.keys() == {"bend", "layer", "bend1", "layer1"}
    assert pasted.functions["layer1"].nodes["s"].op == "bend1" and pasted.nodes[names[0]].op == "layer1"
    before, after = compile(NESTED, "t").run(), compile(pasted, names[0]).run()
    assert before.value("t") == after.value(names[0])


def test_a_new_call_has_a_slot_for_each_operand():
    document = edits.add(NESTED, "layer", (0, 0))
    assert document.nodes["layer1"].inputs == (None, None, None)
    assert edits.slot_count(document.nodes["layer1"], document.functions) == 3
    assert edits.set_operation(NESTED, "L", "layer").nodes["L"].inputs == ("t", None, None)
    with pytest.raises(Refused, match="t has no slot 4; it takes 3 operands"):
        edits.connect(NESTED, "x", "t", 3)


def test_functions_that_no_node_calls_are_removed_at_once_with_those_that_only_they_call():
    folded = inline(NESTED, "t")
    rest = remove_unused(folded)
    assert set(rest.functions) == {node.op for node in rest.nodes.values()} & set(folded.functions)
    assert rest.nodes == folded.nodes
    with pytest.raises(Refused, match="every function of this graph is called by a node"):
        remove_unused(rest)


def test_a_keyword_is_refused_with_its_own_reason():
    with pytest.raises(Refused, match="lambda is a Python keyword; choose another name, such as lambda_"):
        rename_function(NESTED, "bend", "lambda")


def test_a_call_folded_out_put_cards_at_infinity_where_the_function_had_far_places():
    far = replace(RECIPROCAL, layout={"one": (1e308, -1e308), "e": (-90.0, 40.0), "y": (0.0, 1e308)})
    near = replace(far, layout=dict(far.layout) | {"y": (0.0, 40.0)})
    called = replace(calling(far, 0.5), layout={"x0": (0.0, 0.0), "L": (200.0, 80.0)})
    assert inline(called, "L").layout == called.layout
    again = inline(replace(called, functions={"f": near}), "L").layout
    assert again == {**called.layout, "e": (110.0, 80.0)}
