"""The canvas as a whole: adding, keys, menus, the clipboard, drops, hovering, following what is played."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QMimeData, QObject, QPoint, QPointF, QSizeF, Qt, QUrl
from PySide6.QtGui import (
    QContextMenuEvent,
    QDragEnterEvent,
    QDragMoveEvent,
    QDropEvent,
    QGuiApplication,
    QHelpEvent,
    QKeyEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QApplication, QMenu, QToolTip, QVBoxLayout, QWidget

from core import Document, edits
from core.document import as_value
from gui.canvas.canvas import OPERATION_TYPE, Canvas
from gui.session import Session
from gui.theme import DARK, LIGHT
from tests.gui.canvas.hand import CTRL, SHIFT, Button, Hand, Key, Modifier

# --- adding


def dropped(canvas: Canvas, data: QMimeData, at: QPoint) -> None:
    """Drag `data` over the canvas and let it go."""
    actions, button, keys = Qt.DropAction.CopyAction, Button.LeftButton, Modifier.NoModifier
    QApplication.sendEvent(canvas, QDragEnterEvent(at, actions, data, button, keys))
    QApplication.sendEvent(canvas, QDragMoveEvent(at, actions, data, button, keys))
    assert canvas.decorations.ghost is not None or not data.hasFormat(OPERATION_TYPE)
    QApplication.sendEvent(canvas, QDropEvent(QPointF(at), actions, data, button, keys))


def operation(op: str) -> QMimeData:
    data = QMimeData()
    data.setData(OPERATION_TYPE, op.encode())
    return data


def test_an_operation_dropped_comes_to_the_pointer_selected(canvas, session, hand, one_step):
    before = session.document
    dropped(canvas, operation("cos"), hand.at(QPointF(500, 400)))
    assert session.document.layout["cos1"] == (440.0, 368.0)
    assert session.selection == {"cos1"}
    assert canvas.decorations.ghost is None
    one_step(before)


def test_an_operation_that_is_not_known_is_refused(canvas, session, hand, messages):
    before = session.document
    dropped(canvas, operation("fourier"), hand.at(QPointF(500, 400)))
    assert session.document is before
    assert messages == ["there is no operation fourier; choose one from the palette"]


def test_a_file_dropped_is_announced(canvas, qtbot, hand):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/some/picture.png"), QUrl.fromLocalFile("/some/graph.cadena")])
    with qtbot.waitSignal(canvas.fileDropped) as told:
        dropped(canvas, data, hand.empty())
    assert told.args == ["/some/graph.cadena"]


def test_a_double_click_on_nothing_asks_for_a_node_there(canvas, session, hand, one_step):
    before = session.document
    hand.double_click(hand.at(QPointF(500, 400)))
    hand.type("mul")
    hand.type_key(Key.Key_Return)
    assert canvas.search is None
    assert session.document.layout["multiply1"] == (440.0, 368.0)
    assert canvas.hasFocus()
    one_step(before)


def test_palette_double_clicks_add_nodes_that_cover_nothing(canvas, session):
    for _ in range(12):
        canvas.add_at_view_center("sin")
    cards = [canvas.places.card(name) for name in session.document.nodes]
    assert not any(a.intersects(b) for a in cards for b in cards if a is not b)
    assert len(session.document.nodes) == 6 + 12
    assert len(session.selection) == 1


# --- keys


def test_arrow_keys_nudge_and_a_key_held_is_one_step(canvas, session, hand, one_step, qtbot):
    hand.click(hand.name("s"))
    before = session.document
    qtbot.keyPress(canvas, Key.Key_Right)
    qtbot.keyPress(canvas, Key.Key_Right)
    qtbot.keyRelease(canvas, Key.Key_Right)
    assert session.document.layout["s"] == (416.0, 0.0)
    one_step(before)
    hand.key(Key.Key_Down, SHIFT)
    hand.key(Key.Key_Left, CTRL)
    assert session.document.layout["s"] == (415.0, 40.0)


def test_alt_and_an_arrow_go_to_the_next_card_that_way(session, hand):
    hand.click(hand.name("w0"))
    for key, name in ((Key.Key_Right, "m"), (Key.Key_Right, "s"), (Key.Key_Down, "y")):
        hand.key(key, Modifier.AltModifier)
        assert session.selection == {name}


def test_tab_goes_through_the_nodes_in_order(session, hand):
    seen = []
    for _ in range(7):
        hand.key(Key.Key_Tab)
        seen += session.selection
    assert seen == ["w0", "x0", "w1", "m", "y", "s", "w0"]
    hand.key(Key.Key_Backtab, SHIFT)
    assert session.selection == {"s"}


def test_tab_leaves_the_canvas_after_the_last_node(qtbot, session):
    window = QWidget()
    qtbot.addWidget(window)
    canvas, other = Canvas(session, LIGHT), QWidget()
    other.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    column = QVBoxLayout(window)
    column.addWidget(canvas)
    column.addWidget(other)
    with qtbot.waitActive(window):
        window.show()
    canvas.setFocus()
    session.select(["s"])
    qtbot.keyClick(canvas, Key.Key_Tab)
    assert other.hasFocus()
    assert session.selection == {"s"}
    qtbot.keyClick(other, Key.Key_Tab)
    assert canvas.hasFocus()
    qtbot.keyClick(canvas, Key.Key_Tab)
    assert session.selection == {"w0"}


@pytest.mark.parametrize("key", [Key.Key_Delete, Key.Key_Backspace])
def test_delete_takes_the_selected_nodes_away_in_one_step(session, hand, one_step, key):
    session.select(["m", "s"])
    before = session.document
    hand.key(key)
    assert set(session.document.nodes) == {"w0", "x0", "w1", "y"}
    assert session.document.nodes["y"].inputs == (None, "w1")
    one_step(before)


def test_a_wire_is_selected_by_a_click_near_it_and_deleted(canvas, session, hand, one_step):
    hand.click(hand.name("m"))
    hand.click(hand.wire("w1", "y", 1) + QPoint(0, 3))
    assert canvas.decorations.selected_wire == ("y", 1)
    assert session.selection == frozenset()
    before = session.document
    hand.key(Key.Key_Delete)
    assert session.document.nodes["y"].inputs == ("m", None)
    assert canvas.selected_wire is None
    one_step(before)


def test_a_selected_wire_and_selected_nodes_exclude_each_other(canvas, session, hand):
    hand.click(hand.wire("w1", "y", 1))
    hand.click(hand.name("m"))
    assert canvas.selected_wire is None
    hand.click(hand.wire("w1", "y", 1))
    hand.key(Key.Key_Escape)
    assert canvas.selected_wire is None


def test_a_selected_wire_that_vanishes_is_forgotten(canvas, session, hand):
    hand.click(hand.wire("w1", "y", 1))
    session.edit(lambda document: edits.remove(document, ["y"]), "Delete y")
    assert canvas.selected_wire is None


def test_esc_selects_nothing_and_select_all_everything(canvas, session, hand):
    canvas.select_all()
    assert session.selection == set(session.document.nodes)
    hand.key(Key.Key_Escape)
    assert session.selection == frozenset()


def test_the_space_bar_alone_plays_and_pauses(session, hand):
    hand.key(Key.Key_Space)
    assert session.playing
    hand.key(Key.Key_Space)
    assert not session.playing


def overrides(canvas: Canvas, key: Key, modifiers: Modifier = Modifier.NoModifier) -> bool:
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    event.ignore()
    QApplication.sendEvent(canvas, event)
    return event.isAccepted()


def test_arrows_are_the_canvass_in_build_mode_and_the_windows_while_playing(canvas, session):
    session.select(["m"])
    session.set_time(1.0)
    assert not overrides(canvas, Key.Key_Right)
    session.show_live()
    assert overrides(canvas, Key.Key_Right)
    session.select(())
    assert not overrides(canvas, Key.Key_Right)


# --- clipboard


def test_cut_and_paste_bring_nodes_and_the_wires_between_them(canvas, session, hand, one_step):
    session.select(["w0", "x0", "m"])
    before = session.document
    canvas.cut()
    assert set(session.document.nodes) == {"w1", "y", "s"}
    one_step(before)
    before = session.document
    canvas.paste(QPointF(hand.at(QPointF(0, 400))))
    assert session.selection == {"w0", "x0", "m"}
    assert session.document.nodes["m"].inputs == ("w0", "x0")
    assert session.document.layout["w0"] == (0.0, 400.0)
    one_step(before)


def test_pasting_again_gives_new_names_and_does_not_hide_the_first(canvas, session):
    session.select(["w0"])
    canvas.copy()
    canvas.paste()
    canvas.paste()
    places = [session.document.layout[name] for name in ("w0", "w2", "w3")]
    assert len(set(places)) == 3
    assert session.selection == {"w3"}


def test_nodes_can_be_pasted_into_another_graph(canvas, session, qtbot):
    session.select(["w0", "m"])
    canvas.copy()
    other = Canvas(Session(Document(nodes={})), LIGHT)
    qtbot.addWidget(other)
    other.paste()
    assert other.session.document.nodes["m"].inputs == ("w0", None)


@pytest.mark.parametrize("text", ["", "hello", "{}", '{"format": "cadena", "version": 1, "nodes": []}', "{" * 1000])
def test_text_that_is_no_graph_is_not_pasted_and_one_sentence_says_so(canvas, session, messages, text):
    before = session.document
    QGuiApplication.clipboard().setText(text)
    canvas.paste()
    assert session.document is before
    assert messages == ["the clipboard holds no nodes of a graph; copy some nodes first"]


def test_a_damaged_graph_on_the_clipboard_is_refused_in_one_sentence(canvas, session, messages):
    before = session.document
    QGuiApplication.clipboard().setText('{"format": "cadena", "version": 1, "nodes": [')
    canvas.paste()
    assert session.document is before
    assert len(messages) == 1 and messages[0].startswith("clipboard: ")


def test_duplicate_keeps_the_operands_from_outside(canvas, session, one_step):
    session.select(["m", "y"])
    before = session.document
    canvas.duplicate()
    assert session.document.nodes["m1"].inputs == ("w0", "x0")
    assert session.document.nodes["y1"].inputs == ("m1", "w1")
    assert session.selection == {"m1", "y1"}
    one_step(before)


def test_nothing_selected_copies_nothing(canvas, session):
    QGuiApplication.clipboard().setText("kept")
    canvas.copy()
    canvas.cut()
    canvas.duplicate()
    canvas.delete_selection()
    assert QGuiApplication.clipboard().text() == "kept"
    assert session.history.undo_label is None


# --- menus


def menu_at(canvas: Canvas, hand: Hand, at: QPoint) -> QMenu:
    hand.click(at, button=Button.RightButton)
    menus = [menu for menu in canvas.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1
    return menus[0]


def choose(menu: QMenu, *path: str) -> None:
    """Trigger an entry of a menu by its text."""
    for text in path[:-1]:
        menu = next(action.menu() for action in menu.actions() if action.text() == text)
    action = next(action for action in menu.actions() if action.text() == path[-1])
    assert action.isEnabled()
    action.trigger()
    menu.close()


def entries(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


@pytest.mark.parametrize(
    ("node", "path", "check"),
    [
        ("s", ["Make this the output"], lambda document: document.output == "s"),
        ("w0", ["Kind of leaf", "Constant"], lambda document: document.nodes["w0"].op == "constant"),
        ("x0", ["Wants a gradient"], lambda document: document.nodes["x0"].wants_gradient),
        ("m", ["Disconnect"], lambda document: document.nodes["m"].inputs == (None, None)),
        ("m", ["Duplicate"], lambda document: "m1" in document.nodes),
        ("m", ["Delete"], lambda document: "m" not in document.nodes),
    ],
)
def test_the_menu_of_a_node(canvas, session, hand, one_step, node, path, check):
    before = session.document
    choose(menu_at(canvas, hand, hand.body(node)), *path)
    assert check(session.document)
    one_step(before)


def test_disconnect_takes_away_the_wires_on_both_sides(canvas, session, hand):
    choose(menu_at(canvas, hand, hand.body("m")), "Disconnect")
    assert session.document.nodes["y"].inputs == (None, "w1")


def test_rename_and_edit_value_from_the_menu(canvas, hand):
    choose(menu_at(canvas, hand, hand.body("w0")), "Rename")
    assert canvas.editor.accessibleName() == "Rename w0"
    choose(menu_at(canvas, hand, hand.body("w0")), "Edit value")
    assert canvas.editor.accessibleName() == "Set w0"


def test_change_operation_from_the_menu(canvas, session, hand, one_step):
    before = session.document
    choose(menu_at(canvas, hand, hand.body("m")), "Change operation…")
    hand.type("subtract")
    hand.type_key(Key.Key_Return)
    assert session.document.nodes["m"].op == "subtract"
    assert session.document.nodes["m"].inputs == ("w0", "x0")
    one_step(before)


def test_the_menu_of_a_wire_and_of_the_empty_canvas(canvas, session, hand):
    menu = menu_at(canvas, hand, hand.wire("w1", "y", 1))
    assert entries(menu) == ["Delete wire"]
    choose(menu, "Delete wire")
    assert session.document.nodes["y"].inputs == ("m", None)
    menu = menu_at(canvas, hand, hand.empty())
    assert entries(menu) == ["Add…", "Paste", "Select all", "Zoom to fit", "Arrange"]
    choose(menu, "Add…")
    assert canvas.search is not None


def test_the_menu_key_opens_the_menu_of_the_selected_node(canvas, session):
    session.select(["m"])
    event = QContextMenuEvent(QContextMenuEvent.Reason.Keyboard, QPoint(1, 1), canvas.mapToGlobal(QPoint(1, 1)))
    QApplication.sendEvent(canvas, event)
    menus = [menu for menu in canvas.findChildren(QMenu) if menu.isVisible()]
    assert len(menus) == 1 and "Change operation…" in entries(menus[0])


def test_arrange_places_all_nodes_without_overlap_in_one_step(canvas, session, one_step):
    before = session.document
    canvas.arrange()
    cards = [canvas.places.card(name) for name in session.document.nodes]
    assert not any(a.intersects(b) for a in cards for b in cards if a is not b)
    one_step(before)


# --- hovering


def test_what_is_hovered_is_shown(canvas, hand):
    hand.hover(hand.name("m"))
    assert canvas.scene.hovered == "m"
    hand.hover(hand.wire("w1", "y", 1))
    assert canvas.scene.hovered is None
    assert canvas.decorations.hovered_wire == ("y", 1)
    QApplication.sendEvent(canvas, QEvent(QEvent.Type.Leave))
    assert canvas.decorations.hovered_wire is None


def tip(canvas: Canvas, at: QPoint) -> str:
    QApplication.sendEvent(canvas, QHelpEvent(QEvent.Type.ToolTip, at, canvas.mapToGlobal(at)))
    return QToolTip.text()


def test_the_tooltip_holds_the_full_number(canvas, session, hand):
    session.edit(lambda document: edits.set_value(document, "w0", 1 / 3), "Set")
    session.run_now()
    shown = tip(canvas, hand.value("w0"))
    assert "0.3333333333333333" in shown
    assert "gradient  2" in shown
    assert "multiplication" in tip(canvas, hand.body("m"))


def test_the_tooltip_of_a_port_names_the_operand(canvas, hand):
    assert "'left' of m: w0" in tip(canvas, hand.input("m", 0))
    assert "open" in tip(canvas, hand.input("s"))
    assert "waits for its operand" in tip(canvas, hand.body("s"))


def test_a_selected_node_is_described_to_a_screen_reader(canvas, session):
    assert canvas.accessibleName() == "Canvas"
    session.select(["w0"])
    assert canvas.accessibleDescription().startswith("w0: parameter")
    session.select(["w0", "m"])
    assert canvas.accessibleDescription() == "2 nodes selected"


# --- the view


def wheel(canvas: Canvas, angle: QPoint, pixels: QPoint, keys: Modifier, at: QPoint) -> None:
    phase = Qt.ScrollPhase.NoScrollPhase
    place = QPointF(at)
    event = QWheelEvent(place, QPointF(canvas.mapToGlobal(at)), pixels, angle, Button.NoButton, keys, phase, False)
    QApplication.sendEvent(canvas, event)


@pytest.mark.parametrize("keys", [Modifier.NoModifier, CTRL])
def test_the_wheel_zooms_at_the_pointer(canvas, hand, keys):
    at, place = hand.name("m"), canvas.camera.to_world(QPointF(hand.name("m")))
    wheel(canvas, QPoint(0, 120), QPoint(), keys, at)
    assert canvas.camera.zoom == pytest.approx(1.2)
    assert (canvas.camera.to_world(QPointF(at)) - place).manhattanLength() < 1e-9


def test_two_fingers_pan_and_shift_pans_sideways(canvas, hand):
    camera = canvas.camera
    wheel(canvas, QPoint(-25, 50), QPoint(-12, 25), Modifier.NoModifier, hand.name("m"))
    assert canvas.camera == camera.panned(-12, 25)
    wheel(canvas, QPoint(0, 120), QPoint(), SHIFT, hand.name("m"))
    assert canvas.camera == camera.panned(-12 + 60, 25)


def test_zoom_to_fit_shows_all_and_zoom_to_selection_what_is_selected(canvas, session):
    canvas.zoom_to_fit()
    seen = canvas.camera.seen(QSizeF(canvas.size()))
    assert all(seen.contains(canvas.places.card(name)) for name in session.document.nodes)
    session.select(["s"])
    canvas.zoom_to_selection()
    assert (canvas.camera.seen(QSizeF(canvas.size())).center() - canvas.places.card("s").center()).manhattanLength() < 1


def test_zoom_in_out_and_reset_keep_the_middle(canvas):
    middle = QPointF(canvas.rect().center())
    place = canvas.camera.to_world(middle)
    canvas.zoom_in()
    assert canvas.camera.zoom == 1.25
    canvas.zoom_reset()
    assert canvas.camera.zoom == 1.0
    canvas.zoom_out()
    assert canvas.camera.zoom == 0.8
    assert (canvas.camera.to_world(middle) - place).manhattanLength() < 1e-6


def test_while_playing_the_view_goes_gently_to_the_active_node(canvas, session):
    canvas.set_camera(canvas.camera.panned(-2000, 0))
    session.play()
    start, moves = canvas.camera.x, []
    canvas.cameraChanged.connect(lambda: moves.append(canvas.camera.x))
    for _ in range(200):
        session.advance(0.001)
    session.pause()
    assert canvas.camera.seen(QSizeF(canvas.size())).contains(canvas.places.card("m"))
    assert max(abs(a - b) for a, b in zip([start, *moves], moves)) < abs(start - moves[-1]) / 4


def test_a_view_that_the_user_has_moved_is_left_alone_until_the_next_play(canvas, session):
    session.play()
    canvas.move_camera(canvas.camera.panned(-3000, 0))
    mine = canvas.camera
    session.advance(0.2)
    assert canvas.camera == mine
    session.pause()
    session.play()
    session.advance(0.2)
    assert canvas.camera != mine
    session.pause()


class Painted(QObject):
    """Counts how often a widget was painted."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.times = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.times += event.type() == QEvent.Type.Paint
        return False


def test_nothing_is_painted_while_nothing_happens(canvas, session, qtbot):
    qtbot.wait(60)
    painted = Painted(canvas)
    qtbot.wait(150)
    assert painted.times == 0
    session.set_time(1.0)
    qtbot.wait(30)
    assert painted.times == 1


def test_another_theme_is_shown_at_once(canvas):
    light = canvas.grab().toImage().pixelColor(5, 5)
    canvas.set_theme(DARK)
    assert canvas.grab().toImage().pixelColor(5, 5) != light


def test_another_document_can_be_opened_during_a_drag(canvas, session, hand):
    start = hand.name("s")
    hand.lift(start, start + QPoint(40, 40))
    session.open(edits.add(Document(nodes={}), "parameter", (0, 0), "other", as_value(1.0)), None)
    assert canvas.gesture is None
    hand.release(start)
    assert list(session.document.nodes) == ["other"]
    assert not canvas.grab().isNull()
