"""Functions that stand for one operation with the gradient that a library gives it, where Cadena's own differs."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import NamedTuple

import msgspec

from cadena.core.graph.document import Document, Function, Node

AS_IN = "as_in"  # key in `extra` of a function: the library, and a digest by which it is seen whether it was edited


class LibraryOperation(NamedTuple):
    """An operation as a library differentiates it."""

    library: str
    node: Node


def marked(function: Function, library: str) -> Function:
    """The function with the note that its gradient is a library's own; unchanged where it is several operations."""
    if function.nodes[function.output].inputs != function.inputs:
        return function
    return replace(function, extra={**function.extra, AS_IN: {"library": library, "digest": _digest(function)}})


def as_in(function: Function) -> LibraryOperation | None:
    """The operation that a function stands for; None for any other function, and for one that was edited since."""
    record = function.extra.get(AS_IN)
    if not isinstance(record, dict) or record.get("digest") != _digest(function):
        return None
    node = function.nodes.get(function.output)
    return LibraryOperation(str(record.get("library")), node) if node and node.inputs == function.inputs else None


def in_own_words(document: Document, library: str) -> Document:
    """The document for a program in this library, where its own operations need no function."""
    known = {name: own for name, one in document.functions.items() if (own := as_in(one)) and own.library == library}
    if not known:
        return document

    def plain(node: Node) -> Node:
        if node.op not in known:
            return node
        own = known[node.op].node
        return msgspec.structs.replace(node, op=own.op, attributes=own.attributes)

    nodes = {name: plain(node) for name, node in document.nodes.items()}
    functions = {
        name: replace(one, nodes={key: plain(node) for key, node in one.nodes.items()})
        for name, one in document.functions.items()
        if name not in known
    }
    return replace(document, nodes=nodes, functions=functions)


def _digest(function: Function) -> str:
    backward = function.gradient
    parts = [function.inputs, function.output, *map(_words, function.nodes.values())]
    if backward is not None:
        parts += [backward.inputs, backward.outputs, *map(_words, backward.nodes.values())]
    return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]


def _words(node: Node) -> tuple[object, ...]:
    return node.name, node.op, node.inputs, repr(node.value), sorted(node.attributes.items())
