"""torch.autograd.functional: whole Jacobians and Hessians; and gradcheck, which compares with differences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.pytorch import backward
from cadena.core.scripts.pytorch.tensor import TENSOR, Core, operate


def _fresh(inputs: Any) -> list[Any]:
    """The operands as leaves of their own."""
    listed: list[Any] = [inputs] if isinstance(inputs, Core) else [*inputs]
    return [operate("positive", (item,)) if item.requires_grad else item.detach().requires_grad_() for item in listed]


def jacobian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, **options: Any) -> Any:
    """The gradient of each element of the result, for each of the operands."""
    sources = _fresh(inputs)
    result = func(*sources)
    flat = operate("reshape", (result,), {"shape": [-1]})
    rows = [
        backward.grad(element, sources, retain_graph=True, create_graph=create_graph, allow_unused=True)
        for element in flat
    ]
    parts = []
    for place, source in enumerate(sources):
        column = [TENSOR[0](np.zeros_like(source.array)) if row[place] is None else row[place] for row in rows]
        shape = [*result.shape, *source.shape]
        parts.append(operate("reshape", (operate("stack", column, {"axis": 0}),), {"shape": shape}))
    return parts[0] if isinstance(inputs, Core) else tuple(parts)


def hessian(func: Callable[..., Any], inputs: Any, create_graph: bool = False, **options: Any) -> Any:
    """The second derivatives of a function whose result is a single number."""

    def slopes(*operands: Any, place: int) -> Any:
        return backward.grad(func(*operands), operands, create_graph=True)[place]

    count = 1 if isinstance(inputs, Core) else len(inputs)
    rows = [
        jacobian(lambda *operands, at=place: slopes(*operands, place=at), inputs, create_graph)
        for place in range(count)
    ]
    return rows[0] if isinstance(inputs, Core) else tuple(rows)


def gradcheck(func: Callable[..., Any], inputs: Any, eps: float = 1e-6, atol: float = 1e-5, rtol: float = 1e-3) -> bool:
    """Whether the gradients are those that central differences give. Raises RuntimeError where they are not."""
    sources: list[Any] = [inputs] if isinstance(inputs, Core) else [*inputs]
    slopes = jacobian(func, sources)
    for place, source in enumerate(sources):
        if not source.requires_grad:
            continue
        ours = slopes[place].array.reshape(-1, source.array.size)
        for element in range(source.array.size):
            ends = []
            for step in (eps, -eps):
                moved = np.array(source.array)
                moved.flat[element] += step
                operands = [TENSOR[0](moved) if other is source else other.detach() for other in sources]
                ends.append(np.ravel(func(*operands).array))
            slope = (ends[0] - ends[1]) / (2 * eps)
            if not np.allclose(ours[:, element], slope, rtol, atol):
                raise RuntimeError(f"Jacobian mismatch for output 0 with respect to input {place}")
    return True


AUTOGRAD_FUNCTIONAL = Library("torch.autograd.functional", {"jacobian": jacobian, "hessian": hessian})
