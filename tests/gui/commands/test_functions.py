"""Commands for functions, atoms, the backward graph, accumulated gradients and the order, by their keys."""

from __future__ import annotations

import numpy as np
import pytest

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.rewriting.function_edits import make_function
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering.card_notes import notes
from tests.gui.commands.test_context import back, offered_on
from tests.gui.user import settle


def softmax() -> Document:
    leaf = Node("z", "parameter", value=as_value(np.array([1.0, 2.0, 0.5])))
    nodes = {"z": leaf, "p": Node("p", "softmax", inputs=("z",)), "L": Node("L", "sum", inputs=("p",))}
    return Document(nodes, "L", layout={"z": (0, 0), "p": (200, 0), "L": (400, 0)})


def show(user, document: Document, *selected: str) -> None:
    user.session.open(document, None)
    user.session.show_live()
    user.session.select(selected)
    user.canvas.setFocus()
    settle()


def menu_texts(user, name: str) -> list[str]:
    texts = offered_on(user, user.name_of(name))
    back(user)
    return texts


# --- functions


def test_a_function_is_made_of_a_selection_in_place_in_one_step(user):
    before = user.session.document
    show(user, before, "m1", "m2", "b1")
    user.press("Ctrl+G")
    user.type("weighted")
    assert user.session.document.nodes["b1"].op == "weighted" and user.session.selection == {"b1"}
    assert user.session.history.undo_label == "Make a function of 3 nodes"
    user.press("Ctrl+Z")
    assert user.session.document == before


def test_a_bad_name_stays_in_the_field_with_its_sentence(user):
    show(user, user.session.document, "m1", "m2", "b1")
    user.press("Ctrl+G")
    user.type("sin")
    assert (
        user.canvas.fields.editor is not None
        and "is an operation of Cadena" in user.canvas.fields.editor.problem.text()
    )
    user.press("Esc")


def test_what_cannot_be_a_function_says_so_before_a_name_is_asked_for(user):
    show(user, user.session.document, "m1", "m2")
    user.press("Ctrl+G")
    assert user.canvas.fields.editor is None and "exactly one" in user.window.toast.text.text()


def test_a_call_is_folded_back_into_nodes(user):
    show(user, open_lesson("8"), "y")
    user.do("function.inline")
    assert {node.op for node in user.session.document.nodes.values()} == {"parameter", "constant", "exp", "divide"}


def test_a_function_is_renamed_with_its_calls(user):
    show(user, open_lesson("8"), "y")
    user.do("function.rename")
    user.type("inverse_exp")
    assert user.session.document.nodes["y"].op == "inverse_exp" and "inverse_exp" in user.session.document.functions


def test_the_custom_gradient_is_set_aside_taken_up_and_removed(user):
    show(user, open_lesson("8"), "y")
    user.do("function.use-gradient")
    assert np.isnan(user.session.run.gradient("x"))
    user.do("function.use-gradient")
    assert user.session.run.gradient("x") == pytest.approx(-3.78e-44, rel=1e-2)
    user.do("function.remove-gradient")
    assert user.session.document.functions["one_over_exp"].gradient is None


def test_the_menu_of_a_call_says_what_can_be_done_with_a_function(user):
    show(user, open_lesson("8"))
    texts = menu_texts(user, "y")
    assert {"Enter", "Ungroup", "Custom gradient…", "Use custom gradient"} <= set(texts)
    assert "Enter" not in menu_texts(user, "x")


# --- atoms


def test_a_composite_operation_is_expanded_in_place_and_folded_back(user):
    document = softmax()
    show(user, document, "p")
    assert "Take apart" in menu_texts(user, "p")
    user.do("graph.expand")
    assert user.session.document.nodes["p"].op == "divide" and user.session.run.value("L") == pytest.approx(1.0)
    assert "Fold back" in menu_texts(user, "p")
    user.do("graph.fold")
    assert user.session.document.nodes == document.nodes and user.session.selection == {"p"}


def test_where_the_pieces_differ_from_the_operation_is_said_at_the_foot_of_the_window(user):
    show(user, softmax(), "p")
    user.do("graph.expand")
    assert user.window.toast.text.text().startswith("The pieces of softmax differ from it: exp overflows")


def test_what_was_in_view_as_a_whole_is_so_after_folding_back(user):
    """It stayed small, with half of the canvas empty."""
    show(user, softmax(), "p")
    user.session.show_live()
    settle()
    user.canvas.zoom_to_fit()
    before = user.canvas.camera
    user.do("graph.expand")
    assert user.canvas.camera != before
    user.do("graph.fold")
    assert user.canvas.camera == before


def test_cards_of_an_expanded_operation_do_not_cover_each_other(user):
    show(user, softmax(), "p")
    user.do("graph.expand")
    cards = [user.canvas.places.card(name) for name in user.session.document.nodes]
    assert not any(one.intersects(other) for place, one in enumerate(cards) for other in cards[:place])


def test_an_elementary_operation_cannot_be_expanded(user):
    show(user, user.session.document, "m1")
    assert not user.window.menus.action("graph.expand").isEnabled() and "Take apart" not in menu_texts(user, "m1")


# --- the backward graph


def test_the_backward_graph_is_a_new_unsaved_document(user):
    user.do("graph.unfold")
    session = user.session
    assert session.document.title == "first chain rule: reverse pass" and session.modified and session.path is None
    assert session.run.value("dw0") == -28


def test_the_backward_graph_of_a_function_had_the_name_of_the_file(user):
    show(user, make_function(user.session.document, ["m1", "m2", "b1"], "affine"), "b1")
    user.press("Ctrl+Return")
    user.answers.leave = "discard"
    user.do("graph.unfold")
    assert user.session.document.title == "affine: reverse pass"


def test_the_backward_graph_of_a_backward_graph_lost_its_name(user):
    user.answers.leave = "discard"
    user.do("graph.unfold")
    user.do("graph.unfold")
    assert user.session.document.title == "first chain rule: reverse pass: reverse pass"


def test_unfolding_leaves_the_graph_open_that_it_is_of(user):
    user.set_value("w0", "10")
    before = user.session.document
    user.do("graph.unfold")
    assert user.session.document.title == "first chain rule: reverse pass" and user.session.modified
    user.press("Ctrl+Tab")
    assert user.session.document is before and user.session.modified and not user.answers.asked


# --- accumulation


def test_backward_adds_up_and_zero_grad_clears(user):
    show(user, open_lesson("4"))
    assert user.session.accumulated is None and not user.window.menus.action("run.zero-grad").isEnabled()
    user.window.inspector.graph.accumulation.backward.click()
    assert user.session.accumulated.gradients["w0"] == -28
    user.press("Ctrl+B")
    assert user.session.accumulated.gradients["w0"] == -56 and user.session.accumulated.passes == 2
    user.press("End")
    assert ("w0", "Σ −56, 2 passes") in notes(user.canvas.scene, list(user.session.document.nodes))
    user.do("run.zero-grad")
    assert user.session.accumulated.gradients["w0"] == 0 and user.session.accumulated.passes == 0


def test_backward_was_a_jump_and_is_the_reverse_pass_that_adds_wire_by_wire(user):
    session = user.session
    show(user, open_lesson("4"))
    user.press("Ctrl+B")
    assert session.playback.playing and not session.live and session.timeline[int(session.time)].phase == "seed"
    assert session.held.gradients == {}  # nothing has arrived yet
    user.press("End")
    assert session.held.gradients["w0"] == -28
    user.press("Ctrl+B")
    arrival = next(step.index for step in session.timeline if step.operand == "w4")
    session.playback.pause()
    session.set_time(float(arrival))
    held = [float(session.held.gradients[name]) for name in ("w0", "w4")]
    assert held == [-28, -36] and notes(user.canvas.scene, ["w0", "w4"]) == [
        ("w0", "Σ −28, 1 pass"), ("w4", "Σ −36, 1 pass"),
    ]  # fmt: skip
    buttons = user.window.inspector.graph.accumulation
    assert buttons.state.text() == "Backward pass 2 is under way: what arrives is added."
    session.set_time(arrival + 1.0)
    held = [float(session.held.gradients[name]) for name in ("w0", "w4")]
    assert held == [-28, -72] and ("w4", "Σ −72, 2 passes") in notes(user.canvas.scene, ["w4"])
    user.press("End")
    assert {name: float(sum_) for name, sum_ in session.held.gradients.items()} == {
        "w0": -56, "w1": -42, "w2": -24, "w3": -46, "w4": -72,
    }  # fmt: skip
    assert buttons.state.text() == "Sum of 2 backward passes."
    user.do("run.zero-grad")
    assert session.held.gradients["w0"] == 0


def test_the_inspector_tells_what_a_leaf_holds(user):
    show(user, open_lesson("1"), "w0")
    fact = user.window.inspector.node.accumulated
    assert fact.isHidden()
    user.press("Ctrl+B")
    user.press("Ctrl+B")
    user.press("End")
    user.window.inspector.follow()
    assert fact.isVisible() and fact.quantity.number.text() == "−56"


def test_another_document_has_accumulated_nothing(user):
    show(user, open_lesson("4"))
    user.press("Ctrl+B")
    show(user, open_lesson("1"))
    assert user.session.accumulated is None and not notes(user.canvas.scene, list(user.session.document.nodes))


def test_a_renamed_leaf_lost_the_gradient_that_it_held(user):
    show(user, open_lesson("4"), "w0")
    user.press("Ctrl+B")
    user.session.edit(lambda document: edits.rename(document, "w0", "first"), "Rename")
    assert user.session.accumulated.gradients["first"] == -28
    user.press("Ctrl+B")
    user.press("End")
    assert ("first", "Σ −56, 2 passes") in notes(user.canvas.scene, list(user.session.document.nodes))
    user.press("Ctrl+Z")
    assert user.session.accumulated.gradients["w0"] == -56


def test_lesson_4_plays_backward_twice_and_counts_up_and_the_users_own_passes_begin_anew(user):
    user.window.files.open_lesson("4")
    settle()
    session, telling, number = user.session, user.session.telling, user.window.transport.counter
    seen = []
    for text, step in enumerate(telling.story.steps):
        telling.show(text)
        settle()
        held = dict(notes(user.canvas.scene, ["w0"])).get("w0", "")
        seen.append((number.text(), held))
        assert user.window.transport.scrubber.now == session.time, step.text
    assert seen == [
        ("0 / 47", ""), ("9 / 47", ""), ("21 / 47", "Σ −28, 1 pass"), ("22 / 47", "Σ −28, 1 pass"),
        ("34 / 47", "Σ −56, 2 passes"), ("35 / 47", "Σ 0"), ("47 / 47", "Σ −28, 1 pass"),
    ]  # fmt: skip
    user.press("Ctrl+B")
    user.press("End")
    settle()
    assert session.accumulated.gradients["w0"] == -28 and len(session.timeline) == 21


# --- order


def test_the_arrow_keys_went_through_steps_that_were_not_to_be_seen(user, monkeypatch):
    show(user, open_lesson("3"))
    monkeypatch.setattr(user.session.telling, "is_shown", False)  # its texts come between the steps
    user.do("view.order")
    for key, visit in (("Right", 1), ("Right", 2), ("Left", 1)):
        user.press(key)
        assert user.window.panels["order"].open().visits.currentRow() == visit
    user.do("view.order")
    user.press("Right")
    assert user.window.panels["order"].open().visits.currentRow() == 1


def test_the_naive_recursion_is_shown_beside_the_right_gradients(user, monkeypatch):
    show(user, open_lesson("3"))
    monkeypatch.setattr(user.session.telling, "is_shown", False)  # its question would hold back what visits bring
    user.do("view.order")
    order = user.window.panels["order"].open()
    cells = [[order.table.item(row, column).text() for column in range(4)] for row in range(order.table.rowCount())]
    assert cells[-1] == ["a", "–", "–", ""] and order.visits.count() == 6
    seen = []
    for _ in range(5):
        order.after.click()
        seen.append([order.table.item(2, column).text() for column in range(1, 4)])
    assert seen == [["1", "–", ""], ["2", "2", ""], ["2", "4", ""], ["4", "4", ""], ["6", "4", "⚠ wrong"]]
    assert "Wrong for a" in order.verdict.text() and user.session.selection == {"a"}


def test_the_orders_were_not_played_together(user):
    show(user, open_lesson("3"))
    user.pass_questions()
    user.do("view.order")
    session, order = user.session, user.window.panels["order"].open()
    for time, visit in ((3.0, -1), (3.5, 0), (5.0, 2), (6.5, 5), (7.0, 5)):
        session.set_time(time)
        assert order.visits.currentRow() == visit and session.time == time
    session.set_time(4.0)
    order.step(-1)
    order.step(3)
    assert (session.time, order.visits.currentRow()) == (7.0, 3)
    order.step(1)
    assert (session.time, order.visits.currentRow()) == (7.0, 4)  # the visits go on alone
    user.do("view.order")


def test_a_lesson_played_four_of_the_six_visits_and_opening_them_moved_the_steps(user):
    user.window.files.open_lesson("3")
    settle()
    session, order = user.session, user.window.panels["order"].open()
    session.telling.show(1)
    settle()
    assert order.isVisible() and session.time == 3.0 and session.telling.number == 1
    seen = []
    order.visits.currentRowChanged.connect(seen.append)
    session.playback.play()
    while session.time < len(session.timeline):
        session.playback.resume()
        session.playback.advance(0.05)
        session.telling.show_answer()
    assert seen == [0, 1, 2, 3, 4, 5] and "Wrong for a" in order.verdict.text()


def test_the_comparison_follows_another_graph(user):
    show(user, open_lesson("3"))
    user.do("view.order")
    show(user, open_lesson("1"))
    order = user.window.panels["order"].open()
    order.visits.setCurrentRow(11)
    assert order.visits.count() == 12 and "right" in order.verdict.text()
    user.do("view.order")
    assert user.window.panels["order"].isHidden()


def test_a_graph_with_too_many_visits_says_how_many(user):
    nodes = {"a": Node("a", "parameter", value=1.0)}
    for number in range(20):
        source = f"b{number - 1}" if number else "a"
        nodes[f"b{number}"] = Node(f"b{number}", "add", inputs=(source, source))
    show(user, Document(nodes, "b19"))
    user.do("view.order")
    order = user.window.panels["order"].open()
    assert "visits" in order.refusal.text and order.visits.isHidden()
    user.do("view.order")


def test_the_recursion_was_to_be_seen_in_a_table_only(user, monkeypatch):
    """What each node holds at a visit stands at its card, below the right gradient, and the wire gone back is lit."""
    user.session.open(open_lesson("3"), None)
    monkeypatch.setattr(user.session.telling, "is_shown", False)  # its question would hold back what visits bring
    settle()
    user.canvas.setFocus()
    user.do("view.order")
    scene = user.canvas.scene
    assert (
        user.session.frame.gradient("b") == 1
        and scene.remarks == (("b", "no order: 1"),)
        and scene.remarked_wire == ("c", 0)
    )
    user.window.panels["order"].open().visits.setCurrentRow(5)
    assert dict(user.canvas.scene.remarks) == {"b": "no order: 2", "a": "no order: 6"}
    assert ("a", "no order: 6") in notes(user.canvas.scene, ["a"])
    user.do("view.order")
    assert user.canvas.scene.remarks == () and user.canvas.scene.remarked_wire is None
