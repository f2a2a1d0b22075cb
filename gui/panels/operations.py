"""What the panels say about an operation: how it is called, written and differentiated; leaves included."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from core.document import LEAVES
from core.expression import ATOM, Symbol, Written, written
from core.ops import CATEGORIES
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
        for record in REGISTRY.values()
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


def _operands(primitive: Primitive, latex: bool) -> dict[str, Written]:
    letters = "x" if len(primitive.slots) == 1 else "ab" if primitive.elementwise else "AB"
    return dict(zip(operand_names(primitive), (Written(letter, ATOM) for letter in letters), strict=False))


def definition(op: str, latex: bool = True) -> str:
    """The operation as an equation, for example "y = a + b"; "" for a leaf."""
    if op not in REGISTRY:
        return ""
    primitive = REGISTRY[op]
    operands = list(_operands(primitive, latex).values())
    shown = {attribute.name: "i" if attribute.kind == "index" else "…" for attribute in primitive.attributes}
    return f"y = {primitive.notation.write(operands, latex, shown).text}"


def derivatives(op: str, latex: bool = True) -> list[str]:
    """One equation for each operand: its local derivative, or how the upstream gradient is carried back to it."""
    primitive = REGISTRY.get(op)
    if primitive is None:
        return []
    return [_derivative(primitive, slot, latex) for slot in range(len(primitive.slots))]


def _derivative(primitive: Primitive, slot: int, latex: bool) -> str:
    operands = _operands(primitive, latex)
    operand = list(operands.values())[slot].text
    rule: Any = primitive.slots[slot].shown or primitive.slots[slot].partial
    if primitive.elementwise:
        return f"{_ratio('y', operand, latex)} = {_read(rule, [], operands, latex)}"
    upstream = _ratio("L", "y", latex)
    if isinstance(rule, str):
        shown = rf"\mathrm{{{rule}}}\left({upstream}\right)" if latex else f"{rule}({upstream})"
    else:
        shown = _read(rule, [Symbol("g")], {"g": Written(upstream, ATOM), **operands}, latex)
    return f"{_ratio('L', operand, latex)} = {shown}"


def _ratio(top: str, bottom: str, latex: bool) -> str:
    return rf"\frac{{\partial {top}}}{{\partial {bottom}}}" if latex else f"∂{top}/∂{bottom}"


def _read(rule: Callable[..., Any], leading: list[Symbol], names: dict[str, Written], latex: bool) -> str:
    """A rule of the operation's record, called on symbols, as it is written."""
    operands = [Symbol(name) for name in names if name != "g"]
    result = rule(*leading, Symbol("y"), *operands)
    names = {"y": Written("y", ATOM), **names}
    return written(result if isinstance(result, Symbol) else Symbol(float(result)), names, latex).text
