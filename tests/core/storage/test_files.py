from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

import cadena
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.core.layout import arrange as layout
from cadena.core.layout.arrange import complete as arranged
from cadena.core.storage import files
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import load, read, save
from cadena.core.text.plain_text import cleaned

ROOT = Path(__file__).parents[3]
SMALL = Document({"x": Node("x", "input", value=1.0)}, layout={"x": (0.0, 0.0)})
OTHER = Document({"y": Node("y", "input", value=2.0)}, layout={"y": (0.0, 0.0)})
ANYBODY = 65534
as_root = os.name == "posix" and os.geteuid() == 0


def refusal(action, *arguments):
    with pytest.raises(Refused) as refused:
        action(*arguments)
    assert "\n" not in str(refused.value)
    return str(refused.value)


@pytest.fixture
def file(tmp_path):
    """A saved file; whatever the test does, nothing else may be left beside it."""
    path = tmp_path / "graph.cadena"
    save(SMALL, path)
    yield path
    assert [left.name for left in tmp_path.iterdir() if left.name.startswith(".")] == []


class Guarded:
    """A file in a folder of its own that a test, even one of root, can meet as somebody who may do nothing special."""

    def __init__(self, folder: str) -> None:
        self.folder = Path(folder)
        self.folder.chmod(0o755)
        self.path = self.folder / "graph.cadena"
        save(SMALL, self.path)

    @contextmanager
    def as_anybody(self):
        if not as_root:
            yield
            return
        for path in (self.folder, self.path):
            os.chown(path, ANYBODY, ANYBODY)
        os.seteuid(ANYBODY)
        try:
            yield
        finally:
            os.seteuid(0)


@pytest.fixture
def guarded():
    with tempfile.TemporaryDirectory() as folder:
        yield Guarded(folder)


# --- reading


def test_what_was_saved_is_loaded(file):
    assert load(file) == SMALL
    assert cadena.load is load
    assert cadena.save is save


def test_nodes_without_a_place_get_one_when_loaded(tmp_path):
    path = tmp_path / "graph.cadena"
    save(Document({**SMALL.nodes, **OTHER.nodes}, layout={"x": (7.0, 8.0)}), path)
    document = load(path)
    assert set(document.layout) == {"x", "y"}
    assert document.layout["x"] == (7.0, 8.0)
    assert set(read(path).layout) == {"x"}


def test_who_only_runs_a_graph_does_not_wait_for_its_layout(tmp_path, monkeypatch):
    path, nodes = tmp_path / "graph.cadena", {**SMALL.nodes, **OTHER.nodes}
    save(Document(nodes, output="x"), path)
    asked = []
    monkeypatch.setattr(layout, "complete", lambda document: asked.append(document) or arranged(document))
    document = load(path)
    assert cadena.compile(document).run().value("x") == 1.0 and not asked
    assert document.layout.keys() == nodes.keys() and len(document.layout) == 2
    assert document == arranged(Document(nodes, output="x")) == document
    assert encode(document) == encode(arranged(document)) and len(asked) == 1


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("nothing.cadena", "there is no such file or folder; check the name"),
        ("graph.cadena/graph.cadena", "there is no such folder; check the name"),
        (".", "this is a folder; choose a file"),
        ("x" * 300, "the name is too long; choose a shorter one"),
        ("zero\0byte", "no file can have such a name; choose another one"),
    ],
)
def test_a_file_that_cannot_be_opened_is_refused_with_its_name(file, name, sentence):
    path = str(file.parent / name) if name != "." else str(file.parent)
    assert refusal(load, path) == f"{cleaned(path)}: the file cannot be read: {sentence}"


def test_an_empty_name_was_called_a_folder():
    assert refusal(load, "") == "the name of the file is empty; give one"


def test_a_file_without_permission_is_refused(guarded):
    guarded.path.chmod(0o200)
    with guarded.as_anybody():
        assert "permission is denied; change the permissions or choose" in refusal(load, guarded.path)


def test_symbolic_links_in_a_circle_are_refused(file):
    loop = file.with_name("loop.cadena")
    loop.symlink_to(loop)
    for action in (lambda path: load(path), lambda path: save(SMALL, path)):
        assert "lead in a circle" in refusal(action, loop)


def test_a_file_that_is_far_too_large_is_refused_before_it_is_read(file):
    os.truncate(file, files.MAX_BYTES + 1)
    assert refusal(load, file) == f"{file}: the file has more than 512 megabytes; choose a smaller one"


def test_a_file_was_written_that_was_too_large_to_be_read(file, monkeypatch):
    size = len(files.encode(SMALL))
    monkeypatch.setattr(files, "MAX_BYTES", size)
    save(SMALL, file)
    before = file.read_bytes()
    monkeypatch.setattr(files, "MAX_BYTES", size - 1)
    assert "cannot be opened; save a graph with smaller arrays" in refusal(save, SMALL, file)
    assert file.read_bytes() == before


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs /dev/zero")
def test_a_device_is_refused():
    assert refusal(load, "/dev/zero") == "/dev/zero: this is a device, not a file; choose a file"


def test_a_broken_file_is_refused_with_its_name(file):
    file.write_bytes(b"{")
    assert refusal(load, file) == f"{file}: the file ends in the middle; restore a copy of it"


# --- saving


def test_saving_again_replaces_the_file(file):
    save(OTHER, file)
    assert file.read_bytes() == encode(OTHER)


def test_a_new_file_has_the_permissions_that_the_umask_leaves(tmp_path):
    old = os.umask(0o027)
    try:
        save(SMALL, tmp_path / "new.cadena")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "new.cadena").stat().st_mode) == 0o640


def test_permissions_of_an_existing_file_stay(file):
    file.chmod(0o604)
    save(OTHER, file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o604


@pytest.mark.skipif(not as_root, reason="only root may give files away")
def test_the_owner_of_an_existing_file_stays(file):
    os.chown(file, 1234, 2345)
    save(OTHER, file)
    assert (file.stat().st_uid, file.stat().st_gid) == (1234, 2345)


def test_the_target_of_a_link_is_replaced_not_the_link(file):
    link = file.with_name("link.cadena")
    link.symlink_to(file.name)
    save(OTHER, link)
    assert link.is_symlink()
    assert file.read_bytes() == encode(OTHER)


def test_a_link_to_nothing_gets_its_target(file):
    link, target = file.with_name("link.cadena"), file.with_name("target.cadena")
    link.symlink_to(target)
    save(OTHER, link)
    assert target.read_bytes() == encode(OTHER)


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("missing/graph.cadena", "there is no such file or folder; check the name"),
        ("graph.cadena/graph.cadena", "there is no such folder; check the name"),
        (".", "this is a folder; choose a file"),
        ("x" * 300, "the name is too long; choose a shorter one"),
    ],
)
def test_a_place_that_cannot_be_written_to_is_refused(file, name, sentence):
    path = file.parent / name
    assert refusal(save, SMALL, path) == f"{path}: the file cannot be saved: {sentence}"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_device_is_never_replaced_by_a_file():
    assert "this is a device, not a file" in refusal(save, SMALL, "/dev/full")
    assert stat.S_ISCHR(Path("/dev/full").stat().st_mode)


def test_a_read_only_file_is_not_replaced(guarded):
    guarded.path.chmod(0o444)
    with guarded.as_anybody():
        assert "permission is denied" in refusal(save, OTHER, guarded.path)
    assert load(guarded.path) == SMALL


def test_a_read_only_folder_is_refused(guarded):
    guarded.folder.chmod(0o555)
    with guarded.as_anybody():
        assert "permission is denied" in refusal(save, OTHER, guarded.path)
        assert "permission is denied" in refusal(save, OTHER, guarded.folder / "new.cadena")
    assert load(guarded.path) == SMALL


@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EROFS, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("place", ["fsync", "chmod", "replace", "open"])
def test_whatever_fails_while_saving_the_old_file_stays_and_nothing_is_left(file, monkeypatch, place, code):
    def fail(*arguments, **settings):
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(os if place in ("fsync", "open") else Path, place, fail)
    sentence = refusal(save, OTHER, file)
    monkeypatch.undo()
    assert sentence.startswith(f"{file}: the file cannot be saved: ")
    assert "; " in sentence
    assert load(file) == SMALL


WITH_A_FULL_DISK = """
import resource, signal, sys
from cadena import Document, Refused
from cadena.core.storage.files import load, save
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
document = load(sys.argv[1])
try:
    save(Document(document.nodes, title="x" * 10_000_000), sys.argv[1])
except Refused as refused:
    print(refused)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of POSIX")
def test_a_file_that_grows_too_large_for_the_disk_leaves_the_old_one(file):
    done = subprocess.run([sys.executable, "-c", WITH_A_FULL_DISK, str(file)], cwd=ROOT, capture_output=True, text=True)
    assert (
        done.stdout
        == f"{file}: the file cannot be saved: the disk takes no file as large as this; choose another place\n"
    )
    assert load(file) == SMALL


@pytest.mark.skipif(not as_root or not sys.platform.startswith("linux"), reason="only root may mount a small disk")
def test_a_full_disk_leaves_the_old_file(tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", disk], capture_output=True).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        save(SMALL, disk / "graph.cadena")
        large = Document(SMALL.nodes, title="x" * 100_000)
        assert "the disk is full; free some space" in refusal(save, large, disk / "graph.cadena")
        assert load(disk / "graph.cadena") == SMALL
        assert [path.name for path in disk.iterdir()] == ["graph.cadena"]
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
        assert "the disk is read-only" in refusal(save, OTHER, disk / "graph.cadena")
    finally:
        subprocess.run(["umount", disk], check=True)


KILLING = """
import itertools, os, random, signal, sys, time
from cadena import Document, Node
from cadena.core.storage.files import read, save
path, moments = sys.argv[1], random.Random(1)
nodes = {f"n{i}": Node(f"n{i}", "input", value=float(i)) for i in range(300)}
save(Document(nodes, title="0"), path)
for _ in range(40):
    told, tell = os.pipe()
    if (child := os.fork()) == 0:
        for number in itertools.count(int(read(path).title) + 1):
            save(Document(nodes, title=str(number)), path)
            os.write(tell, b"saved")
    os.read(told, 1)
    time.sleep(moments.uniform(0.0, 0.03))
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    document = read(path)
    assert document.nodes == nodes
    print(document.title)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_a_process_killed_in_the_middle_of_saving_leaves_a_whole_file(tmp_path):
    command = [sys.executable, "-c", KILLING, str(tmp_path / "graph.cadena")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    saved = [int(title) for title in done.stdout.split()]
    assert len(saved) == 40
    assert saved == sorted(set(saved))
