"""Ports, in Build or while a wire is dragged: the ends of wires, and those that fit; open slots and their labels."""

from __future__ import annotations

from collections.abc import Hashable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from cadena.core.functions.calls import operation
from cadena.core.graph.document import Node
from cadena.core.graph.edits import slot_count
from cadena.core.ops.primitive import REGISTRY
from cadena.gui.canvas.rendering.geometry import PORT_RADIUS, Port
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import RIGHT, width, write
from cadena.gui.look.theme import CAPTION, GAP

LIT, SNAPPED = 1.6, 2.1  # how much larger a fitting port is, and the one that would be taken


def paint(painter: QPainter, scene: Scene, name: str) -> None:
    """All ports of a node, in Watch those of open slots alone: dashed, with the operand that they wait for; a spare one
    with a plus."""
    node, are_shown = scene.document.nodes[name], shown(scene)
    if name in scene.geometry.folds:
        if are_shown:
            _paint_of_fold(painter, scene, name)
        return
    for slot in range(slot_count(node)):
        if not scene.geometry.has_port(name, slot):
            continue
        source = node.inputs[slot] if slot < len(node.inputs) else None
        at = scene.geometry.input_port(name, slot)
        if source not in scene.document.nodes and not is_spare(node, slot):
            _open(painter, scene, (name, slot), at, source)
        elif are_shown:
            _port(painter, scene, (name, slot), at)
            if source is None:
                _plus(painter, scene, at)
    if are_shown:
        _port(painter, scene, (name, None), scene.geometry.output_port(name))


def _paint_of_fold(painter: QPainter, scene: Scene, name: str) -> None:
    """The ports of a block or a frame; where hundreds would overlap, only as many as fit side by side."""
    last, lit = QPointF(), scene.decorations.lit_ports or ()
    for port in scene.geometry.ports_of(name):
        end, slot = port
        at = scene.geometry.output_port(end) if slot is None else scene.geometry.input_port(end, slot)
        if port in lit or (at - last).manhattanLength() >= PORT_RADIUS:
            _port(painter, scene, port, at)
            last = at


def shown(scene: Scene) -> bool:
    """Whether wires end in ports; otherwise in arrows."""
    return scene.has_ports or scene.decorations.lit_ports is not None


def is_spare(node: Node, slot: int) -> bool:
    """Whether this is the open slot that waits after the last wire of an operation with any number of operands."""
    return node.op in REGISTRY and REGISTRY[node.op].variadic and slot == len(node.inputs) > 0


def is_unfinished(node: Node) -> bool:
    """Whether a slot waits for an operand."""
    sources = [*node.inputs, *[None] * slot_count(node)][: slot_count(node)]
    return any(source is None and not is_spare(node, slot) for slot, source in enumerate(sources))


def _plus(painter: QPainter, scene: Scene, at: QPointF) -> None:
    """The sign in a port that may take one more operand, but need not."""
    arm = PORT_RADIUS * 0.5
    painter.setPen(QPen(scene.theme.color("muted"), 1.3 * scene.theme.line))
    painter.drawLine(at - QPointF(arm, 0.0), at + QPointF(arm, 0.0))
    painter.drawLine(at - QPointF(0.0, arm), at + QPointF(0.0, arm))


def key(scene: Scene, name: str) -> Hashable:
    """Equal for nodes whose ports look the same."""
    node, nodes, decorations, lights = scene.document.nodes[name], scene.document.nodes, scene.decorations, None
    if (lit := decorations.lit_ports) is not None:
        lights = tuple((port in lit, port == decorations.snap) for port in scene.geometry.ports_of(name))
    places = scene.geometry.port_key(name)
    if name in scene.geometry.folds:
        return places, lights, scene.live
    sources = tuple("" if source in nodes else source for source in node.inputs)
    return slot_count(node), places, scene.live, sources, lights


def is_dimmed(scene: Scene, port: Port) -> bool:
    """Whether a wire is being dragged that this port does not fit."""
    return scene.decorations.lit_ports is not None and port not in scene.decorations.lit_ports


def _radius(scene: Scene, port: Port) -> float:
    if port == scene.decorations.snap:
        return PORT_RADIUS * SNAPPED
    lit = scene.decorations.lit_ports
    return PORT_RADIUS * (LIT if lit is not None and port in lit else 1.0)


def _port(painter: QPainter, scene: Scene, port: Port, at: QPointF) -> None:
    theme, lit = scene.theme, scene.decorations.lit_ports
    fits = lit is not None and port in lit
    painter.setOpacity(0.35 if is_dimmed(scene, port) else 1.0)
    painter.setPen(QPen(theme.color("text" if fits else "wire"), (2.0 if fits else 1.4) * theme.line))
    painter.setBrush(theme.color("text" if port == scene.decorations.snap else "card"))
    radius = _radius(scene, port)
    painter.drawEllipse(at, radius, radius)
    painter.setOpacity(1.0)


def _open(painter: QPainter, scene: Scene, port: Port, at: QPointF, missing: str | None) -> None:
    theme, lit = scene.theme, scene.decorations.lit_ports
    fits = lit is not None and port in lit
    painter.setOpacity(0.35 if is_dimmed(scene, port) else 1.0)
    pen = QPen(theme.color("text" if fits else "fault" if missing else "border"), 1.8 * theme.line)
    pen.setDashPattern([1.9, 1.6])
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    painter.setBrush(theme.color("text" if port == scene.decorations.snap else "canvas"))
    radius = max(_radius(scene, port), PORT_RADIUS * 1.5)
    painter.drawEllipse(at, radius, radius)
    if scene.zoom * theme.type * CAPTION > 6.0:
        _label(painter, scene, port, at - QPointF(radius + GAP / 2, 0.0), missing)
    painter.setOpacity(1.0)


def _label(painter: QPainter, scene: Scene, port: Port, end: QPointF, missing: str | None) -> None:
    """The slot's name, left of its ring; of a wire from a node that is not there, that node's name."""
    name, slot = port
    primitive = operation(scene.document, scene.document.nodes[name].op)
    is_known = primitive is not None and slot is not None and (primitive.variadic or slot < len(primitive.slots))
    text = f"{missing}?" if missing else primitive.slot(slot or 0).label if primitive and is_known else f"slot {slot}"
    size = round(CAPTION * scene.theme.type)
    wide = width(text, size) + 2.0
    ground = QRectF(end.x() - wide, end.y() - size * 0.65, wide, size * 1.3)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(scene.theme.color("canvas", 0.85))
    painter.drawRoundedRect(ground.adjusted(-2.0, 0.0, 1.0, 0.0), 3.0, 3.0)
    write(painter, text, ground, size, scene.theme.color("fault" if missing else "muted"), align=RIGHT)
