"""The general form of an operation and its derivatives, with letters for its operands: y = a · b, ∂y/∂a = b."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from cadena.core.ops.expression import Symbol, Written, written
from cadena.core.ops.primitive import REGISTRY, Primitive, operand_names


def letters(primitive: Primitive) -> dict[str, str]:
    """A letter for each operand: x, a and b, or A and B; a slot that only selects has its label, as c for condition."""
    if len(primitive.slots) == 1 and not primitive.variadic:
        return dict.fromkeys(operand_names(primitive), "x")
    free = iter("abc" if primitive.elementwise else "ABC")
    slots = [primitive.slot(index) for index in range(max(len(primitive.slots), 2))]
    chosen = [next(free) if slot.differentiable else slot.label[0] for slot in slots]
    return dict(zip(operand_names(primitive, len(slots)), chosen))


def definition(op: str, latex: bool = True) -> str:
    """The operation as an equation, for example "y = a + b"; "" for a leaf."""
    if op not in REGISTRY:
        return ""
    primitive = REGISTRY[op]
    operands = [Written(letter) for letter in letters(primitive).values()]
    if primitive.variadic:
        operands.append(Written(r"\ldots" if latex else "…"))
    shown = {attribute.name: "i" if attribute.kind == "index" else "…" for attribute in primitive.attributes}
    return f"y = {primitive.notation.write(operands, latex, shown).text}"


def derivatives(op: str, latex: bool = True) -> list[str]:
    """One equation for each operand of `op` that gets a gradient; see `derivative`."""
    primitive = REGISTRY.get(op)
    if primitive is None:
        return []
    return [derivative(primitive, slot, latex) for slot, rule in enumerate(primitive.slots) if rule.differentiable]


def derivative(primitive: Primitive, slot: int, latex: bool = True) -> str:
    """The local derivative for one slot as an equation, or its gradient rule where it has none."""
    operand = list(letters(primitive).values())[slot]
    own = primitive.slots[slot]
    rule: Any = own.shown or own.partial
    if primitive.elementwise:
        return f"{_ratio('y', operand, latex)} = {_local(primitive, rule, latex)}"
    upstream = _ratio("L", "y", latex)
    if isinstance(rule, str):
        shown = rf"\text{{{rule}}}\left({upstream}\right)" if latex else f"{rule}({upstream})"
    else:
        shown = _read(rule, ["g", "y"], _names(primitive) | {"g": Written(upstream)}, latex, len(primitive.slots))
    return f"{_ratio('L', operand, latex)} = {shown}"


def _ratio(top: str, bottom: str, latex: bool) -> str:
    return rf"\frac{{\partial {top}}}{{\partial {bottom}}}" if latex else f"∂{top}/∂{bottom}"


def _names(primitive: Primitive) -> dict[str, Written]:
    return {name: Written(letter) for name, letter in letters(primitive).items()}


def _local(primitive: Primitive, rule: Callable[..., Any], latex: bool) -> str:
    """A partial with the attributes that are numbers as symbols by their names, the others at their defaults."""
    numbers = [attribute.name for attribute in primitive.attributes if attribute.kind == "number"]
    settings = primitive.complete({}) | {name: Symbol(name) for name in numbers}
    written_as = {name: Written(rf"\mathrm{{{name}}}" if latex else name) for name in numbers}
    return _read(partial(rule, **settings), ["y"], _names(primitive) | written_as, latex, len(primitive.slots))


def _read(rule: Callable[..., Any], leading: list[str], names: dict[str, Written], latex: bool, count: int) -> str:
    """A rule called on symbols, in its printed form."""
    result = rule(*map(Symbol, leading), *(Symbol(f"x{index}") for index in range(count)))
    return written(result if isinstance(result, Symbol) else Symbol(float(result)), names, latex).text
