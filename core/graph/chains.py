"""Long chains: runs of operations with one wire in and one out, which a picture may show as one card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.wiring import Wiring, wiring

LONG = 3  # operations; a card for fewer would save no room

Link = tuple[str, tuple[str, ...]]  # an operation, and the leaves that feed nothing else


@dataclass(frozen=True)
class Chain:
    """Operations, each the one operand of the next apart from leaves, with the leaves that feed them alone."""

    links: tuple[Link, ...]

    @cached_property
    def nodes(self) -> tuple[str, ...]:
        """The operations, from the first to the last, whose value is that of the chain."""
        return tuple(name for name, _ in self.links)

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The operations and their leaves."""
        return (*self.nodes, *chain.from_iterable(leaves for _, leaves in self.links))

    @cached_property
    def known(self) -> frozenset[str]:
        """The members, to be looked up."""
        return frozenset(self.members)

    @property
    def last(self) -> str:
        return self.links[-1][0]

    @property
    def results(self) -> tuple[str, ...]:
        """The node whose value comes out."""
        return (self.last,)

    @property
    def key(self) -> tuple[str, ...]:
        """Equal for runs of one graph that leave the same picture."""
        return self.nodes[0], self.last


def chains(document: Document, wired: Wiring | None = None) -> tuple[Chain, ...]:
    """The chains of the graph that are long enough to be folded, as long as they can be, in the order of their first
    nodes. `wired` is the wiring of the document where it is known: then only nodes in chains are read one by one."""
    wired = wired or wiring(document.nodes)
    output = wired.numbers.get(document.output or "", -1)
    passes, before, after, own = _columns(wired, output)
    first = passes & ~(passes[before] & (before >= 0))
    reaches = passes
    for _ in range(LONG - 1):
        reaches = passes & reaches[after]
    starts = np.flatnonzero(first & reaches).tolist()
    return tuple(Chain(tuple(_links(wired, number, after, passes, own))) for number in starts)


def _columns(wired: Wiring, output: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """For each node whether it is an operation with one wire in, apart from those of leaves, and one wire out; the
    operand that is no leaf and the node that it feeds, if they are the only ones; whether it is a leaf that feeds one.
    """
    count, (source, target, _) = len(wired.names), wired.wires.T
    feeds = np.bincount(source, minlength=count)
    by_leaf = wired.leaves[source]
    others = wired.arity - np.bincount(target[by_leaf], minlength=count)  # open slots may have any operand
    before, after = np.full(count, -1), np.full(count, -1)
    before[target[~by_leaf]], after[source] = source[~by_leaf], target
    passes = ~wired.leaves & (feeds == 1) & ((wired.arity == 1) | (others == 1))
    if output >= 0:
        passes[output] = False
    return passes, before, after, wired.leaves & (feeds == 1)


def _links(wired: Wiring, number: int, after: np.ndarray, passes: np.ndarray, own: np.ndarray) -> Iterator[Link]:
    """The links of the chain that begins with a node."""
    while passes[number]:
        name = wired.names[number]
        inputs = wired.nodes[name].inputs
        numbers = [wired.numbers.get(str(source), -1) for source in inputs] if len(inputs) > 1 else []
        yield name, tuple(wired.names[leaf] for leaf in numbers if leaf >= 0 and own[leaf])
        number = after[number]


def folded(whole: Iterable[Chain], kept: Collection[str], opened: Collection[str] = ()) -> tuple[Chain, ...]:
    """The long runs in chains between the nodes that are `kept`; none in a chain with a node that is `opened`."""
    runs = []
    for one in whole:
        if len(one.links) < LONG or not one.known.isdisjoint(opened):
            continue
        if one.known.isdisjoint(kept):  # as most
            runs.append(one)
            continue
        for is_kept, links in groupby(one.links, lambda link: link[0] in kept or any(leaf in kept for leaf in link[1])):
            run = tuple(links)
            if not is_kept and len(run) >= LONG:
                runs.append(one if len(run) == len(one.links) else Chain(run))  # which knows its members
    return tuple(runs)
