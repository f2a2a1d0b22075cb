"""Edits of functions: pure functions Document -> Document. An impossible edit raises Refused with one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from msgspec.structs import replace as with_fields

from cadena.core.functions.calls import operations
from cadena.core.graph import order as graph
from cadena.core.graph.document import Backward, Document, Function, Node, is_within_reach
from cadena.core.graph.edits import fresh_name
from cadena.core.graph.fault import Refused
from cadena.core.graph.groups import KEY, of_nodes, with_groups, with_new_names
from cadena.core.graph.subgraphs import calls_graph, check_name, over_nodes, used_functions, with_calls_renamed
from cadena.core.ops.arithmetic import positive
from cadena.core.text.wording import Listing, choices

# --- from nodes to a function, and back


def make_function(document: Document, names: Iterable[str], name: str) -> Document:
    """Make the chosen nodes the function `name`, and put a call of it in their place, named after their result.

    The values that the nodes read from elsewhere become the operands, in the order of their first use; so do chosen
    parameters and inputs, which stay where they are. Chosen constants go inside. Exactly one of the nodes may be used
    elsewhere.
    """
    check_name(document, name)
    chosen = _chosen(document, names)
    result = _only_result(document, chosen)
    operands = _operands(document, chosen)
    if not operands:
        raise Refused(
            "{chosen} read nothing but constants, so a function has no operand",
            "choose others",
            chosen=Listing(tuple(chosen), most=12),
        )
    _check_convex(document, operands, result)
    constants = {one for one, node in chosen.items() if node.op == "constant" and _outside(document, one, chosen)}
    layout = {one: document.layout[one] for one in chosen if one in document.layout}
    function = Function(tuple(operands), chosen, result, layout=layout, extra=of_nodes(document.extra, chosen))
    removed = chosen.keys() - constants - {result}
    call = Node(result, name, inputs=tuple(operands), line=chosen[result].line)
    return replace(
        with_function(document, name, function),
        nodes={key: call if key == result else node for key, node in document.nodes.items() if key not in removed},
        layout={key: at for key, at in document.layout.items() if key not in removed},
        extra=_without_groups(document, chosen),
    )


def _without_groups(document: Document, removed: Mapping[str, Node]) -> Mapping[str, Any]:
    """The document's `extra` without the groups that nodes of a new function belong to."""
    others = {key: item for key, item in document.extra.items() if key != KEY}
    return {**others, **of_nodes(document.extra, document.nodes.keys() - removed.keys())}


def _chosen(document: Document, names: Iterable[str]) -> dict[str, Node]:
    """The operations and constants among the names, in document order; constants only where one of them is read."""
    selected = set(names)
    if missing := sorted(selected - document.nodes.keys()):
        raise Refused("there is no node {missing}", "choose nodes of the graph", missing=missing[0])
    operations = [one for one in document.nodes if one in selected and not document.nodes[one].is_leaf]
    if not operations:
        raise Refused("a function needs an operation", "choose the nodes that it is to compute")
    read = {source for one in operations for source in document.nodes[one].inputs}
    return {
        one: node
        for one, node in document.nodes.items()
        if one in selected and (one in read if node.op == "constant" else not node.is_leaf)
    }


def _outside(document: Document, name: str, chosen: Mapping[str, Node]) -> bool:
    return name == document.output or any(consumer not in chosen for consumer, _ in document.consumers[name])


def _only_result(document: Document, chosen: Mapping[str, Node]) -> str:
    operations = [one for one, node in chosen.items() if node.op != "constant"]
    results = [one for one in operations if _outside(document, one, chosen) or not document.consumers[one]]
    if len(results) != 1:
        what = "none of {nodes} is a result, and a function has exactly one"
        if results:
            what = "{nodes} are results, and a function has exactly one"
        raise Refused(what, "choose nodes that lead to one", nodes=Listing(tuple(results or operations), most=12))
    return results[0]


def _operands(document: Document, chosen: Mapping[str, Node]) -> list[str]:
    """The nodes that the chosen ones read from elsewhere, each once, in order."""
    operands = dict[str, None]()
    for one, node in chosen.items():
        for source in node.inputs:
            if source is None or source not in document.nodes:
                raise Refused(
                    "{one} waits for an operand", "connect all slots before a function is made of it", one=one
                )
            if source not in chosen:
                operands[source] = None
    return list(operands)


def _check_convex(document: Document, operands: list[str], result: str) -> None:
    """Refuse a selection with a path that leads out of it and back in: the call would depend on itself."""
    after = graph.descendants(document, result)
    if between := [one for one in operands if one in after]:
        raise Refused(
            "{between} depends on {result} and is read by the chosen nodes",
            "choose it too",
            between=between[0],
            result=result,
        )


def inline(document: Document, name: str) -> Document:
    """Replace a call by its nodes, under fresh names but for the result, which keeps the call's.

    The function itself stays, for other calls. A custom gradient is not carried over: the chain rule takes its place.
    """
    call, function = call_of(document, name)
    _check(call.op, document.functions)
    outside = dict(zip(function.inputs, call.inputs, strict=False))
    names, used = dict[str, str | None](outside), set(document.nodes)
    inner = {one: node for one, node in function.nodes.items() if one not in outside}
    for one in inner:
        fresh = name if one == function.output else fresh_name(used, one)
        names[one] = fresh
        used.add(fresh)
    nodes = {str(names[one]): _moved(node, names) for one, node in inner.items()}
    if function.output in outside:  # it gives back an operand as it is
        nodes[name] = Node(name, positive.name, inputs=(outside[function.output],))
    return replace(
        document,
        nodes=_in_place(document.nodes, name, nodes),
        layout={**document.layout, **_places(document, name, function, names)},
        extra=with_groups(document.extra, with_new_names(of_nodes(function.extra, inner), _known(names))),
    )


def _known(names: Mapping[str, str | None]) -> dict[str, str]:
    return {old: new for old, new in names.items() if new is not None}


def _moved(node: Node, names: Mapping[str, str | None]) -> Node:
    inputs = tuple(names.get(source) if source is not None else None for source in node.inputs)
    return with_fields(node, name=str(names[node.name]), inputs=inputs)


def _in_place(nodes: Mapping[str, Node], name: str, new: Mapping[str, Node]) -> dict[str, Node]:
    result = dict[str, Node]()
    for key, node in nodes.items():
        result |= new if key == name else {key: node}
    return result


def _places(
    document: Document, name: str, function: Function, names: Mapping[str, str | None]
) -> dict[str, tuple[float, float]]:
    """The places of the nodes as in the function, with the result where the call is; none that is out of reach."""
    if name not in document.layout or function.output not in function.layout:
        return {}
    (x, y), (from_x, from_y) = document.layout[name], function.layout[function.output]
    moved = {
        str(names[one]): (at[0] - from_x + x, at[1] - from_y + y)
        for one, at in function.layout.items()
        if one in function.nodes and names.get(one)
    }
    return {one: at for one, at in moved.items() if is_within_reach(at)}


def call_of(document: Document, name: str) -> tuple[Node, Function]:
    """The node `name`, a call, and its function."""
    if name not in document.nodes:
        raise Refused("there is no node {name}", "choose one of the graph's nodes", name=name)
    node = document.nodes[name]
    if node.op not in document.functions:
        raise Refused("{name} is {op}, no call of a function", "choose a node that calls one", name=name, op=node.op)
    return node, document.functions[node.op]


# --- the functions of a document


def function_of(document: Document, name: str) -> Function:
    """The function of this name. Raises Refused when there is none."""
    if name not in document.functions:
        raise Refused(
            "there is no function {name}", "this graph has {known}", name=name, known=choices(document.functions)
        )
    return document.functions[name]


def users(document: Document, name: str) -> list[str]:
    """The callers of a function: nodes of the graph, and other functions."""
    functions = [one for one, node in calls_graph(document.functions).nodes.items() if name in node.inputs]
    return [one for one, node in document.nodes.items() if node.op == name] + functions


def rename_function(document: Document, old: str, new: str) -> Document:
    """Rename a function; its calls follow."""
    function_of(document, old)
    if new == old:
        return document
    check_name(document, new)
    names = {old: new}
    functions = {
        names.get(name, name): over_nodes(function, partial(with_calls_renamed, names=names))
        for name, function in document.functions.items()
    }
    return replace(document, nodes=with_calls_renamed(document.nodes, names), functions=functions)


def remove_function(document: Document, name: str) -> Document:
    """Remove a function that nothing calls."""
    function_of(document, name)
    if calls := users(document, name):
        raise Refused(
            "{name} is called by {calls}",
            "replace these by their nodes or remove them first",
            name=name,
            calls=choices(calls),
        )
    return replace(document, functions={key: item for key, item in document.functions.items() if key != name})


def unused_functions(document: Document) -> list[str]:
    """The functions that no node calls, not even through another function."""
    used = used_functions(document.nodes.values(), document.functions)
    return [name for name in document.functions if name not in used]


def remove_unused(document: Document) -> Document:
    """Remove the functions that no node calls. Raises Refused when there are none."""
    if not (unused := unused_functions(document)):
        raise Refused("every function of this graph is called by a node", "there is none to remove")
    return replace(document, functions={key: item for key, item in document.functions.items() if key not in unused})


def set_gradient(document: Document, name: str, gradient: Backward | None) -> Document:
    """Set the custom gradient of a function, or, with None, return to the automatic one."""
    return with_function(document, name, replace(function_of(document, name), gradient=gradient))


def automatic(document: Document, name: str) -> Document:
    """The same document with the custom gradient of a function switched off."""
    return set_gradient(document, name, None)


def with_function(document: Document, name: str, function: Function) -> Document:
    """Put this function into the document under `name`. Raises Refused, with the reason, if it could not be called."""
    functions = {**document.functions, name: function}
    _check(name, functions)
    return replace(document, functions=functions)


def _check(name: str, functions: Mapping[str, Function]) -> None:
    """Raise Refused, with the reason, for a function that cannot be called."""
    if (fault := operations(functions)[name].fault) is not None:
        raise Refused.of(fault)
