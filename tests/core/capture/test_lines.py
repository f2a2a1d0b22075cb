"""Captured nodes have the line of the user's code, as those of a script do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cadena
from cadena.core.graph.document import Document
from cadena.core.notation.in_script import line_of_fault, line_text

pytestmark = pytest.mark.oracle
HERE = Path(__file__)


def texts(document: Document) -> dict[str, str]:
    """The text of the line of each operation, also within functions."""
    lines = HERE.read_text("utf-8").splitlines()
    bodies = [document.nodes, *(function.nodes for function in document.functions.values())]
    nodes = [node for body in bodies for node in body.values() if not node.is_leaf]
    assert all(node.line.rpartition(":")[0].endswith(f"capture/{HERE.name}") for node in nodes)
    return {node.op: lines[int(node.line.rpartition(":")[2]) - 1].strip() for node in nodes}


def test_no_node_of_a_captured_module_had_a_line():
    torch = pytest.importorskip("torch")

    class Block(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.norm, self.last = torch.nn.LayerNorm(3), torch.nn.Linear(3, 3)

        def forward(self, x: Any) -> Any:
            h = self.norm(x)
            h = h.relu().log()
            return self.last(h)

    class Net(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.blocks = torch.nn.ModuleList([Block(), Block()])

        def forward(self, x: Any) -> Any:
            for block in self.blocks:
                x = x + block(x)
            return x

    net = Net()
    document = cadena.capture(lambda x: net(x).pow(2).sum(), torch.tensor([[1.0, 2.0, 4.0]]), model=net).document
    told = texts(document)
    assert told["layer_norm"] == "h = self.norm(x)" and told["log"] == "h = h.relu().log()"
    assert told["matmul"] == "return self.last(h)"
    assert told["blocks_0"] == told["blocks_1"] == "x = x + block(x)"
    run = cadena.compile(document).run()
    number = HERE.read_text("utf-8").splitlines().index("            h = h.relu().log()") + 1
    assert line_of_fault(document, run.faults[0]).startswith(f"line {number} of ")
    assert line_text(document, "blocks_0_norm_weight") == ""


def test_one_layer_that_two_lines_call_was_two_functions():
    torch = pytest.importorskip("torch")
    layer = torch.nn.Linear(2, 2)

    def loss(x: Any) -> Any:
        y = layer(x)
        return layer(y).sum()

    model = torch.nn.ModuleDict({"layer": layer})
    document = cadena.capture(loss, torch.ones(1, 2), model=model).document
    assert list(document.functions) == ["layer"]
    lines = [node.line for node in document.nodes.values() if node.op == "layer"]
    assert len(set(lines)) == len(lines) == 2


def test_no_node_of_a_captured_custom_function_had_a_line():
    torch = pytest.importorskip("torch")

    class Square(torch.autograd.Function):
        @staticmethod
        def forward(context: Any, x: Any) -> Any:
            context.save_for_backward(x)
            return x * x * x

        @staticmethod
        def backward(context: Any, upstream: Any) -> Any:
            return upstream * 3 * context.saved_tensors[0] ** 2

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    told = texts(cadena.capture(lambda: Square.apply(x).sum()).document)
    assert told["Square"] == "told = texts(cadena.capture(lambda: Square.apply(x).sum()).document)"
    assert told["multiply"] == "return x * x * x"


def test_no_node_of_a_captured_jax_function_had_a_line():
    jax = pytest.importorskip("jax")

    @jax.jit
    def inner(x: Any) -> Any:
        return jax.numpy.tanh(x)

    def loss(x: Any) -> Any:
        first = jax.numpy.linalg.norm(x)
        second = jax.numpy.linalg.norm(x + 1)  # which JAX traces no second time
        turned = jax.lax.fori_loop(0, 2, lambda index, carry: carry * jax.numpy.sin(carry), first)
        return turned * second + inner(x).sum()

    document = cadena.capture(loss, np.array([1.0, 2.0], dtype=np.float32)).document
    told = texts(document)
    assert told["tanh"] == "return jax.numpy.tanh(x)"
    assert told["sin"].startswith("turned = ") and told["norm1"].startswith("second = ")
    lines = [node.line for node in document.nodes.values() if node.op == "norm1"]
    assert len(set(lines)) == len(lines) == 2
