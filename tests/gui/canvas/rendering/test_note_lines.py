"""Notes as they are set out: wrapped, with formulas on the line of the text, in pictures too."""

from __future__ import annotations

import pytest

from cadena.core.graph.memos import Memo
from cadena.gui.canvas.rendering import note_lines
from cadena.gui.canvas.rendering.text_fitting import width
from cadena.gui.formulas import pictures

pytestmark = pytest.mark.usefixtures("qapp")


def pieces(text: str, *known: str) -> list[note_lines.Piece]:
    for latex in known:
        pictures.setting(latex)
    return note_lines.set_out(text, known)[0]


def test_words_are_wrapped_and_a_heading_is_larger():
    set_out = pieces("# A heading\n" + "word " * 40)
    assert set_out[0].size > set_out[2].size
    rows = {piece.baseline for piece in set_out}
    assert len(rows) > 3
    assert all(piece.x + width(piece.text, piece.size) <= note_lines.WIDE for piece in set_out)


def test_a_formula_stands_on_the_line_of_its_words_and_makes_it_taller():
    plain, with_fraction = pieces("a b c\nd"), pieces(r"a $\frac{x}{y}$ c" + "\nd", r"\frac{x}{y}")
    assert [piece.is_formula for piece in with_fraction] == [False, True, False, False]
    assert len({piece.baseline for piece in with_fraction[:3]}) == 1
    assert with_fraction[-1].baseline > plain[-1].baseline


def test_a_formula_that_is_not_set_yet_is_shown_as_it_was_typed():
    assert [piece.text for piece in pieces(r"a $\alpha_{17}$")] == ["a", r"$\alpha_{17}$"]


def test_a_dollar_alone_is_a_dollar():
    assert [piece.text for piece in pieces("5 $ each")] == ["5", "$", "each"]


def test_the_area_holds_the_text():
    area = note_lines.area(Memo("one two", (10.0, 20.0)))
    assert (area.left(), area.top()) == (10.0, 20.0) and area.width() > width("one two", 15)


def test_a_stop_after_a_formula_stood_apart_from_it():
    first, second, stop, bracket, inner = pieces(r"is $x_{1}$. ($y_{1}$", "x_{1}", "y_{1}")
    assert stop.x == pytest.approx(second.x + pictures.size("x_{1}", 15 * note_lines.LARGER).width())
    assert inner.x == pytest.approx(bracket.x + width("(", 15))
    assert second.x > first.x + width("is", 15)
