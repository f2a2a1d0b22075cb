"""Forward mode step by step: dual numbers, value and derivative together, one pass for each element of each leaf."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from cadena.core.methods.answer import Cancel, element_name, every_element, never, stop_if
from cadena.core.methods.forward.answer import unit
from cadena.core.methods.forward.words import Part, tangent_figures, tangent_sentence
from cadena.core.methods.reverse.timeline import Frame, Lane, Line, Paint, Step, Token, Told
from cadena.core.methods.walk import Pass, Walk, shape_of
from cadena.core.notation.calls import latex_call, latex_name
from cadena.core.notation.names import latex_element
from cadena.core.ops.expression import POWER, SUM, written_number
from cadena.core.run.passes.tangent import tangents
from cadena.core.run.program import Run
from cadena.core.text.numbers import Figures, fits, latex_number, short

MAX_SHOWN = 16  # passes that are stepped through unless all are asked for; of more the first ones


class ForwardTimeline(Walk):
    """Each pass (or the first `most`) walks over all operations; a node shows its value and its derivative along the
    pass's element.
    """

    method, carried = "forward", 1  # tangents in a pass

    def __init__(self, run: Run, most: int | None = MAX_SHOWN) -> None:
        elements = [(name, int(index)) for name, indices in every_element(run).items() for index in indices]
        self.directions, self.elements, self.passes_needed = elements[:most], len(elements), len(elements)
        operations = [item.out for item in run.plan.instructions]
        words = [element_name(name, index, shape_of(run, name)) for name, index in self.directions]
        self.names = words
        super().__init__(run, [Pass("tangent", operations, f"along {word}", "tangent") for word in words])
        self._moved = lru_cache(maxsize=MAX_SHOWN)(self._push)

    def _push(self, number: int) -> list[Any]:
        leaf, index = self.directions[number]
        return tangents(self.run, {leaf: unit(shape_of(self.run, leaf), index, self.run.dtype)})

    def tangent(self, number: int, name: str) -> np.ndarray | None:
        """The derivative of a node along the element of pass `number`, of the node's shape; None if it cannot run."""
        node = self.run.plan.index[name]
        value = self.run.value(name)
        if value is None or number >= len(self.directions):
            return None
        moved = self._moved(number)[node]
        return np.zeros_like(value) if moved is None else np.broadcast_to(np.asarray(moved), value.shape)

    def lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        number = self.current(frame)
        there = self.directions and self.landed_in(frame, number, self.run.plan.index[name])
        tangent = self.tangent(number, name) if there else None
        label = f"d/d{self.names[number]}" if self.directions else "deriv"
        return self.value_line(frame, name), Line("tangent", label, tangent, expected=bool(self.directions))

    def tokens(self, step: Step, travelled: float) -> tuple[Token, ...]:
        token = self._operand_token(step, travelled)
        tangent = self.tangent(self.place(step.index)[0], token.source)
        return (Token(token.source, token.target, token.slot, "value", token.fraction, token.number, tangent),)

    def pass_of(self, direction: int) -> int:
        """The number of the pass that carries a direction."""
        return direction

    def result(self, number: int) -> np.ndarray:
        """What direction `number` gives: the derivative of the output, weighed with the seed."""
        if number not in self._results:
            with np.errstate(all="ignore"):
                weighed = np.sum(self.run.seed * self.tangent(number, str(self.run.program.output)))
            self._results[number] = np.asarray(weighed)
        return self._results[number]

    @cached_property
    def _results(self) -> dict[int, np.ndarray]:
        """Those that are known; they stay known where the tangents of a pass are forgotten."""
        return {}

    def work_out(self, cancelled: Cancel = never) -> None:
        for number in range(len(self.directions)):
            stop_if(cancelled)
            self.result(number)

    def accumulated(self, name: str, steps_done: int) -> np.ndarray | None:
        """The gradient of a leaf once all its passes are done; the other nodes have none in forward mode."""
        mine = [number for number, (leaf, _) in enumerate(self.directions) if leaf == name]
        value = self.run.value(name)
        if not mine or value is None or len(mine) < value.size or self._begins[self.pass_of(mine[-1]) + 1] > steps_done:
            return None
        return np.array([self.result(number) for number in mine], dtype=value.dtype).reshape(value.shape)

    def lanes(self, frame: Frame) -> tuple[Lane, ...]:
        """One for each pass: how fast the output changes along its element."""
        now, rows = self.current(frame), []
        output = self.run.program.output
        for number, word in enumerate(self.names):
            done = self._begins[number + 1] <= frame.landed
            text = short(self.result(number)) if done else ("…" if number == now else "·")
            rows.append(Lane(f"∂{output}/∂{word}", text, "tangent", number == now))
        return tuple(rows)

    def told(self, index: int, paint: Paint | None = None) -> Told:
        paint, step = paint or (lambda _, latex: latex), self[index]
        number, _ = self.place(index)
        value, tangent = np.asarray(self.run.value(step.node)), self.tangent(number, step.node)
        what = f"value {short(value)}, derivative {short(tangent)}"
        brief = what if not value.ndim else f"{value.size} values, {value.size} derivatives"
        title = f"Forward mode, pass {number + 1} of {self.passes_needed}, along {self.names[number]}: "
        sentence = tangent_sentence(
            self.run, step.node, self.names[number], np.asarray(tangent), self._parts(step.node, number)
        )
        return Told(f"{title}{step.node} has {brief}.", sentence, self._formulas(step.node, number, paint))

    def _parts(self, name: str, number: int) -> list[Part]:
        """The local derivative and the tangent of each operand that moves in pass `number`."""
        moved = self._moved(number)
        inputs = [self.run.plan.index[str(source)] for source in self.run.program.document.nodes[name].inputs]
        return [
            (self.run.local(name, slot), np.asarray(moved[source]))
            for slot, source in enumerate(inputs)
            if moved[source] is not None
        ]

    def _formulas(self, name: str, number: int, paint: Paint) -> tuple[str, str]:
        call, value = latex_call(self.run, name), paint("value", latex_number(self.run.value(name)))
        leaf, index = self.directions[number]
        by = latex_element(leaf, index, shape_of(self.run, leaf))
        target = paint("tangent", ratio_latex(latex_name(name), by))
        result = paint("tangent", latex_number(self.tangent(number, name)))
        found = tangent_figures(np.asarray(self.tangent(number, name)), self._parts(name, number))
        rule = "".join(f" = {part}" for part in self._rule(name, number, by, found, paint))
        equals = found.relation(latex=True) if rule else "="
        return f"{latex_name(name)} = {call} = {value}", f"{target}{rule} {equals} {result}"

    def _rule(self, name: str, number: int, by: str, found: Figures, paint: Paint) -> list[str]:
        """The chain rule in symbols and with numbers; nothing for what mixes elements or does not move at all."""
        symbols, numbers = [], []
        moved, plan = self._moved(number), self.run.plan
        for slot, source in enumerate(map(str, self.run.program.document.nodes[name].inputs)):
            local, tangent = self.run.local(name, slot), moved[plan.index[source]]
            if tangent is None:
                continue
            if local is None:
                return []
            of_operand = paint("tangent", ratio_latex(latex_name(source), by))
            symbols.append(rf"{ratio_latex(latex_name(name), latex_name(source))} \cdot {of_operand}")
            if fits(local) and not local.ndim and fits(tangent):
                factors = paint("value", factor_latex(local, found)), paint("tangent", factor_latex(tangent, found))
                numbers.append(r" \cdot ".join(factors))
        shown = [" + ".join(symbols)] if symbols else []
        return [*shown, " + ".join(numbers)] if numbers and len(numbers) == len(symbols) else shown


def ratio_latex(top: str, bottom: str) -> str:
    """A derivative in symbols, of names that are LaTeX already."""
    return rf"\frac{{\partial {top}}}{{\partial {bottom}}}"


def factor_latex(number: Any, found: Figures) -> str:
    """A number as a factor: in brackets where it has a sign."""
    written = written_number(np.asarray(number), True, found)
    return written.text if written.binding >= max(SUM, POWER) else rf"\left({written.text}\right)"
