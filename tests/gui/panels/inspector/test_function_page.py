"""The inspector's section for a call: the custom gradient beside the automatic one, and the switch between them."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.methods.names import Method
from cadena.core.rewriting.function_edits import make_function, set_gradient
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.look import style
from cadena.gui.look.theme import LIGHT, PROJECTOR
from cadena.gui.panels.inspector.function_page import DIFFER, FunctionPage
from cadena.gui.panels.inspector.inspector import Inspector
from cadena.gui.session.session import Session
from tests.gui.user import calm


@pytest.fixture
def page(qtbot):
    session = Session(open_lesson("8"))
    session.show_live()
    page = FunctionPage(session, LIGHT)
    qtbot.addWidget(page)
    page.show_node("y")
    page.follow(session.frame)
    return page


def show(page: FunctionPage) -> None:
    page.show_node("y")
    page.follow(page.session.frame)


def test_both_gradients_of_each_operand_are_told(page):
    assert [[quantity.number.text() for quantity in pair] for pair in page.rows] == [["−3.784·10⁻⁴⁴", "nan"]]
    assert page.verdict.text() == DIFFER


def test_by_another_method_it_does_not_wait_for_the_reverse_pass(page):
    """ "The reverse pass has not come here yet" stood at the end of the steps of differences."""
    page.session.set_time(0.0)
    show(page)
    assert page.verdict.text() == "The reverse pass has not come here yet."
    page.session.set_method(Method("difference"))
    page.follow(page.session.frame)
    assert page.verdict.text() == "Choose reverse as the method to see both gradients."


def test_the_switch_sets_the_custom_gradient_aside_and_both_are_still_told(page):
    page.use.click()
    assert np.isnan(page.session.run.gradient("x"))
    show(page)
    assert not page.use.isChecked() and len(page.rows) == 1
    page.use.click()
    assert page.session.document == open_lesson("8")


def test_removing_leaves_nothing_to_compare(page):
    page.remove.click()
    show(page)
    assert page.use.isHidden() and not page.rows and page.edit.text() == "Custom gradient…"


def test_before_the_reverse_pass_has_come_there_nothing_is_told(page):
    page.session.set_time(0.0)
    show(page)
    assert not page.rows and "not come here yet" in page.verdict.text()


def test_a_node_that_is_no_call_has_no_such_section(page):
    page.show_node("x")
    assert page.isHidden()


def test_a_call_without_a_custom_gradient_offers_one(page):
    page.session.edit(lambda document: set_gradient(document, "one_over_exp", None), "Remove")
    show(page)
    with_signal = []
    page.gradientAsked.connect(with_signal.append)
    page.edit.click()
    assert with_signal == ["y"]


@pytest.mark.parametrize(("theme", "width"), [(LIGHT, 240), (PROJECTOR, 325)], ids=["light", "projector"])
def test_the_operands_of_a_function_made_the_page_wider_than_the_panel(session, show, qtbot, theme, width):
    """All at its right edge was cut: numbers, and the button that makes the output."""
    inspector = show(Inspector(session, LIGHT), 300, 900)
    inspector.set_theme(theme)
    style.apply(inspector, theme)
    inspector.resize(width, 500)  # where the window is narrow
    session.open(make_function(open_lesson("first_chain_rule"), ["m1", "m2", "b1"], "weighted"), None)
    session.select({"b1"})
    calm(inspector, session)
    page = inspector.node
    assert page.function.isVisible() and page.function.title.text().endswith("(w0, a1, w1, a2)")
    assert page.visibleRegion().boundingRect().width() == page.width()
