"""Copies of programs that were killed are all found, each by one program; what is damaged is set aside."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cadena.gui.files.recovery import left_behind
from cadena.gui.files.recovery.copies import UnsavedWork
from cadena.gui.files.recovery.left_behind import lock_of, look_through
from tests.gui.files.recovery.conftest import graph, leave

ANYBODY = 65534


def names(folder) -> list[str]:
    found, _ = look_through(folder)
    for copy in found:
        copy.release()
    return [copy.work.name for copy in found]


def leave_some(folder, *titles: str) -> None:
    for age, title in enumerate(titles):
        path = leave(folder, UnsavedWork((graph(title=title),)), name=f"copy-{title}")
        os.utime(path, (1e9 - age, 1e9 - age))


def test_all_copies_are_found_the_newest_first(folder):
    leave_some(folder, "b", "a", "c")
    assert names(folder) == ["b", "a", "c"]


def test_without_a_folder_nothing_is_found_and_none_is_made(folder):
    assert look_through(folder) == ([], []) and not folder.exists()


def test_what_one_program_offers_another_does_not(folder):
    """As when two are started at once after a crash."""
    leave_some(folder, "a", "b")
    first, _ = look_through(folder)
    assert len(first) == 2 and look_through(folder) == ([], [])
    first[0].release()
    second, _ = look_through(folder)
    assert [copy.path for copy in second] == [first[0].path]


def test_programs_that_start_at_once_share_the_copies_and_take_none_twice(folder):
    leave_some(folder, *"abcdefghij")
    code = """
import sys
from pathlib import Path
from cadena.gui.files.recovery import left_behind
left_behind.PATIENCE_MILLISECONDS = 600_000
print("ready", flush=True)
sys.stdin.readline()
found, remarks = left_behind.look_through(Path(sys.argv[1]))
print(*[copy.work.name for copy in found], *remarks, flush=True)
sys.stdin.readline()
"""
    words = [sys.executable, "-c", code, str(folder)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "bufsize": 1}
    programs = [subprocess.Popen(words, **pipes) for _ in range(3)]
    assert [program.stdout.readline() for program in programs] == ["ready\n"] * 3
    for program in programs:
        program.stdin.write("go\n")
    found = [name for program in programs for name in program.stdout.readline().split()]
    assert sorted(found) == list("abcdefghij")
    for program in programs:
        program.communicate("end\n")


def test_the_copy_of_a_program_that_runs_is_not_found(folder):
    leave_some(folder, "a")
    lock = lock_of(folder / "copy-a.recovery")
    assert lock.tryLock(0)
    assert names(folder) == []
    lock.unlock()
    assert names(folder) == ["a"]


def hold_lock(path) -> subprocess.Popen:
    code = """
import sys, time
from pathlib import Path
from cadena.gui.files.recovery.left_behind import lock_of
lock = lock_of(Path(sys.argv[1]))
print(lock.tryLock(0), flush=True)
time.sleep(600)
"""
    held = subprocess.Popen([sys.executable, "-c", code, str(path)], stdout=subprocess.PIPE, text=True)
    assert held.stdout is not None and held.stdout.readline() == "True\n"
    return held


def test_a_killed_programs_number_that_another_process_has_now_hid_its_copy(folder):
    leave_some(folder, "a")
    path = folder / "copy-a.lock"
    held = hold_lock(folder / "copy-a.recovery")
    try:
        os.utime(path, (1e9, 1e9))
        assert names(folder) == []
        lines = path.read_text().split("\n")
        held.kill()
        held.wait()
        assert lines[0] == str(held.pid)
        path.write_text("\n".join([str(os.getpid()), *lines[1:]]))  # as if this process were the one that was killed
        os.utime(path, (1e9, 1e9))
        assert names(folder) == ["a"]
    finally:
        held.kill()
        held.communicate()


def test_a_damaged_copy_is_named_once_set_aside_and_hides_no_good_one(folder):
    leave_some(folder, "a", "b")
    spoilt = folder / "copy-a.recovery"
    spoilt.write_bytes(b'{"recovery": 1')
    found, remarks = look_through(folder)
    assert [copy.work.name for copy in found] == ["b"]
    aside = folder / "damaged" / "copy-a.recovery"
    assert len(remarks) == 1 and "damaged" in remarks[0] and str(aside) in remarks[0]
    assert aside.read_bytes() == b'{"recovery": 1' and not spoilt.exists()
    found[0].release()
    assert look_through(folder)[1] == []


def test_a_damaged_copy_never_takes_the_place_of_another(folder):
    for content in (b"1", b"2"):
        folder.mkdir(exist_ok=True)
        (folder / "x.recovery").write_bytes(content)
        look_through(folder)
    assert sorted(path.read_bytes() for path in (folder / "damaged").iterdir()) == [b"1", b"2"]


def test_a_damaged_copy_that_cannot_be_moved_stays_and_is_told(folder):
    leave_some(folder, "a")
    (folder / "copy-a.recovery").write_bytes(b"{")
    (folder / "damaged").write_text("in the way")
    found, (remark,) = look_through(folder)
    assert found == [] and "stays in" in remark and (folder / "copy-a.recovery").read_bytes() == b"{"


def test_a_copy_of_a_newer_program_is_told_and_stays(folder):
    leave_some(folder, "a", "b")
    path = folder / "copy-a.recovery"
    path.write_bytes(path.read_bytes().replace(b'"recovery": 1', b'"recovery": 2'))
    assert look_through(folder)[1] == [
        f"A recovered graph waits in {path}: it was made by a newer Cadena; update Cadena."
    ]
    assert path.exists()


def test_a_copy_that_may_not_be_read_is_told_and_stays(folder, monkeypatch):
    leave_some(folder, "a", "b")
    path = folder / "copy-a.recovery"
    read = left_behind.read

    def guarded(copy):
        if copy == path:
            raise PermissionError(13, "denied")
        return read(copy)

    monkeypatch.setattr(left_behind, "read", guarded)  # root may read everything
    found, (remark,) = look_through(folder)
    assert [copy.work.name for copy in found] == ["b"] and path.exists()
    assert str(path) in remark and "permission is denied" in remark


@contextmanager
def as_anybody() -> Iterator[None]:
    """As somebody who is not root, who may do everything."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(ANYBODY)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_a_folder_that_cannot_be_written_is_told():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        leave_some(folder, "a")
        folder.chmod(0o555)
        with as_anybody():
            found, (remark,) = look_through(folder)
        folder.chmod(0o700)
    assert found == [] and "change its permissions" in remark


def test_a_folder_in_one_without_permission_was_an_error_inside_at_the_start():
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "data", "recovery")
        folder.parent.mkdir()
        leave_some(folder, "a")
        folder.parent.chmod(0)
        with as_anybody():
            found, (remark,) = look_through(folder)
        folder.parent.chmod(0o700)
    assert found == [] and "change its permissions" in remark


def test_a_file_in_the_place_of_the_folder_is_told(folder):
    folder.write_text("in the way")
    found, (remark,) = look_through(folder)
    assert found == [] and str(folder) in remark


def test_what_never_became_a_copy_is_cleared_away(folder):
    leave_some(folder, "a")
    (folder / "killed.part").write_bytes(b"{")
    (folder / "killed.lock").write_text("")
    (folder / "notes.txt").write_text("not ours")
    os.utime(folder / "killed.lock", (1e9, 1e9))
    assert names(folder) == ["a"]
    assert sorted(path.name for path in folder.iterdir()) == ["copy-a.recovery", "notes.txt"]
