"""A graph as a picture for a notebook, without a window: the cards of the page, still, with all numbers.

Some places show pictures and run no program, so what the page's program draws is drawn once more here, from the same
boxes, curves and cells.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element, SubElement

import numpy as np

from cadena.core.front import compile
from cadena.core.functions.calls import operation
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.core.graph.recorded import RECORDED, lost_gradient
from cadena.core.html_page.drawing import boxes_of, look_of, paths, wires_of
from cadena.core.layout.arrange import INSET, MAP_GAP, TITLE, WORD, complete, shapes_of
from cadena.core.methods.reverse.timeline import Frame, Line
from cadena.core.notation.in_script import shown_name
from cadena.core.ops.primitive import Shape
from cadena.core.text.numbers import shape_text
from cadena.core.text.plain_text import cleaned, elided

MAX_CARDS = 400  # in a larger picture nobody finds anything
MARGIN, TAB, HEAD = 24.0, 22.0, 10.0
VALUE = 28 / 58  # of what is below the title: the row of the value
CELL, RADIUS, LEAF_RADIUS = (84.0, 26.0), 9.0, 18.0
MAX_LETTERS, LETTER = 26, 0.6  # of a text; the width of a letter, in ems
LEAST_TYPE, LEAST_CELL = 8.0, (16.0, 12.0)
EMPTY = Line("value", "value"), Line("gradient", "gradient")
# The colours of the window's light theme. They stand at each shape: a style sheet would reach over a whole notebook.
COLORS = {
    "canvas": "#f5f6f8", "card": "#ffffff", "parameter": "#e3eefa", "hairline": "#dfe3e9", "border": "#808a98",
    "wire": "#848e9c", "text": "#12161b", "muted": "#525c69", "ink": "#1b2028", "on_ink": "#ffffff",
    "value": "#0060a8", "gradient": "#ad4a00", "gradient_strong": "#ba4b00", "gradient_ground": "#fdeada",
    "fault": "#a3206f", "fault_ground": "#fbe6f2", "heat_zero": "#ffffff", "value_low": "#46389a",
    "value_high": "#2b8fd6", "gradient_low": "#7a3b10", "gradient_high": "#ef9a2e",
}  # fmt: skip


def svg(document: Document, results: bool = True) -> str:
    """The graph as SVG, after a run of it, or before; a remark in place of one that is too large."""
    count = len(document.nodes)
    if count > MAX_CARDS:
        picture = _framed(np.array([[0.0, 0.0, 320.0, 48.0]]))
        _write(picture, 0.0, 20.0, f"{count} nodes", 15.0)
        _write(picture, 0.0, 42.0, "cadena.show draws them", 13.0, "muted")
        return ElementTree.tostring(picture, "unicode")
    document = complete(document)
    frame = _frame(document, results)
    plan = frame.run.plan if frame else None
    shapes = shapes_of(document) if plan is None else dict(zip(plan.names, plan.shapes, strict=True))
    boxes = boxes_of(document, shapes)
    picture = _framed(boxes)
    _draw_wires(picture, document, boxes, frame)
    for node, box in zip(document.nodes.values(), boxes.tolist(), strict=True):
        lines = frame.lines(node.name) if frame else EMPTY
        _Card(picture, document, node, box, shapes.get(node.name) or ()).draw(lines)
    return ElementTree.tostring(picture, "unicode")


def _frame(document: Document, results: bool) -> Frame | None:
    """The moment after all steps, or before the first; None where the graph cannot run."""
    try:
        timeline = compile(document).run().timeline
        return timeline.frame(len(timeline) if results else 0)
    except Refused:
        return None


def _draw_wires(picture: Element, document: Document, boxes: np.ndarray, frame: Frame | None) -> None:
    """The wires, ending in arrowheads; those that have carried a gradient back in its colour."""
    wires = wires_of(document)
    carried = {wire for wire, step in frame.timeline.wire_steps.items() if step < frame.landed} if frame else ()
    for (_, target, slot), path in zip(wires, paths(document, wires, boxes, neck=HEAD), strict=True):
        color, width = ("gradient_strong", 2.6) if (target, slot) in carried else ("wire", 1.8)
        x, y = map(float, path.split()[-2:])
        line = {"fill": "none", "stroke": COLORS[color], "stroke-width": str(width)}
        SubElement(picture, "path", line, d=path)
        head = f"M{x + HEAD:.1f} {y:.1f}l{-1.3 * HEAD:g} {-HEAD / 2:g}l{0.3 * HEAD:g} {HEAD / 2:g}"
        SubElement(picture, "path", fill=COLORS[color], d=f"{head}l{-0.3 * HEAD:g} {HEAD / 2:g}z")


class _Card:
    """One card: its name and operation over its value and its gradient."""

    def __init__(self, picture: Element, document: Document, node: Node, box: list[float], shape: Shape) -> None:
        self._document, self._node, self._shape, (left, top, right, bottom) = document, node, shape, box
        self._group = SubElement(picture, "g", transform=f"translate({left:.0f} {top:.0f})")
        self._width, self._height = right - left, bottom - top
        self._radius = LEAF_RADIUS if node.is_leaf else RADIUS
        self._inset = INSET + (2.0 if node.is_leaf and not shape else 0.0)

    def draw(self, lines: tuple[Line, Line]) -> None:
        """Draw the card with these two lines."""
        why = self._node.extra[RECORDED] if lost_gradient(self._node) else None
        ground = "fault_ground" if why else "parameter" if self._node.op == "parameter" else "card"
        middle = TITLE + (self._height - TITLE) * (0.5 if self._shape else VALUE)
        edges = [0.0, TITLE, middle, self._height]
        grounds = (ground, *("gradient_ground" if _is_tinted(line) else "card" for line in lines))
        SubElement(self._group, "path", fill=COLORS["card"], d=self._band(0.0, self._height))
        for color, (top, bottom) in zip(grounds, pairwise(edges), strict=True):
            if color != "card":
                SubElement(self._group, "path", fill=COLORS[color], d=self._band(top, bottom))
        for y in edges[1:3]:
            SubElement(self._group, "path", stroke=COLORS["hairline"], d=f"M0 {y:.1f}h{self._width:.0f}")
        size = {"width": f"{self._width:.0f}", "height": f"{self._height:.0f}", "rx": f"{self._radius:g}"}
        edge = {"fill": "none", "stroke": COLORS["border"], "stroke-width": "1.4"}
        outline = SubElement(self._group, "rect", size, **edge)
        if why:
            SubElement(outline, "title").text = cleaned(str(why))
        self._draw_title()
        for line, (top, bottom) in zip(lines, pairwise(edges[1:]), strict=True):
            self._draw_row(line, top, bottom)
        if self._node.name == self._document.output:
            self._draw_tab()

    def _band(self, top: float, bottom: float) -> str:
        """The part of the rounded card between two heights."""
        over, under = (self._radius if is_end else 0.0 for is_end in (top == 0.0, bottom == self._height))

        def corner(radius: float, x: float, y: float) -> str:
            return f"a{radius:g} {radius:g} 0 0 1 {x:g} {y:g}" if radius else ""

        upper = f"M0 {_short(top + over)}{corner(over, over, -over)}H{_short(self._width - over)}"
        right = f"{corner(over, over, over)}V{_short(bottom - under)}{corner(under, -under, under)}"
        return f"{upper}{right}H{under:g}{corner(under, -under, -under)}z"

    def _draw_title(self) -> None:
        right, kind = self._width - self._inset, self._draw_kind()
        name = elided(shown_name(self._document, self._node.name), MAX_LETTERS)
        room = right - self._inset - kind
        taken = _write(self._group, self._inset, 21.0, name, 16.0, weight=600, room=room)
        text = shape_text(self._shape) if self._shape else ""
        if text and taken + 8.0 + _width(text, 12.0) <= room:  # behind the name, wherever that ends
            look = {"font-size": "12", "font-weight": "400", "fill": COLORS["muted"], "dx": "6"}
            SubElement(self._group[-1], "tspan", look).text = text

    def _draw_kind(self) -> float:
        """The kind of the node at the right of its title. Returns the room that it takes."""
        right, node = self._width - self._inset, self._node
        if node.op == "parameter":
            knobs = f"M{right - 16} 11h8M{right - 2.8} 11h2.8M{right - 16} 19h2.8M{right - 8} 19h8"
            mark = {"fill": "none", "stroke": COLORS["muted"], "stroke-width": "1.5"}
            SubElement(self._group, "path", mark, d=knobs)
            for x, y in ((right - 5.4, 11.0), (right - 10.6, 19.0)):
                SubElement(self._group, "circle", mark, cx=f"{x:g}", cy=f"{y:g}", r="2.6")
            return 22.0
        record = operation(self._document, node.op)
        symbol = node.op if node.is_leaf or record is None else record.symbol
        size = 12.0 if node.is_leaf else 16.0 if re.fullmatch(r"[\w ]+", symbol) else 21.0
        color, room = "muted" if node.is_leaf else "text", self._width / 2
        return 6.0 + _write(self._group, right, 21.0, elided(symbol, MAX_LETTERS), size, color, 500, room, "end")

    def _draw_row(self, line: Line, top: float, bottom: float) -> None:
        label = line.role if _is_tinted(line) else "muted"
        look: dict[str, Any] = {"text": "·" if line.expected else "–"}
        if line.number is not None:
            look = look_of(np.asarray(line.number), line.digits)
        if self._shape:
            _write(self._group, self._inset, top + 14.0, line.label, 12.0, label)
            self._draw_map(line.role, look, top + WORD, bottom - MAP_GAP)
            return
        right, base = self._width - self._inset, (top + bottom) / 2 + 7.0
        word = _width(line.label, 12.0)
        room = right - self._inset
        is_long = 0.8 * _width(look["text"], 20.0, 700) > room - word - 6.0  # a number goes before its word
        color = "muted" if line.number is None else line.role if np.isfinite(line.number).all() else "fault"
        _write(self._group, right, base, look["text"], 20.0, color, 700, room if is_long else room - word - 6.0, "end")
        if not is_long:
            _write(self._group, self._inset, base - 2.5, line.label, 12.0, label)

    def _draw_map(self, role: str, look: dict[str, Any], top: float, bottom: float) -> None:
        """The cells of an array; the mark that there is none in its room."""
        levels, room = look.get("levels"), self._width - 2 * self._inset
        middle = (top + bottom) / 2
        if not levels or not levels[0]:
            _write(self._group, self._width / 2, middle + 7.0, look["text"], 20.0, "muted", 700, room, "middle")
            return
        wide, tall = min(room / len(levels[0]), CELL[0]), min((bottom - top) / len(levels), CELL[1])
        left, top = (self._width - wide * len(levels[0])) / 2, middle - tall * len(levels) / 2
        texts = look.get("texts") if wide >= LEAST_CELL[0] and tall >= LEAST_CELL[1] else None
        for row, line in enumerate(levels):
            for column, level in enumerate(line):
                x, y, ground = left + column * wide, top + row * tall, _heat(role, level)
                SubElement(self._group, "rect", _place(x, y, wide, tall), fill=f"rgb{ground}", stroke=COLORS["card"])
                if texts:
                    ink = "#000000" if _is_bright(ground) else "#ffffff"
                    _write(self._group, x + wide / 2, y + tall / 2 + 4.6, texts[row][column], 13.0, ink, 400,
                           wide - 6.0, "middle")  # fmt: skip
        frame = _place(left, top, wide * len(levels[0]), tall * len(levels))
        SubElement(self._group, "rect", frame, fill="none", stroke=COLORS[role], **{"stroke-width": "1.4"})

    def _draw_tab(self) -> None:
        right, left = self._width - self._radius, self._width - self._radius - 62.0
        shape = f"M{left:.0f} 0v-16a6 6 0 0 1 6-6H{right - 6:.0f}a6 6 0 0 1 6 6v16z"
        SubElement(self._group, "path", fill=COLORS["ink"], d=shape)
        _write(self._group, (left + right) / 2, -7.0, "output", 12.0, "on_ink", 600, 62.0, "middle")


def _is_tinted(line: Line) -> bool:
    return line.role == "gradient" and not line.empty


def _heat(role: str, level: float | None) -> tuple[int, ...]:
    """Red, green and blue of a cell, from the middle of its scale to its ends; the fault's for what is no number."""
    if level is None:
        return _rgb("fault")
    zero, end = _rgb("heat_zero"), _rgb(f"{role}_{'low' if level < 0 else 'high'}")
    return tuple(round(start + (stop - start) * abs(level)) for start, stop in zip(zero, end, strict=True))


def _rgb(role: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(COLORS[role][1:]))


def _is_bright(ground: tuple[int, ...]) -> bool:
    """Whether black reads better on it than white."""
    red, green, blue = (float((part / 255) ** 2.2) for part in ground)
    return (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05) ** 2 > 1.05 * 0.05


def _width(text: str, size: float, weight: int = 400) -> float:
    """About how wide a text is: no font is known here."""
    return len(text) * size * LETTER * (1.05 if weight > 500 else 1.0)


def _write(
    parent: Element,
    x: float,
    y: float,
    text: str,
    size: float,
    color: str = "text",
    weight: int = 400,
    room: float = 1e9,
    anchor: str = "start",
) -> float:
    """Write a text, smaller where its room is narrow, and shortened as a last resort. Returns how wide it is."""
    text = cleaned(text)
    size = min(size, max(LEAST_TYPE, size * room / max(_width(text, size, weight), 1.0)))
    text = elided(text, max(int(room / _width("n", size, weight)), 1))
    look = {"fill": COLORS.get(color, color), "font-size": _short(size), "x": _short(x), "y": _short(y)}
    look |= {"font-weight": str(weight)} if weight != 400 else {}
    look |= {"text-anchor": anchor} if anchor != "start" else {}
    SubElement(parent, "text", look).text = text
    return _width(text, size, weight)


def _short(number: float) -> str:
    """A place or a size to a tenth of a pixel."""
    return f"{number:.1f}".removesuffix(".0")


def _place(x: float, y: float, width: float, height: float) -> dict[str, str]:
    return {"x": _short(x), "y": _short(y), "width": _short(width), "height": _short(height)}


def _framed(boxes: np.ndarray) -> Element:
    """An empty picture around these boxes, with a margin and room for the output's tab."""
    boxes = boxes if len(boxes) else np.zeros((1, 4))
    left, top = boxes[:, :2].min(axis=0) - (MARGIN, MARGIN + TAB)
    right, bottom = boxes[:, 2:].max(axis=0) + MARGIN
    seen = _place(left, top, right - left, bottom - top)
    size = {"width": seen["width"], "height": seen["height"], "viewBox": " ".join(seen.values())}
    font = {"font-family": "Inter,system-ui,sans-serif"}
    picture = Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, **font})
    SubElement(picture, "rect", seen, fill=COLORS["canvas"])
    return picture
