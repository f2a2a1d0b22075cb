"""A file that others change while it is open is noticed, and nobody's work in it is overwritten without a word."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox

import cadena
from cadena.core.graph import edits
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.files import on_disk
from cadena.gui.files.questions import Dialogs
from tests.gui.conftest import leave, make_user
from tests.gui.desk import Desk, graph
from tests.gui.user import User, settle


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "five.cadena"
    cadena.save(graph(5.0), path)
    return path


@pytest.fixture
def desk(qapp, tmp_path, file) -> Iterator[Desk]:
    """With an open file."""
    desk = Desk(tmp_path)
    assert desk.files.open_path(file)
    yield desk
    desk.clear()


def value(path: Path) -> object:
    return cadena.load(path).nodes["w0"].value


# --- before a save


@pytest.mark.parametrize("keep_time", [False, True])
def test_a_file_that_changed_on_disk_was_overwritten_without_a_word(desk, file, keep_time):
    before = file.stat()
    desk.modify()
    cadena.save(graph(6.0), file)  # as long as the old one
    if keep_time:
        os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not desk.files.save()
    assert value(file) == 6.0 and desk.answers.asked == ["five changed"] and desk.session.modified


def test_the_user_may_overwrite_what_changed(desk, file):
    desk.modify()
    cadena.save(graph(6.0), file)
    desk.answers.conflict = "overwrite"
    assert desk.files.save() and value(file) == 7.0 and not desk.session.modified
    desk.session.undo()
    assert desk.files.save() and value(file) == 5.0 and len(desk.answers.asked) == 1


def test_the_user_may_save_a_copy_beside_what_changed(desk, file):
    desk.modify()
    cadena.save(graph(6.0), file)
    desk.answers.conflict, desk.answers.path = "copy", file.with_name("mine.cadena")
    assert desk.files.save()
    assert value(file) == 6.0 and value(desk.answers.path) == 7.0 and desk.session.path == desk.answers.path
    assert desk.answers.asked == ["five changed", file.with_name("five copy.cadena")]


def test_the_user_may_reload_what_changed_and_still_undo(desk, file):
    mine = desk.modify()
    cadena.save(graph(6.0), file)
    desk.answers.conflict = "reload"
    assert not desk.files.save()
    assert desk.session.document == graph(6.0) and not desk.session.modified
    desk.session.undo()
    assert desk.session.document == mine and desk.session.modified
    desk.session.undo()
    assert desk.session.document == graph(5.0)


def test_the_same_bytes_written_again_are_no_change(desk, file):
    desk.modify()
    file.write_bytes(file.read_bytes())
    os.utime(file)
    desk.files.look()
    assert desk.told == "" and desk.files.save() and desk.answers.asked == []


def test_a_file_that_changes_while_the_question_is_open_is_asked_about_again(desk, file):
    desk.modify()
    cadena.save(graph(6.0), file)
    answers = iter(["overwrite", "cancel"])

    def change_meanwhile():
        cadena.save(graph(8.0), file)
        return next(answers)

    desk.answers.conflict = change_meanwhile
    assert not desk.files.save() and value(file) == 8.0 and len(desk.answers.asked) == 2


def test_a_file_that_changes_while_it_is_written_is_asked_about(desk, file, monkeypatch):
    desk.modify()
    synced, others = os.fsync, [graph(6.0)]

    def change(handle):
        synced(handle)
        if others:
            cadena.save(others.pop(), file)

    monkeypatch.setattr(os, "fsync", change)
    assert not desk.files.save()
    assert value(file) == 6.0 and desk.answers.asked == ["five changed"]


def test_saving_under_the_name_of_the_open_file_asks_too(desk, file):
    desk.modify()
    cadena.save(graph(6.0), file)
    link = file.with_name("link.cadena")
    link.symlink_to(file)
    for path in (file, link):
        desk.answers.path = path
        assert not desk.files.save_as() and value(file) == 6.0
    assert desk.answers.asked.count("five changed") == 2


def test_a_deleted_file_is_written_again_and_the_user_hears_of_it(desk, file):
    desk.modify()
    file.unlink()
    assert desk.files.save() and value(file) == 7.0
    assert desk.said[-1] == "five.cadena no longer existed; it was written again" and not desk.answers.asked


@pytest.mark.parametrize("what", ["folder", "pipe"])
def test_a_file_that_became_something_else_is_not_replaced(desk, file, what):
    desk.modify()
    file.unlink()
    file.mkdir() if what == "folder" else os.mkfifo(file)
    assert not desk.files.save() and not file.is_file()
    assert desk.failures[0].startswith("Not saved.") and f"this is a {what}" in desk.failures[0]
    assert not desk.answers.asked and desk.session.modified


def test_a_file_that_can_no_longer_be_read_is_not_overwritten(desk, file, monkeypatch):
    desk.modify()

    def refuse(path):
        raise cadena.Refused(f"{path}: the file cannot be read: permission is denied; change the permissions")

    monkeypatch.setattr(on_disk, "contents", refuse)
    assert not desk.files.save() and value(file) == 5.0
    assert "permission is denied" in desk.failures[0] and not desk.answers.asked


# --- while it is open


def test_a_change_is_told_once_with_reload_first(desk, file):
    cadena.save(graph(6.0), file)
    desk.files.look()
    assert desk.told == "five.cadena was changed on disk."
    assert list(desk.choices) == ["Reload", "Save a copy…", "Overwrite"]
    desk.told = "closed"
    desk.files.look()
    assert desk.told == "closed"
    cadena.save(graph(8.0), file)
    desk.files.look()
    assert desk.told == "five.cadena was changed on disk."


def test_with_edits_of_ones_own_a_copy_comes_first(desk, file):
    desk.modify()
    cadena.save(graph(6.0), file)
    desk.files.look()
    assert "you have edits that are not saved" in desk.told
    assert list(desk.choices) == ["Save a copy…", "Reload", "Overwrite"]


def test_a_change_that_is_taken_back_is_told_no_more(desk, file):
    cadena.save(graph(6.0), file)
    desk.files.look()
    cadena.save(graph(5.0), file)
    desk.files.look()
    assert desk.told == ""


@pytest.mark.parametrize("choice", ["Reload", "Save a copy…", "Overwrite"])
def test_what_is_chosen_settles_the_change(desk, file, choice):
    desk.modify()
    cadena.save(graph(6.0), file)
    desk.files.look()
    desk.answers.path = file.with_name("mine.cadena")
    desk.choices[choice]()
    assert desk.told == "" and not desk.session.modified and "five changed" not in desk.answers.asked
    assert value(file) == (7.0 if choice == "Overwrite" else 6.0)
    desk.files.look()
    assert desk.told == ""


def test_what_is_overwritten_is_what_was_told(desk, file):
    desk.modify()
    cadena.save(graph(6.0), file)
    desk.files.look()
    overwrite = desk.choices["Overwrite"]
    cadena.save(graph(8.0), file)
    assert not overwrite() and value(file) == 8.0 and desk.answers.asked == ["five changed"]


def test_a_deleted_file_is_told_and_its_graph_is_not_let_go_unasked(desk, file):
    file.unlink()
    desk.files.look()
    assert desk.told == "five.cadena no longer exists: it was deleted, moved or renamed."
    assert desk.session.modified and not desk.files.may_leave() and desk.answers.asked == ["five"]
    desk.choices["Save it again"]()
    assert value(file) == 5.0 and desk.told == "" and not desk.session.modified


def test_a_deleted_file_that_comes_back_is_told_no_more(desk, file):
    data = file.read_bytes()
    file.unlink()
    desk.files.look()
    file.write_bytes(data)
    desk.files.look()
    assert desk.told == "" and not desk.session.modified


def test_a_file_that_became_a_folder_is_told(desk, file):
    file.unlink()
    file.mkdir()
    desk.files.look()
    assert "this is a folder; choose a file" in desk.told and list(desk.choices) == ["Save a copy…"]
    assert desk.session.modified


def test_reloading_a_damaged_file_leaves_the_document_and_says_why(desk, file):
    mine = desk.modify()
    file.write_bytes(b"{")
    desk.files.look()
    desk.choices["Reload"]()
    assert desk.told.startswith("Not reloaded.") and "the file ends in the middle" in desk.told
    assert desk.session.document is mine and desk.session.modified
    assert not desk.files.save() and desk.answers.asked == ["five changed"]
    desk.session.undo()
    assert desk.session.modified  # the only good one
    desk.choices["Overwrite"]()
    assert value(file) == 5.0 and desk.told == "" and not desk.session.modified


def test_what_a_shell_pipes_in_is_opened_as_an_untitled_graph(desk, file):
    told, tell = os.pipe()
    with os.fdopen(tell, "wb") as writer:
        writer.write(file.read_bytes())
    assert desk.files.open_path(Path(f"/dev/fd/{told}"))
    os.close(told)
    assert desk.session.document == graph(5.0) and desk.session.path is None


def test_reloading_the_same_graph_in_other_bytes_promises_no_undo(desk, file):
    file.write_bytes(file.read_bytes().replace(b", ", b",  "))
    desk.files.look()
    desk.choices["Reload"]()
    assert desk.said[-1] == "Reloaded five.cadena" and desk.told == "" and not desk.session.modified


def test_another_document_has_another_file(desk, file, tmp_path):
    desk.files.new()
    file.unlink()
    desk.files.look()
    assert desk.told == "" and not desk.session.modified


# --- in the window


@pytest.fixture
def opened(user, file) -> User:
    user.window.files.open_path(file)
    settle()
    return user


def test_a_file_that_is_replaced_again_and_again_is_noticed_every_time(opened, file, qtbot):
    banner = opened.window.banner
    for number in (6.0, 8.0, 9.0):
        cadena.save(graph(number), file)
        qtbot.waitUntil(banner.isVisible)
        assert banner.text.text() == "five.cadena was changed on disk."
        QTest.mouseClick(banner.buttons[0], Qt.MouseButton.LeftButton)
        settle()
        assert opened.session.document.nodes["w0"].value == number and not banner.isVisible()


def test_a_file_that_is_deleted_and_written_anew_is_noticed(opened, file, qtbot):
    banner = opened.window.banner
    file.unlink()
    qtbot.waitUntil(lambda: "no longer exists" in banner.text.text())
    cadena.save(graph(6.0), file)
    qtbot.waitUntil(lambda: "was changed on disk" in banner.text.text())
    assert banner.isVisible() and banner.text.text() == "five.cadena was changed on disk."


def test_a_change_is_noticed_when_the_window_becomes_active(opened, file, monkeypatch):
    monkeypatch.setattr(opened.window.files._disk, "_watcher", None)
    cadena.save(graph(6.0), file)
    QApplication.instance().focusWindowChanged.emit(opened.window.windowHandle())
    assert opened.window.banner.text.text() == "five.cadena was changed on disk." and opened.window.banner.isVisible()


def test_two_windows_on_one_file_hear_of_each_other(opened, file, tmp_path, qtbot):
    (tmp_path / "home").mkdir()
    other = make_user(tmp_path / "home")
    try:
        other.window.files.open_path(file)
        other.session.edit(lambda document: edits.set_value(document, "w0", 9.0), "Set w0")
        assert other.window.files.save() and not other.window.banner.isVisible()
        qtbot.waitUntil(lambda: "was changed on disk" in opened.window.banner.text.text())
    finally:
        leave(other)


def test_a_reload_leads_out_of_a_function_and_keeps_what_was_edited_there(user, tmp_path):
    path = tmp_path / "eight.cadena"
    cadena.save(open_lesson("8"), path)
    user.window.files.open_path(path)
    before = user.session.document
    call = next(name for name, node in before.nodes.items() if node.op in before.functions)
    user.window.levels.enter(call)
    user.session.edit(lambda body: edits.add(body, "sin", (0.0, 0.0)), "Add")
    edited = user.session.whole
    cadena.save(graph(6.0), path)
    user.window.files.reload()
    assert not user.window.inside.levels and user.session.document == graph(6.0) and not user.session.modified
    user.session.undo()
    assert user.session.document == edited
    user.session.undo()
    assert user.session.document == before


# --- the question


@pytest.mark.parametrize(
    ("text", "answer"),
    [("Save a copy…", "copy"), ("Overwrite", "overwrite"), ("Reload", "reload"), ("Cancel", "cancel"), ("", "cancel")],
)
def test_the_dialog_gives_the_answer_of_its_button(user, monkeypatch, text, answer):
    def press(box):
        box.show()
        if text:
            QTest.mouseClick(
                next(one for one in box.buttons() if one.text().replace("&", "") == text), Qt.MouseButton.LeftButton
            )
        else:
            QTest.keyClick(box, Qt.Key.Key_Escape)
        return 0

    monkeypatch.setattr(QMessageBox, "exec", press)
    assert Dialogs(user.window).changed_on_disk("five") == answer
