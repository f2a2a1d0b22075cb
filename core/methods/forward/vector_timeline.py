"""Forward mode with derivative vectors: one pass carries several tangents, each node its value and a vector of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.methods.forward.step_text import nabla, tangent_figures, vector_latex, vector_sentence, vector_text
from cadena.core.methods.forward.timeline import ForwardTimeline, factor_latex, ratio_latex
from cadena.core.methods.reverse.timeline import Frame, Lane, Line, Paint, StepText
from cadena.core.notation.calls import latex_definition, shown_latex
from cadena.core.run.passes.vectors import all_vectors
from cadena.core.run.program import Run
from cadena.core.text.numbers import Figures, latex_number, number_of, short

MAX_CARRIED = 32  # directions that are shown unless all are asked for; of more the first ones
MAX_LISTED = 16  # derivatives of a node in full
NUMBERS = 4  # tangents of a number up to which the chain rule is written with numbers, too


class VectorTimeline(ForwardTimeline):
    """Passes of several tangents each: a node shows its value and the vector of its derivatives."""

    def __init__(self, run: Run, width: int | None = None, most: int | None = MAX_CARRIED) -> None:
        super().__init__(run, width, most)

    def counted(self, number: int) -> str:
        """The pass and its width: "pass 1 of 1, 15 tangents"."""
        carried, shown = min(self.carried, self.elements - number * self.carried), len(self.along(number))
        if shown < carried:
            return f"pass {number + 1} of {self.passes_needed}, {carried} tangents, the first {shown} shown"
        return f"pass {number + 1} of {self.passes_needed}, {number_of(carried, 'tangent')}"

    def _push(self, number: int) -> list[Any]:
        return all_vectors(self.run, self.units(number))

    def shown(self, number: int, name: str) -> np.ndarray | None:
        """The derivatives of a node along the directions of pass `number`, (directions, *node shape); None if it
        cannot run."""
        derivatives: np.ndarray | None = self._moved(number)[self.run.plan.index[name]] if self.directions else None
        return derivatives

    def tangent(self, direction: int, name: str) -> np.ndarray | None:
        """The derivative of a node along a direction, of the node's shape; None if it cannot run."""
        if direction >= len(self.directions):
            return None
        vector = self.shown(self.pass_of(direction), name)
        return None if vector is None else np.asarray(vector[direction % self.carried])

    # --- what is shown

    @property
    def headings(self) -> dict[int, str]:
        return {
            part.begin: f"{self.counted(number).capitalize()}, {part.word}: each is 1 at its element, 0 at all others."
            for number, part in enumerate(self.stretches)
        }

    def details(self, frame: Frame, name: str) -> list[str]:
        """The derivatives of a node along each direction of the pass under way."""
        number, vector = self.current(frame), frame.lines(name)[1].number
        if vector is None:
            return []
        lines = [
            f"∂{name}/∂{self.names[direction]}  {short(part)}"
            for direction, part in zip(self.along(number), vector[:MAX_LISTED])
        ]
        return lines if len(lines) == len(vector) else [*lines, f"and {len(vector) - len(lines)} more"]

    def lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        number = self.current(frame)
        there = self.landed_in(frame, number, self.run.plan.index[name])
        vector = self.shown(number, name) if there else None
        return self.value_line(frame, name), Line("tangent", "derivs", vector, expected=bool(self.directions))

    def lanes(self, frame: Frame) -> tuple[Lane, ...]:
        """One for each direction; those of the pass under way all show the node at which it has just arrived."""
        number, output, rows = self.current(frame), str(self.run.program.output), []
        arrived = frame.landed - self._begins[number]
        node = self[frame.landed - 1].node if arrived > 0 else output
        for direction, word in enumerate(self.names):
            own = self.pass_of(direction)
            done, now = self._begins[own + 1] <= frame.landed, own == number
            shown = node if now and not done else output
            text = short(self.result(direction)) if done else _brief(self.tangent(direction, node)) if now else "·"
            rows.append(Lane(f"∂{shown}/∂{word}", text if done or arrived > 0 else "·", "tangent", now))
        return tuple(rows)

    def describe(self, index: int, paint: Paint | None = None) -> StepText:
        paint, step = paint or (lambda _, latex: latex), self[index]
        number, _ = self.place(index)
        value, vector = self.run.value(step.node), np.asarray(self.shown(number, step.node))
        what = f"value {short(value)}, {vector_text(vector)}" if vector.ndim == 1 else vector_text(vector)
        names = [self.names[direction] for direction in self.along(number)]
        sentence = vector_sentence(self.run, step.node, names, vector)
        place = f"Forward mode, {self.counted(number)}"
        return StepText(place, f"{step.node} has {what}", sentence, self._vector_formulas(step.node, number, paint))

    def _vector_formulas(self, name: str, number: int, paint: Paint) -> tuple[str, str]:
        definition, value = latex_definition(self.run, name), paint("value", latex_number(self.run.value(name)))
        result = paint("tangent", vector_latex(np.asarray(self.shown(number, name))))
        precision = self._figures(name, number)
        rule = "".join(f" = {part}" for part in self._vector_rule(name, number, precision, paint))
        target, equals = (
            paint("tangent", nabla(shown_latex(self.run, name))),
            precision.relation(latex=True) if rule else "=",
        )
        return f"{definition} = {value}", f"{target}{rule} {equals} {result}"

    def _figures(self, name: str, number: int) -> Figures:
        """The digits with which local derivatives and derivative vectors are shown beside the vector that they give."""
        inputs = self.run.program.document.nodes[name].inputs
        vectors = [np.asarray(self.shown(number, str(source))) for source in inputs]
        parts = [(self.run.local(name, slot), vector) for slot, vector in enumerate(vectors) if vector.any()]
        return tangent_figures(np.asarray(self.shown(number, name)), parts)

    def _vector_rule(self, name: str, number: int, precision: Figures, paint: Paint) -> list[str]:
        """The chain rule in symbols and, for few tangents of numbers, with numbers; nothing for what mixes elements."""
        symbols, numbers = [], []
        for slot, source in enumerate(map(str, self.run.program.document.nodes[name].inputs)):
            local, vector = self.run.local(name, slot), np.asarray(self.shown(number, source))
            if not vector.any():
                continue
            if local is None:
                return []
            of_operand = paint("tangent", nabla(shown_latex(self.run, source)))
            symbols.append(
                rf"{ratio_latex(shown_latex(self.run, name), shown_latex(self.run, source))} \cdot {of_operand}"
            )
            if not local.ndim and len(vector) <= NUMBERS:
                factors = (
                    paint("value", factor_latex(local, precision)),
                    paint("tangent", vector_latex(vector, precision)),
                )
                numbers.append(r" \cdot ".join(factors))
        shown = [" + ".join(symbols)] if symbols else []
        return [*shown, " + ".join(numbers)] if numbers and len(numbers) == len(symbols) else shown


def _brief(tangent: np.ndarray | None) -> str:
    """A derivative for a lane: a number; of an array how many of its elements are not 0."""
    if tangent is None or not tangent.ndim:
        return short(tangent)
    return f"{np.count_nonzero(tangent)} of {tangent.size} ≠ 0"
