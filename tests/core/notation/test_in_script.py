"""Elements of a script as people read them, and lines of nodes."""

from __future__ import annotations

import pytest

import cadena
from cadena.core.graph.document import Document, Function, Node
from cadena.core.graph.edits import rename
from cadena.core.methods.choosing import computed_timeline
from cadena.core.methods.names import METHODS, Method
from cadena.core.methods.reverse.derivation import derivation
from cadena.core.methods.reverse.step_text import local_label, step_latex, step_sentence, step_title
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.notation.in_script import line_of, line_of_fault, line_text, shown_name, with_shown_names
from cadena.core.notation.names import latex_name

SCRIPT = {"labels": {"w_0": "w[0]", "w_1": "w[1]"}, "lines": {"w": 3, "w_0": 4, "w_1": 4, "L": 4}}


def elements(script: object = SCRIPT) -> Document:
    document = cadena.parse("w = [2, 5]; w_0 = w[0]; w_1 = w[1]; L = w_0 * w_1")
    return Document(document.nodes, output="L", extra={"script": script})


def test_an_element_is_read_by_its_index():
    document = elements()
    assert [shown_name(document, name) for name in document.nodes] == ["w", "w[0]", "w[1]", "L"]
    assert with_shown_names(document, "∂L/∂w_0 = w_1, not w_01") == "∂L/∂w[0] = w[1], not w_01"
    assert shown_name(rename(document, "w", "v"), "w_0") == "v[0]"
    assert shown_name(document, "elsewhere") == "elsewhere"


def test_only_a_part_of_another_node_is_read_so():
    number = Document({"w_0": Node("w_0", "parameter", value=1.0)}, extra={"script": SCRIPT})
    assert shown_name(number, "w_0") == "w_0"
    circle = {name: Node(name, "getitem", (source,), attributes={"index": "0"}) for name, source in ("ab", "ba")}
    assert shown_name(Document(circle, extra={"script": {"labels": {"a": "", "b": ""}}}), "a") in ("a[0][0]", "b[0][0]")


@pytest.mark.parametrize("script", [None, 3, {"labels": 3, "lines": ["w"]}, {"lines": {"L": "four"}}])
def test_a_file_may_hold_anything_where_a_script_stands(script):
    document = elements(script)
    assert shown_name(document, "w_0") == "w_0" and line_of(document, "L") == 0


def test_the_steps_of_every_method_name_elements_by_their_index_and_the_line():
    """Titles named w_0, and no line."""
    run = cadena.compile(elements()).run()
    for name in METHODS:
        timeline = computed_timeline(run, Method(name), lambda: False)
        for index in range(len(timeline)):
            told = (step_title(timeline, index), step_sentence(timeline, index), step_latex(timeline, index))
            assert not any("w_0" in text or "w_1" in text or "w_{" in text.replace("{w}_{", "") for text in told), told
    assert step_title(Timeline(run), 0) == "w[0] is the part [0] of w, line 4: 2."
    assert local_label(run, "L", 0) == "∂L/∂w[0] = w[1] = 5"
    assert derivation(run, "w_0") == [(r"L = w[0] \cdot w[1]", r"\frac{\partial L}{\partial w[0]} = w[1] = 5")]


def test_nodes_of_a_capture_had_no_line():
    inner = {"r": Node("r", "log", ("a",), line="models/block.py:7")}
    nodes = {
        "w": Node("w", "parameter", value=0.0),
        "k": Node("k", "constant", value=1.0),
        "block": Node("block", "f", ("w",), line="train.py:20"),
        "loss": Node("loss", "add", ("block", "k"), line="train.py:21"),
    }
    document = Document(nodes, output="loss", functions={"f": Function(("a",), inner, "r")})
    assert [line_text(document, name) for name in ("block", "k", "w")] == [
        "line 20 of train.py",
        "line 21 of train.py",  # a number has the line of the operation that reads it
        "",
    ]
    run = cadena.compile(document).run()
    assert line_of_fault(document, run.faults[0]) == "line 7 of models/block.py"
    assert "line 21 of train.py: " in step_title(Timeline(run), 3)
    assert line_text(rename(document, "block", "b"), "b") == "line 20 of train.py"


@pytest.mark.parametrize(
    "line", ["train.py", ":", "train.py:x", "train.py:²", f"train.py:{'9' * 5000}", f"{'x' * 5000}:1"]
)
def test_a_file_may_hold_any_text_as_a_line(line):
    document = Document({"y": Node("y", "constant", value=1.0, line=line)})
    assert line_text(document, "y") == ""


def test_an_index_in_latex_stands_beside_the_name():
    assert latex_name("alpha[0, 1]") == r"\alpha[0, 1]" and latex_name("layer[1:]") == r"\mathrm{layer}[1:]"
