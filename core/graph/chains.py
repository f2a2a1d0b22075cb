"""Long chains: runs of operations with one wire in and one out, which a picture may show as one card."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby

from cadena.core.graph.document import Document

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

    @property
    def last(self) -> str:
        return self.links[-1][0]


def chains(document: Document) -> tuple[Chain, ...]:
    """All chains of the graph, as long as they can be, in the order of their first nodes. Linear time."""
    passing = {name for name in document.nodes if _passes(document, name)}
    first = (name for name in document.nodes if name in passing and _before(document, name) not in passing)
    return tuple(Chain(tuple(_links(document, name, passing))) for name in first)


def _passes(document: Document, name: str) -> bool:
    """Whether a node is an operation with one wire in, apart from those of leaves, and one wire out."""
    node = document.nodes[name]
    if node.is_leaf or len(document.consumers[name]) != 1 or name == document.output:
        return False
    return len(node.inputs) == 1 or sum(not _is_leaf(document, source) for source in node.inputs) == 1


def _is_leaf(document: Document, name: str | None) -> bool:
    return name in document.nodes and document.nodes[str(name)].is_leaf


def _before(document: Document, name: str) -> str | None:
    """The operand of a node in a chain that is no leaf, if there is one."""
    return next((source for source in document.nodes[name].inputs if not _is_leaf(document, source)), None)


def _links(document: Document, first: str, passing: Collection[str]) -> Iterator[Link]:
    """The links of the chain that begins with a node."""
    name = first
    while name in passing:
        inputs = document.nodes[name].inputs
        leaves = [str(source) for source in inputs if _is_leaf(document, source)] if len(inputs) > 1 else []
        yield name, tuple(leaf for leaf in leaves if len(document.consumers[leaf]) == 1)
        name = document.consumers[name][0][0]


def folded(whole: Iterable[Chain], kept: Collection[str], opened: Collection[str] = ()) -> tuple[Chain, ...]:
    """The long runs in chains between the nodes that are `kept`; none in a chain with a node that is `opened`."""
    runs = []
    for one in whole:
        if len(one.links) < LONG or any(name in opened for name in one.members):
            continue
        for is_kept, links in groupby(one.links, lambda link: link[0] in kept or any(leaf in kept for leaf in link[1])):
            run = tuple(links)
            if not is_kept and len(run) >= LONG:
                runs.append(Chain(run))
    return tuple(runs)
