"""What scripts get of `os` and `sys`: what tells nothing of the system and changes nothing of it."""

from __future__ import annotations

import posixpath
import sys
from typing import Any, NoReturn

from cadena.core.scripts.library import Library
from cadena.core.scripts.missing import NOT_PART


def _refused(owner: str) -> Any:
    def refuse(name: str) -> NoReturn:
        raise AttributeError(f"{owner}.{name}{NOT_PART}what a script gets of the system; leave it out")

    return refuse


def _write(text: str) -> int:
    return sys.stdout.write(text)


def _exit(*status: Any) -> NoReturn:
    raise SystemExit(0)


def _flush() -> None:
    sys.stdout.flush()


PATH = Library(
    "os.path",
    {name: getattr(posixpath, name) for name in ("join", "basename", "dirname", "splitext")},
    _refused("os.path"),
)
OUTPUT = Library("sys.stdout", {"write": _write, "flush": _flush}, _refused("sys.stdout"))
OS = Library(
    "os",
    {
        "environ": dict[str, str](),
        "getenv": lambda key, default=None: default,
        "path": PATH,
        "sep": "/",
        "name": "posix",
    },
    _refused("os"),
)
SYS = Library(
    "sys",
    {
        "argv": ["script.py"], "path": list[str](), "exit": _exit, "stdout": OUTPUT, "stderr": OUTPUT,
        "version": sys.version, "version_info": sys.version_info, "platform": sys.platform, "maxsize": sys.maxsize,
        "float_info": sys.float_info,
    },
    _refused("sys"),
)  # fmt: skip
MODULES: dict[str, Library] = {item.__name__: item for item in (OS, PATH, SYS)}
