"""Keys of caches."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from typing import Any


class Same:
    """A key equal only to a key of the very same object: moving cards makes new documents with the same nodes.

    A cache keeps no run of large tensors alive: objects are referred to weakly where Python can, all but tuples and
    dictionaries.
    """

    def __init__(self, value: Any) -> None:
        self._id = id(value)
        self._refer: Callable[[], Any]
        try:
            self._refer = weakref.ref(value)
        except TypeError:
            self._refer = lambda: value

    @property
    def value(self) -> Any:
        return self._refer()

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        """Another object may have the number of one that is gone, for which there is None."""
        return isinstance(other, Same) and (value := self.value) is other.value and id(value) == self._id == other._id
