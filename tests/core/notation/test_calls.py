"""Names and calls, in plain text and in LaTeX."""

import pytest

import cadena
from cadena.core.graph.document import Document, Node
from cadena.core.notation.calls import call_with_numbers, latex_call, plain_call
from tests.core.notation.graphs import TWO_PATHS, graph, leaf


def test_a_call_uses_the_operands_names() -> None:
    assert plain_call(TWO_PATHS, "b1") == "w0 · a1"
    assert latex_call(TWO_PATHS, "L") == "15 - c"


def test_an_open_slot_shows_as_an_empty_box() -> None:
    assert plain_call(graph(Node("s", "add", (None, None)), output="s"), "s") == "□ + □"


def test_an_unknown_operation_is_written_as_a_function() -> None:
    document = graph(leaf("x", 1.0), Node("y", "wibble", ("x",)), output="y")
    assert plain_call(document, "y") == "wibble(x)"


def test_attributes_appear_where_the_notation_has_them() -> None:
    document = graph(leaf("x", [1.0, 2.0]), Node("y", "getitem", ("x",), attributes={"index": "1"}), output="y")
    assert plain_call(document, "y") == "x[1]"


def test_a_missing_attribute_does_not_break_the_call() -> None:
    document = graph(leaf("x", [1.0, 2.0]), Node("y", "getitem", ("x",)), output="y")
    assert plain_call(document, "y") == "x[?]"


def _nested(op: str, left: float, right: float) -> str:
    document = Document(
        {"a": leaf("a", left), "b": leaf("b", right), "y": Node("y", op, ("a", "b"))},
        output="y",
    )
    return call_with_numbers(cadena.compile(document).run(), "y").removesuffix(" =")


@pytest.mark.parametrize(
    ("op", "left", "right", "text"),
    [
        ("add", 2.0, -3.0, "2 + (−3)"),
        ("subtract", 2.0, -3.0, "2 − (−3)"),
        ("multiply", -2.0, -3.0, "(−2) · (−3)"),
        ("multiply", 2.0, 2e7, "2 · (2·10⁷)"),
        ("power", -2.0, 3.0, "(−2)^3"),
    ],
)
def test_numbers_get_parentheses_where_arithmetic_needs_them(op: str, left: float, right: float, text: str) -> None:
    assert _nested(op, left, right) == text


@pytest.mark.parametrize(
    ("op", "axis", "written"),
    [
        ("sum", None, r"\sum x"),
        ("sum", [0, 1], r"\sum x"),
        ("sum", 0, r"\sum_{\text{rows}} \, x"),
        ("sum", -1, r"\sum_{\text{columns}} \, x"),
        ("max", 1, r"\max_{\text{columns}} \, x"),
        ("mean", 0, r"\mathrm{mean}_{\text{rows}} \,\left(x\right)"),
    ],
)
def test_a_reduction_says_over_which_axes_it_goes(op: str, axis: object, written: str) -> None:
    """The sum of each row stood there as the sum of all elements."""
    matrix = leaf("x", [[1.0, 2.0], [3.0, 4.0]])
    run = cadena.compile(graph(matrix, Node("y", op, ("x",), attributes={"axis": axis}), output="y")).run()
    assert latex_call(run, "y") == written


def test_a_product_of_arrays_has_the_sign_of_one_element_by_element() -> None:
    vector, number = leaf("x", [1.0, 2.0]), leaf("a", 3.0)
    y, z = Node("y", "multiply", ("x", "x")), Node("z", "multiply", ("a", "y"))
    run = cadena.compile(graph(vector, number, y, z, output="z")).run()
    assert latex_call(run, "y") == r"x \odot x" and plain_call(run, "y") == "x ⊙ x"
    assert latex_call(run, "z") == r"a \cdot y"


def test_a_comparison_stands_in_brackets_before_its_result() -> None:
    run = cadena.compile(graph(leaf("a", 12.0), Node("y", "greater", ("a", "a")), output="y")).run()
    assert call_with_numbers(run, "y") == "(12 > 12) ="
