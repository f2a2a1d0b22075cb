"""What is timed: each case is a name, what it is to beat, and the ways to do it."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import networkx
import numpy as np

import cadena
from cadena.core.graph.document import Document
from cadena.core.graph.order import order
from cadena.core.graph.shape import networkx_view
from cadena.core.layout.arrange import arrange
from cadena.core.layout.columns import crossings
from cadena.core.run.passes.tangent import tangents
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.teaching.lessons import lessons, open_lesson
from tests.benchmarks.graphs import elementwise, layered, matmuls, micrograd_demo
from tests.benchmarks.memory import document_bytes_per_node, program_and_run_bytes_per_node
from tests.benchmarks.oracle import torch_pass
from tests.benchmarks.timing import Action
from tests.core.graphs import chain, mlp, wide

OURS, TORCH = "Cadena", "PyTorch, 1 thread"


@dataclass(frozen=True)
class Case:
    """One line of the table. `actions` prepares what is timed and returns it by column.

    `target` is in seconds; `times` is how many times as fast as the peer it is to be.
    """

    group: str
    name: str
    actions: Callable[[], dict[str, Action]]
    target: float | None = None
    times: float | None = None
    peer: str = TORCH


def _passes(document: Document) -> dict[str, Action]:
    """Forward and backward of a graph that is already compiled; beside it PyTorch, where it is installed."""
    program, torch = cadena.compile(document), torch_pass(document)
    return {OURS: lambda: program.run().gradients} | ({TORCH: torch} if torch else {})


def _one(action: Action) -> dict[str, Action]:
    return {OURS: action}


NUMBERS: dict[str, tuple[Callable[[], Document], float | None, float | None]] = {
    "lesson 1, 16 nodes": (lambda: open_lesson("1"), 60e-6, 5),
    "wide, 1e3 nodes": (lambda: wide(1_000), None, 30),
    "chain of 1e3": (lambda: chain(1_000), None, 30),
    "wide, 1e4 nodes": (lambda: wide(10_000, leaves=500), 15e-3, None),
    "chain of 1e4": (lambda: chain(10_000), 15e-3, 40),
    "1e5 nodes in 41 levels (+ - x relu tanh)": (layered, None, 500),
    "micrograd's MLP demo, 65,715 nodes": (micrograd_demo, None, 200),
}
TENSORS: dict[str, tuple[Callable[[], Document], float]] = {
    "MLP 784-128-64-10, batch 64, float64": (mlp, 1),
    "MLP 784-128-64-10, batch 64, float32": (lambda: mlp(dtype="float32"), 1),
    "20 elementwise operations on 1e6 numbers": (elementwise, 1 / 1.4),
    "10 products of matrices of 512 x 512": (matmuls, 1 / 1.25),
}


def cases() -> Iterator[Case]:
    """All cases, in the order of the table."""
    for name, (made, target, times) in NUMBERS.items():
        yield Case("run and all gradients of numbers", name, lambda made=made: _passes(made()), target, times)  # type: ignore[misc]
    for name, (made, times) in TENSORS.items():
        yield Case("run and all gradients of arrays", name, lambda made=made: _passes(made()), None, times)  # type: ignore[misc]
    lesson, large, tensors = open_lesson("1"), wide(10_000, leaves=500), mlp()
    yield Case("compile", "lesson 1, 16 nodes", lambda: _one(lambda: cadena.compile(lesson)))
    yield Case("compile", "1e5 numbers, loaded from a file", lambda: _one(_compile_loaded()), 0.2)
    yield Case("compile", "the same, and its first run", lambda: _one(_compile_loaded(first_run=True)))
    yield Case("compile", "order of a chain of 1e5, last node first", lambda: _one(_order_backwards()))
    yield from _chain_cases()
    yield from _forward_mode()
    yield from _file_cases(large, tensors)
    yield from _layout_cases()


def _compile_loaded(first_run: bool = False) -> Action:
    document = decode(encode(wide(100_000, leaves=2_500)))
    return lambda: cadena.compile(document).run().gradients if first_run else cadena.compile(document)


def _chain_cases() -> Iterator[Case]:
    """Ten times as long is to take ten times as much time."""
    for power in (5, 6):
        document = chain(10**power)
        yield Case("long chains: compile, run, gradients", f"1e{power} nodes", lambda d=document: _one(_all_of(d)))  # type: ignore[misc]


def _all_of(document: Document) -> Action:
    return lambda: cadena.compile(document).run().gradients


def _forward_mode() -> Iterator[Case]:
    """The tangents of one direction, the values being there, beside a forward pass."""
    yield Case(
        "forward mode, a direction", "MLP 784-128-64-10, batch 64", lambda: _tangents(mlp()), None, 1 / 2.5,
        "forward pass",
    )  # fmt: skip


def _tangents(document: Document) -> dict[str, Action]:
    program = cadena.compile(document)
    run, leaf = program.run(), next(name for name, node in document.nodes.items() if node.wants_gradient)
    direction = np.ones(np.shape(run.value(leaf)))
    return {OURS: lambda: tangents(run, {leaf: direction}), "forward pass": program.run}


def _order_backwards() -> Action:
    document = Document(dict(reversed(chain(100_000).nodes.items())))
    return lambda: order(document)


def _file_cases(large: Document, tensors: Document) -> Iterator[Case]:
    folder = Path(tempfile.mkdtemp(prefix="cadena-bench-"))
    sizes = {"1e4 numbers": large, "1e5 numbers": wide(100_000, leaves=2_500), "MLP, 110,000 weights": tensors}
    for number, (name, document) in enumerate(sizes.items()):
        path = folder / f"{number}.cadena"
        placed = replace(document, layout={name: (float(i), 0.0) for i, name in enumerate(document.nodes)})
        cadena.save(placed, path)
        target = 0.5 if name == "1e5 numbers" else None
        yield Case("file", f"load {name}", lambda path=path: _one(lambda: cadena.load(path)), target)  # type: ignore[misc]
        yield Case("file", f"save {name}", lambda d=placed, path=path: _one(lambda: cadena.save(d, path)))  # type: ignore[misc]
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


# --- memory


def bytes_per_node(count: int = 1_000_000) -> Iterator[tuple[str, float, float]]:
    """What is measured, the bytes a node of a wide graph of `count` numbers, and the most that they may be."""
    yield "document, with the places of its nodes", document_bytes_per_node(count, placed=True), 700
    yield "program and run with all gradients", program_and_run_bytes_per_node(count), 250
