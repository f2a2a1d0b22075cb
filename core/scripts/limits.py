"""The limits of a script's process, and what they are worth.

A script runs in a process of its own. Before it starts, that process gives up, by the limits of the operating system,
to write files, to take more memory, processor time and open files than it is allowed, and to leave a core dump. Then it
lets Python tell it (by an audit hook, which cannot be taken away again) of every file, socket, process, library of C
code and made-up code object; at the first of these it says so and ends. Files are opened to be read only, and only
those of Python, numpy and Cadena, which are imported as they are needed; array files beside a script come to it in
memory. The interface's process gives the script a time limit on top, and kills it; it takes nothing from it but text,
and reads a graph as it reads a file.

This protects from scripts that go wrong, and from scripts of the usual kind that mean harm: they neither read nor
change the user's files, nor reach the network. It does not protect from an attacker who knows a fault in Python,
numpy or the operating system by which code of his own gets run in the process: that code has the rights of the user,
save for what the operating system's limits keep. A script can find out whether a file is there, though not what is in
it. Nor are processor and memory kept from being used up to their limits. Where there are no such limits (Windows),
the hook and the time limit are all there is. Scripts of strangers are best read before they are run.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

MAX_SECONDS = 10.0  # of processor time, and by the clock
MAX_MEMORY = 2 * 2**30  # bytes of address space
MAX_PRINTED = 1_000_000  # characters
MAX_SCRIPT = 2_000_000  # characters of the script itself

# What Python tells of that every script does. A function made of code that is there can do no more than this code; from
# 3.14 on the annotations of a class are read so.
HARMLESS_EVENTS = frozenset(
    "import compile exec marshal.loads object.__getattr__ object.__setattr__ object.__delattr__ sys._getframe "
    "sys._getframemodulename builtins.id time.sleep sys.excepthook sys.unraisablehook "
    "cpython._PySys_ClearAuditHooks array.__new__ function.__new__".split()
)
READING = frozenset(("os.listdir", "os.scandir"))
KINDS = {
    "open": "open files",
    "os": "use the operating system",
    "socket": "use the network",
    "subprocess": "start processes",
    "ctypes": "call C code",
    "_thread": "start threads",
    "gc": "look through memory",
    "code": "make code objects",
    "builtins": "ask for input",
}


def limit_process(memory: int = MAX_MEMORY, seconds: float = MAX_SECONDS) -> None:
    """Give up, for good, what a script does not need."""
    try:
        import resource
    except ImportError:  # Windows
        return
    whole = int(seconds) + 1
    wanted = {
        "RLIMIT_AS": memory,
        "RLIMIT_CPU": whole,
        "RLIMIT_FSIZE": 0,
        "RLIMIT_CORE": 0,
        "RLIMIT_NOFILE": 32,
        "RLIMIT_NPROC": 0,
    }
    for name, limit in wanted.items():
        if (kind := getattr(resource, name, None)) is not None:
            _, hard = resource.getrlimit(kind)
            limit = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
            try:
                resource.setrlimit(kind, (limit, limit))
            except (ValueError, OSError):  # a limit that this system does not set
                if name == "RLIMIT_FSIZE":
                    raise


def guard(refuse: Callable[[str], NoReturn], folders: Sequence[str]) -> None:
    """Call `refuse` at whatever is forbidden; files under `folders` may be read."""
    roots = tuple(os.path.realpath(folder) + os.sep for folder in folders if folder)
    realpath, forbidden_flags = os.path.realpath, os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def may_read(path: Any) -> bool:
        return isinstance(path, str) and (realpath(path) + os.sep).startswith(roots)

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event in HARMLESS_EVENTS:
            return
        if event == "open":
            path, mode, flags = arguments
            if mode in ("r", "rb", None) and not flags & forbidden_flags and may_read(path):
                return
        elif event in READING and may_read(arguments[0]):
            return
        refuse(KINDS.get(event.partition(".")[0], f"use {event}"))

    sys.addaudithook(hook)
