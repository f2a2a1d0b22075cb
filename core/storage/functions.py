"""The functions in a .cadena file: read with the same care as its nodes, and with the same sentences."""

from __future__ import annotations

from typing import Any, get_type_hints

import msgspec
from msgspec import Raw, Struct

from cadena.core.graph.document import Backward, Function, name_fault
from cadena.core.graph.fault import Refused
from cadena.core.storage.decoding import as_plain, nodes_in, printable, shallow
from cadena.core.storage.records import StoredBackward, StoredDocument, StoredFunction, must_be


def functions_in(raw: Raw) -> dict[str, Function]:
    """The functions by name. Raises Refused with one sentence for what cannot be read; other faults stay to be seen."""
    try:
        raws = msgspec.json.decode(raw, type=dict[str, Raw])
    except msgspec.DecodeError:
        raise Refused(f"functions must be {must_be(StoredDocument, 'functions')}; correct it") from None
    return {name: _function(name, item) for name, item in raws.items()}


def _function(name: str, raw: Raw) -> Function:
    try:
        if wrong := name_fault(name):
            raise Refused(wrong)
        known, extra = _keys(raw, StoredFunction)
        if "gradient" in known:
            known["gradient"] = _gradient(known["gradient"])
        return Function(**known, extra=extra)
    except Refused as refusal:
        raise Refused(f"function {printable(name)}: {refusal}") from None


def _gradient(raw: Raw) -> Backward | None:
    if bytes(raw).strip() == b"null":
        return None
    try:
        known, extra = _keys(raw, StoredBackward)
        return Backward(**known, extra=extra)
    except Refused as refusal:
        raise Refused(f"gradient: {refusal}") from None


def _keys(raw: Raw, record: type[Struct]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The keys of an object that the record knows, checked (a custom gradient is still JSON), and all others."""
    hints = get_type_hints(record, include_extras=True)
    try:
        raws = msgspec.json.decode(raw, type=dict[str, Raw])
    except msgspec.DecodeError:
        raise Refused(f"this must be an object with {', '.join(record.__struct_fields__)}; correct it") from None
    for key in record.__struct_fields__[: -len(record.__struct_defaults__)]:
        if key not in raws:
            raise Refused(f'the key "{key}" is missing; add {must_be(record, key)}')
    known = {key: _value(record, key, raws[key], hints[key]) for key in raws if key in hints}
    return known, shallow({key: as_plain(item, key) for key, item in raws.items() if key not in hints})


def _value(record: type[Struct], key: str, raw: Raw, hint: Any) -> Any:
    if key == "nodes":
        return nodes_in(raw)
    if key == "gradient":
        return raw
    try:
        return msgspec.json.decode(raw, type=hint)
    except msgspec.DecodeError:
        raise Refused(f"{key} must be {must_be(record, key)}; correct it") from None
