"""Modules of a recorded run as functions of its document: one for each, however often it is called."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from msgspec.structs import replace as with_fields

from cadena.core.graph.document import Document, Function, Node, is_name
from cadena.core.graph.edits import FreeNames, first_name, fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.graph.subgraphs import MAX_IN_NAME
from cadena.core.ops.primitive import REGISTRY
from cadena.core.rewriting.function_edits import make_function


class Region(NamedTuple):
    """The calls of one module: those that the tape holds from `start` to before `stop`, and the line that calls it."""

    name: str
    start: int
    stop: int
    line: str = ""


def node_name(name: str) -> str:
    """The name of a node for a parameter or a module: layers_0_weight for layers.0.weight."""
    joined = "".join(letter if letter.isalnum() else "_" for letter in name)
    joined = joined if is_name(joined) else f"layer_{joined}"
    return joined[-MAX_IN_NAME:].lstrip("0123456789_") if len(joined) > MAX_IN_NAME else joined


def with_modules(document: Document, regions: Sequence[Region], names: Mapping[int, str]) -> Document:
    """Each module of more than one operation and with one result as a function; others stay as they are.

    Inner regions come before those around them.
    """
    recorded, functions = set(names.values()), dict[str, list[str]]()
    for region in regions:
        chosen = _chosen(document, region, names, recorded)
        if sum(not document.nodes[name].is_leaf for name in chosen) < 2:
            continue
        called = fresh_name({*document.functions, *REGISTRY, "parameter", "input", "constant"}, node_name(region.name))
        try:
            document = make_function(document, chosen, called)
        except (
            Refused
        ):  # values inside are read elsewhere, or it reads none: its operations stay in the graph around it
            continue
        document = _at_line(document, called, region.line)
        document = _as_known(document, called, node_name(region.name), functions.setdefault(region.name, []))
    return document


def _chosen(document: Document, region: Region, names: Mapping[int, str], recorded: set[str]) -> list[str]:
    """The operations and constants of a region, with the literals that they read."""
    inside = [names[number] for number in range(region.start, region.stop) if number in names]
    inside = [name for name in inside if name in document.nodes]
    inside = [name for name in inside if document.nodes[name].op not in ("parameter", "input")]
    sources = [source for name in inside for source in document.nodes[name].inputs if source and source not in recorded]
    literals = [source for source in sources if document.nodes[source].op == "constant"]
    return list(dict.fromkeys([*inside, *literals]))


def _as_known(document: Document, called: str, module: str, known: list[str]) -> Document:
    """The new function `called` with short names inside; another call of the same module calls what is there."""
    function = _with_short_names(document, document.functions[called], module)
    same = next((one for one in known if without_lines(document.functions[one]) == without_lines(function)), None)
    if same is None:
        known.append(called)
        return replace(document, functions={**document.functions, called: function})
    functions = {name: item for name, item in document.functions.items() if name != called}
    nodes = {name: with_fields(node, op=same) if node.op == called else node for name, node in document.nodes.items()}
    return replace(document, nodes=nodes, functions=functions)


def _at_line(document: Document, called: str, line: str) -> Document:
    """The calls of a function at the line of the code that calls its module."""
    calls = {name: with_fields(node, line=line) for name, node in document.nodes.items() if node.op == called}
    return replace(document, nodes={**document.nodes, **calls})


def without_lines(function: Function) -> Function:
    """A function as one that another line computes is: they are the same."""
    gradient = function.gradient
    back = None if gradient is None else replace(gradient, nodes=_bare(gradient.nodes))
    return replace(function, nodes=_bare(function.nodes), gradient=back)


def _bare(nodes: Mapping[str, Node]) -> dict[str, Node]:
    return {name: with_fields(node, line="") for name, node in nodes.items()}


def _with_short_names(document: Document, function: Function, module: str) -> Function:
    """The function with names of its own: leaves without the module's name, other operands x0 and on, add1 and on."""
    free, short = FreeNames(()), dict[str, str]()
    for name in (*function.inputs, *function.nodes):
        node = function.nodes.get(name) or document.nodes[name]
        is_call = name in function.nodes and node.op in document.functions
        own = node.op if is_call else name if node.op in ("parameter", "constant") else ""
        like = own.removeprefix(f"{module}_")
        if like == own and not is_call:
            like = first_name(node.op if name in function.nodes else "input")
        short[name] = free.fresh(node_name(like))
    nodes = {
        short[name]: with_fields(node, name=short[name], inputs=tuple(short[str(source)] for source in node.inputs))
        for name, node in function.nodes.items()
    }
    return replace(
        function, inputs=tuple(short[name] for name in function.inputs), nodes=nodes, output=short[function.output]
    )
