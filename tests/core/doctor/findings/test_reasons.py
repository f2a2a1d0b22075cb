"""Why a gradient is None or 0: each kind of reason is named with its operation, and what to do."""

from __future__ import annotations

from dataclasses import replace

from cadena.core.doctor.findings.reasons import Reasons, why_none
from cadena.core.front import compile
from cadena.core.graph.document import Backward, Function, Node
from cadena.core.graph.unconnected import UNCONNECTED
from tests.core.graphs import chain, graph


def why(document, name="w"):
    return " | ".join(why_none(compile(document).run(), name))


KINDS = {
    "a leaf that nothing reads": ({"w": 1.0, "v": 2.0, "L": ("exp", "v")}, "None: no operation reads it"),
    "a leaf of another branch": ({"w": 1.0, "a": ("exp", "w"), "v": 2.0, "L": ("exp", "v")}, "None: it leads to a"),
    "a constant": ({"w": ("constant", 1.0), "v": 1.0, "L": ("multiply", "v", "w")}, "None: it is a constant; make it"),
    "an input": ({"w": ("input", 1.0), "v": 1.0, "L": ("multiply", "v", "w")}, "None: it is an input for which"),
    "a comparison": ({"w": 1.0, "v": 2.0, "m": ("greater", "w", "v"), "L": ("exp", "m")}, "greater in m has no"),
    "argmax": ({"w": [1.0, 2.0], "m": ("argmax", "w"), "L": ("exp", "m")}, "argmax in m has no gradient"),
    "floor": ({"w": 1.5, "L": ("floor", "w")}, "0: floor in L has no gradient: its result jumps"),
    "sign, from further below": ({"w": 1.5, "a": ("sin", "w"), "L": ("sign", "a")}, "0: sign in L has no gradient"),
    "a condition": (
        {"w": 1.5, "v": 2.0, "L": ("where", "w", "v", "v")}, "where in L only reads w to choose, and no gradient",
    ),
    "stop_gradient": (
        {"w": 1.5, "h": ("stop_gradient", "w"), "L": ("exp", "h")}, "None: stop_gradient in h counts its operand w",
    ),
    "a dead relu": ({"w": -2.0, "L": ("relu", "w")}, "0: relu in L is closed: its operand w = −2 is not positive"),
    "tanh far out": ({"w": 40.0, "L": ("tanh", "w")}, "0: tanh in L is saturated at w = 40: its slope is 0 in float64"),
    "a factor of 0": ({"w": 3.0, "b": 0.0, "L": ("multiply", "w", "b")}, "0: multiply in L multiplies by b = 0"),
    "a matrix of 0": ({"w": [[3.0]], "b": [[0.0]], "L": ("matmul", "w", "b")}, "0: matmul in L multiplies by b = 0"),
    "contributions that cancel": (
        {"w": 3.0, "L": ("subtract", "w", "w")}, "0: its contributions cancel: 1 of L and −1 of L add up to 0",
    ),
    "elements that cancel": (
        {"w": 3.0, "k": ("constant", [1.0, -1.0]), "m": ("multiply", "w", "k"), "L": ("sum", "m")},
        "the contributions of multiply in m add up to 0 over the elements that w was broadcast to",
    ),
    "shares of one sum": ({"w": [1.0, 1.0], "s": ("softmax", "w"), "L": ("sum", "s")}, "always add up to 1"),
    "a convention": ({"w": 0.0, "L": ("abs", "w")}, "counts as 0 at w = 0 (At 0 the derivative is 0, as in PyTorch"),
    "a parabola, explained by the rule for 0 to the power 0": (
        {"w": 0.0, "k": ("constant", 2.0), "L": ("power", "w", "k")},
        "the derivative of power in L is 0 at w = 0; set w to a place where it has a slope",
    ),
    "the other operand of maximum": ({"w": 0.0, "v": 1.0, "L": ("maximum", "w", "v")}, "L does not choose w = 0"),
    "a product that underflows": (
        {"w": 1.0, "k": ("constant", 1e-200), "a": ("multiply", "w", "k"), "L": ("multiply", "a", "k")},
        "is 0 in float64; scale the output up",
    ),
}  # fmt: skip


def test_every_kind_of_none_and_0_is_explained_by_the_operation_at_which_the_gradient_ends():
    wrong = {kind: why(graph(**nodes)) for kind, (nodes, said) in KINDS.items() if said not in why(graph(**nodes))}
    assert not wrong


def test_a_custom_gradient_that_gives_0_is_named_with_its_function():
    back = {"k": Node("k", "constant", value=0.0), "z": Node("z", "multiply", ("g", "k"))}
    function = Function(("x",), {"y": Node("y", "exp", ("x",))}, "y", Backward(("x", "y", "g"), back, ("z",)))
    document = replace(graph(w=1.0, L=("f", "w")), functions={"f": function})
    assert "the custom gradient of f in L gives w none, or 0; correct" in why(document)


def test_a_gradient_that_is_there_has_no_reason():
    document = graph(w=[1.0, 0.0], L=("sum", "w"), M=("sin", "L"))
    assert why(document) == "" and Reasons(compile(document).run()).leaves() == []


def test_the_line_of_the_script_stands_with_the_node_and_the_operation():
    script = {"name": "a.py", "lines": {"w": 2, "L": 3}}
    document = replace(graph(w=-2.0, L=("relu", "w")), extra={"script": script})
    assert why(document).startswith("the gradient of w (line 2 of a.py) is 0: relu in L (line 3 of a.py) is closed")


def test_a_note_of_the_import_is_told_and_anything_else_in_its_place_is_not():
    document = graph(w=1.0, v=2.0, L=("exp", "v"))
    note = {"reason": "detach", "line": 4, "call": "a.detach()", "source": "a"}
    for extra, said in (
        (note, "a.detach() in line 4 of the script takes the value out of the graph; use a itself"),
        ({"reason": "teleport"}, "no operation reads it"),
        (7, "no operation reads it"),
    ):
        noted = Node("w", "parameter", value=1.0, extra={UNCONNECTED: extra})
        assert said in why(replace(document, nodes={**document.nodes, "w": noted}))


def test_a_graph_of_20000_nodes_is_walked_once():
    document = chain(20_000)
    nodes = {**document.nodes, "k": Node("k", "constant", value=0.0)}
    nodes["L"] = Node("L", "multiply", (document.output, "k"))
    assert "multiply in L multiplies by k = 0" in why(replace(document, nodes=nodes, output="L"), "x")


def test_a_value_that_a_line_takes_out_of_the_graph_is_told_with_the_words_of_the_line():
    script = {"name": "a.py", "lines": {"w": 1, "h": 2}, "text": "w = leaf()\nh = torch.tensor(w.item())\nL = h.exp()"}
    document = replace(graph(w=1.5, h=("stop_gradient", "w"), L=("exp", "h")), extra={"script": script})
    assert "None: line 2 of a.py takes w out of the graph (h = torch.tensor(w.item())); use w itself there" in why(
        document
    )
