"""Caches, and keys of caches for what has no fit equality of its own, or is too large for it."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Generic, TypeVar

import numpy as np

Item = TypeVar("Item")


class Same:
    """A key equal only to a key of the very same object: moving cards makes new documents with the same nodes."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and self.value is other.value


class Alike:
    """A key equal to that of an equal array. Comparing large arrays takes a tenth of the time that their bytes take."""

    def __init__(self, array: np.ndarray) -> None:
        self.array = array

    def __hash__(self) -> int:
        return hash(self.array.shape)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Alike):
            return False
        one, two = self.array, other.array
        return one is two or (one.shape == two.shape and bool((one == two).all()))  # in half of the time of array_equal


class Recent(Generic[Item]):
    """The last few things that were made, by keys that need not hold all that they are made of."""

    def __init__(self, most: int) -> None:
        self._most, self._known = most, dict[Hashable, Item]()

    def get(self, key: Hashable, make: Callable[[], Item]) -> Item:
        """What was made for an equal key, else what `make` makes now."""
        if key not in self._known:
            item = make()
            if len(self._known) >= self._most:
                del self._known[next(iter(self._known))]
            self._known[key] = item
        return self._known[key]
