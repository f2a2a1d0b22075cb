"""Keys of caches."""

from __future__ import annotations

from typing import Any


class Same:
    """A key equal only to a key of the very same object: moving cards makes new documents with the same nodes."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value
