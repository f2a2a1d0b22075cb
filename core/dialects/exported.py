"""The result of an export: a text, and perhaps a file beside it."""

from __future__ import annotations

from typing import NamedTuple


class Exported(NamedTuple):
    """A program, and the file beside it that holds its large arrays, if it has any."""

    text: str
    data: bytes | None = None
    ending: str = ".npz"

    def data_name(self, stem: str) -> str:
        """The name of the file beside a program called `stem`."""
        return stem + self.ending
