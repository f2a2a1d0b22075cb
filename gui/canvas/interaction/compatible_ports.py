"""The ports that fit a dragged wire: those that close no cycle and whose shapes, as far as known, fit."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain

from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import slot_count
from cadena.core.ops.primitive import REGISTRY, Primitive, Shape, ShapeError
from cadena.gui.canvas.rendering.geometry import Port

Shapes = Mapping[str, Shape | None]


class Fitting(Collection[Port]):
    """The ports to which a wire from the port `fixed` may go: outputs for an input, inputs for an output. Which of a
    node's fit is found when it is asked for: of ten thousand nodes few are in view."""

    def __init__(self, document: Document, shapes: Shapes, fixed: Port) -> None:
        self._document, self._shapes, self._fixed = document, shapes, fixed
        name, slot = fixed
        self._closing = (graph.ancestors if slot is None else graph.descendants)(document, name)  # a cycle
        self._known = dict[str, tuple[Port, ...]]()

    def seeks(self, port: Port) -> bool:
        """Whether a port is at the other side of a wire than the fixed one, fitting or not."""
        return (port[1] is None) != (self._fixed[1] is None)

    def of(self, name: str) -> tuple[Port, ...]:
        """The fitting ports of a node."""
        if name not in self._known:
            self._known[name] = () if name in self._closing else tuple(self._fitting(name))
        return self._known[name]

    def _fitting(self, name: str) -> Iterator[Port]:
        (fixed, into), nodes, shapes = self._fixed, self._document.nodes, self._shapes
        if into is not None:
            if misfit(nodes[fixed], into, shapes, shapes.get(name)) is None:
                yield name, None
            return
        for slot in range(slot_count(nodes[name])):
            if misfit(nodes[name], slot, shapes, shapes.get(fixed)) is None:
                yield name, slot

    def __contains__(self, port: object) -> bool:
        return isinstance(port, tuple) and port[0] in self._document.nodes and port in self.of(port[0])

    def __iter__(self) -> Iterator[Port]:
        """All of them, node by node."""
        return chain.from_iterable(map(self.of, self._document.nodes))

    def __len__(self) -> int:
        return sum(1 for _ in self)


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
