"""The record of a script: its operations with the line each stands on, and the variables that held their values."""

from __future__ import annotations

import heapq
import operator
import sys
from bisect import bisect_right
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import repeat
from types import CodeType, FrameType
from typing import Any, ClassVar

import msgspec
import numpy as np

from cadena.core.graph.document import is_name
from cadena.core.ops.primitive import Primitive, fit
from cadena.core.tracing.recording import RecordedCall, Tape
from cadena.core.tracing.traced import Traced, apply, plain

SCRIPT = "<script>"  # the file name under which a script is compiled


NUMBERS, ARRAYS = (float, int), (np.ndarray, np.generic)
# Python's signs: every library computes them alike, and on a single number they take a tenth of the time of a ufunc.
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
}  # fmt: skip
GradientRule = Callable[..., Sequence[Any] | None]
ScriptPlace = tuple[CodeType, int] | None  # an instruction of the script


def script_place() -> ScriptPlace:
    """Where the script is being executed; None outside of it. Its line is looked up later: in long code that takes
    longer than the operation itself. So does `f_code` of every frame, at which the hook of `limits` is called."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_globals.get("__name__") == "__main__" and (code := frame.f_code).co_filename == SCRIPT:
            return code, frame.f_lasti
        frame = frame.f_back
    return None


def is_called_by_script() -> bool:
    """Whether the script itself calls the function that asks."""
    return sys._getframe(2).f_code.co_filename == SCRIPT


DIFFERENCES: dict[
    str, int
] = {}  # sentences on what is not done as by the real library, with the line that did it first


def note_unlike(sentence: str) -> None:
    """Remark that something here gives other numbers, or prints less, than the library does."""
    if sentence not in DIFFERENCES:
        DIFFERENCES[sentence] = line_at(script_place())


def named_place(node: Traced | None, name: str) -> ScriptPlace:
    """Name a value of a tape after a variable; its place, or that of the variable where it is on no tape yet."""
    if node is None:
        return script_place()
    tape: Any = node.tape
    tape.name(node.number, name)
    place: ScriptPlace = tape.places[node.number]
    return place


def line_at(place: ScriptPlace) -> int:
    """The line of a place; 0 for none."""
    return lines_at([place])[0]


def lines_at(places: Iterable[ScriptPlace]) -> list[int]:
    """The line of each place. Places that follow one another are mostly in one code object, whose hash takes long."""
    code, starts, lines, answer = None, list[int](), list[int](), list[int]()
    for place in places:
        if place is None:
            answer.append(0)
            continue
        if place[0] is not code:
            code = place[0]
            starts, lines = _lines_of(code)
        answer.append(lines[bisect_right(starts, place[1]) - 1])
    return answer


@lru_cache(maxsize=256)
def _lines_of(code: CodeType) -> tuple[list[int], list[int]]:
    """The first instruction of each stretch of code, and its line."""
    stretches = [(start, line or 0) for start, _, line in code.co_lines()]
    return [start for start, _ in stretches], [line for _, line in stretches]


MAIN: list[ScriptTape] = []  # the first tape, on which the script's own operations are; functions have tapes of theirs


class ScriptTape(Tape):
    """The calls of a script. Leaves are parameters, or `data` that gets no gradient.

    formulas: the library's own gradients, from (upstream, y, *operands), of operations whose second derivative differs
    at some points although the first is the same; None for Cadena's own rule
    """

    formulas: ClassVar[Mapping[str, GradientRule]] = {}
    gives_zeros: ClassVar[bool] = False  # and not None, for a leaf that the result does not depend on

    def __init__(self) -> None:
        super().__init__()
        self.places: list[ScriptPlace] = []
        self.data: set[int] = set()  # leaves without a gradient, and what is computed without one
        MAIN[:] = MAIN or [self]
        self.freed: set[int] = set()  # calls whose backward pass has run, and which kept nothing for another

    def _add(self, call: RecordedCall | None, value: Any) -> Traced:
        self.places.append(script_place())
        self.calls.append(call)
        self.values.append(value)
        return Traced(self, len(self.calls) - 1)

    def record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced:
        """Compute one operation and record it; unlike on other tapes, handles never change the value they stand for."""
        values = self.values
        below = [
            (values[item.number] if item.tape is self else plain(item)) if type(item) is Traced else item
            for item in operands
        ]
        return self.note(primitive, operands, attributes, self.computed(primitive, below, attributes))

    def note(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any], value: Any) -> Traced:
        """Record an operation whose value is known."""
        result = self._add(RecordedCall(primitive, tuple(operands), attributes, value), value)
        self.classify(result, primitive, operands)
        if not any(map(self._carries, range(len(operands)), operands, repeat(primitive.choosers))):
            self.data.add(result.number)
        return result

    def _carries(self, slot: int, item: Any, choosers: Collection[int]) -> bool:
        """Whether an operand gets a gradient."""
        return type(item) is Traced and item.number not in self.data and slot not in choosers

    def add_data(self, leaf: Traced) -> None:
        """Note a leaf that gets no gradient; truth values and whole numbers are those for the script too."""
        self.data.add(leaf.number)
        kind = np.result_type(leaf.value).kind
        if kind != "f":
            (self.truths if kind == "b" else self.wholes).add(leaf.number)

    def computed(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The value of an operation on numbers, of which numpy has result one at least."""
        sign = SIGNS.get(primitive.name)
        try:
            return sign(*below) if sign is not None else self.by_library(primitive, below, attributes)
        except (TypeError, ValueError, IndexError, AttributeError):
            return self.explained(primitive, below, attributes)

    def explained(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The value of an operation that went wrong at first. Raises ShapeError with a sentence that says why."""
        return apply(primitive, below, attributes)

    def by_library(self, primitive: Primitive, below: Sequence[Any], attributes: dict[str, Any]) -> Any:
        """The value as the script's library computes it."""
        return primitive.value(*below, **attributes)

    def name(self, number: int, name: str) -> None:
        """Name a value after a variable; the first one stays."""
        if is_name(name):
            self.names.setdefault(number, name)

    def pull(
        self,
        seeds: Mapping[int, Any],
        kept: bool = False,
        recorded: bool = False,
        wanted: Collection[int] = (),
        hooks: Mapping[int, Callable[[Any], Any]] = {},
    ) -> dict[int, Any]:
        """The gradients of the leaves, and of the calls in `wanted`, from those of some calls.

        Calls are freed unless they are `kept`. Where the pass is `recorded`, the gradients are values of this tape.
        A hook gets the whole gradient of its call, and gives the one to go on with.
        Raises RuntimeError at a call that has been freed, as PyTorch does.
        """
        gradients, results = dict(seeds), dict[int, Any]()
        waiting = [-number for number in gradients]
        heapq.heapify(waiting)
        while waiting:
            number = -heapq.heappop(waiting)
            upstream, call = gradients.pop(number), self.calls[number]
            if number in hooks:
                upstream = hooks[number](upstream)
            if call is None or number in wanted:
                results[number] = upstream
            if call is None:
                continue
            for source, part in self._parts(number, call, upstream, recorded):
                if source in gradients:
                    gradients[source] = gradients[source] + part
                else:
                    gradients[source] = part
                    heapq.heappush(waiting, -source)
            if not kept and call.primitive.name not in NOTHING_SAVED:
                self.freed.add(number)
        return results

    def _parts(self, number: int, call: RecordedCall, upstream: Any, recorded: bool) -> list[tuple[int, Any]]:
        """The contribution of a call to the gradient of each of its operands on this tape."""
        if number in self.freed:
            raise RuntimeError(
                "Trying to backward through the graph a second time (or directly access saved tensors after they "
                "have already been freed). Saved intermediate values of the graph are freed when you call .backward() "
                "or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second "
                "time or if you need to access saved tensors after calling backward."
            )
        self.check(number)
        record, operands, data = call.primitive, call.operands, self.data
        slots, below = [], []
        for slot, item in enumerate(operands):
            if type(item) is not Traced:
                below.append(self._number(call, slot))
                continue
            has_gradient = item.number not in data
            below.append(item if recorded and has_gradient else self.values[item.number])
            if has_gradient and slot not in record.choosers:
                slots.append(slot)
        y = Traced(self, number) if recorded else call.value
        formula = self.formulas.get(record.name) if recorded else None
        if formula is not None and (parts := formula(upstream, y, *below, **call.attributes)) is not None:
            return [(operands[slot].number, fit(parts[slot], below[slot])) for slot in slots]
        return [
            (operands[slot].number, part)
            for slot, part in self.contributions(record, slots, upstream, y, below, call.attributes)
        ]

    def check(self, number: int) -> None:
        """Raise the library's error where the gradient of a call needs values that are no longer there."""

    def contributions(
        self, record: Primitive, slots: list[int], upstream: Any, y: Any, below: list[Any], attributes: dict[str, Any]
    ) -> Iterable[tuple[int, Any]]:
        """The contribution of a call to the gradient of the operand in each of these slots, with the slot."""
        return record.vjps(slots, upstream, y, below, attributes)

    def push(self, moved: dict[int, Any], numbers: Iterable[int], recorded: bool = False) -> None:
        """Add the tangents of some calls to `moved`, which has those of their operands."""
        for number in numbers:
            call = self.calls[number]
            if call is None or number in moved:
                continue
            below: list[Any] = []
            for slot, item in enumerate(call.operands):
                if type(item) is not Traced or item.number not in moved or not call.primitive.slot(slot).differentiable:
                    continue
                below = below or [self._operand(call, place, recorded) for place in range(len(call.operands))]
                y = Traced(self, number) if recorded else call.value
                part = call.primitive.jvp(slot, moved[item.number], y, below, call.attributes)
                moved[number] = moved[number] + part if number in moved else part

    def _operand(self, call: RecordedCall, slot: int, recorded: bool) -> Any:
        """An operand as the rules need it."""
        item = call.operands[slot]
        if type(item) is Traced:
            return item if recorded and item.number not in self.data else self.values[item.number]
        return self._number(call, slot)

    def _number(self, call: RecordedCall, slot: int) -> Any:
        """A number of the script as numpy's, in the dtype of the value."""
        item = call.operands[slot]
        if isinstance(item, NUMBERS) and call.primitive.slot(slot).differentiable:
            return _dtype_of(call.value).type(item)
        return plain(item)


def _dtype_of(value: Any) -> np.dtype[Any]:
    return value.dtype if isinstance(value, ARRAYS) else np.asarray(value).dtype


class GradientPass(msgspec.Struct, frozen=True):
    """One gradient that was asked for: the value that it is of, the line, and the variable where it matters."""

    tape: ScriptTape
    root: int
    line: int
    name: str = ""
    end: int | None = None  # how many values there were: what the script reads later leads to others


# PyTorch keeps no values for the backward pass of these, so that it can be run again.
NOTHING_SAVED = frozenset(
    "add subtract negative positive sum mean reshape transpose getitem index_put concatenate stack broadcast_to "
    "squeeze expand_dims swapaxes moveaxis flip roll tile repeat ravel take astype diagonal diag trace hstack "
    "vstack".split()
)
