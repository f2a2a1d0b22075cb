"""torch.optim: SGD and Adam, which change parameters in place, outside of the graph."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import table
from cadena.core.scripts.pytorch.module import clear
from cadena.core.scripts.pytorch.tensor import Core


class Optimizer:
    """Groups of parameters with their options; scripts derive optimizers of their own from it and write `step`."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        listed: list[Any] = [params] if isinstance(params, Core) else [*params]
        if not listed:
            raise ValueError("optimizer got an empty parameter list")
        self.defaults, self.param_groups = defaults, list[dict[str, Any]]()
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        groups: list[dict[str, Any]] = listed if isinstance(listed[0], dict) else [{"params": listed}]
        for group in groups:
            own = [group["params"]] if isinstance(group["params"], Core) else [*group["params"]]
            self.param_groups.append({"params": own, **defaults, **group} | {"params": own})

    def zero_grad(self, set_to_none: bool = True) -> None:
        clear((item for group in self.param_groups for item in group["params"]), set_to_none)

    def __repr__(self) -> str:
        lines = list[str]()
        for number, group in enumerate(self.param_groups):
            options = [f"    {key}: {group[key]}" for key in sorted(group) if key != "params"]
            lines += ["", f"Parameter Group {number}", *options]
        return "\n".join([f"{type(self).__name__} (", *lines[1:], ")"])


class Descent(Optimizer, ABC):
    """An optimizer that moves each parameter by its own gradient."""

    def __init__(self, params: Iterable[Any], **options: Any) -> None:
        if options["lr"] < 0.0:
            raise ValueError(f"Invalid learning rate: {options['lr']}")
        super().__init__(params, options)

    def step(self, closure: Any = None) -> Any:
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for item in group["params"]:
                if item.grad is not None:
                    slope = -item.grad.array if group["maximize"] else item.grad.array
                    if group["weight_decay"]:
                        slope = slope + item.array.dtype.type(group["weight_decay"]) * item.array
                    self.move(item, slope, group, self.state[item])
        return loss

    @abstractmethod
    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        """Write the next value of one parameter; `slope` has its shape, `state` is its memory between steps."""


class SGD(Descent):
    """Gradient descent, with or without momentum."""

    def __init__(
        self, params: Any, lr: float = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: float = 0,
        nesterov: bool = False, *, maximize: bool = False, foreach: Any = None, differentiable: bool = False,
        fused: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            params, lr=lr, momentum=momentum, dampening=dampening, weight_decay=weight_decay, nesterov=nesterov,
            maximize=maximize, foreach=foreach, differentiable=differentiable, fused=fused,
        )  # fmt: skip

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind = item.array.dtype.type
        if group["momentum"]:
            before = state.get("momentum_buffer")
            kept = kind(1 - group["dampening"])
            moved = np.array(slope) if before is None else kind(group["momentum"]) * before + kept * slope
            state["momentum_buffer"] = moved
            slope = slope + kind(group["momentum"]) * moved if group["nesterov"] else moved
        item.write(item.array - kind(group["lr"]) * slope)


class Adam(Descent):
    """Adam (Kingma and Ba, 2015)."""

    def __init__(  # noqa: PLR0913, PyTorch's signature
        self, params: Any, lr: float = 1e-3, betas: tuple[float, float] = (0.9, 0.999), eps: float = 1e-8,
        weight_decay: float = 0, amsgrad: bool = False, *, foreach: Any = None, maximize: bool = False,
        capturable: bool = False, differentiable: bool = False, fused: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(
            params, lr=lr, betas=betas, eps=eps, weight_decay=weight_decay, amsgrad=amsgrad, maximize=maximize,
            foreach=foreach, capturable=capturable, differentiable=differentiable, fused=fused,
            decoupled_weight_decay=False,
        )  # fmt: skip

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind, (first, second) = item.array.dtype.type, group["betas"]
        count = state["step"] = int(state.get("step", 0)) + 1
        mean = state["exp_avg"] = state.get("exp_avg", kind(0)) * kind(first) + kind(1 - first) * slope
        square = state.get("exp_avg_sq", kind(0)) * kind(second) + kind(1 - second) * slope * slope
        state["exp_avg_sq"] = square
        if group["amsgrad"]:
            square = state["max_exp_avg_sq"] = np.maximum(state.get("max_exp_avg_sq", kind(0)), square)
        size = group["lr"] / (1 - first**count)
        spread = np.sqrt(square) / kind(math.sqrt(1 - second**count)) + kind(group["eps"])
        item.write(item.array - kind(size) * mean / spread)


OPTIM = Library(
    "torch.optim",
    table.in_module("torch.optim", {item.__name__: item for item in (Optimizer, SGD, Adam)}),
    listed=lambda: table.known("torch.optim"),
)
