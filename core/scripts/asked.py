"""Gradients that a script asked for and that are None: their leaves stand in the graph, with the reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from cadena.core.graph.unconnected import UNCONNECTED, Reason, Unconnected
from cadena.core.scripts.tape import ScriptPlace, line_at

if TYPE_CHECKING:
    from cadena.core.scripts.graph import Drawing


class Asked(NamedTuple):
    """A tensor whose gradient is None after so many backward passes."""

    passes: int
    reason: Reason
    name: str  # of its variable
    numbers: Any
    place: ScriptPlace  # where the variable got it
    numbered: tuple[int, ...] = ()  # its places on the tape


ASKED: list[Asked] = []


def add_asked(drawing: Drawing, chosen: int, lines: dict[str, int]) -> None:
    """Note the reasons at the leaves of a drawing, and add the leaves that are not in it, after pass `chosen`."""
    seen = set[tuple[str, ScriptPlace]]()
    drawn = {drawing.names[number] for number in drawing.names}
    for item in ASKED:
        if item.passes != chosen + 1 or (item.name, item.place) in seen:
            continue
        seen.add((item.name, item.place))
        own = next((drawing.names[number] for number in item.numbered if number in drawing.names), "")
        if item.reason is Reason.UNUSED and own:
            continue  # it has a gradient; the script read it after it was set to None
        known = own or (item.name if item.reason is not Reason.UNUSED and item.name in drawing.nodes else "")
        line = line_at(item.place)
        if known:
            node = drawing.nodes[known]
        else:
            known = drawing.free.fresh(item.name)
            kind = "parameter" if item.reason is Reason.UNUSED else "input"
            node = drawing.leaf(known, kind, item.numbers)
            if line:
                lines[known] = line
        is_replaced = item.reason is Reason.UNUSED and item.name in drawn
        note = Unconnected(Reason.REPLACED if is_replaced else item.reason, line if is_replaced else 0)
        drawing.nodes[known] = msgspec.structs.replace(node, extra={UNCONNECTED: msgspec.to_builtins(note)})
