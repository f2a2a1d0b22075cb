"""Nested tuples of results: their arrays as one list, and back.

Lists do not count as tuples: a list of lists of numbers is most likely meant to be an array.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any


def arrays_in(nested: Any) -> list[Any]:
    """The items of a tuple, of the tuples in it, and so on, in order; anything else is itself the only item."""
    if isinstance(nested, tuple):
        return [item for part in nested for item in arrays_in(part)]
    return [nested]


def nested_like(like: Any, items: Sequence[Any]) -> Any:
    """Nest `items` in tuples in the same way as `like`."""
    return _nested(like, iter(items))


def _nested(like: Any, items: Iterator[Any]) -> Any:
    if isinstance(like, tuple):
        return tuple(_nested(part, items) for part in like)
    return next(items)


def changed(change: Callable[[Any], Any], nested: Any) -> Any:
    """Apply `change` to every item of nested tuples, lists and dictionaries, for results of any kind."""
    if type(nested) in (tuple, list):
        return type(nested)(changed(change, part) for part in nested)
    if type(nested) is dict:
        return {key: changed(change, part) for key, part in nested.items()}
    return change(nested)
