"""torch.optim: SGD, Adam and their like, which change parameters in place, outside of the graph."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterable
from typing import Any, ClassVar

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch.module import clear
from cadena.core.scripts.pytorch.schedules import LR_SCHEDULER
from cadena.core.scripts.pytorch.tensor import TENSOR, Core

# How, and not what, is computed: options that PyTorch prints, and that change nothing here.
MANNER: dict[str, Any] = {"foreach": None, "capturable": False, "differentiable": False, "fused": None}


class Optimizer:
    """Groups of parameters with their options; scripts derive optimizers of their own from it and write `step`."""

    def __init__(self, params: Iterable[Any], defaults: dict[str, Any]) -> None:
        listed = [*params]
        if not listed:
            raise ValueError("optimizer got an empty parameter list")
        self.defaults, self.param_groups = defaults, list[dict[str, Any]]()
        self.state: defaultdict[Any, dict[str, Any]] = defaultdict(dict)
        for group in listed if isinstance(listed[0], dict) else [{"params": listed}]:
            self.add_param_group(group)

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        params = param_group["params"]
        listed = [*params] if isinstance(params, Iterable) and not isinstance(params, Core) else [params]
        self.param_groups.append({"params": listed, **self.defaults, **param_group} | {"params": listed})

    def zero_grad(self, set_to_none: bool = True) -> None:
        clear((item for group in self.param_groups for item in group["params"]), set_to_none)

    def state_dict(self) -> dict[str, Any]:
        """The memory of each parameter by its number, and the options of each group."""
        numbers = {item: number for number, item in enumerate(self._all())}
        memory = {
            numbers[item]: {key: _shown(kept) for key, kept in self.state[item].items()}
            for item in self.state
            if self.state[item]
        }
        groups = [
            {**_without(group, "params"), "params": [numbers[item] for item in group["params"]]}
            for group in self.param_groups
        ]
        return {"state": memory, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        if [len(group["params"]) for group in state_dict["param_groups"]] != [
            len(group["params"]) for group in self.param_groups
        ]:
            raise ValueError("loaded state dict has a different number of parameter groups, or of parameters in one")
        for own, group in zip(self.param_groups, state_dict["param_groups"], strict=True):
            own.update(_without(group, "params"))
        items = self._all()
        for number, memory in state_dict["state"].items():
            self.state[items[number]] = {
                key: kept.array if isinstance(kept, Core) else kept for key, kept in memory.items()
            }

    def _all(self) -> list[Any]:
        return [item for group in self.param_groups for item in group["params"]]

    def __repr__(self) -> str:
        lines = list[str]()
        for number, group in enumerate(self.param_groups):
            options = [f"    {key}: {group[key]}" for key in sorted(_without(group, "params"))]
            lines += ["", f"Parameter Group {number}", *options]
        return "\n".join([f"{type(self).__name__} (", *lines[1:], ")"])


def _without(group: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in group.items() if key != name}


def _shown(kept: Any) -> Any:
    """What an optimizer remembers as a tensor; of a count one with a float, as PyTorch has it."""
    return TENSOR[0](np.array(kept, np.float32 if isinstance(kept, int) else None))


class Descent(Optimizer, ABC):
    """An optimizer that moves each parameter by its own gradient."""

    positional: ClassVar[tuple[str, ...]]
    options: ClassVar[dict[str, Any]]  # with their defaults, in PyTorch's order

    def __init__(self, params: Iterable[Any], *arguments: Any, **keywords: Any) -> None:
        settings = dict(zip(self.positional, arguments, strict=False)) | keywords
        if unknown := settings.keys() - self.options.keys():
            raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument {min(unknown)!r}")
        if settings.get("lr", 0.0) < 0.0:
            raise ValueError(f"Invalid learning rate: {settings['lr']}")
        super().__init__(params, {**self.options, **settings})

    def step(self, closure: Any = None) -> Any:
        loss = closure() if closure is not None else None
        for group in self.param_groups:
            for item in group["params"]:
                if item.grad is not None:
                    slope = -item.grad.array if group["maximize"] else item.grad.array
                    if group["weight_decay"] and not group.get("decoupled_weight_decay"):
                        slope = slope + item.array.dtype.type(group["weight_decay"]) * item.array
                    self.move(item, slope, group, self.state[item])
        return loss

    @abstractmethod
    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        """Write the next value of one parameter; `slope` has its shape, `state` is its memory between steps."""


class SGD(Descent):
    """Gradient descent, with or without momentum."""

    positional = ("lr", "momentum", "dampening", "weight_decay", "nesterov")
    options = {
        "lr": 1e-3, "momentum": 0, "dampening": 0, "weight_decay": 0, "nesterov": False, "maximize": False,
        "foreach": None, "differentiable": False, "fused": None,
    }  # fmt: skip

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
    """Steps of a size that follows the gradients of the past."""

    positional = ("lr", "betas", "eps", "weight_decay", "amsgrad")
    options = {
        "lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0, "amsgrad": False, "maximize": False,
        **MANNER, "decoupled_weight_decay": False,
    }  # fmt: skip

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind, (first, second) = item.array.dtype.type, group["betas"]
        if group["decoupled_weight_decay"]:
            item.write(item.array * kind(1 - group["lr"] * group["weight_decay"]))
        count = state["step"] = int(state.get("step", 0)) + 1
        mean = state["exp_avg"] = state.get("exp_avg", kind(0)) * kind(first) + kind(1 - first) * slope
        square = state.get("exp_avg_sq", kind(0)) * kind(second) + kind(1 - second) * slope * slope
        state["exp_avg_sq"] = square
        if group["amsgrad"]:
            square = state["max_exp_avg_sq"] = np.maximum(state.get("max_exp_avg_sq", kind(0)), square)
        size = group["lr"] / (1 - first**count)
        spread = np.sqrt(square) / kind(math.sqrt(1 - second**count)) + kind(group["eps"])
        item.write(item.array - kind(size) * mean / spread)


class AdamW(Adam):
    """Adam whose weights decay apart from the gradients."""

    options = {**Adam.options, "weight_decay": 1e-2, "decoupled_weight_decay": True}


class RMSprop(Descent):
    """Steps divided by the size of the gradients of late."""

    positional = ("lr", "alpha", "eps", "weight_decay", "momentum", "centered")
    options = {
        "lr": 1e-2, "momentum": 0, "alpha": 0.99, "eps": 1e-8, "centered": False, "weight_decay": 0,
        "capturable": False, "foreach": None, "maximize": False, "differentiable": False,
    }  # fmt: skip

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind, alpha = item.array.dtype.type, group["alpha"]
        state["step"] = int(state.get("step", 0)) + 1
        square = state["square_avg"] = state.get("square_avg", kind(0)) * kind(alpha) + kind(1 - alpha) * slope * slope
        if group["momentum"]:
            state.setdefault("momentum_buffer", kind(0))
        if group["centered"]:
            before = state.get("grad_avg", kind(0))
            mean = state["grad_avg"] = before + kind(1 - alpha) * (slope - before)
            square = square - mean * mean
        step = slope / (np.sqrt(square) + kind(group["eps"]))
        if group["momentum"]:
            step = state["momentum_buffer"] = state["momentum_buffer"] * kind(group["momentum"]) + step
        item.write(item.array - kind(group["lr"]) * step)


class Adagrad(Descent):
    """Steps divided by the size of all gradients so far."""

    positional = ("lr", "lr_decay", "weight_decay", "initial_accumulator_value", "eps")
    options = {
        "lr": 1e-2, "lr_decay": 0, "eps": 1e-10, "weight_decay": 0, "initial_accumulator_value": 0, "foreach": None,
        "maximize": False, "differentiable": False, "fused": None,
    }  # fmt: skip

    def move(self, item: Any, slope: Any, group: dict[str, Any], state: dict[str, Any]) -> None:
        kind, count = item.array.dtype.type, int(state.get("step", 0))
        state["step"], begun = count + 1, kind(group["initial_accumulator_value"])
        square = state["sum"] = state.get("sum", begun) + slope * slope
        size = group["lr"] / (1 + count * group["lr_decay"])
        item.write(item.array - kind(size) * slope / (np.sqrt(square) + kind(group["eps"])))


OPTIMIZERS = (Optimizer, SGD, Adam, AdamW, RMSprop, Adagrad)
OPTIM = Library("torch.optim", {item.__name__: item for item in OPTIMIZERS} | {"lr_scheduler": LR_SCHEDULER})
