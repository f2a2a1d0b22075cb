"""Which bad numbers matter: those that reach the output, or the gradient of a leaf, as inf or nan.

An inf is no fault by itself. The -inf of a mask goes through sums, and ends where an operation makes a finite number of
it. The walk goes from the bad results back to what made them bad, place by place where an operation works so.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from cadena.core.doctor.findings.marks import Marks
from cadena.core.graph.fault import Fault, Kind
from cadena.core.ops.selection import where
from cadena.core.ops.walk import Instruction
from cadena.core.run.passes import Numbers
from cadena.core.text.causes import Cause

if TYPE_CHECKING:
    from cadena.core.run.program import Run

# Where the -inf of a mask comes from: it was given, or it is log(0).
OF_MASKS = frozenset((Cause.GIVEN, Cause.LOG_AT_POLE, Cause.EMPTY_ROW))


def of_a_mask(fault: Fault) -> bool:
    """Whether a fault is an inf that may well be meant, or a nan that was given, as in a branch that is not chosen."""
    return fault.cause in OF_MASKS and (fault.kind is Kind.INF_VALUE or fault.cause is Cause.GIVEN)


class Reach:
    """The nodes whose values, and those whose gradients, make the output or the gradient of a leaf bad.

    The `_same` ones get there as they are, an inf as an inf: no operation on the way makes a nan of it.
    """

    def __init__(self, run: Run, faults: Iterable[Fault], values: Marks, gradients: Marks) -> None:
        self._run, self._values, self._gradients = run, values, gradients
        self._born: dict[str, set[Cause]] = {}  # the causes of what went bad in the value of a node
        self._steps = set[tuple[str, int | None]]()  # steps of the reverse pass that made a bad number of good ones
        for fault in faults:
            if fault.kind.about == "value":
                self._born.setdefault(fault.node, set()).add(fault.cause)
            else:
                self._steps.add((fault.node, fault.slot))
        self.values, self.gradients = set[int](), set[int]()
        self._same_values, self._same_gradients = set[int](), set[int]()
        self._walk_back()
        self._walk_values()

    def concerns(self, fault: Fault) -> bool:
        """Whether what this fault made bad is still bad where it matters."""
        number = self._run.plan.index[fault.node]
        if fault.kind.about == "gradient":
            if fault.slot is not None:
                number = self._run.instruction_of[number].operands[fault.slot]
            return fault.cause is Cause.GIVEN or number in self.gradients
        leaf_inf = fault.cause is Cause.GIVEN and fault.kind is Kind.INF_VALUE
        return number in (self._same_values if leaf_inf else self.values)

    def _walk_back(self) -> None:
        """The reverse pass from the leaves up to where their bad gradients come from."""
        plan = self._run.plan
        leaves = {leaf for leaf in plan.leaves if plan.reached[leaf] and self._gradients.any_at([leaf])}
        self.gradients |= leaves
        self._same_gradients |= leaves
        for item in plan.instructions if leaves else ():
            for slot in item.active:
                if item.operands[slot] in self.gradients:
                    self._step(item, plan.names[item.out], slot)

    def _step(self, item: Instruction, name: str, slot: int) -> None:
        """Note whether the upstream gradient or the values around a step made its contribution bad."""
        run = self._run
        upstream, contribution, local = run.gradient(name), run.contribution(name, slot), run.local(name, slot)
        if upstream is None or contribution is None or np.isfinite(contribution).all():
            return
        if local is None:
            bad, passed = contribution, contribution if self._gradients.any_at([item.out]) else None
            by_values = self._bad_around(item)
        else:
            with np.errstate(all="ignore"):
                product = upstream * local
            brought = ~np.isfinite(product) & ~np.isfinite(upstream)
            bad, passed = np.where(np.isfinite(upstream), product, 0.0), product[brought] if brought.any() else None
            around = dict.fromkeys((*item.operands, item.out))
            by_values = [one for one in around if (~np.isfinite(bad) & ~np.isfinite(run.values[one])).any()]
        is_same = item.operands[slot] in self._same_gradients
        if passed is not None:
            self.gradients.add(item.out)
            if is_same and _alike(self._gradients, item.out, passed):
                self._same_gradients.add(item.out)
        self.values.update(by_values)
        if is_same and (name, slot) not in self._steps:
            self._same_values.update(one for one in by_values if _alike(self._values, one, bad))

    def _bad_around(self, item: Instruction) -> list[int]:
        """The operands and the result of a step that mixes elements, those of them that make its gradient bad."""
        around = dict.fromkeys((*item.operands, item.out))
        if item.primitive.masked_along is not None:  # to which -inf is a mask
            return [one for one in around if self._values.nan[one]]
        return [one for one in around if self._values.any_at([one])]

    def _walk_values(self) -> None:
        """The forward pass, from the bad output and the values that made gradients bad, back to their origins."""
        plan = self._run.plan
        results = {number for number in self._results() if self._values.any_at([number])}
        self.values |= results
        self._same_values |= results
        for item in reversed(plan.instructions):
            if item.out not in self.values:
                continue
            for operand, unchanged in self._brought(item):
                self.values.add(operand)
                if unchanged and item.out in self._same_values:
                    self._same_values.add(operand)

    def _results(self) -> list[int]:
        """The output; without one, all nodes that no other reads."""
        plan, consumers = self._run.plan, self._run.program.document.consumers
        if plan.output is not None:
            return [plan.output]
        return [number for number, name in enumerate(plan.names) if not consumers[name]]

    def _brought(self, item: Instruction) -> Iterator[tuple[int, bool]]:
        """The operands that make a result bad, and whether they do so with the same inf or nan."""
        values, out = self._run.values, np.asarray(self._run.values[item.out])
        of_a_mask = Cause.EMPTY_ROW in self._born.get(self._run.plan.names[item.out], ())
        for slot, operand in enumerate(item.operands):
            if not self._values.any_at([operand]):
                continue
            nan, inf = (_in_result(item, values, slot, is_bad(values[operand])) for is_bad in (np.isnan, np.isinf))
            if of_a_mask:
                inf = np.zeros_like(inf)
            same = bool((nan & np.isnan(out)).any() or (inf & np.isinf(out)).any())
            if same or ((nan | inf) & ~np.isfinite(out)).any():
                yield operand, same


def _alike(bad: Marks, number: int, numbers: np.ndarray) -> bool:
    """Whether a node has an inf and so have these numbers, or a nan and they too."""
    return bool((bad.inf[number] and np.isinf(numbers).any()) or (bad.nan[number] and np.isnan(numbers).any()))


def _in_result(item: Instruction, values: Numbers, slot: int, bad: np.ndarray) -> np.ndarray:
    """The places of a result that may be bad because an operand is so at these places."""
    shape = np.shape(values[item.out])
    if item.primitive is where:
        chosen = np.asarray(values[item.operands[0]]) != 0.0
        return np.broadcast_to(bad & (chosen if slot == 1 else ~chosen if slot == 2 else False), shape)
    return np.broadcast_to(bad if item.primitive.elementwise else bad.any(), shape)
