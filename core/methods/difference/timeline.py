"""Differences step by step: the run as it is and one with an element moved, or two that are moved; their quotient."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from cadena.core.graph.fault import Refused
from cadena.core.methods.answer import Cancel, element_name, never
from cadena.core.methods.difference.answer import Slope, slope_at
from cadena.core.methods.difference.displaced import Displaced
from cadena.core.methods.reverse.timeline import Frame, Lane, Line, Paint, Phase, Step, StepText, Token
from cadena.core.methods.walk import Walk, WalkPass, in_words, shape_of
from cadena.core.notation.calls import latex_definition, shown_latex
from cadena.core.notation.names import latex_element
from cadena.core.run.program import Run
from cadena.core.text.numbers import DIGITS, Figures, distinguishing_digits, figures, latex_number, rounded, short

ON_CARD = 7  # digits of a quotient
ALL_DIGITS = 18  # of a float64, and one: runs at the least step differ in nothing but the last


class DifferencesTimeline(Walk, ABC):
    """The base of the kinds of differences: runs with one element moved by h, and the quotient at the end.

    Raises Refused for a step of 0 or one that is lost in rounding, and where the kind
    cannot go through an operation. `step` None is the best one.
    """

    method, kind = "difference", ""

    def __init__(
        self, run: Run, leaf: str, index: int = 0, step: float | None = None, cancelled: Cancel = never
    ) -> None:
        self.leaf, self.index, self.point = leaf, index, Displaced(run, cancelled)
        self.element = element_name(leaf, index, shape_of(run, leaf))
        self.slope = self._measured(step)
        if not np.isfinite(self.slope.step):
            raise Refused(
                "{element}: no step gives a quotient that is a number",
                "choose another kind, or fix the faults",
                element=self.element,
            )
        self.h = self.slope.step
        last = WalkPass("quotient", [run.plan.index[leaf]], "quotient", "gradient")
        super().__init__(run, [*self._run_passes([item.out for item in run.plan.instructions]), last])

    # --- what the kinds differ in

    @abstractmethod
    def _measured(self, step: float | None) -> Slope:
        """The quotient, its error and its step."""

    @abstractmethod
    def _run_passes(self, operations: list[int]) -> list[WalkPass]:
        """The runs, before the quotient."""

    @abstractmethod
    def _run_lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        """The lines of a node's card during the runs."""

    @abstractmethod
    def _run_lanes(self, frame: Frame) -> list[Lane]:
        """The lanes beside a step of the runs."""

    @abstractmethod
    def _describe_run(self, step: Step, paint: Paint) -> StepText:
        """Describe a step of a run."""

    @abstractmethod
    def _over(self, outputs: Sequence[np.ndarray], h: Any) -> Any:
        """The quotient of outputs of the runs and a step."""

    @abstractmethod
    def _quotient_formula(self, paint: Paint) -> str:
        """The quotient in symbols and with numbers, without its result."""

    @property
    @abstractmethod
    def _outputs(self) -> tuple[float, ...]:
        """The output of each run as one number."""

    # --- what they share

    @property
    def quotient(self) -> float:
        return self.slope.value

    @cached_property
    def exact(self) -> float:
        """The derivative by reverse mode."""
        return float(np.asarray(self.run.gradient(self.leaf)).flat[self.index])

    @cached_property
    def _quotient_digits(self) -> int:
        """As many as tell the quotient from the gradient of reverse mode, if they follow from the runs' outputs."""
        digits = distinguishing_digits(np.asarray(self.quotient), np.asarray(self.exact))
        return next((count for count in range(digits, DIGITS, -1) if self._figures_with(count).follows), DIGITS)

    @property
    def _figures(self) -> Figures:
        """The digits of the outputs of the runs, so that the quotient follows from them as shown."""
        return self._figures_with(self._quotient_digits)

    @property
    def _moved(self) -> str:
        """The element in LaTeX."""
        return latex_element(self.leaf, self.index, shape_of(self.run, self.leaf))

    def lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        if name == self.leaf and frame.landed == len(self) and not shape_of(self.run, name):
            digits = distinguishing_digits(np.asarray(self.quotient), np.asarray(self.exact), ON_CARD)
            return (
                Line("gradient", "quot", np.asarray(self.quotient), digits=digits),
                Line("gradient", "grad", np.asarray(self.exact), digits=digits),
            )
        return self._run_lines(frame, name)

    def accumulated(self, name: str, steps_done: int) -> np.ndarray | None:
        """The quotient, at the leaf, at the end; of an array only the one element is known, so it has none."""
        if name != self.leaf or steps_done < len(self) or shape_of(self.run, name):
            return None
        return np.asarray(self.quotient)

    def lanes(self, frame: Frame) -> tuple[Lane, ...]:
        """The output of each run, then the quotient beside the gradient of reverse mode."""
        done, digits = frame.landed == len(self), self._quotient_digits
        is_now = frame.step is not None and frame.step.phase == "quotient"
        return (
            *self._run_lanes(frame),
            Lane("quotient", short(self.quotient, digits) if done else "·", "gradient", is_now),
            Lane("reverse mode", short(self.exact, digits) if done else "·", "gradient"),
        )

    def describe(self, index: int, paint: Paint | None = None) -> StepText:
        paint, step = paint or (lambda _, latex: latex), self[index]
        return self._describe_quotient(paint) if step.phase == "quotient" else self._describe_run(step, paint)

    def _describe_quotient(self, paint: Paint) -> StepText:
        digits, name = self._quotient_digits, shown_latex(self.run, str(self.run.program.output))
        outcome = f"Quotient {short(self.quotient, digits)}, {self._off}"
        result = paint("gradient", latex_number(self.quotient, digits))
        formula = f"{self._quotient_formula(paint)} {self._figures.relation(latex=True)} {result}"
        exact = paint("gradient", latex_number(self.exact, digits))
        beside = rf"\frac{{\partial {name}}}{{\partial {self._moved}}} = {exact}"
        sentence = f"{outcome}. The step is h = {self._step_text}; reverse mode gives {short(self.exact, digits)}."
        return StepText("", outcome, sentence, (formula, beside))

    def _figures_with(self, digits: int) -> Figures:
        """The figures of the outputs beside a quotient of so many digits."""
        return figures(lambda *shown: self._over(shown, self.h), self._outputs, self.quotient, digits, self._least)

    @property
    def _least(self) -> int:
        """The least number of digits of the outputs."""
        return DIGITS

    @cached_property
    def _step_figures(self) -> Figures:
        """How the step is shown, so that the quotient follows from it and from the outputs as they are shown."""
        shown = [rounded(number, self._figures.digits) for number in self._outputs]
        return figures(lambda h: self._over(shown, h), [self.h], self.quotient, self._quotient_digits)

    @property
    def _step_text(self) -> str:
        return short(self.h, *self._step_figures[:2])

    @property
    def _off(self) -> str:
        """The estimated error in words: a bound, as the true error is known to nobody who has differences alone."""
        error = self.slope.error
        if np.isfinite(error):
            return f"give or take {short(error, 2)}"
        node = self.point.overflows_at
        return f"off by an unknown amount, as {node} overflows" if node else "which is not to be trusted"


class Displacement(NamedTuple):
    """One of two runs: the name of its steps, the label of its numbers on a card, and by how many h it is moved."""

    phase: Phase
    label: str
    sign: int


class TwoRuns(DifferencesTimeline, ABC):
    """Two whole runs, whose values stand on the two lines of each card."""

    moved: tuple[Displacement, Displacement]

    def _measured(self, step: float | None) -> Slope:
        return slope_at(self.point, self.leaf, self.index, self.kind, step)

    @cached_property
    def _runs(self) -> tuple[Run, ...]:
        return tuple(
            self.point.moved(self.leaf, self.index, one.sign * self.h)[0] if one.sign else self.point.run
            for one in self.moved
        )

    def _place(self, one: Displacement) -> str:
        """ "at x + h", or "as it is" for the run that is not moved."""
        return f"at {self.element} {one.label}" if one.sign else "as it is"

    def _run_passes(self, operations: list[int]) -> list[WalkPass]:
        return [WalkPass(one.phase, operations, self._place(one), "value") for one in self.moved]

    def _pair(self, name: str) -> tuple[np.ndarray | None, np.ndarray | None]:
        first, second = self._runs
        return first.value(name), second.value(name)

    def _digits(self, name: str) -> int:
        """The number of digits that distinguishes the two runs at a node; needed for each card of each frame."""
        if name not in self._digits_known:
            is_output = name == self.run.program.output and not shape_of(self.run, name)
            digits = self._figures.digits if is_output else distinguishing_digits(*self._pair(name), ALL_DIGITS)
            self._digits_known[name] = digits
        return self._digits_known[name]

    @cached_property
    def _digits_known(self) -> dict[str, int]:
        return {}

    def _run_lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        node, expected, pair = self.run.plan.index[name], self.run.value(name) is not None, self._pair(name)
        digits = self._digits(name)
        upper, lower = (
            Line("value", one.label, value if self.landed_in(frame, number, node) else None, digits=digits,
                 expected=expected)
            for number, (one, value) in enumerate(zip(self.moved, pair, strict=True))
        )  # fmt: skip
        return upper, lower

    def tokens(self, step: Step, travelled: float) -> tuple[Token, ...]:
        if step.phase == "quotient":
            return ()
        token = self._operand_token(step, travelled)
        number = self._pair(token.source)[self.place(step.index)[0]]
        assert number is not None
        digits = self._digits(token.source)
        return (Token(token.source, token.target, token.slot, "value", token.fraction, number, digits=digits),)

    @cached_property
    def _outputs(self) -> tuple[float, ...]:
        first, second = self._runs
        return self.point.weighted(first), self.point.weighted(second)

    @property
    def _least(self) -> int:
        first, second = self._outputs
        return distinguishing_digits(np.asarray(first), np.asarray(second), ALL_DIGITS)

    def _over(self, outputs: Sequence[np.ndarray], h: Any) -> Any:
        (first, second), (one, other) = outputs, self.moved
        return (first - second) / ((one.sign - other.sign) * h)

    @property
    def _parts(self) -> list[tuple[Displacement, float]]:
        """The runs with their outputs, the larger argument first."""
        return sorted(zip(self.moved, self._outputs, strict=True), key=lambda part: -part[0].sign)

    def _run_lanes(self, frame: Frame) -> list[Lane]:
        now, digits = self.current(frame), self._figures.digits
        name, rows = self.run.program.output, []
        for number, (one, value) in enumerate(zip(self.moved, self._outputs, strict=True)):
            text = short(value, digits) if self._begins[number + 1] <= frame.landed else "·"
            rows.append(
                Lane(f"{name} at {one.label}" if one.sign else f"{name} as it is", text, "value", number == now)
            )
        return rows

    def _describe_run(self, step: Step, paint: Paint) -> StepText:
        number = self.place(step.index)[0]
        one, value, digits = self.moved[number], self._runs[number].value(step.node), self._digits(step.node)
        where = f"{self.element} is {'larger' if one.sign > 0 else 'smaller'} by h = {self._step_text}"
        sentence = f"{step.node} is {short(value, digits)} where {where if one.sign else 'nothing is moved'}."
        place, outcome = f"Run {number + 1} of 2, {self._place(one)}", f"{step.node} {in_words(value, digits)}"
        call = latex_definition(self.run, step.node)
        return StepText(place, outcome, sentence, (f"{call} = {paint('value', latex_number(value, digits))}",))

    def _quotient_formula(self, paint: Paint) -> str:
        name, by = shown_latex(self.run, str(self.run.program.output)), self._moved
        parts, precision = self._parts, self._figures[:2]
        symbols = [f"{name}({by} {one.label})" if one.sign else f"{name}({by})" for one, _ in parts]
        first, second = (paint("value", latex_number(value, *precision)) for _, value in parts)
        second = rf"\left({second}\right)" if parts[1][1] < 0 else second
        distance = parts[0][0].sign - parts[1][0].sign
        symbol, number = ("h", "") if distance == 1 else (f"{distance} h", rf"{distance} \cdot ")
        over = rf"\frac{{{' - '.join(symbols)}}}{{{symbol}}}".replace("−", "-")
        return rf"{over} = \frac{{{first} - {second}}}{{{number}{latex_number(self.h, *self._step_figures[:2])}}}"


class ForwardDifferences(TwoRuns):
    """(f(x + h) - f(x)) / h."""

    kind = "forward"
    moved = Displacement("forward", "value", 0), Displacement("ahead", "+ h", 1)


class CentralDifferences(TwoRuns):
    """(f(x + h) - f(x - h)) / 2h."""

    kind = "central"
    moved = Displacement("ahead", "+ h", 1), Displacement("behind", "− h", -1)
