"""The plot of the error over h as data: the curves, the chosen step, and their scales."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from cadena.gui.plots.scale import LogScale

if TYPE_CHECKING:
    from cadena.core.methods.difference.sweep import Sweep

FAR = 1e4  # times the largest error, at which an estimate would flatten the curves


@dataclass(frozen=True)
class Chosen:
    """The chosen step, the error of its quotient and its estimate; nan where there is none."""

    step: float
    error: float = math.nan
    estimate: float = math.nan

    @property
    def usable(self) -> bool:
        """Whether the step has a place on an axis of powers of ten."""
        return 0.0 < self.step < math.inf


@dataclass(frozen=True, eq=False)
class Curves:
    """The errors of each kind, and the chosen kind and step. `stale` ones are pale while new ones are computed."""

    sweep: Sweep
    kind: str = "central"
    mark: Chosen | None = None
    stale: bool = False

    def is_like(self, other: Curves | None) -> bool:
        """Whether both show the same, except for the chosen step."""
        return (
            other is not None
            and self.sweep is other.sweep
            and (self.kind, self.stale, self.errors) == (other.kind, other.stale, other.errors)
        )

    @cached_property
    def steps(self) -> LogScale:
        """The scale of the steps."""
        return LogScale.of(self.sweep.steps.tolist())

    @cached_property
    def visible_mark(self) -> Chosen | None:
        """The chosen step where it lies within the plot."""
        if self.mark is None or not self.mark.usable:
            return None
        low, high = self.steps.ends
        return self.mark if low - 0.005 <= math.log10(self.mark.step) <= high + 0.005 else None

    @cached_property
    def errors(self) -> LogScale:
        """The scale of the errors; an estimate far above them is not shown."""
        mark = self.visible_mark or Chosen(math.nan)
        errors = [error for errors in self.sweep.errors.values() for error in errors.tolist()]
        errors = [error for error in (*errors, mark.error) if math.isfinite(error)]
        near = [mark.estimate] if 0.0 < mark.estimate <= FAR * max(errors, default=0.0) else []
        return LogScale.of([*errors, *near])

    @cached_property
    def heights(self) -> dict[str, list[float]]:
        """The places of each kind's errors, one for each step; nan where there is none."""
        return {kind: [self.height(error) for error in errors.tolist()] for kind, errors in self.sweep.errors.items()}

    def height(self, error: float) -> float:
        """The place of an error; nan for one that has none."""
        return self.errors.place(error) if math.isfinite(error) else math.nan

    @property
    def empty(self) -> bool:
        """Whether no error is known."""
        return not any(np.isfinite(errors).any() for errors in self.sweep.errors.values())
