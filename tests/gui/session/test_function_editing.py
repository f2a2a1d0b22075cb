"""Functions from within: in and out by mouse and keys, edits written back, what is refused."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.rewriting.function_edits import make_function, rename_function
from cadena.core.storage.files import load
from cadena.core.teaching.lessons import open_lesson
from tests.gui.user import settle


def make_weighted(user) -> None:
    """The function weighted of lesson 1's m1, m2 and b1."""
    user.session.show_live()
    user.session.select(["m1", "m2", "b1"])
    user.canvas.setFocus()
    user.press("Ctrl+G")
    user.type("weighted")


def crumbs(user) -> list[str]:
    return [crumb.text() for crumb in user.window.breadcrumb.crumbs]


# --- going in and out


def test_a_double_click_on_a_call_shows_its_subgraph_with_the_values_of_the_call(lesson8):
    lesson8.double_click(lesson8.value_of("y"))
    assert set(lesson8.session.document.nodes) == {"x", "one", "u", "y"}
    assert lesson8.session.run.value("x") == 100 and np.isinf(lesson8.session.run.value("u"))
    assert crumbs(lesson8) == ["graph", "one_over_exp"] and lesson8.window.breadcrumb.isVisible()


def test_enter_steps_in_and_a_key_steps_out(lesson8):
    lesson8.click(lesson8.name_of("y"))
    lesson8.press("Return")
    assert lesson8.window.inside.levels
    lesson8.press("Ctrl+Backspace")
    assert not lesson8.window.inside.levels and lesson8.window.breadcrumb.isHidden()


def test_leaving_goes_back_to_the_same_view_and_selection_and_is_no_edit_by_itself(lesson8):
    lesson8.click(lesson8.name_of("y"))
    lesson8.canvas.zoom_in()
    camera, document = lesson8.canvas.camera, lesson8.session.document
    lesson8.press("Ctrl+Return")
    assert not lesson8.session.modified
    lesson8.window.breadcrumb.back.click()
    assert lesson8.canvas.camera == camera and lesson8.session.selection == {"y"}
    assert lesson8.session.document == document and not lesson8.session.modified
    assert lesson8.session.history.undo_label is None


def test_gradients_inside_are_those_of_the_whole_graph(user):
    make_weighted(user)
    user.press("Return")
    assert user.session.run.gradient("b1") == -7 and user.session.run.gradient("w0") == -28


def test_calls_within_calls_have_a_crumb_each_which_leads_back(user):
    make_weighted(user)
    user.press("Return")
    user.session.select(["m1"])
    settle()
    user.press("Ctrl+G")
    user.type("product")
    user.press("Return")
    assert crumbs(user) == ["graph", "weighted", "product"]
    user.window.breadcrumb.crumbs[0].click()
    settle()
    assert not user.window.inside.levels
    assert set(user.session.document.functions) == {"weighted", "product"}
    assert user.session.run.value("L") == -254 and not user.session.faults


def test_edits_inside_are_written_back_as_one_step(user):
    make_weighted(user)
    user.press("Return")
    user.session.edit(lambda document: edits.set_operation(document, "b1", "subtract"), "Change b1")
    user.session.edit(lambda document: edits.rename(document, "m1", "first"), "Rename m1")
    assert user.session.modified
    user.press("Ctrl+Backspace")
    assert user.session.run.value("b1") == 8 - 15
    user.press("Ctrl+Z")
    assert user.session.run.value("b1") == 23


def test_saving_inside_saves_the_whole_graph_with_the_edits(user, tmp_path):
    make_weighted(user)
    user.press("Return")
    user.session.edit(lambda document: edits.set_operation(document, "b1", "subtract"), "Change b1")
    user.answers.path = tmp_path / "whole.cadena"
    user.press("Ctrl+S")
    assert compile(load(tmp_path / "whole.cadena")).run().value("b1") == 8 - 15
    assert not user.session.modified and user.window.inside.levels


def test_opening_another_document_inside_leaves_no_level_and_no_fault_behind(lesson8):
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.session.open(open_lesson("1"), None)
    assert not lesson8.window.inside.levels and lesson8.window.breadcrumb.isHidden()
    assert not lesson8.session.faults and lesson8.session.state.seed is None


# --- what is refused


def test_a_function_that_would_contain_itself_is_told_in_the_problems_and_nothing_is_lost(lesson8):
    before = lesson8.session.document
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.session.edit(lambda document: edits.set_operation(document, "u", "one_over_exp"), "Change u")
    assert any("contains itself" in fault.message for fault in lesson8.session.faults)
    lesson8.press("Ctrl+Backspace")
    assert lesson8.window.inside.levels and lesson8.window.banner.isVisible()
    assert lesson8.session.document.nodes["u"].op == "one_over_exp"
    lesson8.window.banner.buttons[0].click()
    assert not lesson8.window.inside.levels and lesson8.session.document == before


def test_a_function_without_a_result_is_not_saved_and_says_so(lesson8, tmp_path):
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.session.edit(lambda document: edits.set_output(document, None), "No output")
    assert any("has no result" in fault.message for fault in lesson8.session.faults)
    lesson8.answers.path = tmp_path / "broken.cadena"
    lesson8.press("Ctrl+S")
    assert not lesson8.answers.path.exists() and "has no result" in lesson8.window.banner.text.text()


def test_a_fault_that_is_fixed_inside_leaves_the_problems(lesson8):
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.session.edit(lambda document: edits.set_output(document, None), "No output")
    lesson8.press("Ctrl+Z")
    assert not lesson8.session.state.outer_faults


def test_a_call_that_makes_a_function_contain_itself_was_not_named(lesson8):
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.session.edit(lambda document: edits.add(document, "one_over_exp", (0, 300), "again"), "Add again")
    told = [fault for fault in lesson8.session.faults if fault.kind == "function"]
    assert [fault.node for fault in told] == ["again"], "its open slot was told alone, and then the output named"
    assert "again calls one_over_exp, so that one_over_exp contains itself" in told[0].message


def go_into_cell(user) -> None:
    """Into a function that calls another, whose call is selected."""
    make_weighted(user)
    user.session.edit(lambda document: make_function(document, ["b1", "m3"], "cell"), "Make cell")
    user.session.select(["m3"])
    user.press("Ctrl+Return")
    user.session.select(["b1"])


def test_a_function_that_comes_back_through_another_is_told_at_the_call(user):
    go_into_cell(user)
    user.press("Ctrl+Return")
    user.session.edit(lambda document: edits.add(document, "cell", (0, 300), "again"), "Add again")
    assert any(fault.node == "again" and "cell, which calls weighted" in fault.message for fault in user.session.faults)


def test_a_function_renamed_inside_another_was_there_under_both_names(user):
    go_into_cell(user)
    user.do("function.rename")
    user.type("affine")
    user.press("Ctrl+Backspace")
    assert not user.window.inside.levels and set(user.session.document.functions) == {"cell", "affine"}
    assert user.session.run.value("L") == -254 and not user.session.faults
    user.press("Ctrl+Z")
    assert set(user.session.document.functions) == {"cell", "weighted"}


# --- what is around


def test_accumulated_gradients_wait_outside(user):
    make_weighted(user)
    user.press("Ctrl+B")
    user.press("Return")
    assert user.session.accumulated is None
    user.press("Ctrl+Backspace")
    assert user.session.accumulated.gradients["w0"] == -28


def test_what_is_fixed_takes_the_offer_to_lose_the_edits_away(lesson8):
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.session.edit(lambda document: edits.set_output(document, None), "No output")
    lesson8.press("Ctrl+Backspace")
    assert lesson8.window.banner.isVisible()
    lesson8.press("Ctrl+Z")
    assert lesson8.window.banner.isHidden()
    lesson8.press("Ctrl+Backspace")
    assert not lesson8.window.inside.levels


def test_the_number_type_chosen_inside_is_that_of_the_whole_graph(lesson8):
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.session.edit(lambda document: edits.set_dtype(document, "float64"), "Run in float64")
    lesson8.press("Ctrl+Backspace")
    assert lesson8.session.document.dtype == "float64"
    assert lesson8.session.run.gradient("x") == pytest.approx(-np.exp(-100.0))


def test_trying_other_operands_inside_changes_nothing_outside(lesson8):
    before = lesson8.session.document
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.set_value("x", "1")
    assert lesson8.session.run.value("y") == pytest.approx(np.exp(-1.0), rel=1e-6)
    lesson8.press("Ctrl+Backspace")
    assert lesson8.session.document.nodes == before.nodes and not lesson8.session.modified


def test_what_is_wrong_inside_was_told_twice(lesson8):
    """An open slot, and once more that the function waits for an operand."""
    lesson8.click(lesson8.name_of("y"))
    lesson8.do("function.gradient")
    lesson8.session.edit(lambda document: edits.remove(document, ["local"]), "Delete local")
    assert [fault.kind for fault in lesson8.session.faults] == ["open-slot"]
    lesson8.press("Ctrl+Backspace")
    assert lesson8.window.banner.isVisible()
    lesson8.session.edit(lambda document: edits.rename(document, "m", "minus"), "Rename")
    assert lesson8.window.banner.isVisible()


def test_a_button_that_steps_in_left_the_focus_to_any_other_button(lesson8, qtbot):
    lesson8.click(lesson8.name_of("y"))
    function = lesson8.window.inspector.node.function
    for button in (function.enter, function.edit):
        qtbot.waitUntil(lambda: function.isVisible() and function.name == "y")
        button.setFocus()
        button.click()
        assert lesson8.canvas.hasFocus() and lesson8.window.inside.levels
        lesson8.press("Ctrl+Backspace")


def test_nothing_said_that_an_edit_inside_is_one_of_all_calls(lesson8):
    lesson8.double_click(lesson8.value_of("y"))
    assert lesson8.window.breadcrumb.hint.text() == "what every call of one_over_exp does; the numbers are those of y"
    lesson8.press("Ctrl+Backspace")
    lesson8.do("function.gradient")
    assert lesson8.window.breadcrumb.hint.text().startswith("what goes back, for every call of one_over_exp")


def test_inside_gradients_are_those_of_the_graphs_output_two_levels_deep(user, qtbot):
    make_weighted(user)
    user.session.edit(lambda document: make_function(document, ["b1", "m3"], "deeper"), "Make a function")
    for call in ("m3", "b1"):
        user.session.select([call])
        user.press("Ctrl+Return")
        assert user.session.run.target == "L"
    assert user.window.breadcrumb.crumbs[-1].text() == "weighted"
    user.session.select(["m1"])
    title = user.window.inspector.node.derivation.title
    qtbot.waitUntil(lambda: title.text() == "How L depends on m1")


def test_half_of_the_hint_beside_the_way_was_to_be_seen_after_another_theme(user):
    user.window.resize(1280, 720)
    make_weighted(user)
    user.session.edit(lambda document: rename_function(document, "weighted", "weighted_sum_of_both"), "Rename")
    user.press("Return")
    hint = user.window.breadcrumb.hint
    for theme in ("light", "projector", "light"):
        user.window.choose_theme(theme)
        settle()
        assert not hint.text() or hint.fontMetrics().horizontalAdvance(hint.text()) <= hint.width()
    user.window.resize(1600, 720)
    settle()
    assert hint.text()


def test_the_title_typed_inside_a_function_was_lost(lesson8):
    field = lesson8.window.inspector.graph.title
    lesson8.double_click(lesson8.value_of("y"))
    lesson8.window.inspector.follow()
    assert field.text() == "y: one_over_exp" and field.isReadOnly()
    lesson8.press("Ctrl+Backspace")
    lesson8.session.select(())
    lesson8.window.inspector.follow()
    assert not field.isReadOnly()
