"""What the panels say about an operation: how it is called, written and differentiated; leaves included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from core.document import LEAVES
from core.expression import ATOM, Symbol, Written, written
from core.ops import CATEGORIES, in_order
from core.primitive import REGISTRY, Primitive, operand_names

LEAVES_CATEGORY = "Leaves"
LEAF_TITLES = {
    "parameter": "A number or array to be learned; its gradient is wanted.",
    "input": "Data; its gradient is computed only when asked for.",
    "constant": "A fixed number or array; it never has a gradient.",
}


@dataclass(frozen=True)
class Operation:
    """One entry of the palette."""

    name: str
    symbol: str
    title: str
    category: str
    doc: str

    @property
    def is_leaf(self) -> bool:
        return self.category == LEAVES_CATEGORY


def catalogue() -> tuple[Operation, ...]:
    """The leaves, then all operations by category, in the order of the core's families."""
    leaves = [Operation(op, op, op, LEAVES_CATEGORY, LEAF_TITLES[op]) for op in LEAVES]
    rest = [
        Operation(record.name, record.symbol, record.title, record.category, record.doc)
        for category in CATEGORIES
        for record in in_order()
        if record.category == category
    ]
    return (*leaves, *rest)


def find(text: str, operations: tuple[Operation, ...]) -> list[Operation]:
    """The operations that `text` may mean, the nearest first: by name or symbol, then title, then help."""
    words = text.casefold().split()
    ranked = [(max(rank(word, operation) for word in words), operation) for operation in operations] if words else []
    return [operation for place, operation in sorted(ranked, key=lambda pair: pair[0]) if place < NOT_AT_ALL]


NOT_AT_ALL = 9
LEAST_IN_HELP = 3  # letters: shorter words would be found in every help text


def rank(word: str, operation: Operation) -> int:
    """How near `word` is to an operation: 0 is its name or symbol, 9 is not at all."""
    name, symbol, title = operation.name.casefold(), operation.symbol.casefold(), operation.title.casefold()
    near = (
        word in (name, symbol),
        name.startswith(word),
        any(part.startswith(word) for part in title.split()),
        word in name or word in symbol,
        word in title,
        len(word) >= LEAST_IN_HELP and any(part.startswith(word) for part in operation.doc.casefold().split()),
    )
    return near.index(True) if True in near else NOT_AT_ALL


def _operands(primitive: Primitive) -> dict[str, Written]:
    """A letter for each operand: x, a and b, or A and B; what only chooses goes by its label, as c for condition."""
    if len(primitive.slots) == 1 and not primitive.variadic:
        return {name: Written("x", ATOM) for name in operand_names(primitive)}
    letters = iter("abc" if primitive.elementwise else "ABC")
    slots = [primitive.slot(index) for index in range(max(len(primitive.slots), 2))]
    names = operand_names(primitive, len(slots))
    written_as = [next(letters) if slot.differentiable else slot.label[0] for slot in slots]
    return {name: Written(letter, ATOM) for name, letter in zip(names, written_as)}


def definition(op: str, latex: bool = True) -> str:
    """The operation as an equation, for example "y = a + b"; "" for a leaf."""
    if op not in REGISTRY:
        return ""
    primitive = REGISTRY[op]
    operands = list(_operands(primitive).values())
    if primitive.variadic:
        operands.append(Written(r"\ldots" if latex else "…", ATOM))
    shown = {attribute.name: "i" if attribute.kind == "index" else "…" for attribute in primitive.attributes}
    return f"y = {primitive.notation.write(operands, latex, shown).text}"


def derivatives(op: str, latex: bool = True) -> list[str]:
    """One equation for each operand that gets a gradient: its local derivative, or how the upstream one comes back."""
    primitive = REGISTRY.get(op)
    if primitive is None:
        return []
    slots = [index for index, slot in enumerate(primitive.slots) if slot.differentiable]
    return [_derivative(primitive, slot, latex) for slot in slots]


def _derivative(primitive: Primitive, slot: int, latex: bool) -> str:
    operands = _operands(primitive)
    operand = list(operands.values())[slot].text
    rule: Any = primitive.slots[slot].shown or primitive.slots[slot].partial
    if primitive.elementwise:
        settings, names = _settings(primitive, latex)
        return f"{_ratio('y', operand, latex)} = {_read(partial(rule, **settings), [], operands, latex, names)}"
    upstream = _ratio("L", "y", latex)
    if isinstance(rule, str):
        shown = rf"\text{{{rule}}}\left({upstream}\right)" if latex else f"{rule}({upstream})"
    else:
        shown = _read(rule, [Symbol("g")], {"g": Written(upstream, ATOM), **operands}, latex)
    return f"{_ratio('L', operand, latex)} = {shown}"


def _settings(primitive: Primitive, latex: bool) -> tuple[dict[str, Any], dict[str, Written]]:
    """Attributes for reading a rule, numbers as symbols by their names, and how these are written."""
    settings = primitive.complete({})
    numbers = [attribute.name for attribute in primitive.attributes if attribute.kind == "number"]
    names = {name: Written(rf"\mathrm{{{name}}}" if latex else name, ATOM) for name in numbers}
    return settings | {name: Symbol(name) for name in numbers}, names


def _ratio(top: str, bottom: str, latex: bool) -> str:
    return rf"\frac{{\partial {top}}}{{\partial {bottom}}}" if latex else f"∂{top}/∂{bottom}"


def _read(
    rule: Callable[..., Any],
    leading: list[Symbol],
    names: dict[str, Written],
    latex: bool,
    settings: dict[str, Written] | None = None,
) -> str:
    """A rule of the operation's record, called on symbols, as it is written."""
    operands = [Symbol(name) for name in names if name != "g"]
    result = rule(*leading, Symbol("y"), *operands)
    names = {"y": Written("y", ATOM), **names, **(settings or {})}
    return written(result if isinstance(result, Symbol) else Symbol(float(result)), names, latex).text
