"""The shapes that pages and still pictures share: boxes of cards, curves of wires, the cells of an array."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.reroutes import points_of
from cadena.core.layout.arrange import card_size
from cadena.core.layout.routing import bend, detours, port_shares, through, wire_ends
from cadena.core.ops.primitive import Shape
from cadena.core.text.numbers import shape_text, short

MAX_CELLS = 24  # rows or columns of an array that are drawn; of larger ones an even choice
SlotWire = tuple[str, str, int]  # source, target, slot


def boxes_of(document: Document, shapes: Mapping[str, Shape | None]) -> np.ndarray:
    """Left, top, right, bottom of each card of a document with a place for each node."""
    boxes = np.zeros((len(document.nodes), 4))
    for number, (name, node) in enumerate(document.nodes.items()):
        x, y = document.layout[name]
        width, height = card_size(node, shapes.get(name))
        boxes[number] = x, y, x + width, y + height
    return boxes


def wires_of(document: Document) -> list[SlotWire]:
    """The wires between nodes that are there."""
    return [
        (source, target.name, slot)
        for target in document.nodes.values()
        for slot, source in enumerate(target.inputs)
        if source is not None and source in document.nodes
    ]


def paths(document: Document, wires: Sequence[SlotWire], boxes: np.ndarray, neck: float = 0.0) -> Iterator[str]:
    """The curve of each wire, around cards in its way, as the path of an SVG; it ends `neck` before its card."""
    if not wires:
        return
    numbers = {name: number for number, name in enumerate(document.nodes)}
    rows = np.array([(numbers[source], numbers[target], slot) for source, target, slot in wires])
    slots = np.array([max(len(node.inputs), 1) for node in document.nodes.values()], dtype=float)
    ends = wire_ends(boxes, rows, port_shares(rows[:, 1], rows[:, 2], slots))
    ends[:, 2] -= neck
    controls = np.column_stack(bend(ends[:, 2] - ends[:, 0], ends[:, 3] - ends[:, 1]))
    led = detours(ends, controls, rows, boxes)
    for row, ((x1, y1, x2, y2), (reach, sag)) in enumerate(zip(ends.tolist(), controls.tolist(), strict=True)):
        if points := points_of(document, wires[row][1:]):
            curves = through([(x1, y1), *points, (x2, y2)])
            yield _path("M", x1, y1, *(part for curve in curves for part in ("C", *curve)))
        elif (detour := led.get(row)) is None:
            yield _path("M", x1, y1, "C", x1 + reach, y1 + sag, x2 - reach, y2 + sag, x2, y2)
        else:
            yield _path("M", x1, y1, *(part for curve in detour.curves for part in ("C", *curve)))


def _path(*parts: str | float) -> str:
    """Commands and places of a path, rounded to what can be seen."""
    return " ".join(part if isinstance(part, str) else f"{part:.1f}".removesuffix(".0") for part in parts)


def look_of(number: np.ndarray, digits: int) -> dict[str, Any]:
    """A number as text; an array as cells with levels from -1 to 1, and their texts where all of them are drawn."""
    if number.ndim == 0:
        return {"text": short(number, digits)}
    columns = number.shape[-1] if number.ndim > 1 else number.size
    matrix = number.reshape(number.size // max(columns, 1) if number.ndim > 1 else 1, columns)
    picks = [np.linspace(0, size - 1, min(size, MAX_CELLS)).astype(int) for size in matrix.shape]
    cells = matrix[np.ix_(*picks)].astype(float)
    finite = np.isfinite(cells)
    largest = float(np.abs(cells[finite]).max(initial=0.0)) or 1.0
    levels = [
        [round(cell / largest, 2) if math.isfinite(cell) else None for cell in row] for row in cells.tolist()
    ]  # fmt: skip
    look: dict[str, Any] = {"text": short(number), "shape": shape_text(number.shape), "levels": levels}
    if cells.size == number.size:
        look["texts"] = [[short(cell, digits) for cell in row] for row in cells.tolist()]
    return look
