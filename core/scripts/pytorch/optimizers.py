"""torch.optim: SGD, Adam and their like, which change parameters in place, outside of the graph."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch.schedules import LR_SCHEDULER


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


class AdamW(Adam):
    """Adam whose weights decay apart from the gradients."""

    def __init__(self, params: Iterable[Any], lr: float = 1e-3, weight_decay: float = 1e-2, **options: Any) -> None:
        super().__init__(params, lr=lr, **options)
        for group in self.param_groups:
            group["decay"] = weight_decay

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        item.write(item.array * item.array.dtype.type(1 - group["lr"] * group["decay"]))
        super().move(item, slope, group, state)


class RMSprop(Descent):
    """Steps divided by the size of the gradients of late."""

    def __init__(
        self,
        params: Iterable[Any],
        lr: float = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
    ) -> None:
        options = {"eps": eps, "weight_decay": weight_decay, "momentum": momentum}
        super().__init__(params, {"lr": lr, "alpha": alpha, **options})

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind, alpha = item.array.dtype.type, group["alpha"]
        square = state["square"] = state.get("square", kind(0)) * kind(alpha) + kind(1 - alpha) * slope * slope
        step = slope / (np.sqrt(square) + kind(group["eps"]))
        if group["momentum"]:
            step = state["momentum"] = state.get("momentum", kind(0)) * kind(group["momentum"]) + step
        item.write(item.array - kind(group["lr"]) * step)


class Adagrad(Descent):
    """Steps divided by the size of all gradients so far."""

    def __init__(
        self, params: Iterable[Any], lr: float = 1e-2, lr_decay: float = 0, weight_decay: float = 0, eps: float = 1e-10
    ) -> None:
        super().__init__(params, {"lr": lr, "lr_decay": lr_decay, "weight_decay": weight_decay, "eps": eps})

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind, count = item.array.dtype.type, state.get("count", 0)
        state["count"], square = count + 1, state.get("square", kind(0)) + slope * slope
        state["square"], size = square, group["lr"] / (1 + count * group["lr_decay"])
        item.write(item.array - kind(size) * slope / (np.sqrt(square) + kind(group["eps"])))


OPTIMIZERS = (Optimizer, SGD, Adam, AdamW, RMSprop, Adagrad)
OPTIM = Library("torch.optim", {item.__name__: item for item in OPTIMIZERS} | {"lr_scheduler": LR_SCHEDULER})
