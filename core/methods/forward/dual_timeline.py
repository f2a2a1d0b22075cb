"""Forward mode with dual numbers: value and derivative together, one pass for each element of each leaf."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.methods.forward.step_text import TangentPart, tangent_figures, tangent_sentence
from cadena.core.methods.forward.timeline import ForwardTimeline, factor_latex, ratio_latex
from cadena.core.methods.reverse.timeline import Frame, Lane, Line, Paint, StepText
from cadena.core.methods.walk import shape_of
from cadena.core.notation.calls import latex_definition, shown_latex
from cadena.core.notation.names import latex_element
from cadena.core.run.passes.tangent import tangents
from cadena.core.run.program import Run
from cadena.core.text.numbers import Figures, fits, latex_number, short

MAX_SHOWN = 16  # passes that are stepped through unless all are asked for; of more the first ones


class DualTimeline(ForwardTimeline):
    """Passes of one tangent each: a node shows its value and its derivative along the pass's element."""

    max_stored = MAX_SHOWN

    def __init__(self, run: Run, most: int | None = MAX_SHOWN) -> None:
        super().__init__(run, 1, most)

    def _push(self, number: int) -> list[Any]:
        return tangents(self.run, self.units(number)[0])

    def tangent(self, direction: int, name: str) -> np.ndarray | None:
        """The derivative of a node along a direction, of the node's shape; None if it cannot run."""
        node = self.run.plan.index[name]
        value = self.run.value(name)
        if value is None or direction >= len(self.directions):
            return None
        moved = self._moved(direction)[node]
        return np.zeros_like(value) if moved is None else np.broadcast_to(np.asarray(moved), value.shape)

    @property
    def headings(self) -> dict[int, str]:
        count = len(self.stretches)
        return {
            part.begin: f"Pass {number + 1} of {count}: the tangent of {self.names[number]} is 1, all others are 0."
            for number, part in enumerate(self.stretches)
        }

    def shown(self, number: int, name: str) -> np.ndarray | None:
        return self.tangent(number, name)

    def lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        number = self.current(frame)
        there = self.directions and self.landed_in(frame, number, self.run.plan.index[name])
        tangent = self.tangent(number, name) if there else None
        label = f"d/d{self.names[number]}" if self.directions else "deriv"
        return self.value_line(frame, name), Line("tangent", label, tangent, expected=bool(self.directions))

    def lanes(self, frame: Frame) -> tuple[Lane, ...]:
        """One for each pass: how fast the output changes along its element."""
        now, rows = self.current(frame), []
        output = self.run.program.output
        for number, word in enumerate(self.names):
            done = self._begins[number + 1] <= frame.landed
            text = short(self.result(number)) if done else ("…" if number == now else "·")
            rows.append(Lane(f"∂{output}/∂{word}", text, "tangent", number == now))
        return tuple(rows)

    def describe(self, index: int, paint: Paint | None = None) -> StepText:
        paint, step = paint or (lambda _, latex: latex), self[index]
        number, _ = self.place(index)
        value, tangent = np.asarray(self.run.value(step.node)), self.tangent(number, step.node)
        what = f"value {short(value)}, derivative {short(tangent)}"
        brief = what if not value.ndim else f"{value.size} values, {value.size} derivatives"
        place = f"Forward mode, pass {number + 1} of {self.passes_needed}, along {self.names[number]}"
        sentence = tangent_sentence(
            self.run, step.node, self.names[number], np.asarray(tangent), self._parts(step.node, number)
        )
        return StepText(place, f"{step.node} has {brief}", sentence, self._formulas(step.node, number, paint))

    def _parts(self, name: str, number: int) -> list[TangentPart]:
        """The local derivative and the tangent of each operand that moves in pass `number`."""
        moved = self._moved(number)
        inputs = [self.run.plan.index[str(source)] for source in self.run.program.document.nodes[name].inputs]
        return [
            (self.run.local(name, slot), np.asarray(moved[source]))
            for slot, source in enumerate(inputs)
            if moved[source] is not None
        ]

    def _formulas(self, name: str, number: int, paint: Paint) -> tuple[str, str]:
        definition, value = latex_definition(self.run, name), paint("value", latex_number(self.run.value(name)))
        leaf, index = self.directions[number]
        by = latex_element(leaf, index, shape_of(self.run, leaf))
        target = paint("tangent", ratio_latex(shown_latex(self.run, name), by))
        result = paint("tangent", latex_number(self.tangent(number, name)))
        precision = tangent_figures(np.asarray(self.tangent(number, name)), self._parts(name, number))
        rule = "".join(f" = {part}" for part in self._rule(name, number, by, precision, paint))
        equals = precision.relation(latex=True) if rule else "="
        return f"{definition} = {value}", f"{target}{rule} {equals} {result}"

    def _rule(self, name: str, number: int, by: str, precision: Figures, paint: Paint) -> list[str]:
        """The chain rule in symbols and with numbers; nothing for what mixes elements or does not move at all."""
        symbols, numbers = [], []
        moved, plan = self._moved(number), self.run.plan
        for slot, source in enumerate(map(str, self.run.program.document.nodes[name].inputs)):
            local, tangent = self.run.local(name, slot), moved[plan.index[source]]
            if tangent is None:
                continue
            if local is None:
                return []
            of_operand = paint("tangent", ratio_latex(shown_latex(self.run, source), by))
            symbols.append(
                rf"{ratio_latex(shown_latex(self.run, name), shown_latex(self.run, source))} \cdot {of_operand}"
            )
            if fits(local) and not local.ndim and fits(tangent):
                factors = (
                    paint("value", factor_latex(local, precision)),
                    paint("tangent", factor_latex(tangent, precision)),
                )
                numbers.append(r" \cdot ".join(factors))
        shown = [" + ".join(symbols)] if symbols else []
        return [*shown, " + ".join(numbers)] if numbers and len(numbers) == len(symbols) else shown
