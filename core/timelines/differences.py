"""Differences step by step: a run with one element a little larger, a run with it a little smaller, the quotient."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from core.fault import Refused
from core.methods.answer import element_name
from core.methods.differences import slope_at
from core.methods.displaced import Displaced
from core.notation.calls import latex_call, latex_name
from core.notation.names import latex_element
from core.numbers import latex_number, short
from core.program import Run
from core.timeline import Frame, Lane, Line, Paint, Step, Token, Told
from core.timelines.walk import Pass, Walk, in_words, shape_of, telling

ON_CARD = 7  # digits of a quotient
WORDS = {"ahead": "+ h", "behind": "− h"}


class DifferencesTimeline(Walk):
    """Two displaced runs, whose values stand on the two lines of each card, and the central quotient at the leaf.

    Raises Refused where no gradient is wanted, and for a step of 0 or one that is lost in rounding.
    """

    method = "differences"

    def __init__(self, run: Run, leaf: str | None, index: int = 0, step: float | None = None) -> None:
        if leaf is None:
            raise Refused(f"{run.program.output} depends on no leaf whose gradient is wanted; make a leaf a parameter")
        self.leaf, self.index = leaf, index
        self.point = point = Displaced(run)
        self.slope = slope_at(point, leaf, index, "central", step)
        if not np.isfinite(self.slope.step):
            raise Refused(
                f"{point.name(leaf, index)}: no step gives a quotient that is a number; mend the faults first"
            )
        self.h = self.slope.step
        self.ahead, self.behind = (point.moved(leaf, index, signed)[0] for signed in (self.h, -self.h))
        self.element = element_name(leaf, index, shape_of(run, leaf))
        operations = [item.out for item in run.plan.instructions]
        runs = [
            Pass("ahead", operations, f"at {self.element} + h", "value"),
            Pass("behind", operations, f"at {self.element} − h", "value"),
        ]
        super().__init__(run, [*runs, Pass("quotient", [run.plan.index[leaf]], "quotient", "gradient")])

    @property
    def quotient(self) -> float:
        return self.slope.value

    @cached_property
    def exact(self) -> float:
        """What reverse mode gives."""
        return float(np.asarray(self.run.gradient(self.leaf)).flat[self.index])

    def lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        if name == self.leaf and frame.landed == len(self) and not shape_of(self.run, name):
            digits = min(self._quotient_digits, ON_CARD)
            return (
                Line("gradient", "quot", np.asarray(self.quotient), digits=digits),
                Line("gradient", "grad", np.asarray(self.exact), digits=digits),
            )
        node, expected = self.run.plan.index[name], self.run.value(name) is not None
        pair = self.ahead.value(name), self.behind.value(name)
        digits = telling(*pair)
        numbers = [value if self.landed_in(frame, number, node) else None for number, value in enumerate(pair)]
        upper, lower = (
            Line("value", word, value, digits=digits, expected=expected)
            for word, value in zip(WORDS.values(), numbers, strict=True)
        )
        return upper, lower

    @property
    def _quotient_digits(self) -> int:
        return telling(np.asarray(self.quotient), np.asarray(self.exact))

    def tokens(self, step: Step, travelled: float) -> tuple[Token, ...]:
        if step.phase == "quotient":
            return ()
        token = self._operand_token(step, travelled)
        pair = self.ahead.value(token.source), self.behind.value(token.source)
        number = pair[step.phase == "behind"]
        assert number is not None
        return (Token(token.source, token.target, token.slot, "value", token.fraction, number, digits=telling(*pair)),)

    def accumulated(self, name: str, steps_done: int) -> np.ndarray | None:
        """The quotient, at the leaf, at the end; of an array only the one element is known, so it has none."""
        if name != self.leaf or steps_done < len(self) or shape_of(self.run, name):
            return None
        return np.asarray(self.quotient)

    def lanes(self, frame: Frame) -> tuple[Lane, ...]:
        """The output of both runs, then the quotient beside the gradient of reverse mode."""
        now, ends = self.current(frame), self._begins[1:]
        outputs = [np.asarray(self.point.weighed(run)) for run in (self.ahead, self.behind)]
        digits, output = telling(*outputs), self.run.program.output
        rows = [
            Lane(f"{output} at {word}", short(value, digits) if end <= frame.landed else "·", "value", number == now)
            for number, (word, value, end) in enumerate(zip(WORDS.values(), outputs, ends, strict=False))
        ]
        done, digits = frame.landed == len(self), self._quotient_digits
        return (
            *rows,
            Lane("quotient", short(self.quotient, digits) if done else "·", "gradient", now == 2),
            Lane("reverse mode", short(self.exact, digits) if done else "·", "gradient"),
        )

    def told(self, index: int, paint: Paint | None = None) -> Told:
        paint, step = paint or (lambda _, latex: latex), self[index]
        if step.phase == "quotient":
            return self._told_quotient(paint)
        is_ahead = step.phase == "ahead"
        sign, moved, run = ("+", "larger", self.ahead) if is_ahead else ("−", "smaller", self.behind)
        pair = self.ahead.value(step.node), self.behind.value(step.node)
        value, digits = run.value(step.node), telling(*pair)
        sentence = f"{step.node} is {short(value, digits)} where {self.element} is {moved} by h = {short(self.h)}."
        number = 1 if is_ahead else 2
        title = f"Run {number} of 2, at {self.element} {sign} h: "
        formula = f"{latex_name(step.node)} = {latex_call(run, step.node)} = "
        told = paint("value", latex_number(value, digits))
        return Told(f"{title}{step.node} {in_words(value, digits)}.", sentence, (f"{formula}{told}",))

    def _told_quotient(self, paint: Paint) -> Told:
        digits, output = self._quotient_digits, str(self.run.program.output)
        found, exact = short(self.quotient, digits), short(self.exact, digits)
        title = f"Quotient {found}, reverse mode {exact}."
        ahead, behind = (self.point.weighed(run) for run in (self.ahead, self.behind))
        many = telling(np.asarray(ahead), np.asarray(behind))
        name, by = latex_name(output), latex_element(self.leaf, self.index, shape_of(self.run, self.leaf))
        top, bottom = rf"{name}({by} + h) - {name}({by} - h)", "2 h"
        first, second = paint("value", latex_number(ahead, many)), paint("value", latex_number(behind, many))
        second = rf"\left({second}\right)" if behind < 0 else second
        numbers = rf"\frac{{{first} - {second}}}{{2 \cdot {latex_number(self.h)}}}"
        result = paint("gradient", latex_number(self.quotient, digits))
        formula = rf"\frac{{{top}}}{{{bottom}}} = {numbers} = {result}"
        beside = rf"\frac{{\partial {name}}}{{\partial {by}}} = {paint('gradient', latex_number(self.exact, digits))}"
        sentence = f"{title} The error of the quotient is estimated at {short(self.slope.error)}."
        return Told(title, sentence, (formula, beside))
