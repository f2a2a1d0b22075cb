"""The Python that runs a script with its real library: the one that runs Cadena, or one that the user names."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from contextlib import suppress
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as metadata_version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

from cadena.core.graph.fault import Refused

OLDEST, OLDEST_TORCH = (3, 11), (2, 1)
PATIENCE = 60.0  # seconds; a Python on a network drive may take some to start
# Nothing is imported to find out: a library may take seconds, or be broken.
ASK = """
import importlib.metadata, importlib.util, json, sys
def has(name):
    try: return importlib.util.find_spec(name) is not None
    except (ImportError, ValueError): return False
def version(name):
    try: return importlib.metadata.version(name)
    except Exception: return ""
print(json.dumps({"version": sys.version_info[:2], "torch": version("torch") if has("torch") else None,
                  "has_numpy": has("numpy"), "has_msgspec": has("msgspec"), "abi": sys.implementation.cache_tag}))
"""


class Python(NamedTuple):
    """A Python and what it has; `torch` is the version of PyTorch, "" for an unknown one, None for none."""

    path: str
    version: tuple[int, int]
    torch: str | None
    has_numpy: bool
    has_msgspec: bool
    abi: str


def python_for(text: str, folder: Path, path: str | Path | None = None) -> tuple[Python | None, str]:
    """The Python that runs a script in its real library, or None and the reason why the stand-ins run it.

    path: of the Python, or of a virtual environment; None for the one that runs Cadena
    """
    if not path and not imports_torch(text, folder):
        return None, ""
    python = python_at(path) if path else own_python()
    if python.torch is None:
        return (
            None,
            f"PyTorch is not installed for {python.path}, so stand-ins ran the script; --python chooses another",
        )
    require(python)
    return python, ""


def own_python() -> Python:
    """The Python that runs Cadena, which need not be asked."""
    version = None
    if find_spec("torch") is not None:
        with suppress(PackageNotFoundError):
            version = metadata_version("torch")
        version = version or ""
    return Python(sys.executable, sys.version_info[:2], version, True, True, sys.implementation.cache_tag or "")


def python_at(path: str | Path) -> Python:
    """Ask a Python, or the virtual environment in a folder, what it has. Raises Refused where it cannot be asked."""
    shown = str(path)
    program = _program(Path(shown))
    try:
        asked = subprocess.run(
            [program, "-c", ASK], capture_output=True, timeout=PATIENCE, check=True, stdin=subprocess.DEVNULL
        )
        answer = json.loads(asked.stdout)
        return Python(program, tuple(answer.pop("version")), **answer)
    except (OSError, subprocess.SubprocessError, ValueError, TypeError, AttributeError):
        remedy = "give the path of one, such as .venv/bin/python"
        raise Refused("{path}: this is no Python that can be run", remedy, path=shown) from None


def _program(path: Path) -> str:
    """The Python of a virtual environment's folder; links stay, since by them a Python finds its environment."""
    inside = [path / "bin" / "python", path / "Scripts" / "python.exe"] if path.is_dir() else []
    program = next((item for item in inside if item.exists()), path)
    return os.path.abspath(program) if program.exists() else str(path)  # noqa: PTH100


def require(python: Python) -> None:
    """Raise Refused for a Python with PyTorch that cannot record it."""
    path = python.path
    if python.version < OLDEST:
        what = "{path}: this is Python {version}, and scripts are recorded in 3.11 or later"
        raise Refused(what, "choose another with --python", path=path, version=".".join(map(str, python.version)))
    if _numbers(python.torch or "") < OLDEST_TORCH:
        what = "{path}: it has PyTorch {version}, and scripts are recorded in 2.1 or later"
        raise Refused(what, "update it, or choose another with --python", path=path, version=python.torch)
    if not python.has_numpy:
        what = "{path}: it has PyTorch but no numpy, which recording needs"
        raise Refused(what, "install it with {path} -m pip install numpy", path=path)
    if not python.has_msgspec and python.abi != sys.implementation.cache_tag:
        what = "{path}: it is Python {version}, another than Cadena's, and has no msgspec, which recording needs"
        remedy = "install it with {path} -m pip install msgspec"
        raise Refused(what, remedy, path=path, version=".".join(map(str, python.version)))


def _numbers(version: str) -> tuple[int, ...]:
    """The first two numbers of a version; an unknown one counts as new."""
    parts = version.split(".")[:2]
    return tuple(map(int, parts)) if len(parts) == 2 and all(map(str.isdecimal, parts)) else OLDEST_TORCH


def imports_torch(text: str, folder: Path | None) -> bool:
    """Whether a script imports PyTorch itself, or through a module in its folder."""
    named = _imports(text)
    if named & {"torch", "torchvision"}:
        return True
    if folder is None:
        return False
    for name in named:
        beside = [folder / f"{name}.py", *sorted((folder / name).glob("*.py"))]
        if any("torch" in _imports(item.read_text("utf-8", "replace")) for item in beside if item.is_file()):
            return True
    return False


def _imports(text: str) -> set[str]:
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {item.name.partition(".")[0] for item in node.names}
        elif isinstance(node, ast.ImportFrom):
            names.add((node.module or "").partition(".")[0])
    return names - {""}
