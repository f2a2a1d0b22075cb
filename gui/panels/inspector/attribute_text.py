"""Settings of an operation as people type them: read from a field's text, and written into it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import accumulate
from typing import Any

from cadena.core.graph.fault import Refused
from cadena.core.notation.reading import read_value
from cadena.core.ops.primitive import REQUIRED, Attribute, ShapeError
from cadena.core.ops.shaping import parse_index
from cadena.core.text.wording import Listing

EXAMPLES = {
    "axis": "0 or 0, 1; empty for all", "axes": "1, 0; empty to reverse", "shape": "2, 3", "index": "0 or 1:3, :",
    "integer": "2", "integers": "2 or 1, 2 or [[0, 1], [1, 0]]", "number": "0.5", "text": "a text",
}  # fmt: skip


def write_attribute(attribute: Attribute, value: Any) -> str:
    """Write the value of an attribute as its field shows it, and as it can be typed."""
    if value is None or value is REQUIRED:
        return ""
    if isinstance(value, list | tuple):
        bare = len(value) > (attribute.kind == "integers") and not any(isinstance(item, list | tuple) for item in value)
        return str(value) if not bare else ", ".join(map(str, value))
    return str(value)


def example(attribute: Attribute) -> str:
    """Examples of text for an attribute's field: "0.5", "2 or 1, 2; or same; empty for none"."""
    limits = f", from {attribute.within[0]} to {attribute.within[1]}" if attribute.within else ""
    words = [EXAMPLES[attribute.kind] + limits, *attribute.choices]
    may_be_empty = attribute.kind in ("integer", "number") and attribute.default is None
    return "; ".join([Listing(tuple(words), "or").worded(), *(["empty for none"] if may_be_empty else [])])


def read_attribute(attribute: Attribute, text: str) -> Any:
    """Parse the text of an attribute's field. Raises Refused with one sentence where it has no meaning."""
    plain = text.strip()
    if attribute.kind == "index":
        return _index(plain)
    if plain in attribute.choices or (attribute.kind == "text" and plain):
        return plain
    if not plain.strip("()[] ") and attribute.kind != "integers" and attribute.default is not REQUIRED:
        return None if attribute.kind in EMPTY_MEANS_NONE else attribute.default
    try:
        value = READERS[attribute.kind](plain.replace("−", "-"))
    except ValueError:
        raise _refusal(attribute, plain) from None
    if not attribute.takes(value):
        raise _refusal(attribute, plain)
    return value


def _refusal(attribute: Attribute, text: str) -> Refused:
    return Refused(
        "{text!r} cannot be the {attribute}",
        "type {example}",
        text=text[:40],
        attribute=attribute.name,
        example=example(attribute),
    )


def _index(text: str) -> str:
    try:
        parse_index(text)
    except ShapeError as error:
        raise Refused(str(error)) from None
    return text


def _list(text: str) -> list[int]:
    pieces = re.split(r"\s*[,×]\s*|\s+", text.strip("()[] ").strip(" ,"))
    return [_integer(piece) for piece in pieces]


def _integer(text: str) -> int:
    if not re.fullmatch(r"[+-]?\d{1,20}", text):
        raise ValueError(text)
    return int(text)


def _axis(text: str) -> int | list[int]:
    axes = _list(text)
    return axes[0] if len(axes) == 1 else axes


def _integers(text: str) -> Any:
    """Parse a whole number, or a list of such; brackets may nest, and those of a plain list may be omitted."""
    listed = text.translate(str.maketrans("()×", "[],")).rstrip(" ,")
    if "," in listed and not (listed.startswith("[") and listed.endswith("]") and _closes_last(listed)):
        listed = f"[{listed}]"
    try:
        return json.loads(listed)
    except RecursionError:
        raise ValueError(text) from None


def _closes_last(text: str) -> bool:
    """Whether the first bracket of `text` is closed by its last character."""
    depths = list(accumulate((letter == "[") - (letter == "]") for letter in text))
    return 0 not in depths[:-1]


def _number(text: str) -> float:
    """Parse a number; a whole one stays an int, as some operations need it."""
    if re.fullmatch(r"[+-]?\d{1,20}", text):
        return int(text)
    value = read_value(text)
    if not isinstance(value, float):
        raise ValueError(text)
    return value


EMPTY_MEANS_NONE = ("axis", "axes", "shape")
READERS: dict[str, Callable[[str], Any]] = {
    "axis": _axis, "axes": _list, "shape": _list, "integer": _integer, "integers": _integers, "number": _number,
}  # fmt: skip
