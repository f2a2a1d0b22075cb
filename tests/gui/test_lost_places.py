"""The place of the open file goes: its folder vanishes or loses its permissions, or was a link. Nothing is lost."""

from __future__ import annotations

import errno
import os
import shutil
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication

import cadena
from cadena.core.graph import edits
from cadena.gui.export.dialogs import ExportDialog
from tests.gui.desk import denied, graph
from tests.gui.user import settle, shown_dialog
from tests.waiting import until


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "five.cadena"
    cadena.save(graph(5.0), path)
    return path


def value(path: Path) -> object:
    return cadena.load(path).nodes["w0"].value


def test_a_folder_that_lost_its_permission_was_an_error_inside(user, file, monkeypatch):
    user.window.files.open_path(file)
    user.session.edit(lambda document: edits.set_value(document, "w0", 9.0), "Set w0")
    with monkeypatch.context() as nobody:
        nobody.setattr(Path, "stat", denied)
        nobody.setattr("cadena.core.storage.files.os.stat", denied)
        nobody.setattr(user.window.files._disk._watcher, "files", list)
        QApplication.instance().focusWindowChanged.emit(user.window.windowHandle())
        assert "permission is denied" in user.window.banner.text.text()
        assert not user.window.files.save() and user.session.modified
    assert value(file) == 5.0


def test_a_folder_that_vanished_with_the_open_file_costs_nothing(user, tmp_path, qtbot):
    folder = tmp_path / "stick"
    folder.mkdir()
    cadena.save(graph(5.0), folder / "five.cadena")
    user.window.files.open_path(folder / "five.cadena")
    user.session.edit(lambda document: edits.set_value(document, "w0", 9.0), "Set w0")
    shutil.rmtree(folder)
    qtbot.waitUntil(lambda: "no longer exists" in user.window.banner.text.text())
    user.press("Ctrl+S")
    assert "there is no such file or folder" in user.window.banner.text.text() and user.session.modified
    user.answers.path = tmp_path / "elsewhere.cadena"
    user.press("Ctrl+Shift+S")
    assert value(tmp_path / "elsewhere.cadena") == 9.0 and not user.session.modified


def test_a_link_to_the_file_stays_a_link_and_hears_of_changes_of_the_file(user, file, tmp_path, qtbot):
    (tmp_path / "elsewhere").mkdir()
    link = tmp_path / "elsewhere" / "link.cadena"
    link.symlink_to(file)
    user.window.files.open_path(link)
    user.session.edit(lambda document: edits.set_value(document, "w0", 9.0), "Set w0")
    user.press("Ctrl+S")
    assert link.is_symlink() and value(file) == 9.0 and not user.session.modified
    cadena.save(graph(6.0), file)
    QApplication.instance().focusWindowChanged.emit(user.window.windowHandle())
    assert user.window.banner.text.text() == "link.cadena was changed on disk."


EXPORTS = {
    "file.picture": "x.svg",
    "file.code-torch": "x.py",
    "file.page": "x.html",
    "file.handout": "x.pdf",
    "file.film": "x.png",
}


@pytest.mark.parametrize("what", EXPORTS)
def test_an_export_to_a_full_disk_is_a_sentence_and_leaves_the_old_file(user, tmp_path, monkeypatch, what):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    path = user.answers.path = tmp_path / EXPORTS[what]
    path.write_text("old")
    monkeypatch.setattr(os, "fsync", full)
    user.window.menus.run(what)
    if (dialog := shown_dialog(user, ExportDialog)) is not None:
        dialog.save.click()
    banner = user.window.banner
    until(banner.isVisible, "the export does not end", settle)
    assert "the disk is full; free some space or choose another place" in banner.text.text()
    assert path.read_text() == "old" and [left.name for left in tmp_path.iterdir()] == [path.name]
