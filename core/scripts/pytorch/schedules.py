"""torch.optim.lr_scheduler: learning rates that change from epoch to epoch."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from cadena.core.scripts.library import Library


class LRScheduler(ABC):
    """Sets the learning rate of each group of an optimizer after every epoch."""

    def __init__(self, optimizer: Any, last_epoch: int = -1) -> None:
        self.optimizer, self.last_epoch = optimizer, last_epoch + 1
        self.base_lrs = [group.setdefault("initial_lr", group["lr"]) for group in optimizer.param_groups]
        self._set()

    def step(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._set()

    def _set(self) -> None:
        for place, group in enumerate(self.optimizer.param_groups):
            group["lr"] = self.rate(group["lr"], self.base_lrs[place], place)

    @abstractmethod
    def rate(self, now: float, base: float, place: int) -> float:
        """The learning rate of this epoch from that of the last one."""

    def get_last_lr(self) -> list[float]:
        return [group["lr"] for group in self.optimizer.param_groups]


class StepLR(LRScheduler):
    """A factor every few epochs."""

    def __init__(self, optimizer: Any, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, now: float, base: float, place: int) -> float:
        return now * self.gamma if self.last_epoch and not self.last_epoch % self.step_size else now


class MultiStepLR(LRScheduler):
    """A factor at some epochs."""

    def __init__(self, optimizer: Any, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.milestones, self.gamma = [*milestones], gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, now: float, base: float, place: int) -> float:
        return now * self.gamma ** self.milestones.count(self.last_epoch)


class ExponentialLR(LRScheduler):
    """A factor at every epoch."""

    def __init__(self, optimizer: Any, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def rate(self, now: float, base: float, place: int) -> float:
        return now * self.gamma if self.last_epoch else now


class LambdaLR(LRScheduler):
    """The first learning rate times what a function of the epoch gives."""

    def __init__(self, optimizer: Any, lr_lambda: Any, last_epoch: int = -1) -> None:
        count = len(optimizer.param_groups)
        self.factors: list[Callable[[int], float]] = (
            [*lr_lambda] if isinstance(lr_lambda, list) else [lr_lambda] * count
        )
        super().__init__(optimizer, last_epoch)

    def rate(self, now: float, base: float, place: int) -> float:
        return base * self.factors[place](self.last_epoch)


class CosineAnnealingLR(LRScheduler):
    """Half a period of a cosine, from the first learning rate to `eta_min`."""

    def __init__(self, optimizer: Any, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def rate(self, now: float, base: float, place: int) -> float:
        epoch, least = self.last_epoch, self.eta_min
        if not epoch:
            return now
        if not (epoch - 1 - self.T_max) % (2 * self.T_max):
            return now + (base - least) * (1 - math.cos(math.pi / self.T_max)) / 2
        ratio = (1 + math.cos(math.pi * epoch / self.T_max)) / (1 + math.cos(math.pi * (epoch - 1) / self.T_max))
        return ratio * (now - least) + least


class ReduceLROnPlateau:
    """A factor where a number has not become better for some epochs."""

    def __init__(
        self,
        optimizer: Any,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        min_lr: float = 0.0,
    ) -> None:
        self.optimizer, self.sign, self.factor, self.patience = optimizer, 1 if mode == "min" else -1, factor, patience
        self.threshold, self.min_lr, self.best, self.num_bad_epochs = threshold, min_lr, math.inf, 0

    def step(self, metrics: Any) -> None:
        number = self.sign * float(metrics)
        if number < self.best - self.threshold * abs(self.best) or self.best == math.inf:
            self.best, self.num_bad_epochs = number, 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.num_bad_epochs = 0
            for group in self.optimizer.param_groups:
                lower = max(group["lr"] * self.factor, self.min_lr)
                group["lr"] = lower if group["lr"] - lower > 1e-8 else group["lr"]

    get_last_lr = LRScheduler.get_last_lr


SCHEDULES = (LRScheduler, StepLR, MultiStepLR, ExponentialLR, LambdaLR, CosineAnnealingLR, ReduceLROnPlateau)
LR_SCHEDULER = Library("torch.optim.lr_scheduler", {item.__name__: item for item in SCHEDULES})
