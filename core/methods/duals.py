"""Forward mode told step by step: at each operation the value and its derivative, one pass for each direction."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.expression import POWER, written_number
from core.methods.answer import Cancel, Elements, element_name, every_element, never, stop_if
from core.methods.forward import unit
from core.notation import short, step_latex, step_sentence
from core.notation.steps import ratio
from core.numbers import fits, latex_number
from core.passes.tangent import push
from core.plan import Instruction
from core.program import Run


@dataclass(frozen=True, slots=True)
class DualStep:
    """Operation number `place` of pass number `direction`, in which `moving` (a leaf or one of its elements) has the
    tangent 1 and all other leaves 0. `tangent` is of the node's shape; `parts` are (local derivative, tangent of the
    operand) for each operand that moves, and empty where the operation mixes elements.
    """

    direction: int
    moving: str
    place: int
    node: str
    tangent: np.ndarray
    parts: tuple[tuple[np.ndarray, np.ndarray], ...]


def dual_steps(run: Run, elements: Elements | None = None, cancelled: Cancel = never) -> Iterator[DualStep]:
    """The steps of forward mode: all operations in order, for each element of each wanted leaf again."""
    elements = every_element(run) if elements is None else elements
    values, direction = run.arrays, 0
    for name, indices in elements.items():
        shape = np.shape(values[run.plan.index[name]])
        for index in indices.tolist():
            stop_if(cancelled)
            moved: list[Any] = [None] * len(values)
            moved[run.plan.index[name]] = unit(shape, index, run.dtype)
            push(run.plan, values, moved)
            for place, item in enumerate(run.plan.instructions):
                node = run.plan.names[item.out]
                tangent = np.zeros_like(values[item.out]) if moved[item.out] is None else np.asarray(moved[item.out])
                moving = element_name(name, index, shape)
                yield DualStep(direction, moving, place, node, tangent, _parts(run, item, node, moved))
            direction += 1


def _parts(run: Run, item: Instruction, node: str, moved: list[Any]) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    found = []
    for slot, operand in enumerate(item.operands):
        local = run.local(node, slot)
        if moved[operand] is not None and local is not None:
            found.append((local, np.asarray(moved[operand])))
    return tuple(found)


def dual_sentence(run: Run, step: DualStep) -> str:
    """ "m1 is w0 times a1: 2 · 4 = 8; its derivative ∂m1/∂w0 is 4 · 1 = 4." """
    value = step_sentence(run.timeline, step.place).removesuffix(".")
    name = ratio(step.node, step.moving, False)
    if not step.tangent.any() and not step.parts:
        return f"{value}; its derivative {name} is 0."
    worked_out = _sum(step, latex=False)
    result = short(step.tangent) if fits(step.tangent) else f"an array of {step.tangent.size} numbers"
    return f"{value}; its derivative {name} is {f'{worked_out} = ' if worked_out else ''}{result}."


def dual_latex(run: Run, step: DualStep) -> str:
    r"""The same as two formulas: "m_{1} = ... = 8 \qquad \frac{\partial m_{1}}{\partial w_{0}} = 4 \cdot 1 = 4"."""
    parts = [ratio(step.node, step.moving, True), _sum(step, latex=True), latex_number(step.tangent)]
    return rf"{step_latex(run.timeline, step.place)} \qquad {' = '.join(filter(None, parts))}"


def _sum(step: DualStep, latex: bool) -> str:
    """The chain rule with numbers: "4 · 1 + 2 · 0"; empty for arrays."""
    if step.tangent.ndim or any(part.ndim for pair in step.parts for part in pair):
        return ""
    dot = r" \cdot " if latex else " · "
    return " + ".join(dot.join(_factor(number, latex) for number in pair) for pair in step.parts)


def _factor(number: np.ndarray, latex: bool) -> str:
    written = written_number(number, latex)
    if written.binding >= POWER:
        return written.text
    return rf"\left({written.text}\right)" if latex else f"({written.text})"
