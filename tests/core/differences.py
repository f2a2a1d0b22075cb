"""Derivatives by differences: the yardstick that knows nothing of derivative rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

STEP = 1e-3


def directional(function: Callable[..., Any], points: Sequence[Any], slot: int, direction: Any) -> tuple[Any, Any]:
    """The change of `function` along `direction` in operand `slot`, and a bound on its error, of the result's shape.

    Central differences with steps h and h / 2, extrapolated (Richardson): the error of each is about h^2 f''' / 6, and
    their difference shows three quarters of it; what is left is of order h^4, and rounding, eps |f| / h.
    """

    def slope(step: float) -> Any:
        ahead, behind = list(points), list(points)
        ahead[slot], behind[slot] = points[slot] + step * direction, points[slot] - step * direction
        return (np.asarray(function(*ahead)) - np.asarray(function(*behind))) / (2 * step)

    coarse, fine = slope(STEP), slope(STEP / 2)
    value = np.abs(np.asarray(function(*points)))
    return fine + (fine - coarse) / 3, np.abs(fine - coarse) * 1e-2 + (value + np.abs(fine)) * 1e-11 + 1e-11
