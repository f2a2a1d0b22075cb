"""Symbols step by step: each node gets its expression in the leaves, written out; at the end it is differentiated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, all_elements, element_name, never, stop_if
from cadena.core.methods.reverse.timeline import Frame, Lane, Line, Paint, Step, StepText, Token
from cadena.core.methods.symbolic.expressions import Expressions
from cadena.core.methods.symbolic.latex import glyphs, in_latex, shortened
from cadena.core.methods.walk import Walk, WalkPass, shape_of
from cadena.core.notation.calls import latex_definition, shown_latex
from cadena.core.notation.names import latex_element
from cadena.core.run.program import Run
from cadena.core.text.numbers import latex_number, number_of, short

SYMBOLS = "Symbols"  # the place of all its steps
MAX_SHOWN = 6  # derivatives that are stepped through unless all are asked for; of more the first ones
MAX_WRITTEN = 40  # nodes up to which cards hold expressions: to set a hundred as formulas takes seconds
MAX_NODES = 2000  # expressions of larger graphs pass every limit
ON_CARD, IN_BAND, ON_TOKEN = (8, 6, 4, 3), (24, 16, 10), 3  # operations that are shown; what is beyond becomes dots
LONGEST = 70  # letters in the band


class SymbolsTimeline(Walk):
    """A step for the expression of each node that the output needs, then one for each derivative (or the first `most`).

    Raises Refused (NoForm) where an operation has no symbolic form or an expression grows too large.
    """

    method = "symbolic"
    has_formulas = True

    def __init__(self, run: Run, most: int | None = MAX_SHOWN, cancelled: Cancel = never) -> None:
        if len(run.plan.instructions) > MAX_NODES:
            raise Refused(
                "the graph has {count} operations, too many for symbols",
                "use another method",
                count=len(run.plan.instructions),
            )
        self.expressions = expressions = Expressions(run, cancelled)
        self.elements = [(name, int(index)) for name, indices in all_elements(run).items() for index in indices]
        nodes = [item.out for item in run.plan.instructions if expressions.of[item.out] is not None]
        leaves = [run.plan.index[name] for name, _ in self.elements[:most]]
        self._shown, self._written = len(leaves), len(nodes) <= MAX_WRITTEN
        self._on_card = lru_cache(maxsize=None)(self._ever_shorter)
        super().__init__(
            run,
            [
                WalkPass("expression", nodes, "expressions", "value"),
                WalkPass("derivative", leaves, "derivatives", "gradient"),
            ],
        )
        self.derivative = lru_cache(maxsize=None)(self._differentiate)

    def compute(self, cancelled: Cancel = never) -> None:
        for number in range(self._shown):
            stop_if(cancelled)
            self.derivative(number)
        for _ in self.formulas:
            stop_if(cancelled)

    @property
    def formulas(self) -> Iterator[str]:
        """All formulas that cards hold, one by one."""
        end = self.frame(len(self))
        for name in self.run.plan.names if self._written else ():
            for line in self.lines(end, name):
                yield from line.latex

    def _differentiate(self, number: int) -> tuple[Any, int, float]:
        """The derivative by an element, how many operations it has, and its number."""
        formula = self.expressions.derivative(*self.elements[number])
        return formula, self.expressions.size(formula)[0], self.expressions.slope(formula)

    def details(self, frame: Frame, name: str) -> list[str]:
        expression = None if frame.lines(name)[0].empty else self.expression(name)
        entries = [] if expression is None else expression.ravel().tolist()
        return [*(f"= {entry}" for entry in entries), f"size  {self.size(name)}"] if entries else []

    def expression(self, name: str) -> np.ndarray | None:
        """The expressions of a node's elements, of its shape; None for a node that the output does not need."""
        result: np.ndarray | None = self.expressions.of[self.run.plan.index[name]]
        return result

    def size(self, name: str) -> int:
        """The number of operations in the expressions of a node, all elements together."""
        expression = self.expression(name)
        return 0 if expression is None else sum(self.expressions.size(entry)[0] for entry in expression.ravel())

    def element(self, number: int) -> str:
        """The element by which derivative `number` is taken."""
        name, index = self.elements[number]
        return element_name(name, index, shape_of(self.run, name))

    def latex(self, expression: Any, most: int | None = None, in_line: bool = False) -> str:
        """An expression in LaTeX, with dots for what is beyond `most` operations, perhaps with fractions `in_line`."""
        return in_latex(shortened(expression, most) if most else expression, self.expressions.symbols, in_line)

    def _in_band(self, expression: Any) -> str:
        """An expression with as many operations as can be read in a row of the band."""
        for most in IN_BAND:
            latex = self.latex(expression, most)
            if glyphs(latex) <= LONGEST:
                break
        return latex

    def _ever_shorter(self, expression: Any) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.latex(expression, most, in_line=True) for most in ON_CARD))

    def lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        node, expression = self.run.plan.index[name], self.expression(name)
        if expression is None or not self.landed_in(frame, 0, node):
            return tuple(Line("value", label, expected=expression is not None) for label in ("is", "size"))  # type: ignore[return-value]
        upper = Line("value", "is", self.run.value(name))
        if not expression.shape and self._written:
            upper = Line("value", "is", latex=self._on_card(expression.item()))
        lower = Line("text", "size", text=number_of(self.size(name), "operation"))
        if self.run.program.document.nodes[name].is_leaf:
            lower = self._derivative_line(frame, name)
        return upper, lower

    def _derivative_line(self, frame: Frame, name: str) -> Line:
        """The derivative by a leaf; of an array how many are computed by now, and all of them as numbers."""
        own = [number for number, (leaf, _) in enumerate(self.elements) if leaf == name]
        known = [number for number in own if number < self._shown and self._begins[1] + number < frame.landed]
        if not known:
            return Line("gradient", "deriv", expected=any(number < self._shown for number in own))
        if len(own) == 1 and self._written:
            return Line("gradient", "deriv", latex=self._on_card(self.derivative(known[0])[0]))
        if len(known) < len(own):
            return Line("text", "deriv", text=f"{len(known)} of {len(own)} derivatives")
        numbers = np.array([self.derivative(number)[2] for number in known])
        return Line("gradient", "deriv", numbers.reshape(shape_of(self.run, name)))

    def tokens(self, step: Step, travelled: float) -> tuple[Token, ...]:
        if step.phase == "derivative":
            return ()
        token = self._operand_token(step, travelled)
        expression = self.expression(token.source)
        latex = ""
        if expression is not None and not expression.shape:
            latex = self.latex(expression.item(), ON_TOKEN, in_line=True)
        return (Token(token.source, token.target, token.slot, "value", token.fraction, token.number, latex=latex),)

    def accumulated(self, name: str, steps_done: int) -> np.ndarray | None:
        """The number of a leaf's derivative once all of them are computed."""
        own = [number for number, (leaf, _) in enumerate(self.elements) if leaf == name]
        if not own or own[-1] >= self._shown or self._begins[1] + own[-1] >= steps_done:
            return None
        shape = shape_of(self.run, name)
        return np.array([self.derivative(number)[2] for number in own]).reshape(shape)

    def lanes(self, frame: Frame) -> tuple[Lane, ...]:
        """The sizes: of the output's expression, and of each derivative."""
        output = str(self.run.program.output)
        done = min(max(frame.landed - self._begins[1], 0), self._shown)
        grown = frame.landed >= self._begins[1]
        rows = [
            Lane(output, number_of(self.size(output), "operation") if grown else "·", "value", self.current(frame) == 0)
        ]
        for number in range(self._shown):
            now = frame.step is not None and frame.step.index == self._begins[1] + number
            text = "·"
            if number < done:
                _, size, slope = self.derivative(number)
                text = f"{short(slope)} ({number_of(size, 'op')})"
            rows.append(Lane(f"∂{output}/∂{self.element(number)}", text, "gradient", now))
        return tuple(rows)

    def describe(self, index: int, paint: Paint | None = None) -> StepText:
        paint, step = paint or (lambda _, latex: latex), self[index]
        if step.phase == "derivative":
            return self._describe_derivative(index - self._begins[1], paint)
        expression, place = self.expression(step.node), self.run.plan.index[step.node]
        assert expression is not None
        many, own = number_of(self.size(step.node), "operation"), self.expressions.graph_size(place)
        outcome = f"the expression of {step.node} has {many}, where the graph has {own}"
        formula = latex_definition(self.run, step.node)
        if expression.shape:
            text = StepText(SYMBOLS, outcome, "", (formula,))
            return text._replace(sentence=text.title)
        written = self._in_band(expression.item())
        shown = formula if formula.endswith(f"= {written}") else f"{formula} = {paint('value', written)}"
        return StepText(SYMBOLS, outcome, f"{step.node} = {expression.item()}.", (shown,))

    def _describe_derivative(self, number: int, paint: Paint) -> StepText:
        formula, size, slope = self.derivative(number)
        output, word = str(self.run.program.output), self.element(number)
        name, index = self.elements[number]
        by = latex_element(name, index, shape_of(self.run, name))
        outcome = f"the derivative with respect to {word} has {number_of(size, 'operation')} and is {short(slope)}"
        target = paint("gradient", rf"\frac{{\partial {shown_latex(self.run, output)}}}{{\partial {by}}}")
        result = paint("gradient", latex_number(slope))
        return StepText(
            SYMBOLS,
            outcome,
            f"∂{output}/∂{word} = {formula} = {short(slope)}.",
            (f"{target} = {self._in_band(formula)} = {result}",),
        )
