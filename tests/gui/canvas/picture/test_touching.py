"""Which boxes and lines touch: none is missed, and none far away is named."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cadena.gui.canvas.picture.touching import CELLS, MOST_PAIRS, near_lines, touching
from tests.thorough import tries


@tries(30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 5, 300]), st.sampled_from([0, 3, 900]))
def test_no_box_that_touches_an_area_is_missed_and_none_far_from_all_is_named(seed, areas, boxes):
    rng = np.random.default_rng(seed)
    areas, boxes = (_rectangles(rng, count) for count in (areas, boxes))
    exact = _meet(boxes, areas)
    named = touching(boxes, areas)
    assert not (exact & ~named).any()
    if len(areas) * len(boxes) <= MOST_PAIRS:
        np.testing.assert_array_equal(named, exact)
    else:
        cell = 1200.0 / CELLS * np.array([-1.0, -1.0, 1.0, 1.0])
        assert not (named & ~_meet(boxes, areas + cell)).any() and not exact.all()


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 50.0))
def test_no_line_that_crosses_another_or_comes_near_is_missed_and_none_that_runs_beside_it_is_named(seed, reach):
    rng = np.random.default_rng(seed)
    ends, line = rng.uniform(0.0, 1000.0, (200, 4)), rng.uniform(0.0, 1000.0, (1, 4))
    ends[:5, 2:] = ends[:5, :2]  # points are lines, too
    shares = np.linspace(0.0, 1.0, 101)[:, None, None]
    points, others = (some[:, :2] + shares * (some[:, 2:] - some[:, :2]) for some in (ends, line))
    distances = np.linalg.norm(points[:, None] - others[None], axis=-1).min(axis=(0, 1))
    assert near_lines(tuple(ends.T), line, reach)[distances <= reach].all()
    (right, down), long = line[0, 2:] - line[0, :2], np.linalg.norm(line[0, 2:] - line[0, :2])
    beside = line + (reach + 1.0) / long * np.array([[-down, right] * 2, [down, -right] * 2])
    behind = line + (1.0 + (reach + 1.0) / long) * np.array([[right, down] * 2])
    assert not near_lines(tuple(np.vstack([beside, behind]).T), line, reach).any()


def _rectangles(rng: np.random.Generator, count: int) -> np.ndarray:
    corners = rng.uniform(0.0, 1000.0, (count, 2))
    return np.hstack([corners, corners + rng.uniform(0.0, 30.0, (count, 2))])


def _meet(boxes: np.ndarray, areas: np.ndarray) -> np.ndarray:
    """Which boxes touch an area, compared one by one."""
    meets = [
        any(box[0] <= area[2] and box[2] >= area[0] and box[1] <= area[3] and box[3] >= area[1] for area in areas)
        for box in boxes
    ]
    return np.array(meets, dtype=bool)
