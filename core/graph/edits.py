"""Edits: pure functions from a document to the next one. An impossible edit raises Refused with one sentence."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from msgspec.structs import replace as with_fields

from cadena.core.graph import order as graph
from cadena.core.graph.document import (
    DTYPES,
    LEAVES,
    Document,
    Function,
    Node,
    Position,
    Value,
    is_name,
    name_fault,
)
from cadena.core.graph.fault import Refused
from cadena.core.graph.groups import of_nodes, with_groups, with_new_names
from cadena.core.graph.subgraphs import (
    LONG_TITLE,
    check_length,
    merge_functions,
    used_functions,
    with_calls_renamed,
    with_outputs_renamed,
)
from cadena.core.graph.trained import with_inputs_renamed
from cadena.core.ops.primitive import REGISTRY

NO_FUNCTIONS: Mapping[str, Function] = {}

PASTE_OFFSET: Position = (40.0, 40.0)
BEHIND, AROUND = 280.0, (220.0, 180.0)  # canvas units from a card to one placed behind it; what a card needs for itself
MAX_IN_TITLE = 200  # characters


def fresh_name(taken: Iterable[str], like: str) -> str:
    """A free node name near `like`: itself, else its stem with the next free number."""
    return FreeNames(taken).fresh(like)


class FreeNames:
    """Free names, many of them: as `fresh_name` gives them, but each in the same time."""

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self._series: dict[str, Iterator[str]] = {}  # by a name that was asked for and is taken
        self._of_stem: dict[str, Iterator[str]] = {}

    def fresh(self, like: str) -> str:
        """A name near `like` that is taken from now on."""
        if (series := self._series.get(like)) is None:
            if like not in self.taken and is_name(like):
                self.taken.add(like)
                return like
            stem = _stem_of(like)
            series = self._series[like] = self._of_stem.setdefault(stem, self._numbered(stem))
        return next(series)

    def _numbered(self, stem: str) -> Iterator[str]:
        """The free names of a stem, each taken as it is asked for."""
        taken = self.taken
        for number in itertools.count(1):
            if (name := f"{stem}{number}") not in taken:
                taken.add(name)
                yield name


def _stem_of(like: str) -> str:
    """The part of a name that numbers are put to."""
    stem = like.rstrip("0123456789") or "node"
    return stem if is_name(stem) else f"{stem}_"


def name_for(document: Document, op: str) -> str:
    """The name that a new node gets: w0, w1 ... for parameters, x0 for inputs, k0 for constants, else add1 and on."""
    stem, number = _stem(op), 0 if op in LEAVES else 1
    while f"{stem}{number}" in document.nodes:
        number += 1
    return f"{stem}{number}"


def first_name(op: str) -> str:
    """The name that the first node of an operation gets."""
    return f"{_stem(op)}{0 if op in LEAVES else 1}"


def _stem(op: str) -> str:
    return {"parameter": "w", "input": "x", "constant": "k"}.get(op, f"{op}_" if op[-1:].isdigit() else op)


def _node(document: Document, name: str) -> Node:
    if name not in document.nodes:
        raise Refused("there is no node {name}", "choose one of the graph's nodes", name=name)
    return document.nodes[name]


def with_nodes(document: Document, *nodes: Node) -> Document:
    """The document with these nodes, in the places of those of their names, else behind all."""
    return replace(document, nodes={**document.nodes, **{node.name: node for node in nodes}})


def add(
    document: Document, op: str, position: Position, name: str | None = None, value: Value | None = None
) -> Document:
    """Add a node of operation `op` at `position` with open slots; leaves start at `value` (default 1)."""
    name = name or name_for(document, op)
    _check_name(document, name)
    if op in LEAVES:
        node = Node(name, op, value=1.0 if value is None else value)
    else:
        node = Node(name, op, inputs=_without_open_end(op, (None,) * _least_slots(document, op)))
    added = with_nodes(document, node)
    return replace(added, layout={**document.layout, name: (float(position[0]), float(position[1]))})


def _least_slots(document: Document, op: str) -> int:
    """The slots of a new node of an operation, or of a function: those of the document go first."""
    if op in document.functions:
        return len(document.functions[op].inputs)
    if op not in REGISTRY:
        raise Refused("there is no operation {op}", "choose one from the palette", op=op)
    return len(REGISTRY[op].slots)


def _check_name(document: Document, name: str) -> None:
    if wrong := name_fault(name):
        raise Refused.of(wrong)
    if name in document.nodes:
        other = fresh_name(document.nodes, name)
        raise Refused("there is a node {name} already", "choose another name, such as {other}", name=name, other=other)


def connect(document: Document, source: str, target: str, slot: int) -> Document:
    """Connect `source` to `slot` of `target`, in place of any wire there. Refuses a cycle, naming it."""
    node = _node(document, target)
    _node(document, source)
    slots = slot_count(node, document.functions)
    if not 0 <= slot < slots:
        remedy = "it takes 1 operand" if slots == 1 else "it takes {slots} operands"
        raise Refused("{target} has no slot {number}", remedy, target=target, number=slot + 1, slots=slots)
    if path := graph.cycle_by_connecting(document, source, target):
        raise Refused(
            "{source} cannot feed {target}: that would close the cycle {path}",
            "remove a wire first",
            source=source,
            target=target,
            path=" → ".join(path),
        )
    inputs = list(node.inputs) + [None] * (slots - len(node.inputs))
    inputs[slot] = source
    return with_nodes(document, with_fields(node, inputs=_without_open_end(node.op, inputs)))


def slot_count(node: Node, functions: Mapping[str, Function] = NO_FUNCTIONS) -> int:
    """The number of slots of a node: its operation's, or as many as the file has for an unknown operation.

    An operation that takes any number of operands always offers an open slot after its last wire. `functions` are the
    document's; without them, a call has as many slots as wires.
    """
    if node.op in functions:
        return len(functions[node.op].inputs)
    if node.op not in REGISTRY:
        return len(node.inputs)
    primitive = REGISTRY[node.op]
    return len(_without_open_end(node.op, node.inputs)) + 1 if primitive.variadic else len(primitive.slots)


def _without_open_end(op: str, inputs: Sequence[str | None]) -> tuple[str | None, ...]:
    """`inputs` without the open slots at the end where operation `op` takes any number of operands."""
    count = len(inputs)
    if op in REGISTRY and REGISTRY[op].variadic:
        while count and inputs[count - 1] is None:
            count -= 1
    return tuple(inputs[:count])


def disconnect(document: Document, target: str, slot: int) -> Document:
    """Remove the wire into `slot` of `target`."""
    node = _node(document, target)
    inputs = [None if index == slot else source for index, source in enumerate(node.inputs)]
    return with_nodes(document, with_fields(node, inputs=_without_open_end(node.op, inputs)))


def isolate(document: Document, name: str) -> Document:
    """Remove all wires that begin or end at a node."""
    for slot in range(len(_node(document, name).inputs)):
        document = disconnect(document, name, slot)
    for consumer, slot in document.consumers[name]:
        document = disconnect(document, consumer, slot)
    return document


def set_value(document: Document, name: str, value: Value) -> Document:
    """Set the value of a leaf."""
    node = _node(document, name)
    if not node.is_leaf:
        raise Refused(
            "{name} is computed from its operands", "set the value of a parameter, input or constant", name=name
        )
    return with_nodes(document, with_fields(node, value=value))


def set_attribute(document: Document, name: str, attribute: str, value: Any) -> Document:
    """Set one attribute of an operation, such as the axis of a sum."""
    node = _node(document, name)
    return with_nodes(document, with_fields(node, attributes={**node.attributes, attribute: value}))


def set_wants_gradient(document: Document, name: str, wanted: bool) -> Document:
    """Choose whether the gradient of an input is computed too."""
    node = _node(document, name)
    if node.op != "input":
        raise Refused("{name} is not an input", "parameters always have a gradient, constants never", name=name)
    return with_nodes(document, with_fields(node, gradient=wanted))


def set_operation(document: Document, name: str, op: str) -> Document:
    """Change a node's operation, or its kind of leaf; wires stay where there are slots for them."""
    node = _node(document, name)
    if op in LEAVES:
        value = node.value if node.value is not None else 1.0
        return with_nodes(document, Node(name, op, value=value, extra=node.extra))
    count, record = _least_slots(document, op), None if op in document.functions else REGISTRY[op]
    if record and record.variadic:
        count = max(count, len(node.inputs))
    inputs = _without_open_end(op, (tuple(node.inputs) + (None,) * count)[:count])
    supported = {attribute.name for attribute in record.attributes} if record else set()
    remaining = {key: item for key, item in node.attributes.items() if key in supported}
    return with_nodes(document, Node(name, op, inputs=inputs, attributes=remaining, extra=node.extra))


def change_operation(document: Document, name: str, op: str) -> Document:
    """Change a node's operation; a name that the program gave follows: multiply1 becomes add1."""
    changed = set_operation(document, name, op)
    return rename(changed, name, name_for(changed, op)) if _is_default_name(document.nodes[name]) else changed


def _is_default_name(node: Node) -> bool:
    """Whether `name_for` may have named this operation. The names of leaves, such as w0, people choose too."""
    stem = _stem(node.op)
    return not node.is_leaf and node.name.startswith(stem) and node.name.removeprefix(stem).isdecimal()


def rename(document: Document, old: str, new: str) -> Document:
    """Rename a node; wires, layout and output follow, and the order of the file stays."""
    _node(document, old)
    if new == old:
        return document
    check_length(new)
    _check_name(document, new)
    names = {old: new}
    nodes = {names.get(name, name): _renamed(node, names) for name, node in document.nodes.items()}
    layout = {names.get(name, name): at for name, at in document.layout.items()}
    output = new if document.output == old else document.output
    extra = with_outputs_renamed(with_new_names(document.extra, names), names)
    extra = with_inputs_renamed(extra, names)
    return replace(document, nodes=nodes, layout=layout, output=output, extra=extra)


def _renamed(node: Node, names: Mapping[str, str]) -> Node:
    if node.name not in names and not any(source in names for source in node.inputs):
        return node
    inputs = tuple(names.get(source, source) if source else None for source in node.inputs)
    return with_fields(node, name=names.get(node.name, node.name), inputs=inputs)


def remove(document: Document, names: Iterable[str]) -> Document:
    """Remove these nodes; the slots that they fed become open."""
    removed = set(names)
    nodes = {
        name: with_fields(
            node, inputs=_without_open_end(node.op, [None if one in removed else one for one in node.inputs])
        )
        if any(source in removed for source in node.inputs)
        else node
        for name, node in document.nodes.items()
        if name not in removed
    }
    layout = {name: at for name, at in document.layout.items() if name not in removed}
    output = None if document.output in removed else document.output
    return replace(document, nodes=nodes, layout=layout, output=output)


def move(document: Document, positions: Mapping[str, Position]) -> Document:
    """Move some nodes to new places, in canvas units (the card's top left corner)."""
    placed = {name: (float(x), float(y)) for name, (x, y) in positions.items() if name in document.nodes}
    return replace(document, layout={**document.layout, **placed})


def set_output(document: Document, name: str | None) -> Document:
    """Choose the output, the node whose gradients are computed; None for none."""
    if name is not None:
        _node(document, name)
    return replace(document, output=name)


def follow_only_sink(before: Document, after: Document) -> Document:
    """The document after an edit, with its only sink as the output where there is none, or where the output was the
    only sink before and is read now.

    A sink is a whole operation that none reads; one with open slots is still being built.
    """
    if after.nodes is before.nodes or after.output not in (None, before.output):
        return after
    if after.output is not None and not _is_read(after, after.output):
        return after
    sinks = _sinks(after)
    if len(sinks) != 1 or (was := _sinks(before)) == sinks:
        return after
    return after if after.output is not None and was != [after.output] else replace(after, output=sinks[0])


def _is_read(document: Document, name: str) -> bool:
    return any(name in node.inputs for node in document.nodes.values())


def _sinks(document: Document) -> list[str]:
    read = set(itertools.chain.from_iterable(node.inputs for node in document.nodes.values()))
    return [
        name
        for name, node in document.nodes.items()
        if name not in read and not node.is_leaf and node.inputs and None not in node.inputs
    ]


def sum_output(document: Document) -> Document:
    """Add a sum after the output and make it the output, so that gradients are those of a single number."""
    source = document.output
    if source is None:
        raise Refused("the graph has no output yet", "choose the node whose elements are to be summed up")
    name, (x, y) = name_for(document, "sum"), document.layout.get(source, (0.0, 0.0))
    x += BEHIND
    wide, high = AROUND
    while any(abs(left - x) < wide and abs(top - y) < high for left, top in document.layout.values()):
        y += high
    summed = add(document, "sum", (x, y), name)
    return set_output(connect(summed, source, name, 0), name)


def set_dtype(document: Document, dtype: str) -> Document:
    """Set the number type that the graph runs in."""
    if dtype not in DTYPES:
        raise Refused("{dtype} is not a number type", "choose {known}", dtype=dtype, known=", ".join(DTYPES))
    return replace(document, dtype=dtype)


def set_title(document: Document, title: str) -> Document:
    """Set the title that the window shows."""
    check_length(title, MAX_IN_TITLE, LONG_TITLE)
    return replace(document, title=title)


def fragment(document: Document, names: Iterable[str]) -> Document:
    """Copy some nodes to a document of their own, for the clipboard, with the functions that they call.

    Wires from elsewhere keep their names. The pieces of an expanded node can be folded where they are pasted.
    """
    chosen = set(names)
    nodes = {name: node for name, node in document.nodes.items() if name in chosen}
    layout = {name: at for name, at in document.layout.items() if name in chosen}
    functions = used_functions(nodes.values(), document.functions)
    extra = of_nodes(document.extra, nodes)
    return Document(nodes=nodes, layout=layout, dtype=document.dtype, functions=functions, extra=extra)


def paste(document: Document, part: Document, offset: Position = PASTE_OFFSET) -> tuple[Document, tuple[str, ...]]:
    """Add `part` under fresh names, moved by `offset`; also returns the names. Wires from outside stay where they can.

    Its functions are added too, except those that the document has; another of the same name gets a fresh one.
    """
    functions, called = merge_functions(document, part.functions, fresh_name)
    free = FreeNames(document.nodes)
    names = {name: free.fresh(name) for name in part.nodes}
    sources = {name: name for name in document.nodes} | names  # one outside that is gone is not the new one of its name
    new = []
    for node in with_calls_renamed(part.nodes, called).values():
        inputs = tuple(sources.get(source) if source else None for source in node.inputs)
        new.append(with_fields(node, name=names[node.name], inputs=inputs))
    shifted = {names[name]: (x + offset[0], y + offset[1]) for name, (x, y) in part.layout.items() if name in names}
    pasted = with_nodes(document, *new)
    layout = {**document.layout, **shifted}
    extra = with_groups(document.extra, with_new_names(of_nodes(part.extra, part.nodes), names))
    return replace(pasted, layout=layout, functions=functions, extra=extra), tuple(names.values())
