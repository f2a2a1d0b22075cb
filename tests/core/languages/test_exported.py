"""The lines of nodes in exported programs."""

from __future__ import annotations

import re

import numpy as np
import pytest

import cadena
from cadena.core.graph.document import Document, Function, Node
from cadena.core.languages.export import export
from cadena.core.ops.shaping import parse_index
from cadena.core.teaching.lessons import open_lesson
from tests.core.graphs import graph
from tests.core.languages.programs import PROGRAMS

WRITTEN = (*PROGRAMS, "eigen")


@pytest.mark.parametrize("language", WRITTEN)
@pytest.mark.parametrize("lesson", ["1", "5", "8", "12"])
def test_each_node_of_a_program_has_the_line_that_computes_it_or_reads_its_number(language, lesson):
    document = open_lesson(lesson)
    exported = export(document, language)
    text = ["", *exported.text.split("\n")]
    assert set(document.nodes) <= set(exported.lines)
    for name, node in document.nodes.items():
        line = text[exported.lines[name]]
        assert re.match(rf"\s*(const \w+ )?{name}_? = ", line) or node.op == "constant", (name, line)


@pytest.mark.parametrize("language", WRITTEN)
def test_a_local_name_of_a_function_is_not_the_line_of_a_node(language):
    document = cadena.parse("x = 2; y = exp(x) * x; L = y + 1")
    body = {"y": Node("y", "multiply", ("u", "u"))}
    call = Node("z", "twice", ("L",))
    whole = Document(document.nodes | {"z": call}, output="z", functions={"twice": Function(("u",), body, "y")})
    exported = export(whole, language)
    assert "exp" in exported.text.split("\n")[exported.lines["y"] - 2]
    assert "* x" in exported.text.split("\n")[exported.lines["y"] - 1]


def test_texts_and_drawings_have_no_lines():
    assert not any(export(open_lesson("1"), language).lines for language in ("latex", "markdown", "dot", "graphml"))


@pytest.mark.parametrize(("index", "way"), [("[0, 0, 2]", "put(x, np.s_["), ("[2, 0]", "x.at["), ("1:", "x.at[")])
def test_jax_chose_one_of_several_values_for_an_element_another_one_for_the_gradient(index, way):
    """On a GPU: of L = sum(y * w) the gradient went to the first of the values, and the value was the last one's."""
    values = np.arange(np.arange(3)[parse_index(index)].size) + 7.0
    document = graph("L", x=[1.0, 2.0, 3.0], v=values, y=("index_put", "x", "v", {"index": index}), L=("sum", "y"))
    assert f"y = {way}" in export(document, "jax").text


@pytest.mark.parametrize(("part", "rows"), [(0, "0:2"), (1, "2:1"), (2, "1:4")])
def test_jax_refused_cuts_that_are_not_in_order(part, rows):
    """Its split takes no part of a negative size from version 0.11 on; numpy's has an empty part there."""
    cut = {"indices_or_sections": [2, 1], "part": part}
    document = graph("L", x=np.ones((4, 2)), y=("split", "x", cut), L=("sum", "y"))
    assert f"y = x[{rows}]\n" in export(document, "jax").text
