"""The whole expression of a node in the inspector, while the method is symbols."""

from __future__ import annotations

import pytest

from cadena.core.methods.names import Method
from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.inspector.expression_view import ExpressionView
from tests.gui.panels.conftest import matrices


@pytest.fixture
def view(session, show):
    return show(ExpressionView(LIGHT), 280, 200)


def test_it_is_there_once_the_steps_have_come_to_the_node(view, session):
    view.follow(session.frame, "L")
    assert view.isHidden()
    session.set_method(Method("symbolic"))
    view.follow(session.timeline.frame(1.0), "L")
    assert view.isHidden()
    view.follow(session.timeline.frame(2.0), "L")
    assert not view.isHidden() and view.formula.parts
    assert view.size_.text() == "2 operations written out; the graph has 2."


def test_an_array_has_an_expression_for_each_element(view, session):
    session.open(matrices(), None)
    session.set_method(Method("symbolic"))
    view.follow(session.timeline.frame(99.0), "Z")
    assert len(view.text.text().splitlines()) == 3


def test_a_long_expression_is_told_in_full_below_the_formula_with_dots(view, session):
    session.open(matrices(), None)
    session.set_method(Method("symbolic"))
    view.follow(session.timeline.frame(99.0), "L")
    assert any(r"\ldots" in part.latex for part in view.formula.parts)
    assert "W[1, 0]" in view.text.text() and view.height() >= view.text.heightForWidth(view.width())
