"""Numbers that went bad inside a function: named with the node inside it, and fixed there."""

import numpy as np
import pytest

import cadena
from cadena.core.doctor.findings import within
from cadena.core.doctor.findings.hints import hints
from cadena.core.doctor.fixes.offers import fixes
from cadena.core.graph.document import Document
from cadena.core.rewriting.function_edits import make_function
from cadena.core.rewriting.opening import opened
from tests.core.graphs import graph

DECAY = graph(x=100.0, one=("constant", 1.0), e=("exp", "x"), q=("divide", "one", "e"), y=("sin", "q"))
LESSON = make_function(DECAY, ["one", "e", "q"], "decay")
NESTED = make_function(LESSON, ["q", "y"], "whole")
LOG = make_function(graph(x=[1.0, 0.0], n=("negative", "x"), l=("log", "x"), y=("sum", "l")), ["l", "y"], "total")


@pytest.mark.parametrize(
    ("document", "node", "told"),
    [(LESSON, "q", "q: inside decay, e: the gradient of x"), (NESTED, "y", "y: inside whole, q: inside decay, e: the")],
    ids=["one level", "two levels"],
)
def test_the_node_inside_the_function_is_named_with_its_rule(document, node, told):
    (fault,) = cadena.compile(document).run(dtype="float32").faults
    assert (fault.node, fault.kind, fault.rule) == (node, "nan-gradient", "0 · inf")
    assert fault.message.startswith(told) and " 0 · inf" in fault.message


def test_a_value_that_went_bad_inside_is_named_too():
    faults = cadena.compile(LOG).run().faults
    assert [(one.node, one.kind, one.rule) for one in faults] == [("y", "inf-value", "log of 0")]
    assert faults[0].message.startswith("y: inside total, l = log(x) is −inf in float64 for x = [1, 0] at [1]")


def test_a_consequence_inside_a_function_hid_its_cause():
    norm = graph(x=[0.0, 0.0], s=("square", "x"), t=("sum", "s"), r=("sqrt", "t"), y=("positive", "r"))
    (fault,) = cadena.compile(make_function(norm, ["s", "t", "r"], "length")).run().faults
    assert fault.rule == "infinite slope of sqrt" and fault.message.startswith("r: inside length, r: the gradient of t")
    layer = graph(x=[0.0, 1.0], w=[[1.0], [0.0]], l=("log", "x"), m=("matmul", "l", "w"), y=("sum", "m"))
    faults = [one for one in cadena.compile(make_function(layer, ["l", "m"], "layer")).run().faults if one.node == "m"]
    assert [one.rule for one in faults if one.kind.about == "value"] == ["log of 0"]


@pytest.mark.parametrize("document", [LESSON, NESTED], ids=["one level", "two levels"])
def test_the_function_is_fixed_for_all_its_calls(document: Document):
    run = cadena.compile(document).run(dtype="float32")
    first, *_ = fixes(document, run, run.faults[0])
    assert first.title == "Inside decay: Write exp(−x) for 1 / exp(x)"
    after = cadena.compile(first.apply(document)).run(dtype="float32")
    assert after.faults == () and after.gradient("x") == np.float32(-3.78e-44)
    assert list(first.apply(document).nodes) == list(document.nodes)  # nothing but the function has changed


def test_a_custom_gradient_is_not_opened_in_search_of_its_own_numbers():
    run = cadena.compile(DECAY).run(dtype="float32")
    e = next(one for one in run.faults if one.kind == "nan-gradient")
    custom = next(one for one in fixes(DECAY, run, e) if one.title == "Give q a gradient of its own")
    assert cadena.compile(custom.apply(DECAY)).run(dtype="float32").faults == ()


SATURATED = make_function(graph(x=20.0, a=("sigmoid", "x"), b=("square", "a"), y=("sin", "b")), ["a", "b"], "gate")
DEEP = make_function(SATURATED, ["b", "y"], "whole")
RESIDUAL = make_function(
    graph(x=[1.0, -200.0], e=("exp", "x"), d=("subtract", "x", "e"), y=("sum", "d")), ["e", "d"], "f"
)


@pytest.mark.parametrize(
    ("document", "node", "told"),
    [
        (SATURATED, "b", "b: inside gate, a: the gradient of x vanishes"),
        (DEEP, "y", "y: inside whole, b: inside gate, a: "),
    ],
    ids=["one level", "two levels"],
)
def test_a_gradient_that_vanished_inside_a_function_is_told_and_fixed_there(document, node, told):
    """Nothing was said: only numbers that went bad were looked for inside functions."""
    run = cadena.compile(document).run(dtype="float32")
    (hint,) = hints(run)
    assert run.gradient("x") == 0.0
    assert (hint.node, hint.kind, hint.rule) == (node, "vanished-gradient", "saturated sigmoid")
    assert hint.message.startswith(told)
    (fix,) = fixes(document, run, hint)
    assert fix.title == "Inside gate: Give a a gradient of its own"
    after = cadena.compile(fix.apply(document)).run(dtype="float32")
    assert after.gradient("x") == pytest.approx(2.0 * np.exp(-20.0) * np.cos(1.0), rel=1e-5) and hints(after) == ()


def test_relus_that_are_dead_inside_a_function_are_told():
    document = make_function(graph(x=[-3.0, -2.0], a=("relu", "x"), y=("sum", "a")), ["a", "y"], "total")
    (hint,) = hints(cadena.compile(document).run())
    assert (hint.node, hint.kind) == ("y", "dead-relu") and hint.message.startswith("y: inside total, a: relu passes")


def test_a_call_was_searched_once_for_each_operand_at_every_level(monkeypatch):
    """A captured ResNet kept the doctor busy for minutes."""
    searched = []
    monkeypatch.setattr(within, "opened", lambda *args, **kwargs: searched.append(args[1]) or opened(*args, **kwargs))
    leaves = {"x": [-9.0, -8.0], "u": 1.0, "v": 2.0}
    inner = make_function(
        graph(**leaves, a=("add", "x", "u"), b=("add", "a", "v"), r=("relu", "b"), s=("sin", "r"), y=("sum", "s")),
        ["a", "b", "r"],
        "innermost",
    )
    document = make_function(make_function(inner, ["r", "s"], "middle"), ["s", "y"], "whole")
    (hint,) = hints(cadena.compile(document).run())
    assert hint.message.startswith("y: inside whole, s: inside middle, r: inside innermost, r: relu")
    assert searched == ["y", "s", "r"]


def test_a_function_that_lets_gradients_through_gives_no_hint():
    run = cadena.compile(RESIDUAL).run(dtype="float32")
    assert hints(run) == () and run.gradient("x")[1] == 1.0
