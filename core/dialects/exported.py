"""What an export is: a text, and perhaps a file beside it."""

from __future__ import annotations

from typing import NamedTuple


class Exported(NamedTuple):
    """A program, and the file beside it that holds its large arrays, if it has any."""

    text: str
    data: bytes | None = None
    ending: str = ".npz"

    def data_name(self, stem: str) -> str:
        """What the file beside the program is called, if that is called `stem`."""
        return stem + self.ending
