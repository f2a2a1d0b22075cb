"""The nodes and wires of a document as columns, and those of an edited document from those before the edit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, repeat
from operator import attrgetter, is_, not_
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.graph.columns import picked, table
from cadena.core.graph.document import LEAVES, Node, renewed
from cadena.core.graph.edits import slot_count
from cadena.core.ops.primitive import REGISTRY

MOST = 0.1  # part of the nodes: where more differ, all are read anew
OPEN = -1  # as a source: none
VARIED = -1  # as a number of slots: that of each node
Nodes = Mapping[str, Node]


class NodeColumns(NamedTuple):
    """What is noted of each node."""

    codes: np.ndarray  # its operation, as a place in `Wiring.kinds`
    arity: np.ndarray  # how many operands it has in the file, open slots between them included
    counts: np.ndarray  # how many slots its card shows, at least 1
    plain: np.ndarray  # whether it has no attributes and, as a leaf, a single number
    wanted: np.ndarray  # whether a gradient is wanted for it


@dataclass(frozen=True, eq=False)
class Wiring:
    """Nodes by number, which is their place in the document, and the wires between them."""

    nodes: Nodes
    names: list[str]
    numbers: dict[str, int]
    wires: np.ndarray  # wires x 3, a `table`: source, target and slot, in the order of targets and slots
    kinds: tuple[str, ...]  # the kinds of leaves, the operations that occur, and those that did before edits
    columns: NodeColumns
    is_loose: bool  # a node reads one that is not there, and would have a wire as soon as that one comes

    @property
    def counts(self) -> np.ndarray:
        return self.columns.counts

    @property
    def arity(self) -> np.ndarray:
        return self.columns.arity

    def is_of(self, kind: str) -> np.ndarray:
        """For each node whether it is of one kind: an operation, or a kind of leaves."""
        code = self.kinds.index(kind) if kind in self.kinds else -1
        is_of: np.ndarray = self.columns.codes == code
        return is_of

    @cached_property
    def leaves(self) -> np.ndarray:
        """For each node whether it is a leaf."""
        is_leaf: np.ndarray = self.columns.codes < len(LEAVES)
        return is_leaf

    @cached_property
    def entries(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the wires into each node begin in `wires`, and how many they are."""
        counts = np.bincount(self.wires[:, 1], minlength=len(self.names))
        return np.cumsum(counts) - counts, counts

    def uses(self, name: str) -> int:
        """How many slots a node feeds."""
        return int(np.count_nonzero(self.wires[:, 0] == self.numbers[name]))

    def edited(self, nodes: Nodes) -> Wiring:
        """The wiring of other nodes: where few of them differ, these alone are read."""
        if nodes is self.nodes:
            return self
        names = list(nodes)
        is_same = names == self.names
        names, numbers = (self.names, self.numbers) if is_same else (names, _numbered(names))
        differing = np.fromiter(map(numbers.__getitem__, renewed(self.nodes, nodes)), np.intp)
        if len(differing) > MOST * len(names) or (self.is_loose and not is_same):
            return wiring(nodes)
        if is_same and (wires := self._rewired(nodes, differing.tolist())) is not None:
            return replace(self, nodes=nodes, wires=wires)
        places = None if is_same else np.array([numbers.get(name, -1) for name in self.names])
        read = [nodes[names[number]] for number in differing.tolist()]
        kinds, added, columns, is_loose = _read(read, differing, numbers, self.kinds)
        source, target, slot = self.wires.T
        wires = self.wires if places is None else table(places[source], places[target], slot)
        is_new = np.zeros(len(names) + 1, dtype=bool)  # the last stands for nodes that are gone
        is_new[differing] = is_new[-1] = True
        is_old = is_new[wires[:, 1]]
        replaced = _in_the_same_slots(wires, is_old, added) if is_same else None
        wires = _merged(picked(wires, np.flatnonzero(~is_old)), added) if replaced is None else replaced
        if (wires[:, 0] < 0).any():  # that one is gone
            return wiring(nodes)
        pairs = zip(self.columns, columns, strict=True)
        known = NodeColumns(*(_replaced(old, new, places, differing, len(names)) for old, new in pairs))
        return Wiring(nodes, names, numbers, wires, kinds, known, self.is_loose or is_loose)

    def _rewired(self, nodes: Nodes, differing: list[int]) -> np.ndarray | None:
        """The wires where the `differing` nodes have other operands and nothing else, as mostly: only the sources of
        wires can be others then. Else None."""
        (firsts, _), wires = self.entries, self.wires.copy("K")
        for number in differing:
            old, new = (some[self.names[number]] for some in (self.nodes, nodes))
            sources = [OPEN if name is None else self.numbers.get(name, OPEN) for name in (*old.inputs, *new.inputs)]
            if OPEN in sources or len(old.inputs) != len(new.inputs) or with_fields(old, inputs=new.inputs) != new:
                return None
            first = int(firsts[number])
            wires[first : first + len(new.inputs), 0] = sources[len(old.inputs) :]
        return wires


def wiring(nodes: Nodes) -> Wiring:
    """The wiring of these nodes, all read."""
    names = list(nodes)
    numbers = _numbered(names)
    kinds, wires, columns, is_loose = _read(list(nodes.values()), np.arange(len(names)), numbers, LEAVES)
    return Wiring(nodes, names, numbers, wires, kinds, columns, is_loose)


def _numbered(names: list[str]) -> dict[str, int]:
    return dict(zip(names, range(len(names)), strict=True))


def _read(
    nodes: list[Node], targets: np.ndarray, numbers: Mapping[str, int], known: Sequence[str]
) -> tuple[tuple[str, ...], np.ndarray, NodeColumns, bool]:
    """Kinds, wires and columns of nodes of these numbers, and whether one reads a node that is not there.

    `known` are the kinds so far. Nothing is done in Python for each of a hundred thousand nodes.
    """
    count, ops, inputs = len(nodes), [node.op for node in nodes], [node.inputs for node in nodes]
    kinds = (*known, *sorted(set(ops).difference(known)))
    code_of = {kind: code for code, kind in enumerate(kinds)}
    codes = np.fromiter(map(code_of.__getitem__, ops), np.intp, count)
    arity = np.fromiter(map(len, inputs), np.intp, count)
    operands = list(chain.from_iterable(inputs))
    sources = np.fromiter(map(numbers.get, operands, repeat(OPEN)), np.intp, len(operands))  # type: ignore[arg-type]
    slots = np.arange(len(operands)) - np.repeat(np.cumsum(arity) - arity, arity)
    there = sources != OPEN
    is_loose = any(operands[place] is not None for place in np.flatnonzero(~there).tolist())
    wires = table(sources, np.repeat(targets, arity), slots)
    return kinds, picked(wires, np.flatnonzero(there)), _columns(nodes, codes, arity, kinds), is_loose


def _columns(nodes: list[Node], codes: np.ndarray, arity: np.ndarray, kinds: tuple[str, ...]) -> NodeColumns:
    count, fixed = len(nodes), np.array([_fixed_slots(kind) for kind in kinds])
    counts = fixed[codes].astype(float)
    for place in np.flatnonzero(counts == VARIED).tolist():
        counts[place] = slot_count(nodes[place])
    bare = np.fromiter(map(not_, map(attrgetter("attributes"), nodes)), bool, count)
    numbers = np.fromiter(map(is_, map(type, map(attrgetter("value"), nodes)), repeat(float)), bool, count)
    asked = np.fromiter(map(attrgetter("gradient"), nodes), bool, count)
    wanted = (codes == LEAVES.index("parameter")) | (asked & (codes == LEAVES.index("input")))
    return NodeColumns(codes, arity, np.maximum(counts, 1.0), bare & (numbers | (codes >= len(LEAVES))), wanted)


def _fixed_slots(kind: str) -> int:
    """The number of slots that each node of a kind has; VARIED where it is not the same for all."""
    if kind in LEAVES:
        return 0
    return len(REGISTRY[kind].slots) if kind in REGISTRY and not REGISTRY[kind].variadic else VARIED


def _in_the_same_slots(wires: np.ndarray, is_old: np.ndarray, added: np.ndarray) -> np.ndarray | None:
    """The wires with those `added` in the place of old ones, if they end in the very same slots, as they mostly do."""
    rows = np.flatnonzero(is_old)
    if not np.array_equal(wires[rows, 1:], added[:, 1:]):
        return None
    wires = wires.copy("K")
    wires[rows] = added
    return wires


def _merged(wires: np.ndarray, added: np.ndarray) -> np.ndarray:
    """Both in the order of targets and slots; `wires` are in order, unless nodes have changed places."""
    width = int(max(wires[:, 2].max(initial=0), added[:, 2].max(initial=0))) + 1
    keys, new = (part[:, 1] * width + part[:, 2] for part in (wires, added))
    if (keys[1:] < keys[:-1]).any():
        order = np.argsort(keys, kind="stable")
        wires, keys = picked(wires, order), keys[order]
    places = np.searchsorted(keys, new)
    return table(*(np.insert(old, places, more) for old, more in zip(wires.T, added.T, strict=True)))


def _replaced(
    old: np.ndarray, new: np.ndarray, places: np.ndarray | None, differing: np.ndarray, count: int
) -> np.ndarray:
    """A column of `count` nodes: `old` at the new numbers `places` (None: as before), `new` for those that differ."""
    if places is None:
        column = old.copy()
    else:
        column, stays = np.zeros(count, dtype=old.dtype), places >= 0
        column[places[stays]] = old[stays]
    column[differing] = new
    return column
