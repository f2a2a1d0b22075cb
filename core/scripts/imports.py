"""What a script may import, and the built-in names that it sees."""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from cadena.core.languages.record import READ
from cadena.core.scripts import skipped, system
from cadena.core.scripts.beside import FILES, PATHLIB
from cadena.core.scripts.missing import sentence
from cadena.core.scripts.plain_numbers import MATH

# The libraries that answer with traced values, and where their modules are.
LIBRARIES = {name: f"{record.reader}.modules" for name, record in READ.items()}
LIBRARIES["autograd"] = "cadena.core.scripts.hips_autograd.modules"
ALONE = ["numpy"]  # for scripts with no other; beside others its arrays are data
CHOSEN: list[str] = []  # those of this process's script
HARMLESS = frozenset(
    "math cmath random itertools functools operator collections typing dataclasses abc enum statistics copy time "
    "datetime fractions decimal numbers string textwrap pprint contextlib warnings __future__ types re bisect "
    "heapq argparse json logging uuid traceback".split()
)
NUMPY = "numpy"  # the real one: its arrays are data. Its C code imports as the script that calls it.
REFUSED: Mapping[str, str] = {
    "open": "open files",
    "input": "ask for input",
    "exec": "run texts as code",
    "eval": "run texts as code",
    "compile": "run texts as code",
    "breakpoint": "start a debugger",
    "help": "ask for help",
}
LEFT_OUT = ("exit", "quit", "copyright", "credits", "license", "__import__", "__loader__", "__spec__")
NO_SYSTEM = "leave out what uses the operating system"
AS_LISTS = "write the numbers as lists, or run the script with your own Python and cadena.capture"
OTHERWISE = {
    **dict.fromkeys(("subprocess", "shutil", "signal", "socket", "threading", "multiprocessing"), NO_SYSTEM),
    "pathlib": "it finds array files beside the script alone, and there are none",
    **dict.fromkeys(("pandas", "sklearn", "torchvision"), AS_LISTS),
    "keras": "write from tensorflow import keras",
}


def modules_of(library: str) -> Mapping[str, Any]:
    """The modules of a library, by their full names."""
    modules: Mapping[str, Any] = import_module(LIBRARIES[library]).MODULES
    return modules


def imported(
    name: str,
    globals: Mapping[str, Any] | None = None,
    locals: Mapping[str, Any] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    """The `__import__` of scripts. Raises ImportError for what they do not get."""
    top = name.partition(".")[0]
    if level or not name:
        raise ImportError("a script has no files beside it; put all of it into one text")
    if CHOSEN == ALONE and name in (own := modules_of(NUMPY)):
        for item in fromlist or ():
            _must_have(own[name], item)
        return own[name] if fromlist else own[top]
    if top in LIBRARIES and top != NUMPY:
        modules = modules_of(top)
        if name not in modules:
            raise ImportError(sentence(name, name, modules))
        module = modules[name]
        for item in fromlist or ():
            if item != "*" and f"{name}.{item}" not in modules:
                _must_have(module, item)
        return module if fromlist else modules[top]
    if (module := system.MODULES.get(name) or skipped.module_of(name)) is not None:
        for item in fromlist or ():
            _must_have(module, item)
        return module if fromlist or "." not in name else system.MODULES.get(top) or skipped.module_of(top)
    if name == "pathlib" and FILES:
        return PATHLIB
    if name == "math":
        return MATH
    if top in HARMLESS or top == NUMPY:
        return __import__(name, globals, locals, fromlist or (), 0)
    known = "run the script with your own Python and cadena.capture"
    raise ImportError(f"a script cannot import {name}; {OTHERWISE.get(top, known)}")


def _must_have(module: Any, name: str) -> None:
    try:
        getattr(module, name)
    except AttributeError as error:
        raise ImportError(str(error)) from None


def names(refuse: Callable[[str], NoReturn]) -> dict[str, Any]:
    """The built-in names of a script; `refuse` is called with what one of those that are refused would do."""
    builtin = {name: value for name, value in vars(builtins).items() if name not in LEFT_OUT}

    def refused(what: str) -> Callable[..., NoReturn]:
        return lambda *arguments, **keywords: refuse(what)

    builtin |= {name: refused(what) for name, what in REFUSED.items()}
    builtin |= {"exit": _leave, "quit": _leave, "__import__": imported}
    return builtin


def _leave(*status: Any) -> NoReturn:
    sys.exit(0)
