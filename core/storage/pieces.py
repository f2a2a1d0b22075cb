"""A document as a file in pieces that take a millisecond or two each, for copies made while a user works.

The result reads like any .cadena file, but it is one line, and ten times as quick to write as the form for people.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, groupby, islice
from math import isfinite
from typing import Any, TypeVar

import msgspec
from msgspec.structs import replace as with_fields

from cadena.core.graph.document import NOTHING, Backward, Document, Function, Node, Position, Tensor
from cadena.core.storage.encoding import json_text, node_text
from cadena.core.storage.migrations import CURRENT

MANY = 1000  # nodes, or places, in one piece
LARGE = 1 << 16  # bytes of an array that is written by itself, in pieces
SLICE = 3 << 16  # bytes at a time; base64 takes three of them as four characters

Item = TypeVar("Item")


def pieces(document: Document) -> Iterator[bytes]:
    """The content of a file that `decode` reads as `document`; it holds no line break."""
    parts: dict[str, Iterable[bytes]] = {
        "format": [b'"cadena"'],
        "version": [b"%d" % CURRENT],
        "title": [_bytes(document.title)],
        "dtype": [_bytes(document.dtype)],
        "output": [_bytes(document.output)],
        "nodes": _nodes(document.nodes),
        "layout": _layout(document.layout),
        "functions": _object((name, _function(function)) for name, function in document.functions.items()),
    }
    return _object(chain(parts.items(), _extra(document.extra)))


def _function(function: Function) -> Iterator[bytes]:
    parts: dict[str, Iterable[bytes]] = {
        "inputs": [_bytes(function.inputs)],
        "nodes": _nodes(function.nodes),
        "output": [_bytes(function.output)],
        "doc": [_bytes(function.doc)],
        "layout": _layout(function.layout),
    }
    if function.gradient is not None:
        parts["gradient"] = _backward(function.gradient)
    return _object(chain(parts.items(), _extra(function.extra)))


def _backward(gradient: Backward) -> Iterator[bytes]:
    parts: dict[str, Iterable[bytes]] = {
        "inputs": [_bytes(gradient.inputs)],
        "nodes": _nodes(gradient.nodes),
        "outputs": [_bytes(gradient.outputs)],
        "layout": _layout(gradient.layout),
    }
    return _object(chain(parts.items(), _extra(gradient.extra)))


def _extra(extra: Mapping[str, Any]) -> Iterator[tuple[str, Iterable[bytes]]]:
    return ((key, [_bytes(item)]) for key, item in extra.items())


def _object(parts: Iterable[tuple[str, Iterable[bytes]]]) -> Iterator[bytes]:
    yield b"{"
    for index, (key, part) in enumerate(parts):
        yield b"%s%s:" % (b"," if index else b"", _bytes(key))
        yield from part
    yield b"}"


def _bytes(item: Any) -> bytes:
    return _encoded(json_text(item))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", errors="replace")  # as in `encode`


def _in_parts(items: Iterable[Item]) -> Iterator[list[Item]]:
    rest = iter(items)
    while part := list(islice(rest, MANY)):
        yield part


def _nodes(nodes: Mapping[str, Node]) -> Iterator[bytes]:
    yield b"["
    comma = b""
    for large, some in groupby(nodes.values(), _is_large):
        for part in some if large else map(_small_nodes, _in_parts(some)):
            yield comma
            if isinstance(part, bytes):
                yield part
            else:
                yield from _large_node(part)
            comma = b","
    yield b"]"


def _is_large(node: Node) -> bool:
    return type(node.value) is Tensor and len(node.value.data) > LARGE


def _small_nodes(nodes: list[Node]) -> bytes:
    """Nodes with commas between them; those whose fields are their keys in the file are written all at once."""
    listed = [node if _is_plain(node) else msgspec.Raw(_encoded(node_text(node))) for node in nodes]
    return msgspec.json.encode(listed)[1:-1]


def _is_plain(node: Node) -> bool:
    value = node.value
    is_json = value is None or (type(value) is float and isfinite(value))
    return is_json and not node.attributes and node.extra is NOTHING


def _large_node(node: Node) -> Iterator[bytes]:
    value = node.value
    assert isinstance(value, Tensor)
    yield _encoded(node_text(with_fields(node, value=None)))[:-1]
    yield b', "value": {"shape": %s, "dtype": %s, "base64": "' % (_bytes(value.shape), _bytes(value.dtype))
    for start in range(0, len(value.data), SLICE):
        yield b64encode(value.data[start : start + SLICE])
    yield b'"}}'


def _layout(layout: Mapping[str, Position]) -> Iterator[bytes]:
    yield b"{"
    comma = b""
    for part in map(dict, _in_parts(layout.items())):
        if not isfinite(sum(chain.from_iterable(part.values()))):  # far quicker than to ask each
            part = {name: at for name, at in part.items() if all(map(isfinite, at))}  # as in `encode`
        if part:
            yield comma + msgspec.json.encode(part)[1:-1]
            comma = b","
    yield b"}"
