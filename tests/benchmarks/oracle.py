"""The same graph in PyTorch, where it is installed: eager mode with one thread, for comparison."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from cadena.core.front import compile
from cadena.core.graph.document import Document, as_array

NAMES = {"negative": "neg", "power": "pow"}  # where PyTorch's name is another


def torch_pass(document: Document) -> Callable[[], object] | None:
    """A function that runs `document` forward and backward in PyTorch; None where that is not installed."""
    if find_spec("torch") is None:
        return None
    import torch

    torch.set_num_threads(1)
    plan, dtype = compile(document).plan, getattr(torch, document.dtype)
    leaves: dict[int, Any] = {}
    for number in plan.leaves:
        node = document.nodes[plan.names[number]]
        tensor = torch.tensor(as_array(node.value).copy(), dtype=dtype)  # type: ignore[arg-type]
        leaves[number] = tensor.requires_grad_(node.wants_gradient)
    wanted = [tensor for tensor in leaves.values() if tensor.requires_grad]
    calls = [(item.out, getattr(torch, NAMES.get(item.primitive.name, item.primitive.name)), item.operands)
             for item in plan.instructions]  # fmt: skip

    def run() -> None:
        values: Mapping[int, Any] = dict(leaves)
        for out, function, operands in calls:
            values[out] = function(*[values[operand] for operand in operands])  # type: ignore[index]
        torch.autograd.grad(values[plan.output], wanted, allow_unused=True)  # type: ignore[index]

    return run
