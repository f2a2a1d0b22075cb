"""Redefine a node by an edited expression, keeping its name, its consumers, and the nodes that are still there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from msgspec.structs import replace as with_fields

from cadena.core.expressions.reading import Reader, Reading
from cadena.core.graph import order as graph
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import remove


def redefined(document: Document, name: str, text: str) -> Reading:
    """`document` with node `name` computed as `text` says, which `writing.definition_of` wrote before it was edited.

    Operations and constants that fed this node alone are taken again where the text still asks for them, or for much
    the same in their place, and removed where it does not. Parameters and inputs stay, used or
    not. Raises Misread, a Refused, for a mistake.
    """
    own = own_nodes(document, name)
    constants = [one for one in graph.ancestors(document, name) if document.nodes[one].op == "constant"]
    reader = Reader(text, document, name, {one: document.nodes[one] for one in (*own, *constants)})
    reader.read()
    needed = _reached(document, reader.sketch.nodes, name)
    spare = [document.nodes[one] for one in own if one not in needed]
    new = _with_old_names(document, reader.sketch.nodes, spare, reader.assigned)
    before = {one: node for one, node in new.items() if one not in document.nodes}
    nodes: dict[str, Node] = {}
    for one, node in document.nodes.items():
        nodes |= {**before, name: new[name]} if one == name else {one: new.get(one, node)}
    unused = [one for one in own if one not in needed and one not in new]
    return Reading(remove(replace(document, nodes=nodes), unused), new, name, tuple(unused))


def _reached(document: Document, new: Mapping[str, Node], name: str) -> set[str]:
    """The nodes that node `name` needs with the `new` ones in place."""
    return graph.ancestors(replace(document, nodes={**document.nodes, **new}), name)


def _with_old_names(
    document: Document, new: Mapping[str, Node], spare: list[Node], assigned: Collection[str]
) -> dict[str, Node]:
    """The new nodes; one that the text gives no name takes that of a spare node whose place it takes: of another
    operation on the same operands, of the same on some of them, or of another number."""
    names: dict[str, str] = {}
    redirected: dict[str, Node] = {}
    for node in new.values():
        inputs = tuple(names.get(str(source), source) for source in node.inputs)
        is_named = node.name in document.nodes or node.name in assigned
        old = None if is_named else next((one for one in spare if _is_alike(one, node.op, inputs)), None)
        if old is not None:
            spare.remove(old)
            names[node.name] = old.name
        name = names.get(node.name, node.name)
        extra = document.nodes[name].extra if name in document.nodes else node.extra
        redirected[name] = with_fields(node, name=name, inputs=inputs, extra=extra)
    return redirected


def _is_alike(old: Node, op: str, inputs: tuple[str | None, ...]) -> bool:
    if not inputs:
        return old.op == op == "constant"
    return old.inputs == inputs or (old.op == op and not set(old.inputs).isdisjoint(inputs))


def own_nodes(document: Document, name: str) -> dict[str, Node]:
    """The operations and constants that feed node `name` and nothing else; the output feeds the user too."""
    ancestors = graph.ancestors(document, name)
    own = {name}
    for one in reversed(graph.order(document)[0]):
        node = document.nodes[one]
        keeps = one == document.output or node.op in ("parameter", "input")
        if one in ancestors and not keeps and all(consumer in own for consumer, _ in document.consumers[one]):
            own.add(one)
    return {one: document.nodes[one] for one in document.nodes if one in own and one != name}
