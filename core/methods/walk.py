"""The base of the timelines of the other methods: one or several walks over the operations, then a conclusion."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from cadena.core.methods.answer import Cancel, never, stop_if
from cadena.core.methods.reverse.timeline import Frame, Line, Phase, Step, Stretch, Timeline
from cadena.core.run.program import Run
from cadena.core.text.numbers import full, number_of, short


class WalkPass(NamedTuple):
    """Steps at these node numbers, one after the other."""

    phase: Phase
    nodes: Sequence[int]
    word: str
    role: str


class Walk(Timeline):
    """Passes one after the other, each a step for each of its nodes. Nothing travels back, so no wire carries."""

    goes_back = False

    def __init__(self, run: Run, passes: Sequence[WalkPass]) -> None:
        super().__init__(run)
        self._passes = passes
        self._begins = [0]
        for item in passes:
            self._begins.append(self._begins[-1] + len(item.nodes))

    def compute(self, cancelled: Cancel = never) -> None:
        """Compute now, in the caller's thread, what is otherwise computed when the steps are first read.

        Raises Cancelled as soon as `cancelled()` is true, which is asked between any two passes.
        """
        stop_if(cancelled)
        self.lanes(self.frame(len(self)))

    def __len__(self) -> int:
        return self._begins[-1]

    def __getitem__(self, index: int) -> Step:
        if not -len(self) <= index < len(self):
            raise IndexError(f"step {index} of {len(self)}")
        number, place = self.place(index % len(self))
        item = self._passes[number]
        return Step(index % len(self), item.phase, self.run.plan.names[item.nodes[place]])

    @property
    def headings(self) -> dict[int, str]:
        return {part.begin: f"{part.word[0].upper()}{part.word[1:]}:" for part in self.stretches}

    def details(self, frame: Frame, name: str) -> list[str]:
        lines = [line for line in self.lines(frame, name) if line.number is not None and line.label != "value"]
        return [f"{line.label}  {full(line.number)}" for line in lines]

    def place(self, index: int) -> tuple[int, int]:
        """The number of the pass to which a step belongs, and its place there."""
        number = bisect_right(self._begins, index, hi=len(self._passes)) - 1
        return number, index - self._begins[number]

    def pass_at(self, index: int) -> int | None:
        return self.place(index)[0]

    @property
    def forward_length(self) -> int:
        """The number of all steps: there is no reverse pass."""
        return len(self)

    @cached_property
    def value_steps(self) -> np.ndarray:
        """For each node number the step of the first pass that shows its value; -1 for what is known from the start."""
        steps = np.full(len(self.run.plan.names), -1)
        nodes = list(self._passes[0].nodes) if self._passes else []
        steps[nodes] = np.arange(len(nodes))
        return steps

    @property
    def arrivals(self) -> dict[str, tuple[tuple[int, str, int], ...]]:
        """None: nothing travels back."""
        return {}

    @property
    def wire_steps(self) -> dict[tuple[str, int], int]:
        """None, as for `arrivals`."""
        return {}

    @property
    def first_arrivals(self) -> tuple[np.ndarray, np.ndarray]:
        nothing = np.zeros(0, dtype=np.intp)
        return nothing, nothing

    def steps_of_wires(self, targets: np.ndarray, slots: np.ndarray, never: int) -> np.ndarray:
        return np.full(len(targets), never)

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        begins = zip(self._passes, self._begins, strict=False)
        return tuple(Stretch(item.word, begin, item.role) for item, begin in begins if item.nodes)

    def current(self, frame: Frame) -> int:
        """The number of the pass under way; the first before all steps."""
        return self.place(frame.step.index)[0] if frame.step is not None else 0

    def landed_in(self, frame: Frame, number: int, node: int) -> bool:
        """Whether pass `number`, which walks like the first, has come to this node; leaves are there when it begins."""
        step = int(self.value_steps[node])
        return self.current(frame) >= number and (step < 0 or self._begins[number] + step < frame.landed)

    def value_line(self, frame: Frame, name: str) -> Line:
        """The upper line: the value."""
        return Line("value", "value", frame.value(name), expected=self.run.value(name) is not None)


class ValuesTimeline(Walk):
    """The forward pass alone, where a method cannot be used."""

    method = "values"
    headings: Mapping[int, str] = {}  # type: ignore[assignment]

    def __init__(self, run: Run) -> None:
        super().__init__(run, [WalkPass("forward", [item.out for item in run.plan.instructions], "forward", "value")])


def shape_of(run: Run, name: str) -> tuple[int, ...]:
    """The shape of a node that runs."""
    return run.plan.shapes[run.plan.index[name]] or ()


def in_words(array: np.ndarray | None, digits: int = 4) -> str:
    """A value for a title: a number, or the number of its elements where there are several."""
    if array is not None and array.ndim:
        return f"has {number_of(array.size, 'element')}"
    return f"is {short(array, digits)}"
