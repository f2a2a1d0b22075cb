"""The way in: `cadena.capture(fn, *args)` and `cadena.capturing(model)`; which framework it is, its values say."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from itertools import chain
from typing import Any

from cadena.core.capture.captured import MAX_KEPT, Captured
from cadena.core.capture.record import held
from cadena.core.capture.tensor_paths import reachable
from cadena.core.graph.fault import Refused


def capture(
    fn: Callable[..., Any],
    *args: Any,
    model: Any = None,
    argnums: int | Sequence[int] | None = None,
    limit: int = MAX_KEPT,
) -> Captured:
    """Run `fn(*args)` in the user's own PyTorch or JAX, and capture what it computes as a graph that runs again.

    captured = cadena.capture(lambda x, y: F.cross_entropy(model(x), y), x, y, model=model)
    captured.document, captured.value, captured.gradients, captured.check()

    In PyTorch the modules of `model` become functions with their names, and the parameters keep theirs. In JAX the
    arrays in `argnums` are the parameters, named after their keys; without it these are those of the first argument,
    and the gradients by all others are there too. Arrays of more than `limit` elements are kept as shape, statistics
    and a sample; such a graph can be looked at, but not run.
    """
    around = (item for _, item in reachable({"fn": fn}))
    if _framework(chain([*args, model, fn], held(fn).values(), around)) == "torch":
        from cadena.core.capture import torch_capture

        return torch_capture.capture(fn, args, model, limit)
    from cadena.core.capture import jax_capture

    return jax_capture.capture(fn, args, argnums, limit)


def capturing(model: Any, limit: int = MAX_KEPT) -> AbstractContextManager[Captured]:
    """Capture a training step: the graph of the last loss on which `backward` is called within the block.

    with cadena.capturing(model) as captured:
        loss = F.mse_loss(model(x), y)
        loss.backward()
    """
    if _framework([model]) != "torch":
        raise Refused("a block is captured with a model of PyTorch", "for JAX write cadena.capture(loss, params, x)")
    from cadena.core.capture import torch_capture

    return torch_capture.capturing(model, limit)


def _framework(values: Iterable[Any]) -> str:
    """The framework of the first value that has one, or the only one that is imported.

    Raises Refused where nothing is of a framework that can be captured.
    """
    for value in chain.from_iterable(map(_parts, values)):
        roots = {getattr(item, "__module__", None) or "" for item in (value, *type(value).__mro__)}
        roots.add(getattr(value, "__name__", "") if type(value) is type(sys) else "")
        for root in {root.partition(".")[0] for root in roots if isinstance(root, str)}:
            if root in ("torch", "jax", "jaxlib"):
                return root[:3].replace("tor", "torch")
    there = [name for name in ("torch", "jax") if name in sys.modules]
    if len(there) != 1:
        remedy = "import torch or jax, and give a function of its tensors or arrays"
        raise Refused("nothing here is of PyTorch or JAX", remedy)
    return there[0]


def _parts(item: Any) -> Iterator[Any]:
    """What containers hold, and what is none."""
    if isinstance(item, dict):
        yield from _parts(list(item.values()))
    elif isinstance(item, tuple | list):
        for part in item:
            yield from _parts(part)
    else:
        yield item
