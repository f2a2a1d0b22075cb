"""torch.optim: SGD and Adam, which change parameters in place, outside of the graph."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library


class Optimizer:
    """Groups of parameters with their options; scripts derive optimizers of their own from it and write `step`."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        listed = [*params]
        if not listed:
            raise ValueError("optimizer got an empty parameter list")
        groups = listed if isinstance(listed[0], dict) else [{"params": listed}]
        self.param_groups = [{**defaults, **group, "params": [*group["params"]]} for group in groups]
        self.defaults = defaults
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)

    def zero_grad(self, set_to_none: bool = True) -> None:
        for group in self.param_groups:
            for item in group["params"]:
                item.grad = None


class Descent(Optimizer, ABC):
    """An optimizer that moves each parameter by its own gradient."""

    def step(self, closure: Any = None) -> Any:
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for item in group["params"]:
                if item.grad is not None:
                    slope = item.grad.array
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
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: float = 0,
        nesterov: bool = False,
    ) -> None:
        options = {"dampening": dampening, "weight_decay": weight_decay, "nesterov": nesterov}
        super().__init__(params, {"lr": lr, "momentum": momentum, **options})

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind = item.array.dtype.type
        if group["momentum"]:
            before = state.get("momentum")
            kept = kind(1 - group["dampening"])
            state["momentum"] = np.array(slope) if before is None else kind(group["momentum"]) * before + kept * slope
            nesterov = group["nesterov"]
            slope = slope + kind(group["momentum"]) * state["momentum"] if nesterov else state["momentum"]
        item.write(item.array - kind(group["lr"]) * slope)


class Adam(Descent):
    """Steps of a size that follows the gradients of the past."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
    ) -> None:
        super().__init__(params, {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay})

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind, (first, second) = item.array.dtype.type, group["betas"]
        count = state["count"] = state.get("count", 0) + 1
        mean = state["mean"] = state.get("mean", kind(0)) * kind(first) + kind(1 - first) * slope
        square = state["square"] = state.get("square", kind(0)) * kind(second) + kind(1 - second) * slope * slope
        size = group["lr"] / (1 - first**count)
        spread = np.sqrt(square) / kind(math.sqrt(1 - second**count)) + kind(group["eps"])
        item.write(item.array - kind(size) * mean / spread)


OPTIM = Library("torch.optim", {"SGD": SGD, "Adam": Adam, "Optimizer": Optimizer})
