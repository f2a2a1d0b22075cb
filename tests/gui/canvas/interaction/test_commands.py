"""Adding by drop, search and palette; cut, copy, paste, duplicate."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
)
from PySide6.QtWidgets import QApplication

from cadena.core.graph.document import Document
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.interaction.drops import OPERATION_TYPE
from cadena.gui.look.theme import LIGHT
from cadena.gui.session.session import Session
from tests.gui.canvas.real_hand import Button, Key, Modifier


def dropped(canvas: Canvas, data: QMimeData, at: QPoint) -> None:
    """Drag `data` over the canvas and let it go."""
    actions, button, keys = Qt.DropAction.CopyAction, Button.LeftButton, Modifier.NoModifier
    QApplication.sendEvent(canvas, QDragEnterEvent(at, actions, data, button, keys))
    QApplication.sendEvent(canvas, QDragMoveEvent(at, actions, data, button, keys))
    assert canvas.decorations.ghost is not None
    QApplication.sendEvent(canvas, QDropEvent(QPointF(at), actions, data, button, keys))


def operation(op: str) -> QMimeData:
    data = QMimeData()
    data.setData(OPERATION_TYPE, op.encode())
    return data


def test_an_operation_dropped_comes_to_the_pointer_selected(canvas, session, hand, one_step):
    before = session.document
    dropped(canvas, operation("cos"), hand.at(QPointF(500, 400)))
    assert session.document.layout["cos1"] == (432.0, 352.0)
    assert session.selection == {"cos1"}
    assert canvas.decorations.ghost is None
    one_step(before)


def test_an_operation_that_is_not_known_is_refused(canvas, session, hand, messages):
    before = session.document
    dropped(canvas, operation("fourier"), hand.at(QPointF(500, 400)))
    assert session.document is before
    assert messages == ["there is no operation fourier; choose one from the palette"]


def test_a_double_click_on_nothing_asks_for_a_node_there(canvas, session, hand, one_step):
    before = session.document
    hand.double_click(hand.at(QPointF(500, 400)))
    hand.type("mul")
    hand.type_key(Key.Key_Return)
    assert canvas.fields.search is None
    assert session.document.layout["multiply1"] == (432.0, 352.0)
    assert canvas.hasFocus()
    one_step(before)


def test_palette_double_clicks_add_nodes_that_cover_nothing(canvas, session):
    for _ in range(12):
        canvas.commands.add_at_view_center("sin")
    cards = [canvas.places.card(name) for name in session.document.nodes]
    assert not any(a.intersects(b) for a in cards for b in cards if a is not b)
    assert len(session.document.nodes) == 6 + 12
    assert len(session.selection) == 1


def test_cut_and_paste_bring_nodes_and_the_wires_between_them(canvas, session, hand, one_step):
    session.select(["w0", "x0", "m"])
    before = session.document
    canvas.commands.cut()
    assert set(session.document.nodes) == {"w1", "y", "s"}
    one_step(before)
    before = session.document
    canvas.commands.paste(QPointF(hand.at(QPointF(0, 400))))
    assert session.selection == {"w0", "x0", "m"}
    assert session.document.nodes["m"].inputs == ("w0", "x0")
    assert session.document.layout["w0"] == (0.0, 400.0)
    one_step(before)


def test_pasting_again_gives_new_names_and_does_not_hide_the_first(canvas, session):
    session.select(["w0"])
    canvas.commands.copy()
    canvas.commands.paste()
    canvas.commands.paste()
    places = [session.document.layout[name] for name in ("w0", "w2", "w3")]
    assert len(set(places)) == 3
    assert session.selection == {"w3"}


def test_nodes_can_be_pasted_into_another_graph(canvas, session, qtbot):
    session.select(["w0", "m"])
    canvas.commands.copy()
    other = Canvas(Session(Document(nodes={})), LIGHT)
    qtbot.addWidget(other)
    other.commands.paste()
    assert other.session.document.nodes["m"].inputs == ("w0", None)


@pytest.mark.parametrize("text", ["", "hello", "{}", '{"format": "cadena", "version": 1, "nodes": []}', "{" * 1000])
def test_text_that_is_no_graph_is_not_pasted_and_one_sentence_says_so(canvas, session, messages, text):
    before = session.document
    QGuiApplication.clipboard().setText(text)
    canvas.commands.paste()
    assert session.document is before
    assert messages == [
        "the clipboard holds no nodes of a graph and no expression; copy some first, or paste a script into the code"
        " panel"
    ]


def test_an_expression_from_elsewhere_was_refused_by_paste_and_becomes_nodes(canvas, session, messages):
    QGuiApplication.clipboard().setText("  q = tanh(w0*u + v)\n")
    canvas.commands.paste(QPointF(200.0, 300.0))
    assert session.document.nodes["q"].op == "tanh" and session.document.nodes["u"].op == "parameter"
    cards = [canvas.places.card(name) for name in session.document.nodes]
    assert not any(one.intersects(other) for at, one in enumerate(cards) for other in cards[:at]) and not messages
    QGuiApplication.clipboard().setText("r = foo(q)")
    canvas.commands.paste()
    assert messages == ["There is no operation foo; did you mean floor?"] and "r" not in session.document.nodes


def test_a_damaged_graph_on_the_clipboard_is_refused_in_one_sentence(canvas, session, messages):
    before = session.document
    QGuiApplication.clipboard().setText('{"format": "cadena", "version": 1, "nodes": [')
    canvas.commands.paste()
    assert session.document is before
    assert len(messages) == 1 and messages[0].startswith("clipboard: ")


def test_duplicate_keeps_the_operands_from_outside(canvas, session, one_step):
    session.select(["m", "y"])
    before = session.document
    canvas.commands.duplicate()
    assert session.document.nodes["m1"].inputs == ("w0", "x0")
    assert session.document.nodes["y1"].inputs == ("m1", "w1")
    assert session.selection == {"m1", "y1"}
    one_step(before)


def test_nothing_selected_copies_nothing(canvas, session):
    QGuiApplication.clipboard().setText("kept")
    canvas.commands.copy()
    canvas.commands.cut()
    canvas.commands.duplicate()
    canvas.commands.delete_selection()
    assert QGuiApplication.clipboard().text() == "kept"
    assert session.history.undo_label is None


def test_a_node_that_is_asked_for_by_a_key_covers_no_other(canvas, hand, session):
    """The key asks in the middle of the view when the mouse is elsewhere, and there a card may stand already."""
    taken = canvas.places.card(next(iter(session.document.nodes)))
    canvas.commands.ask_for_node(canvas.camera.to_view(taken.center()))
    hand.type("cos")
    hand.type_key(Key.Key_Return)
    assert not canvas.places.card("cos1").intersects(taken)


def test_arrange_places_all_nodes_without_overlap_in_one_step(canvas, session, one_step):
    before = session.document
    canvas.commands.arranging.arrange()
    canvas.commands.arranging.glide.stop_at_once()
    cards = [canvas.places.card(name) for name in session.document.nodes]
    assert not any(a.intersects(b) for a in cards for b in cards if a is not b)
    one_step(before)
