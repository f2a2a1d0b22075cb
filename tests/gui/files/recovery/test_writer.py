"""Copies are written in a thread: the last one wanted, whole, and again after a failure."""

from __future__ import annotations

import errno
import os
import threading

import pytest

from cadena.gui.files.recovery import writer
from cadena.gui.files.recovery.copies import UnsavedWork, read
from cadena.gui.files.recovery.left_behind import look_through
from cadena.gui.files.recovery.writer import CopyWriter
from tests.gui.files.recovery.conftest import graph, leave
from tests.waiting import until

FULL = "the disk is full; free some space or choose another place"


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def made(folder, said):
    one = CopyWriter(folder / "mine.recovery", said.append)
    yield one
    one.end()


def kept(value: float) -> UnsavedWork:
    return UnsavedWork((graph(value),))


def test_what_is_wanted_last_is_written(made):
    for value in range(20):
        made.request(kept(float(value)))
    assert made.flush() and read(made.path) == kept(19.0)


def test_nothing_is_written_before_something_is_wanted(made, folder):
    assert not folder.exists() and made._thread is None


@pytest.mark.parametrize("soon", ["PAUSE", "LATEST"])
def test_a_copy_is_begun_after_a_pause_and_amid_edits_without_one(made, monkeypatch, soon):
    for name in ("PAUSE", "LATEST"):
        monkeypatch.setattr(writer, name, 0.0 if name == soon else 1e6)
    made.request(kept(1.0))
    until(made.path.exists, "it is never written")
    assert read(made.path) == kept(1.0)


def test_a_copy_was_written_while_the_window_showed_the_edit(made, monkeypatch):
    """Python runs one thread at a time: at 10,000 nodes an edit was seen two milliseconds later."""
    for name in ("PAUSE", "LATEST"):
        monkeypatch.setattr(writer, name, 1e6)
    for value in range(3):
        made.request(kept(float(value)))
        assert not made.path.exists()
    assert made.flush() and read(made.path) == kept(2.0)  # at once, as before the program is left


def test_the_end_comes_at_once_in_a_pause_too(made, folder, monkeypatch):
    monkeypatch.setattr(writer, "PATIENCE", 1e6)
    for name in ("PAUSE", "LATEST"):
        monkeypatch.setattr(writer, name, 1e6)
    made.request(kept(1.0))
    made.end()
    assert not made._thread.is_alive() and not made.path.exists()


def test_what_needs_no_copy_any_more_has_none(made):
    made.request(kept(1.0))
    made.flush()
    made.request(None)
    assert made.flush() and not made.path.exists()


def test_the_end_leaves_nothing(made, folder):
    made.request(kept(1.0))
    made.flush()
    made.end()
    assert list(folder.iterdir()) == []


def test_only_the_user_may_read_a_copy(made, folder):
    made.request(kept(1.0))
    made.flush()
    assert made.path.stat().st_mode & 0o077 == 0 and folder.stat().st_mode & 0o077 == 0


def test_a_copy_is_never_half_a_file(made, monkeypatch):
    """While the next one is being written, and after that failed, the one before is there, whole."""
    made.request(kept(1.0))
    made.flush()
    seen: list[UnsavedWork] = []

    def fail(handle: int) -> None:
        seen.append(read(made.path))
        raise OSError(errno.ENOSPC, "full")

    monkeypatch.setattr(writer.os, "fsync", fail)
    made.request(kept(2.0))
    made.flush()
    assert seen[:1] == [kept(1.0)] and read(made.path) == kept(1.0) and not made.path.with_suffix(".part").exists()


def test_after_a_full_disk_copies_stopped_for_ever(made, monkeypatch, said):
    """It is said once, tried again, and said when it is over."""
    tried = threading.Semaphore(0)

    def fail(handle: int) -> None:
        tried.release()
        raise OSError(errno.ENOSPC, "full")

    with monkeypatch.context() as broken:
        broken.setattr(writer, "RETRY", 0.0)
        broken.setattr(writer.os, "fsync", fail)
        made.request(kept(1.0))
        for _ in range(3):
            assert tried.acquire(timeout=120)
        assert said == [FULL]
        made.request(kept(2.0))
        for _ in range(3):
            assert tried.acquire(timeout=120)
    assert made.flush() and read(made.path) == kept(2.0)
    assert said == [FULL, ""]


def test_a_folder_that_cannot_be_made_is_told(tmp_path, said):
    (tmp_path / "file").write_text("in the way")
    one = CopyWriter(tmp_path / "file" / "mine.recovery", said.append)
    one.request(kept(1.0))
    assert not one.flush() and len(said) == 1
    one.end()


def test_an_error_inside_does_not_end_the_thread(made, monkeypatch, said):
    with monkeypatch.context() as broken:
        broken.setattr(writer, "_write", lambda *anything: {}["gone"])
        made.request(kept(1.0))
        assert not made.flush()
    assert "KeyError" in said[0] and made.flush() and read(made.path) == kept(1.0)


def test_a_copy_that_is_taken_over_goes_only_when_the_new_one_is_there(made, folder, monkeypatch):
    old = leave(folder, kept(5.0))
    (copy,), _ = look_through(folder)
    with monkeypatch.context() as broken:
        broken.setattr(writer.os, "fsync", lambda handle: os.close(-1))
        made.request(copy.work, instead_of=(copy,))
        assert not made.flush() and old.exists()
        made.request(kept(6.0))
    assert made.flush() and not old.exists() and read(made.path) == kept(6.0)
    assert not old.with_suffix(".lock").exists()


def test_what_was_taken_over_and_let_go_is_gone(made, folder):
    old = leave(folder, kept(5.0))
    (copy,), _ = look_through(folder)
    made.request(copy.work, instead_of=(copy,))
    made.end()
    assert not old.exists() and list(folder.iterdir()) == []
