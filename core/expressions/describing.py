"""The changes that an expression would make, in a few words, shown before Enter is pressed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from cadena.core.graph.document import LEAVES, Node
from cadena.core.text.numbers import shape_text, short
from cadena.core.text.wording import Listing

MAX_LISTED = 6  # of each kind
CONSTANT = "constant"
PLURALS = {"parameter": "parameters", "input": "inputs", "constant": "constants"}


def describe_changes(new: Mapping[str, Node]) -> str:
    """Describe new nodes by kind: "adds 2 add; new parameters w, b; constant 2"."""
    counts = Counter(node.op for node in new.values() if not node.is_leaf)
    operations = [f"{count} {op}" if count > 1 else op for op, count in counts.items()]
    parts = [f"adds {_listed(operations)}"] if operations else []
    for op in LEAVES:
        leaves = [node for node in new.values() if node.op == op]
        if leaves:
            kind = op if len(leaves) == 1 else PLURALS[op]
            shown = map(_value, leaves) if op == CONSTANT else (node.name for node in leaves)
            parts.append(f"{'' if op == CONSTANT else 'new '}{kind} {_listed(shown)}")
    return "; ".join(parts)


def _value(node: Node) -> str:
    return short(node.value) if isinstance(node.value, float) else shape_text(node.value.shape) if node.value else "?"


def _listed(items: Iterable[str]) -> str:
    return Listing(tuple(items), "", MAX_LISTED).worded()
