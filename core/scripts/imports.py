"""What a script may import, and the built-in names that it sees."""

from __future__ import annotations

import builtins
import difflib
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, NoReturn

from cadena.core.scripts.beside import FILES, PATHLIB

# The libraries that answer with traced values, and where their modules are.
LIBRARIES = {
    "torch": "cadena.core.scripts.pytorch.modules",
    "tensorflow": "cadena.core.scripts.tensor_flow.modules",
    "jax": "cadena.core.scripts.jax_arrays.modules",
    "numpy": "cadena.core.scripts.numpy_arrays.modules",  # for scripts with no other; beside others its arrays are data
}
ALONE = ["numpy"]
CHOSEN: list[str] = []  # those of this process's script
HARMLESS = frozenset(
    "math cmath random itertools functools operator collections typing dataclasses abc enum statistics copy time "
    "datetime fractions decimal numbers string textwrap pprint contextlib warnings __future__ types re bisect "
    "heapq argparse".split()
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
NO_PLOTS, AS_LISTS = "leave the plots out", "write the numbers as lists"
NO_SYSTEM = "leave out what uses the operating system"
OTHERWISE = {
    **dict.fromkeys(("matplotlib", "seaborn", "plotly"), NO_PLOTS),
    **dict.fromkeys(("os", "sys", "subprocess", "shutil", "signal"), NO_SYSTEM),
    "pathlib": "it finds array files beside the script alone, and there are none",
    "pandas": AS_LISTS,
    **dict.fromkeys(("torchvision", "sklearn"), f"{AS_LISTS}, or make them with torch.randn"),
    "keras": "write from tensorflow import keras",
    "tqdm": "loop over the range itself",
    "scipy": "write it with the functions of numpy",
    **dict.fromkeys(("optax", "flax", "haiku", "equinox"), "write it with functions of jax.numpy"),
    **dict.fromkeys(("pytorch_lightning", "lightning", "torchmetrics"), "write the training loop itself"),
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
            raise ImportError(_unknown(name, modules))
        module = modules[name]
        for item in fromlist or ():
            if item != "*" and f"{name}.{item}" not in modules:
                _must_have(module, item)
        return module if fromlist else modules[top]
    if name == "pathlib" and FILES:
        return PATHLIB
    if top in HARMLESS or top == NUMPY:
        return __import__(name, globals, locals, fromlist or (), 0)
    known = f"there are {', '.join(LIBRARIES)} and harmless modules of Python such as math and random"
    raise ImportError(f"a script cannot import {name}; {OTHERWISE.get(top, known)}")


def _must_have(module: Any, name: str) -> None:
    try:
        getattr(module, name)
    except AttributeError as error:
        raise ImportError(str(error)) from None


def _unknown(name: str, modules: Mapping[str, Any]) -> str:
    close = difflib.get_close_matches(name, modules, 1)
    return f"there is no module {name} here; " + (
        f"did you mean {close[0]}?" if close else f"there are {', '.join(modules)}"
    )


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
