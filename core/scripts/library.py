"""A module that scripts import: names that are names, names that are looked up, and a sentence for all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from cadena.core.scripts.missing import missing


def nothing(name: str) -> Any:
    """The look-up of a library that has no table."""
    return None


def extend(module: ModuleType, names: Mapping[str, Any]) -> None:
    """Give a module further names. It is no method: a library may have a function of that name."""
    for name, value in names.items():
        setattr(module, name, value)


class Library(ModuleType):
    """`names` are those it has; `lookup` looks for further ones, of which `listed` knows what they are called."""

    def __init__(
        self,
        name: str,
        names: Mapping[str, Any],
        lookup: Callable[[str], Any] = nothing,
        listed: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        super().__init__(name)
        self._lookup, self._listed = lookup, listed
        extend(self, names)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._lookup(name)
        if value is None:
            raise missing(self.__name__, name, {*vars(self), *self._listed()})
        setattr(self, name, value)
        return value
