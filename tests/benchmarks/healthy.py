"""Graphs of ten thousand nodes, of many kinds, in which nothing is wrong: what the diagnosis must not slow down."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from msgspec.structs import replace as with_fields

from cadena.core.graph.document import Document, Function, Node, as_value
from tests.benchmarks.graphs import Scalars, in_float32
from tests.core.graphs import wide

NODES = 10_000


def products(count: int = NODES, seed: int = 0) -> Document:
    """A number multiplied by one parameter after the other, all close to 1: a chain, half of it leaves."""
    random, s = np.random.default_rng(seed), Scalars()
    last = s.leaf("parameter", 1.0)
    for factor in np.exp(random.uniform(-1e-3, 1e-3, count // 2)):
        last = s("multiply", last, s.leaf("parameter", factor))
    return Document(s.nodes, output=last)


def network(count: int = NODES, width: int = 18, zeros: bool = False, seed: int = 0) -> Document:
    """Layers of tanh of weighed sums of the layer before, in numbers; with `zeros` half of the inputs are 0."""
    random, s = np.random.default_rng(seed), Scalars()
    layer = [s.leaf("input", 0.0 if zeros and place % 2 else x) for place, x in enumerate(random.normal(size=width))]
    while len(s.nodes) < count:
        units = []
        for _ in range(width):
            weights = [s.leaf("parameter", x) for x in random.normal(size=width) / width**0.5]
            units.append(s("tanh", s.total([s("multiply", *pair) for pair in zip(weights, layer, strict=True)])))
        layer = units
    return Document(s.nodes, output=s.total(layer))


def largest_of(count: int = NODES, seed: int = 1) -> Document:
    """The wide graph with maxima and minima for half of its products and differences: half of their slopes are 0."""
    random, document = np.random.default_rng(seed), wide(count, leaves=count // 20)
    nodes = {
        name: with_fields(node, op=str(random.choice(["maximum", "minimum"])))
        if node.op in ("multiply", "subtract") and random.random() < 0.5
        else node
        for name, node in document.nodes.items()
    }
    return replace(document, nodes=nodes)


def arrays(count: int = NODES, shape: tuple[int, ...] = (3, 4), large: tuple[int, ...] = (), seed: int = 0) -> Document:
    """The wide graph on arrays of `shape`, a few leaves of them on arrays of the shape `large`, and its mean."""
    random, document = np.random.default_rng(seed), wide(count - 1, leaves=count // 10)
    nodes = {}
    for place, (name, node) in enumerate(document.nodes.items()):
        value = random.uniform(0.5, 1.5, large if large and place % 250 == 0 else shape)
        nodes[name] = with_fields(node, value=as_value(value)) if node.is_leaf else node
    nodes["L"] = Node("L", "mean", (str(document.output),))
    return replace(document, nodes=nodes, output="L")


def calls(count: int = NODES, seed: int = 0) -> Document:
    """The wide graph with the sine and the tanh of a sum as functions of the document, called at every fourth node."""
    document = wide(count, leaves=count // 20, seed=seed)
    functions = {
        op: Function(("a", "b"), {"s": Node("s", "add", ("a", "b")), "y": Node("y", inner, ("s",))}, "y")
        for op, inner in (("sin_of_sum", "sin"), ("tanh_of_sum", "tanh"))
    }
    called = {"multiply": "sin_of_sum", "subtract": "tanh_of_sum"}
    nodes = {
        name: with_fields(node, op=called.get(node.op, node.op)) if place % 2 else node
        for place, (name, node) in enumerate(document.nodes.items())
    }
    return replace(document, nodes=nodes, functions=functions)


OF_NUMBERS: Mapping[str, Callable[[], Document]] = {
    "a chain of products": products,
    "wide": lambda: wide(NODES, leaves=NODES // 20),
    "a network of tanh": network,
    "the same, half of its inputs 0": lambda: network(zeros=True),
    "wide, with maxima": largest_of,
}
OF_ARRAYS: Mapping[str, Callable[[], Document]] = {
    "arrays of (3, 4)": arrays,
    "numbers and arrays of 10,000": lambda: arrays(shape=(), large=(10_000,)),
    "calls of functions": calls,
}
HEALTHY: Mapping[str, Callable[[], Document]] = OF_NUMBERS | OF_ARRAYS


def healthy() -> Mapping[str, Callable[[], Document]]:
    """Each of them in both number types."""
    return {
        f"{name}, {dtype}": (lambda made=made, dtype=dtype: in_float32(made()) if dtype == "float32" else made())  # type: ignore[misc]
        for name, made in HEALTHY.items()
        for dtype in ("float64", "float32")
    }
