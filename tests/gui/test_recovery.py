"""After a crash the unsaved graph is there again; after a proper end nothing is."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication

import core
from core import Document, Refused, edits
from core.document import Node
from gui import recovery
from gui.recovery import Recovery
from gui.session import Session


def graph() -> Document:
    return Document({"w0": Node("w0", "parameter", value=2.0)}, layout={"w0": (0.0, 0.0)})


def modify(session: Session, value: float = 7.0) -> None:
    session.edit(lambda document: edits.set_value(document, "w0", value), "Set w0")


@pytest.fixture
def session(qapp, monkeypatch) -> Session:
    # Another test may have pressed a button that it never let go; only the ones that mean it have a busy hand.
    monkeypatch.setattr(QGuiApplication, "mouseButtons", staticmethod(lambda: Qt.MouseButton.NoButton))
    return Session(graph())


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "recovery"


def crashed(keeper: Recovery) -> None:
    """What remains of a program that was killed: its copy, and a lock that nobody holds."""
    keeper._timer.stop()
    keeper._lock.unlock()


def test_unsaved_work_is_written_and_found_after_a_crash(session, folder):
    keeper = Recovery(session, folder)
    modify(session)
    assert keeper.try_to_write()
    crashed(keeper)
    other = Recovery(Session(graph()), folder)
    assert other.left_behind() == [keeper.path]
    assert core.load(keeper.path).nodes["w0"].value == 7.0


def test_the_copy_of_a_program_that_runs_is_not_offered(session, folder):
    keeper = Recovery(session, folder)
    modify(session)
    keeper.try_to_write()
    assert Recovery(Session(graph()), folder).left_behind() == []
    keeper.close()


def test_a_proper_end_leaves_nothing(session, folder):
    keeper = Recovery(session, folder)
    modify(session)
    keeper.try_to_write()
    keeper.close()
    assert list(folder.iterdir()) == []


def test_what_is_saved_needs_no_copy(session, folder, tmp_path):
    keeper = Recovery(session, folder)
    modify(session)
    keeper.try_to_write()
    session.mark_saved(tmp_path / "x.cadena")
    keeper.try_to_write()
    assert not keeper.path.exists()


def test_without_changes_nothing_is_written(session, folder):
    keeper = Recovery(session, folder)
    keeper.try_to_write()
    assert not folder.exists() and keeper.left_behind() == []


def test_taking_over_brings_the_graph_its_file_and_the_modified_mark(session, folder, tmp_path):
    session.open(graph(), tmp_path / "lesson.cadena")
    keeper = Recovery(session, folder)
    modify(session)
    keeper.try_to_write()
    crashed(keeper)
    other = Session(graph())
    heir = Recovery(other, folder)
    heir.take_over(keeper.path)
    assert other.document == session.document and other.path == tmp_path / "lesson.cadena" and other.modified
    assert not keeper.path.exists() and heir.path.exists()
    heir.close()


def test_a_copy_that_cannot_be_read_is_refused_and_kept(session, folder):
    keeper = Recovery(session, folder)
    folder.mkdir()
    spoilt = folder / "spoilt.cadena"
    spoilt.write_bytes(b"{")
    with pytest.raises(Refused):
        keeper.take_over(spoilt)
    assert spoilt.exists() and session.document == graph()


def test_the_copy_is_written_by_itself(session, folder, qtbot, monkeypatch):
    monkeypatch.setattr(recovery, "INTERVAL_SECONDS", 0.01)
    keeper = Recovery(session, folder)
    modify(session)
    qtbot.waitUntil(keeper.path.exists)
    assert core.load(keeper.path).nodes == session.document.nodes
    keeper.close()


def test_nothing_is_written_while_the_graph_plays(session, folder, qtbot, monkeypatch):
    monkeypatch.setattr(recovery, "INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(recovery, "BUSY_SECONDS", 0.01)
    keeper = Recovery(session, folder)
    modify(session)
    session.playing = True
    qtbot.wait(60)
    assert not keeper.path.exists()
    session.playing = False
    qtbot.waitUntil(keeper.path.exists)
    keeper.close()


def test_nothing_is_written_while_a_button_is_held_down(session, folder, qtbot, monkeypatch):
    monkeypatch.setattr(recovery, "INTERVAL_SECONDS", 0.01)
    monkeypatch.setattr(recovery, "BUSY_SECONDS", 0.01)
    monkeypatch.setattr(QGuiApplication, "mouseButtons", staticmethod(lambda: Qt.MouseButton.LeftButton))
    keeper = Recovery(session, folder)
    modify(session)
    qtbot.wait(60)
    assert not keeper.path.exists()
    keeper.close()


def test_a_folder_that_cannot_be_written_is_told_once(session, tmp_path):
    (tmp_path / "file").write_text("in the way")
    said: list[str] = []
    session.message.connect(said.append)
    keeper = Recovery(session, tmp_path / "file")
    modify(session)
    assert not keeper.try_to_write()
    assert len(said) == 1 and not keeper._timer.isActive()
