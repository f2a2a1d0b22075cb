"""The widget of one formula: its baseline, and the height that it needs."""

from __future__ import annotations

from cadena.gui.panels.formula_view import FormulaView
from cadena.gui.theme import LIGHT, PROJECTOR


def test_the_baseline_stays_from_formula_to_formula(qapp, show):
    view = show(FormulaView(LIGHT, 24, 15, fixed=96), 800, 96)
    places = set()
    for latex in ("a = b", r"\frac{a}{b} = 2", r"x_{1} = \sum y"):
        view.show_latex(latex)
        lines = view.lines(view.width(), view.height())
        places.add(round(view._top(lines) + lines.placed[0].baseline))
    assert len(places) == 1


def test_a_view_asks_for_the_height_that_its_width_needs(qapp, show):
    view = show(FormulaView(PROJECTOR, 15, 11), 500, 50)
    view.show_latex(r"L = a \cdot b = 3 \cdot 4 = 12 + 0 = 12")
    assert view.heightForWidth(90) > view.heightForWidth(600)
    view.show_latex("")
    assert view.heightForWidth(90) == 0
