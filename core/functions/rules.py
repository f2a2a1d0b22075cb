"""The rules of a function: value and shape from its subgraph, gradients from there too or from its custom gradient."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import msgspec
import numpy as np

from cadena.core.functions.body import Body, Evaluate, OperandTangents
from cadena.core.ops.expression import Symbol
from cadena.core.ops.primitive import Shape, ShapeError, fit

MAX_SHOWN = 12  # operations of a gradient that is printed as a formula; nobody would read a longer one


class Rules(msgspec.Struct, frozen=True):
    """Value, shape, VJP and JVP of a function, from its subgraph or its custom gradient, for all operands at once."""

    name: str
    labels: tuple[str, ...]
    body: Body
    backward: Body | None

    def value(self, *operands: Any, evaluate: Evaluate | None = None) -> Any:
        return self.body.values(operands, evaluate)[self._output]

    @property
    def _output(self) -> int:
        (output,) = self.body.outputs
        assert output is not None
        return output

    def carries(self, slot: int) -> bool:
        """Whether a gradient comes back to the operand in `slot`."""
        return slot in self.body.carrying if self.backward is None else self.backward.outputs[slot] is not None

    def shape(self, *shapes: Shape) -> Shape:
        """The result's shape. Raises ShapeError for operands, or a custom gradient, that do not fit."""
        shape = self._within("in function {op}, {error}", self.body, shapes)[self._output]
        if self.backward is not None:
            back = self._within("in the custom gradient of {op}, {error}", self.backward, [*shapes, shape, shape])
            self._check([None if number is None else back[number] for number in self.backward.outputs], shapes, shape)
        return shape

    def _within(self, what: str, body: Body, shapes: Sequence[Shape]) -> list[Shape]:
        """The shapes in a subgraph; `what` is the message for an error in it."""
        try:
            return body.shapes(shapes)
        except ShapeError as error:
            raise ShapeError(what, op=self.name, error=error) from None

    def _check(self, gradients: Sequence[Shape | None], operands: Sequence[Shape], result: Shape) -> None:
        """Check that a gradient has its operand's shape, or the result's where the operand was broadcast to that."""
        for label, gradient, shape in zip(self.labels, gradients, operands, strict=True):
            if gradient is not None and gradient != shape and not (gradient == result and _broadcasts(shape, result)):
                raise ShapeError(
                    "the custom gradient of {op} for {label} has shape {gradient}, {label} itself {shape}",
                    "make them equal",
                    op=self.name,
                    label=label,
                    gradient=gradient,
                    shape=shape,
                )

    def pull(self, upstream: Any, y: Any, operands: Sequence[Any]) -> list[Any]:
        """The contribution to each operand's gradient, of its shape; None where there is none."""
        if self.backward is None:
            return self.body.pull(self.body.values(operands), [(self._output, upstream)])
        values = self.backward.values([*operands, y, upstream])
        parts = [None if number is None else values[number] for number in self.backward.outputs]
        if isinstance(upstream, Symbol):  # which has no shape
            return parts
        shapes = [None if part is None else np.shape(part) for part in parts]
        self._check(shapes, [np.shape(operand) for operand in operands], np.shape(y))
        return [None if part is None else fit(part, operand) for part, operand in zip(parts, operands, strict=True)]

    def transpose(self, slot: int, upstream: Any, y: Any, *operands: Any) -> Any:
        """The VJP for one operand."""
        return self.pull(upstream, y, operands)[slot]

    def push(self, tangents: OperandTangents, y: Any, operands: Sequence[Any]) -> Any:
        """The tangent of the result when the operands move along `tangents`, by slot.

        A custom gradient is a linear map from the upstream gradient to those of the operands. A tangent goes through
        the transpose of that map, which is the reverse pass through the custom gradient itself. Where a custom gradient
        is not linear (one that clips), its derivative at the upstream gradient 1 takes that place.
        """
        if self.backward is None:
            return self.body.push(self.body.values(operands), tangents, self._output)
        one = np.ones(np.shape(y), dtype=y.dtype)[()]
        values = self.backward.values([*operands, y, one])
        upstream = []
        for slot, tangent in tangents.items():
            if (number := self.backward.outputs[slot]) is not None:
                upstream.append((number, np.broadcast_to(tangent, np.shape(values[number]))))
        moved = self.backward.pull(values, upstream)[-1]
        return np.zeros(np.shape(y), dtype=y.dtype)[()] if moved is None else moved

    def push_slot(self, slot: int, tangent: Any, y: Any, *operands: Any) -> Any:
        """The JVP for one operand."""
        return self.push({slot: tangent}, y, operands)

    def shown(self, slot: int) -> Callable[..., Any] | str:
        """The VJP as a rule that can be printed; in words where that would be too long, or has no formula."""
        body = self.backward or self.body
        length = sum(1 if self.backward else 1 + 2 * len(step.active) for step in body.steps)
        if length <= MAX_SHOWN and _is_readable(body):
            return partial(self.transpose, slot)
        return f"{'reverse pass' if self.backward is None else 'custom gradient'} of {self.name}"


def _broadcasts(shape: Shape, result: Shape) -> bool:
    try:
        return np.broadcast_shapes(shape, result) == result
    except ValueError:
        return False


def _is_readable(body: Body) -> bool:
    """Whether the rules of all its operations are numbers' rules, which can be called on symbols."""
    plain = all(isinstance(value, float) for value in body.constants)
    return plain and all(step.primitive.elementwise and not step.primitive.attributes for step in body.steps)
