"""Graphs whose expressions grow until symbols give up, and what long ones cost that they do not give up at."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

import cadena
from cadena.core.graph.document import Document
from cadena.core.methods.symbolic.answer import symbolic
from tests.benchmarks.cases import OURS, Case
from tests.benchmarks.timing import Action, After
from tests.core.graphs import chain, graph

MAX_SECONDS = 1.0


def neurons(count: int) -> Document:
    """Lesson 12's chain: each neuron is the sigmoid of the one before, with a weight and a bias of its own."""
    nodes: dict[str, Any] = {"a0": 0.5}
    for i in range(count):
        nodes |= {f"w{i}": 0.7, f"b{i}": 0.1, f"m{i}": ("multiply", f"w{i}", f"a{i}")}
        nodes |= {f"z{i}": ("add", f"m{i}", f"b{i}"), f"a{i + 1}": ("sigmoid", f"z{i}")}
    return graph(f"a{count}", **nodes)


def product_of_sums(count: int, terms: int = 3) -> Document:
    """The product of sums of leaves, each of which is in one sum only."""
    nodes: dict[str, Any] = {}
    for i in range(count):
        nodes |= {f"p{i}_{j}": 0.5 + 0.1 * i + j for j in range(terms)}
        nodes[f"s{i}_1"] = ("add", f"p{i}_0", f"p{i}_1")
        nodes |= {f"s{i}_{j}": ("add", f"s{i}_{j - 1}", f"p{i}_{j}") for j in range(2, terms)}
        nodes[f"q{i}"] = ("multiply", f"q{i - 1}", f"s{i}_{terms - 1}") if i else ("positive", f"s0_{terms - 1}")
    return graph(f"q{count - 1}", **nodes)


def powers(count: int) -> Document:
    """x to the power of (x to the power of (x ...))."""
    nodes = {f"x{i + 1}": ("power", "x0", f"x{i}") for i in range(count)}
    return graph(f"x{count}", x0=1.1, **nodes)


def squares(count: int) -> Document:
    """x · x + x of x · x + x and so on: twice as long each time."""
    nodes: dict[str, Any] = {"x0": 0.5}
    for i in range(count):
        nodes |= {f"m{i}": ("multiply", f"x{i}", f"x{i}"), f"x{i + 1}": ("add", f"m{i}", f"x{i}")}
    return graph(f"x{count}", **nodes)


def matmul(size: int) -> Document:
    random = np.random.default_rng(0)
    operands = {name: random.standard_normal((size, size)) for name in "AB"}
    return graph("L", **operands, C=("matmul", "A", "B"), L=("sum", "C"))


def sines(count: int, size: int) -> Document:
    """The sine of the sine of ... `size` numbers."""
    nodes = {f"x{i + 1}": ("sin", f"x{i}") for i in range(count)}
    return graph("L", x0=np.linspace(0.1, 1.0, size), **nodes, L=("sum", f"x{count}"))


# name, graph, where the limit passes (None: it does not)
GROWING: Mapping[str, tuple[Callable[[], Document], str | None]] = {
    "100 sigmoids": (lambda: chain(100, "sigmoid"), "n15"),
    "100 neurons": (lambda: neurons(100), "m12"),
    "100 doublings": (lambda: squares(100), "x8"),
    "a tower of 100 powers": (lambda: powers(100), "x61"),
    "a tower of 55 powers": (lambda: powers(55), None),
    "a product of 60 x 60 matrices": (lambda: matmul(60), "A"),
    "a product of 10 x 10 matrices": (lambda: matmul(10), "L"),
    "58 sines of 100 numbers": (lambda: sines(58, 100), "x21"),
    "a chain of 1e5 minus signs": (lambda: chain(100_000, "negative"), "n2000"),
    "40 exponentials in one another": (lambda: chain(40, "exp"), None),
    "a product of 80 sums of 3, all 240 derivatives": (lambda: product_of_sums(80), None),
    "a product of 200 sums of 3": (lambda: product_of_sums(200), "q100"),
    "a product of 100 numbers, all derivatives": (
        lambda: graph(x=np.linspace(0.5, 1.5, 100), L=("prod", "x")),
        None,
    ),
}


def growing_cases() -> Iterator[Case]:
    for name, (made, place) in GROWING.items():
        told = name if place is None else f"{name}: given up"
        yield Case("symbols of what grows", told, lambda made=made: _symbols(made()), MAX_SECONDS)  # type: ignore[misc]


def _symbols(document: Document) -> dict[str, Action]:
    """What SymPy has kept from the time before does not count."""
    from sympy.core.cache import clear_cache

    run = cadena.compile(document).run()
    return {OURS: After(clear_cache, lambda _: symbolic(run))}
