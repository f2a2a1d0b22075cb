"""Migrations of older files: one small function per version, in one list, in order.

A migration takes the plain JSON object of a file of version n and returns that of version n + 1; the number itself is
set here. To change the format: add a function to MIGRATIONS, describe the new keys in `storage.records`, and put
an example of the new version into tests/core/storage/frozen. No old example is ever changed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cadena.core.graph.fault import Refused, TooNew

Migration = Callable[[dict[str, Any]], dict[str, Any]]

MIGRATIONS: tuple[Migration, ...] = ()  # the first leads from version 1 to 2
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
