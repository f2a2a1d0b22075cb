"""Large matrices are shown by blocks, and no outlier goes unseen."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF

from cadena.gui.look.theme import LIGHT
from cadena.gui.plots.element_map import ElementMap, farthest_of_blocks


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


def test_rows_are_numbered_from_the_top(qtbot):
    plot = ElementMap(LIGHT)
    qtbot.addWidget(plot)
    plot.resize(400, 400)
    plot.show_matrix(np.arange(6.0).reshape(3, 2), "value")
    plot.show()
    assert plot.left.tickValues(*plot.left.range, 300.0) == [(1.0, [0.0, 1.0, 2.0])]
    assert plot.bottom.tickValues(*plot.bottom.range, 300.0) == [(1.0, [0.0, 1.0])]
    first, last = (plot.view.mapViewToScene(QPointF(0.0, row)).y() for row in (0.0, 2.0))
    assert first < last and plot.element_at(plot.view.mapViewToScene(QPointF(1.0, 2.0))) == 5
