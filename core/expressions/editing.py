"""A node computed anew from an edited expression: its name stays, what uses it too, and so does what is still there."""

from __future__ import annotations

from dataclasses import replace

from msgspec.structs import replace as with_fields

from cadena.core.expressions.reading import Reader, Reading
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import remove


def redefined(document: Document, name: str, text: str) -> Reading:
    """`document` with node `name` computed as `text` says, which `writing.definition_of` wrote before it was edited.

    Operations and constants that fed this node alone are taken again where the text still asks for them, and removed
    where it does not; parameters and inputs stay, used or not. Raises Misread, a Refused, for a mistake.
    """
    own = own_nodes(document, name)
    constants = [one for one in graph.ancestors(document, name) if document.nodes[one].op == "constant"]
    reader = Reader(text, document, name, {one: document.nodes[one] for one in (*own, *constants)})
    reader.read()
    new = reader.sketch.nodes
    made = new[name]
    old = document.nodes[name]
    root = with_fields(old, op=made.op, inputs=made.inputs, attributes=made.attributes, value=made.value)
    others = {one: node for one, node in new.items() if one != name}
    nodes: dict[str, Node] = {}
    for one, node in document.nodes.items():
        nodes |= {**others, name: root} if one == name else {one: node}
    changed = replace(document, nodes=nodes)
    needed = graph.ancestors(changed, name)
    unused = [one for one in own if one not in needed]
    return Reading(remove(changed, unused), {**others, name: root}, name, tuple(unused))


def own_nodes(document: Document, name: str) -> dict[str, Node]:
    """The operations and constants that feed node `name` and nothing else; the output feeds the user too."""
    ancestors = graph.ancestors(document, name)
    own = {name}
    for one in reversed(graph.order(document)[0]):
        node = document.nodes[one]
        is_kept = one == document.output or node.op in ("parameter", "input")
        if one in ancestors and not is_kept and all(consumer in own for consumer, _ in document.consumers[one]):
            own.add(one)
    return {one: document.nodes[one] for one in document.nodes if one in own and one != name}
