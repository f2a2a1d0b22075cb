"""The widget of one formula: its baseline, and the height that it needs."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from cadena.gui.formulas.typesetter import typesetter
from cadena.gui.look.theme import LIGHT, PROJECTOR
from cadena.gui.panels.parts.formula_view import FormulaView
from tests.gui.user import calm


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


def test_a_formula_painted_before_it_was_announced_kept_no_room(qapp, monkeypatch):
    view, asked = FormulaView(LIGHT, 24, 12), []
    monkeypatch.setattr(view, "updateGeometry", lambda: asked.append(True))
    view.show_latex("q + 17")
    with monkeypatch.context() as patch:
        patch.setattr("cadena.gui.panels.parts.formula_view.cached", lambda latex: None)
        assert view.heightForWidth(200) == 2  # it is being set
    asked.clear()
    view.lines(200.0)  # it is painted as soon as it has been set
    typesetter.formulas_set.emit()
    assert asked and view.heightForWidth(200) > 10


def test_a_formula_was_cut_off_while_others_were_still_being_set(show, monkeypatch):
    """It was painted when anything had it painted, in a room of two pixels; here nobody says that it has been set."""
    panel = QWidget()
    column = QVBoxLayout(panel)
    views = [FormulaView(LIGHT, 24, 12) for _ in range(2)]
    for view in views:
        column.addWidget(view)
    column.addStretch()
    with monkeypatch.context() as patch:
        patch.setattr("cadena.gui.panels.parts.formula_view.cached", lambda latex: None)
        for view in views:
            view.show_latex(r"\frac{q}{17}")
        show(panel, 300, 300)
        calm(panel)
        assert {view.height() for view in views} == {2}
    views[0].update()
    calm(panel)
    assert {view.height() for view in views} == {views[0].heightForWidth(views[0].width())}
    assert views[0].height() > 30
