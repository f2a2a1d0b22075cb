"""Files: every action ends well, or says in one sentence why not and leaves the open document as it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication

import cadena
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.languages.export import export
from cadena.core.languages.record import LANGUAGES
from cadena.core.teaching.lessons import lessons, open_lesson
from cadena.gui.export.dialogs import ExportDialog
from cadena.gui.files.opening import RESOURCES
from tests.gui.desk import Desk, denied, graph
from tests.gui.user import shown_dialog


@pytest.fixture
def desk(qapp, tmp_path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    yield desk
    desk.clear()


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "five.cadena"
    cadena.save(graph(5.0), path)
    return path


# --- opening


def test_an_opened_file_is_shown_unmodified_from_its_first_step(desk, file):
    assert desk.files.open_path(file)
    session = desk.session
    assert session.document == graph(5.0) and session.path == file and not session.modified
    assert session.time == 0.0 and not session.live
    assert desk.settings.recent_files == (file,) and desk.files.name == "five"


def test_a_file_that_was_left_in_build_mode_opened_in_watch_mode(desk, file, tmp_path):
    desk.files.open_path(file)
    desk.session.show_live()
    desk.files.open_lesson("1")
    assert not desk.session.live
    desk.files.open_path(file)
    assert desk.session.path == file and desk.session.live
    desk.session.set_time(0.0)
    desk.files.new()
    assert desk.session.live
    desk.files.open_path(file)
    assert not desk.session.live
    desk.files.new()
    desk.answers.path = tmp_path / "made.cadena"
    desk.files.save()
    desk.files.new()
    desk.files.open_path(desk.answers.path)
    assert desk.session.live


def test_a_file_that_cannot_be_read_leaves_the_mouse_as_it_was(desk, tmp_path):
    desk.files.open_path(tmp_path / "none.cadena")
    assert QGuiApplication.overrideCursor() is None


def test_open_asks_for_a_file(desk, file):
    desk.answers.path = file
    desk.files.open()
    assert desk.session.path == file


def test_open_without_an_answer_changes_nothing(desk):
    desk.files.open()
    assert desk.session.document == graph(2.0) and desk.answers.asked


@pytest.mark.parametrize("content", [None, b"", b"{", b"\xff\xfe", b'{"format": "other"}', b"[" * 100_000])
def test_a_file_that_cannot_be_read_leaves_the_document_and_says_why(desk, tmp_path, content):
    path = tmp_path / "bad.cadena"
    if content is not None:
        path.write_bytes(content)
    before = desk.session.document
    assert not desk.files.open_path(path)
    assert desk.session.document is before and desk.session.path is None
    (told,) = desk.failures
    assert told.startswith("bad.cadena was not opened: ") and "; " in told and told.endswith(".") and "\n" not in told
    assert str(tmp_path) not in told and not desk.said
    assert desk.settings.recent_files == ()


def test_a_file_without_places_is_laid_out_and_still_unmodified(desk, tmp_path):
    path = tmp_path / "bare.cadena"
    path.write_bytes(b'{"format": "cadena", "version": 1, "nodes": [{"name": "x", "op": "input", "value": 1.0}]}')
    assert desk.files.open_path(path)
    assert set(desk.session.document.layout) == {"x"} and not desk.session.modified


def test_a_recent_file_opens(desk, file):
    desk.files.open_recent(file)
    assert desk.session.path == file


def test_a_recent_file_that_is_gone_leaves_the_list_with_a_sentence(desk, file):
    desk.settings.remember_file(file)
    file.unlink()
    desk.files.open_recent(file)
    assert desk.settings.recent_files == () and "five.cadena is no longer in" in desk.failures[0]


def test_a_recent_file_in_a_folder_without_permission_stays_in_the_list(desk, file, monkeypatch):
    desk.settings.remember_file(file)
    monkeypatch.setattr(Path, "stat", denied)
    monkeypatch.setattr("cadena.core.storage.files.os.stat", denied)
    desk.files.open_recent(file)
    monkeypatch.undo()
    assert desk.settings.recent_files == (file,) and "permission is denied" in desk.failures[0]


# --- lessons and new graphs


@pytest.mark.parametrize("lesson", [lesson.name for lesson in lessons()])
def test_a_lesson_is_an_untitled_copy(desk, lesson):
    desk.files.open_lesson(lesson)
    assert desk.session.path is None and not desk.session.modified
    assert set(desk.session.document.nodes) == set(open_lesson(lesson).nodes)
    assert set(desk.session.document.layout) == set(desk.session.document.nodes)


def test_saving_a_lesson_asks_for_a_place(desk, tmp_path):
    desk.files.open_lesson("1")
    desk.answers.path = tmp_path / "mine.cadena"
    assert desk.files.save()
    assert desk.session.path == tmp_path / "mine.cadena"


def test_a_file_inside_the_resources_is_opened_as_a_copy(desk):
    path = next((RESOURCES / "lessons").glob("*.cadena"))
    assert desk.files.open_path(path)
    assert desk.session.path is None and desk.settings.recent_files == ()


def test_a_new_graph_is_empty_and_in_build_mode(desk):
    desk.files.new()
    assert desk.session.document == Document({}) and desk.session.live and desk.files.name == "untitled"


def test_a_document_without_a_file_is_called_by_its_title(desk):
    desk.session.open(graph(1.0, "two paths"), None)
    assert desk.files.name == "two paths"


# --- the question before unsaved work would be lost


def leaving(desk: Desk, file: Path):
    files = desk.files
    return {"new": files.new, "open": lambda: files.open_path(file), "lesson": lambda: files.open_lesson("1")}


@pytest.mark.parametrize("way", ["new", "open", "lesson"])
def test_cancel_keeps_the_document(desk, file, way):
    changed = desk.modify()
    leaving(desk, file)[way]()
    assert desk.session.document is changed and desk.session.modified and desk.answers.asked == ["w0"]


@pytest.mark.parametrize("way", ["new", "open", "lesson"])
def test_discard_lets_it_go(desk, file, way):
    changed = desk.modify()
    desk.answers.leave = "discard"
    leaving(desk, file)[way]()
    assert desk.session.document != changed and not desk.session.modified


@pytest.mark.parametrize("way", ["new", "open", "lesson"])
def test_save_writes_it_first(desk, file, tmp_path, way):
    changed = desk.modify()
    desk.answers.leave, desk.answers.path = "save", tmp_path / "kept.cadena"
    leaving(desk, file)[way]()
    assert cadena.load(tmp_path / "kept.cadena") == changed and desk.session.document != changed


def test_save_without_a_place_keeps_the_document(desk):
    changed = desk.modify()
    desk.answers.leave = "save"
    desk.files.new()
    assert desk.session.document is changed


def test_opening_the_open_file_after_saving_it_shows_what_was_saved(desk, file):
    desk.files.open_path(file)
    changed = desk.modify()
    desk.answers.leave = "save"
    assert desk.files.open_path(file)
    assert desk.session.document == changed


def test_nothing_is_asked_without_changes(desk):
    assert desk.files.may_leave() and not desk.answers.asked


# --- saving


def test_a_save_is_what_is_opened_again(desk, tmp_path):
    changed = desk.modify()
    desk.answers.path = tmp_path / "a.cadena"
    assert desk.files.save() and not desk.session.modified
    assert cadena.load(tmp_path / "a.cadena") == changed
    assert desk.settings.recent_files == (tmp_path / "a.cadena",) and desk.said == ["Saved a.cadena"]


def test_a_second_save_asks_nothing(desk, file):
    desk.files.open_path(file)
    desk.modify()
    assert desk.files.save() and not desk.answers.asked
    assert cadena.load(file) == graph(7.0)


def test_save_as_leaves_the_old_file(desk, file, tmp_path):
    desk.files.open_path(file)
    desk.modify()
    desk.answers.path = tmp_path / "other.cadena"
    assert desk.files.save_as() and desk.session.path == tmp_path / "other.cadena"
    assert cadena.load(file) == graph(5.0) and cadena.load(tmp_path / "other.cadena") == graph(7.0)


def test_a_name_without_a_suffix_gets_one(desk, tmp_path):
    desk.answers.path = tmp_path / "plain"
    assert desk.files.save() and (tmp_path / "plain.cadena").exists()


def test_the_suggested_name_is_fit_for_a_file(desk):
    desk.session.open(graph(1.0, 'a/b: "c"?'), None)
    desk.files.save_as()
    assert desk.answers.asked[0].name == "a-b- -c--.cadena"


def test_the_suggested_folder_is_where_the_last_file_was(desk, file):
    desk.files.open_path(file)
    desk.files.new()
    desk.files.save_as()
    assert desk.answers.asked[0].parent == file.parent


def test_a_save_that_fails_is_told_and_the_work_stays_modified(desk, tmp_path):
    changed = desk.modify()
    desk.answers.path = tmp_path / "no" / "such" / "folder.cadena"
    assert not desk.files.save()
    assert desk.session.modified and desk.session.document is changed and desk.session.path is None
    assert len(desk.failures) == 1 and desk.failures[0].startswith("Not saved.") and "\n" not in desk.failures[0]


def test_an_undo_back_to_what_was_saved_needs_no_question(desk):
    desk.modify()
    desk.session.undo()
    assert desk.files.may_leave() and not desk.answers.asked


# --- pictures


@pytest.mark.parametrize("what", ["file.picture", "file.code-latex", "file.page", "file.handout"])
def test_an_export_under_the_name_of_a_graph_wrote_over_it(user, file, what):
    before, user.answers.path = file.read_bytes(), file
    user.window.menus.run(what)
    if (dialog := shown_dialog(user, ExportDialog)) is not None:
        dialog.save.click()
        dialog.close()
    assert file.read_bytes() == before
    said = "Not exported. five.cadena is the name of a graph; choose one with another ending"
    assert user.window.banner.isVisible() and user.window.banner.text.text() == said


def test_a_plot_is_exported_to_where_the_user_says(desk, tmp_path):
    desk.answers.path = tmp_path / "a.csv"
    desk.exports.plot("error over h", ".csv", desk.exported.append)
    assert desk.answers.asked[0].name == "w0 - error over h.csv"
    assert desk.exported == [tmp_path / "a.csv"] and desk.said == ["Exported a.csv"]


def test_a_plot_that_cannot_be_written_is_told(desk, tmp_path):
    desk.answers.path = tmp_path / "a.bmp"
    desk.exports.plot("error over h", ".png", lambda path: next(desk.export(desk.session, path)))
    assert desk.failures == ["Not exported. a.bmp: pictures end in .png or .svg"]


def test_no_plot_without_an_answer(desk):
    desk.exports.plot("error over h", ".png", desk.exported.append)
    assert not desk.exported and not desk.said


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_graph_is_exported_as_code(user, tmp_path, language):
    user.answers.path = path = tmp_path / f"graph{LANGUAGES[language].suffix}"
    user.window.menus.run(f"file.code-{language}")
    assert path.read_text() == export(user.session.document, language, stem="graph").text
    assert user.answers.asked[0].endswith(LANGUAGES[language].suffix)


def test_large_parameters_are_exported_beside_the_program(user, tmp_path):
    value = as_value(np.linspace(0.0, 1.0, 5000))
    nodes = {"w": Node("w", "parameter", value=value), "L": Node("L", "sum", ("w",))}
    user.session.open(Document(nodes, output="L"), None)
    user.answers.path = tmp_path / "large.py"
    said: list[str] = []
    user.session.message.connect(said.append)
    user.window.menus.run("file.code-torch")
    assert (tmp_path / "large.npz").exists() and said[
        -1
    ] == "Exported; large.npz beside the program holds the large arrays"


def test_code_that_would_shadow_its_library_is_not_written(user, tmp_path):
    user.answers.path = tmp_path / "torch.py"
    user.window.menus.run("file.code-torch")
    assert "Python would take this program for the library torch" in user.window.banner.text.text()
    assert not (tmp_path / "torch.py").exists()
