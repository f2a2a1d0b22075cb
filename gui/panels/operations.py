"""What the panels say about an operation: how it is called and found; leaves included."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from cadena.core.graph.document import LEAVES, Function
from cadena.core.ops.primitive import REGISTRY

LEAVES_CATEGORY, FUNCTIONS_CATEGORY = "Leaves", "Functions"
NO_FUNCTIONS: Mapping[str, Function] = {}
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

    @property
    def is_function(self) -> bool:
        return self.category == FUNCTIONS_CATEGORY


def catalogue(functions: Mapping[str, Function] = NO_FUNCTIONS) -> tuple[Operation, ...]:
    """The leaves, the document's own functions, then all operations by category, in the core's order."""
    leaves = [Operation(op, op, op, LEAVES_CATEGORY, LEAF_TITLES[op]) for op in LEAVES]
    rest = [
        Operation(record.name, record.symbol, record.title, record.category, record.doc)
        for category in REGISTRY.categories
        for record in REGISTRY.values()
        if record.category == category
    ]
    return (*leaves, *(_of_function(name, function) for name, function in functions.items()), *rest)


def _of_function(name: str, function: Function) -> Operation:
    operands = ", ".join(function.inputs)
    doc = function.doc or f"A function of this graph. It takes {operands} and gives {function.output}."
    return Operation(name, f"ƒ {name}", f"{name}({operands})", FUNCTIONS_CATEGORY, doc)


def find(text: str, operations: tuple[Operation, ...]) -> list[Operation]:
    """The operations that `text` may mean, the nearest first: by name or symbol, then title, then help."""
    words = text.casefold().split()
    ranked = [(max(rank(word, operation) for word in words), operation) for operation in operations] if words else []
    return [operation for place, operation in sorted(ranked, key=lambda pair: pair[0]) if place < NOT_AT_ALL]


NOT_AT_ALL = 9
MIN_IN_HELP = 3  # letters: shorter words would be found in every help text


def rank(word: str, operation: Operation) -> int:
    """How near `word` is to an operation: 0 is its name or symbol, 9 is not at all."""
    name, symbol, title = operation.name.casefold(), operation.symbol.casefold(), operation.title.casefold()
    near = (
        word in (name, symbol),
        name.startswith(word),
        any(part.startswith(word) for part in title.split()),
        word in name or word in symbol,
        word in title,
        len(word) >= MIN_IN_HELP and any(part.startswith(word) for part in operation.doc.casefold().split()),
    )
    return near.index(True) if True in near else NOT_AT_ALL
