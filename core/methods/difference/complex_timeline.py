"""The complex step, step by step: one run at x + ih, real and imaginary part together; the quotient is Im(f) / h."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from cadena.core.methods.difference import complex_step
from cadena.core.methods.difference.answer import Slope
from cadena.core.methods.difference.timeline import CentralDifferences, DifferencesTimeline, ForwardDifferences
from cadena.core.methods.reverse.timeline import Frame, Lane, Line, Paint, Step, StepText, Token
from cadena.core.methods.walk import WalkPass, shape_of
from cadena.core.notation.calls import latex_definition, shown_latex
from cadena.core.text.numbers import DIGITS, fits, latex_number, short


class ComplexStep(DifferencesTimeline):
    """The real part stands on the upper line; the imaginary part, h times the derivative, on the lower.

    It runs in float64, at the values of the run, whatever its number type.
    """

    kind = "complex"

    def _measured(self, step: float | None) -> Slope:
        answer = complex_step.answer(self.point.run, step, {self.leaf: np.array([self.index])}, self.point.cancelled)
        parts = (answer.gradients, answer.errors, answer.steps)
        return Slope(*(float(part[self.leaf].flat[self.index]) for part in parts))

    @cached_property
    def _values(self) -> list[Any]:
        run = self.point.run
        return complex_step.displaced(run, complex_step.in_float64(run), self.leaf, self.index, self.h)

    def _run_passes(self, operations: list[int]) -> list[WalkPass]:
        return [WalkPass("complex", operations, f"at {self.element} + ih", "tangent")]

    def parts(self, name: str) -> tuple[np.ndarray | None, np.ndarray | None]:
        """The real and the imaginary part of a node, of its shape; None where it cannot run."""
        value = self._values[self.run.plan.index[name]]
        return (None, None) if value is None else (np.real(value), np.imag(value) + 0.0)  # never a minus zero

    def _run_lines(self, frame: Frame, name: str) -> tuple[Line, Line]:
        node, expected = self.run.plan.index[name], self.run.value(name) is not None
        real, imaginary = self.parts(name) if self.landed_in(frame, 0, node) else (None, None)
        digits = self._digits(name)
        return (
            Line("value", "Re", real, digits=digits, expected=expected),
            Line("tangent", "Im", imaginary, digits=digits, expected=expected),
        )

    def tokens(self, step: Step, travelled: float) -> tuple[Token, ...]:
        if step.phase == "quotient":
            return ()
        token = self._operand_token(step, travelled)
        real, imaginary = self.parts(token.source)
        assert real is not None
        return (Token(token.source, token.target, token.slot, "value", token.fraction, real, imaginary),)

    @cached_property
    def _output(self) -> tuple[float, float]:
        """Real and imaginary part of the output as one number."""
        seed = self.run.seed.astype(np.float64)
        real, imaginary = self.parts(str(self.run.program.output))
        assert real is not None and imaginary is not None
        with np.errstate(all="ignore"):
            return float(np.sum(seed * real)), float(np.sum(seed * imaginary))

    @property
    def _outputs(self) -> tuple[float, ...]:
        return self._output[1:]

    def _over(self, outputs: Sequence[np.ndarray], h: Any) -> Any:
        return outputs[0] / h

    def _digits(self, name: str) -> int:
        is_output = name == self.run.program.output and not shape_of(self.run, name)
        return self._figures.digits if is_output else DIGITS

    def _run_lanes(self, frame: Frame) -> list[Lane]:
        name, known = self.run.program.output, self._begins[1] <= frame.landed
        real, imaginary = (short(part, self._figures.digits) if known else "·" for part in self._output)
        is_now = self.current(frame) == 0
        return [Lane(f"Re {name}", real, "value", is_now), Lane(f"Im {name}", imaginary, "tangent", is_now)]

    def _describe_run(self, step: Step, paint: Paint) -> StepText:
        real, imaginary = self.parts(step.node)
        assert real is not None and imaginary is not None  # a step runs
        digits = self._digits(step.node)
        place, outcome = f"One run, at {self.element} + ih", f"{step.node} has complex elements"
        sentence = (
            f"{step.node} has complex elements where {self.element} is moved by ih, h = {self._step_text}. The "
            f"imaginary parts are h times the derivatives."
        )
        if real.ndim == 0:
            number = _sum(real, imaginary, digits)
            outcome = f"{step.node} is {number}"
            sentence = (
                f"{step.node} is {number} where {self.element} is moved by ih, h = {self._step_text}. The imaginary "
                f"part is h times the derivative."
            )
        call = latex_definition(self.run, step.node)
        if not fits(real):
            return StepText(place, outcome, sentence, (f"{call} = {paint('value', latex_number(real))}",))
        written = latex_number(imaginary if imaginary.ndim else abs(imaginary), digits)
        sign = "-" if imaginary.ndim == 0 and np.signbit(imaginary) else "+"
        value, part = paint("value", latex_number(real, digits)), paint("tangent", written)
        return StepText(place, outcome, sentence, (rf"{call} = {value} {sign} {part} \, i",))

    def _quotient_formula(self, paint: Paint) -> str:
        name = shown_latex(self.run, str(self.run.program.output))
        top = rf"\mathrm{{Im}}\, {name}({self._moved} + i h)"
        part = paint("tangent", latex_number(self._output[1], *self._figures[:2]))
        return rf"\frac{{{top}}}{{h}} = \frac{{{part}}}{{{latex_number(self.h, *self._step_figures[:2])}}}"


def _sum(real: np.ndarray, imaginary: np.ndarray, digits: int) -> str:
    """A complex number for people: "0.8415 + 5.403·10⁻³¹ i"."""
    sign = "−" if np.signbit(imaginary) else "+"
    return f"{short(real, digits)} {sign} {short(abs(imaginary), digits)} i"


TIMELINES: dict[str, type[DifferencesTimeline]] = {
    one.kind: one for one in (ForwardDifferences, CentralDifferences, ComplexStep)
}
