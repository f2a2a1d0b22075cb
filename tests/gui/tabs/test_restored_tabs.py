"""What was open is opened again by the next start, where that is wanted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import cadena
from cadena.core.methods.names import Method
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.tabs.restored_tabs import read_notes
from tests.gui.conftest import leave, make_user
from tests.gui.frame.test_documents import change, graph, names, save
from tests.gui.user import User, rest, settle


@pytest.fixture
def start(qapp, tmp_path):
    """Starts the program, each time with the same settings, as `app.start` does; ends all in the end."""
    started: list[User] = []

    def begin() -> User:
        user = make_user(tmp_path / "home")
        if user.window.settings.reopens:
            user.window.windows.restore()
            settle()
        started.append(user)
        return user

    (tmp_path / "home").mkdir()
    yield begin
    for user in started:
        for window in tuple(user.window.windows.all):
            window.files.questions = user.answers
            window.close()
        leave(user)
    rest()


def quit_(user: User) -> None:
    user.answers.leave = "discard"
    user.window.tabs.quit()
    settle()


def test_nothing_is_opened_again_unless_it_is_wanted(start, tmp_path):
    user = start()
    assert not user.window.menus.action("tab.restore").isChecked()
    user.window.files.open_path(save(tmp_path, "one")[0])
    quit_(user)
    assert names(start()) == ["Lesson 1: first chain rule"]


def test_files_are_opened_again_with_tab_view_moment_and_method(start, tmp_path):
    user = start()
    user.do("tab.restore")
    path = tmp_path / "mine.cadena"
    cadena.save(open_lesson("2"), path)
    other = save(tmp_path, "other")[0]
    user.window.files.open_path(path)
    user.session.set_method(Method("forward"))
    user.session.set_time(2.0)
    user.canvas.move_camera(user.canvas.camera.panned(33.0, 44.0))
    camera = user.canvas.camera
    user.window.files.open_path(other)
    user.session.show_live()
    user.press("Ctrl+Shift+Tab")
    quit_(user)
    again = start()
    assert names(again) == ["mine", "other"] and again.session.path == path and not again.session.modified
    assert again.session.method.name == "forward" and (again.session.time, again.session.live) == (2.0, False)
    assert again.canvas.camera == camera
    again.press("Ctrl+Tab")
    assert again.session.live and again.session.document == graph(0.0, "other")


def test_a_lesson_is_opened_again_where_it_was_left(start):
    user = start()
    user.do("tab.restore")
    user.window.files.open_lesson("3")
    settle()
    user.session.set_time(5.0)
    quit_(user)
    again = start()
    assert again.session.document.title.startswith("Lesson 3") and again.session.time == 5.0


def test_each_document_has_the_panels_that_were_open_around_it(start, tmp_path):
    user = start()
    user.do("tab.restore")
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    user.do("view.contour")
    user.window.files.open_path(other)
    user.do("view.code")
    user.do("view.nodes")
    quit_(user)
    user = start()
    panels = user.window.panels
    assert panels["nodes"].isVisible() and panels["code"].isVisible()
    user.press("Ctrl+Tab")
    assert panels["contour"].isVisible() and panels["code"].isHidden()


def test_files_that_are_gone_are_one_sentence(start, tmp_path):
    user = start()
    user.do("tab.restore")
    one, other, third = save(tmp_path, "one", "other", "third")
    for path in (one, other, third):
        user.window.files.open_path(path)
    quit_(user)
    one.unlink()
    third.write_text("{")
    again = start()
    assert names(again) == ["other"]
    assert again.window.toast.text.text() == (
        "one.cadena and third.cadena cannot be opened again: they were deleted, moved or changed"
    )


def test_every_window_is_opened_again(start, tmp_path):
    user = start()
    user.do("tab.restore")
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    user.window.files.open_path(other)
    user.window.tabs.move_to_window()
    settle()
    user.window.windows.all[1].files.questions = user.answers
    quit_(user)
    again = start()
    windows = again.window.windows.all
    assert [[label.name for label in window.documents.labels] for window in windows] == [["one"], ["other"]]


def test_what_was_open_is_known_after_a_crash_too(start, tmp_path):
    user = start()
    user.do("tab.restore")
    one, other = save(tmp_path, "one", "other")
    user.window.files.open_path(one)
    user.window.files.open_path(other)
    (window,) = read_notes(user.window.settings.open_documents)
    assert [document.name for document in window.documents] == ["one.cadena", "other.cadena"] and window.shown == 1


def test_unsaved_work_in_no_file_is_left_to_recovery(start):
    user = start()
    user.do("tab.restore")
    change(user, 7.0)
    user.window.windows.note()
    assert read_notes(user.window.settings.open_documents) == []


@pytest.mark.parametrize("text", ["", "{", "[1]", '[{"documents": 1}]', "[" * 100_000, json.dumps([{"documents": []}])])
def test_damaged_notes_open_nothing(text):
    assert read_notes(text) == []


def test_a_method_that_this_version_does_not_have_is_the_usual_one(start, tmp_path):
    user = start()
    path = save(tmp_path, "one")[0]
    noted = [{"documents": [{"path": str(path), "method": {"name": "from the future"}, "time": -3.0}]}]
    user.window.settings.reopens = True
    user.window.settings.open_documents = json.dumps(noted)
    user.window.windows.restore()
    assert user.session.path == path and user.session.method == Method() and user.session.time == 0.0


def test_a_path_that_is_no_text_can_be_noted(start, tmp_path):
    user = start()
    user.do("tab.restore")
    path = Path(str(tmp_path), b"\xff.cadena".decode(errors="surrogateescape"))
    cadena.save(graph(1.0), path)
    user.window.files.open_path(path)
    (window,) = read_notes(user.window.settings.open_documents)
    assert window.documents[0].path == str(path)


def test_a_quit_that_is_cancelled_keeps_noting(start, tmp_path):
    user = start()
    user.do("tab.restore")
    change(user, 7.0)
    user.answers.leave = "cancel"
    user.window.tabs.quit()
    user.window.files.open_path(save(tmp_path, "one")[0])
    (window,) = read_notes(user.window.settings.open_documents)
    assert [document.name for document in window.documents] == ["one.cadena"]
    assert QApplication.activeWindow() is user.window
