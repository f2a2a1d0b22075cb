"""A document as the bytes of a .cadena file: stable order, one node per line, numbers with all their digits."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from cadena.core.graph.document import Backward, Document, Function, Node, Position, Tensor
from cadena.core.storage.migrations import CURRENT
from cadena.core.storage.values import pack, specials_as_texts

SHORT = 120  # characters; the nodes of a function that take more get a line each

_write = json.JSONEncoder(ensure_ascii=False, allow_nan=False).encode


def encode(document: Document) -> bytes:
    """The file's content, UTF-8. The same document always gives the same bytes."""
    head = {"format": "cadena", "version": CURRENT, "title": document.title}
    head |= {"dtype": document.dtype, "output": document.output}
    parts = [json_text(head)[1:-1], f'"nodes": {_lines(map(node_text, document.nodes.values()))}']
    if document.layout:
        parts.append(f'"layout": {json_text(_places(document.layout))}')
    if document.functions:
        parts.append(f'"functions": {_functions(document.functions)}')
    parts += [f"{json_text(key)}: {_extra(item)}" for key, item in document.extra.items()]
    # Half a surrogate pair (from a broken clipboard) is no text; it must not keep the rest from being saved.
    return ("{" + ",\n ".join(parts) + "}\n").encode("utf-8", errors="replace")


def encode_line(document: Document) -> bytes:
    """The same content on one line, for streams of documents with a line each."""
    return encode(document).replace(b"\n", b" ")  # within a text JSON writes a line break as \n


def json_text(item: Any) -> str:
    """`item` as JSON; nan, inf and -inf as texts."""
    if type(item) is float and math.isfinite(item):  # as the encoder does it, in a fifth of the time
        return repr(item)
    try:
        return _write(item)
    except ValueError:
        return _write(specials_as_texts(item))


def _lines(items: Iterable[str], indent: str = "  ") -> str:
    """A list of JSON texts with each on a line of its own."""
    lines = f",\n{indent}".join(items)
    return f"[\n{indent}{lines}\n{indent[1:]}]" if lines else "[]"


def node_text(node: Node) -> str:
    """The object that the file holds for a node. The encoder takes three times as long for a dictionary of the same."""
    text = f'{{"name": {json_text(node.name)}, "op": {json_text(node.op)}'
    if node.inputs:
        text += f', "inputs": [{", ".join(map(json_text, node.inputs))}]'
    if node.value is not None:
        text += f', "value": {json_text(packed := pack(node.value))}'
        if isinstance(node.value, Tensor) and isinstance(packed, list) and node.value.dtype != "float64":
            text += f', "dtype": "{node.value.dtype}"'
    if node.attributes:
        text += f', "attributes": {json_text(node.attributes)}'
    if node.gradient:
        text += ', "gradient": true'
    if node.guard is not None:
        text += f', "guard": {json_text(msgspec.to_builtins(node.guard))}'
    if node.line:
        text += f', "line": {json_text(node.line)}'
    return text + "".join(f", {json_text(key)}: {json_text(item)}" for key, item in node.extra.items()) + "}"


def _functions(functions: Mapping[str, Function]) -> str:
    """Each function on a line; the nodes of one that would make a long line on lines of their own."""
    return "{" + ",\n  ".join(f"{json_text(name)}: {_function(item)}" for name, item in functions.items()) + "}"


def _function(function: Function) -> str:
    parts = {
        "inputs": json_text(function.inputs),
        "nodes": _subgraph(function.nodes),
        "output": json_text(function.output),
    }
    if function.gradient is not None:
        parts["gradient"] = _backward(function.gradient)
    if function.doc:
        parts["doc"] = json_text(function.doc)
    return _object(parts, function)


def _backward(gradient: Backward) -> str:
    parts = {
        "inputs": json_text(gradient.inputs),
        "nodes": _subgraph(gradient.nodes),
        "outputs": json_text(gradient.outputs),
    }
    return _object(parts, gradient)


def _object(parts: dict[str, str], part: Function | Backward) -> str:
    if part.layout:
        parts["layout"] = json_text(_places(part.layout))
    parts |= {key: json_text(item) for key, item in part.extra.items()}
    return "{" + ", ".join(f"{json_text(key)}: {item}" for key, item in parts.items()) + "}"


def _subgraph(nodes: Mapping[str, Node]) -> str:
    listed = [*map(node_text, nodes.values())]
    short = f"[{', '.join(listed)}]"
    if len(short) <= SHORT:
        return short
    lines = ",\n    ".join(listed)
    return f"[\n    {lines}\n   ]"


def _places(layout: Mapping[str, Position]) -> dict[str, list[float]]:
    """Whole numbers without their ".0"; a place that is nowhere is left out, to be computed anew."""
    return {
        name: [int(at) if float(at).is_integer() and abs(at) < 1e15 else at for at in place]
        for name, place in layout.items()
        if all(map(math.isfinite, place))
    }


def _extra(item: Any) -> str:
    """A list of objects with each on a line; so those that an object holds, such as the story of a lesson."""
    if _is_list_of_objects(item):
        return _lines(map(json_text, item))
    if not isinstance(item, dict) or not any(map(_is_list_of_objects, item.values())):
        return json_text(item)
    return "{" + ", ".join(f"{json_text(key)}: {_member(part)}" for key, part in item.items()) + "}"


def _member(part: Any) -> str:
    return _lines(map(json_text, part), "   ") if _is_list_of_objects(part) else json_text(part)


def _is_list_of_objects(item: Any) -> bool:
    return isinstance(item, list) and bool(item) and all(isinstance(part, dict) for part in item)
