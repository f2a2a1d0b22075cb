"""Large matrices are shown by blocks, and no outlier goes unseen."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.gui.plots.element_map import farthest_of_blocks


@pytest.mark.parametrize("shape", [(3, 4), (1000, 7), (2500, 1), (1, 2001), (1500, 1100)])
def test_no_outlier_goes_unseen(shape):
    matrix = np.random.default_rng(1).uniform(-1, 1, shape)
    matrix[-1, -1] = -9.0
    shown = farthest_of_blocks(matrix)
    assert max(shown.shape) <= 1000 and shown.min() == -9.0
    matrix[0, 0] = np.nan
    assert np.isnan(farthest_of_blocks(matrix)).sum() == 1


def test_small_matrices_are_shown_as_they_are():
    matrix = np.eye(3)
    assert farthest_of_blocks(matrix) is matrix
