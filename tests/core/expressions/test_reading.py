from __future__ import annotations

import tracemalloc
from contextlib import suppress

import numpy as np
import pytest

import cadena
from cadena.core.expressions.reading import parse, read
from cadena.core.expressions.syntax import Misread
from cadena.core.graph.document import Document, Node, as_array
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph


def made(text: str, document: Document | None = None) -> dict[str, tuple]:
    """The nodes that a text makes: operations with their operands and attributes, leaves with their kind and value."""
    return {
        name: (node.op, *node.inputs, *([dict(node.attributes)] if node.attributes else []))
        if not node.is_leaf
        else (node.op, as_array(node.value).tolist())
        for name, node in read(text, document).new.items()
    }


def test_an_expression_makes_a_graph_in_which_new_names_are_parameters():
    document = cadena.parse("L = (w*x + b - y)**2; y_hat = sigmoid(w @ x)")
    assert document.output == "y_hat"
    assert [name for name, node in document.nodes.items() if node.op == "parameter"] == ["w", "x", "b", "y"]
    run = cadena.compile(document, "L").run({"w": 2.0, "x": 3.0, "b": 1.0, "y": 4.0})
    assert run.value("L") == 9.0 and run.gradient("w") == 18.0
    assert made("L = (w*x + b)**2") == {
        "w": ("parameter", 1.0),
        "x": ("parameter", 1.0),
        "multiply1": ("multiply", "w", "x"),
        "b": ("parameter", 1.0),
        "add1": ("add", "multiply1", "b"),
        "k0": ("constant", 2.0),
        "L": ("power", "add1", "k0"),
    }


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("w = 2.5", 2.5),
        ("w = -2", -2.0),
        ("w = 1/4", 0.25),
        ("w = [[1, 2], [3, -4]]", [[1, 2], [3, -4]]),
        ("w = (1, 2)", [1, 2]),
        ("w = pi", np.pi),
        ("w = -inf", -np.inf),
        ("w = 2*np.pi", 2 * np.pi),
        ("w = parameter(2)", 2.0),
        ("w = np.array([1, 2])", [1, 2]),
        ("w = 1_000", 1000.0),
        ("w = 0x10", 16.0),
    ],
)
def test_a_number_or_a_list_on_the_right_makes_a_parameter(text, value):
    assert made(text) == {"w": ("parameter", value)}


def test_the_other_kinds_of_leaves_are_said_by_name():
    assert made("x = input([1, 2])") == {"x": ("input", [1.0, 2.0])}
    assert made("k = constant(3)") == {"k": ("constant", 3.0)}
    assert parse("x = input(1, gradient=True)").nodes["x"].gradient


def test_names_of_known_nodes_are_reused_and_the_output_stays():
    lesson = open_lesson("1")
    document = parse("M = L**2 + w0", lesson)
    assert set(document.nodes) - set(lesson.nodes) == {"M", "k0", "power1"}
    assert document.nodes["power1"].inputs == ("L", "k0")
    assert document.output == "L" and document.layout == lesson.layout and document.title == lesson.title


def test_equal_numbers_become_one_constant():
    assert [name for name in made("y = 2*x**2 + 2*z + 0.5*x") if name.startswith("k")] == ["k0", "k1"]


def test_arithmetic_of_numbers_is_one_number_and_powers_are_not_computed():
    assert made("y = 1/2*x") == {"k0": ("constant", 0.5), "x": ("parameter", 1.0), "y": ("multiply", "k0", "x")}
    assert [item[0] for item in made("y = 10**10**10").values()] == ["constant", "power", "power"]


@pytest.mark.parametrize("text", ["x = [0]*10**9", "x = 10**10**10", "x = 2**100000000*y", "x = 'a'*10**9", "9" * 4000])
def test_what_would_be_huge_is_never_computed(text):
    tracemalloc.start()
    with suppress(Refused):
        parse(text)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 5_000_000


@pytest.mark.parametrize(
    ("text", "node"),
    [
        ("sum(x, axis=0, keepdims=True)", ("sum", "x", {"axis": 0, "keepdims": True})),
        ("sum(x, 0)", ("sum", "x", {"axis": 0})),
        ("np.sum(x, 0)", ("sum", "x", {"axis": 0})),
        ("numpy.exp(x)", ("exp", "x")),
        ("torch.nn.functional.relu(x)", ("relu", "x")),
        ("F.softmax(x, dim=0)", ("softmax", "x", {"axis": 0})),
        ("tf.math.exp(x)", ("exp", "x")),
        ("ln(x)", ("log", "x")),
        ("Sigmoid(x)", ("sigmoid", "x")),
        ("x.sum()", ("sum", "x")),
        ("x.sum(axis=(0, 1))", ("sum", "x", {"axis": [0, 1]})),
        ("x.T", ("transpose", "x")),
        ("x.mT", ("swapaxes", "x", {"axis1": -1, "axis2": -2})),
        ("x.reshape(2, -1)", ("reshape", "x", {"shape": [2, -1]})),
        ("reshape(x, (2, 3))", ("reshape", "x", {"shape": [2, 3]})),
        ("x.transpose(1, 0)", ("transpose", "x", {"axes": [1, 0]})),
        ("clip(x, 0, inf)", ("clip", "x", {"min": 0, "max": np.inf})),
        ("x[0]", ("getitem", "x", {"index": "0"})),
        ("x[:,  1:]", ("getitem", "x", {"index": ":, 1:"})),
        ("x[..., None, [0, -1]]", ("getitem", "x", {"index": "..., None, [0, -1]"})),
        ("split(x, 3)[1]", ("split", "x", {"indices_or_sections": 3, "part": 1})),
        ("split(x, 3, part=2)", ("split", "x", {"indices_or_sections": 3, "part": 2})),
        ("np.linalg.svd(x)[0]", ("svd", "x", {"part": 0})),
        ("concatenate([x, x], axis=1)", ("concatenate", "x", "x", {"axis": 1})),
        ("np.concatenate((x, x), 1)", ("concatenate", "x", "x", {"axis": 1})),
        ("concatenate(x, x)", ("concatenate", "x", "x")),
        ("einsum('ij,j', x, x)", ("einsum", "x", "x", {"subscripts": "ij,j"})),
        ("mse_loss(x, x, reduction='sum')", ("mse_loss", "x", "x", {"reduction": "sum"})),
        ("astype(x, np.float32)", ("astype", "x", {"dtype": "float32"})),
        ("[x, x]", ("stack", "x", "x")),
        ("x % x", ("remainder", "x", "x")),
        ("x // x", ("floor_divide", "x", "x")),
        ("-x", ("negative", "x")),
        ("+x", ("positive", "x")),
        ("x · x", ("multiply", "x", "x")),
        ("x − x", ("subtract", "x", "x")),
        ("np.array([1, 2]) @ x", ("matmul", "k0", "x")),
        ("torch.tensor([1.0, 2.0]) @ x", ("matmul", "k0", "x")),
        ("where(x, x, x)", ("where", "x", "x", "x")),
        ("x if x else x", ("where", "x", "x", "x")),
    ],
)
def test_what_people_write_is_the_operation_that_they_mean(text, node):
    document = graph(x=[[1.0, 2.0], [3.0, 4.0]])
    assert made(f"y = {text}", document)["y"] == node


def test_a_synonym_is_the_operation():
    for record in REGISTRY.values():
        operands = [f"a{slot}" for slot in range(len(record.slots))]
        needed = [f"{one.name}={EXAMPLES[one.name]}" for one in record.attributes if one.name in EXAMPLES]
        for synonym in filter(str.isidentifier, record.synonyms):
            assert made(f"y = {synonym}({', '.join([*operands, *needed])})")["y"][0] == record.name


EXAMPLES = {"shape": "[1]", "kernel_size": "2"}


def test_every_operation_can_be_called_by_its_name():
    for record in REGISTRY.values():
        example = next((one[-1] for one in record.examples if isinstance(one[-1], dict)), {})
        given = record.complete(example) if record.attributes else {}
        words = [f"{name}={value!r}" for name, value in given.items()]
        operands = [f"a{slot}" for slot in range(len(record.slots))]
        assert made(f"y = {record.name}({', '.join([*operands, *words])})")["y"][0] == record.name


@pytest.mark.parametrize("sign", ["<", "<=", ">", ">=", "==", "!="])
@pytest.mark.parametrize("left", [-1.0, 0.0, 2.0])
@pytest.mark.parametrize("right", ["0", "2", "x"])
def test_a_comparison_chooses_as_python_does(sign, left, right):
    document = parse(f"x = 2; a = {left}; y = 10 if a {sign} {right} else 20")
    expected = 10.0 if eval(f"{left} {sign} {right}", {"x": 2.0}) else 20.0
    assert cadena.compile(document).run().value("y") == expected


def test_the_functions_of_a_document_are_called_by_name():
    lesson = open_lesson("8")
    assert made("z = one_over_exp(2*x)", lesson)["z"] == ("one_over_exp", "multiply1")


def test_statements_stand_in_lines_or_between_semicolons_with_comments_and_indents():
    text = """
        # a line
        w = 2   # its weight
        y = (w
             * x); z = y + w
    """
    assert list(made(text)) == ["w", "x", "y", "z"]
    assert parse(text).output == "z"


def test_an_expression_without_a_name_gets_one_as_new_nodes_do():
    assert list(made("log2(x) + log2(y)")) == ["x", "log2_1", "y", "log2_2", "add1"]
    assert list(made("add1 = x; add1 + x"))[-1] == "add2"


def test_another_name_for_a_node_is_a_node_that_changes_nothing():
    assert made("y = x") == {"x": ("parameter", 1.0), "y": ("positive", "x")}


def test_names_of_any_script_are_read_as_python_reads_them():
    assert list(made("größe = Δ*ﬁ")) == ["Δ", "fi", "größe"]
    odd = Document({"ﬁ": Node("ﬁ", "parameter", value=3.0)})
    assert made("y = ﬁ + ﬁ", odd) == {"y": ("add", "ﬁ", "ﬁ")}


def test_ten_thousand_lines_are_read():
    lines = ["x0 = 1", *(f"x{number} = sin(x{number - 1}) + 1" for number in range(1, 10_000))]
    assert len(parse("\n".join(lines)).nodes) == 1 + 2 * 9_999 + 1


def test_what_a_caller_left_of_the_stack_is_no_traceback():
    def deep(count: int) -> str:
        if count:
            return deep(count - 1)
        with pytest.raises(Misread, match="nested"):
            parse("y = " + "sin(" * 50 + "x" + ")" * 50)
        return "refused"

    depth = next(count for count in range(900, 0, -1) if _survives(count))
    assert deep(depth - 60) == "refused"


def _survives(count: int) -> bool:
    def down(left: int) -> None:
        if left:
            down(left - 1)

    try:
        down(count)
    except RecursionError:
        return False
    return True


def test_a_mistake_has_its_place_as_data():
    with pytest.raises(Misread) as caught:
        parse("  w = 2\n  L = w*größe + sigmiod(x)")
    refusal = caught.value
    assert (refusal.line, refusal.column, refusal.piece) == (2, 17, "sigmiod")
    assert str(refusal.mistake) == "there is no operation sigmiod; did you mean sigmoid?"
    assert str(refusal) == "line 2, column 17: sigmiod: there is no operation sigmiod; did you mean sigmoid?"


def test_a_comparison_was_read_as_the_arithmetic_of_signs_and_not_written_back():
    from cadena.core.expressions.writing import expression_of

    document = parse("w = 2.0; y = where(w > 1, w, -w)")
    assert [node.op for node in document.nodes.values() if not node.is_leaf] == ["greater", "negative", "where"]
    assert ">" in expression_of(document, "y")
