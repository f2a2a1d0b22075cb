"""Which rows and columns of many are shown, and where matrices stand."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.core.expressions.reading import parse
from cadena.core.front import compile
from cadena.core.teaching.schemes import scheme_of
from cadena.gui.panels.steps.matrix_layout import Measures, place, shown_lines

MEASURES = Measures(24.0, lambda form: 50.0, lambda form: 90.0, 20.0, 14.0, 16.0)


@pytest.mark.parametrize("count", [1, 3, 5, 6, 7, 40, 1_000_000])
@pytest.mark.parametrize("room", [0, 3, 4, 5, 6, 9])
def test_the_chosen_line_is_shown_and_what_is_left_out_is_marked(count, room):
    for focus in {0, 1, 2, count // 2, count - 2, count - 1} & set(range(count)):
        lines = shown_lines(count, room, focus)
        shown = [line for line in lines if line is not None]
        assert focus in shown and len(lines) <= max(room, 3) and shown == sorted(set(shown))
        gaps = [after - before for before, after in pairwise(shown)]
        assert all(gap == 1 for gap in gaps) or None in lines
        assert (None in lines) == (len(shown) < count)


def shown(text: str, node: str, slot: int | None, room: QSizeF, focus=(0, 0)):
    scheme = scheme_of(compile(parse(f"{text}; L=sum({node})")).run(), node, slot)
    assert scheme is not None
    return scheme, place(scheme, focus, room, MEASURES)


@pytest.mark.parametrize("size", [(380, 700), (330, 300), (900, 900), (380, 10_000)])
@pytest.mark.parametrize("slot", [None, 0, 1])
def test_a_product_stands_where_its_lines_cross(size, slot):
    _, (left, above, result) = shown(
        f"A={np.ones((9, 7)).tolist()}; B={np.ones((7, 8)).tolist()}; C=A@B", "C", slot, QSizeF(*size)
    )
    assert (left.rows, above.columns) == (result.rows, result.columns) and left.columns == above.rows
    assert left.area.top() == result.area.top() and above.area.left() == result.area.left()
    assert result.area.right() <= size[0] and (result.title.bottom() <= size[1] or size[1] < 400)


def test_the_titles_of_a_product_with_one_inner_line_stood_on_each_other():
    _, placed = shown("A=[[1],[2]]; B=[[3,4]]; C=A@B", "C", None, QSizeF(330.0, 300.0))
    titles = [item.title for item in placed]
    assert all(not one.intersects(other) for at, one in enumerate(titles) for other in titles[:at])


def test_matrices_never_overlap():
    for text, node in (
        ("X=[[1,2],[3,4]]; b=[10,20]; s=X+b", "s"),
        ("x=[1,2,3]; p=softmax(x)", "p"),
        ("X=[[1,2]]; m=sum(X)", "m"),
    ):
        for slot in (None, 0):
            for width in (120.0, 260.0, 900.0):
                placed = shown(text, node, slot, QSizeF(width, 900.0))[1]
                areas = [item.area.united(item.title) for item in placed]
                assert not any(one.intersects(other) for at, one in enumerate(areas) for other in areas[:at])


def test_a_point_in_a_cell_is_that_cell_and_a_gap_none():
    _, (_, _, result) = shown(
        f"A={np.ones((40, 2)).tolist()}; B=[[1,2],[3,4]]; C=A@B", "C", None, QSizeF(400.0, 300.0), (20, 1)
    )
    for down, row in enumerate(result.rows):
        at = result.at(result.cell(down, 1).center())
        assert at == (None if row is None else (row, 1))
    assert result.at(QPointF(-1.0, -1.0)) is None and None in result.rows
    assert QRectF(0.0, 0.0, 400.0, 300.0).contains(result.area)
