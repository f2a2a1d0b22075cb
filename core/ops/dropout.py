"""Dropout, with a mask that depends on the seed and the shape alone."""

from functools import lru_cache
from typing import Any

import numpy as np

from cadena.core.ops.building import GRID, number, whole
from cadena.core.ops.formulas import formula
from cadena.core.ops.primitive import Attribute, Family, Shape, Slot

FAMILY = Family("Layers")


@lru_cache(maxsize=8)
def dropout_mask(shape: Shape, p: float, seed: int) -> Any:
    """The factors by which dropout multiplies an array of `shape`: 0 with probability `p`, else 1 / (1 - p); read-only.

    The same seed and shape always give the same mask.
    """
    keep = np.random.default_rng(seed).random(shape) >= p
    mask = np.where(keep, 1.0 / (1.0 - p) if p < 1.0 else 0.0, 0.0)
    mask.flags.writeable = False
    return mask


def _dropped(v: Any, p: float, seed: int) -> Any:
    return v * dropout_mask(v.shape, float(p), seed).astype(v.dtype)


def _dropout_shape(shape: Shape, p: Any, seed: Any) -> Shape:
    number("p", p, 0.0, 1.0)
    whole("seed", seed, 0)
    return shape


dropout = FAMILY.structural(
    "dropout",
    _dropped,
    Slot(
        "x",
        transpose=lambda g, y, x, p, seed: _dropped(g, p, seed),
        push=lambda t, y, x, p, seed: _dropped(t, p, seed),
        shown=formula(
            "@g / (1 − p) where kept, else 0",
            r"\begin{cases} \frac{1}{1 - p} @g & \text{kept} \\ 0 & \text{dropped} \end{cases}",
        ),
    ),
    shape=_dropout_shape,
    attributes=(
        Attribute("p", 0.5, "number", "the probability with which an element is dropped"),
        Attribute("seed", 0, "integer", "which elements: the same seed drops the same ones"),
    ),
    title="dropout",
    phrase="{0} with some elements dropped",
    doc="Some elements become 0, the others are scaled up by 1 / (1 − p). The gradient passes through the same mask.",
    edges="The same seed and shape always give the same mask.",
    source="Srivastava et al. (2014), Dropout: a simple way to prevent neural networks from overfitting",
    examples=(([1.0, 2.0, 3.0, 4.0],), (GRID, {"p": 0.3, "seed": 7}), (2.0, {"p": 0.0})),
)
