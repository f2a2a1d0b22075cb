"""The wires of a document as columns of node numbers, and those of an edited document from those before the edit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from operator import is_not
from typing import Any

import numpy as np

from cadena.core.graph.document import Node
from cadena.core.graph.edits import slot_count

MOST = 0.1  # part of the nodes: where more differ, all are read anew
Nodes = Mapping[str, Node]


@dataclass(frozen=True, eq=False)
class Wiring:
    """Nodes by number, which is their place in the document, and the wires between them."""

    nodes: Nodes
    names: list[str]
    numbers: dict[str, int]
    wires: np.ndarray  # wires x 3: source, target and slot, in the order of targets and slots
    counts: np.ndarray  # for each node how many slots its card shows, at least 1
    arity: np.ndarray  # for each node how many operands it has in the file, open slots between them included
    leaves: np.ndarray  # for each node whether it is a leaf
    is_loose: bool  # a node reads one that is not there, and would have a wire as soon as that one comes

    def edited(self, nodes: Nodes) -> Wiring:
        """The wiring of other nodes: where few of them differ, these alone are read."""
        if nodes is self.nodes:
            return self
        names = list(nodes)
        is_same = names == self.names
        names = self.names if is_same else names
        before = self.nodes.values() if is_same else map(self.nodes.get, names)
        differing = np.flatnonzero(np.fromiter(map(is_not, nodes.values(), before), bool, len(names)))
        if len(differing) > MOST * len(names) or (self.is_loose and not is_same):
            return wiring(nodes)
        numbers = self.numbers if is_same else _numbered(names)
        places = np.arange(len(names)) if is_same else np.array([numbers.get(name, -1) for name in self.names])
        read = [nodes[names[number]] for number in differing.tolist()]
        added, counts, arity, leaves, is_loose = _read(read, differing.tolist(), numbers)
        wires = np.column_stack([places[self.wires[:, :2]], self.wires[:, 2]])
        wires = wires[(wires[:, 1] >= 0) & ~np.isin(wires[:, 1], differing)]
        if (wires[:, 0] < 0).any():  # that one is gone
            return wiring(nodes)
        pairs = ((self.counts, counts), (self.arity, arity), (self.leaves, leaves))
        counts, arity, leaves = (_replaced(old, new, places, differing, len(names)) for old, new in pairs)
        wires = _in_order(np.vstack([wires, added]))
        return Wiring(nodes, names, numbers, wires, counts, arity, leaves, self.is_loose or is_loose)


def wiring(nodes: Nodes) -> Wiring:
    """The wiring of these nodes, read one by one."""
    names = list(nodes)
    numbers = _numbered(names)
    return Wiring(nodes, names, numbers, *_read(list(nodes.values()), list(range(len(names))), numbers))


def _numbered(names: list[str]) -> dict[str, int]:
    return dict(zip(names, range(len(names)), strict=True))


def _read(nodes: list[Node], targets: list[int], numbers: Mapping[str, int]) -> tuple[Any, Any, Any, Any, bool]:
    """The columns of `Wiring` for nodes of these numbers, from `wires` on."""
    ends = [
        (numbers.get(source, -1), target, slot)
        for target, node in zip(targets, nodes, strict=True)
        for slot, source in enumerate(node.inputs)
        if source is not None
    ]
    wires = np.array(ends, dtype=np.intp).reshape(-1, 3)
    there = wires[:, 0] >= 0
    counts = np.array([max(slot_count(node), 1) for node in nodes], dtype=float)
    arity = np.array([len(node.inputs) for node in nodes], dtype=np.intp)
    leaves = np.array([node.is_leaf for node in nodes], dtype=bool)
    return wires[there], counts, arity, leaves, not there.all()


def _in_order(wires: np.ndarray) -> np.ndarray:
    width = int(wires[:, 2].max(initial=0)) + 1
    ordered: np.ndarray = wires[np.argsort(wires[:, 1] * width + wires[:, 2], kind="stable")]
    return ordered


def _replaced(old: np.ndarray, new: np.ndarray, places: np.ndarray, differing: np.ndarray, count: int) -> np.ndarray:
    """A column of `count` nodes: `old` at the new numbers `places`, and what is `new` for the nodes that differ."""
    column, stays = np.zeros(count, dtype=old.dtype), places >= 0
    column[places[stays]] = old[stays]
    column[differing] = new
    return column
