"""Every kind of fault: it names its node, says what is wrong and what to do, and the rest of the graph still runs."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.graph.fault import HINTS, Kind
from tests.core.graphs import graph

HEALTHY = graph(u=2.0, v=("sin", "u"))


def leaf(value: object) -> Node:
    return Node("x", "parameter", value=None if value is None else as_value(value))


def op(name: str, op: str, *inputs: str | None, **attributes: object) -> Node:
    return Node(name, op, inputs, attributes=attributes)


# kind: (nodes beside u and v, the node named, slot or None, pattern of the message)
STATIC: dict[str, tuple[list[Node], str, int | None, str]] = {
    "cycle": (
        [op("a", "sin", "b"), op("b", "cos", "a"), op("z", "exp", "a")],
        "a",
        None,
        "^a depends on itself: a → b → a; remove one of these wires$",
    ),
    "open-slot": (
        [leaf(1.0), op("y", "divide", "x", None), op("z", "exp", "y")],
        "y",
        1,
        "^y waits for its operand 'denominator'; connect a wire to slot 2$",
    ),
    "missing-input": (
        [op("y", "sin", "gone"), op("z", "exp", "y")],
        "y",
        0,
        "^y reads gone, which is not in the graph; connect another node to slot 1$",
    ),
    "too-many-inputs": (
        [op("y", "sin", "u", "u"), op("z", "exp", "y")],
        "y",
        None,
        "^y: sin takes 1, not 2 operands; remove some$",
    ),
    "unknown-operation": (
        [op("y", "frobnicate", "u"), op("z", "exp", "y")],
        "y",
        None,
        "^y: this version does not know the operation frobnicate; choose another$",
    ),
    "attribute": (
        [leaf([1.0]), op("y", "reshape", "x"), op("z", "exp", "y")],
        "y",
        None,
        r"^y: reshape needs its attribute 'shape'; set it among the node's attributes",
    ),
    "shape": (
        [leaf([1.0, 2.0]), Node("w", "parameter", value=as_value([1.0, 2.0, 3.0])), op("y", "add", "x", "w")],
        "y",
        None,
        r"^y: add cannot pair shapes \(2,\) and \(3,\); make them equal.*x has shape \(2,\), w has shape \(3,\)",
    ),
    "no-value": ([leaf(None), op("y", "sin", "x")], "x", None, "^x has no value; give it one in the document$"),
}

NUMERIC: dict[str, tuple[list[Node], str, str]] = {
    "inf-value": (
        [leaf(800.0), op("y", "exp", "x")],
        "y",
        r"^y = exp\(x\) is inf in float64 for x = 800: exp overflows above 709.8 in float64; change",
    ),
    "nan-value": (
        [leaf(-1.0), op("y", "log", "x")],
        "y",
        r"^y = log\(x\) is nan in float64 for x = −1: log has no value for a negative number; change",
    ),
    "inf-gradient": ([leaf(0.0), op("y", "sqrt", "x")], "y", "^y: the gradient of x becomes inf here"),
    "nan-gradient": (
        [leaf(800.0), op("e", "exp", "x"), op("y", "divide", "u", "e")],
        "e",
        "^e: the gradient of x becomes nan here, as upstream · local derivative = 0 · inf; change the operands of e",
    ),
}


def with_healthy(nodes: list[Node], output: str | None = None) -> Document:
    return Document({**HEALTHY.nodes, **{node.name: node for node in nodes}}, output=output)


@pytest.mark.parametrize(("kind", "nodes", "named", "slot", "message"), [(k, *case) for k, case in STATIC.items()])
def test_a_node_that_cannot_run_is_named_and_the_rest_runs(kind, nodes, named, slot, message):
    document = with_healthy(nodes, output="v")
    run = compile(document).run()
    (fault,) = run.faults  # those behind it stay silent
    assert (fault.node, fault.kind, fault.slot) == (named, kind, slot)
    assert re.search(message, fault.message)
    assert run.value(named) is None and run.gradient(named) is None
    assert run.value("v") == np.sin(2.0) and run.gradient("u") == np.cos(2.0)
    assert all(run.value(name) is None for name in ("z",) if name in document.nodes)


@pytest.mark.parametrize(("kind", "nodes", "named", "slot", "message"), [(k, *case) for k, case in STATIC.items()])
def test_an_output_that_cannot_run_gives_no_gradients_and_no_further_fault(kind, nodes, named, slot, message):
    run = compile(with_healthy(nodes, output=named)).run()
    assert [fault.kind for fault in run.faults] == [kind]
    assert run.value("v") == np.sin(2.0) and run.gradient("u") is None
    assert [step.phase for step in run.timeline] == ["forward"]


@pytest.mark.parametrize(("kind", "nodes", "named", "message"), [(kind, *case) for kind, case in NUMERIC.items()])
def test_a_number_that_goes_bad_is_reported_where_it_was_born_and_everything_runs(kind, nodes, named, message):
    run = compile(with_healthy(nodes, output="y")).run()
    found = [fault for fault in run.faults if fault.kind == kind]
    assert [fault.node for fault in found] == [named]
    assert re.search(message, found[0].message), found[0].message
    assert all(run.value(name) is not None for name in run.plan.names)


def test_an_output_that_is_not_in_the_graph_is_a_fault():
    run = compile(Document(HEALTHY.nodes, output="gone")).run()
    (fault,) = run.faults
    assert (fault.node, fault.kind) == ("gone", "output")
    assert fault.message == "the output gone is not in the graph; choose another output"
    assert run.value("v") == np.sin(2.0)


def test_every_kind_that_is_documented_is_tested_here():
    assert {*Kind} - HINTS == {
        *STATIC,
        *NUMERIC,
        "output",
        "function",
        "recorded-value",
        "violated-guard",
    }  # in findings
    assert json.dumps(Kind.CYCLE) == '"cycle"'  # a plain text: files and machines read it


@pytest.mark.parametrize(
    ("attributes", "kind"),
    [({"axis": 5}, "shape"), ({"axis": "x"}, "shape"), ({"keepdims": True}, None), ({"colour": 1}, "attribute")],
)
def test_a_setting_that_does_not_fit_is_a_fault_of_its_node(attributes, kind):
    run = compile(Document({"x": leaf([1.0, 2.0]), "y": op("y", "sum", "x", **attributes)})).run()
    assert [fault.kind for fault in run.faults] == ([kind] if kind else [])


@pytest.mark.parametrize("setting", [None, 3, 1.5, "x", [], {}, [[1]], [1e400], {"a": 1}, True])
@pytest.mark.parametrize(
    ("name", "attribute"),
    [("sum", "axis"), ("sum", "keepdims"), ("reshape", "shape"), ("transpose", "axes"), ("getitem", "index")],
)
def test_whatever_a_file_holds_as_a_setting_never_raises(name, attribute, setting):
    run = compile(
        Document({"x": leaf([[1.0, 2.0]]), "y": op("y", name, "x", **{attribute: setting})}, output="y")
    ).run()
    assert (run.value("y") is None) == bool(run.faults)
    run.gradients  # noqa: B018


def test_two_faults_are_both_found():
    nodes = {"a": op("a", "sin", None), "b": op("b", "frobnicate"), "c": op("c", "add", "a", "b")}
    assert {(fault.node, fault.kind) for fault in compile(Document(nodes)).faults} == {
        ("a", "open-slot"),
        ("b", "unknown-operation"),
    }


def test_two_cycles_are_both_found():
    nodes = {"a": op("a", "sin", "a"), "b": op("b", "sin", "c"), "c": op("c", "sin", "b")}
    faults = compile(Document(nodes)).faults
    assert [fault.path for fault in faults] == [("a", "a"), ("b", "c", "b")]


def test_nodes_behind_a_cycle_have_no_value_and_no_fault_of_their_own():
    nodes = {"a": op("a", "sin", "a"), "b": op("b", "exp", "a")}
    run = compile(Document(nodes, output="b")).run()
    assert len(run.faults) == 1 and run.value("b") is None
