"""Inside a call: what runs there, what is written back, and the two gradients side by side."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Function, as_value
from cadena.core.graph.fault import Refused
from cadena.core.layout.arrange import uncovered
from cadena.core.rewriting.function_edits import make_function, rename_function, set_gradient
from cadena.core.rewriting.opening import compare_gradients, opened, opened_gradient, with_body, with_gradient
from cadena.core.teaching.lessons import open_lesson
from tests.core.functions.graphs import RECIPROCAL, STABLE, calling, custom, with_functions
from tests.core.graphs import graph
from tests.core.rewriting.test_function_edits import LAYER, NESTED
from tests.thorough import tries


@tries(60)
@given(with_functions())
def test_an_opened_call_runs_on_the_operands_of_the_run_and_gives_its_value(pair):
    document = pair[1]
    run = compile(document).run()
    for name, node in document.nodes.items():
        if node.op in document.functions:
            inside = opened(document, name, run)
            assert inside.layout.keys() == inside.nodes.keys()
            value = compile(inside).run().value(inside.output)
            np.testing.assert_array_max_ulp(value, run.value(name), 2)  # math and scipy differ so far in erf(1)
            assert with_body(document, node.op, inside).functions[node.op].nodes == document.functions[node.op].nodes


def test_the_seed_of_the_whole_gives_the_gradients_of_the_whole_inside():
    run = compile(NESTED).run()
    inside = opened(NESTED, "t", run)
    gradient = compile(inside).run(seed=run.gradient("t")).gradient
    np.testing.assert_allclose(gradient("w"), run.gradient("w"), rtol=1e-12)
    deeper = opened(inside, "s")
    assert list(deeper.nodes) == ["w", "x", "m", "s"] and deeper.title == "s: bend"


def test_an_operand_that_cannot_run_leaves_its_input_empty():
    document = calling(RECIPROCAL, 1.0)
    document = edits.connect(edits.add(document, "sin", (0, 0), "open"), "open", "L", 0)
    inside = opened(document, "L")
    assert inside.nodes["x"].value is None
    assert [fault.kind for fault in compile(inside).run().faults] == ["no-value"]
    assert opened(edits.disconnect(document, "L", 0), "L").nodes["x"].value is None


def test_an_edited_body_is_written_back_for_all_calls():
    twice = edits.add(NESTED, "bend", (0, 0), "again")
    twice = edits.connect(edits.connect(twice, "w", "again", 0), "k", "again", 1)
    inside = edits.set_operation(opened(twice, "again"), "s", "cos")
    run = compile(with_body(twice, "bend", inside)).run()
    assert run.value("again") == np.cos(6.0) and run.value("t") == 3 * np.cos(1.0)


def test_an_input_that_is_renamed_inside_keeps_its_wire():
    inside = edits.rename(opened(NESTED, "t"), "w", "weight")
    back = with_body(NESTED, "layer", inside)
    assert back.functions["layer"].inputs == ("weight", "x", "k")
    assert compile(back).run().value("L") == compile(NESTED).run().value("L")


def test_a_new_input_inside_is_a_new_open_slot_of_every_call():
    inside = edits.add(opened(NESTED, "t"), "input", (0, 0), "extra")
    back = with_body(NESTED, "layer", inside)
    (fault,) = compile(back).run().faults
    assert fault.message == "t waits for its operand 'extra'; connect a wire to slot 4"
    assert edits.connect(back, "x", "t", 3).nodes["t"].inputs == ("w", "x", "k", "x")


def test_a_new_operand_was_asked_for_but_calls_had_no_slot_for_it():
    inside = edits.add(opened(NESTED, "t"), "input", (0, 0), "extra")
    back = with_body(NESTED, "layer", inside)
    assert back.nodes["t"].inputs == ("w", "x", "k", None)
    deeper = edits.add(opened(opened(NESTED, "t"), "s"), "input", (0, 0), "extra")
    call = with_body(NESTED, "bend", deeper).functions["layer"].nodes["s"]
    assert call.inputs[-1] is None and len(call.inputs) == 3


def test_operands_stand_inside_in_the_order_of_the_slots_and_their_wires_do_not_cross():
    inside = opened(make_function(open_lesson("1"), ["m1", "m2", "b1"], "affine"), "b1")
    heights = [inside.layout[name][1] for name in ("w0", "a1", "w1", "a2")]
    assert heights == sorted(heights)


def test_functions_made_inside_come_along():
    inside = make_function(opened(NESTED, "t"), ["t"], "scale")
    back = with_body(NESTED, "layer", inside)
    assert back.functions.keys() == {"bend", "layer", "scale"}
    assert compile(back).run().value("L") == compile(NESTED).run().value("L")


REFUSED = [
    (lambda body: edits.add(body, "parameter", (0, 0), "p"), "p is a parameter, which layer cannot hold; make it an"),
    (lambda body: edits.set_output(body, None), "the function layer has no result; choose an output in it"),
    (lambda body: edits.remove(body, ["x"]), "t call layer with 3 operands; keep its inputs"),
    (lambda body: edits.set_operation(body, "t", "layer"), "the function layer contains itself: layer → layer"),
    (lambda body: edits.disconnect(body, "t", 0), "in function layer, node t waits for an operand"),
]


@pytest.mark.parametrize(("edit", "sentence"), REFUSED)
def test_a_body_that_makes_no_function_is_refused(edit, sentence):
    with pytest.raises(Refused, match=sentence):
        with_body(NESTED, "layer", edit(opened(NESTED, "t")))


def test_a_function_that_contains_itself_through_another_is_refused():
    inside = edits.set_operation(opened(opened(NESTED, "t"), "s"), "s", "layer")
    inside = edits.connect(edits.connect(inside, "x", "s", 1), "w", "s", 2)
    with pytest.raises(Refused, match="the function bend contains itself: bend → layer → bend"):
        with_body(NESTED, "bend", inside)


def test_a_custom_gradient_is_not_left_with_the_wrong_operands():
    document = calling(replace(RECIPROCAL, gradient=STABLE), 1.0)
    inside = edits.add(opened(document, "L"), "input", (0, 0), "extra")
    with pytest.raises(Refused, match="the custom gradient of f is for 1 operands; take it away first"):
        with_body(document, "f", inside)


# --- custom gradients


def test_a_custom_gradient_is_opened_at_the_numbers_of_the_run():
    document = calling(replace(RECIPROCAL, gradient=STABLE), 2.0)
    inside = opened_gradient(document, "L")
    assert [inside.nodes[name].value for name in ("x", "y", "upstream")] == [2.0, 1 / np.exp(2.0), 1.0]
    assert compile(inside).run().value(inside.output) == compile(document).run().gradient("x0")


def test_a_custom_gradient_is_begun_from_nothing_and_written_back():
    document = calling(RECIPROCAL, 2.0)
    inside = opened_gradient(document, "L")
    assert list(inside.nodes) == ["x", "y", "upstream"] and inside.output is None
    for op, name, sources in [("negative", "n", ["y"]), ("multiply", "dx", ["n", "upstream"])]:
        inside = edits.add(inside, op, (0, 0), name)
        for slot, source in enumerate(sources):
            inside = edits.connect(inside, source, name, slot)
    given_ = with_gradient(document, "f", inside, ["dx"])
    assert compile(given_).run().gradient("x0") == -1 / np.exp(2.0)
    with pytest.raises(Refused, match="there is no node q to be the gradient of x; choose another for it, or none"):
        with_gradient(document, "f", inside, ["q"])
    with pytest.raises(Refused, match="p is a parameter, which the custom gradient of f cannot hold"):
        with_gradient(document, "f", edits.add(inside, "parameter", (0, 0), "p"), ["dx"])


def test_the_two_gradients_are_shown_side_by_side_at_the_same_upstream_gradient():
    document = calling(replace(RECIPROCAL, gradient=STABLE), [100.0, 1.0])
    document = replace(
        document, dtype="float32", nodes={**document.nodes, **graph(S=("square", "L")).nodes}, output="S"
    )
    (compared,) = compare_gradients(document, "L")
    assert (compared.slot, compared.operand) == (0, "x0")
    assert np.isnan(compared.automatic[0]) and np.isfinite(compared.custom).all()
    np.testing.assert_allclose(compared.custom[1], compared.automatic[1], rtol=1e-6)
    np.testing.assert_array_equal(compared.custom, compile(document).run().contribution("L", 0))


def test_an_operand_without_a_gradient_is_told_as_such():
    scaled = Function(("a", "b"), graph(y=("multiply", "a", "b")).nodes, "y")
    document = calling(custom(scaled, graph(da=("multiply", "g", "b")), "da", None), 2.0, 5.0)
    first, second = compare_gradients(document, "L")
    assert first.custom == first.automatic == 5 and second.custom is None and second.automatic == 2


def test_there_is_nothing_to_compare_without_a_custom_gradient_or_a_value():
    with pytest.raises(Refused, match="f has no custom gradient; its gradient is the automatic one"):
        compare_gradients(calling(RECIPROCAL, 1.0), "L")
    document = set_gradient(calling(RECIPROCAL, 1.0), "f", STABLE)
    with pytest.raises(Refused, match="L cannot run; see its fault"):
        compare_gradients(edits.disconnect(document, "L", 0), "L")
    with pytest.raises(Refused, match="s is sin, no call of a function"):
        opened(LAYER, "s")


def test_cards_inside_a_call_with_arrays_covered_each_other():
    """The functions of the lessons were laid out for numbers, whose cards are smaller."""
    lesson = open_lesson("8")
    arrays = edits.set_value(lesson, "x", as_value(np.full((3, 4), 2.0)))
    for look in (opened, opened_gradient):
        inside, numbers = look(arrays, "y"), look(lesson, "y").layout
        assert uncovered(inside) is inside
        kept = lesson.functions["one_over_exp"]
        assert inside.layout != numbers
        stored = kept.layout if look is opened else kept.gradient.layout
        assert stored.items() <= numbers.items(), "numbers stay where they were put"


@pytest.mark.parametrize("new", ["curve", "zz"])
def test_a_function_renamed_inside_another_was_there_twice(new):
    """Under the new name for the calls in it, and under the old one for all others."""
    twice = edits.add(NESTED, "bend", (0, 0), "again")
    twice = edits.connect(edits.connect(twice, "w", "again", 0), "k", "again", 1)
    written = with_body(twice, "layer", rename_function(opened(twice, "t"), "bend", new))
    assert written.functions.keys() == {"layer", new} and written.nodes["again"].op == new
    before, after = compile(twice).run(), compile(written).run()
    assert all(after.value(name) == before.value(name) for name in twice.nodes)


def test_a_function_renamed_in_its_own_graph_is_written_back():
    document = calling(RECIPROCAL, 2.0)
    inside = rename_function(opened(document, "L"), "f", "g")
    written = with_body(document, "f", inside)
    assert list(written.functions) == ["g"] and written.nodes["L"].op == "g"
    gradient = rename_function(opened_gradient(set_gradient(document, "f", STABLE), "L"), "f", "g")
    assert list(with_gradient(document, "f", gradient).functions) == ["g"]
