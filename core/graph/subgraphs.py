"""The functions of a document, which are named subgraphs: their calls and their names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec.structs import replace as with_fields

from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, Document, Function, Node, name_fault
from cadena.core.graph.fault import Refused
from cadena.core.ops.primitive import REGISTRY

Nodes = Mapping[str, Node]
MAX_IN_NAME = 64  # characters of a name that is typed, not read from a file
OUTPUTS = "outputs of the custom gradient"  # in `extra` of an opened one: a tuple, for each operand its gradient's node


def calls_graph(functions: Mapping[str, Function]) -> Document:
    """The functions as a graph of their own: a node for each, fed by those that it calls."""
    return Document({name: Node(name, "function", tuple(_called(item, functions))) for name, item in functions.items()})


def _called(function: Function, functions: Mapping[str, Function]) -> list[str]:
    """The functions that this one calls itself, each once."""
    nodes = [*function.nodes.values(), *(function.gradient.nodes.values() if function.gradient else ())]
    return list(dict.fromkeys(node.op for node in nodes if node.op in functions))


def used_functions(nodes: Iterable[Node], functions: Mapping[str, Function]) -> dict[str, Function]:
    """The functions that these nodes call, and those that are called in these."""
    if not functions:  # as nearly always: no node need be looked at
        return {}
    used = list(dict.fromkeys(node.op for node in nodes if node.op in functions))
    seen = set(used)
    for name in used:
        inner = [one for one in _called(functions[name], functions) if one not in seen]
        used += inner
        seen.update(inner)
    return {name: function for name, function in functions.items() if name in seen} if used else {}


LONG_NAME = "names have at most {most} characters, and this one has {length}"
LONG_TITLE = "titles have at most {most} characters, and this one has {length}"


def check_length(text: str, most: int = MAX_IN_NAME, what: str = LONG_NAME) -> None:
    """Raise Refused for a name or a title that is too long to be read; files may hold such."""
    if len(text) > most:
        raise Refused(what, "choose a shorter one", most=most, length=len(text))


def check_name(document: Document, name: str) -> None:
    """Raise Refused for a name that a new function cannot have."""
    check_length(name)
    if wrong := name_fault(name):
        raise Refused.of(wrong)
    if name in REGISTRY or name in LEAVES:
        raise Refused("{name} is an operation of Cadena", "choose another name for the function", name=name)
    if name in document.functions:
        raise Refused("there is a function {name} already", "choose another name", name=name)


def over_nodes(function: Function, change: Callable[[Nodes], Nodes]) -> Function:
    """The function with its nodes, and those of its custom gradient, changed; the same object when none is."""
    nodes, gradient = change(function.nodes), function.gradient
    if gradient is not None and (backward := change(gradient.nodes)) is not gradient.nodes:
        gradient = replace(gradient, nodes=backward)
    same = nodes is function.nodes and gradient is function.gradient
    return function if same else replace(function, nodes=nodes, gradient=gradient)


def with_calls_renamed(nodes: Nodes, names: Mapping[str, str]) -> Nodes:
    """Rename the calls of the functions in `names`."""
    if not any(node.op in names for node in nodes.values()):
        return nodes
    return {name: with_fields(node, op=names[node.op]) if node.op in names else node for name, node in nodes.items()}


def with_outputs_renamed(extra: Mapping[str, Any], names: Mapping[str, str]) -> Mapping[str, Any]:
    """Rename the nodes that hold operands' gradients in `extra`. A list under that key comes from a file and stays."""
    outputs = extra.get(OUTPUTS)
    if not isinstance(outputs, tuple):
        return extra
    return {**extra, OUTPUTS: tuple(names.get(one, one) for one in outputs)}


def merge_functions(
    document: Document, functions: Mapping[str, Function], fresh: Callable[[Iterable[str], str], str]
) -> tuple[Mapping[str, Function], dict[str, str]]:
    """Add `functions` to those of the document; returns all of them, and the new names of the added ones.

    One that the document has already stays that one; another of the same name gets the name `fresh(taken, name)`.
    """
    if not functions:
        return document.functions, {}
    merged, names = dict(document.functions), dict[str, str]()
    for name in graph.order(calls_graph(functions))[0]:
        changed = {old: new for old, new in names.items() if old != new}
        function = over_nodes(functions[name], partial(with_calls_renamed, names=changed))
        known = merged.get(name)
        names[name] = name if known in (None, function) else fresh({*merged, *REGISTRY, *LEAVES}, name)
        merged[names[name]] = function
    return merged if len(merged) > len(document.functions) else document.functions, names
