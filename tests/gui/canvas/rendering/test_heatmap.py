"""Heat maps: centred on 0, readable numbers, honest about what is not finite."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from cadena.gui.canvas.rendering import heatmap
from cadena.gui.look.heat_colors import colours, ink
from cadena.gui.look.theme import THEMES

pytestmark = pytest.mark.usefixtures("qapp")


def luminance(color: np.ndarray) -> float:
    channels = np.asarray(color[:3], dtype=float) / 255.0
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ (0.2126, 0.7152, 0.0722))


@pytest.mark.parametrize("kind", ["value", "gradient", "heat"])
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_zero_has_the_middle_colour_and_the_largest_numbers_the_ends(theme, kind):
    low, zero, high = (theme.color(role).getRgb()[:3] for role in (f"{kind}_low", "heat_zero", f"{kind}_high"))
    found = colours(np.array([[-2.0, 0.0, 2.0]]), theme, kind)
    assert [tuple(cell) for cell in found[0].tolist()] == [low, zero, high]


def test_the_scale_is_the_same_on_both_sides_of_zero():
    theme = THEMES["light"]
    small = colours(np.array([[-1.0, 4.0]]), theme)[0, 0]
    alone = colours(np.array([[-1.0, 0.0]]), theme)[0, 0]
    assert luminance(small) > luminance(alone)


def test_numbers_that_are_not_finite_have_the_fault_colour():
    theme = THEMES["dark"]
    found = colours(np.array([[np.nan, np.inf, -np.inf, 1.0]]), theme)
    assert (found[0, :3] == theme.color("fault").getRgb()[:3]).all()
    assert tuple(found[0, 3]) == theme.color("heat_high").getRgb()[:3]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_values_are_cool_and_gradients_warm(theme):
    numbers = np.array([[-2.0, -1.0, 1.0, 2.0]])
    for cell in colours(numbers, theme, "value")[0].astype(int).tolist():
        assert cell[2] > cell[0]  # more blue than red
    for cell in colours(numbers, theme, "gradient")[0].astype(int).tolist():
        assert cell[0] > cell[2]


@pytest.mark.parametrize("shape", [(2, 3), (3, 100), (200, 300), (5,), (2, 3, 4)])
def test_a_mark_surrounds_its_cells_and_nothing_else(shape):
    image = QImage(200, 120, QImage.Format.Format_RGB32)
    room, theme = QRectF(10.0, 10.0, 180.0, 100.0), THEMES["light"]
    pictures = []
    for marked in (None, np.array([0])):
        image.fill(0xFFFFFF)
        painter = QPainter(image)
        heatmap.paint(painter, np.ones(shape), room, theme, "value", marked=marked)
        painter.end()
        pictures.append(np.array(image.constBits()).reshape(120, 200, 4).copy())
    rows, columns = (min(size, heatmap.MAX_CELLS) for size in heatmap.as_matrix(np.ones(shape)).shape)
    place = heatmap.area((rows, columns), room)
    changed = np.argwhere((pictures[0] != pictures[1]).any(axis=2))
    assert len(changed)
    assert changed[:, 1].max() <= place.left() + place.width() / columns + 4
    assert changed[:, 0].max() <= place.top() + place.height() / rows + 4


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("kind", ["value", "gradient", "heat"])
def test_numbers_in_cells_stand_out_from_their_ground(theme, kind):
    cells = colours(np.linspace(-1.0, 1.0, 101)[None, :], theme, kind)[0].tolist()
    for cell in cells:
        text, ground = (luminance(np.array(color)) for color in (ink(cell).getRgb(), cell))
        assert (max(text, ground) + 0.05) / (min(text, ground) + 0.05) >= 4.5


@pytest.mark.parametrize("shape", [(0,), (0, 3), (3, 0), (1,), (5,), (5, 1), (64, 10), (2, 3, 4), (300,), (1, 1)])
def test_arrays_of_any_shape_become_a_matrix_of_bounded_size(shape):
    matrix = heatmap.as_matrix(np.arange(float(np.prod(shape))).reshape(shape))
    assert matrix.ndim == 2 and matrix.size == np.prod(shape)
    assert max(heatmap.thinned(matrix).shape) <= heatmap.MAX_CELLS


@given(st.integers(1, 40), st.integers(1, 40))
def test_a_map_lies_inside_its_room(rows, columns):
    room = QRectF(10.0, 20.0, 168.0, 58.0)
    assert room.contains(heatmap.area((rows, columns), room))


def test_cells_dropped_digits_without_a_mark():
    numbers = (-0.293119, 0.120218, 1.065764, 0.5)
    for room in (80.0, 60.0, 44.0):  # the digits of cards and formulas, as long as their type can be read
        assert heatmap._lettering(numbers, 13, room)[0] == ["−0.2931", "0.1202", "1.066", "0.5"]
    narrow, size = heatmap._lettering(numbers, 13, 37.0)
    assert narrow == ["−0.29…", "0.12…", "1.0…", "0.5"] and size >= heatmap.READABLE
    assert heatmap._lettering(numbers, 13, 12.0) is None


def test_whole_numbers_in_narrow_cells_are_no_cut_ones():
    assert heatmap._lettering((4.0, -5.0, -0.0), 13, 20.0)[0] == ["4", "−5", "0"]
