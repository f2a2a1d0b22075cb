"""torch.autograd.Function: operations whose gradient the script writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.scripts.custom import custom
from cadena.core.scripts.pytorch.backward import SetGrad
from cadena.core.scripts.pytorch.state import STATE, TorchTape
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate


class Context:
    """What `forward` keeps for `backward`."""

    def __init__(self, needs: tuple[bool, ...]) -> None:
        self.saved_tensors: tuple[Any, ...] = ()
        self.needs_input_grad = needs

    def save_for_backward(self, *tensors: Any) -> None:
        self.saved_tensors = tensors

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        return self.saved_tensors

    def mark_dirty(self, *tensors: Any) -> None:
        pass

    def set_materialize_grads(self, wanted: bool) -> None:
        pass


class Function:
    """The base of such operations. Forward and backward run once on a tape of their own, which becomes it."""

    @classmethod
    def apply(cls, *arguments: Any) -> Any:
        tensors = [item for item in arguments if isinstance(item, Core)]
        wanted = [isinstance(item, Core) and item.requires_grad for item in arguments]
        if not any(wanted) or not STATE.records:
            with SetGrad(False):
                return cls.forward(Context(tuple(wanted)), *arguments)  # type: ignore[attr-defined]
        outer, STATE.tape = STATE.tape, TorchTape()
        try:
            record = cls._recorded(arguments, tuple(wanted))
        finally:
            STATE.tape = outer
        result = operate(record, tensors)
        result._fn = f"{cls.__name__}Backward"
        return result

    @classmethod
    def _recorded(cls, arguments: tuple[Any, ...], wanted: tuple[bool, ...]) -> Any:
        inner = [_inside(item) if isinstance(item, Core) else item for item in arguments]
        context = Context(wanted)
        result = cls.forward(context, *inner)  # type: ignore[attr-defined]
        if not isinstance(result, Core) or result._node is None:
            what = "a tensor that it computes from its operands with functions of torch"
            raise TypeError(f"{cls.__name__}.forward must return {what}, and one alone")
        upstream = _leaf(np.ones(result.array.shape, result.array.dtype)[()])
        gradients = cls.backward(context, upstream)  # type: ignore[attr-defined]
        parts = [*gradients] if isinstance(gradients, tuple) else [gradients]
        if len(parts) != len(arguments):
            raise RuntimeError(
                f"function {cls.__name__}Backward returned an incorrect number of gradients "
                f"(expected {len(arguments)}, got {len(parts)})"
            )
        chosen = [
            None if part is None else part.handle()
            for part, item in zip(parts, arguments, strict=True)
            if isinstance(item, Core)
        ]
        operands = [item.handle() for item in inner if isinstance(item, Core)]
        return custom(cls.__name__, STATE.tape, operands, result.handle(), upstream.handle(), chosen)


def _leaf(numbers: Any) -> Any:
    return TENSOR[0](numbers, STATE.tape.leaf(numbers))


def _inside(tensor: Core) -> Any:
    leaf = _leaf(tensor.array)
    if tensor._name:
        STATE.tape.name(leaf._node.number, tensor._name)
    return leaf
