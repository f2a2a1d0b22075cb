"""Files without a window: prepared answers, and recorded messages."""

from __future__ import annotations

import errno
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import shiboken6
from PySide6.QtCore import QSettings

from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node
from cadena.core.graph.fault import Refused
from cadena.gui.export.exports import Exports
from cadena.gui.files.opening import Files
from cadena.gui.files.questions import Conflict, SaveAnswer
from cadena.gui.files.settings import Settings
from cadena.gui.notices.banner import NoticeAction
from cadena.gui.session.session import Session


@dataclass
class Answers:
    """Prepared answers, and the questions that were asked."""

    path: Path | None = None
    leave: SaveAnswer = "cancel"
    conflict: Conflict | Callable[[], Conflict] = "cancel"
    asked: list[object] = field(default_factory=list)

    def open_path(self, folder: Path) -> Path | None:
        self.asked.append(folder)
        return self.path

    def save_path(self, suggestion: Path) -> Path | None:
        self.asked.append(suggestion)
        return self.path

    plot_path = save_path

    def unsaved(self, name: str) -> SaveAnswer:
        self.asked.append(name)
        return self.leave

    def all_unsaved(self, names: list[str]) -> SaveAnswer:
        self.asked.append(names)
        return self.leave

    def give_up(self, names: list[str]) -> bool:
        self.asked.append(names)
        return True

    def changed_on_disk(self, name: str) -> Conflict:
        self.asked.append(f"{name} changed")
        return self.conflict() if callable(self.conflict) else self.conflict


class Desk:
    """Files with prepared answers, and their messages."""

    def __init__(self, folder: Path) -> None:
        self.session = Session(graph(2.0))
        self.settings = Settings(QSettings(str(folder / "settings.ini"), QSettings.Format.IniFormat))
        self.answers = Answers()
        self.exported: list[Path] = []
        self.files = Files(self.session, self.settings, self.answers)
        self.exports = Exports(self.files, self.session, lambda: None)
        self.said: list[str] = []
        self.failures: list[str] = []
        self.session.message.connect(self.said.append)
        self.session.news.connect(self.said.append)
        self.files.saveFailed.connect(self.failures.append)
        self.files.openFailed.connect(self.failures.append)
        self.told = ""  # what the banner says about the file
        self.choices: dict[str, Callable[[], object]] = {}
        self.files.changedOnDisk.connect(self._hear)
        self.files.settled.connect(self._forget)

    def _hear(self, told: str, choices: list[NoticeAction]) -> None:
        self.told, self.choices = told, dict(choices)

    def _forget(self) -> None:
        self.told, self.choices = "", {}

    def export(self, session: Session, path: Path) -> Iterator[int]:
        if path.suffix not in (".png", ".svg"):
            raise Refused(f"{path.name}: pictures end in .png or .svg")
        self.exported.append(path)
        yield 1

    def clear(self) -> None:
        """Take all Qt objects away, before a thread that happens to collect the garbage does, which Qt cannot bear."""
        self.session.open(Document({}), None)
        shiboken6.delete(self.session)

    def modify(self) -> Document:
        self.session.edit(lambda document: edits.set_value(document, "w0", 7.0), "Set w0")
        return self.session.document


def graph(value: float, title: str = "") -> Document:
    node = Node("w0", "parameter", value=value)
    return Document({"w0": node}, output="w0", title=title, layout={"w0": (0.0, 0.0)})


def denied(*_: object, **__: object) -> None:
    """What a folder without permission answers."""
    raise PermissionError(errno.EACCES, "Permission denied")
