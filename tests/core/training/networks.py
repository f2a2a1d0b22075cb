"""The 2-4-1 network of the tests, on matrices and number by number."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.graph.document import Document, Node, as_value

XOR = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])


def node(name: str, op: str, *inputs: str, value: Any = None) -> Node:
    return Node(name, op, inputs=inputs, value=None if value is None else as_value(value))


def document(*nodes: Node, output: str = "L", dtype: str = "float64") -> Document:
    return Document({one.name: one for one in nodes}, output=output, dtype=dtype)


def network(seed: int = 0, dtype: str = "float64") -> Document:
    """2-4-1 with tanh and a mean squared error, on matrices."""
    random = np.random.default_rng(seed)
    return document(
        node("X", "input", value=XOR),
        node("T", "input", value=[[0.0], [1.0], [1.0], [0.0]]),
        node("W1", "parameter", value=random.normal(size=(2, 4))),
        node("b1", "parameter", value=np.zeros(4)),
        node("W2", "parameter", value=random.normal(size=(4, 1))),
        node("b2", "parameter", value=np.zeros(1)),
        node("Z", "matmul", "X", "W1"),
        node("A", "add", "Z", "b1"),
        node("H", "tanh", "A"),
        node("V", "matmul", "H", "W2"),
        node("O", "add", "V", "b2"),
        node("L", "mse_loss", "O", "T"),
        dtype=dtype,
    )


def neurons(seed: int = 0) -> Document:
    """The same network number by number, for one example."""
    matrices = network(seed).nodes
    one, two = matrices["W1"].value.array, matrices["W2"].value.array
    nodes = [node("x1", "input", value=0.0), node("x2", "input", value=1.0), node("y", "input", value=1.0)]
    total = ""
    for number in range(4):
        nodes += [
            node(f"u{number}", "parameter", value=float(one[0, number])),
            node(f"v{number}", "parameter", value=float(one[1, number])),
            node(f"b{number}", "parameter", value=0.0),
            node(f"w{number}", "parameter", value=float(two[number, 0])),
            node(f"p{number}", "multiply", "x1", f"u{number}"),
            node(f"q{number}", "multiply", "x2", f"v{number}"),
            node(f"r{number}", "add", f"p{number}", f"q{number}"),
            node(f"s{number}", "add", f"r{number}", f"b{number}"),
            node(f"h{number}", "tanh", f"s{number}"),
            node(f"t{number}", "multiply", f"h{number}", f"w{number}"),
        ]
        if number:
            nodes.append(node(f"sum{number}", "add", total, f"t{number}"))
        total = f"sum{number}" if number else "t0"
    nodes += [node("b", "parameter", value=0.0), node("o", "add", total, "b"), node("e", "subtract", "o", "y")]
    return document(*nodes, node("L", "square", "e"))


def line() -> Document:
    """L = (w x + b - y)²."""
    return document(
        node("x", "input", value=2.0),
        node("y", "input", value=1.0),
        node("w", "parameter", value=0.5),
        node("b", "parameter", value=0.0),
        node("p", "multiply", "w", "x"),
        node("o", "add", "p", "b"),
        node("e", "subtract", "o", "y"),
        node("L", "square", "e"),
    )
