"""What files ask of the user and of the window."""

from __future__ import annotations

from pathlib import Path
from typing import Literal, Protocol

SaveAnswer = Literal["save", "discard", "cancel"]
Conflict = Literal["reload", "copy", "overwrite", "cancel"]


class Questions(Protocol):
    """Questions to the user; None when the user cancels."""

    def open_path(self, folder: Path) -> Path | None: ...

    def save_path(self, suggestion: Path) -> Path | None: ...

    def picture_path(self, suggestion: Path) -> Path | None: ...

    def plot_path(self, suggestion: Path) -> Path | None: ...

    def export_path(self, suggestion: Path, kinds: str) -> Path | None: ...

    def script_path(self, folder: Path) -> Path | None: ...

    def code_path(self, suggestion: Path) -> Path | None: ...

    def unsaved(self, name: str) -> SaveAnswer: ...

    def all_unsaved(self, names: list[str]) -> SaveAnswer: ...

    def give_up(self, names: list[str]) -> bool: ...

    def changed_on_disk(self, name: str) -> Conflict: ...


class DocumentPlaces(Protocol):
    """DocumentPlaces for open documents: the window's tabs, or the only one."""

    def shows(self, path: Path) -> bool: ...  # bring the document of this file into view, if it is open

    def may_open(self) -> bool: ...  # whether there is a place for one more

    def make_room(
        self, beside: bool = False
    ) -> None: ...  # for the next document that is opened; `beside` the shown one
