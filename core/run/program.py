"""A document compiled once into a flat program that runs many times; a run is data: values and gradients."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from functools import cached_property
from time import perf_counter
from typing import Any, Generic, Self, TypeVar

import numpy as np

from cadena.core.graph.document import DTYPES, Document, Value, as_array, as_value
from cadena.core.graph.fault import Fault, Refused
from cadena.core.graph.wiring import Wiring
from cadena.core.ops.walk import Instruction
from cadena.core.run.passes import Numbers, Passes
from cadena.core.run.plan import Plan, make_plan
from cadena.core.text.wording import Listing, choices

AnyRun = TypeVar("AnyRun", bound="Run")


class Program(Generic[AnyRun]):
    """A compiled document. `plan.faults` are the static faults; nodes that they do not touch still run."""

    run_type: type[AnyRun]

    def __init__(
        self, document: Document, output: str | None = None, wrt: Collection[str] | None = None,
        before: Wiring | None = None,
    ) -> None:  # fmt: skip
        started = perf_counter()
        self.document = document
        self.output = output if output is not None else document.output
        self.wrt = None if wrt is None else frozenset(wrt)
        self.plan: Plan = make_plan(document, self.output, wrt, before)
        self.passes: Passes = Passes(self.plan)
        self.defaults: dict[int, Value] = {
            leaf: document.nodes[self.plan.names[leaf]].value  # type: ignore[misc]  # leaves without one are faults
            for leaf in self.plan.leaves
        }
        self.seconds = perf_counter() - started

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults that keep nodes from running at all: cycles, open slots, unfit shapes, unknown operations."""
        return tuple(self.plan.faults)

    def with_values(self, document: Document) -> Self:
        """The same program with the leaf values of `document`, which must differ in values of equal shape only."""
        twin = copy(self)
        twin.document = document
        twin.defaults = {leaf: document.nodes[self.plan.names[leaf]].value for leaf in self.plan.leaves}  # type: ignore[misc]
        return twin

    def run(
        self,
        values: Mapping[str, Any] | None = None,
        dtype: str | None = None,
        seed: Any = None,
        target: str | None = None,
    ) -> AnyRun:
        """One forward pass; `values` replace those of named leaves; `seed` has the output's shape (default ones).

        `target` names the quantity that is differentiated, by default the output. Inside a function it is the output
        of the graph around it, and the seed is the gradient of that.

        Raises Refused for an unknown name, a node that is not a leaf, another shape or an unknown dtype.
        """
        dtype = dtype or self.document.dtype
        if dtype not in DTYPES:
            raise Refused("{dtype} is not a number type", "choose {known}", dtype=dtype, known=", ".join(DTYPES))
        leaves = self.defaults if not values else self.defaults | self._converted(values)
        return self.run_type(self, leaves, dtype, seed, target)

    def _converted(self, values: Mapping[str, Any]) -> dict[int, Value]:
        converted = {}
        for name, numbers in values.items():
            leaf = self.plan.index.get(name)
            if leaf is None:
                raise Refused(
                    "there is no node {name}", "the graph's leaves are {leaves}", name=name, leaves=self._leaf_names()
                )
            if leaf not in self.defaults:
                raise Refused(
                    "{name} is not a leaf with a value",
                    "values can be set for {leaves}",
                    name=name,
                    leaves=self._leaf_names(),
                )
            try:
                converted[leaf] = as_value(numbers)
            except (TypeError, ValueError):
                raise Refused(
                    "{name}: {numbers} is not a number or an array of numbers", name=name, numbers=str(numbers)[:40]
                ) from None
            shape = getattr(converted[leaf], "shape", ())
            if shape != self.plan.shapes[leaf]:
                old = self.plan.shapes[leaf]
                raise Refused(
                    "{name} has shape {old}, the new value {shape}",
                    "give one of equal shape",
                    name=name,
                    old=old,
                    shape=shape,
                )
        return converted

    def _leaf_names(self) -> Listing:
        return choices([self.plan.names[leaf] for leaf in self.plan.leaves])


class Run:
    """The values of one forward pass and, when first asked for, the gradients of the output."""

    def __init__(
        self, program: Program[Any], leaves: Mapping[int, Value], dtype: str, seed: Any, target: str | None = None
    ) -> None:
        self.program, self.plan, self.dtype = program, program.plan, dtype
        self.target = target if target is not None else program.output
        self._leaves, self._seed = leaves, seed
        self._contributions: dict[tuple[str, int], np.ndarray] = {}
        self._locals: dict[tuple[str, int], np.ndarray] = {}
        self._passes = program.passes.for_dtype(dtype)
        self._values: Numbers | None = None
        self._arrays: list[Any] | None = None
        self.seconds = {"compile": program.seconds, "forward": 0.0, "reverse": 0.0}
        self._forward()

    def _forward(self) -> None:
        """Run forward by the fastest pass that is left and does not give up; the last one never does."""
        started = perf_counter()
        numbers = None
        while numbers is None:
            self._pass = next(self._passes)
            numbers = self._pass.forward(self._leaves, self.dtype)
        self._numbers = numbers
        self._values = self._arrays = None
        self.seconds["forward"] = perf_counter() - started

    @property
    def values(self) -> Numbers:
        """The values by node number; those of nodes that a fault keeps from running are meaningless."""
        if self._values is None:
            self._values = self._pass.by_number(self._numbers)
        return self._values

    @property
    def unordered_values(self) -> Any:
        """The values in the pass's own form, not by node number."""
        return self._numbers

    @property
    def arrays(self) -> list[Any]:
        """The values by node number as arrays, which rules need; None for nodes that a fault keeps from running."""
        if self._arrays is None:
            values, shapes = self.values, self.plan.shapes
            self._arrays = [None if shape is None else np.asarray(values[i]) for i, shape in enumerate(shapes)]
        return self._arrays

    @cached_property
    def seed(self) -> np.ndarray:
        """The gradient of the output with respect to itself, from which the reverse pass starts."""
        output = self.plan.output
        shape = () if output is None else self.plan.shapes[output]
        if self._seed is None:
            return np.ones(shape or (), dtype=self._seed_dtype)
        try:
            with np.errstate(over="ignore"):  # 1e300 is inf in float32
                return np.broadcast_to(as_array(as_value(self._seed)).astype(self._seed_dtype), shape or ())
        except (TypeError, ValueError):
            name = self.program.output
            raise Refused(
                "the seed must be a number or have the shape {shape} of {name}", "give another", shape=shape, name=name
            ) from None

    @property
    def _seed_dtype(self) -> Any:
        """The dtype of the output's value, which differs from the run's after an astype."""
        output = self.plan.output
        in_one_array = isinstance(self._numbers, np.ndarray)
        return self.dtype if output is None or in_one_array else np.asarray(self._numbers[output]).dtype

    @cached_property
    def gradients(self) -> Numbers:
        """The gradients by node number; meaningful only where `plan.reached`."""
        if self.plan.output is None:
            return [None] * len(self.plan.names)
        seed = self.seed
        started = perf_counter()
        while (numbers := self._pass.reverse(self._numbers, seed)) is None:
            self._forward()
        self.seconds["reverse"] = perf_counter() - started
        return self._pass.by_number(numbers)

    def _number(self, name: str) -> int:
        if name not in self.plan.index:
            raise KeyError(f"there is no node {name}")
        return self.plan.index[name]

    def value(self, name: str) -> np.ndarray | None:
        """The value of a node, of its shape, in the dtype of the run; None where a fault keeps it from running."""
        number = self._number(name)
        return None if self.plan.shapes[number] is None else np.asarray(self.values[number])

    def gradient(self, name: str) -> np.ndarray | None:
        """The gradient of the output for a node, of the node's shape; None where there is none."""
        number = self._number(name)
        return np.asarray(self.gradients[number]) if self.plan.reached[number] else None

    def operands(self, instruction: Instruction) -> list[np.ndarray]:
        """The values of an instruction's operands, as arrays."""
        return [np.asarray(self.values[operand]) for operand in instruction.operands]

    @property
    def instruction_of(self) -> Mapping[int, Instruction]:
        """The instruction that computes each node, by node number."""
        return self.plan.instruction_of

    def contribution(self, name: str, slot: int) -> np.ndarray | None:
        """The contribution of node `name` to the gradient of its operand in `slot`: upstream times local derivative."""
        if (name, slot) in self._contributions:
            return self._contributions[name, slot]
        instruction = self.instruction_of.get(self._number(name))
        if instruction is None or slot not in instruction.active:
            return None
        upstream, y, operands = self._point(instruction)
        with np.errstate(all="ignore"):
            contribution = np.asarray(instruction.primitive.vjp(slot, upstream, y, operands, instruction.attributes))
        self._contributions[name, slot] = contribution
        return contribution

    def carried(self, name: str, slot: int) -> np.ndarray | None:
        """The contribution before it is summed over the axes along which the operand was broadcast."""
        instruction = self.instruction_of.get(self._number(name))
        if instruction is None or slot not in instruction.active:
            return None
        upstream, y, operands = self._point(instruction)
        with np.errstate(all="ignore"):
            return np.asarray(instruction.primitive.carried(slot, upstream, y, operands, instruction.attributes))

    def local(self, name: str, slot: int) -> np.ndarray | None:
        """The local derivative of an elementwise node for the operand in `slot`, of the node's shape; else None."""
        if (name, slot) in self._locals:
            return self._locals[name, slot]
        instruction = self.instruction_of.get(self._number(name))
        if instruction is None or not instruction.primitive.elementwise:
            return None
        _, y, operands = self._point(instruction, upstream=False)
        rule = instruction.primitive.slot(slot).partial
        if rule is None:  # a slot that only chooses
            return None
        with np.errstate(all="ignore"):
            local = np.asarray(rule(y, *operands, **instruction.attributes), dtype=y.dtype)
        self._locals[name, slot] = local if local.shape == y.shape else np.broadcast_to(local, y.shape)
        return self._locals[name, slot]

    def compute_all_wires(self) -> None:
        """Compute the contributions and local derivatives between numbers, those of one operation together, as whoever
        describes every step needs them. One by one they take ten times as long."""
        alike = dict[tuple[int, int, Any], list[Instruction]]()
        dtypes = [getattr(array, "dtype", None) for array in self.arrays]
        for item in self.plan.instructions if self.plan.output is not None else ():
            if item.primitive.elementwise and not item.attributes and self.plan.shapes[item.out] == ():
                kinds = tuple([dtypes[number] for number in (item.out, *item.operands)])
                for slot in item.active:
                    if item.primitive.slot(slot).partial is not None:
                        alike.setdefault((id(item.primitive), slot, kinds), []).append(item)
        with np.errstate(all="ignore"):
            for (_, slot, _), items in alike.items():
                self._compute_wires(items, slot)

    def _compute_wires(self, items: list[Instruction], slot: int) -> None:
        """Compute the contributions and local derivatives of nodes that differ in their numbers alone."""
        primitive, names = items[0].primitive, [self.plan.names[item.out] for item in items]
        upstream, y = (np.array([numbers[item.out] for item in items]) for numbers in (self.gradients, self.values))
        operands = [
            np.array([self.values[item.operands[place]] for item in items]) for place in range(len(items[0].operands))
        ]
        rule: Any = primitive.slot(slot).partial
        local = np.broadcast_to(np.asarray(rule(y, *operands), dtype=y.dtype), y.shape)
        contribution = primitive.vjp(slot, upstream, y, operands, {})
        for place, name in enumerate(names):
            self._locals[name, slot] = local[place, ...]
            self._contributions[name, slot] = contribution[place, ...]

    def _point(self, instruction: Instruction, upstream: bool = True) -> tuple[Any, Any, list[Any]]:
        gradient = np.asarray(self.gradients[instruction.out]) if upstream else None
        return gradient, np.asarray(self.values[instruction.out]), self.operands(instruction)


class PlainProgram(Program[Run]):
    """A program whose runs know values and gradients; those of the front know their faults and steps, too."""

    run_type = Run


def compile(document: Document, output: str | None = None, wrt: Collection[str] | None = None) -> PlainProgram:
    """Compile `document` for the gradients of `output` (default: its own) with respect to its leaves or to `wrt`.

    Raises Refused when `output` or a name in `wrt` is not in the document.
    """
    return PlainProgram(document, *checked(document, output, wrt))


def checked(
    document: Document, output: str | None, wrt: Collection[str] | None
) -> tuple[str | None, Collection[str] | None]:
    """Check that `output` and `wrt` are names of nodes. Raises Refused when one is not in the document."""
    wrt = [wrt] if isinstance(wrt, str) else wrt  # one name is a collection of letters, too
    for name in [*([output] if output is not None else []), *(wrt or ())]:
        if name not in document.nodes:
            raise Refused("there is no node {name}", "choose one of {known}", name=name, known=choices(document.nodes))
    return output, wrt
