"""Frames with a real hand: made and named by keys, moved and renamed by the mouse."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF
from PySide6.QtWidgets import QApplication

from cadena.core.graph.frames import color_of, frames, put_into_frame
from cadena.gui.canvas.picture.frames import areas, title_area
from tests.gui.user import settle


@pytest.fixture
def framed(user):
    user.session.select(["m1", "m2", "b1"])
    user.canvas.setFocus()
    user.press("Ctrl+Alt+J")
    user.type("First layer")
    user.press("Return")
    settle()
    return user


def title_of(user, title: str) -> QPoint:
    area = title_area(areas(user.session.document, user.canvas.places)[title])
    return user.canvas.camera.to_view(QPointF(area.left() + 30.0, area.top() + 8.0)).toPoint()


def test_a_title_is_typed_and_the_frame_holds_the_selected_nodes(framed):
    assert frames(framed.session.document) == {"First layer": ("m1", "m2", "b1")}
    area = areas(framed.session.document, framed.canvas.places)["First layer"]
    assert all(area.contains(framed.canvas.places.card(name)) for name in ("m1", "m2", "b1"))
    assert framed.session.history.undo_label == "Frame 3 nodes"
    framed.press("Ctrl+Z")
    assert not framed.session.modified


def test_a_frame_is_painted_below_its_cards(user):
    before = user.canvas.grab().toImage()
    user.session.edit(lambda document: put_into_frame(document, ["m1", "m2"], "F"), "Frame 2 nodes")
    user.session.show_live()
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
    framed.press("Ctrl+Alt+Y")
    assert color_of(framed.session.document, "First layer") == 1
    framed.press("Ctrl+Alt+X")
    assert frames(framed.session.document) == {"First layer": ("m2", "b1")}
    assert not framed.window.menus.action("frame.leave").isEnabled()
