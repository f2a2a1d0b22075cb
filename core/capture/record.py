"""What has been recorded of a framework's run: a tape, what its leaves are, and which module each call belongs to."""

from __future__ import annotations

import inspect
import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.capture.modules import Region, node_name, with_modules
from cadena.core.functions.calls import FunctionCall
from cadena.core.graph.document import NOTHING, Document, Function, Node, as_value
from cadena.core.graph.edits import FreeNames
from cadena.core.graph.guards import Guard
from cadena.core.graph.recorded import RECORDED, STATISTICS, SUMMARY
from cadena.core.ops.primitive import Primitive
from cadena.core.tracing.recording import RecordedCall, Tape
from cadena.core.tracing.tapes import explicit_attributes
from cadena.core.tracing.traced import Traced, apply


class Unknown(Exception):
    """A call that cannot be expressed: its result stays as recorded, an opaque node. The text says why."""


class Leaf(NamedTuple):
    """A leaf of the tape: what kind of node it is, near what name, and for a recorded value why it is one."""

    op: str
    like: str
    gradient: bool = False
    reason: str = ""


def held(fn: Callable[..., Any]) -> dict[str, Any]:
    """What a function uses from around it, by name."""
    try:
        around = inspect.getclosurevars(fn)
    except (TypeError, ValueError):
        return {}
    return {**around.globals, **around.nonlocals}


class CheckedTape(Tape):
    """A tape that refuses what a document would refuse: shapes and settings that an operation does not take.

    varying: what depends on a parameter or an input, so that new numbers change it
    read: how much had been recorded when a value was read, by its number
    """

    def __init__(self) -> None:
        super().__init__()
        self.varying, self.read = set[int](), dict[int, int]()

    def guard(self, number: int, kind: Any) -> None:
        if number in self.varying and number not in self.guards:
            super().guard(number, kind)
            self.read[number] = len(self.calls)

    def _record(self, primitive: Primitive, operands: Sequence[Any], attributes: dict[str, Any]) -> Traced:
        primitive.shape(
            *(item.shape if isinstance(item, Traced) else np.shape(item) for item in operands), **attributes
        )
        result = super()._record(primitive, operands, attributes)
        if any(isinstance(item, Traced) and item.number in self.varying for item in operands):
            self.varying.add(result.number)
        return result


class Record:
    """A tape with what a document needs beside it. All numbers are in the one type that the document has.

    dtype: that type; "" until the first leaf is met, for a record that is widened by its leaves
    """

    def __init__(self, dtype: str, tape: Tape | None = None) -> None:
        self.dtype, self.tape = dtype, tape or Tape()
        self.leaves: dict[int, Leaf] = {}
        self.regions: list[Region] = []  # inner ones before those around them
        self.hints: dict[int, str] = {}  # names for calls
        self.joined: list[dict[int, int]] = []  # a part of several joined results -> the result that it is
        self.notes: list[str] = []  # what could not be expressed, a sentence each
        self._lines: list[tuple[int, str]] = [(0, "")]  # from which number on, and the line of the user's code

    @property
    def line(self) -> str:
        """The line of the user's code that computes what is recorded now."""
        return self._lines[-1][1]

    @line.setter
    def line(self, line: str) -> None:
        if line != self.line:
            self._lines.append((len(self.tape.calls), line))

    @contextmanager
    def at(self, line: str) -> Iterator[None]:
        """Record at a line; whatever is recorded after it is where it was before."""
        before, self.line = self.line, line
        try:
            yield
        finally:
            self.line = before

    def line_of(self, number: int) -> str:
        """The line of the user's code that computed a value."""
        return self._lines[bisect_right(self._lines, number, key=itemgetter(0)) - 1][1]

    def widen(self, dtype: str) -> None:
        """Let the document have at least this number type. What was recorded before keeps its numbers."""
        self.dtype = max(self.dtype, dtype, key=lambda name: int(name[5:] or 0))

    def leaf(self, value: np.ndarray[Any, Any], leaf: Leaf) -> Traced:
        """A new leaf with a copy of `value`, since the framework may change its own in place."""
        with np.errstate(over="ignore"):
            traced = self.tape.leaf(np.array(value, dtype=self.dtype or "float64")[()])
        self.leaves[traced.number] = leaf
        if leaf.op != "constant" and isinstance(self.tape, CheckedTape):
            self.tape.varying.add(traced.number)
        return traced

    def opaque(self, why: str, plain: str) -> Leaf:
        """A leaf that holds a recorded value, for which there is no operation: the graph ends there, and says so."""
        reason = f"{plain}: holds the recorded value, and no gradient goes through it: {why}"
        self.notes.append(reason)
        return Leaf("constant", f"{plain.strip('_')}_recorded", reason=reason)

    def module(self, name: str, start: int, results: Sequence[Traced], labels: Sequence[str] = ()) -> list[Traced]:
        """Note what was recorded since `start` as the module's calls. Returns what stands for its results from now on.

        A function has one result. Several are joined, and taken apart behind it: stacked where they have one shape,
        else put one after the other as vectors.
        """
        own = [item for item in results if item.number >= start]
        if len(results) < 2 or len(own) < len(results):
            self.regions.append(Region(name, start, len(self.tape.calls), self.line))
            self.hints |= {item.number: name for item in own[:1]}
            return list(results)
        stacked = len({item.shape for item in own}) == 1
        whole = apply("stack", own) if stacked else apply("concatenate", [np.reshape(item, [-1]) for item in own])
        self.regions.append(Region(name, start, len(self.tape.calls), self.line))
        self.hints[whole.number] = name
        ends = np.cumsum([math.prod(item.shape) for item in own]).tolist()
        parts: list[Any] = [
            whole[index] if stacked else np.reshape(whole[end - math.prod(item.shape) : end], item.shape)
            for index, (item, end) in enumerate(zip(own, ends))
        ]
        for index, part in enumerate(parts):
            self.hints[part.number] = f"{name}.{labels[index] if index < len(labels) else index}"
        self.joined.append({part.number: item.number for part, item in zip(parts, own)})
        return parts

    def document(self, output: Traced, title: str = "", limit: int | None = None) -> tuple[Document, dict[int, str]]:
        """The graph of `output`, its modules as functions; also returns the names of the tape's leaves.

        Leaves of more than `limit` elements have no value; they keep their shape, statistics and a sample.
        """
        self.dtype = self.dtype or "float32"
        nodes, names = self.nodes([output], limit)
        functions = _functions(self.tape, names)
        document = Document(nodes, output=names[output.number], title=title, dtype=self.dtype, functions=functions)
        leaves = {number: name for number, name in names.items() if self.tape.calls[number] is None}
        return with_modules(document, self.regions, names), leaves

    def nodes(self, outputs: Sequence[Traced], limit: int | None = None) -> tuple[dict[str, Node], dict[int, str]]:
        """The nodes that the outputs need, and the names of the tape's values."""
        last = max(output.number for output in outputs)
        guards = self._guards(last)
        numbers = [*(output.number for output in outputs), *guards]
        same = _alone(self.joined, _needed(self.tape, numbers, {}))
        self.hints |= {item: self.hints[part].rpartition(".")[0] for part, item in same.items()}
        own = _names(self, _needed(self.tape, numbers, same))
        names = {**own, **{part: own[item] for part, item in same.items() if item in own}}
        nodes: dict[str, Node] = {}
        free = FreeNames(names.values())
        for number, name in own.items():
            call = self.tape.calls[number]
            if call is None:
                nodes[name] = _leaf_node(name, self.leaves[number], self._numbers(number), limit)
            else:
                inputs = tuple(_input(self, operand, names, nodes, free) for operand in call.operands)
                attributes, line = explicit_attributes(call), self.line_of(number)
                nodes[name] = Node(name, call.primitive.name, inputs=inputs, attributes=attributes, line=line)
            if number in guards:
                nodes[name] = with_fields(nodes[name], guard=guards[number])
        return nodes, names

    def _guards(self, last: int) -> dict[int, Guard]:
        """What the code read and went on with until the value with the number `last` was there."""
        read = self.tape.read if isinstance(self.tape, CheckedTape) else {}
        return {number: one for number, one in self.tape.guards.items() if read.get(number, 0) <= last}

    def _numbers(self, number: int) -> np.ndarray[Any, Any]:
        """A leaf's numbers in the type of the document, which may have become wider since."""
        return np.asarray(self.tape.values[number], self.dtype)

    def pull(self, output: Traced, cotangent: Any, inputs: list[Traced]) -> list[Any]:
        """The gradients of <cotangent, output> as values of this very tape, so that they are in the graph."""
        gradients: dict[int, Any] = {output.number: cotangent}
        for number in range(output.number, -1, -1):
            call = self.tape.calls[number]
            if call is not None and number in gradients:
                self._pull_through(number, call, gradients)
        return [gradients.get(item.number) for item in inputs]

    def _pull_through(self, number: int, call: RecordedCall, gradients: dict[int, Any]) -> None:
        value = Traced(self.tape, number)
        for slot, operand in enumerate(call.operands):
            if isinstance(operand, Traced) and call.primitive.slot(slot).differentiable:
                part = call.primitive.vjp(slot, gradients[number], value, list(call.operands), call.attributes)
                known = gradients.get(operand.number)
                gradients[operand.number] = part if known is None else known + part


def _functions(tape: Tape, numbers: Iterable[int]) -> dict[str, Function]:
    """The functions that the calls are of, those with a custom gradient."""
    functions: dict[str, Function] = {}
    for number in numbers:
        call = tape.calls[number]
        if call is not None and isinstance(call.primitive, FunctionCall):
            functions |= call.primitive.functions
    return functions


def _needed(tape: Tape, numbers: Iterable[int], same: Mapping[int, int]) -> list[int]:
    seen, queue = set[int](), list(numbers)
    while queue:
        item = queue.pop()
        if (item := same.get(item, item)) not in seen:
            seen.add(item)
            call = tape.calls[item]
            queue += [operand.number for operand in (call.operands if call else ()) if isinstance(operand, Traced)]
    return sorted(seen)


def _alone(joined: Sequence[Mapping[int, int]], needed: Sequence[int]) -> dict[int, int]:
    """Parts of joined results of which no other part is needed, and the results that take their place unjoined."""
    there, same = set(needed), dict[int, int]()
    for parts in joined:  # inner ones first
        if len(used := there & parts.keys()) == 1:
            (part,) = used
            same[part] = same.get(parts[part], parts[part])
    return same


def _names(record: Record, numbers: list[int]) -> dict[int, str]:
    """A name for each number: leaves first, so that parameters keep theirs."""
    free, names = FreeNames(()), dict[int, str]()
    for number in numbers:
        if number in record.leaves:
            names[number] = free.fresh(node_name(record.leaves[number].like))
    for number in numbers:
        if (call := record.tape.calls[number]) is not None:
            names[number] = free.fresh(node_name(record.hints.get(number, f"{call.primitive.name}1")))
    return {number: names[number] for number in numbers}


def _input(record: Record, operand: Any, names: dict[int, str], nodes: dict[str, Node], free: FreeNames) -> str:
    if isinstance(operand, Traced):
        return names[operand.number]
    name = free.fresh("k0")
    value = np.asarray(operand)
    nodes[name] = Node(name, "constant", value=as_value(value.astype(record.dtype) if value.ndim else float(value)))
    return name


def _leaf_node(name: str, leaf: Leaf, value: Any, limit: int | None) -> Node:
    extra: dict[str, Any] = {RECORDED: leaf.reason} if leaf.reason else {}
    array = np.asarray(value)
    if limit is not None and array.size > limit:
        kept = {"shape": list(array.shape), **_statistics(array), "sample": array.ravel()[:8].tolist()}
        return Node(name, leaf.op, gradient=leaf.gradient, extra={**extra, SUMMARY: kept})
    return Node(name, leaf.op, value=as_value(array), gradient=leaf.gradient, extra=extra or NOTHING)


def _statistics(array: np.ndarray[Any, Any]) -> dict[str, float]:
    wide = array.astype(np.float64)
    return {kind: float(getattr(wide, kind)()) for kind in STATISTICS}
