"""What is timed: each case is a name, what it is to beat, and the ways to do it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import networkx
import numpy as np

import core
from core import Document
from core.columns import crossings
from core.graph import networkx_view, order
from core.layout import arrange
from core.lessons import lessons, open_lesson
from tests.benchmarks.oracle import torch_pass
from tests.benchmarks.timing import Action
from tests.core.graphs import chain, mlp, wide

OURS, TORCH = "Cadena", "PyTorch, 1 thread"


@dataclass(frozen=True)
class Case:
    """One line of the table. `actions` prepares what is timed and returns it by column; `target` is in seconds."""

    group: str
    name: str
    actions: Callable[[], dict[str, Action]]
    target: float | None = None


def _passes(document: Document) -> dict[str, Action]:
    """Forward and backward of a graph that is already compiled; beside it PyTorch, unless that takes seconds."""
    program = core.compile(document)
    torch = torch_pass(document) if len(document.nodes) <= 20_000 else None
    return {OURS: lambda: program.run().gradients} | ({TORCH: torch} if torch else {})


def _one(action: Action) -> dict[str, Action]:
    return {OURS: action}


def cases() -> Iterator[Case]:
    """All cases, in the order of the table."""
    graphs: dict[str, tuple[Callable[[], Document], float | None]] = {
        "lesson 1, 16 nodes": (lambda: open_lesson("1"), 60e-6),
        "numbers, wide, 1e3 nodes": (lambda: wide(1_000), None),
        "numbers, chain of 1e3": (lambda: chain(1_000), None),
        "numbers, wide, 1e4 nodes": (lambda: wide(10_000, leaves=500), 15e-3),
        "numbers, chain of 1e4": (lambda: chain(10_000), 15e-3),
        "numbers, wide, 1e5 nodes": (lambda: wide(100_000, leaves=2_500), None),
        "MLP 784-128-64-10, batch 64, float64": (mlp, None),
        "MLP 784-128-64-10, batch 64, float32": (lambda: mlp(dtype="float32"), None),
    }
    for name, (made, target) in graphs.items():
        yield Case("forward and backward", name, lambda made=made: _passes(made()), target)  # type: ignore[misc]
    lesson, large, tensors = open_lesson("1"), wide(10_000, leaves=500), mlp()
    yield Case("compile", "lesson 1, 16 nodes", lambda: _one(lambda: core.compile(lesson)))
    yield Case("compile", "numbers, wide, 1e4 nodes", lambda: _one(lambda: core.compile(large).run()))
    yield Case("compile", "order of a chain of 1e5, last node first", lambda: _one(_order_backwards()))
    yield from _file_cases(large, tensors)
    yield from _layout_cases()


def _order_backwards() -> Action:
    document = Document(dict(reversed(chain(100_000).nodes.items())))
    return lambda: order(document)


def _file_cases(large: Document, tensors: Document) -> Iterator[Case]:
    folder = Path(tempfile.mkdtemp(prefix="cadena-bench-"))
    paths = {"1e4 numbers": (large, folder / "large.cadena"), "MLP, 110,000 weights": (tensors, folder / "mlp.cadena")}
    for name, (document, path) in paths.items():
        placed = replace(document, layout={name: (float(i), 0.0) for i, name in enumerate(document.nodes)})
        core.save(placed, path)
        yield Case("file", f"load {name}", lambda path=path: _one(lambda: core.load(path)))  # type: ignore[misc]
        yield Case("file", f"save {name}", lambda d=placed, path=path: _one(lambda: core.save(d, path)))  # type: ignore[misc]
    yield Case("file", "list the lessons", lambda: _one(lessons))
    yield Case("file", "open lesson 1", lambda: _one(lambda: open_lesson("1")))


def _layout_cases() -> Iterator[Case]:
    for count, target in ((100, None), (1_000, 0.1), (10_000, 2.0)):
        document = wide(count, leaves=count // 8)
        yield Case("layout", f"{count} nodes", lambda d=document: _one(lambda: arrange(d)), target)  # type: ignore[misc]
    lesson = open_lesson("1")
    yield Case("layout", "lesson 1, 16 nodes", lambda: _one(lambda: arrange(lesson)))


# --- crossings: a count, not a time


def crossing_counts() -> Iterator[tuple[str, int, int]]:
    """For random graphs how many wires cross in Cadena's layout and in networkx' multipartite layout."""
    for count in (100, 1_000):
        document = wide(count, leaves=count // 8)
        view = networkx.DiGraph(networkx_view(document))
        for layer, names in enumerate(networkx.topological_generations(view)):
            for name in names:
                view.nodes[name]["subset"] = layer
        plain = networkx.multipartite_layout(view, subset_key="subset")
        yield f"{count} nodes", _crossed(view, arrange(document).layout), _crossed(view, plain)


def _crossed(view: networkx.DiGraph, places: dict[str, tuple[float, float]]) -> int:
    return crossings(*np.array([(*places[source], *places[target]) for source, target in view.edges]).T)
