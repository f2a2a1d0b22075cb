"""Tapes that round as a library does: numpy's functions of float32 are often one digit off, most libraries' are not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from cadena.core.ops.primitive import Primitive, fit
from cadena.core.scripts.tape import ScriptTape

StepTable = Mapping[str, Callable[..., Any]]


class RoundingTape(ScriptTape):
    """A tape whose operations in float32 are computed in float64 and rounded once, or in a library's own steps."""

    in_steps: ClassVar[StepTable] = {}
    rounded_once: ClassVar[frozenset[str]] = frozenset()
    products: ClassVar[frozenset[str]] = frozenset()  # a closed gate multiplies by 0 there, which makes nan of inf

    def by_library(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        steps = self.in_steps.get(primitive.name)
        if (steps is None and primitive.name not in self.rounded_once) or not _is_narrow(below):
            return super().by_library(primitive, below, attributes)
        if steps is not None:
            return steps(*below, **attributes)
        wide = [item.astype(np.float64) if getattr(item, "dtype", None) == np.float32 else item for item in below]
        return np.asarray(super().by_library(primitive, wide, attributes)).astype(np.float32)[()]

    def contributions(
        self, record: Primitive, slots: list[int], upstream: Any, y: Any, below: list[Any], attributes: dict[str, Any]
    ) -> Iterable[tuple[int, Any]]:
        if record.name not in self.products:
            return super().contributions(record, slots, upstream, y, below, attributes)
        partials: dict[int, Any] = {slot: record.slot(slot).partial for slot in slots}
        return [(slot, fit(upstream * rule(y, *below, **attributes), below[slot])) for slot, rule in partials.items()]


def _is_narrow(operands: Sequence[Any]) -> bool:
    """Whether the floats among some numbers are of float32."""
    kinds = {item.dtype for item in operands if isinstance(item, np.ndarray | np.generic) and item.dtype.kind == "f"}
    return kinds == {np.dtype(np.float32)}


def exp(x: Any) -> Any:
    return np.exp(np.asarray(x, np.float64)).astype(np.float32)[()]


def sigmoid(x: Any) -> Any:
    return np.float32(1.0) / (np.float32(1.0) + exp(-x))


def softmax(x: Any, axis: Any) -> Any:
    powers = exp(x - np.max(x, axis=axis, keepdims=True))
    return powers / np.sum(powers, axis=axis, keepdims=True)


def log_softmax(x: Any, axis: Any) -> Any:
    below = x - np.max(x, axis=axis, keepdims=True)
    total = np.sum(exp(below), axis=axis, keepdims=True)
    return below - np.log(np.asarray(total, np.float64)).astype(np.float32)
