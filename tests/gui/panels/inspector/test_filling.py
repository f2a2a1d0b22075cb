"""Arrays filled without typing."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.graph.document import as_array, as_value
from cadena.gui.panels.inspector.filling import FILLINGS, FillRow

RANDOM = next(place for place, filling in enumerate(FILLINGS) if filling.is_random)


@pytest.fixture
def row(qapp, qtbot) -> FillRow:
    row = FillRow()
    qtbot.addWidget(row)
    return row


def fill(row: FillRow, name: str, shape: tuple[int, ...]) -> np.ndarray:
    """Fill a node's zeros with random numbers, and show them."""
    values = []
    row.filled.connect(lambda value, text: values.append(value))
    row.show_value(name, as_value(np.zeros(shape)))
    row.kind.setCurrentIndex(RANDOM)
    row.kind.activated.emit(RANDOM)
    row.show_value(name, values[-1])
    return as_array(values[-1])


def test_two_arrays_that_were_filled_began_with_the_same_numbers(row):
    """Inputs and weights looked alike until another seed was chosen for one of them."""
    one, other = fill(row, "x", (3, 2)), fill(row, "w", (2, 2))
    assert not np.array_equal(one.ravel()[:4], other.ravel()) and row.seed.value() == 1
    row.show_value("x", as_value(one))
    assert row.seed.value() == 0 and row.kind.currentIndex() == RANDOM, "its own filling stays chosen"
