"""The output of a run as a function of one element of one leaf, of which differences are taken."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.doctor.findings.origins import number_faults
from cadena.core.graph.document import as_value
from cadena.core.methods.answer import Cancel, NoStep, element_name, never, output_number, stop_if
from cadena.core.ops.shaping import astype, stop_gradient
from cadena.core.run.program import Run, compile
from cadena.core.text.causes import OVERFLOWS


class Displaced:
    """Runs of one program in which a single element is moved; counts them.

    Everything else, also the number type, is as in `run`, and so are the values that the rules count as constants
    (stop_gradient): they have no derivative by decree. Raises Refused when that has no output.
    """

    def __init__(self, run: Run, cancelled: Cancel = never) -> None:
        self.run, self.output, self.cancelled, self.runs = run, output_number(run), cancelled, 0
        document = run.program.document
        leaves = {name: run.value(name) for name in map(run.plan.names.__getitem__, run.plan.leaves)}
        at = {name: with_fields(document.nodes[name], value=as_value(value)) for name, value in leaves.items()}
        held = {
            node.name: with_fields(node, op="constant", inputs=(), attributes={}, value=as_value(run.value(node.name)))
            for node in document.nodes.values()
            if node.op == stop_gradient.name
        }
        moved = replace(document, nodes={**document.nodes, **at, **held})
        self.program = compile(moved, run.program.output) if held else run.program.with_values(moved)
        self._seed = run.seed.astype(np.float64)
        self.value = self.weighted(run)

    def weighted(self, run: Run) -> float:
        """The output of `run` as one number: the sum of its elements times the seed, in float64."""
        with np.errstate(all="ignore"):
            return float(np.sum(self._seed * np.asarray(run.values[self.output], dtype=np.float64)))

    @cached_property
    def about(self) -> np.finfo[Any]:
        """The limits of the coarsest number type on the way to the output, which an astype may have brought in."""
        plan, coarsest = self.run.plan, np.finfo(self.run.dtype)
        for item in plan.instructions:
            if plan.reached[item.out] and item.primitive is astype:
                coarsest = max(coarsest, np.finfo(self.run.arrays[item.out].dtype), key=lambda about: about.eps)
        return coarsest

    @cached_property
    def noise(self) -> float:
        """The possible rounding error of the output: eps times the sum of |value · gradient| over all operations.

        Each value is rounded, and its gradient says what becomes of that (Linnainmaa 1976, Taylor expansion of the
        accumulated rounding error, BIT 16, 146-160).
        """
        return self._summed(lambda value, gradient: value * gradient, abs(self.value)) * float(self.about.eps)

    @cached_property
    def floor(self) -> float:
        """The possible error of the output due to numbers near the smallest one of the type, or below it."""
        return self._summed(lambda value, gradient: gradient, 1.0) * float(self.about.smallest_subnormal)

    def _summed(self, part: Callable[[np.ndarray, np.ndarray], np.ndarray], total: float) -> float:
        """`total` and the magnitude of a part for each value and gradient on the way; 0 where that is not finite."""
        plan, run = self.run.plan, self.run
        with np.errstate(all="ignore"):
            for item in plan.instructions:
                if plan.reached[item.out]:
                    both = (np.asarray(numbers[item.out], dtype=np.float64) for numbers in (run.values, run.gradients))
                    parts = np.abs(part(*both))
                    total += float(np.sum(parts, where=np.isfinite(parts)))
        return total if math.isfinite(total) else 0.0

    @cached_property
    def overflows_at(self) -> str:
        """The first node that overflowed on the way, whose rounding error nobody knows; "" where none did."""
        overflows = (fault.node for fault in number_faults(self.run) if fault.cause in OVERFLOWS)
        return next((node for node in overflows if self.run.plan.reached[self.run.plan.index[node]]), "")

    def coordinate(self, leaf: str, index: int) -> float:
        """The value of the element."""
        return float(self.array(leaf).flat[index])

    def array(self, leaf: str) -> np.ndarray:
        """A copy of the value of the leaf, which the caller may change."""
        return np.array(self.run.value(leaf), dtype=self.run.dtype)

    def moved(self, leaf: str, index: int, step: float) -> tuple[Run, float]:
        """The run with the element moved by `step`, and by how much it moved after rounding to the number type."""
        stop_if(self.cancelled)
        self.runs += 1
        array = self.array(leaf)
        before = float(array.flat[index])
        with np.errstate(over="ignore"):
            array.flat[index] = np.asarray(before + step).astype(self.run.dtype)
        displaced = self.program.run({leaf: array}, dtype=self.run.dtype, seed=self.run.seed)
        return displaced, float(array.flat[index]) - before

    def rounded_step(self, leaf: str, index: int, step: float) -> float:
        """The step to the number of the run's type that is nearest to the element moved by `step`."""
        kind: Any = np.dtype(self.run.dtype).type
        before = self.coordinate(leaf, index)
        with np.errstate(over="ignore"):
            return float(kind(before + step)) - before

    def at(self, leaf: str, index: int, step: float) -> tuple[float, float]:
        """The output with the element moved by `step`, and by how much it moved after rounding."""
        displaced, actual = self.moved(leaf, index, step)
        return self.weighted(displaced), actual

    def name(self, leaf: str, index: int) -> str:
        """The name of the element in sentences."""
        return element_name(leaf, index, np.shape(self.array(leaf)))

    def check(self, leaf: str, index: int, step: float) -> None:
        """Raise NoStep for a step of 0, of inf, or one that is lost when it is added to the element."""
        name, dtype = self.name(leaf, index), self.run.dtype
        if step == 0.0 or not np.isfinite(step):
            raise NoStep(
                "{name}: a step of {step:g} has no quotient", "give a small number such as 1e-6", name=name, step=step
            )
        kind: Any = np.dtype(dtype).type
        x = kind(self.coordinate(leaf, index))
        with np.errstate(over="ignore"):
            lost = np.isfinite(x) and kind(float(x) + step) == x
        if lost:
            least = float(np.spacing(abs(x)))
            raise NoStep(
                "{name}: a step of {step:g} is lost when it is added to {x:g} in {dtype}",
                "give one of at least {least:.2g}",
                name=name,
                step=step,
                x=float(x),
                dtype=dtype,
                least=least,
            )
