"""The way in: `cadena.capture(fn, *args)` and `cadena.capturing(model)`; which framework it is, its values say."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from cadena.core.capture import torch_capture
from cadena.core.capture.captured import Captured
from cadena.core.graph.fault import Refused


def capture(fn: Callable[..., Any], *args: Any, model: Any = None, limit: int = torch_capture.MAX_KEPT) -> Captured:
    """Run `fn(*args)` in the user's own PyTorch, and capture what it computes as a graph that runs again.

    captured = cadena.capture(lambda x, y: F.cross_entropy(model(x), y), x, y, model=model)
    captured.document, captured.value, captured.gradients, captured.check()

    The modules of `model` become functions with their names, and the parameters keep theirs. Tensors of more than
    `limit` elements are kept as shape, statistics and a sample; such a graph can be looked at, but not run.
    """
    _check_framework(fn, *args, model)
    return torch_capture.capture(fn, args, model, limit)


def capturing(model: Any, limit: int = torch_capture.MAX_KEPT) -> AbstractContextManager[Captured]:
    """Capture a training step: the graph of the last loss on which `backward` is called within the block.

    with cadena.capturing(model) as captured:
        loss = F.mse_loss(model(x), y)
        loss.backward()
    """
    _check_framework(model)
    return torch_capture.capturing(model, limit)


def _check_framework(*values: Any) -> None:
    """Raise Refused where nothing is of a framework that can be captured."""
    import sys

    if "torch" not in sys.modules:
        raise Refused("nothing here is of PyTorch", "import torch, and give a function of its tensors")
