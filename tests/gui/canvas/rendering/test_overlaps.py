"""Overlapping boxes: exactly those that touch are found."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from cadena.gui.canvas.rendering.overlaps import touching
from tests.thorough import tries


@tries(30)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0, 1, 4]), st.sampled_from([0, 3, 900]))
def test_the_boxes_that_touch_an_area_are_named_and_no_other(seed, areas, boxes):
    rng = np.random.default_rng(seed)
    areas, boxes = (_rectangles(rng, count, size) for count, size in ((areas, 300.0), (boxes, 30.0)))
    touches = [
        any(box[0] <= area[2] and box[2] >= area[0] and box[1] <= area[3] and box[3] >= area[1] for area in areas)
        for box in boxes
    ]
    np.testing.assert_array_equal(touching(boxes, areas), np.array(touches, dtype=bool))


def _rectangles(rng: np.random.Generator, count: int, size: float) -> np.ndarray:
    corners = rng.uniform(0.0, 1000.0, (count, 2))
    return np.hstack([corners, corners + rng.uniform(0.0, size, (count, 2))])
