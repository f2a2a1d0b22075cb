"""The ports that fit a dragged wire: those that close no cycle and whose shapes, as far as known, fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import slot_count
from cadena.core.ops.primitive import REGISTRY, Primitive, Shape, ShapeError
from cadena.gui.canvas.picture.geometry import Port

Shapes = Mapping[str, Shape | None]


def fitting_ports(document: Document, shapes: Shapes, fixed: Port) -> tuple[Port, ...]:
    """The ports to which a wire from the port `fixed` may go; outputs for an input, inputs for an output."""
    return _inputs(document, shapes, fixed[0]) if fixed[1] is None else _outputs(document, shapes, *fixed)


def _inputs(document: Document, shapes: Shapes, source: str) -> tuple[Port, ...]:
    above = graph.ancestors(document, source)
    targets = (node for node in document.nodes.values() if node.name not in above)
    return tuple(
        (node.name, slot)
        for node in targets
        for slot in range(slot_count(node))
        if _fits(node, slot, shapes, shapes.get(source))
    )


def _outputs(document: Document, shapes: Shapes, target: str, slot: int | None) -> tuple[Port, ...]:
    below, node = graph.descendants(document, target), document.nodes[target]
    assert slot is not None
    return tuple(
        (name, None) for name in document.nodes if name not in below and _fits(node, slot, shapes, shapes.get(name))
    )


def _fits(node: Node, slot: int, shapes: Shapes, offered: Shape | None) -> bool:
    """Whether an operand of shape `offered` (None: not known) may go into `slot`."""
    return misfit(node, slot, shapes, offered) is None


def misfit(node: Node, slot: int, shapes: Shapes, offered: Shape | None) -> Exception | None:
    """What is wrong with an operand of shape `offered` in `slot`; None where nothing is, as far as it is known."""
    if node.op not in REGISTRY:
        return None
    count = slot_count(node)
    inputs = (tuple(node.inputs) + (None,) * count)[:count]
    operand_shapes = [shapes.get(source) if source is not None else None for source in inputs]
    operand_shapes[slot] = offered
    if REGISTRY[node.op].variadic and inputs[-1] is None and slot < count - 1:
        operand_shapes.pop()  # the spare slot: one more operand may come, but need not
    return _go_together(REGISTRY[node.op], operand_shapes, node)


def result_shape(node: Node, operand: Shape | None) -> Shape | None:
    """The shape that a node with this one operand has; None where that is not known."""
    if node.op not in REGISTRY or operand is None or not REGISTRY[node.op].takes(1):
        return None
    try:
        return REGISTRY[node.op].shape(operand, **REGISTRY[node.op].complete(dict(node.attributes)))
    except (ValueError, TypeError, OverflowError):
        return None


def _go_together(primitive: Primitive, operand_shapes: Sequence[Shape | None], node: Node) -> Exception | None:
    known = [shape for shape in operand_shapes if shape is not None]
    if primitive.elementwise and not any(known):  # numbers, and slots that nothing is known of
        return None
    if len(known) < len(operand_shapes) and not primitive.elementwise:
        return None
    try:
        attributes = primitive.complete(dict(node.attributes))
    except ShapeError:
        return None  # a setting is missing or wrong: not the wire's fault
    try:
        primitive.shape(*known, **attributes)
    except (ValueError, TypeError, OverflowError) as error:  # ShapeError, and what numpy says to odd attributes
        return error
    return None
