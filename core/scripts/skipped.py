"""What changes no number of a graph, and does nothing here: plots, bars of progress, debug switches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from cadena.core.scripts.library import Library
from cadena.core.scripts.tape import note_unlike


class Skipped:
    """Something that takes any call and any attribute; the first call leaves a remark."""

    def __init__(self, name: str, sentence: str = "", result: Any = None) -> None:
        parts = {"_name": name, "_sentence": sentence or f"{name} is skipped, it changes no number", "_result": result}
        for part, value in parts.items():
            object.__setattr__(self, part, value)

    def __call__(self, *arguments: Any, **keywords: Any) -> Any:
        note_unlike(self._sentence)
        if callable(self._result):
            return self._result(*arguments, **keywords)
        return self

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return Skipped(f"{self._name}.{name}", self._sentence, RESULTS.get(name))

    def __setattr__(self, name: str, value: Any) -> None:
        note_unlike(self._sentence)

    def __setitem__(self, index: Any, value: Any) -> None:
        note_unlike(self._sentence)

    def __getitem__(self, index: Any) -> Any:
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter(())

    def __enter__(self) -> Any:
        note_unlike(self._sentence)
        return self

    def __exit__(self, *error: Any) -> None:
        pass


def _subplots(nrows: int = 1, ncols: int = 1, **options: Any) -> Any:
    axes = np.full((nrows, ncols), PLOT, object)
    return PLOT, np.squeeze(axes)[()]


PLOT = Skipped("plots", "plots are skipped, a script draws none here")
RESULTS = {  # of those that give several things, which scripts take apart
    "subplots": _subplots, "plot": lambda *args, **keywords: [PLOT], "hist": lambda *args, **keywords: (PLOT,) * 3,
    "bar": lambda *args, **keywords: [PLOT], "pie": lambda *args, **keywords: (PLOT,) * 2,
}  # fmt: skip


def switches(module: str, names: str) -> dict[str, Any]:
    """Functions of a module that are skipped."""
    return {name: Skipped(f"{module}.{name}") for name in names.split()}


class Progress:
    """What tqdm gives: the loop, without a bar."""

    def __init__(self, iterable: Iterable[Any] = (), *arguments: Any, **options: Any) -> None:
        note_unlike("bars of progress are skipped")
        self._items = iterable

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)  # type: ignore[arg-type]

    def __getattr__(self, name: str) -> Any:
        return Skipped(f"tqdm.{name}", "bars of progress are skipped")


class Plots(Library):
    """A library of plots."""

    def __init__(self, name: str) -> None:
        super().__init__(name, {}, lambda short: getattr(PLOT, short))


TQDM = Library("tqdm", {"tqdm": Progress, "trange": lambda *ends, **options: Progress(range(*ends))})


def module_of(name: str) -> Library | None:
    """The module of plots or bars of progress of this name, if it is one."""
    top = name.partition(".")[0]
    if top == "tqdm":
        return TQDM
    return Plots(name) if top in ("matplotlib", "seaborn", "plotly", "mpl_toolkits", "pylab") else None
