"""Migrations of older files: one small function per version, in one list, in order.

A migration takes the plain JSON object of a file of version n and returns that of version n + 1; the number itself is
set here. To change the format: add a function to MIGRATIONS, describe the new keys in `storage.records`, and put
an example of the new version into tests/core/storage/frozen. No old example is ever changed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from cadena.core.graph.fault import Refused, TooNew

Migration = Callable[[dict[str, Any]], dict[str, Any]]

# Operations whose result may have more rows or columns than every array in the file.
MAKERS = {
    "broadcast_to", "concatenate", "diag", "dstack", "einsum", "embedding", "expand_dims", "getitem", "gradient",
    "hstack", "index_put", "kron", "outer", "pad", "repeat", "reshape", "stack", "take", "tensordot", "tile", "vstack",
}  # fmt: skip


def spread_for_larger_cards(stored: dict[str, Any]) -> dict[str, Any]:
    """Cards of numbers grew from 120 x 72 to 136 x 88, those of arrays from 192 x 156 to as much as their maps need.

    All places grow by the same factors: what did not overlap does not overlap afterwards, in the same arrangement.
    """
    graphs = list(_graphs(stored))
    nodes = [node for graph in graphs for node in graph.get("nodes", ()) if isinstance(node, dict)]
    rows, columns = _largest(nodes)
    across = max(136 / 120, (232 if columns > 3 else 184) / 192)
    down = max(88 / 72, (86 + 48 * min(rows, 4)) / 156)

    def spread(place: Any) -> Any:
        """A place of numbers; another value is left to the decoder, which names it."""
        try:
            x, y = place
            return [math.floor(x * across + 0.5), math.floor(y * down + 0.5)]
        except (TypeError, ValueError, OverflowError):
            return place

    for graph in graphs:
        if isinstance(layout := graph.get("layout"), dict):
            layout.update({name: spread(place) for name, place in layout.items()})
    for node in nodes:
        if isinstance(reroutes := node.get("reroutes"), dict):
            lists = {slot: points for slot, points in reroutes.items() if isinstance(points, list)}
            reroutes.update({slot: list(map(spread, points)) for slot, points in lists.items()})
    for note in notes if isinstance(notes := stored.get("notes"), list) else ():
        if isinstance(note, dict) and "at" in note:
            note["at"] = spread(note["at"])
    return stored


def _graphs(stored: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The graph of a file, those of its functions, and those of their gradients."""
    yield stored
    for function in (stored.get("functions") or {}).values():
        yield from (graph for graph in (function, function.get("gradient")) if graph)


def _largest(nodes: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """The most rows and columns that a card may show."""
    if any(node.get("op") in MAKERS for node in nodes):
        return 4, 4
    shapes = [_shape(value) for node in nodes if isinstance(value := node.get("value"), list | dict)]
    rows = [1 if len(shape) < 2 else max(shape) if len(shape) == 2 else 4 for shape in shapes]
    return max(rows, default=0), max((max(shape, default=0) for shape in shapes), default=0)


def _shape(value: Any) -> list[int]:
    if isinstance(value, dict):
        return list(value["shape"])
    shape = []
    while isinstance(value, list):
        shape.append(len(value))
        value = value[0] if value else None
    return shape


MIGRATIONS: tuple[Migration, ...] = (spread_for_larger_cards,)  # the first leads from version 1 to 2
CURRENT = len(MIGRATIONS) + 1


def version_of(number: Any, current: int = CURRENT) -> int:
    """Check the version of a file, up to `current`. Raises Refused for anything else, and for a newer one."""
    if type(number) is not int or number < 1:
        raise Refused("version must be a whole number from 1", "correct it")
    if number > current:
        what = "the file was made by a newer Cadena (format version {number}; this one reads up to {current})"
        raise TooNew(what, "update Cadena", number=str(number)[:9], current=current)
    return number


def migrate(stored: dict[str, Any], migrations: Sequence[Migration] = MIGRATIONS) -> dict[str, Any]:
    """The JSON object of a file, of any version up to ours, as one of our version.

    Raises Refused for a newer file, and for one that a migration cannot make sense of.
    """
    for number in range(version_of(stored.get("version"), len(migrations) + 1), len(migrations) + 1):
        try:
            stored = migrations[number - 1](stored) | {"version": number + 1}
        except (TypeError, KeyError, IndexError, ValueError, AttributeError):
            raise Refused(
                "the file is not in order for format version {number}", "restore a copy of it", number=number
            ) from None
    return stored
