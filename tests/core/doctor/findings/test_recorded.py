"""What a capture could not express or keep is told where a user looks: among the hints and the faults."""

import cadena
from cadena.core.doctor.findings.hints import hints
from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.recorded import DETACHED, GRADIENTS_OFF
from cadena.core.rewriting.function_edits import make_function

WHY = "torch.special.i0 is no operation of Cadena"
OPAQUE = {"recorded": f"i0: holds the recorded value, and no gradient goes through it: {WHY}"}


def _graph(extra: dict[str, str]) -> Document:
    nodes = (
        Node("w", "parameter", value=3.0),
        Node("i", "constant", value=2.0, extra=extra),
        Node("p", "multiply", ("w", "i")),
        Node("y", "add", ("p", "w")),
    )
    return Document({node.name: node for node in nodes}, output="y")


def test_a_recorded_value_was_told_nowhere_in_the_window():
    (hint,) = hints(cadena.compile(_graph(OPAQUE)).run())
    assert (hint.node, hint.kind, hint.severity) == ("i", "recorded-value", "hint")
    assert hint.message.startswith("i: holds the value of the captured run, and no gradient goes through it: ")
    assert WHY in hint.message


def test_one_inside_a_function_is_told_at_its_call():
    document = make_function(_graph(OPAQUE), ["i", "p", "y"], "layer")
    (hint,) = hints(cadena.compile(document).run())
    assert hint.node == "y" and hint.message.startswith("y: inside layer, i holds the value of the captured run")


def test_a_value_without_a_gradient_of_its_own_is_no_loss():
    for reason in (DETACHED, f"mv: holds the recorded value: {GRADIENTS_OFF}"):
        assert hints(cadena.compile(_graph({"recorded": reason})).run()) == ()


def test_a_summary_is_told_with_its_shape_statistics_and_sample():
    kept = {"shape": [50, 8], "mean": 0.5, "std": 2.0, "min": -3.0, "max": 4.0, "sample": [1.0, 2.0, 3.0, 4.0, 5.0]}
    for extra, told in (
        ({"summary": kept}, "only a summary was kept of its 50 × 8 elements: mean 0.5, standard deviation 2, from −3"),
        ({"summary": "large"}, "w has no value"),
        ({"summary": {"shape": 3}}, "w has no value"),
    ):
        document = Document({"w": Node("w", "parameter", extra=extra)}, output="w")
        (fault,) = cadena.compile(document).run().faults
        assert fault.kind == "no-value" and told in fault.message
    assert "beginning with 1, 2, 3 and 4" in _summary(kept)


def _summary(kept: dict[str, object]) -> str:
    document = Document({"w": Node("w", "parameter", extra={"summary": kept})}, output="w")
    return cadena.compile(document).run().faults[0].message


def calls_of_calls(count: int, last: str) -> Document:
    """Functions of which each calls the next one twice, beside a graph that runs."""
    functions = {}
    for number in range(count):
        called = f"D{number + 1}" if number + 1 < count else last
        nodes = {"y": Node("y", called, ("x",)), "z": Node("z", called, ("y",))}
        functions[f"D{number}"] = Function(("x",), nodes, "z")
    nodes = (Node("x", "parameter", value=0.5), Node("y", "sin", ("x",)), Node("q", "D0", ("x",)))
    return Document({node.name: node for node in nodes}, output="y", functions=functions)


def test_a_function_that_is_called_twice_was_walked_twice_and_those_in_it_four_times():
    """36 functions that call each other twice were walked 2^36 times: the window stood still for good."""
    assert hints(cadena.compile(calls_of_calls(36, "sin")).run()) == ()


def test_a_function_that_calls_itself_was_walked_without_end():
    run = cadena.compile(calls_of_calls(3, "D0")).run()
    assert hints(run) == () and [fault.node for fault in run.faults] == ["q"]
