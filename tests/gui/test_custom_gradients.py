"""Custom gradients from within: their nodes, which of them is whose gradient, and what is wrong with them."""

from __future__ import annotations

import numpy as np

from cadena.core.graph import edits
from cadena.core.rewriting.function_edits import make_function
from cadena.gui.panels.parts.breadcrumb import NOTHING
from tests.gui.session.test_function_editing import crumbs, make_weighted


def choose_gradient(user, name: str, slot: int = 0) -> None:
    chooser = user.window.breadcrumb.choosers[slot]
    chooser.setCurrentText(name)
    chooser.activated.emit(chooser.currentIndex())


def test_the_choice_of_an_operands_gradient_was_no_undo_step(lesson8):
    lesson8.click(lesson8.name_of("y"))
    lesson8.do("function.gradient")
    choose_gradient(lesson8, "upstream")
    assert lesson8.session.history.undo_label == "Make upstream the gradient of x"
    lesson8.session.edit(lambda document: edits.rename(document, "upstream", "above"), "Rename")
    for key, shown in (("Ctrl+Z", "upstream"), ("Ctrl+Z", "dx"), ("Ctrl+Y", "upstream"), ("Ctrl+Y", "above")):
        lesson8.press(key)
        assert lesson8.window.breadcrumb.choosers[0].currentText() == shown
    for _ in range(2):
        lesson8.press("Ctrl+Z")
    assert not lesson8.session.modified
    lesson8.press("Ctrl+Backspace")
    assert lesson8.session.history.undo_label is None


def test_a_gradient_whose_node_was_deleted_says_whose_it_was(lesson8):
    lesson8.click(lesson8.name_of("y"))
    lesson8.do("function.gradient")
    choose_gradient(lesson8, "local")
    lesson8.session.edit(lambda document: edits.remove(document, ["local"]), "Delete local")
    lesson8.session.edit(lambda document: edits.remove(document, ["dx"]), "Delete dx")
    assert [fault.message.split(";")[0] for fault in lesson8.session.faults] == [
        "there is no node local to be the gradient of x"
    ]


def test_unfolding_a_custom_gradient_leaves_nothing_of_it_in_the_new_graph(lesson8):
    lesson8.session.edit(lambda document: edits.rename(document, "x", "z"), "Rename")
    lesson8.click(lesson8.name_of("y"))
    lesson8.do("function.gradient")
    lesson8.session.edit(lambda document: edits.set_operation(document, "x", "parameter"), "Change")
    lesson8.do("graph.unfold")
    assert not lesson8.session.document.extra


def test_a_custom_gradient_begins_as_the_automatic_one_and_is_there_after_leaving(user):
    make_weighted(user)
    user.do("function.gradient")
    assert crumbs(user) == ["graph", "gradient of weighted"]
    assert [chooser.currentText() for chooser in user.window.breadcrumb.choosers] == ["dw0", "da1", "dw1", "da2"]
    user.press("Ctrl+Backspace")
    assert user.session.document.functions["weighted"].gradient is not None
    assert user.session.run.gradient("w0") == -28
    user.press("Ctrl+Z")
    assert user.session.document.functions["weighted"].gradient is None


def test_the_node_that_is_a_gradient_is_chosen_and_keeps_its_place_when_it_is_renamed(lesson8):
    lesson8.click(lesson8.name_of("y"))
    lesson8.do("function.gradient")
    chooser = lesson8.window.breadcrumb.choosers[0]
    chooser.setCurrentText("upstream")
    chooser.activated.emit(chooser.currentIndex())
    lesson8.session.edit(lambda document: edits.rename(document, "upstream", "above"), "Rename")
    assert lesson8.window.breadcrumb.choosers[0].currentText() == "above"
    lesson8.press("Ctrl+Backspace")
    assert lesson8.session.run.gradient("x") == 1


def test_an_operand_may_get_no_gradient(lesson8):
    lesson8.click(lesson8.name_of("y"))
    lesson8.do("function.gradient")
    chooser = lesson8.window.breadcrumb.choosers[0]
    assert chooser.itemText(0) == NOTHING
    chooser.setCurrentIndex(0)
    chooser.activated.emit(0)
    lesson8.press("Ctrl+Backspace")
    assert lesson8.session.run.gradient("x") is None


def test_a_gradient_of_the_wrong_shape_is_told_while_it_is_edited(user):
    from cadena.core.graph.document import Document, Node, as_value
    from cadena.core.rewriting.function_edits import make_function

    leaf = Node("x", "parameter", value=as_value(np.array([1.0, 2.0])))
    nodes = {"x": leaf, "y": Node("y", "sin", inputs=("x",)), "L": Node("L", "sum", inputs=("y",))}
    user.session.open(make_function(Document(nodes, "L"), ["y"], "f"), None)
    user.session.select(["y"])
    user.canvas.setFocus()
    user.do("function.gradient")
    output = user.window.inside.outputs[0]
    user.session.edit(lambda document: edits.set_operation(document, output, "outer"), "Change")
    assert any("has shape" in fault.message for fault in user.session.faults)
    user.press("Ctrl+Z")
    assert not user.session.faults
    user.session.edit(lambda document: edits.add(document, "sum", (0, 0), "small"), "Add")
    user.session.edit(lambda document: edits.connect(document, output, "small", 0), "Connect")
    user.session.edit(lambda document: edits.set_output(document, output), "Choose the output")
    choose_gradient(user, "small")
    (fault,) = user.session.faults
    assert fault.node == "small" != user.session.document.output, "it was told at the output, which is in order"


def test_the_choosers_of_many_gradients_left_the_canvas_no_room(user):
    user.window.choose_theme("projector")
    user.window.resize(1280, 720)
    user.session.edit(lambda document: make_function(document, ["m1", "m2", "b1", "m3"], "cell"), "Make cell")
    user.session.select(["m3"])
    user.canvas.setFocus()
    user.do("function.gradient")
    rows = {chooser.mapTo(user.window, chooser.rect().center()).y() for chooser in user.window.breadcrumb.choosers}
    assert len(user.window.breadcrumb.choosers) == 5 and len(rows) == 2
