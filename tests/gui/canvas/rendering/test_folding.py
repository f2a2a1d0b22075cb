"""Folding in the window: where the step is and at a click blocks open, gently, and no edit is made."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt

from cadena.core.expressions.reading import parse
from cadena.core.layout.arrange import arrange
from cadena.core.methods.reverse.activity import Activity
from cadena.gui.canvas.interaction.commands import ARRANGED
from cadena.gui.canvas.rendering import leaf_rows
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.card import card_of
from cadena.gui.session.playback import SWEEP_SECONDS
from tests.gui import mouse
from tests.gui.user import settle

LEFT, NO_KEY = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CHAIN = "; ".join(f"y{at} = sin(y{at - 1}*w{at})" for at in range(1, 25))
LEAVES = "; ".join(f"w{at} = {1 + at / 100}" for at in range(1, 25))
TEXT = f"x = 1; v = 2; {LEAVES}; y0 = exp(x)*v; {CHAIN}; z = cos(y0); L = y24 + z*v + y0"
SMALL = "x = 1; a = exp(x); b = sin(a); c = sin(b); d = sin(c); e = sin(d); f = sin(e); g = sin(f); L = g*a"


@pytest.fixture
def large(user):
    """A user at a graph of 79 nodes with one long repeat, in reading size."""
    user.session.open(arrange(parse(TEXT)), None)
    user.window.resize(1200, 800)
    settle()
    user.canvas.set_camera(Camera(-60.0, 20.0, 1.0))
    return user


def rest(user):
    """Let the motion come to its end."""
    user.canvas.places  # noqa: B018 -- it begins when the picture is asked for
    user.canvas.folds.finish()
    settle()


def folds(user):
    return {name: block.count for name, block in user.canvas.places.folds.items()}


def middle(user, name) -> QPoint:
    return user.canvas.camera.to_view(user.canvas.goal.card(name).center()).toPoint()


def test_a_large_graph_begins_folded(large):
    assert folds(large) == {"y24": 24}


def test_a_large_graph_of_which_blocks_save_little_is_shown_as_it_was_laid_out(user):
    kinds = Random(1).choices(("sin", "cos", "exp", "tanh"), k=80)
    text = "; ".join(["a0 = 1", *(f"a{at} = {kinds[at]}(a{at // 2})" for at in range(1, 80))])
    user.session.open(arrange(parse(text)), None)
    settle()
    assert not user.canvas.places.is_arranged and not user.canvas.folds_blocks


def test_a_small_graph_folds_at_the_command_and_unfolds_at_the_next(user):
    user.session.open(arrange(parse(SMALL)), None)
    before = user.session.document
    assert folds(user) == {}
    user.do("view.fold-repeats")
    rest(user)
    assert folds(user) == {"g": 6} and user.window.menus.action("view.fold-repeats").isChecked()
    user.do("view.fold-repeats")
    rest(user)
    assert folds(user) == {} and not user.window.menus.action("view.fold-repeats").isChecked()
    assert user.session.document is before and not user.session.modified and not user.session.history.past


def test_the_choice_holds_until_another_graph_is_opened(large):
    large.do("view.fold-repeats")
    rest(large)
    assert folds(large) == {}
    large.session.open(arrange(parse(TEXT)), None)
    settle()
    assert folds(large) == {"y24": 24}


def test_what_the_step_needs_is_open_and_the_rest_is_closed_again_behind(large):
    session = large.session
    for index in range(1, len(session.timeline), 3):
        session.set_time(float(index))
        rest(large)
        places, step = large.canvas.places, session.timeline[index]
        for name in {step.node, step.operand or step.node, *session.document.nodes[step.node].inputs}:
            inside = places.stands_in(name) in places.inside
            assert (places.is_shown(name) or inside) and name not in places.folds, (index, name)
        assert len(places.shown_numbers) < 30, index


def test_a_sweep_leaves_blocks_closed_until_another_step_is_shown(large):
    """At its end the last step opened its block, and half of the picture was out of view."""
    playback = large.session.playback
    playback.sweep()
    assert not large.canvas.scene.labelled
    playback.advance(SWEEP_SECONDS)
    rest(large)
    assert not playback.playing and large.canvas.scene.labelled and folds(large) == {"y24": 24}
    large.session.set_time(large.session.timeline.forward_length + 9.0)
    rest(large)
    assert folds(large) != {"y24": 24}


def test_the_picture_is_a_function_of_time(large):
    boxes = {}
    for time in [3.0, 3.3, 20.2, 20.5, 60.1, 90.45, 20.5, 3.3]:
        large.session.set_time(time)
        rest(large)
        assert np.array_equal(boxes.setdefault(time, large.canvas.places.boxes), large.canvas.places.boxes)


def test_a_click_opens_the_block_under_the_mouse_and_escape_closes_it(large):
    at = middle(large, "y24")
    mouse.point_at(large.canvas, at)
    large.click(at)
    assert large.canvas.folds.before is not None and large.canvas.folds.share < 1.0
    rest(large)
    assert len(large.canvas.places.folds) == 24 and not large.session.selection
    assert [block.title for block in large.canvas.places.open_blocks] == ["multiply + sin × 24"]
    large.press("Esc")
    rest(large)
    assert folds(large) == {"y24": 24} and not large.session.history.past


def test_a_click_on_the_title_closes_a_block_and_one_on_a_turn_opens_that(large):
    canvas = large.canvas
    large.click(middle(large, "y24"))
    rest(large)
    canvas.zoom_to_fit()
    large.click(middle(large, "y3"))
    rest(large)
    assert [block.title for block in canvas.places.open_blocks] == ["multiply + sin × 24", "y3"]
    assert canvas.places.is_shown("y3") and "y3" not in canvas.places.folds
    canvas.zoom_to_fit()
    left, top, _, _ = canvas.places.open_blocks[0].edges
    large.click(canvas.camera.to_view(QPointF(left + 40.0, top + 12.0)).toPoint())
    rest(large)
    assert folds(large) == {"y24": 24}


def test_a_click_on_the_row_of_a_leaf_shows_it_in_the_inspector(large):
    canvas = large.canvas
    for _ in range(2):
        large.click(middle(large, "y24" if folds(large) == {"y24": 24} else "y3"))
        rest(large)
        canvas.zoom_to_fit()
    row = leaf_rows.areas(canvas.places, canvas.places.stands_in("w3"))["w3"]
    large.click(canvas.camera.to_view(row.center()).toPoint())
    assert large.session.selection == {"w3"}


@pytest.fixture
def unfolded(large):
    """The same graph as it was laid out, with w3 in view."""
    large.session.reduce_motion = True
    large.do("view.fold-repeats")
    card = large.canvas.places.card(large.canvas.places.stands_in("w3"))
    large.canvas.set_camera(Camera(card.left() - 200.0, card.top() - 200.0, 1.0))
    settle()
    return large


def test_leaves_stand_in_cards_where_nothing_is_folded_and_the_view_menu_takes_them_out(unfolded):
    canvas, before = unfolded.canvas, unfolded.session.document
    assert (
        not canvas.folds_blocks
        and not canvas.places.is_shown("w3")
        and unfolded.window.menus.action("view.leaf-rows").isChecked()
    )
    unfolded.do("view.leaf-rows")
    assert canvas.places.is_shown("w3") and not canvas.places.inside
    assert canvas.places.card("w3").topLeft() == QPointF(*before.layout["w3"])
    unfolded.do("view.fold-repeats")
    unfolded.session.set_time(30.0)
    settle()
    assert canvas.folds_blocks and not canvas.places.inside
    unfolded.do("view.leaf-rows")
    assert canvas.places.inside and unfolded.session.document is before


def test_a_small_graph_puts_leaves_into_cards_at_the_command(user):
    user.session.reduce_motion = True
    user.session.open(arrange(parse("x = 1; w = 2; a = x*w; L = a + x")), None)
    assert user.canvas.places.is_shown("w")
    user.do("view.leaf-rows")
    assert user.canvas.places.stands_in("w") == "a" and user.canvas.places.is_shown("x")


def test_a_double_click_on_the_row_of_a_leaf_edits_its_number_there(unfolded):
    canvas = unfolded.canvas
    row = canvas.places.card("w3")
    unfolded.double_click(canvas.camera.to_view(QPointF(row.right() - 20.0, row.center().y())).toPoint())
    field = canvas.fields.editor
    assert field is not None and field.name == "w3"
    assert abs(field.geometry().center().y() - canvas.camera.to_view(row.center()).y()) < 4.0
    unfolded.type("0.25")
    assert unfolded.session.document.nodes["w3"].value == 0.25 and not canvas.places.is_shown("w3")


def test_an_operation_and_the_leaves_in_its_card_move_together(unfolded):
    canvas, before = unfolded.canvas, unfolded.session.document.layout
    name = canvas.places.stands_in("w3")
    start = canvas.camera.to_view(canvas.places.name_area(name).center()).toPoint()
    unfolded.drag(start, start + QPoint(0, 64))
    after = unfolded.session.document.layout
    ways = {node: after[node][1] - before[node][1] for node in (name, "w3")}
    assert ways[name] == ways["w3"] > 30.0
    assert {node for node in after if after[node] != before[node]} == {name, "w3"}
    row = canvas.camera.to_view(canvas.places.card("w3").center()).toPoint()
    unfolded.drag(row, row + QPoint(0, 48))  # the row leads the card as well
    assert unfolded.session.document.layout[name][1] > after[name][1] + 20.0


def test_selecting_by_name_opens_the_block_around_the_node_and_shows_it(large):
    large.canvas.commands.go_to("y12")
    rest(large)
    card = large.canvas.camera.transform.mapRect(large.canvas.places.card("y12"))
    assert folds(large) == {"y11": 11, "y24": 12} and large.canvas.rect().contains(card.toRect())
    large.session.select(large.session.document.nodes)
    rest(large)
    assert folds(large) == {"y24": 24}, "all of a block are its card"


def test_with_reduced_motion_it_opens_at_once(large):
    large.session.reduce_motion = True
    large.click(middle(large, "y24"))
    assert large.canvas.folds.before is None and len(large.canvas.places.folds) == 24
    large.session.set_time(20.4)
    assert large.canvas.places.moving is None


def test_cards_of_a_folded_graph_stay_and_a_drag_says_why(large):
    before, said = large.session.document, []
    large.session.message.connect(said.append)
    start = middle(large, "L")
    large.drag(start, start + QPoint(0, 160))
    rest(large)
    assert large.session.document is before and middle(large, "L") == start
    assert said == [ARRANGED]


def test_a_wire_is_drawn_from_the_end_of_a_block(large):
    canvas = large.canvas
    canvas.commands.add("tanh", QPointF(-40.0, 260.0))
    rest(large)
    large.session.select(())
    rest(large)
    canvas.zoom_to_fit()
    (name,) = set(large.session.document.nodes) - set(parse(TEXT).nodes)
    large.connect("y24", name, 0)
    rest(large)
    assert large.session.document.source_of(name, 0) == "y24" and folds(large) == {"y24": 24}


def test_the_wire_into_a_block_is_hit_selected_and_deleted(large):
    canvas = large.canvas
    first = "multiply1"
    at = canvas.camera.to_view(canvas.places.wire("y0", first, 0).pointAtPercent(0.4)).toPoint()
    assert canvas.hit(QPointF(at)).wire == (first, 0)
    large.click(at)
    assert canvas.selected_wire == (first, 0)
    large.press("Del")
    rest(large)
    assert large.session.document.source_of(first, 0) is None


def test_marked_nodes_are_shown(large):
    large.canvas.show_remarks((("y7", "here"),), None)
    rest(large)
    assert large.canvas.places.is_shown("y7") and len(folds(large)) == 2
    large.canvas.show_remarks((), None)


def test_a_whole_graph_in_view_stays_in_view(large):
    large.canvas.zoom_to_fit()
    folded_zoom = large.canvas.camera.zoom
    large.do("view.fold-repeats")
    rest(large)
    assert large.canvas.shows_all and large.canvas.camera.zoom < 0.5 * folded_zoom
    large.do("view.fold-repeats")
    rest(large)
    assert large.canvas.shows_all and large.canvas.camera.zoom == pytest.approx(folded_zoom)


def test_the_card_of_a_block_says_how_much_it_stands_for(large):
    large.session.show_live()
    settle()
    card = card_of(large.canvas.scene, "y24", Activity(), frozenset())
    assert card.title == "multiply + sin" and card.folded == "× 24" and card.is_stack
    assert card.value == large.session.run.value("y24") and card.gradient == large.session.run.gradient("y24")


def test_undo_and_other_edits_while_folded_leave_picture_and_document_agreeing(large):
    session = large.session
    for edit in range(4):
        session.select([f"y{5 * edit + 3}"])
        large.press("Del")
        settle()
        assert large.canvas.places.names == list(session.document.nodes)
    for _ in range(4):
        large.press("Ctrl+Z")
        assert large.canvas.places.names == list(session.document.nodes)
    session.select(())
    rest(large)
    assert folds(large) == {"y24": 24}


def test_a_sweep_goes_through_the_reverse_pass_in_two_seconds_and_opens_no_block(large):
    session = large.session
    large.window.menus.run("run.sweep")
    assert session.time == session.timeline.forward_length and session.playback.sweeps
    session.playback.advance(1.0)
    half = (session.timeline.forward_length + len(session.timeline)) / 2
    assert session.time == pytest.approx(half, abs=2.0) and folds(large) == {"y24": 24}
    session.playback.advance(1.01)
    assert session.time == len(session.timeline) and not session.playback.playing and not session.playback.sweeps
