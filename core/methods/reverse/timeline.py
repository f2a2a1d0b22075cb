"""The steps of a run, by index, and what is to be seen at any moment. Nothing is stored per step, nothing is replayed.

Time is counted in steps: at time k, k steps are done; between k and k + 1 step k is under way. During a step the
numbers rest until DEPARTURE, travel along the wires and land at ARRIVAL; from then on the node shows its result.

`Timeline` is that of reverse mode; the other methods have their own, derived from `methods.walk`.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
import numpy as np

from cadena.core.methods.reverse.schedule import Arrival, Schedule
from cadena.core.text.numbers import is_bad

if TYPE_CHECKING:
    from cadena.core.run.program import Run

Phase = Literal[
    "forward", "seed", "reverse", "tangent", "ahead", "behind", "complex", "quotient", "expression", "derivative"
]
Paint = Callable[[str, str], str]
DEPARTURE, ARRIVAL = 3 / 16, 13 / 16  # the parts of a step after which what travels sets off, and has landed
MEETING = (DEPARTURE + ARRIVAL) / 2  # after which the upstream gradient has met the local derivative


class Step(msgspec.Struct, frozen=True):
    """One step: a node's value, the seed, or one contribution from `node` back to its `operand` in `slot`.

    Other methods have steps of their own, all at one `node`: a node with its tangent, in a displaced run ("ahead",
    "behind" or, by the complex step, "complex") or as an expression; at the end a leaf with its quotient or derivative.
    """

    index: int
    phase: Phase
    node: str
    slot: int | None = None
    operand: str | None = None


@dataclass(frozen=True, slots=True)
class Token:
    """A number on its way along the wire from `source` into `slot` of `target`.

    `fraction` is how far along the wire it is, 0 at the source, 1 at the target; a gradient runs from 1 to 0, and its
    token shows the upstream gradient until it meets the local derivative half way, then the contribution. Forward mode
    carries a `tangent` beside the value, the complex step the imaginary part beside the real one, symbols carry a
    formula (`latex`); `digits` tell two displaced runs apart.
    """

    source: str
    target: str
    slot: int
    kind: Literal["value", "gradient"]
    fraction: float
    number: np.ndarray
    tangent: np.ndarray | None = None
    latex: str = ""
    digits: int = 4


@dataclass(frozen=True, slots=True)
class Line:
    """One of the two lines of a node's card: a number, a formula or a text, in the colour of `role`.

    While there is none of them yet, `expected` says whether there will be.
    """

    role: str
    label: str
    number: np.ndarray | None = None
    latex: tuple[str, ...] = ()  # the same formula ever shorter: the first that fits is shown
    text: str = ""
    digits: int = 4
    expected: bool = True

    @property
    def empty(self) -> bool:
        return self.number is None and not self.latex and not self.text

    @property
    def ink(self) -> str:
        """The role of the colour that it is written in."""
        return "muted" if self.empty else "fault" if self.number is not None and is_bad(self.number) else self.role


class Lane(NamedTuple):
    """A line of what stands beside the step: a name and what is known of it; `now` marks the one under way."""

    name: str
    text: str
    role: str
    now: bool = False


PLACED, UNPLACED = "{place}: {outcome}.", "{outcome}."


class StepText(NamedTuple):
    """A step in words and formulas: its place in the method, its outcome, and the whole in a sentence."""

    place: str  # "Forward mode, pass 1 of 5, along w0"; "" where the outcome says it itself
    outcome: str  # "m1 has value 8, derivative 4"
    sentence: str
    formulas: tuple[str, ...]

    @property
    def title(self) -> str:
        """ "Forward mode, pass 1 of 5, along w0: m1 has value 8, derivative 4." """
        return (PLACED if self.place else UNPLACED).format(place=self.place, outcome=self.outcome)


class Stretch(NamedTuple):
    """A part of the line of time: the steps from `begin` on, until the next one begins."""

    word: str
    begin: int
    role: str


class Timeline:
    """The steps of a run: each operation forward, the seed, then each wire back. `len` and indexing are cheap."""

    method = "reverse"
    goes_back = True  # steps carry contributions back along the wires, to the gradients of all nodes
    has_formulas = False  # on cards and tokens; they are set before the steps are shown

    def __init__(self, run: Run) -> None:
        self.run = run
        self._order = run.plan.once(Schedule)

    def __len__(self) -> int:
        return len(self._order)

    def __getitem__(self, index: int) -> Step:
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"step {index} of {count}")
        index %= count
        names = self.run.plan.names
        order = self._order
        if index < len(order.forward):
            return Step(index, "forward", names[order.forward[index]])
        if index < order.first:
            return Step(index, "seed", str(self.run.program.output))
        place = index - order.first
        node, slot, operand = (int(column[place]) for column in (order.nodes, order.slots, order.operands))
        return Step(index, "reverse", names[node], slot, names[operand])

    @property
    def forward_length(self) -> int:
        """The number of steps of the forward pass; the seed, if there is one, comes next."""
        return len(self._order.forward)

    @property
    def value_steps(self) -> np.ndarray:
        """For each node number the step that shows its value; -1 for leaves and nodes that cannot run."""
        return self._order.value_steps

    @property
    def arrivals(self) -> Mapping[str, tuple[Arrival, ...]]:
        """For each node the contributions to its gradient in order: (step, consumer, slot)."""
        return self._order.arrivals

    @property
    def wire_steps(self) -> Mapping[tuple[str, int], int]:
        """For each wire (consumer, slot) the reverse step in which it carries its contribution back."""
        return self._order.wire_steps

    @property
    def first_arrivals(self) -> tuple[np.ndarray, np.ndarray]:
        """The nodes, by number, to whose gradients something is contributed, and the first step that does so."""
        return self._order.first_arrivals

    def steps_of_wires(self, targets: np.ndarray, slots: np.ndarray, never: int) -> np.ndarray:
        """As `wire_steps`, for many wires at once, by node number; `never` for those that carry nothing back."""
        return self._order.steps_of(targets, slots, never)

    @cached_property
    def runs(self) -> np.ndarray:
        """For each node number whether it has a value at all."""
        return self.run.plan.runs

    def pass_at(self, index: int) -> int | None:
        """The number of the pass to which a step belongs, where the method takes several."""
        return None

    def part(self, index: int) -> str:
        """The name of the part to which a step belongs, where its phase does not say it: "Backward pass 2"."""
        return ""

    @property
    def stretches(self) -> tuple[Stretch, ...]:
        """The passes, for the line of time."""
        turn = self.forward_length
        forward = [Stretch("forward", 0, "value")] if turn else []
        return (*forward, *([Stretch("reverse", turn, "gradient")] if len(self) > turn else []))

    def describe(self, index: int, paint: Paint | None = None) -> StepText | None:
        """Describe step `index` in the words of this method; None for the steps that `reverse.words` describes."""
        return None

    @property
    def headings(self) -> Mapping[int, str]:
        """The line above a step with which a pass begins, by the number of the step."""
        return {}

    @property
    def formulas(self) -> Iterable[str]:
        """All formulas that cards hold."""
        return ()

    def details(self, frame: Frame, name: str) -> list[str]:
        """Lines with what the card of a node shows beside value and gradient, in full."""
        return []

    def lanes(self, frame: Frame) -> tuple[Lane, ...]:
        """What stands beside the step: nothing in reverse mode."""
        return ()

    def lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        """The two lines of a node's card: its value over its gradient."""
        plan = self.run.plan
        number = plan.index[name]
        return (
            Line("value", "value", frame.value(name), expected=plan.shapes[number] is not None),
            Line("gradient", "gradient", frame.gradient(name), expected=bool(plan.reached[number])),
        )

    def tokens(self, step: Step, travelled: float) -> tuple[Token, ...]:
        """The number on its way when `step` has come as far as `travelled`, 0 to 1; operands travel one by one."""
        if step.phase == "seed":
            return ()
        if step.phase == "reverse":
            return (self._gradient_token(step, travelled),)
        return (self._operand_token(step, travelled),)

    def _operand_token(self, step: Step, travelled: float) -> Token:
        """The next operand on its way into the node of the step."""
        inputs = self.run.program.document.nodes[step.node].inputs
        slot = min(int(travelled * len(inputs)), len(inputs) - 1)
        fraction = ease(travelled * len(inputs) - slot)
        source = str(inputs[slot])
        return Token(source, step.node, slot, "value", fraction, np.asarray(self.run.value(source)))

    def _gradient_token(self, step: Step, travelled: float) -> Token:
        assert step.slot is not None and step.operand is not None
        fraction = 1.0 - ease(travelled)
        upstream, own = self.run.gradient(step.node), self.run.contribution(step.node, step.slot)
        number = upstream if fraction >= 0.5 else own  # where they meet it is still to be multiplied
        return Token(step.operand, step.node, step.slot, "gradient", fraction, np.asarray(number))

    def accumulated(self, name: str, steps_done: int) -> np.ndarray | None:
        """The gradient of `name` as far as it is summed up after `steps_done` steps; None while nothing has arrived."""
        plan, run = self.run.plan, self.run
        if not plan.reached[plan.index[name]] or steps_done <= self.forward_length:
            return None
        if steps_done == len(self):
            return run.gradient(name)
        arrivals = self.arrivals.get(name, ())
        count = bisect_left(arrivals, (steps_done,))
        if count == len(arrivals) and (count or name == run.program.output):
            return run.gradient(name)
        return self._sum(name, count) if count else None

    def sums(self, step: Step) -> tuple[np.ndarray | None, np.ndarray | None]:
        """The gradient of the operand of a reverse step before the step and after it; None while nothing had come."""
        assert step.operand is not None
        return tuple(self.accumulated(step.operand, done) for done in (step.index, step.index + 1))  # type: ignore[return-value]

    def is_kept(self, step: Step) -> bool:
        """Whether the sums of a step are what a leaf keeps over several backward passes."""
        return False

    def _sum(self, name: str, count: int) -> np.ndarray:
        """The sum of the first `count` contributions to a gradient. It goes on from the last that was asked for: else
        playing or telling all steps of a node with many consumers would take the square of their number."""
        done, total = self._sums.get(name, (0, 0))
        if done > count:
            done, total = 0, 0
        if done < count:
            with np.errstate(all="ignore"):
                for _, consumer, slot in self.arrivals[name][done:count]:
                    if (part := self.run.contribution(consumer, slot)) is not None:
                        total = total + part
            self._sums[name] = count, total
        return np.asarray(total)

    @cached_property
    def _sums(self) -> dict[str, tuple[int, Any]]:
        """By node how many contributions were summed up last, and their sum."""
        return {}

    def frame(self, time: float) -> Frame:
        """What is to be seen at `time` in steps, from 0 to len(self); times outside are taken to the nearest end."""
        time = min(max(float(time), 0.0), float(len(self)))
        current = max(math.ceil(time) - 1, 0)
        progress = time - current
        landed = current + (progress >= ARRIVAL) if len(self) else 0
        return Frame(self, time, self[current] if len(self) else None, progress, int(landed))


@dataclass(frozen=True)
class Frame:
    """One moment: `step` is under way (or just done) with `progress` 0 to 1; `landed` steps have shown their result."""

    timeline: Timeline
    time: float
    step: Step | None
    progress: float
    landed: int

    @property
    def run(self) -> Run:
        return self.timeline.run

    @property
    def whole(self) -> Timeline:
        """The timeline whose steps people count and read: of several backward passes all, where `timeline` is one."""
        return self.timeline

    @property
    def index(self) -> int:
        """The index of the step in `whole`."""
        assert self.step is not None
        return self.step.index

    @cached_property
    def shown(self) -> np.ndarray:
        """For each node number whether its value is to be seen."""
        return self.timeline.runs & (self.timeline.value_steps < self.landed)

    def value(self, name: str) -> np.ndarray | None:
        """The value that node `name` shows now, or None."""
        return self.run.value(name) if self.shown[self.run.plan.index[name]] else None

    def gradient(self, name: str) -> np.ndarray | None:
        """The gradient that node `name` shows now, as far as it is summed up, or None."""
        return self.timeline.accumulated(name, self.landed)

    def contribution(self, consumer: str, slot: int) -> np.ndarray | None:
        """The contribution that has travelled back along this wire by now, or None."""
        return self.run.contribution(consumer, slot) if self._is_back(consumer, slot) else None

    def _is_back(self, consumer: str, slot: int) -> bool:
        """Whether the reverse pass has come by this wire, if it ever does."""
        if self.timeline.goes_back and self.landed == len(self.timeline):
            return True
        step = self.timeline.wire_steps.get((consumer, slot))
        return step is not None and step < self.landed

    @property
    def number(self) -> int:
        """The step under way or just done as people count, from 1; 0 before the first."""
        return math.ceil(self.time)

    @property
    def settled(self) -> bool:
        """Whether nothing moves: between two steps, or before the first or after the last."""
        return self.step is None or self.progress in (0.0, 1.0)

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The number under way, or at its goal until the next step, if any; operands travel one after the other."""
        if self.step is None or self.progress == 0.0:
            return ()
        return self.timeline.tokens(self.step, travelled(self.progress))

    def lines(self, name: str) -> tuple[Line, Line]:
        """The two lines that the card of a node shows now."""
        return self.timeline.lines(self, name)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        """What stands beside the step now."""
        return self.timeline.lanes(self)


def travelled(progress: float) -> float:
    """How much of its way, 0 to 1, a number has made after this part of a step."""
    return min(max((progress - DEPARTURE) / (ARRIVAL - DEPARTURE), 0.0), 1.0)


def ease(fraction: float) -> float:
    """Map 0..1 to 0..1, slow at both ends (the cubic 3 t^2 - 2 t^3)."""
    return fraction * fraction * (3.0 - 2.0 * fraction)
