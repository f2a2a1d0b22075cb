"""Notes with a real hand: typed in place, moved by the mouse, changed by a double click."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from cadena.core.graph.memos import add_memo, memos
from cadena.core.storage.files import load
from cadena.gui.background import worker
from cadena.gui.canvas.interaction.note_commands import MemoField
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.note_lines import areas
from cadena.gui.formulas.typesetter import is_set
from tests.fuzz.screen import same_picture
from tests.gui.user import settle
from tests.waiting import until

CONTROL = Qt.KeyboardModifier.ControlModifier


def field() -> MemoField:
    widget = QApplication.focusWidget()
    assert isinstance(widget, MemoField)
    return widget


@pytest.fixture
def noted(user):
    user.canvas.setFocus()
    user.do("note.add")
    QTest.keyClicks(field(), "p and b: $x$")  # letters that are commands elsewhere
    QTest.keyClick(field(), Qt.Key.Key_Return, CONTROL)
    settle()
    return user


def corner(user) -> QPoint:
    place = areas(user.session.document)[0].topLeft() + QPointF(6.0, 6.0)
    return user.canvas.camera.to_view(place).toPoint()


def test_a_note_by_the_keys_lay_under_the_cards_in_the_middle(user):
    canvas = user.canvas
    middle = canvas.places.card("m1").center()
    canvas.set_camera(Camera(middle.x() - canvas.width() / 2, middle.y() - canvas.height() / 2, 1.0))
    canvas.setFocus()
    user.do("note.add")
    QTest.keyClicks(field(), "two products and a sum")
    QTest.keyClick(field(), Qt.Key.Key_Return, CONTROL)
    (area,) = areas(user.session.document).values()
    assert not [name for name in user.session.document.nodes if canvas.places.card(name).intersects(area)]


def test_a_note_is_typed_and_nothing_else_is_done(noted):
    assert [note.text for note in memos(noted.session.document).values()] == ["p and b: $x$"]
    assert not noted.session.breakpoints and noted.session.history.undo_label == "Add a note"
    assert QApplication.focusWidget() is noted.canvas
    noted.press("Ctrl+Z")
    assert not noted.session.modified


def test_esc_and_an_empty_text_add_nothing(user):
    document = user.session.document
    for key, modifiers in ((Qt.Key.Key_Escape, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_Return, CONTROL)):
        user.canvas.setFocus()
        user.do("note.add")
        QTest.keyClicks(field(), "x" if key == Qt.Key.Key_Escape else " ")
        QTest.keyClick(field(), key, modifiers)
        settle()
        assert user.session.document is document and QApplication.focusWidget() is user.canvas


def test_a_click_elsewhere_keeps_the_text(user):
    user.canvas.setFocus()
    user.do("note.add")
    QTest.keyClicks(field(), "kept")
    user.window.operations.search.setFocus()
    settle()
    assert [note.text for note in memos(user.session.document).values()] == ["kept"]


def test_a_note_is_dragged(noted):
    before = memos(noted.session.document)[0].at
    noted.drag(corner(noted), corner(noted) + QPoint(30, -40))
    after = memos(noted.session.document)[0].at
    assert after[0] > before[0] and after[1] < before[1]


def test_a_double_click_changes_a_note_and_no_text_takes_it_away(noted):
    noted.double_click(corner(noted))
    QTest.keyClicks(field(), "!")
    QTest.keyClick(field(), Qt.Key.Key_Return, CONTROL)
    settle()
    assert "!" in memos(noted.session.document)[0].text
    noted.double_click(corner(noted))
    field().clear()
    QTest.keyClick(field(), Qt.Key.Key_Return, CONTROL)
    settle()
    assert memos(noted.session.document) == {}


def test_a_long_text_stays_with_the_reason(user):
    user.canvas.setFocus()
    user.do("note.add")
    field().setPlainText("x" * 6000)
    QTest.keyClick(field(), Qt.Key.Key_Return, CONTROL)
    assert field().toolTip() == "notes have at most 5000 letters; write two"
    QTest.keyClick(field(), Qt.Key.Key_Escape)


def test_all_of_the_graph_is_seen_with_its_notes(user):
    user.session.edit(lambda document: add_memo(document, "far away", (3000.0, 0.0)), "Add a note")
    user.press("F")
    user.canvas.zoom_to_fit()
    view = user.canvas.camera.to_view(areas(user.session.document)[0].center())
    assert user.canvas.rect().contains(view.toPoint())


def test_mathematics_in_a_note_was_shown_as_its_source_until_something_else_changed(user):
    user.canvas.setFocus()
    user.do("note.add")
    QTest.keyClicks(field(), r"$\frac{alpha}{17}$")
    QTest.keyClick(field(), Qt.Key.Key_Return, CONTROL)
    settle()
    until(lambda: not worker.running, "formulas are set for ever", settle)
    assert is_set(r"\frac{alpha}{17}")
    same_picture(user.canvas)


def test_a_note_that_was_being_typed_went_into_the_graph_that_was_opened_next(user):
    user.canvas.setFocus()
    user.do("note.add")
    QTest.keyClicks(field(), "mine")
    user.window.menus.run("lesson.order_matters")
    settle()
    assert memos(user.session.document) == {} and not user.session.history.past
    user.window.documents.show(0)
    assert [note.text for note in memos(user.session.document).values()] == ["mine"]


def test_a_save_takes_the_note_along_that_is_being_typed(user, tmp_path):
    user.canvas.setFocus()
    user.do("note.add")
    QTest.keyClicks(field(), "mine")
    user.answers.path = tmp_path / "x.cadena"
    assert user.window.files.save()
    assert [note.text for note in memos(load(tmp_path / "x.cadena")).values()] == ["mine"]
