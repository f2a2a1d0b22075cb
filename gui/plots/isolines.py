"""Lines of equal height over a grid, as pairs of points; each cell is two triangles, over which heights are linear."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

EDGES = ((0, 1), (1, 2), (2, 0))


def isolines(x: np.ndarray, y: np.ndarray, heights: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The line at one height: its pieces one after the other, the two ends of each side by side.

    `heights` has a row for each x. Where a height is not finite there is no line.
    """
    grid_x, grid_y = np.meshgrid(x, y, indexing="ij")
    points = np.stack([grid_x, grid_y, heights / 4.0 - level / 4.0])  # differences of these are numbers, too
    a, b, c, d = points[:, :-1, :-1], points[:, 1:, :-1], points[:, 1:, 1:], points[:, :-1, 1:]
    first, second = np.stack([a, b, c]), np.stack([a, c, d])
    corners = np.concatenate([first.reshape(3, 3, -1), second.reshape(3, 3, -1)], axis=2)
    corners = corners[:, :, np.isfinite(corners[:, 2]).all(axis=0)]
    above = corners[:, 2] > 0.0
    crossed = corners[:, :, above.any(axis=0) & ~above.all(axis=0)]
    return _crossings(crossed)


def _crossings(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The two points on the edges of each triangle at which the height is 0."""
    above = corners[:, 2] > 0.0
    count = corners.shape[2]
    ends = np.zeros((2, 2, count))  # first and second end, x and y
    taken = np.zeros(count, int)
    for one, other in EDGES:
        cut = above[one] != above[other]
        low, high = corners[one][:, cut], corners[other][:, cut]
        part = low[2] / (low[2] - high[2])
        ends[taken[cut], :, np.flatnonzero(cut)] = (low[:2] + part * (high[:2] - low[:2])).T
        taken[cut] += 1
    return ends[:, 0].T.ravel(), ends[:, 1].T.ravel()


def levels(heights: np.ndarray, count: int) -> Sequence[float]:
    """Heights for so many lines, near one another where much of the grid is."""
    finite = heights[np.isfinite(heights)]
    if not len(finite) or finite.min() == finite.max():
        return []
    spread = np.quantile(finite, np.linspace(0.0, 1.0, count + 2)[1:-1])
    return [float(level) for level in np.unique(spread)]
