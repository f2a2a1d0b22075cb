"""What a capture notes in `extra` of a leaf: why its value is only recorded, or what was kept of a large one."""

from __future__ import annotations

from typing import Any

from cadena.core.graph.document import Node
from cadena.core.graph.fault import Fault, Kind
from cadena.core.text.wording import Listing, Remedy

RECORDED, SUMMARY = "recorded", "summary"
# Reasons for which the framework's own gradient ends there too.
DETACHED, GRADIENTS_OFF = "detached", "it was computed where gradients are off"
STATISTICS = ("mean", "std", "min", "max")


def lost_gradient(node: Node) -> str:
    """Why a gradient that the framework has ends at a recorded value; "" where none does."""
    reason = node.extra.get(RECORDED)
    if not isinstance(reason, str) or reason == DETACHED or reason.endswith(GRADIENTS_OFF):
        return ""
    return reason.partition(": ")[2] or reason


def without_value(node: Node) -> Fault:
    """The fault of a leaf that has no value; of one that a capture found too large it says what was kept."""
    kept = node.extra.get(SUMMARY)
    if not (isinstance(kept, dict) and {"shape", "sample", *STATISTICS} <= kept.keys()):
        return Fault(node.name, Kind.NO_VALUE, "{node} has no value", Remedy.GIVE_VALUE, names_node=True)
    what = (
        "only a summary was kept of its {shape} elements: mean {mean}, standard deviation {std}, "
        "from {min} to {max}, beginning with {sample}"
    )
    operands: dict[str, Any] = {name: kept[name] for name in STATISTICS}
    operands["shape"] = " × ".join(map(str, kept["shape"])) if isinstance(kept["shape"], list) else kept["shape"]
    operands["sample"] = Listing(tuple(kept["sample"][:4])) if isinstance(kept["sample"], list) else kept["sample"]
    return Fault(node.name, Kind.NO_VALUE, what, "capture it with a larger limit", operands)
