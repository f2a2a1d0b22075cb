"""The limits of a script's process, and what they are worth.

A script runs in a process of its own, which gives up, before the script begins, what a script does not need:

1. By the limits of the operating system (`limit_process`): to write to files, to take more memory, processor time and
   open files than it is allowed, and to leave a core dump. Windows has none of them.
2. By the kernel, on Linux (`confinement`): to open any file but those of Python, numpy, scipy and Cadena and the
   system's libraries, to change any file, to reach the network and other processes, and to start programs.
3. A hook (`refusing_hook`) ends scripts that try so with a sentence that names the line.

The first two hold whatever the script does, since the kernel holds them; a fault in the kernel is what is left to an
attacker. The third is a courtesy and protects from nothing: Python cannot contain Python, and there are many ways
around a hook. So where a kernel offers no confinement (other systems, old kernels, some containers), a script that
means harm has the rights of the user, and `confinement.caution` says so before a script runs.

Nor are these kept from a script: to use up memory and processor to their limits; to find out whether a file is there,
its size and times, and where links lead. Its answer goes into a graph like that of a file from elsewhere: the parent
kills it at a time limit, reads an answer up to a limit, and takes it for text, never for code. Array files beside a
script come to it in memory.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NoReturn

Hook = Callable[[str, tuple[Any, ...]], None]

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


def refusing_hook(refuse: Callable[[str], NoReturn], folders: Sequence[str]) -> Hook:
    """An audit hook that calls `refuse` with what a script tries in vain; files under `folders` may be read.

    It calls nothing that a script could replace, and what it goes by are defaults of its own, which no frame leads to.
    """
    places = {path + os.sep for folder in folders if folder for path in (folder, os.path.realpath(folder))}
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def hook(
        event: str,
        arguments: tuple[Any, ...],
        harmless: frozenset[str] = HARMLESS_EVENTS,
        kinds: Mapping[str, str] = MappingProxyType(dict(KINDS)),
        roots: tuple[str, ...] = tuple(places),
        separator: str = os.sep,
        writing: int = writing,
        refuse: Callable[[str], NoReturn] = refuse,
    ) -> None:
        if event in harmless:
            if event != "object.__setattr__" or arguments[1] != "__code__":
                return
            event = "code.__new__"
        path = None
        if event == "open" and type(arguments[1]) in (str, type(None)) and arguments[1] in ("r", "rb", None):
            path = None if arguments[2] & writing else arguments[0]
        elif event in ("os.listdir", "os.scandir"):
            path = arguments[0]
        if type(path) is str:  # a class of the script's own has methods of its own
            for root in roots:
                if (path + separator).startswith(root) and ".." not in path[len(root) :]:
                    return
        refuse(kinds.get(event.partition(".")[0], f"use {event}"))

    return hook
