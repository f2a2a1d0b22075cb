"""What takes a while goes on beside the window: shown, cancelled by mouse or Esc, and true to what was done meanwhile.

The work is held at a gate, so that nothing here depends on how long it takes.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

import cadena
from cadena.core.graph import edits
from cadena.core.graph.document import Document
from cadena.core.languages.export import export
from cadena.core.layout import arrange as layout
from cadena.core.verbs import export as programs
from cadena.gui.background import worker
from cadena.gui.background.tasks import Tasks
from cadena.gui.canvas.interaction import clipboard
from cadena.gui.files import opening
from cadena.gui.files.questions import Dialogs
from tests.core.graphs import chain
from tests.gui.gate import Gate, click_cancel, ended, press_escape, said, shown
from tests.gui.user import User, settle
from tests.waiting import SECONDS, until

CANCELS = pytest.mark.parametrize("cancel", [click_cancel, press_escape])


# --- arranging


@pytest.fixture
def arranging(user: User, gate: Gate) -> Document:
    """The document of before, while all nodes are being arranged anew."""
    user.session.show_live()
    user.session.edit(lambda document: edits.move(document, {"b1": (-900.0, 700.0)}), "Move b1")
    gate.hold(layout, "arrange")
    user.press("Ctrl+L")
    assert shown(user) == ["Arranging 16 nodes"]
    return user.session.document


def test_arranging_goes_on_beside_the_window_and_is_one_undo_step(user, gate, arranging):
    gate.open()
    ended(user)
    assert user.session.document.layout == layout.arrange(arranging).layout and shown(user) == []
    user.press("Ctrl+Z")
    assert user.session.document == arranging


@CANCELS
def test_a_cancelled_arrangement_leaves_everything_as_it_was(user, gate, arranging, cancel):
    user.session.select(["w0"])
    cancel(user)
    assert shown(user) == [] and said(user) == "Arranging 16 nodes: cancelled"
    gate.open()
    until(lambda: not worker.running, "the thread does not end", settle)
    assert user.session.document is arranging and user.session.selection == {"w0"}
    press_escape(user)  # which has its usual meaning again
    assert not user.session.selection


def test_escape_ends_a_drag_before_it_cancels_a_task(user, gate, arranging):
    start = user.name_of("w0")
    QTest.mousePress(user.canvas, Qt.MouseButton.LeftButton, pos=start)
    press_escape(user)
    assert user.canvas.gesture is None and shown(user) == ["Arranging 16 nodes"]


def test_a_value_that_is_set_meanwhile_stays_and_the_cards_are_arranged(user, gate, arranging):
    user.set_value("w0", "7.5")
    assert shown(user) == ["Arranging 16 nodes"]
    gate.open()
    ended(user)
    assert user.session.document.nodes["w0"].value == 7.5
    assert user.session.document.layout == layout.arrange(arranging).layout


@pytest.mark.parametrize("edit", ["move", "delete", "undo"])
def test_an_edit_of_cards_or_wires_ends_the_arrangement_with_a_sentence(user, gate, arranging, edit):
    if edit == "move":
        user.drag(user.name_of("w0"), user.name_of("w0") + user.canvas.rect().center() / 8)
    elif edit == "delete":
        user.click(user.name_of("w0"))
        user.press("Del")
    else:
        user.press("Ctrl+Z")
    after = user.session.document
    assert after != arranging and shown(user) == []
    assert said(user).startswith("The cards stay as they are, as the graph was changed meanwhile")
    gate.open()
    until(lambda: not worker.running, "the thread does not end", settle)
    assert user.session.document is after


def test_another_document_is_not_arranged_in_place_of_the_one_that_was_left(user, gate, arranging):
    user.do("file.new")
    empty = user.session.document
    assert shown(user) == []
    gate.open()
    until(lambda: not worker.running, "the thread does not end", settle)
    assert user.session.document is empty
    user.window.documents.show(0)
    assert user.session.document is arranging


def test_nothing_arrives_under_an_open_question(user, gate, arranging):
    answered = []

    def answer() -> None:
        gate.open()
        until(lambda: not worker.running, "the thread does not end", settle)
        answered.append(user.session.document is arranging)
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        box.reject()

    QTimer.singleShot(0, answer)
    QMessageBox(user.window).exec()
    assert answered == [True]
    ended(user)
    assert user.session.document.layout == layout.arrange(arranging).layout


# --- files


@pytest.fixture
def file(tmp_path) -> Path:
    """A file without places."""
    path = tmp_path / "chain.cadena"
    cadena.save(replace(chain(5), layout={}), path)
    return path


def test_a_file_opens_beside_the_window_in_a_tab_of_its_own(user, gate, file):
    gate.hold(opening, "complete")
    user.window.files.open_path(file)
    assert shown(user) == ["Opening chain.cadena"]
    user.set_value("w0", "7.5")
    edited = user.session.document
    gate.open()
    ended(user)
    assert user.session.path == file and set(user.session.document.layout) == set(chain(5).nodes)
    assert not user.session.modified and len(user.window.documents) == 2
    user.window.documents.show(0)
    assert user.session.document is edited


@CANCELS
def test_a_file_whose_opening_is_cancelled_is_not_opened(user, gate, file, cancel):
    before = user.session.document
    gate.hold(opening, "decoded")
    user.window.files.open_path(file)
    assert shown(user) == ["Opening chain.cadena"]
    cancel(user)
    gate.open()
    until(lambda: not worker.running, "the thread does not end", settle)
    assert user.session.document is before and not user.window.settings.recent_files
    user.window.files.open_path(file)
    ended(user)
    assert user.session.path == file


def test_several_files_open_in_their_order_and_none_twice(user, gate, tmp_path):
    gate.hold(opening, "decoded")
    names = [f"{letter}.cadena" for letter in "dabc"]
    for number, name in enumerate(names, start=1):
        cadena.save(chain(number), tmp_path / name)
    for name in [*names, *names]:
        user.window.files.open_path(tmp_path / name)
    gate.open()
    until(lambda: user.session.path == tmp_path / names[-1], "the last one does not open", settle)
    assert [label.name for label in user.window.documents.labels] == ["d", "a", "b", "c"]


@pytest.fixture
def saving(user: User, gate: Gate, tmp_path) -> Path:
    """The file, while the document is being saved to it."""
    user.answers.path = path = tmp_path / "saved.cadena"
    user.set_value("w0", "7.5")
    gate.hold(opening, "encode")
    user.press("Ctrl+S")
    assert shown(user) == ["Saving saved.cadena"] and user.session.modified
    return path


def test_what_is_edited_while_it_is_saved_is_not_taken_for_saved(user, gate, saving):
    wanted = user.session.document
    user.set_value("w0", "8.5")
    gate.open()
    ended(user)
    assert cadena.load(saving) == wanted and user.session.path == saving and user.session.modified
    user.press("Ctrl+Z")
    assert not user.session.modified


@CANCELS
def test_a_cancelled_saving_writes_nothing(user, gate, saving, cancel):
    cancel(user)
    gate.open()
    until(lambda: not worker.running, "the thread does not end", settle)
    assert not saving.exists() and user.session.modified and user.session.path is None


def test_another_tab_waits_for_what_is_being_saved(user, gate, saving):
    wanted = user.session.document
    QTimer.singleShot(0, gate.open)
    gate.open()
    user.do("file.new")
    assert cadena.load(saving) == wanted and not user.session.document.nodes and user.session.path is None
    user.window.documents.show(0)
    assert user.session.path == saving and not user.session.modified


# --- exports


@pytest.fixture
def exporting(user: User, gate: Gate, tmp_path) -> Path:
    """The file, while the graph is being written as a program."""
    user.answers.path = path = tmp_path / "graph.py"
    gate.hold(programs, "write_program")
    user.window.menus.run("file.code-numpy")
    assert shown(user)[-1] == "Exporting graph.py"
    return path


def test_an_export_is_of_what_was_shown_when_it_was_asked_for(user, gate, exporting):
    asked_for = user.session.document
    user.set_value("w0", "7.5")
    user.do("file.new")
    gate.open()
    ended(user)
    assert said(user) == "Exported graph.py"
    assert exporting.read_text() == export(asked_for, "numpy", stem="graph").text


@CANCELS
def test_a_cancelled_export_writes_nothing(user, gate, exporting, cancel):
    cancel(user)
    gate.open()
    until(lambda: not worker.running, "the thread does not end", settle)
    assert not exporting.exists() and said(user) == "Exporting graph.py: cancelled"


def test_closing_the_window_asks_before_an_export_is_given_up(user, gate, exporting):
    user.answers.gives_up = False
    user.window.close()
    assert user.window.isVisible() and user.answers.asked[-1] == "give up graph.py"
    gate.open()
    ended(user)
    assert exporting.exists()


def test_a_window_that_is_closed_gives_up_all_that_is_under_way(own_user, monkeypatch, tmp_path):
    monkeypatch.setattr(Tasks, "patience", 0)
    gate = Gate(monkeypatch)
    gate.hold(programs, "write_program")
    own_user.answers.path = path = tmp_path / "graph.py"
    own_user.window.menus.run("file.code-numpy")
    assert gate.reached.wait(SECONDS)
    own_user.window.close()
    assert not own_user.window.isVisible() and not own_user.session.tasks.under_way
    gate.open()
    until(lambda: not worker.running, "the thread does not end", settle)
    assert not path.exists()


@pytest.mark.parametrize(("button", "gives_up"), [("Give it up", True), ("Go on writing", False)])
def test_the_question_before_an_export_is_given_up(user, button, gives_up):
    asked = []

    def answer() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        asked.append(box.text())
        chosen = next(one for one in box.buttons() if one.text().replace("&", "") == button)
        QTest.mouseClick(chosen, Qt.MouseButton.LeftButton)

    QTimer.singleShot(0, answer)
    assert Dialogs(user.window).give_up(["a.mp4", "b.pdf"]) is gives_up
    assert asked == ["a.mp4 and b.pdf: still being written."]


# --- the rest


@CANCELS
def test_pasting_goes_on_beside_the_window(user, gate, cancel):
    user.press("Ctrl+A")
    user.press("Ctrl+C")
    count = len(user.session.document.nodes)
    gate.hold(clipboard, "complete")
    user.press("Ctrl+V")
    assert shown(user) == ["Pasting"]
    cancel(user)
    user.press("Ctrl+V")
    gate.open()
    ended(user)
    assert len(user.session.document.nodes) == 2 * count and len(user.session.selection) == count
    QGuiApplication.clipboard().clear()
