"""Lengths, likenesses and distances of torch.nn.functional, and their modules."""

from __future__ import annotations

from typing import Any

import numpy as np

from cadena.core.scripts.pytorch.module import Module, Parameter
from cadena.core.scripts.pytorch.selecting import norm
from cadena.core.scripts.pytorch.state import STATE
from cadena.core.scripts.pytorch.tensor import TENSOR, operate


def _shown_as(result: Any, name: str) -> Any:
    """A result whose grad_fn has PyTorch's name."""
    result._fn = f"{name}Backward0"
    return result


def normalize(input: Any, p: float = 2.0, dim: int = 1, eps: float = 1e-12) -> Any:
    length = operate("clip", (norm(input, p, dim, True),), {"min": eps, "max": None})
    return input / length


def cosine_similarity(x1: Any, x2: Any, dim: int = 1, eps: float = 1e-8) -> Any:
    lengths = (operate("clip", (norm(item, 2, dim, True),), {"min": eps, "max": None}) for item in (x1, x2))
    left, right = (item / length for item, length in zip((x1, x2), lengths, strict=True))
    return operate("sum", (left * right,), {"axis": dim})


def pairwise_distance(x1: Any, x2: Any, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    result = norm(x1 - x2 + eps, p, -1, keepdim)
    result._fn = "NormBackward1"
    return result


def cdist(x1: Any, x2: Any, p: float = 2.0, **options: Any) -> Any:
    return _shown_as(norm(x1.unsqueeze(-2) - x2.unsqueeze(-3), p, -1), "Cdist")


def triplet_margin_loss(
    anchor: Any, positive: Any, negative: Any, margin: float = 1.0, p: float = 2, eps: float = 1e-6,
    swap: bool = False, reduction: str = "mean",
) -> Any:  # fmt: skip
    near, far = (pairwise_distance(anchor, item, p, eps) for item in (positive, negative))
    each = operate("clip", (margin + near - far,), {"min": 0.0, "max": None})
    return each if reduction == "none" else operate(reduction, (each,))


def smooth_l1_loss(input: Any, target: Any, reduction: str = "mean", beta: float = 1.0, **options: Any) -> Any:
    result = operate("huber_loss", (input, target), {"reduction": reduction, "delta": beta})
    return _shown_as(result if beta == 1.0 else result / beta, "SmoothL1Loss")


def prelu(input: Any, weight: Any) -> Any:
    below = operate("minimum", (input, TENSOR[0](np.zeros_like(input.array))))
    return _shown_as(operate("relu", (input,)) + weight * below, "PreluKernel")


class CosineSimilarity(Module):
    """The cosine of the angle between vectors."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        self.dim, self.eps = dim, eps

    def forward(self, x1: Any, x2: Any) -> Any:
        return cosine_similarity(x1, x2, self.dim, self.eps)


class PReLU(Module):
    """A relu with a learned slope below 0."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25) -> None:
        self.num_parameters = num_parameters
        self.weight = Parameter(TENSOR[0](np.full((num_parameters,), init, STATE.dtype)))

    def forward(self, input: Any) -> Any:
        return prelu(input, self.weight)

    def extra_repr(self) -> str:
        return f"num_parameters={self.num_parameters}"


class Unflatten(Module):
    """One axis as several."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        self.dim, self.sizes = dim, tuple(unflattened_size)

    def forward(self, input: Any) -> Any:
        at = self.dim % input.ndim
        return input.reshape(*input.shape[:at], *self.sizes, *input.shape[at + 1 :])

    def extra_repr(self) -> str:
        return f"dim={self.dim}, unflattened_size={self.sizes}"


MEASURES = {
    item.__name__: item
    for item in (normalize, cosine_similarity, pairwise_distance, triplet_margin_loss, smooth_l1_loss, prelu)
}
MEASURE_LAYERS = {item.__name__: item for item in (CosineSimilarity, PReLU, Unflatten)}
