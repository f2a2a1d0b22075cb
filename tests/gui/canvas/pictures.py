"""Scenes to paint, and painted: the lessons, a graph with every fault, large random graphs."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage, QPainter

from cadena.core.front import compile
from cadena.core.graph.document import Document, Node, as_value
from cadena.gui.canvas.rendering import painting
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.painting import Layers
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.look.theme import THEMES


def parameter(name: str, value: Any) -> Node:
    return Node(name, "parameter", value=as_value(value))


def operation(name: str, op: str, *inputs: str | None) -> Node:
    return Node(name, op, inputs=inputs)


def graph(*nodes: Node, output: str | None = None, columns: int = 4) -> Document:
    """A document of these nodes on a grid, dtype float32 so that exp(100) is inf."""
    places = {node.name: (index % columns * 260.0, index // columns * 250.0) for index, node in enumerate(nodes)}
    return Document({node.name: node for node in nodes}, output, dtype="float32", layout=places)


def faulty() -> Document:
    """A graph in which every kind of fault occurs."""
    return graph(
        parameter("A", np.ones((3, 3))), parameter("B", np.ones((2, 4))), operation("M", "matmul", "A", "B"),
        parameter("x", 100.0), operation("inf_", "exp", "x"), parameter("z", 0.0), operation("q", "divide", "x", "z"),
        parameter("n", -2.0), operation("nan_", "log", "n"), operation("open", "add", "x", None),
        operation("unknown", "frobnicate", "x"), operation("c1", "add", "c2", "x"), operation("c2", "sin", "c1"),
        operation("missing", "sin", "ghost"), Node("no_value", "parameter"), operation("shapeless", "reshape", "A"),
        operation("many", "sin", "x", "x"), operation("root", "sqrt", "z"), operation("y", "add", "q", "root"),
        output="y",
    )  # fmt: skip


def random_graph(count: int, seed: int = 0) -> Document:
    """Sums of earlier nodes in columns of 50."""
    numbers = np.random.default_rng(seed)
    nodes = [parameter(f"n{index}", round(float(numbers.normal()), 3)) for index in range(50)]
    for index in range(50, count):
        sources = numbers.integers(max(0, index - 200), index - index % 50, 2)
        nodes.append(operation(f"n{index}", "add", *(f"n{source}" for source in sources)))
    places = {node.name: (index // 50 * 190.0, index % 50 * 96.0) for index, node in enumerate(nodes)}
    return Document({node.name: node for node in nodes}, f"n{count - 1}", layout=places)


def scene(document: Document, time: float | None = None, theme: str = "light", **other: Any) -> Scene:
    """The scene of a document at `time` (default: build mode), fitted into the view unless `camera` is given."""
    run = compile(document).run()
    geometry = Geometry(document, dict(zip(run.plan.names, run.plan.shapes, strict=True)))
    view = other.pop("view", QSizeF(800.0, 500.0))
    camera = other.pop("camera", Camera.fitted(geometry.bounds(), view))
    frame = run.timeline.frame(len(run.timeline) if time is None else time)
    live = other.pop("live", time is None)
    return Scene(document, geometry, frame, run.faults, THEMES[theme], camera, view, live=live, **other)


def paint(made: Scene, layers: Layers | None = None) -> QImage:
    """The scene as an image."""
    image = QImage(made.view.toSize(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painting.paint(painter, made, layers)
    painter.end()
    return image


def full_repaint(canvas: CanvasView) -> QImage:
    """What a canvas shows, painted with nothing kept."""
    image = QImage(canvas.size(), QImage.Format.Format_ARGB32_Premultiplied)
    with QPainter(image) as painter:
        painting.paint(painter, canvas.scene, Layers())
    return image


def grabbed(canvas: CanvasView) -> QImage:
    """What a canvas shows."""
    return canvas.grab().toImage().convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def pixels(image: QImage) -> np.ndarray:
    """Rows x columns x (blue, green, red, unused) of an image, 0 to 255."""
    return np.array(image.constBits()).reshape(image.height(), image.width(), 4).astype(int)


def count_of(image: QImage, color: str) -> int:
    """How many pixels have exactly this colour."""
    red, green, blue = (int(color[i : i + 2], 16) for i in (1, 3, 5))
    return int((pixels(image)[..., :3] == (blue, green, red)).all(axis=-1).sum())
