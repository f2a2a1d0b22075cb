"""The lines of nodes in exported programs."""

from __future__ import annotations

import re

import pytest

import cadena
from cadena.core.dialects.export import PROGRAMS, export
from cadena.core.graph.document import Document, Function, Node
from cadena.core.lessons import open_lesson

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
