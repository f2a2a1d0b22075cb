"""What the modules of the script's torch share: the tape, whether gradients are recorded, the default type ...."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import numpy as np

from cadena.core.ops.primitive import Primitive, ShapeError, fit
from cadena.core.scripts import rounding
from cadena.core.scripts.library_rules import TORCH_FORMULAS
from cadena.core.scripts.pytorch.dice import Dice
from cadena.core.scripts.pytorch.memory import Memory
from cadena.core.scripts.pytorch.printing import grad_fn_name
from cadena.core.scripts.pytorch.summing import total
from cadena.core.scripts.rounding import RoundingTape, StepTable
from cadena.core.scripts.tape import ARRAYS, GradientPass, GradientRule, line_at, script_place
from cadena.core.tracing.tapes import shortened
from cadena.core.tracing.traced import plain


def _silu(x: Any) -> Any:
    return x / (np.float32(1.0) + rounding.exp(-x))


def _power(x: Any, exponent: Any) -> Any:
    if np.ndim(exponent) or exponent not in (2.0, 3.0):
        return np.power(np.asarray(x, np.float64), exponent).astype(np.float32)[()]
    return x * x if exponent == 2.0 else x * x * x


def _sum(x: Any, axis: Any, keepdims: bool) -> Any:
    return total(x, axis, keepdims)


def _mean(x: Any, axis: Any, keepdims: bool) -> Any:
    added = total(x, axis, keepdims)
    return added / added.dtype.type(x.size // max(added.size, 1))


def _squared_error(x: Any, target: Any, reduction: str) -> Any:
    squares = np.square(x - target)
    return squares if reduction == "none" else {"sum": _sum, "mean": _mean}[reduction](squares, None, False)


SUMS: StepTable = {"sum": _sum, "mean": _mean, "mse_loss": _squared_error}


class Saved(NamedTuple):
    """A tensor that an operation needs in the backward pass, with its version when it was kept."""

    tensor: Any
    memory: Memory
    version: int
    writes: int
    number: int | None  # its place on the tape, where it is a result
    shown: str
    numbers: Any  # where the script has its memory as numpy's array, which changes without a note


class TorchTape(RoundingTape):
    """PyTorch's functions of float32 are mostly right to the last digit; squares and cubes are products.

    Its sums are taken in an order of their own.
    """

    formulas: ClassVar[Mapping[str, GradientRule]] = TORCH_FORMULAS
    in_steps: ClassVar[StepTable] = {
        "sigmoid": rounding.sigmoid,
        "silu": _silu,
        "softmax": rounding.softmax,
        "log_softmax": rounding.log_softmax,
        "power": _power,
    }
    rounded_once: ClassVar[frozenset[str]] = frozenset(
        "exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh arccosh arctanh "
        "softplus elu mish logsigmoid cross_entropy".split()
    )

    def computed(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        if self.wholes or self.truths:
            below = _as_floats(below, primitive.choosers)
        return super().computed(primitive, below, attributes)

    def explained(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        try:
            return super().explained(primitive, below, attributes)
        except ShapeError as error:
            raise RuntimeError(str(error)) from None  # what PyTorch raises, and scripts catch

    def __init__(self) -> None:
        super().__init__()
        self.saved: dict[int, list[tuple[int, Saved]]] = {}  # by call: the operands that it needs, and its result
        self.converted: set[int] = set()  # results of a change of type
        self.without_rule: set[int] = set()  # floor divisions, which PyTorch does not differentiate

    def check(self, number: int) -> None:
        """Raise PyTorch's error where something that a call needs was changed in place, or has no derivative there."""
        if number in self.without_rule:
            raise RuntimeError("derivative for aten::floor_divide is not implemented")
        for _, item in self.saved.get(number, ()):
            counter, memory = item.tensor._counter, item.memory
            needed = f"line {line_at(self.places[number])} needs it"
            if counter.version != item.version:
                origin = (
                    ""
                    if item.number is None
                    else f", which is output 0 of {self.grad_fn(item.number).rpartition('Backward')[0]},"
                )
                raise RuntimeError(
                    "one of the variables needed for gradient computation has been modified by an inplace operation: "
                    f"{item.shown}{origin} is at version {counter.version}; expected version {item.version} instead. "
                    f"{needed}, line {line_at(counter.place)} overwrote it."
                )
            unseen = item.numbers is not None and not np.array_equal(item.numbers, item.tensor.array, equal_nan=True)
            if memory.writes != item.writes or unseen:
                raise RuntimeError(
                    f"{needed}, and line {line_at(memory.written)} overwrote it unnoticed by PyTorch, through "
                    ".data or numpy(), so that the gradient is of no function; write into a clone() or after backward()"
                )

    def grad_fn(self, number: int) -> str:
        """What PyTorch calls the step that goes back through the operation which made a result."""
        call = self.calls[number]
        assert call is not None
        shapes = [np.shape(plain(item)) for item in call.operands]
        return grad_fn_name(call.primitive.name, shapes, shortened(call.primitive, call.attributes))

    def by_library(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        if primitive.name in SUMS and all(np.ndim(item) and item.dtype.kind == "f" for item in below):
            return SUMS[primitive.name](*below, **attributes)
        return super().by_library(primitive, below, attributes)

    def contributions(
        self, record: Primitive, slots: list[int], upstream: Any, y: Any, below: list[Any], attributes: dict[str, Any]
    ) -> Iterable[tuple[int, Any]]:
        if not isinstance(upstream, np.ndarray) or any(record.slot(slot).partial is None for slot in slots):
            return super().contributions(record, slots, upstream, y, below, attributes)
        parts = ((slot, record.carried(slot, upstream, y, below, attributes)) for slot in slots)
        return [(slot, _summed(part, below[slot])) for slot, part in parts]


def _as_floats(below: Sequence[Any], choosers: Collection[int]) -> Sequence[Any]:
    """Operands of which whole numbers, which are data on the tape, are floats beside floats."""
    kinds = [item.dtype if isinstance(item, ARRAYS) else None for item in below]
    floats = next((kind for kind in kinds if kind is not None and kind.kind == "f"), None)
    if floats is None or all(kind is None or kind.kind == "f" for kind in kinds):
        return below
    return [
        item if kind is None or kind.kind == "f" or slot in choosers else item.astype(floats)
        for slot, (item, kind) in enumerate(zip(below, kinds, strict=True))
    ]


def _summed(part: Any, operand: Any) -> Any:
    """A gradient summed over the axes along which its operand was broadcast, as `fit` does it."""
    lead = np.ndim(part) - np.ndim(operand)
    if type(part) is not np.ndarray or lead < 0:
        return fit(part, operand)
    stretched = [axis for axis, size in enumerate(np.shape(operand), lead) if size == 1 and part.shape[axis] != 1]
    axes = [*range(lead), *stretched]
    return fit(total(part, axes, True).reshape(np.shape(operand)) if axes else part, operand)


class State:
    """There is one, since a process runs one script."""

    def __init__(self) -> None:
        self.tape = TorchTape()
        self.records = True  # False under no_grad
        self.dtype = np.dtype(np.float32)
        self.dice = Dice()
        self.passes: list[GradientPass] = []
        self.owners: dict[int, Any] = {}  # the tensor that each leaf of the tape stands for

    def note_pass(self, root: int) -> None:
        self.passes.append(GradientPass(self.tape, root, line_at(script_place()), end=len(self.tape.calls)))


STATE = State()
