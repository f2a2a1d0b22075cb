"""Functions of PyTorch that are several operations, with a gradient (derivatives.yaml) that these would not give."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from cadena.core.capture.record import Leaf, Record
from cadena.core.functions.calls import FunctionCall, operations
from cadena.core.graph.document import Backward, Function
from cadena.core.graph.edits import fresh_name
from cadena.core.tracing.traced import Traced, apply

ValueRule = Callable[..., Any]
OperandGradients = Callable[..., Sequence[Any]]  # from the upstream gradient and the operands, one for each operand


def _with_gradient(name: str, value: ValueRule, gradients: OperandGradients, *operands: Any) -> Any:
    """A call of the function `name`; the value alone where no operand is traced."""
    if not any(isinstance(item, Traced) for item in operands):
        return value(*operands)
    numbers = [item if isinstance(item, Traced) else np.asarray(item, np.float64)[()] for item in operands]
    return apply(_call(name, value, gradients, len(operands)), numbers)


@lru_cache
def _call(name: str, value: ValueRule, gradients: OperandGradients, count: int) -> FunctionCall:
    record, labels = Record("float64"), tuple(f"x{index}" for index in range(count))
    leaves = [record.leaf(np.array(0.5), Leaf("input", label)) for label in labels]
    upstream = record.leaf(np.array(1.0), Leaf("input", "upstream"))

    def nodes(results: Sequence[Traced], inputs: Sequence[Traced]) -> tuple[tuple[str, ...], Any]:
        recorded, named = record.nodes([*inputs, *results])
        own = {key: node for key, node in recorded.items() if key not in (*labels, "upstream")}
        return tuple(named[item.number] for item in results), own

    (output,), forward = nodes([value(*leaves)], leaves)
    outputs, back = nodes(gradients(upstream, *leaves), [*leaves, upstream])
    unused = fresh_name({*labels, "upstream", *back}, "result")
    function = Function(labels, forward, output, Backward((*labels, unused, "upstream"), back, outputs))
    return operations({name: function})[name]


def xlogy(self: Any, other: Any) -> Any:
    return _with_gradient("xlogy", _xlogy, _of_xlogy, self, other)


def xlog1py(self: Any, other: Any) -> Any:
    return _with_gradient("xlog1py", _xlog1py, _of_xlog1py, self, other)


def entr(self: Any) -> Any:
    return _with_gradient("entr", _entr, lambda up, x: (up * -(1.0 + np.log(x)),), self)


def _xlogy(x: Any, y: Any) -> Any:
    product = np.where(np.equal(x, 0.0), 0.0, x * np.log(y))
    return np.where(np.isnan(y), np.nan, product)


def _of_xlogy(up: Any, x: Any, y: Any) -> Sequence[Any]:
    is_empty = np.logical_and(np.equal(x, 0.0), np.less_equal(y, 0.0))
    return np.where(np.logical_or(is_empty, np.equal(up, 0.0)), 0.0, up * np.log(y)), up * x / y


def _xlog1py(x: Any, y: Any) -> Any:
    product = np.where(np.equal(x, 0.0), 0.0, x * np.log1p(y))
    return np.where(np.isnan(y), np.nan, product)


def _of_xlog1py(up: Any, x: Any, y: Any) -> Sequence[Any]:
    is_empty = np.logical_and(np.equal(x, 0.0), np.less_equal(y, -1.0))
    return np.where(np.logical_or(is_empty, np.equal(up, 0.0)), 0.0, up * np.log1p(y)), up * x / (y + 1.0)


def _entr(x: Any) -> Any:
    inside = np.where(np.equal(x, 0.0), 0.0, -x * np.log(x))
    return np.where(np.less(x, 0.0), -np.inf, inside)


def clamped_below(self: Any, min: Any) -> Any:
    """The larger one; of equal ones the operand alone gets the gradient, not the bound."""
    return _with_gradient("clamp_min", np.maximum, _of_clamp_min, self, min)


def clamped_above(self: Any, max: Any) -> Any:
    return _with_gradient("clamp_max", np.minimum, _of_clamp_max, self, max)


def _of_clamp_min(up: Any, x: Any, bound: Any) -> Sequence[Any]:
    passes = np.greater_equal(x, bound)
    return np.where(passes, up, 0.0), np.where(passes, 0.0, up)


def _of_clamp_max(up: Any, x: Any, bound: Any) -> Sequence[Any]:
    passes = np.less_equal(x, bound)
    return np.where(passes, up, 0.0), np.where(passes, 0.0, up)
