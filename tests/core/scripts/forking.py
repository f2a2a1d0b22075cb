"""A process that has imported what scripts need, and forks for each script: the imports take most of its time."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from cadena.core.scripts import child, confinement, imports, limits, running

if TYPE_CHECKING:
    import pytest

SERVE = running.START.replace("cadena.core.scripts.child import main", "tests.core.scripts.forking import main")

LATE = ("ctypes", "fcntl", "mmap", "readline", "resource", "subprocess", "_posixshmem", "_posixsubprocess", "_socket")


def main(user: int | None = None, hooked: bool = True, depth: int = 0) -> None:
    """Fork for each pair of pipes that arrives; answer with the process's number, then with its exit status.

    The scripts run as another user if root says so, without the hook of `limits` if they are to have defeated it, and
    within `depth` layers of Landlock, of which the kernel takes 16.
    """
    for library in ("torch", *imports.LIBRARIES):  # loops are counted on the first tape that is made
        imports.modules_of(library)
    if not hooked:
        limits.refusing_hook = lambda refuse, folders: lambda event, arguments: None
    for name in LATE if user is not None else ():  # that user may have no right to read the home of this Python
        import_module(name)
    for _ in range(depth):
        confinement.confine(["/"], [confinement.LANDLOCK])
    if user is not None:
        os.setgroups([])
        os.setgid(user)
        os.setuid(user)
    wire = socket.socket(fileno=os.dup(0))
    while pipes := socket.recv_fds(wire, 1, 2)[1]:
        if not (number := os.fork()):
            _become_child(wire, pipes)
        for pipe in pipes:
            os.close(pipe)
        wire.send(b"%d" % number)
        _, status = os.waitpid(number, 0)
        wire.send(b"%d" % os.waitstatus_to_exitcode(status))


def _become_child(wire: socket.socket, pipes: list[int]) -> None:
    try:
        wire.close()
        for place, pipe in enumerate(pipes):
            os.dup2(pipe, place)
            os.close(pipe)
        child.main()
    finally:
        os._exit(1)


@contextmanager
def server(user: int | None = None, hooked: bool = True, depth: int = 0) -> Iterator[socket.socket]:
    """The forking process's end of a socket, until nobody needs it. See `main`."""
    here, there = socket.socketpair()
    serve = SERVE.replace("main()", f"main({user}, {hooked}, {depth})")
    command = [serve if word == running.START else word for word in running._command()]
    quiet = subprocess.DEVNULL
    with (
        there,
        subprocess.Popen(command, stdin=there, stdout=quiet, stderr=quiet, env=running.ENVIRONMENT, cwd="/") as process,
    ):
        there.close()
        with here:
            yield here
        process.wait()


def fork_scripts(monkeypatch: pytest.MonkeyPatch, wire: socket.socket) -> None:
    """Let the process at the other end of `wire` fork the processes of scripts."""
    start = SimpleNamespace(Popen=lambda *_, **__: Forked(wire), PIPE=subprocess.PIPE, DEVNULL=subprocess.DEVNULL)
    monkeypatch.setattr(running, "subprocess", start)


class Forked:
    """What `running` needs of subprocess.Popen."""

    def __init__(self, wire: socket.socket) -> None:
        (request, writing), (reading, answer) = os.pipe(), os.pipe()
        socket.send_fds(wire, [b"."], [request, answer])
        os.close(request)
        os.close(answer)
        self.stdin, self.stdout = os.fdopen(writing, "wb"), os.fdopen(reading, "rb")
        self._wire, self._number, self._status = wire, int(wire.recv(32)), None

    def kill(self) -> None:
        if self._status is None:
            with suppress(ProcessLookupError):  # it has ended, which nobody has asked for yet
                os.kill(self._number, 9)

    def wait(self) -> int:
        if self._status is None:
            self._status = int(self._wire.recv(32))
        return self._status

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stdin.close()
        self.stdout.close()
        self.wait()
