"""Frames around nodes, with titles and colours. A node keeps the title of its frame, so that it is in one at most.

So a frame goes along with its nodes, into copies and files, and goes when the last of them goes.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import compress
from operator import attrgetter
from typing import Any

from msgspec.structs import replace as with_fields

from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import with_nodes
from cadena.core.graph.fault import Refused
from cadena.core.graph.subgraphs import LONG_TITLE, check_length

KEY, COLORS = "frame", "frames"  # the title, in `extra` of a node; the colours by title, in that of the document
COLOR_COUNT = 6


def frames(document: Document) -> dict[str, tuple[str, ...]]:
    """The nodes in each frame by its title, both in document order."""
    nodes, framed = document.nodes.values(), dict[str, list[str]]()
    for node in compress(nodes, map(attrgetter("extra"), nodes)):
        if title := _title(node):
            framed.setdefault(title, []).append(node.name)
    return {title: tuple(names) for title, names in framed.items()}


def frame_of(document: Document, name: str) -> str:
    """The title of a node's frame; "" for none."""
    return _title(document.nodes[name])


def _title(node: Node) -> str:
    title = node.extra.get(KEY)
    return title if isinstance(title, str) else ""


def put_into_frame(document: Document, names: Collection[str], title: str) -> Document:
    """Put nodes into the frame of this title, a new one if there is none; out of their frames for "".

    Raises Refused for a title that is too long, or where there is no node.
    """
    title = " ".join(title.split())
    check_length(title, what=LONG_TITLE)
    chosen = [name for name in document.nodes if name in names]
    if not chosen:
        raise Refused("no node is selected", "select what the frame is to hold")
    return with_nodes(document, *(_framed(document.nodes[name], title) for name in chosen))


def rename_frame(document: Document, old: str, new: str) -> Document:
    """Give a frame another title, under which its nodes join a frame that has it already; "" takes the frame away."""
    changed = put_into_frame(document, frames(document).get(old, ()), new)
    return set_color(changed, " ".join(new.split()), color_of(document, old)) if new.strip() else changed


def color_of(document: Document, title: str) -> int:
    """The number of a frame's colour, from 0 to below COLOR_COUNT."""
    colors = document.extra.get(COLORS)
    number = colors.get(title) if isinstance(colors, dict) else None
    return number % COLOR_COUNT if isinstance(number, int) else 0


def set_color(document: Document, title: str, color: int) -> Document:
    """Give a frame the colour of this number."""
    colors = document.extra.get(COLORS)
    kept = {key: item for key, item in colors.items() if key != title} if isinstance(colors, dict) else {}
    known = {key: item for key, item in kept.items() if key in frames(document)}
    return replace(document, extra={**document.extra, COLORS: {**known, title: color % COLOR_COUNT}})


def _framed(node: Node, title: str) -> Node:
    extra: dict[str, Any] = {key: item for key, item in node.extra.items() if key != KEY}
    return with_fields(node, extra=extra | {KEY: title} if title else extra)
