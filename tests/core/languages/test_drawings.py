from __future__ import annotations

import io
import re
import shutil
import subprocess
from dataclasses import replace

import networkx as nx
import pytest

from cadena.core.graph.frames import put_into_frame, set_color
from cadena.core.graph.memos import add_memo
from cadena.core.languages.export import export
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.core.graphs import graph

SQUARE = graph(x=[1.0, 2.0], y=("multiply", "x", "x"))


def read(document):
    return nx.read_graphml(io.BytesIO(export(document, "graphml").text.encode()), force_multigraph=True)


def test_graphml_has_every_node_with_its_numbers_and_every_wire_with_its_slot():
    found = read(SQUARE)
    assert found.nodes["y"] == {
        "op": "multiply",
        "value": "[1.0, 4.0]",
        "gradient": "[1.0, 1.0]",
        "shape": "vector of 2",
    }
    assert [(one, two, data["slot"], data["operand"]) for one, two, data in found.edges(data=True)] == [
        ("x", "y", 0, "left"),
        ("x", "y", 1, "right"),
    ]


@pytest.mark.parametrize("number", [str(lesson.number) for lesson in lessons()])
def test_every_lesson_keeps_its_nodes_and_wires(number):
    document = open_lesson(number)
    wires = sum(len(node.inputs) for node in document.nodes.values())
    found, drawn = read(document), export(document, "dot").text
    assert (set(found), found.number_of_edges()) == (set(document.nodes), wires)
    assert len(re.findall(r'^    "', drawn, re.MULTILINE)) == len(document.nodes) + wires


def test_a_title_that_means_something_is_only_text():
    document = replace(SQUARE, title='a "quote" \\ and\nmore <b>\x01')
    drawn = export(document, "dot").text.splitlines()
    assert drawn[0] == 'digraph "a \\"quote\\" \\\\ and more <b>\N{REPLACEMENT CHARACTER}" {'
    assert read(document).graph["title"] == 'a "quote" \\ and more <b> '


def test_dot_draws_leaves_round_and_the_output_with_two_borders():
    drawn = export(graph(x=2.0, y=("exp", "x")), "dot").text
    assert '"x" [label="x\\n2\\ngradient 7.389056", shape=ellipse];' in drawn
    assert '"y" [label="y = exp\\n7.389056\\ngradient 1", peripheries=2];' in drawn
    assert '"x" -> "y";' in drawn


def test_what_the_output_does_not_need_is_drawn_too():
    assert '"z"' in export(graph("y", x=2.0, y=("exp", "x"), z=("sin", "x")), "dot").text


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is missing; apt-get install graphviz")
@pytest.mark.parametrize("number", [str(lesson.number) for lesson in lessons()])
def test_graphviz_draws_every_node_and_wire(number):
    document = open_lesson(number)
    drawn = _drawn(document)
    wires = sum(len(node.inputs) for node in document.nodes.values())
    assert (drawn.count('class="node"'), drawn.count('class="edge"')) == (len(document.nodes), wires)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is missing; apt-get install graphviz")
@pytest.mark.parametrize("title", ['a "b" \\', "<b>x</b>", "a\nb", "}; evil -> node {", "\\N \\G", "ñ ∂", "&amp;"])
def test_graphviz_takes_any_title(title):
    drawn = _drawn(replace(SQUARE, title=title, output="y"))
    assert (drawn.count('class="node"'), drawn.count('class="edge"')) == (2, 2)


def _drawn(document):
    done = subprocess.run(
        ["dot", "-Tsvg"], input=export(document, "dot").text, capture_output=True, text=True, check=True
    )
    assert not done.stderr
    return done.stdout


def test_frames_are_clusters_and_notes_are_drawn():
    framed = set_color(put_into_frame(SQUARE, ["y"], 'a "layer"'), 'a "layer"', 2)
    drawn = export(add_memo(framed, "# Why\nbecause $x^2$", (0.0, 0.0)), "dot").text
    assert 'subgraph cluster_0 {\n        label="a \\"layer\\""; labeljust=l;' in drawn
    assert '        fillcolor="#e3f7f3"; color="#39c6a7";\n        "y";\n    }' in drawn
    assert '    "note 0" [shape=note, label="# Why\\lbecause $x^2$\\l"];' in drawn
    assert read(framed).nodes["y"]["frame"] == 'a "layer"' and "frame" not in read(framed).nodes["x"]
    assert "cluster" not in export(SQUARE, "dot").text
