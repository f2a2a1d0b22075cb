"""Frames around nodes, with titles and colours. A node keeps the title of its frame, so that it is in one at most.

So a frame goes along with its nodes, into copies and files, and goes when the last of them goes. A collapsed one is
shown as one card; nothing else knows of it.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.graph.blocks import ClosedBlock, results
from cadena.core.graph.document import Document, Node
from cadena.core.graph.edits import with_nodes
from cadena.core.graph.fault import Refused
from cadena.core.graph.subgraphs import LONG_TITLE, check_length
from cadena.core.graph.wiring import Wiring

KEY, COLORS = "frame", "frames"  # the title, in `extra` of a node; the colours by title, in that of the document
COLLAPSED = "collapsed"  # the titles of collapsed frames, in that of the document
COLOR_COUNT = 6


def frames(document: Document) -> dict[str, tuple[str, ...]]:
    """The nodes in each frame by its title, both in document order."""
    framed = dict[str, list[str]]()
    for node in document.noted:
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
    title = _one_line(title)
    check_length(title, what=LONG_TITLE)
    chosen = [name for name in document.nodes if name in names]
    if not chosen:
        raise Refused("no node is selected", "select what the frame is to hold")
    return with_nodes(document, *(_framed(document.nodes[name], title) for name in chosen))


def rename_frame(document: Document, old: str, new: str) -> Document:
    """Give a frame another title, under which its nodes join a frame that has it already; "" takes the frame away."""
    changed, title = put_into_frame(document, frames(document).get(old, ()), new), _one_line(new)
    if not title:
        return changed
    is_collapsed = old in collapsed_titles(document) and len(frames(changed)[title]) > 1
    return set_collapsed(set_color(changed, title, color_of(document, old)), title, is_collapsed)


def color_of(document: Document, title: str) -> int:
    """The number of a frame's colour, from 0 to below COLOR_COUNT."""
    colors = document.extra.get(COLORS)
    number = colors.get(title) if isinstance(colors, dict) else None
    return number % COLOR_COUNT if isinstance(number, int) else 0


def hue(color: int) -> int | None:
    """The hue of the colour of this number, in degrees; None for the first, which is grey.

    Hues lie all around: none of them says anything of values or gradients.
    """
    return round(360.0 * (0.13 + color / COLOR_COUNT)) % 360 if color else None


def set_color(document: Document, title: str, color: int) -> Document:
    """Give a frame the colour of this number."""
    colors = document.extra.get(COLORS)
    kept = {key: item for key, item in colors.items() if key != title} if isinstance(colors, dict) else {}
    known = {key: item for key, item in kept.items() if key in frames(document)}
    return replace(document, extra={**document.extra, COLORS: {**known, title: color % COLOR_COUNT}})


@dataclass(frozen=True)
class CollapsedFrame:
    """A frame that is shown as one card, in the name of its last result."""

    title: str
    members: tuple[str, ...]
    results: tuple[str, ...]  # the members whose values are used outside, or nowhere; the output comes last

    @property
    def last(self) -> str:
        return self.results[-1]

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for frames that leave the same picture."""
        return self.title, *self.members


Folded = ClosedBlock | CollapsedFrame  # what a picture may show as one card


def collapsed_titles(document: Document) -> tuple[str, ...]:
    """The titles of the frames that are collapsed, and maybe of some that are no more."""
    titles = document.extra.get(COLLAPSED)
    return tuple(title for title in titles if isinstance(title, str)) if isinstance(titles, list) else ()


def collapsed_frames(document: Document, wired: Wiring) -> tuple[CollapsedFrame, ...]:
    """The frames that are collapsed; `wired` is the wiring of the document. One node alone is a card already."""
    if not (titles := collapsed_titles(document)):
        return ()
    framed = {title: names for title, names in frames(document).items() if title in titles and len(names) > 1}
    return tuple(CollapsedFrame(title, names, _results(document, wired, names)) for title, names in framed.items())


def _results(document: Document, wired: Wiring, names: tuple[str, ...]) -> tuple[str, ...]:
    inside = np.zeros(len(wired.names), dtype=bool)
    inside[[wired.numbers[name] for name in names]] = True
    return results(document, wired, inside)


def set_collapsed(document: Document, title: str, collapsed: bool) -> Document:
    """Show a frame as one card, or all its cards. Raises Refused for a frame around one node."""
    known = frames(document)
    if collapsed and len(known.get(title, ())) < 2:
        raise Refused("{frame} holds one card", "put more cards into it", frame=title)
    others = [one for one in collapsed_titles(document) if one != title and one in known]
    titles = [*others, title] if collapsed else others
    extra = {key: item for key, item in document.extra.items() if key != COLLAPSED}
    return replace(document, extra=extra | {COLLAPSED: titles} if titles else extra)


def _one_line(title: str) -> str:
    return " ".join(title.split())


def _framed(node: Node, title: str) -> Node:
    extra: dict[str, Any] = {key: item for key, item in node.extra.items() if key != KEY}
    return with_fields(node, extra=extra | {KEY: title} if title else extra)
