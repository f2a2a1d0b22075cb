"""Decode the bytes of a .cadena file to a document. Any bytes give a document or a refusal of one sentence."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection
from contextlib import suppress
from typing import Any, get_type_hints

import msgspec
from msgspec import Raw, Struct, ValidationError

from cadena.core.graph.document import NOTHING, Backward, Document, Function, Node, Value, name_fault
from cadena.core.graph.fault import Refused
from cadena.core.graph.unconnected import UNCONNECTED
from cadena.core.storage.migrations import CURRENT, migrate, version_of
from cadena.core.storage.records import StoredBackward, StoredDocument, StoredFunction, StoredNode, StoredValue, must_be
from cadena.core.storage.values import texts_as_specials, unpack

MAX_VALUES = 20_000_000  # numbers, texts, lists and objects in one file: two million nodes; base64 counts as one
MAX_EXTRA_DEPTH = 100  # levels; what is nested more deeply could be read, but not always be saved again
FIELDS = get_type_hints(StoredDocument, include_extras=True)
HEADER = ("title", "dtype", "output", "layout")
NOT_OURS = 'this is not a Cadena file, which begins with {"format": "cadena"; choose another file'
NODE_KEYS = frozenset(StoredNode.__struct_fields__)


class _PlainNode(StoredNode, forbid_unknown_fields=True):
    """A node with no unknown keys, as nearly all are: it needs no plain object on the way."""


class _Named(msgspec.Struct):
    name: str


_plain_node = msgspec.json.Decoder(_PlainNode)


def decode(data: bytes, where: str = "") -> Document:
    """The document in `data`; `where` (the file's name) begins the sentence of a Refused. Nothing is executed.

    Faults of the graph, such as a cycle or a wire to a node that is not there, do not keep it from being read.
    """
    try:
        return _document(_parse(data))
    except RecursionError:
        refusal = Refused("the file is nested too deeply, as no Cadena file is", "restore a copy of it")
    except Refused as error:
        refusal = error
    raise refusal.at(where) if where else refusal


def _parse(data: bytes) -> dict[str, Raw]:
    """The keys of the file, brought to the present version, with their values still as JSON."""
    data = data.removeprefix(codecs.BOM_UTF8)
    if not data or data.isspace():
        raise Refused("the file is empty", "restore a copy of it")
    _check_size(data)
    try:
        data.isascii() or data.decode()
        top = msgspec.json.decode(data, type=dict[str, Raw])
    except UnicodeDecodeError as error:
        raise Refused(
            "byte {start}: this is not UTF-8 text", "choose a .cadena file or save as UTF-8", start=error.start + 1
        ) from None
    except msgspec.DecodeError as error:
        raise Refused(_syntax(data, str(error))) from None
    if "format" not in top or _as_plain(top["format"], "format") != "cadena":
        raise Refused(NOT_OURS)
    version = version_of(_as_plain(top["version"], "version") if "version" in top else None)
    if version < CURRENT:
        plain = {key: _as_plain(raw, key) for key, raw in top.items()}
        top = msgspec.json.decode(msgspec.json.encode(migrate(plain)), type=dict[str, Raw])
    return top


def _check_size(data: bytes) -> None:
    """Count the values at most, before any of them takes memory: a mere "[]," would take 64 bytes."""
    if len(data) > MAX_VALUES and sum(data.count(sign) for sign in (b",", b"[", b"{")) > MAX_VALUES:
        raise Refused(
            "the file holds more than {most_values:,} values", "store large arrays as base64", most_values=MAX_VALUES
        )


def _syntax(data: bytes, message: str) -> str:
    """Describe why bytes are no JSON object, and where; `message` is msgspec's."""
    if not data.lstrip().startswith(b"{"):
        return NOT_OURS
    if "truncated" in message:
        return "the file ends in the middle; restore a copy of it"
    match = re.search(r"(?:JSON is malformed: )?(.*) \(byte (\d+)\)", message)
    what, end = (match[1], int(match[2])) if match else (message, 0)
    before = data[:end]
    line, column = before.count(b"\n") + 1, len(before[before.rfind(b"\n") + 1 :].decode(errors="replace")) + 1
    return f"line {line}, column {column}: this is not JSON ({what}); correct it in a text editor"


def _as_plain(raw: Raw, place: str) -> Any:
    """A value as plain lists, dicts, texts and numbers."""
    try:
        return msgspec.json.decode(raw)
    except msgspec.DecodeError as error:
        what = str(error).partition(" - at")[0].lower()
        raise Refused(
            "{printable}: this cannot be read ({what})",
            "correct it in a text editor",
            printable=_printable(place),
            what=what,
        ) from None


def _document(top: dict[str, Raw]) -> Document:
    header = {key: _field(top[key], key) for key in HEADER if key in top}
    if "nodes" not in top:
        raise Refused('the key "nodes" is missing', "add {expected}", expected=must_be(StoredDocument, "nodes"))
    nodes = _nodes_in(top["nodes"])
    if "functions" in top:
        header["functions"] = _functions_in(top["functions"])
    extra = _shallow({key: _as_plain(raw, key) for key, raw in top.items() if key not in FIELDS})
    return Document(nodes=nodes, extra=extra, **header)


def _nodes_in(raws: Raw) -> dict[str, Node]:
    nodes: dict[str, Node] = {}
    try:
        for raw in msgspec.json.decode(raws, type=list[Raw]):
            stored, extra = _with_extra(raw)
            _check_name(stored.name, nodes)
            nodes[stored.name] = _node(stored, extra)
    except ValidationError:
        raise Refused("nodes must be {expected}", "correct it", expected=must_be(StoredDocument, "nodes")) from None
    except Refused as refusal:
        raise Refused(
            "node {nodes}{name_in}: {refusal}", nodes=len(nodes) + 1, name_in=_name_in(raw), refusal=refusal
        ) from None
    return nodes


def _check_name(name: str, taken: Collection[str]) -> None:
    if wrong := name_fault(name):
        raise Refused.of(wrong)
    if name in taken:
        raise Refused("there is a node {name} already, before it", "rename one of them", name=name)


def _field(raw: Raw, key: str) -> Any:
    try:
        return msgspec.json.decode(raw, type=FIELDS[key])
    except msgspec.DecodeError:
        raise Refused(
            "{key} must be {expected}", "correct it", key=key, expected=must_be(StoredDocument, key)
        ) from None


def _node(stored: StoredNode, extra: dict[str, Any]) -> Node:
    attributes = texts_as_specials(stored.op, _shallow(stored.attributes)) if stored.attributes else NOTHING
    raw = stored.value
    value = raw if raw is None or type(raw) is float else _value(raw, stored.dtype or "float64")
    guard, line = stored.guard, stored.line
    if stored.unconnected is not None:
        extra = {UNCONNECTED: msgspec.to_builtins(stored.unconnected), **extra}
    return Node(stored.name, stored.op, stored.inputs, value, attributes, stored.gradient, extra, guard, line)


def _with_extra(raw: Raw) -> tuple[StoredNode, dict[str, Any]]:
    """A node as the file has it, and its unknown keys."""
    with suppress(msgspec.DecodeError):  # an unknown key, or something wrong
        return _plain_node.decode(raw), NOTHING
    try:
        plain = {key: _as_plain(item, key) for key, item in msgspec.json.decode(raw, type=dict[str, Raw]).items()}
        stored = msgspec.convert(plain, StoredNode)
    except ValidationError as error:
        raise Refused(_node_sentence(str(error))) from None
    return stored, _shallow({key: item for key, item in plain.items() if key not in NODE_KEYS})


def _node_sentence(message: str) -> str:
    """Describe an error in a node, from msgspec's message, such as "Expected `array`, got `str` - at `$.inputs`"."""
    if missing := re.match(r"Object missing required field `(name|op)`", message):
        return f'the key "{missing[1]}" is missing; add {must_be(StoredNode, missing[1])}'
    key = re.search(r" - at `\$\.(\w+)", message)
    if key is None:
        return 'this must be an object such as {"name": "w0", "op": "parameter", "value": 2.0}; correct it'
    return f"{key[1]} must be {must_be(StoredNode, key[1])}; correct it"


def _value(stored: StoredValue, dtype: str) -> Value:
    try:
        return unpack(stored, dtype)
    except Refused as refusal:
        raise Refused("value {refusal}", refusal=refusal) from None


def _functions_in(raw: Raw) -> dict[str, Function]:
    """The functions by name. Raises Refused with one sentence where one cannot be read; other faults show in a run."""
    try:
        raws = msgspec.json.decode(raw, type=dict[str, Raw])
    except msgspec.DecodeError:
        raise Refused(
            "functions must be {expected}", "correct it", expected=must_be(StoredDocument, "functions")
        ) from None
    return {name: _function(name, item) for name, item in raws.items()}


def _function(name: str, raw: Raw) -> Function:
    try:
        if wrong := name_fault(name):
            raise Refused.of(wrong)
        fields, extra = _keys(raw, StoredFunction)
        if "gradient" in fields:
            fields["gradient"] = _gradient(fields["gradient"])
        return Function(**fields, extra=extra)
    except Refused as refusal:
        raise Refused("function {printable}: {refusal}", printable=_printable(name), refusal=refusal) from None


def _gradient(raw: Raw) -> Backward | None:
    if bytes(raw).strip() == b"null":
        return None
    try:
        fields, extra = _keys(raw, StoredBackward)
        return Backward(**fields, extra=extra)
    except Refused as refusal:
        raise Refused("gradient: {refusal}", refusal=refusal) from None


def _keys(raw: Raw, record: type[Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys of an object that the record knows, checked (a custom gradient is still JSON), and all others."""
    hints = get_type_hints(record, include_extras=True)
    try:
        raws = msgspec.json.decode(raw, type=dict[str, Raw])
    except msgspec.DecodeError:
        raise Refused(
            "this must be an object with {keys}", "correct it", keys=", ".join(record.__struct_fields__)
        ) from None
    for key in record.__struct_fields__[: -len(record.__struct_defaults__)]:
        if key not in raws:
            raise Refused('the key "{key}" is missing', "add {expected}", key=key, expected=must_be(record, key))
    fields = {key: _key(record, key, raws[key], hints[key]) for key in raws if key in hints}
    return fields, _shallow({key: _as_plain(item, key) for key, item in raws.items() if key not in hints})


def _key(record: type[Struct], key: str, raw: Raw, hint: Any) -> Any:
    if key == "nodes":
        return _nodes_in(raw)
    if key == "gradient":
        return raw
    try:
        return msgspec.json.decode(raw, type=hint)
    except msgspec.DecodeError:
        raise Refused("{key} must be {expected}", "correct it", key=key, expected=must_be(record, key)) from None


def _shallow(items: dict[str, Any]) -> dict[str, Any]:
    """`items`, unless they are nested too deeply."""
    level: list[Any] = [items]
    for _ in range(MAX_EXTRA_DEPTH):
        level = [part for item in level for part in (item.values() if isinstance(item, dict) else item)]
        level = [part for part in level if isinstance(part, dict | list)]
        if not level:
            return items
    raise Refused(
        "{printable}: this is nested more than {deepest_extra} levels deep",
        "make it simpler",
        printable=_printable(", ".join(items)),
        deepest_extra=MAX_EXTRA_DEPTH,
    )


def _name_in(raw: Raw) -> str:
    """The name of a node that cannot be read, if that much of it can: " (m1)"."""
    try:
        return f" ({_printable(msgspec.json.decode(raw, type=_Named).name)})"
    except msgspec.DecodeError:
        return ""


def _printable(text: str) -> str:
    """`text` short and on one line, whatever characters are in it."""
    return repr(text[:40])[1:-1]
