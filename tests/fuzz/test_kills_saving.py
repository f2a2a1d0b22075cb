"""Programs that save in a loop are killed at random moments: the file is the old one or the new one, whole."""

from __future__ import annotations

import json
import os
import random
import signal
import stat
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

import pytest

from cadena.core.graph.document import Document, Node
from cadena.core.storage.decoding import decode
from cadena.core.storage.encoding import encode
from cadena.core.storage.files import load, save, write

ROOT = Path(__file__).parents[2]
KINDS = {"small": 30, "large": 10_000}  # nodes
ATTRIBUTE = ("user.origin", b"lecture 3")


@dataclass
class Figures:
    kills: int = 0
    new: int = 0  # the save that was under way had come to its end
    left: int = 0  # there was a temporary file


class Desk:
    """A private file that programs save to until they are killed."""

    def __init__(self, folder: Path, nodes: int, seed: int) -> None:
        self.path = folder / "graph.cadena"
        self.nodes = {f"n{i}": Node(f"n{i}", "input", value=float(i)) for i in range(nodes)}
        self.layout = dict.fromkeys(self.nodes, (0.0, 0.0))
        self.moments, self.figures = random.Random(seed), Figures()
        data, start = encode(self.document(0)), time.perf_counter()
        write(data, self.path)
        self.seconds = time.perf_counter() - start
        self.path.chmod(0o600)
        self.attributes = _try_to_mark(self.path)

    def document(self, number: int) -> Document:
        """Another one for every number, of another length too."""
        return Document(self.nodes, layout=self.layout, title=f"{number}{'x' * (number % 7) * 3_000}")

    def kill_one(self) -> None:
        """One program is killed in its first or second save."""
        old = self.number()
        told, tell = os.pipe()
        if (child := os.fork()) == 0:
            for number in range(old + 1, old + 1000):
                data = encode(self.document(number))
                os.write(tell, b"writing\n")
                write(data, self.path)
                os.write(tell, b"saved\n")
            os._exit(1)
        os.close(tell)
        os.read(told, 1)
        time.sleep(self.moments.uniform(0.0, 2 * self.seconds))
        os.kill(child, signal.SIGKILL)
        assert os.waitpid(child, 0)[1] == signal.SIGKILL
        with os.fdopen(told, "rb") as saved:
            self.check(old + saved.read().count(b"saved"))
        for path in self.left():
            os.utime(path, (0.0, 0.0))  # as if an hour had passed, after which it is taken for abandoned
        save(self.document(self.number()), self.path)
        assert self.left() == []

    def check(self, told: int) -> None:
        """Hold what is left after a kill against the number of the last save that was told to be done."""
        left = self.left()
        assert all(path.stat().st_mode & 0o077 == 0 for path in left), "what is private lay open"
        self.figures.kills += 1
        self.figures.left += bool(left)
        number = self.number()
        assert number in (told, told + 1)
        self.figures.new += number == told + 1
        assert stat.S_IMODE(self.path.stat().st_mode) == 0o600
        assert _attributes(self.path) == self.attributes
        assert decode(self.path.read_bytes(), "whole") == self.document(number)

    def number(self) -> int:
        document = load(self.path)
        number = int(document.title.rstrip("x"))
        assert document == self.document(number)
        return number

    def left(self) -> list[Path]:
        return list(self.path.parent.glob(".cadena-*"))


def _try_to_mark(path: Path) -> list[str]:
    with suppress(AttributeError, OSError):  # no such thing here
        os.setxattr(path, *ATTRIBUTE)
    return _attributes(path)


def _attributes(path: Path) -> list[str]:
    return os.listxattr(path) if hasattr(os, "listxattr") else []


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
@pytest.mark.parametrize("kind", KINDS)
def test_programs_that_are_killed_while_saving_lose_nothing(tmp_path, kind, rounds, report):
    kills = rounds(2 if kind == "large" else 4, 500)
    command = [sys.executable, "-m", __name__, str(tmp_path), kind, str(kills)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = Figures(**json.loads(done.stdout))
    assert found.kills == kills
    report(
        f"kills during save, {kind}",
        f"{found.kills} kills, {found.new} after and {found.kills - found.new} before the new file was in place; "
        f"{found.left} left a temporary file; nothing lost, all cleared away",
    )


if __name__ == "__main__":  # a process of its own, which may fork
    folder, kind, kills = sys.argv[1:]
    desk = Desk(Path(folder), KINDS[kind], seed=len(kind))
    for _ in range(int(kills)):
        desk.kill_one()
    print(json.dumps(asdict(desk.figures)))
