"""The settings of a user from one start to the next, each defined once."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

from PySide6.QtCore import QByteArray, QSettings

RECENT_FILES = 10
THEME_CHOICES = ("system", "light", "dark", "projector", "contrast")
TYPE_SCALES = 0.75, 2.0  # the smallest and the largest type, as shares of the theme's


def user_store() -> QSettings:
    """The settings file of the present user."""
    return QSettings(QSettings.Format.IniFormat, QSettings.Scope.UserScope, "Cadena", "Cadena")


class Settings:
    """Typed access to a QSettings store. Unreadable entries count as never set."""

    def __init__(self, store: QSettings, usual_type: float = 1.0) -> None:
        """`usual_type` is the scale of the system's type, which holds until another one is chosen."""
        self._store, self.usual_type = store, usual_type

    def _read(self, key: str, kind: type, default: Any) -> Any:
        value = self._store.value(key, default)
        if kind is bool:  # an ini file holds words
            return value if isinstance(value, bool) else value == "true"
        return value if isinstance(value, kind) else default

    @property
    def theme(self) -> str:
        """One of THEME_CHOICES."""
        name = self._read("theme", str, "system")
        return name if name in THEME_CHOICES else "system"

    @theme.setter
    def theme(self, name: str) -> None:
        self._store.setValue("theme", name)

    @property
    def type_scale(self) -> float:
        """The size of all type, as a share of the theme's."""
        try:
            scale = float(str(self._store.value("type-scale", self.usual_type)))
        except ValueError:  # as if it had never been set
            scale = self.usual_type
        least, most = TYPE_SCALES
        return min(max(scale, least), most) if math.isfinite(scale) else self.usual_type

    @type_scale.setter
    def type_scale(self, scale: float) -> None:
        least, most = TYPE_SCALES
        self._store.setValue("type-scale", min(max(scale, least), most))

    @property
    def reduce_motion(self) -> bool:
        return self._read("reduce-motion", bool, False)

    @reduce_motion.setter
    def reduce_motion(self, reduced: bool) -> None:
        self._store.setValue("reduce-motion", reduced)

    @property
    def follow_steps(self) -> bool:
        return self._read("follow-steps", bool, True)

    @follow_steps.setter
    def follow_steps(self, followed: bool) -> None:
        self._store.setValue("follow-steps", followed)

    @property
    def has_played(self) -> bool:
        """Whether steps were ever played, so that nobody need say how."""
        return self._read("has-played", bool, False)

    @has_played.setter
    def has_played(self, played: bool) -> None:
        self._store.setValue("has-played", played)

    @property
    def map_shown(self) -> bool:
        return self._read("map", bool, True)

    @map_shown.setter
    def map_shown(self, shown: bool) -> None:
        self._store.setValue("map", shown)

    @property
    def name_patterns(self) -> bool:
        return self._read("name-patterns", bool, False)

    @name_patterns.setter
    def name_patterns(self, named: bool) -> None:
        self._store.setValue("name-patterns", named)

    @property
    def snaps_to_grid(self) -> bool:
        return self._read("snap-to-grid", bool, True)

    @snaps_to_grid.setter
    def snaps_to_grid(self, snaps: bool) -> None:
        self._store.setValue("snap-to-grid", snaps)

    @property
    def snaps_to_cards(self) -> bool:
        return self._read("snap-to-cards", bool, True)

    @snaps_to_cards.setter
    def snaps_to_cards(self, snaps: bool) -> None:
        self._store.setValue("snap-to-cards", snaps)

    @property
    def reopens(self) -> bool:
        """Whether a start opens what was open."""
        return self._read("reopen", bool, False)

    @reopens.setter
    def reopens(self, reopened: bool) -> None:
        self._store.setValue("reopen", reopened)

    @property
    def open_documents(self) -> str:
        """What was open at last, as `tabs.restored` notes it."""
        return self._read("open-documents", str, "")

    @open_documents.setter
    def open_documents(self, noted: str) -> None:
        self._store.setValue("open-documents", noted)

    @property
    def panel_layout(self) -> str:
        """What the user has open around a graph, as `panels.parts.panel_layout` writes it."""
        return self._read("panels", str, "")

    @panel_layout.setter
    def panel_layout(self, written: str) -> None:
        self._store.setValue("panels", written)

    def place(self, part: str) -> QByteArray:
        """The remembered geometry of a window, in Qt's own form; empty when there is none."""
        return self._read(f"window/{part}-place", QByteArray, QByteArray())

    def set_place(self, part: str, place: QByteArray) -> None:
        self._store.setValue(f"window/{part}-place", place)

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """The files that were opened or saved last, newest first; those that are pinned before all others."""
        pinned = self.pinned_files
        return (*pinned, *(path for path in self._files("recent-files") if path not in pinned))

    def was_built(self, path: Path) -> bool:
        """Whether a file was left in Build mode."""
        return path.absolute() in self._files("built-files")

    def note_mode(self, path: Path, live: bool) -> None:
        """Note in which mode a file is left, Build or Watch."""
        others = [known for known in self._files("built-files") if known != path.absolute()]
        self._set_files("built-files", [path.absolute(), *others][:RECENT_FILES] if live else others)

    @property
    def pinned_files(self) -> tuple[Path, ...]:
        """The files that stay in the list, the last pinned one first."""
        return self._files("pinned-files")

    def set_pinned(self, path: Path, pinned: bool) -> None:
        """Let a file stay in the list, or no longer."""
        others = [one for one in self.pinned_files if one != path]
        self._set_files("pinned-files", [path, *others] if pinned else others)

    def _files(self, key: str) -> tuple[Path, ...]:
        listed = self._store.value(key, [])
        names = [listed] if isinstance(listed, str) else listed  # an ini file does not know a list of one
        return tuple(Path(name) for name in names if isinstance(name, str)) if isinstance(names, list) else ()

    def remember_file(self, path: Path) -> None:
        """Put `path` at the head of the recent files."""
        path = path.absolute()
        others = [known for known in self._files("recent-files") if known != path]
        self._set_files("recent-files", [path, *others][:RECENT_FILES])

    def forget_file(self, path: Path) -> None:
        """Take `path` off the recent files."""
        self.set_pinned(path, False)
        self._set_files("recent-files", [known for known in self._files("recent-files") if known != path])

    def forget_files(self) -> None:
        """Take all files off the list that are not pinned."""
        self._set_files("recent-files", [])

    def _set_files(self, key: str, paths: list[Path]) -> None:
        self._store.setValue(key, [str(path) for path in paths])
