"""How the output depends on one node: the definitions on the way, their local derivatives, and the chain rule."""

from __future__ import annotations

import numpy as np

from cadena.core.methods.reverse.schedule import Schedule
from cadena.core.methods.reverse.step_text import (
    NUMBER,
    contribution_latex,
    local_symbol,
    no_paint,
    ratio,
    rule,
)
from cadena.core.methods.reverse.summation import summation_of
from cadena.core.methods.reverse.timeline import Paint
from cadena.core.notation.calls import latex_definition
from cadena.core.run.program import Run
from cadena.core.text.numbers import PLAIN, Figures, figures, latex_number

LONGEST = 8  # lines; a longer way is told by its first and last ones


def derivation(run: Run, name: str) -> list[tuple[str, str]]:
    """LaTeX lines from the output back to `name`: (definition of a node, its derivative for the next on the way)."""
    begin, wires, precision = _seed_line(run, name), carrying_wires(run, name), _product(run, name)[1]
    if len(begin) + len(wires) <= LONGEST:
        return [*begin, *(_line(run, *wire, precision) for wire in wires)]
    first, last = wires[: LONGEST // 2 - len(begin)], wires[-(LONGEST - LONGEST // 2 - 1) :]
    lines = [[_line(run, *wire, precision) for wire in part] for part in (first, last)]
    return [*begin, *lines[0], (r"\cdots", ""), *lines[1]]


def _seed_line(run: Run, name: str) -> list[tuple[str, str]]:
    """Inside a function: the gradient that came from outside, with which the way begins."""
    output = run.program.output
    if output is None or run.target == output or run.gradient(name) is None:
        return []
    return [("", f"{ratio(run, str(run.target), output, True)} = {latex_number(run.seed)}")]


def carrying_wires(run: Run, name: str) -> list[tuple[str, int]]:
    """The wires that the gradient of `name` came along, in the order of the reverse pass."""
    plan = run.plan
    if run.program.output is None or not plan.reached[plan.index[name]]:
        return []
    return [(plan.names[node], slot) for node, slot in plan.once(Schedule).carrying(plan.index[name])]


def _line(run: Run, node: str, slot: int, precision: Figures) -> tuple[str, str]:
    operand = str(run.program.document.nodes[node].inputs[slot])
    definition = latex_definition(run, node)
    local = run.local(node, slot)
    if local is None or summation_of(run, node, slot) is not None:
        return definition, f"{ratio(run, str(run.target), operand, True)} = {rule(run, node, slot, True)}"
    symbol = local_symbol(run, node, slot, latex=True).text
    number = latex_number(local, precision.digits, precision.marked) if local.ndim == 0 else symbol
    middle = "" if symbol == number or NUMBER.fullmatch(symbol) else f" = {symbol}"
    return definition, f"{ratio(run, node, operand, True)}{middle} = {number}"


def result_word(run: Run, name: str) -> str:
    """What `result_latex` computes: the product along the only way, a sum over consumers or over axes, or neither."""
    if _product(run, name)[0]:
        return "Product"
    own = _own(run, name, carrying_wires(run, name))
    return "Sum" if len(own) > 1 or any(summation_of(run, *wire) is not None for wire in own) else "Result"


def result_latex(run: Run, name: str, paint: Paint | None = None) -> str:
    """The gradient of `name` as the product along its only way, as the sum over its consumers, or of an array as what
    its only consumer contributes; then the number."""
    paint = paint or no_paint
    gradient = run.gradient(name)
    if gradient is None or run.program.output is None:
        return ""
    head = paint("gradient", ratio(run, str(run.target), name, True))
    total = paint("gradient", latex_number(gradient))
    factors, precision = _product(run, name)
    if gradient.ndim == 0 and factors:
        middle = r" \cdot ".join(_grouped(factor, precision) for factor in factors)
    elif gradient.ndim == 0 and (parts := _parts(run, name)):
        precision = figures(lambda *shown: sum(shown), parts, gradient)
        middle = " + ".join(_grouped(part, precision) for part in parts)
    elif len(own := _own(run, name, carrying_wires(run, name))) == 1:
        (wire,) = own
        is_sum = summation_of(run, *wire) is not None
        return f"{head} = {contribution_latex(run, *wire, paint) if gradient.ndim or is_sum else total}"
    else:
        return f"{head} = {total}"
    return f"{head} = {middle} {precision.relation(latex=True)} {total}"


def _product(run: Run, name: str) -> tuple[list[np.ndarray], Figures]:
    """The local derivatives along the only way, whose product is the gradient, and how they are shown; else none."""
    wires = carrying_wires(run, name)
    if len({node for node, _ in wires}) == len(wires) <= LONGEST and len(_own(run, name, wires)) == 1:
        factors = [run.local(node, slot) for node, slot in wires]
        if run.target != run.program.output or (run.seed != 1).any():  # it is a factor like the others
            factors.insert(0, run.seed)
        numbers = [factor for factor in factors if factor is not None and factor.ndim == 0]
        if 1 < len(factors) == len(numbers):
            return numbers, figures(lambda *shown: np.prod(shown), numbers, run.gradient(name))
    return [], PLAIN


def _parts(run: Run, name: str) -> list[np.ndarray]:
    """The contributions to the gradient of a node with several consumers."""
    own = _own(run, name, carrying_wires(run, name))
    return [np.asarray(run.contribution(*wire)) for wire in own] if 1 < len(own) <= LONGEST else []


def _own(run: Run, name: str, wires: list[tuple[str, int]]) -> list[tuple[str, int]]:
    """The wires that begin at `name` itself."""
    return [(node, slot) for node, slot in wires if run.program.document.nodes[node].inputs[slot] == name]


def _grouped(number: np.ndarray, precision: Figures) -> str:
    text = latex_number(number, precision.digits, precision.marked)
    return rf"\left({text}\right)" if text.startswith("-") else text
