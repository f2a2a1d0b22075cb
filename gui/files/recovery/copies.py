"""Copies of unsaved work: a line with the place where the work belongs, then a document on each line.

The program writes that place itself, beside the document: nothing in the user's own files can change it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused, TooNew
from cadena.core.graph.subgraphs import OUTPUTS
from cadena.core.layout.arrange import complete
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode_line
from cadena.gui.session.state import name_of

VERSION = 1
SUFFIX = ".recovery"
FIRST_SUFFIX = ".cadena"  # before there was a line beside the document; then the key below told where it belonged
FIRST_KEY = "recovered-from"


class EnteredCall(msgspec.Struct, frozen=True):
    """A step into a function: the call that was entered and, for its custom gradient, the operands' gradients."""

    call: str
    outputs: tuple[str | None, ...] | None = None


class _Head(msgspec.Struct):
    """The first line."""

    recovery: int
    path: str | None
    seen: str
    steps: tuple[EnteredCall, ...]


@dataclass(frozen=True)
class UnsavedWork:
    """The graph and, where a function within it is edited, the documents on the way there, not written back yet."""

    documents: tuple[Document, ...]
    steps: tuple[EnteredCall, ...] = ()  # one between each document and the next
    path: Path | None = None  # the file of the graph
    seen: str = ""  # the digest of that file's content when it was last read or written

    @property
    def name(self) -> str:
        """The name of the graph: its file's, else its title, else what it holds."""
        return name_of(self.path, self.documents[0])

    def file(self) -> Iterator[bytes]:
        """The file's content, line by line."""
        head = _Head(VERSION, str(self.path) if self.path else None, self.seen, self.steps)
        yield json.dumps(msgspec.to_builtins(head)).encode() + b"\n"  # json: a path may hold bytes that are no text
        for document in self.documents:
            yield encode_line(document) + b"\n"


def read(path: Path) -> UnsavedWork:
    """Read a copy. Raises OSError, TooNew, or Refused when it is damaged."""
    data = path.read_bytes()
    if path.suffix == FIRST_SUFFIX:
        document = decode(data)
        extra = {key: item for key, item in document.extra.items() if key != FIRST_KEY}
        return UnsavedWork((complete(replace(document, extra=extra)),))
    first, *lines = data.split(b"\n")
    head = _head(first)
    if len(lines) != len(head.steps) + 2 or lines.pop():
        raise Refused("the file ends in the middle")
    documents = [complete(decode(line)) for line in lines]
    for index, step in enumerate(head.steps, 1):
        if step.outputs is not None:
            documents[index] = replace(documents[index], extra={**documents[index].extra, OUTPUTS: step.outputs})
    place = Path(head.path) if head.path else None
    return UnsavedWork(tuple(documents), head.steps, place if place and place.is_absolute() else None, head.seen)


def _head(line: bytes) -> _Head:
    try:
        plain: Any = json.loads(line)
        if isinstance(plain, dict) and isinstance(version := plain.get("recovery"), int) and version > VERSION:
            raise TooNew("it was made by a newer Cadena", "update Cadena")
        return msgspec.convert(plain, _Head)
    except (ValueError, RecursionError):  # ValidationError is a ValueError
        raise Refused("its first line is not in order") from None
