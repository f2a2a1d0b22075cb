"""Bookmarks of views: places of the canvas that the file remembers, each with a name."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace

from cadena.core.graph.document import Document

KEY = "bookmarks"


@dataclass(frozen=True)
class Bookmark:
    """The point of the canvas in the middle of the view, and the zoom."""

    name: str
    x: float
    y: float
    zoom: float


def bookmarks(document: Document) -> tuple[Bookmark, ...]:
    """The bookmarks of a document in their order; what is no bookmark is passed over."""
    stored = document.extra.get(KEY, ())
    return tuple(mark for item in stored if (mark := _read(item))) if isinstance(stored, list | tuple) else ()


def _read(item: object) -> Bookmark | None:
    if not isinstance(item, dict) or not isinstance(name := item.get("name"), str):
        return None
    numbers = [item.get(field) for field in ("x", "y", "zoom")]
    if not all(isinstance(number, int | float) and math.isfinite(number) for number in numbers):
        return None
    x, y, zoom = map(float, numbers)  # type: ignore[arg-type]
    return Bookmark(name, x, y, zoom) if zoom > 0.0 else None


def with_bookmarks(document: Document, marks: Iterable[Bookmark]) -> Document:
    """The document with these bookmarks and no others."""
    extra = {key: item for key, item in document.extra.items() if key != KEY}
    stored = [asdict(mark) for mark in marks]
    return replace(document, extra=extra | ({KEY: stored} if stored else {}))
