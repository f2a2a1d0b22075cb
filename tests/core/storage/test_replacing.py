"""Saving keeps what belongs to a file beside its contents; what killed saves left is cleared away by the next one."""

from __future__ import annotations

import errno
import os
import stat
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.core.storage import replacing
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import load, save

ROOT = Path(__file__).parents[3]
OLD = Document({"x": Node("x", "input", value=1.0)}, layout={"x": (0.0, 0.0)}, title="old")
NEW = Document({"y": Node("y", "input", value=2.0)}, layout={"y": (0.0, 0.0)}, title="new" * 9_000)
ABANDONED = ".cadena-0123456789abcdef"

linux = pytest.mark.skipif(sys.platform != "linux", reason="Python knows extended attributes only on Linux")
posix = pytest.mark.skipif(os.name != "posix", reason="needs the locks, links and pipes of POSIX")


@pytest.fixture
def file(tmp_path) -> Path:
    path = tmp_path / "graph.cadena"
    save(OLD, path)
    return path


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name.startswith(".cadena-"))


def refusal(action, *arguments) -> str:
    with pytest.raises(Refused) as refused:
        action(*arguments)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def failing(code: int):
    def fail(*arguments, **settings):
        raise OSError(code, os.strerror(code))

    return fail


# --- what belongs to a file


@posix
def test_the_content_of_a_private_file_lay_open_while_it_was_saved(file, monkeypatch):
    file.chmod(0o600)
    modes, opened = [], os.open

    def watch(path, flags, *mode):
        handle = opened(path, flags, *mode)
        if flags & os.O_CREAT:
            modes.append(stat.S_IMODE(os.fstat(handle).st_mode))
        return handle

    monkeypatch.setattr(os, "open", watch)
    monkeypatch.setattr(os, "fsync", lambda handle: modes.append(stat.S_IMODE(os.fstat(handle).st_mode)))
    umask = os.umask(0)
    try:
        save(NEW, file)
    finally:
        os.umask(umask)
    assert modes[:2] == [0o600, 0o600] and load(file) == NEW
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@linux
def test_extended_attributes_were_lost(file):
    try:
        os.setxattr(file, "user.origin", b"lecture 3")
    except OSError:
        pytest.skip("this disk has no extended attributes")
    save(NEW, file)
    assert os.getxattr(file, "user.origin") == b"lecture 3" and load(file) == NEW


def access_list(*entries: tuple[int, int, int]) -> bytes:
    """Entries of (tag, permissions, user or group) as Linux stores them."""
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


NOBODY_ELSE = 0xFFFFFFFF
READ_BY_1234 = access_list(
    (1, 6, NOBODY_ELSE), (2, 4, 1234), (4, 4, NOBODY_ELSE), (16, 4, NOBODY_ELSE), (32, 0, NOBODY_ELSE)
)


@linux
def test_an_access_control_list_was_lost(file):
    try:
        os.setxattr(file, "system.posix_acl_access", READ_BY_1234)
    except OSError:
        pytest.skip("this disk has no access control lists")
    save(NEW, file)
    assert os.getxattr(file, "system.posix_acl_access") == READ_BY_1234
    assert stat.S_IMODE(file.stat().st_mode) == 0o640


@linux
def test_a_saved_file_does_not_inherit_an_access_control_list_that_it_had_not(file):
    try:
        os.setxattr(file.parent, "system.posix_acl_default", READ_BY_1234)
    except OSError:
        pytest.skip("this disk has no access control lists")
    file.chmod(0o640)
    save(NEW, file)
    assert os.listxattr(file) == [] and stat.S_IMODE(file.stat().st_mode) == 0o640


def test_where_python_knows_no_extended_attributes_a_file_is_saved_all_the_same(file, monkeypatch):
    for name in ("listxattr", "getxattr", "setxattr", "removexattr"):
        monkeypatch.delattr(os, name, raising=False)
    monkeypatch.setattr(sys, "platform", "darwin")
    save(NEW, file)
    assert load(file) == NEW


@linux
def test_a_disk_without_extended_attributes_is_no_obstacle(file, monkeypatch):
    monkeypatch.setattr(os, "listxattr", failing(errno.ENOTSUP))
    save(NEW, file)
    assert load(file) == NEW


@posix
@pytest.mark.parametrize("place", ["chown", "setxattr"])
def test_a_file_whose_owner_or_attributes_no_new_file_may_have_is_refused(file, monkeypatch, place):
    if place == "chown":
        if os.geteuid() != 0:
            pytest.skip("only root has a file of another owner")
        os.chown(file, 1234, 1234)
    else:
        try:
            os.setxattr(file, "user.label", b"secret")
        except (AttributeError, OSError):
            pytest.skip("there are no extended attributes here")
    monkeypatch.setattr(os, place, failing(errno.EPERM))
    assert "a new file may not have its owner or attributes; choose another place" in refusal(save, NEW, file)
    assert load(file) == OLD and left_in(file.parent) == []


@posix
def test_a_save_cut_a_file_off_from_its_other_names(file):
    (other := file.with_name("same.cadena")).hardlink_to(file)
    assert "its other names (hard links) would keep the old content" in refusal(save, NEW, file)
    assert load(other) == load(file) == OLD and file.samefile(other) and left_in(file.parent) == []


# --- what killed saves left


def make_old(path: Path) -> None:
    os.utime(path, (0.0, 0.0))


@posix
def test_a_killed_save_left_its_temporary_file_for_ever(file):
    file.with_name(ABANDONED).write_bytes(b"half")
    make_old(file.with_name(ABANDONED))
    save(NEW, file.with_name("another.cadena"))
    assert left_in(file.parent) == []


@posix
def test_the_temporary_file_of_a_running_save_stays(file):
    def save_another():
        before = left_in(file.parent)
        save(OLD, file.with_name("another.cadena"))
        assert left_in(file.parent) == before and len(before) == 1

    replacing.replace_file(file, encode(NEW), save_another)
    assert load(file) == NEW and left_in(file.parent) == []


@posix
def test_files_of_the_user_are_not_taken_for_temporary_ones(file):
    kept = [".cadena-notes", ".cadena-0123456789ABCDEF", f"{ABANDONED}.cadena", ".cadena-"]
    for name in kept:
        file.with_name(name).write_text("mine")
        make_old(file.with_name(name))
    folder, link = file.with_name(ABANDONED), file.with_name(".cadena-fedcba9876543210")
    folder.mkdir()
    link.symlink_to(file.name)
    os.mkfifo(pipe := file.with_name(".cadena-00112233445566ff"))
    make_old(pipe)
    make_old(file)
    save(NEW, file)
    assert left_in(file.parent) == sorted([*kept, folder.name, link.name, pipe.name]) and load(file) == NEW


# --- the last look


def test_a_last_look_can_call_off_a_save(file):
    def refuse():
        raise Refused("it has changed")

    with pytest.raises(Refused, match="it has changed"):
        replacing.replace_file(file, encode(NEW), refuse)
    assert load(file) == OLD and left_in(file.parent) == []


# --- killed at every call

KILLED_AT_EVERY_CALL = """
import itertools, os, signal, sys
from pathlib import Path
from cadena import load, save
from tests.core.storage.test_replacing import NEW, OLD, make_old

path = Path(sys.argv[1])
save(OLD, path)
path.chmod(0o600)
calls = [(os, name) for name in "open fsync close".split()]
calls += [(Path, "replace"), (Path, "unlink"), (Path, "chmod")]

def killing(moment):
    counted = itertools.count()
    def wrap(call):
        def counting(*arguments, **settings):
            if next(counted) == moment:
                os.kill(os.getpid(), signal.SIGKILL)
            return call(*arguments, **settings)
        return counting
    for owner, name in calls:
        setattr(owner, name, wrap(getattr(owner, name)))

was, titles = OLD, []
for moment in itertools.count():
    to_be = NEW if was == OLD else OLD
    if (child := os.fork()) == 0:
        killing(moment)
        save(to_be, path)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    for left in path.parent.glob(".cadena-*"):
        assert left.stat().st_mode & 0o077 == 0, left
        make_old(left)
    found = load(path)
    assert found in (was, to_be), moment
    assert path.stat().st_mode & 0o777 == 0o600
    save(was, path)
    assert not list(path.parent.glob(".cadena-*")), moment
    titles.append(found.title)
    if status == 0:
        break
print(moment, len(set(titles)))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="counts the calls of Linux")
def test_a_save_that_is_killed_at_any_call_leaves_the_old_file_or_the_new_one(tmp_path):
    command = [sys.executable, "-c", KILLED_AT_EVERY_CALL, str(tmp_path / "graph.cadena")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    moments, outcomes = map(int, done.stdout.split())
    assert moments >= 6 and outcomes == 2
