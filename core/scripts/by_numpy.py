"""Functions of a library that are composed of several operations, computed by numpy's function on traced values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.tracing.traced import Traced


def by_numpy(
    function: Callable[..., Any], below: Callable[[Any], Any], above: Callable[[Any, Any], Any]
) -> Callable[..., Any]:
    """numpy's `function` on tensors: `below` gives what is recorded of one, `above` makes one of numbers and their
    place on the tape."""

    def call(*arguments: Any, **keywords: Any) -> Any:
        operands = [_each(below, item) for item in arguments]
        return _results(function(*operands, **{key: _each(below, item) for key, item in keywords.items()}), above)

    return call


def _each(change: Callable[[Any], Any], value: Any) -> Any:
    return type(value)(_each(change, item) for item in value) if type(value) in (list, tuple) else change(value)


def _results(value: Any, above: Callable[[Any, Any], Any]) -> Any:
    if isinstance(value, Traced):
        return above(value.value, value)
    if isinstance(value, tuple | list):
        return tuple(_results(item, above) for item in value)
    return above(np.asarray(value)[()], None)
