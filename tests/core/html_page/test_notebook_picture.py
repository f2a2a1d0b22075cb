"""The picture of a graph that a notebook shows."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

import cadena
from cadena.core.capture.captured import Captured
from cadena.core.graph.document import Document, Node
from cadena.core.html_page.notebook_picture import MAX_CARDS, svg

SVG = "{http://www.w3.org/2000/svg}"


def texts(document: Document) -> list[str]:
    return [str(item.text) for item in ElementTree.fromstring(svg(document)).iter(f"{SVG}text")]


def test_a_picture_has_names_operations_values_and_gradients():
    shown = texts(cadena.parse("w = 3.0\nL = w**2"))
    assert {"w", "parameter", "3", "6", "L", "9"} <= set(shown)


def test_cards_stand_inside_the_picture_and_wires_join_them():
    root = ElementTree.fromstring(svg(cadena.parse("w = [1.0, 2.0]\nb = 1.0\nL = sum(w * b + w)")))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    cards = list(root.iter(f"{SVG}rect"))[1:]
    for card in cards:
        assert left < float(card.attrib["x"]) and float(card.attrib["x"]) + float(card.attrib["width"]) < left + width
        assert top < float(card.attrib["y"]) and float(card.attrib["y"]) + float(card.attrib["height"]) < top + height
    assert len(cards) == 5 and len(list(root.iter(f"{SVG}path"))) == 5


def test_a_recorded_value_stands_out_and_says_why():
    node = Node("k_recorded", "constant", value=2.0, extra={"recorded": "i0: <holds> the recorded value"})
    document = cadena.parse("w = 3.0\nL = w * k_recorded", Document({"k_recorded": node}))
    captured = Captured(document, np.array(6.0), notes=("i0: <holds> the recorded value",))
    root = ElementTree.fromstring(captured._repr_svg_())
    assert [item.text for item in root.iter(f"{SVG}title")] == ["i0: <holds> the recorded value"]
    html = captured._repr_html_()
    assert "<p>i0: &lt;holds&gt; the recorded value</p>" in html and "<holds>" not in html


def test_names_from_a_file_are_text_and_nothing_else():
    document = cadena.parse("w = 3.0\nL = w * 2")
    document = replace(document, nodes={**document.nodes, "L": Node("L", "<script>alert()", inputs=("w",))})
    assert "<script" not in svg(document)
    ElementTree.fromstring(svg(document))


def test_a_large_graph_is_a_sentence():
    nodes = {f"n{index}": Node(f"n{index}", "constant", value=1.0) for index in range(MAX_CARDS + 1)}
    assert texts(Document(nodes))[0] == f"{MAX_CARDS + 1} nodes"


def test_a_document_without_values_or_output_has_a_picture():
    assert "w" in texts(Document({"w": Node("w", "parameter")}))
    assert texts(Document({})) == []
