"""Frames with a real hand: made and named by keys, moved and renamed by the mouse."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication, QMenu

from cadena.core.graph.frames import collapsed_titles, color_of, frames, put_into_frame, rename_frame, set_collapsed
from cadena.core.methods.reverse.activity import Activity
from cadena.core.storage import files
from cadena.gui.canvas.interaction.tooltips import folded_facts, plain
from cadena.gui.canvas.rendering.card import card_of
from cadena.gui.canvas.rendering.frames import areas, mark_area, title_area
from cadena.gui.canvas.rendering.text_fitting import width
from cadena.gui.export.sheet import geometry_of
from cadena.gui.look.theme import CAPTION, CARD_NAME, GAP
from tests.gui.user import settle


@pytest.fixture
def framed(user):
    user.session.select(["m1", "m2", "b1"])
    user.canvas.setFocus()
    user.do("frame.make")
    user.type("First layer")
    user.press("Return")
    settle()
    return user


def title_of(user, title: str) -> QPoint:
    area = title_area(areas(user.session.document, user.canvas.places)[title])
    return user.canvas.camera.to_view(QPointF(area.left() + 60.0, area.top() + 8.0)).toPoint()


def test_a_title_is_typed_and_the_frame_holds_the_selected_nodes(framed):
    assert frames(framed.session.document) == {"First layer": ("m1", "m2", "b1")}
    area = areas(framed.session.document, framed.canvas.places)["First layer"]
    assert all(area.contains(framed.canvas.places.card(name)) for name in ("m1", "m2", "b1"))
    assert framed.session.history.undo_label == "Frame 3 nodes"
    framed.press("Ctrl+Z")
    assert not framed.session.modified


def test_a_frame_is_painted_below_its_cards(user):
    user.session.show_live()
    settle()
    before = user.canvas.grab().toImage()
    user.session.edit(lambda document: put_into_frame(document, ["m1", "m2"], "F"), "Frame 2 nodes")
    settle()
    card = user.canvas.places.card("m1")
    ground, inside = (
        user.canvas.camera.to_view(card.bottomLeft() + QPointF(*way)).toPoint() for way in ((20.0, 10.0), (12.0, -12.0))
    )
    after = user.canvas.grab().toImage()
    assert after.pixel(ground) != before.pixel(ground) and after.pixel(inside) == before.pixel(inside)


def test_a_frame_is_dragged_by_its_title_with_all_its_cards(framed):
    before = framed.session.document.layout
    start = title_of(framed, "First layer")
    framed.drag(start, start + QPoint(40, 60))
    after = framed.session.document.layout
    ways = {(after[name][0] - before[name][0], after[name][1] - before[name][1]) for name in ("m1", "m2", "b1")}
    assert len(ways) == 1 and ways != {(0.0, 0.0)}
    assert after["w0"] == before["w0"] and framed.session.selection == {"m1", "m2", "b1"}


def test_a_click_on_the_title_selects_what_is_in_the_frame(framed):
    framed.session.select(())
    framed.click(title_of(framed, "First layer"))
    assert framed.session.selection == {"m1", "m2", "b1"}


def test_a_double_click_on_the_title_changes_it_and_none_takes_the_frame_away(framed):
    framed.double_click(title_of(framed, "First layer"))
    framed.type("Encoder")
    framed.press("Return")
    assert list(frames(framed.session.document)) == ["Encoder"]
    framed.double_click(title_of(framed, "Encoder"))
    field = QApplication.focusWidget()
    field.clear()
    framed.press("Return")
    assert frames(framed.session.document) == {}


def test_keys_colour_a_frame_and_take_nodes_out_of_it(framed):
    framed.session.select(["m1"])
    framed.canvas.setFocus()
    framed.do("frame.colour")
    assert color_of(framed.session.document, "First layer") == 1
    framed.do("frame.leave")
    assert frames(framed.session.document) == {"First layer": ("m2", "b1")}
    assert not framed.window.menus.action("frame.leave").isEnabled()


# --- collapsed


def mark_of(user, title: str) -> QPoint:
    places = user.canvas.places
    fold = next((name for name, fold in places.folds.items() if getattr(fold, "title", "") == title), None)
    corner = places.card(fold).topLeft() if fold else areas(user.session.document, places)[title].topLeft()
    return user.canvas.camera.to_view(mark_area(corner).center()).toPoint()


def middle_of(user, name: str) -> QPoint:
    return user.canvas.camera.to_view(user.canvas.places.card(name).center()).toPoint()


def at_rest(user) -> None:
    """Let a motion of the cards come to its end."""
    user.canvas.places  # noqa: B018 -- it begins when the picture is asked for
    if "folds" in vars(user.canvas):
        user.canvas.folds.finish()
    settle()


@pytest.fixture
def collapsed(framed):
    framed.do("frame.collapse")
    at_rest(framed)
    framed.press("Escape")
    return framed


def card(user, name: str):
    return card_of(user.canvas.scene, name, Activity(), frozenset())


def test_a_key_collapses_a_frame_to_one_card_with_its_wires_and_undo_expands_it(framed):
    before = framed.session.document
    framed.session.select(["m1"])
    framed.do("frame.collapse")
    at_rest(framed)
    places = framed.canvas.places
    assert [fold.title for fold in places.folds.values()] == ["First layer"] and not places.is_shown("m1")
    assert framed.session.history.undo_label == "Collapse First layer"
    assert areas(framed.session.document, places) == {} and card(framed, "b1").title == "▸ First layer"
    assert card(framed, "b1").folded == "3 nodes"
    ends = {places.wire("w0", "m1", 0).pointAtPercent(1.0).x(), places.wire("a2", "m2", 1).pointAtPercent(1.0).x()}
    assert ends == {places.card("b1").left()} and places.output_port("b1").x() == places.card("b1").right()
    framed.press("Ctrl+Z")
    at_rest(framed)
    assert framed.session.document == before and not framed.canvas.places.folds


def test_the_mark_before_the_title_collapses_a_frame_and_expands_it(framed):
    framed.click(mark_of(framed, "First layer"))
    at_rest(framed)
    assert set(framed.canvas.places.folds) == {"b1"}
    framed.click(mark_of(framed, "First layer"))
    at_rest(framed)
    assert not framed.canvas.places.folds and framed.session.history.undo_label == "Expand First layer"


def test_a_click_on_the_card_selects_all_in_it_and_a_double_click_expands_it(collapsed):
    collapsed.click(middle_of(collapsed, "b1"))
    at_rest(collapsed)
    assert collapsed.session.selection == {"m1", "m2", "b1"} and set(collapsed.canvas.places.folds) == {"b1"}
    collapsed.press("Escape")
    collapsed.double_click(middle_of(collapsed, "b1"))
    at_rest(collapsed)
    assert not collapsed.canvas.places.folds and collapsed_titles(collapsed.session.document) == ()


def test_a_collapsed_frame_is_dragged_with_all_its_nodes(collapsed):
    before, start = collapsed.session.document.layout, middle_of(collapsed, "b1")
    collapsed.drag(start, start + QPoint(-30, 50))
    after = collapsed.session.document.layout
    ways = {(after[name][0] - before[name][0], after[name][1] - before[name][1]) for name in ("m1", "m2", "b1")}
    assert len(ways) == 1 and ways != {(0.0, 0.0)} and after["w0"] == before["w0"]
    assert set(collapsed.canvas.places.folds) == {"b1"}


def test_the_card_has_the_numbers_of_the_only_result_and_stays_closed_while_steps_are_in_it(collapsed):
    session = collapsed.session
    for index in range(len(session.timeline) + 1):
        session.set_time(float(index))
        at_rest(collapsed)
        assert set(collapsed.canvas.places.folds) == {"b1"}, index
    value, gradient = card(collapsed, "b1").rows
    assert (value.number, gradient.number) == (23.0, -7.0)  # 2 * 4 + 5 * 3, and -1 * 7
    tip = plain(folded_facts(session, collapsed.canvas.places.folds["b1"]))
    assert tip.split("\n") == [
        "First layer: 3 nodes, double-click to expand", "value of b1  23", "gradient of b1  −7",
    ]  # fmt: skip


def test_several_results_have_a_port_each_and_the_card_says_their_names(user):
    document = put_into_frame(user.session.document, ["m1", "m2", "b1", "b2"], "Both")
    user.session.open(set_collapsed(document, "Both", True), None)
    at_rest(user)
    places = user.canvas.places
    assert [(row.label, row.text) for row in card(user, "b2").rows] == [("out", "b1, b2"), ("in", "w0, a1, w1, a2, w2")]
    starts = [places.output_port(name) for name in ("b1", "b2")]
    assert starts[0].x() == starts[1].x() and starts[0].y() < starts[1].y()
    assert user.canvas.hit(user.canvas.camera.to_view(starts[0])).port == ("b1", None)
    ends = {places.input_port("m1", 1).toTuple(), places.input_port("b2", 1).toTuple()}
    assert len(ends) == 1  # a1 feeds both, and has one port


def test_a_frame_opens_where_one_of_its_nodes_is_found_and_closes_again(collapsed):
    collapsed.press("Ctrl+F")
    collapsed.type("m2")
    at_rest(collapsed)
    assert collapsed.session.selection == {"m2"} and not collapsed.canvas.places.folds
    collapsed.press("Escape")
    at_rest(collapsed)
    assert set(collapsed.canvas.places.folds) == {"b1"}


def test_the_card_of_a_collapsed_frame_covers_no_other(collapsed):
    places = collapsed.canvas.places
    cards = [places.boxes[number] for number in places.shown_numbers]
    for at, (left, top, right, bottom) in enumerate(cards):
        for one in cards[:at]:
            assert left >= one[2] or right <= one[0] or top >= one[3] or bottom <= one[1]


def test_a_menu_on_a_frame_is_about_the_frame(collapsed, monkeypatch):
    asked = []
    collapsed.canvas.menuAsked.connect(lambda hit, at: asked.append(hit.frame))
    collapsed.canvas.ask_menu(collapsed.canvas.camera.to_view(collapsed.canvas.places.card("b1").center()))
    assert asked == ["First layer"] and collapsed.session.selection == {"m1", "m2", "b1"}
    entries = {action.text() for menu in collapsed.canvas.findChildren(QMenu) for action in menu.actions()}
    assert {"Collapse or expand the frame", "Rename the frame…"} <= entries
    for menu in collapsed.canvas.findChildren(QMenu):
        menu.close()
    settle()


def test_a_file_keeps_that_a_frame_is_collapsed(collapsed, tmp_path):
    files.save(collapsed.session.document, tmp_path / "framed.cadena")
    collapsed.session.open(files.load(tmp_path / "framed.cadena"), None)
    at_rest(collapsed)
    assert set(collapsed.canvas.places.folds) == {"b1"}


def test_a_frame_with_one_card_says_that_there_is_nothing_to_collapse(user):
    user.session.edit(lambda document: put_into_frame(document, ["m1"], "F"), "Frame m1")
    user.session.select(["m1"])
    user.canvas.setFocus()
    said = []
    user.session.message.connect(said.append)
    user.do("frame.collapse")
    assert said == ["F holds one card; put more cards into it"] and not collapsed_titles(user.session.document)


def test_exported_pictures_have_the_frame_collapsed_and_no_mark_to_press(collapsed):
    document = collapsed.session.document
    geometry = geometry_of(document, collapsed.session.frame)
    assert set(geometry.folds) == {"b1"} and not geometry.is_shown("m1")
    printed = replace(collapsed.canvas.scene, editable=False)
    assert card_of(printed, "b1", Activity(), frozenset()).title == "First layer"


def test_the_title_and_the_count_on_the_card_are_uncut(framed):
    title = "The second layer of weighted sums"
    framed.session.edit(lambda document: rename_frame(document, "First layer", title), "Rename")
    framed.session.edit(lambda document: set_collapsed(document, title, True), "Collapse")
    at_rest(framed)
    shown = card(framed, "b1")
    needed = width(shown.title, round(CARD_NAME), True) + width(shown.folded, round(CAPTION))
    assert shown.folded == "3 nodes" and needed + GAP <= shown.box.width() - 2 * shown.inset
    assert shown.box.height() == framed.canvas.places.card("w0").height()
