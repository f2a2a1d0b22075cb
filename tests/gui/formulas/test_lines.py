"""Formulas find their room: one line while it is large enough to read, then lines broken at equals signs, never cut."""

from __future__ import annotations

from itertools import pairwise

import pytest

from cadena.core.notation.parts import PLUS_EQUALS, QUAD, FormulaPart, parts_of
from cadena.gui.formulas.lines import Captions, Room, lay_out

CAPTIONS = Captions(14.0, lambda text: 7.0 * len(text))
CHAIN = parts_of(r"L = a \cdot b = 3 \cdot 4 = 12 + 0 = 12")


def baselines(lines):
    return sorted({item.baseline for item in lines.placed})


def test_a_formula_that_fits_has_its_largest_size_on_one_line(qapp):
    lines = lay_out(CHAIN, Room(2000, 200, 24, 12), CAPTIONS)
    assert lines.size == 24
    assert len(baselines(lines)) == 1


def test_a_wide_formula_is_first_scaled_down(qapp):
    whole = lay_out(CHAIN, Room(2000, 200, 24, 12), CAPTIONS).width
    lines = lay_out(CHAIN, Room(whole * 0.7, 200, 24, 12), CAPTIONS)
    assert 12 <= lines.size < 24
    assert len(baselines(lines)) == 1
    assert lines.width <= whole * 0.7


def test_below_the_least_size_it_is_broken_before_a_relation(qapp):
    whole = lay_out(CHAIN, Room(2000, 200, 24, 12), CAPTIONS).width
    lines = lay_out(CHAIN, Room(whole * 0.4, 200, 24, 12), CAPTIONS)
    assert len(baselines(lines)) > 1
    assert lines.width <= whole * 0.4
    for baseline in baselines(lines)[1:]:
        first = min((item for item in lines.placed if item.baseline == baseline), key=lambda item: item.x)
        assert first.latex == "="
        assert first.x == 0


@pytest.mark.parametrize("width", [60, 100, 200, 400])
@pytest.mark.parametrize("height", [30, 60, 120])
def test_in_any_room_all_of_it_is_there_and_inside(qapp, width, height):
    lines = lay_out(CHAIN, Room(width, height, 24, 12), CAPTIONS)
    assert {item.latex for item in lines.placed} >= {part.latex for part in CHAIN}
    assert lines.width <= width
    assert lines.height <= height


def test_pieces_never_overlap(qapp):
    for width in (80, 150, 300, 2000):
        lines = lay_out(CHAIN, Room(width, 300, 24, 12), CAPTIONS)
        for baseline in baselines(lines):
            row = sorted((item for item in lines.placed if item.baseline == baseline), key=lambda item: item.x)
            assert all(a.x + a.width <= b.x + 0.01 for a, b in pairwise(row))


def test_captions_keep_their_distance_and_get_a_row_of_their_own(qapp):
    parts = (
        FormulaPart("a"),
        FormulaPart("b", "=", "upstream"),
        FormulaPart("c", r"\cdot", "local derivative"),
        FormulaPart("d", "="),
    )
    lines = lay_out(parts, Room(2000, 200, 24, 12), CAPTIONS)
    up, local = (item for item in lines.placed if item.caption)
    half = {item.caption: CAPTIONS.measure(item.caption) / 2 for item in (up, local)}
    gap = (local.middle - half[local.caption]) - (up.middle + half[up.caption])
    assert gap >= 9.9
    bare = lay_out([FormulaPart(part.latex, part.mark) for part in parts], Room(2000, 200, 24, 12), CAPTIONS)
    assert lines.height == pytest.approx(bare.height + CAPTIONS.height)
    assert [item.x for item in lines.placed] == [item.x for item in bare.placed], "captions widened the gaps"
    assert up.middle + local.middle == pytest.approx(up.x + up.width / 2 + local.x + local.width / 2)


def test_a_result_has_room_for_its_plate(qapp):
    plain = lay_out((FormulaPart("a"), FormulaPart("7", "=")), Room(2000, 200, 24, 12), CAPTIONS)
    lines = lay_out((FormulaPart("a"), FormulaPart("7", "=", result=True)), Room(2000, 200, 24, 12), CAPTIONS)
    equals, result = lines.placed[1:]
    plate = result.plate(lines.size)
    assert plate.left() >= equals.x + equals.width and plate.right() <= lines.width + 0.01
    assert plate.top() >= -0.01 and plate.bottom() <= lines.height + 0.01 and lines.width > plain.width


def test_where_room_is_scarce_the_formula_matters_more_than_its_captions(qapp):
    parts = (
        FormulaPart(r"\frac{a}{b}"),
        FormulaPart(r"\frac{c}{d}", "=", "upstream"),
        FormulaPart("7", "=", "contribution"),
    )
    lines = lay_out(parts, Room(90, 42, 24, 15), CAPTIONS)
    bare = lay_out([FormulaPart(part.latex, part.mark) for part in parts], Room(90, 42, 24, 15), CAPTIONS)
    assert lines == bare
    assert any(item.caption for item in lay_out(parts, Room(400, 80, 24, 15), CAPTIONS).placed)


def test_two_formulas_side_by_side_are_set_apart_without_a_mark(qapp):
    lines = lay_out((FormulaPart("a"), FormulaPart("b", QUAD)), Room(2000, 200, 20, 12), CAPTIONS)
    assert [item.latex for item in lines.placed] == ["a", "b"]
    assert lines.placed[1].x > lines.placed[0].width + 20


def test_a_formula_is_cut_at_relations_and_products():
    latex = rf"x {PLUS_EQUALS} y \cdot z = 3"
    assert parts_of(latex) == (
        FormulaPart("x"),
        FormulaPart("y", PLUS_EQUALS),
        FormulaPart("z", r"\cdot"),
        FormulaPart("3", "="),
    )


def test_a_product_too_long_for_a_line_is_broken_at_its_dots():
    parts = parts_of(r"d = " + r" \cdot ".join("abcdefghijklmnop") + " = 7")
    lines = lay_out(parts, Room(160, 1e6, 20, 20), CAPTIONS)
    assert lines.size == 20 and lines.width <= 160
    assert len({item.baseline for item in lines.placed}) > 2
    assert [item.latex for item in lines.placed if item.latex.isalnum()] == [*"dabcdefghijklmnop", "7"]


def test_a_formula_that_follows_begins_a_line_where_it_does_not_fit_beside():
    parts = (*parts_of("a = b = c"), FormulaPart("d", QUAD), *parts_of("e = f")[1:], FormulaPart("g", "="))
    lines = lay_out(parts, Room(110, 1e6, 20, 20), CAPTIONS)
    baselines = {item.latex: item.baseline for item in lines.placed}
    assert baselines["d"] == baselines["g"] > baselines["c"]


def test_a_long_sum_is_broken_before_its_summands(qapp):
    parts = tuple(FormulaPart("123", mark) for mark in ("", r"\cdot", "+", r"\cdot", "+", r"\cdot", "=", "+", "-"))
    lines = lay_out(parts, Room(150, 400, 24, 12), CAPTIONS)
    for baseline in baselines(lines)[1:]:
        first = min((item for item in lines.placed if item.baseline == baseline), key=lambda item: item.x)
        assert first.latex in ("+", "-", "=") and first.x == 0


def of_matrices(count):
    """A product of matrices with its result, with so many columns."""
    row = " & ".join(["-0.1234"] * count)
    matrix = rf"\begin{{bmatrix}} {row} \\ {row} \end{{bmatrix}}"
    return parts_of(rf"G \mathrel{{+}}= X \odot Y = {matrix} \odot {matrix} = {matrix}")


def test_matrices_are_shown_in_full_where_there_is_room(qapp):
    parts, room = of_matrices(3), Room(1200.0, 100.0, 35.0, 22.0)
    assert [item.latex for item in lay_out(parts, room, CAPTIONS).placed if "bmatrix" in item.latex] == [
        part.latex for part in parts[-3:]
    ]


def test_matrices_that_nobody_could_read_are_left_out_up_to_the_result(qapp):
    parts, room = of_matrices(8), Room(700.0, 100.0, 35.0, 22.0)
    lines = lay_out(parts, room, CAPTIONS)
    assert [item.latex for item in lines.placed if "bmatrix" in item.latex] == [parts[-1].latex]
    assert lines.width <= room.width and lines.height <= room.height


def test_a_formula_in_which_a_matrix_stands_by_its_shape_leaves_out_the_others(qapp):
    parts = parts_of(
        r"Z = X W = \left(9 \times 9\right) \odot \begin{bmatrix} 1 & 2 \end{bmatrix} = \left(9 \times 9\right)"
    )
    lines = lay_out(parts, Room(1200.0, 100.0, 35.0, 22.0), CAPTIONS)
    assert [item.latex for item in lines.placed if item.latex != "="] == ["Z", "X W", parts[-1].latex]
