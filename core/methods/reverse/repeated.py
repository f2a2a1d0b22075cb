"""Several backward passes one after the other over one forward pass, whose gradients add up in the leaves."""

from __future__ import annotations

import math

from msgspec.structs import replace

from cadena.core.methods.reverse.timeline import Frame, Step, Stretch, Timeline
from cadena.core.run.accumulation import NOTHING, Accumulated, accumulate, under_way, zero_grad
from cadena.core.run.program import Run


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

    def _in_one_pass(self, time: float) -> float:
        """A moment as it is in a single pass: of two passes that meet there, at the end of the first."""
        return time - self._shift(max(math.ceil(time) - 1, 0))

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        begins = range(self.forward_length, len(self), self._back)
        backward = (Stretch(f"backward {number}", begin, "gradient") for number, begin in enumerate(begins, 1))
        return (Stretch("forward", 0, "value"), *backward)

    def frame(self, time: float) -> Frame:
        return self.once.frame(self._in_one_pass(min(max(float(time), 0.0), float(len(self)))))

    def held(self, time: float) -> Accumulated | None:
        """The gradients that the leaves hold at a moment; None before the first backward pass."""
        if time <= self.forward_length:
            return None
        frame, before, after = self.frame(time), NOTHING, NOTHING
        for number in range((self.pass_at(math.ceil(time) - 1) or 0) + 1):
            before = zero_grad(after) if number == self.zero_before else after
            after = accumulate(before, self.run)
        return under_way(before, after, frame.gradient)
