"""The places of the nodes of an unfolded reverse pass: right of the graph, as its mirror image."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from cadena.core.graph import order as graph
from cadena.core.graph.document import LEAVES, Document, Position
from cadena.core.graph.edits import fragment
from cadena.core.layout.arrange import COLUMN_GAP, PITCH, CardSize, card_sizes, complete
from cadena.core.layout.heights import CARD_GAP


def mirrored(old: Document, new: Document, origins: Mapping[str, str]) -> Document:
    """Place the nodes of `new` as in `old`, and its further nodes in columns to the right of it.

    `origins` names for each further node one of `old`: it stands as near to the height of that one as there is room.
    """
    placed = dict(complete(old).layout)
    sizes = card_sizes(new)
    columns = _columns(fragment(new, origins))
    x = max((placed[name][0] + sizes[name][0] for name in old.nodes), default=0.0) + 2 * COLUMN_GAP
    for number in sorted(columns):
        names = columns[number]
        placed |= _column(names, {name: placed[origins[name]][1] for name in names}, sizes, x)
        x += max(PITCH, max(sizes[name][0] for name in names) + COLUMN_GAP)
    return replace(new, layout=placed)


def _columns(part: Document) -> Mapping[int, list[str]]:
    """The nodes by the number of steps from the seed; one that no step leads to stands before its first consumer."""
    ordered, _ = graph.order(part)
    depth: dict[str, int] = {}
    seed = next((name for name in ordered if part.nodes[name].op in LEAVES), None)
    for name in ordered:
        depths = [depth[source] + 1 for source in part.nodes[name].inputs if source in depth]
        if depths or name == seed:
            depth[name] = max(depths, default=0)
    for name in reversed(ordered):
        ahead = [depth[consumer] - 1 for consumer, _ in part.consumers[name] if consumer in depth]
        depth.setdefault(name, min(ahead, default=0))
    columns = defaultdict(list)
    for name in part.nodes:
        columns[depth[name]].append(name)
    return columns


def _column(
    names: list[str], ideal: Mapping[str, float], sizes: Mapping[str, CardSize], x: float
) -> dict[str, Position]:
    """Stack the cards in a column, each as near to its ideal height as the others allow."""
    ordered = sorted(names, key=lambda name: ideal[name])
    tops: list[float] = []
    for name in ordered:
        free = tops[-1] + sizes[ordered[len(tops) - 1]][1] + CARD_GAP if tops else ideal[name]
        tops.append(max(ideal[name], free))
    pushed = sum(top - ideal[name] for top, name in zip(tops, ordered, strict=True)) / len(tops)
    return {name: (round(x) + 0.0, round(top - pushed) + 0.0) for name, top in zip(ordered, tops, strict=True)}
