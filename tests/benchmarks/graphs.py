"""Graphs that only the benchmarks need: large ones of numbers, and of arrays."""

from __future__ import annotations

from dataclasses import replace
from itertools import count

import numpy as np

from cadena.core.graph.document import Document, Node
from cadena.core.ops.primitive import REGISTRY
from tests.core.graphs import graph

OPERATIONS = ("add", "multiply", "subtract", "relu", "tanh")


def layered(layers: int = 28, width: int = 3_448, seed: int = 0) -> Document:
    """Numbers in layers, each of random operations on the one before, all of the last one added up in pairs.

    As given: 1e5 nodes in 41 levels, one of parameters, 28 of layers and 12 of the sum.
    """
    random = np.random.default_rng(seed)
    nodes = {f"p{i}": Node(f"p{i}", "parameter", value=float(random.uniform(-1, 1))) for i in range(width)}
    layer = list(nodes)
    for number in range(layers):
        following = []
        for place in range(width):
            name, op = f"n{number}_{place}", str(random.choice(OPERATIONS))
            nodes[name] = Node(name, op, tuple(layer[i] for i in random.integers(width, size=len(REGISTRY[op].slots))))
            following.append(name)
        layer = following
    return Document(nodes, output=_added(nodes, layer))


def _added(nodes: dict[str, Node], names: list[str]) -> str:
    """The name of a node that adds up `names`, in pairs."""
    for number in count():
        if len(names) == 1:
            return names[0]
        pairs = list(zip(names[::2], names[1::2], strict=False))
        sums = [f"s{number}_{place}" for place in range(len(pairs))]
        nodes.update({name: Node(name, "add", pair) for name, pair in zip(sums, pairs, strict=True)})
        names = sums + names[2 * len(pairs) :]
    raise AssertionError


class Scalars:
    """Nodes of numbers, written as expressions are computed: one at a time, as micrograd does."""

    def __init__(self) -> None:
        self.nodes: dict[str, Node] = {}

    def leaf(self, op: str, value: float) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes[name] = Node(name, op, value=float(value))
        return name

    def neuron(self, random: np.random.Generator, fan_in: int) -> list[str]:
        """Its weights and, last, its bias."""
        return [self.leaf("parameter", x) for x in [*random.uniform(-1, 1, fan_in), 0.0]]

    def __call__(self, op: str, *operands: str) -> str:
        name = f"v{len(self.nodes)}"
        self.nodes[name] = Node(name, op, operands)
        return name

    def total(self, names: list[str]) -> str:
        """The sum, each number added to the one before: a chain."""
        result = names[0]
        for name in names[1:]:
            result = self("add", result, name)
        return result


def micrograd_demo(points: int = 100, seed: int = 0) -> Document:
    """The loss of micrograd's demo as numbers: a network 2-16-16-1 on 100 points, hinge loss and decay of weights.

    65,715 nodes, as many as there with its constants made once.
    """
    random, s = np.random.default_rng(seed), Scalars()
    layers = [[s.neuron(random, fan_in) for _ in range(size)] for fan_in, size in ((2, 16), (16, 16), (16, 1))]
    parameters = [number for layer in layers for neuron in layer for number in neuron]
    one, losses = s.leaf("constant", 1.0), []
    for _ in range(points):
        outputs, label = [s.leaf("input", x) for x in random.standard_normal(2)], float(random.choice([-1.0, 1.0]))
        for depth, layer in enumerate(layers):
            outputs = [_neuron(s, neuron, outputs, relu=depth < 2) for neuron in layer]
        margin = s("multiply", s.leaf("constant", -label), outputs[0])
        losses.append(s("relu", s("add", margin, one)))
    data = s("multiply", s.total(losses), s.leaf("constant", 1.0 / points))
    decay = s("multiply", s.total([s("multiply", p, p) for p in parameters]), s.leaf("constant", 1e-4))
    return Document(s.nodes, output=s("add", data, decay))


def _neuron(s: Scalars, neuron: list[str], inputs: list[str], relu: bool) -> str:
    *weights, result = neuron
    for weight, x in zip(weights, inputs, strict=True):
        result = s("add", result, s("multiply", weight, x))
    return s("relu", result) if relu else result


def elementwise(size: int = 1_000_000, seed: int = 0) -> Document:
    """20 elementwise operations in a row on `size` numbers, and their mean; a fifth of them are tanh and exp."""
    random = np.random.default_rng(seed)
    nodes = {"x": random.uniform(0.5, 1.5, size), "c": ("input", random.uniform(0.5, 1.5, size))}
    rounds = [("multiply", "c"), ("add", "c"), ("tanh",), ("divide", "c"), ("relu",)]
    rounds += [("subtract", "c"), ("square",), ("negative",), ("exp",), ("maximum", "c")]
    last = "x"
    for number, (op, *other) in enumerate(rounds * 2):
        nodes[f"n{number}"] = (op, last, *other)
        last = f"n{number}"
    return graph(**nodes, L=("mean", last))


def matmuls(size: int = 512, factors: int = 10, seed: int = 0) -> Document:
    """A product of 11 square matrices from left to right, and its mean; all of them are parameters."""
    random = np.random.default_rng(seed)
    nodes = {f"W{i}": random.standard_normal((size, size)) / size**0.5 for i in range(factors + 1)}
    last = "W0"
    for number in range(factors):
        nodes[f"n{number}"] = ("matmul", last, f"W{number + 1}")
        last = f"n{number}"
    return graph(**nodes, L=("mean", last))


def in_float32(document: Document) -> Document:
    return replace(document, dtype="float32")
