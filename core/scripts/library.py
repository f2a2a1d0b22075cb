"""A module that scripts import: names that are given, names that are looked up, and a sentence for all others."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import ModuleType
from typing import Any

from cadena.core.scripts.missing import missing


def nothing(name: str) -> Any:
    """The look-up of a library that has no table."""
    return None


class Library(ModuleType):
    """`given` are its names; `found` looks for further ones, of which `listed` knows what they are called."""

    def __init__(
        self,
        name: str,
        given: Mapping[str, Any],
        found: Callable[[str], Any] = nothing,
        listed: Callable[[], Iterable[str]] = tuple,
    ) -> None:
        super().__init__(name)
        self.__dict__.update(given)
        self.__dict__["_found"], self.__dict__["_listed"] = found, listed

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._found(name)
        if value is None:
            raise missing(self.__name__, name, {*self.__dict__, *self._listed()})
        setattr(self, name, value)
        return value
