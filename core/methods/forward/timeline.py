"""Forward mode step by step: passes that carry values and tangents together, one tangent or several."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from cadena.core.methods.answer import Cancel, all_elements, element_name, never, stop_if
from cadena.core.methods.forward.answer import checked_width, unit
from cadena.core.methods.reverse.timeline import Step, Token
from cadena.core.methods.walk import Walk, WalkPass, shape_of
from cadena.core.ops.expression import POWER, SUM, written_number
from cadena.core.run.program import Run
from cadena.core.text.numbers import Figures


class ForwardTimeline(Walk, ABC):
    """Each pass walks over all operations and carries `carried` tangents, one along each element of the leaves.

    Of many elements the first `most` are shown; `passes_needed` counts the passes for all. `width` None is as many
    tangents as the memory holds. Raises Refused for one that is not open. Subclasses show them.
    """

    method = "forward"
    max_stored = 2  # passes whose tangents are stored

    def __init__(self, run: Run, width: int | None, most: int | None) -> None:
        elements = [(name, int(index)) for name, indices in all_elements(run).items() for index in indices]
        self.elements, self.carried = len(elements), max(min(checked_width(run, width), len(elements)), 1)
        self.directions, self.passes_needed = elements[:most], -(-len(elements) // self.carried)
        self.names = [element_name(name, index, shape_of(run, name)) for name, index in self.directions]
        operations = [item.out for item in run.plan.instructions]
        starts = range(0, len(self.directions), self.carried)
        super().__init__(run, [WalkPass("tangent", operations, self._word(start), "tangent") for start in starts])
        self._moved = lru_cache(maxsize=self.max_stored)(self._push)

    def _word(self, start: int) -> str:
        names = self.names[start : start + self.carried]
        return f"along {names[0]}" if len(names) == 1 else f"along {names[0]} to {names[-1]}"

    def pass_of(self, direction: int) -> int:
        """The number of the pass that carries a direction."""
        return direction // self.carried

    def along(self, number: int) -> range:
        """The directions of pass `number` that are shown."""
        return range(number * self.carried, min((number + 1) * self.carried, len(self.directions)))

    def units(self, number: int) -> list[dict[str, np.ndarray]]:
        """The tangent of the one leaf that moves, for each direction of pass `number`."""
        moving = [self.directions[direction] for direction in self.along(number)]
        return [{leaf: unit(shape_of(self.run, leaf), index, self.run.dtype)} for leaf, index in moving]

    @abstractmethod
    def _push(self, number: int) -> list[Any]:
        """The tangents of all nodes in pass `number`, by node number."""

    @abstractmethod
    def tangent(self, direction: int, name: str) -> np.ndarray | None:
        """The derivative of a node along a direction, of the node's shape; None if it cannot run."""

    @abstractmethod
    def shown(self, number: int, name: str) -> np.ndarray | None:
        """The number of a node beside its value in pass `number`, and of a token that comes from it."""

    def tokens(self, step: Step, travelled: float) -> tuple[Token, ...]:
        token = self._operand_token(step, travelled)
        tangent = self.shown(self.place(step.index)[0], token.source)
        return (Token(token.source, token.target, token.slot, "value", token.fraction, token.number, tangent),)

    def result(self, number: int) -> np.ndarray:
        """The result along direction `number`: the derivative of the output, weighted with the seed."""
        if number not in self._results:
            with np.errstate(all="ignore"):
                weighted = np.sum(self.run.seed * self.tangent(number, str(self.run.program.output)))
            self._results[number] = np.asarray(weighted)
        return self._results[number]

    @cached_property
    def _results(self) -> dict[int, np.ndarray]:
        """The known results, which stay after the tangents of a pass are dropped."""
        return {}

    def compute(self, cancelled: Cancel = never) -> None:
        for number in range(len(self.directions)):
            stop_if(cancelled)
            self.result(number)

    def accumulated(self, name: str, steps_done: int) -> np.ndarray | None:
        """The gradient of a leaf once all its passes are done; the other nodes have none in forward mode."""
        own = [number for number, (leaf, _) in enumerate(self.directions) if leaf == name]
        value = self.run.value(name)
        if not own or value is None or len(own) < value.size or self._begins[self.pass_of(own[-1]) + 1] > steps_done:
            return None
        return np.array([self.result(number) for number in own], dtype=value.dtype).reshape(value.shape)


def ratio_latex(top: str, bottom: str) -> str:
    """A derivative in symbols, of names that are LaTeX already."""
    return rf"\frac{{\partial {top}}}{{\partial {bottom}}}"


def factor_latex(number: Any, precision: Figures) -> str:
    """A number as a factor: in brackets where it has a sign."""
    written = written_number(np.asarray(number), True, precision)
    return written.text if written.binding >= max(SUM, POWER) else rf"\left({written.text}\right)"
