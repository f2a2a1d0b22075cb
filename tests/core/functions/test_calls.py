"""Functions as operations of a document, and the sentences about those that are not in order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import cadena
from cadena.core.front import compile
from cadena.core.functions.calls import operation, operations
from cadena.core.graph import edits
from cadena.core.graph.document import Backward, Document, Function, Node, changes
from cadena.core.graph.fault import Refused
from cadena.core.graph.subgraphs import used_functions
from cadena.core.notation.calls import latex_call, plain_call
from cadena.core.ops import memory
from cadena.core.ops.primitive import REGISTRY, ShapeError
from cadena.core.rewriting.function_edits import set_gradient
from cadena.core.tracing.from_document import call
from tests.core.functions.graphs import RECIPROCAL, STABLE, calling, custom
from tests.core.graphs import graph
from tests.effort import effort


def function(output: str, *inputs: str, **nodes: object) -> Function:
    return Function(inputs or ("x",), graph(**nodes).nodes, output)


def the_fault(document: Document) -> str:
    (fault,) = compile(document).run().faults
    assert fault.node == "L"
    return fault.message


def test_an_operation_of_the_document_is_a_function_a_record_or_nothing():
    document = calling(RECIPROCAL, 1.0)
    assert operation(document, "sin") is REGISTRY["sin"]
    assert operation(document, "parameter") is None and operation(document, "unheard_of") is None
    made = operation(document, "f")
    assert made is operation(replace(document, title="moved"), "f") is operations(document.functions)["f"]
    assert [slot.label for slot in made.slots] == ["x"] and made.complete({}) == {}


def test_a_later_operation_of_the_same_name_does_not_change_what_a_file_computes():
    doubling = function("y", y=("add", "x", "x"))
    document = replace(graph(x=3.0, y=("sin", "x")), functions={"sin": doubling})
    assert compile(document).run().value("y") == 6 and compile(document).run().gradient("x") == 2


def test_a_call_is_written_like_a_function():
    document = replace(graph(x=1.0, w=2.0, y=("my_f", "x", "w")), functions={"my_f": function("y", "a", "b", y=1.0)})
    assert plain_call(document, "y") == "my_f(x, w)" and latex_call(document, "y").startswith(r"\mathrm{my\_f}\left(x,")


def test_a_call_is_one_step_forward_and_one_for_each_wire_back():
    document = calling(function("y", "a", "b", m=("multiply", "a", "b"), y=("sin", "m")), 2.0, 3.0)
    steps = compile(document).run().timeline
    assert [(step.phase, step.node, step.operand) for step in steps] == [
        ("forward", "L", None),
        ("seed", "L", None),
        ("reverse", "L", "x0"),
        ("reverse", "L", "x1"),
    ]


def test_another_function_of_the_same_name_needs_another_program():
    document = calling(RECIPROCAL, 1.0)
    given = set_gradient(document, "f", STABLE)
    assert changes(document, given).functions and changes(document, given).structural
    assert not changes(document, edits.set_value(document, "x0", 2.0)).structural
    assert not changes(document, replace(document, functions=dict(document.functions))).functions


# --- functions that are not in order


BROKEN = [
    ({"f": function("y", y=("f", "x"))}, "L: the function f contains itself: f → f; take one of these calls out of it"),
    (
        {"f": function("y", y=("g", "x")), "g": function("y", y=("h", "x")), "h": function("y", y=("f", "x"))},
        "L: the function f contains itself: f → g → h → f; take one of these calls out of it",
    ),
    ({"f": function("z", y=("sin", "x"))}, "L: in function f, there is no node z for its result; choose one of its"),
    ({"f": function("y", y=("sin", None))}, "L: in function f, node y waits for an operand; connect a node"),
    ({"f": function("y", y=("sin", "w"))}, "L: in function f, node y reads w, which is not in the function; connect"),
    ({"f": function("y", y=("add", "x"))}, "L: in function f, node y: add takes 2, not 1 operands; correct its wires"),
    ({"f": function("y", y=("stack",))}, "L: in function f, node y: stack takes at least 1, not 0 operands"),
    ({"f": function("y", y=("blur", "x"))}, "L: in function f, node y: this version does not know the operation blur"),
    ({"f": function("y", w=2.0, y=("add", "x", "w"))}, "L: in function f, node w: a function holds no parameter; make"),
    ({"f": function("y", y=("sin", "z"), z=("cos", "y"))}, "L: in function f, node y depends on itself: y → z → y;"),
    ({"f": function("y", y=("sum", "x", {"axes": 1}))}, "L: in function f, node y: sum has no attribute 'axes'; it"),
    ({"f": function("y", x=("constant", 1.0), y=("sin", "x"))}, "L: in function f, two things in it have the same"),
    ({"f": function("y", y=("g", "x")), "g": function("y", y=("add", "x"))}, "L: in function g, node y: add takes 2,"),
    (
        {"f": replace(RECIPROCAL, nodes={**RECIPROCAL.nodes, "one": Node("one", "constant")})},
        "L: in function f, node one",
    ),
    ({"f": custom(RECIPROCAL, graph(dx=("sin", "q")), "dx")}, "L: in the custom gradient of f, node dx reads q, which"),
    ({"f": custom(RECIPROCAL, graph(dx=("f", "x")), "dx")}, "L: the function f contains itself: f → f; take one"),
    ({"f": replace(RECIPROCAL, gradient=Backward(("x",), {}, (None,)))}, "L: the custom gradient of f must read the"),
    ({"f": custom(RECIPROCAL, graph(), "g", "g")}, "L: the custom gradient of f must read the operands (x), the"),
]


@pytest.mark.parametrize(("functions", "sentence"), BROKEN, ids=[sentence[3:] for _, sentence in BROKEN])
def test_a_function_that_is_not_in_order_is_a_fault_of_its_calls(functions, sentence):
    document = replace(graph(x=0.5, L=("f", "x"), other=("sin", "x")), output="L", functions=functions)
    message = the_fault(document)
    assert message.startswith(sentence) and "; " in message and "\n" not in message
    run = compile(document).run()
    assert run.faults[0].kind == "function" and run.value("L") is None and run.value("other") == np.sin(0.5)
    with pytest.raises(ShapeError):
        call(document, "f")(1.0)


def test_a_function_without_operands_is_a_fault():
    document = replace(graph(L=("f",)), functions={"f": Function((), graph(y=("constant", 1.0)).nodes, "y")})
    assert the_fault(document).startswith("L: the function f has no operand; give it one")


def test_calls_have_faults_of_their_own_like_any_node():
    document = calling(function("y", "a", "b", y=("add", "a", "b")), 1.0)
    assert the_fault(document) == "L waits for its operand 'b'; connect a wire to slot 2"
    assert the_fault(calling(RECIPROCAL, 1.0, 2.0)) == "L: f takes 1, not 2 operands; remove some"


def test_shapes_that_do_not_fit_inside_are_told_with_the_node_and_the_function():
    layer = function("y", "W", "x", z=("matmul", "W", "x"), y=("sin", "z"))
    outer = function("y", "W", "x", y=("layer", "W", "x"))
    message = the_fault(calling(outer, [[1.0, 2.0]], [1.0, 2.0, 3.0], layer=layer))
    assert message.startswith("L: in function f, node y: in function layer, node z: matmul")
    assert message.endswith("(x0 has shape (1, 2), x1 has shape (3,))")


SHAPES = [
    (3.0, graph(dx=("stack", "g", "g")), "has shape (2,), x itself ()"),
    ([1.0, 2.0], graph(dx=("sum", "g")), "has shape (), x itself (2,)"),
    ([[1.0], [2.0]], graph(dx=("transpose", "g")), "has shape (1, 2), x itself (2, 1)"),
    ([1.0, 2.0], graph(dx=("constant", [1.0, 2.0, 3.0])), "has shape (3,), x itself (2,)"),
]


@pytest.mark.parametrize(("value", "nodes", "sentence"), SHAPES)
def test_a_custom_gradient_of_the_wrong_shape_is_a_fault_with_both_shapes(value, nodes, sentence):
    document = calling(custom(RECIPROCAL, nodes, "dx"), value)
    expected = f"L: the custom gradient of f for x {sentence}; make them equal (x0 has shape {np.shape(value)})"
    assert the_fault(document) == expected
    with pytest.raises(ValueError, match="the custom gradient of f for x has shape"):
        cadena.vjp(call(document, "f"), np.asarray(value))[1](np.ones(np.shape(value)))


def test_shapes_that_do_not_fit_in_a_custom_gradient_are_told_with_the_node():
    document = calling(custom(RECIPROCAL, graph(dx=("matmul", "g", "x")), "dx"), 2.0)
    assert the_fault(document).startswith("L: in the custom gradient of f, node dx: matmul")


def test_a_result_that_no_memory_could_hold_is_refused_before_it_is_made():
    huge = function("y", b=("broadcast_to", "x", {"shape": [2**20, 2**20]}), y=("sum", "b"))
    assert the_fault(calling(huge, 1.0)) == (
        "L: in function f, node b: the result of shape (1048576, 1048576) would take 17592.2 GB with its gradient; the "
        "most is 4.3 GB, make it smaller (x0 has shape ())"
    )


def test_what_a_function_holds_within_is_counted_with_the_free_memory(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 100_000_000)
    large = {name: ("broadcast_to", "x", {"shape": [2, 10**6]}) for name in "abcd"}
    nodes = {**large, "e": ("add", "a", "b"), "s": ("add", "c", "d"), "t": ("add", "e", "s"), "y": ("sum", "t")}
    told = the_fault(calling(function("y", **nodes), 1.0))
    assert "node d: the result of shape (2, 1000000) would take 32 MB with its gradient; with the rest" in told
    assert "that is 128 MB, and 100 MB are free, make some smaller" in told


# --- functions meant to break things


def test_functions_that_double_their_calls_at_every_level_are_refused_instead_of_run():
    functions = {"f0": function("y", y=("sin", "x"))}
    for level in range(1, 35):
        functions[f"f{level}"] = function("y", m=(f"f{level - 1}", "x"), y=(f"f{level - 1}", "m"))
    document = replace(graph(x=1.0, L=("f34", "x")), functions=functions)
    assert "is nested so that one call takes" in the_fault(document)


def test_work_that_grows_with_every_level_is_counted():
    """Half a million operations were allowed, and took a minute, since each level works out all below it anew."""
    functions = {"f0": function("y", m=("sin", "x"), y=("sin", "m"))}
    for level in range(1, 17):
        functions[f"f{level}"] = function("y", m=(f"f{level - 1}", "x"), y=(f"f{level - 1}", "m"))
    known = operations(functions)
    assert known["f13"].fault is None and known["f13"].size < known["f13"].work < 1_000_000
    assert "the function f15 is nested so that one call takes" in str(known["f16"].fault)


def test_functions_nested_too_deeply_for_the_stack_are_refused():
    """In a time that grows with them, and not with their square."""

    def nested(count: int) -> Document:
        functions = {"f0": function("y", y=("sin", "x"))}
        functions |= {f"f{i}": function("y", y=(f"f{i - 1}", "x")) for i in range(1, count)}
        return replace(graph(x=1.0, L=(f"f{count - 1}", "x")), functions=functions)

    deepest = nested(5_000)
    assert "the function f40 is nested 41 levels deep; make it simpler" in the_fault(deepest)
    assert effort(lambda: compile(nested(1_000)).run()) < 2.1 * effort(lambda: compile(nested(500)).run())
    fine = replace(graph(x=1.0, L=("f39", "x")), functions=deepest.functions)
    assert compile(fine).run().gradient("x") == np.cos(1.0)
    cadena.check_grads(call(fine, "f39"), (1.0,), order=2)


def test_only_what_is_called_is_taken_along():
    functions = {"f": function("y", y=("g", "x")), "g": RECIPROCAL, "h": RECIPROCAL}
    assert used_functions([Node("n", "f")], functions).keys() == {"f", "g"}
    assert used_functions([Node("n", "sin")], functions) == {}


def test_a_custom_gradient_that_would_make_a_function_contain_itself_is_refused():
    with pytest.raises(Refused, match="the function f contains itself: f → f"):
        set_gradient(calling(RECIPROCAL, 1.0), "f", Backward(("x", "y", "g"), graph(d=("f", "g")).nodes, ("d",)))
