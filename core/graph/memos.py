"""Notes on the canvas, under the key "notes" of a document: texts with $mathematics$, each with a place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from cadena.core.graph.document import MAX_COORDINATE, Document, Position
from cadena.core.graph.fault import Refused

KEY = "notes"
MAX_LETTERS = 5000  # of one note


class Memo(NamedTuple):
    """A note: its text, and the corner of the canvas at which it begins."""

    text: str
    at: Position


def memos(document: Document) -> dict[int, Memo]:
    """The notes of a document by their number in its list; what is no note is passed over."""
    stored = document.extra.get(KEY)
    read = {number: _read(item) for number, item in enumerate(stored if isinstance(stored, list) else ())}
    return {number: note for number, note in read.items() if note is not None}


def _read(item: Any) -> Memo | None:
    text, at = (item.get("text"), item.get("at")) if isinstance(item, dict) else (None, None)
    if not isinstance(text, str) or not isinstance(at, list | tuple) or len(at) != 2:
        return None
    if not all(isinstance(part, int | float) and abs(part) <= MAX_COORDINATE for part in at):
        return None
    return Memo(text[:MAX_LETTERS], (float(at[0]), float(at[1])))


def add_memo(document: Document, text: str, at: Position) -> Document:
    """Add a note. Raises Refused for a text that is too long, or empty."""
    if not text.strip():
        raise Refused("the note has no text", "type one")
    return _with(document, [*_stored(document), _written(text, at)])


def set_text(document: Document, number: int, text: str) -> Document:
    """Give a note another text; an empty one takes it away. Raises Refused for one that is too long."""
    notes, stored = memos(document), _stored(document)
    own = [_written(text, notes[number].at)] if text.strip() else []
    return _with(document, [*stored[:number], *own, *stored[number + 1 :]])


def move_memo(document: Document, number: int, at: Position) -> Document:
    """Put a note elsewhere."""
    stored = _stored(document)
    return _with(document, [*stored[:number], {**stored[number], "at": list(at)}, *stored[number + 1 :]])


def _written(text: str, at: Position) -> dict[str, Any]:
    if len(text) > MAX_LETTERS:
        raise Refused("notes have at most {most} letters", "write two", most=MAX_LETTERS)
    return {"text": text.strip(), "at": list(at)}


def _stored(document: Document) -> list[Any]:
    stored = document.extra.get(KEY)
    return list(stored) if isinstance(stored, list) else []


def _with(document: Document, stored: Sequence[Any]) -> Document:
    extra = {key: item for key, item in document.extra.items() if key != KEY}
    return replace(document, extra=extra | ({KEY: list(stored)} if stored else {}))
