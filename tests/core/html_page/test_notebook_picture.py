"""The picture of a graph that a notebook shows."""

from __future__ import annotations

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

import cadena
from cadena.core.capture.captured import Captured
from cadena.core.front import compile
from cadena.core.graph.document import Document, Node
from cadena.core.html_page.content import content
from cadena.core.html_page.notebook_picture import MAX_CARDS, svg
from cadena.core.teaching.lessons import open_lesson

SVG = "{http://www.w3.org/2000/svg}"


def texts(document: Document) -> list[str]:
    return [str(item.text) for item in ElementTree.fromstring(svg(document)).iter(f"{SVG}text")]


def test_a_picture_has_names_operations_values_and_gradients():
    shown = texts(cadena.parse("w = 3.0\nL = w**2"))
    assert {"w", "3", "6", "L", "9", "output"} <= set(shown)


def outlines(root: ElementTree.Element) -> list[tuple[float, float, float, float]]:
    """Left, top, right, bottom of each card."""
    boxes = []
    for group in root.iter(f"{SVG}g"):
        left, top = map(float, group.attrib["transform"].removeprefix("translate(").removesuffix(")").split())
        size = next(rect for rect in group.iter(f"{SVG}rect") if rect.get("rx")).attrib
        boxes.append((left, top, left + float(size["width"]), top + float(size["height"])))
    return boxes


def test_cards_stand_inside_the_picture_and_wires_join_them():
    root = ElementTree.fromstring(svg(cadena.parse("w = [1.0, 2.0]\nb = 1.0\nL = sum(w * b + w)")))
    left, top, width, height = map(float, root.attrib["viewBox"].split())
    cards = outlines(root)
    for card in cards:
        assert left < card[0] and card[2] < left + width and top < card[1] and card[3] < top + height
    wires = [path for path in root.findall(f"{SVG}path") if path.get("fill") == "none"]
    assert len(cards) == 5 and len(wires) == 5


def test_cards_are_those_of_the_page():
    """They had a size and an order of lines of their own."""
    document = open_lesson("1")
    boxes = {tuple(node["box"]) for node in content(compile(document).run().timeline)["nodes"]}
    cards = outlines(ElementTree.fromstring(svg(document)))
    assert {(left, top, right - left, bottom - top) for left, top, right, bottom in cards} == boxes
    assert {"−254", "−28", "161", "constant", "×"} <= set(texts(document))


def test_an_array_has_its_cells_with_their_numbers_and_a_gradient_that_is_none_has_a_dash():
    root = ElementTree.fromstring(svg(cadena.parse("w = [0.5, -2.0]\nL = sum(w)")))
    assert "vector of 2" in {item.text for item in root.iter(f"{SVG}tspan")}
    assert {"0.5", "−2", "value", "gradient"} <= {str(item.text) for item in root.iter(f"{SVG}text")}
    assert "–" in texts(open_lesson("1"))


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
