"""Columns of numbers whose points stand below each other."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QImage

from cadena.gui.look import style
from cadena.gui.look import theme as look
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.numbers.element_tables import Column, ListModel
from cadena.gui.panels.numbers.numbers_view import NumbersView
from cadena.gui.widgets.decimals import column_width, room_behind, split


def test_a_number_is_split_at_its_point():
    assert split("−1.25") == ("−1", ".25") and split("12") == ("12", "") and split("1.5·10⁻⁴⁶") == ("1", ".5·10⁻⁴⁶")


def test_a_column_has_room_for_the_longest_part_on_either_side():
    metrics = QFontMetricsF(look.font(LIGHT))
    numbers = ["−7", "0.125", "1234.5"]
    assert room_behind(numbers, metrics) == metrics.horizontalAdvance(".125")
    width = metrics.horizontalAdvance("1234") + metrics.horizontalAdvance(".125")
    assert column_width(numbers, metrics) == width


def ink_of(image: QImage, top: int, bottom: int, left: int, right: int) -> np.ndarray:
    """The columns of pixels with something blue in a part of a picture."""
    shown = image.copy(left, top, right - left, bottom - top).convertToFormat(QImage.Format.Format_RGB32)
    pixels = np.frombuffer(shown.constBits(), np.uint8).reshape(shown.height(), shown.width(), 4)
    return np.flatnonzero((pixels[..., 0].astype(int) - pixels[..., 2] > 60).any(axis=0))


def test_numbers_in_a_table_stand_with_their_points_below_each_other(qtbot):
    """5 stood below the last digit of 0.125."""
    model = ListModel(LIGHT)
    table = NumbersView(model, "Numbers")
    qtbot.addWidget(table)
    style.apply(table, LIGHT)
    model.show_columns((3,), [Column("value", np.array([5.0, 0.125, -1.5]), "value")])
    table.resize(400, 300)
    table.show()
    image = table.viewport().grab().toImage()
    ends = []
    for row in range(3):
        cell = table.visualRect(model.index(row, 1))
        ends.append(int(ink_of(image, cell.top() + 1, cell.bottom() - 1, cell.left(), cell.right()).max()))
    metrics = QFontMetricsF(table.font())
    assert abs(ends[1] - ends[0] - metrics.horizontalAdvance(".125")) <= 2
    assert abs(ends[1] - ends[2] - metrics.horizontalAdvance("25")) <= 2
    assert model.data(model.index(0, 1), Qt.ItemDataRole.TextAlignmentRole) & Qt.AlignmentFlag.AlignRight.value
