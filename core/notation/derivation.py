"""How the output depends on one node: the definitions on the way, their local derivatives, and the chain rule."""

from __future__ import annotations

from core import graph
from core.notation.calls import latex_call, latex_name
from core.notation.steps import local_symbol, no_paint, ratio, rule
from core.numbers import fits, latex_number
from core.program import Run
from core.timeline import Paint

LONGEST = 8  # lines; a longer way is told by its first and last ones


def derivation(run: Run, name: str) -> list[tuple[str, str]]:
    """LaTeX lines from the output back to `name`: (definition of a node, its derivative for the next on the way)."""
    begin, wires = _seed_line(run, name), _wires(run, name)
    if len(begin) + len(wires) <= LONGEST:
        return [*begin, *(_line(run, node, slot) for node, slot in wires)]
    first, last = wires[: LONGEST // 2 - len(begin)], wires[-(LONGEST - LONGEST // 2 - 1) :]
    return [*begin, *(_line(run, *wire) for wire in first), (r"\cdots", ""), *(_line(run, *wire) for wire in last)]


def _seed_line(run: Run, name: str) -> list[tuple[str, str]]:
    """Inside a function: the gradient that came from outside, with which the way begins."""
    output = run.program.output
    if output is None or run.target == output or run.gradient(name) is None:
        return []
    return [("", f"{ratio(str(run.target), output, True)} = {latex_number(run.seed)}")]


def _wires(run: Run, name: str) -> list[tuple[str, int]]:
    """The wires that the gradient of `name` came along, in the order of the reverse pass."""
    document, index, output = run.program.document, run.plan.index, run.program.output
    if output is None or not run.plan.reached[index[name]]:
        return []
    below, queue = {name}, [name]
    for node in queue:
        fed = [consumer for consumer, slot in document.consumers[node] if _carries(run, consumer, slot)]
        new = [consumer for consumer in fed if consumer not in below]
        below.update(new)
        queue.extend(dict.fromkeys(new))
    above = graph.ancestors(document, output)
    return [
        (node, slot)
        for item in reversed(run.plan.instructions)
        if (node := run.plan.names[item.out]) in below and node in above
        for slot in item.wanted
        if run.plan.names[item.operands[slot]] in below
    ]


def _carries(run: Run, node: str, slot: int) -> bool:
    """Whether a gradient came back through this slot: none does through one that only chooses."""
    instruction = run.instruction_of.get(run.plan.index[node])
    return instruction is not None and slot in instruction.wanted


def _line(run: Run, node: str, slot: int) -> tuple[str, str]:
    operand = str(run.program.document.nodes[node].inputs[slot])
    definition = f"{latex_name(node)} = {latex_call(run, node)}"
    local = run.local(node, slot)
    if local is None:
        return definition, f"{ratio(str(run.target), operand, True)} = {rule(run, node, slot, True)}"
    symbol = local_symbol(run, node, slot, latex=True).text
    number = latex_number(local) if local.ndim == 0 else symbol
    middle = "" if symbol == number else f" = {symbol}"
    return definition, f"{ratio(node, operand, True)}{middle} = {number}"


def result_latex(run: Run, name: str, paint: Paint | None = None) -> str:
    """The gradient of `name` as the product along its only way, or as the sum over its consumers; then the number."""
    paint = paint or no_paint
    gradient = run.gradient(name)
    if gradient is None or run.program.output is None:
        return ""
    head = paint("gradient", ratio(str(run.target), name, True))
    total = paint("gradient", latex_number(gradient))
    middle = _product(run, name) if gradient.ndim == 0 else None
    return f"{head} = {middle} = {total}" if middle else f"{head} = {total}"


def _product(run: Run, name: str) -> str | None:
    """The locals along the only way, multiplied; with several ways the contributions, added."""
    wires = _wires(run, name)
    own = [wire for wire in wires if run.program.document.nodes[wire[0]].inputs[wire[1]] == name]
    if len({node for node, _ in wires}) == len(wires) and len(own) == 1 and len(wires) <= LONGEST:
        factors = [run.local(node, slot) for node, slot in wires]
        if run.target != run.program.output or (run.seed != 1).any():  # it is a factor like the others
            factors.insert(0, run.seed)
        if len(factors) > 1 and all(factor is not None and factor.ndim == 0 for factor in factors):
            return r" \cdot ".join(_grouped(latex_number(factor)) for factor in factors)
    if not 1 < len(own) <= LONGEST:
        return None
    parts = [run.contribution(node, slot) for node, slot in own]
    return " + ".join(_grouped(latex_number(part)) for part in parts) if all(map(fits, parts)) else None


def _grouped(number: str) -> str:
    return rf"\left({number}\right)" if number.startswith("-") else number
