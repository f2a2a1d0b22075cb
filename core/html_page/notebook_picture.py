"""A graph as a picture for a notebook, without a window: cards with values and gradients, in columns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from cadena.core.front import Run, compile
from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.recorded import RECORDED, lost_gradient
from cadena.core.layout.arrange import arrange
from cadena.core.text.numbers import short
from cadena.core.text.plain_text import cleaned, elided

Box = tuple[tuple[float, float], tuple[float, float]]  # the left top corner of a card, and its size
MAX_CARDS = 400  # in a larger picture nobody finds anything
WIDTH, LINE, MARGIN = 184.0, 17.0, 16.0
MAX_LETTERS = 26
# The colours of the window's light theme. They stand at each shape: a style sheet would reach over a whole notebook.
FILLS = {"name": "#12161b", "operation": "#525c69", "value": "#0060a8", "gradient": "#ad4a00"}
GROUNDS = {"parameter": "#e3eefa", "input": "#eef0f4", "constant": "#eef0f4", "recorded": "#fbe6f2", "": "#ffffff"}
FUNCTION, BORDER, WIRE, OUTPUT, GROUND = "#fdeada", "#808a98", "#848e9c", "#12161b", "#f5f6f8"


def svg(document: Document) -> str:
    """The graph as SVG, after a run of it; a remark in place of one that is too large."""
    count = len(document.nodes)
    if count > MAX_CARDS:
        picture = _framed(2 * WIDTH, 48.0)
        _write(picture, 0.0, 20.0, "operation", f"{count} nodes")
        _write(picture, 0.0, 40.0, "operation", "cadena.show draws them")
        return ElementTree.tostring(picture, "unicode")
    run = _run(document)
    cards = {name: _lines(document, node, run) for name, node in document.nodes.items()}
    sizes = {name: (WIDTH, LINE * len(lines) + 12.0) for name, lines in cards.items()}
    places = arrange(document, sizes).layout
    right, bottom = (max((places[name][axis] + sizes[name][axis] for name in cards), default=0.0) for axis in (0, 1))
    picture = _framed(right, bottom)
    for name, node in document.nodes.items():
        for slot, source in enumerate(node.inputs):
            if source is not None and source in places:
                below = (slot + 1) / (len(node.inputs) + 1)
                _draw_wire(picture, (places[source], sizes[source]), (places[name], sizes[name]), below)
    for name, lines in cards.items():
        _draw_card(picture, document, name, lines, (places[name], sizes[name]))
    return ElementTree.tostring(picture, "unicode")


def _run(document: Document) -> Run | None:
    try:
        run = compile(document).run()
        if document.output is not None:
            run.gradient(document.output)
    except Refused:
        return None
    return run


def _lines(document: Document, node: Node, run: Run | None) -> list[tuple[str, str]]:
    """The lines of a card: class and text."""
    record = operation(document, node.op)
    title = node.op if record is None else record.title
    lines = [("name", node.name), ("operation", title)]
    if run is not None and (value := run.value(node.name)) is not None:
        lines.append(("value", _number(value)))
        gradient = None if document.output is None else run.gradient(node.name)
        if gradient is not None:
            lines.append(("gradient", _number(gradient)))
    return lines


def _number(value: Any) -> str:
    """A number, or the shape of an array and the range of its elements."""
    array = np.asarray(value)
    if array.ndim == 0:
        return short(value)
    low, high = (short(float(end), 3) for end in (array.min(), array.max())) if array.size else ("", "")
    return f"{'×'.join(map(str, array.shape))}: {low} … {high}"


def _draw_wire(picture: Element, start: Box, end: Box, below: float) -> None:
    """A wire from the right of a card to the left of another, at a part of its height."""
    (left, top), (width, height) = start
    x0, y0, x1, y1 = left + width, top + height / 2, end[0][0], end[0][1] + end[1][1] * below
    bend = max((x1 - x0) / 2, 24.0)
    curve = f"M{x0:.0f} {y0:.0f}C{x0 + bend:.0f} {y0:.0f} {x1 - bend:.0f} {y1:.0f} {x1:.0f} {y1:.0f}"
    SubElement(picture, "path", fill="none", stroke=WIRE, d=curve)


def _draw_card(picture: Element, document: Document, name: str, lines: Sequence[tuple[str, str]], place: Box) -> None:
    node, (at, size) = document.nodes[name], place
    why = node.extra[RECORDED] if lost_gradient(node) else None
    kind = "recorded" if why else node.op if node.is_leaf else ""
    ground = FUNCTION if node.op in document.functions else GROUNDS[kind]
    edge = {"stroke": OUTPUT, "stroke-width": "2"} if name == document.output else {"stroke": BORDER}
    card = SubElement(picture, "rect", _box(*at, *size), rx="6", fill=ground, **edge)
    if why:
        SubElement(card, "title").text = cleaned(str(why))
    for row, (style, text) in enumerate(lines):
        _write(picture, at[0] + 10.0, at[1] + 18.0 + LINE * row, style, text)


def _box(x: float, y: float, width: float, height: float) -> dict[str, str]:
    return {"x": f"{x:.0f}", "y": f"{y:.0f}", "width": f"{width:.0f}", "height": f"{height:.0f}"}


def _write(picture: Element, x: float, y: float, style: str, text: str) -> None:
    weight = {"font-weight": "600"} if style == "name" else {}
    font = {"font-family": "system-ui,sans-serif", "font-size": "12", "fill": FILLS[style], **weight}
    SubElement(picture, "text", font, x=f"{x:.0f}", y=f"{y:.0f}").text = elided(cleaned(text), MAX_LETTERS)


def _framed(width: float, height: float) -> Element:
    """An empty picture with a margin."""
    wide, high = width + 2 * MARGIN, height + 2 * MARGIN
    seen = " ".join(f"{item:.0f}" for item in (-MARGIN, -MARGIN, wide, high))
    size = {"width": f"{wide:.0f}", "height": f"{high:.0f}"}
    picture = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, "viewBox": seen})
    SubElement(picture, "rect", _box(-MARGIN, -MARGIN, wide, high), fill=GROUND)
    return picture
