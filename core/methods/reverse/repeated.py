"""Several backward passes one after the other over one forward pass, whose gradients add up in the leaves."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from msgspec.structs import replace

from cadena.core.methods.reverse.timeline import Frame, Step, Stretch, Timeline
from cadena.core.run.accumulation import NOTHING, Accumulated, accumulate, under_way, zero_grad
from cadena.core.run.program import Run


@dataclass(frozen=True)
class PassFrame(Frame):
    """A moment of one of several backward passes, whose steps come `shift` later than in a single pass."""

    several: RepeatedTimeline
    shift: int

    @property
    def whole(self) -> Timeline:
        return self.several

    @property
    def index(self) -> int:
        return super().index + self.shift


class RepeatedTimeline(Timeline):
    """The steps of a run with `passes` backward passes; before pass `zero_before`, from 0, zero_grad is called.

    A frame is that of a single pass: the nodes between hold no gradient from one pass to the next. What the leaves hold
    is `held`.
    """

    def __init__(self, run: Run, passes: int, zero_before: int | None) -> None:
        super().__init__(run)
        self.once = Timeline(run)
        self.passes, self.zero_before = passes, zero_before
        self._back = len(self.once) - self.forward_length

    def __len__(self) -> int:
        return self.forward_length + self.passes * self._back

    def __getitem__(self, index: int) -> Step:
        if not -len(self) <= index < len(self):
            raise IndexError(f"step {index} of {len(self)}")
        index %= len(self)
        return replace(self.once[index - self._shift(index)], index=index)

    def pass_at(self, index: int) -> int | None:
        """The number of the backward pass to which a step belongs, from 0; None for the forward pass."""
        return None if index < self.forward_length else (index - self.forward_length) // self._back

    def _shift(self, index: int) -> int:
        """How many steps earlier the step is in a single pass."""
        return (self.pass_at(index) or 0) * self._back

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        begins = range(self.forward_length, len(self), self._back)
        backward = (Stretch(f"backward {number}", begin, "gradient") for number, begin in enumerate(begins, 1))
        return (Stretch("forward", 0, "value"), *backward)

    @property
    def headings(self) -> dict[int, str]:
        return {one.begin: f"{self.part(one.begin) or 'Forward pass'}:" for one in self.stretches}

    def part(self, index: int) -> str:
        number = self.pass_at(index)
        if number is None:
            return ""
        return f"Backward pass {number + 1}{' after zero_grad' if number == self.zero_before else ''}"

    def accumulated(self, name: str, steps_done: int) -> np.ndarray | None:
        """As in a single pass: the nodes between begin each pass without a gradient."""
        return self.once.accumulated(name, steps_done - self._shift(max(steps_done - 1, 0)))

    def sums(self, step: Step) -> tuple[np.ndarray | None, np.ndarray | None]:
        if not self.is_kept(step):
            return super().sums(step)
        before, after = (self.held(float(done)) for done in (step.index, step.index + 1))
        assert before is not None and after is not None and step.operand is not None
        return before.gradients.get(step.operand), after.gradients[step.operand]

    def is_kept(self, step: Step) -> bool:
        """Whether the operand of a step is a leaf, which keeps its gradient from one pass to the next."""
        return bool(self.pass_at(step.index)) and step.operand in self._states[-1][1].gradients

    def frame(self, time: float) -> PassFrame:
        time = min(max(float(time), 0.0), float(len(self)))
        shift = self._shift(max(math.ceil(time) - 1, 0))  # of two passes that meet at `time`, the end of the first
        one = self.once.frame(time - shift)
        return PassFrame(one.timeline, one.time, one.step, one.progress, one.landed, self, shift)

    def held(self, time: float) -> Accumulated | None:
        """The gradients that the leaves hold at a moment; None before the first backward pass."""
        if time <= self.forward_length:
            return None
        before, after = self._states[self.pass_at(math.ceil(time) - 1) or 0]
        return under_way(before, after, self.frame(time).gradient)

    @cached_property
    def _states(self) -> list[tuple[Accumulated, Accumulated]]:
        """What the leaves hold before and after each pass."""
        states, after = list[tuple[Accumulated, Accumulated]](), NOTHING
        for number in range(self.passes):
            before = zero_grad(after) if number == self.zero_before else after
            after = accumulate(before, self.run)
            states.append((before, after))
        return states
