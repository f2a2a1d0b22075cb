"""Files of the window: new, open, save, recent ones, and the question before unsaved work would be lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Literal, Protocol

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication

import core
import resources
from core import Document, Refused
from core.lessons import open_lesson
from gui.session import Session
from gui.settings import Settings

SUFFIX = ".cadena"
RESOURCES = Path(resources.__file__).parent
Answer = Literal["save", "discard", "cancel"]
Exporter = Callable[[Session, Path], None]


class Questions(Protocol):
    """What the user is asked; None when the user cancels."""

    def open_path(self, folder: Path) -> Path | None: ...

    def save_path(self, suggestion: Path) -> Path | None: ...

    def picture_path(self, suggestion: Path) -> Path | None: ...

    def unsaved(self, name: str) -> Answer: ...


class Files(QObject):
    """Each action ends well, or says in one sentence why not and leaves the open document as it was."""

    saveFailed = Signal(str)  # one sentence that must not be missed

    def __init__(self, session: Session, settings: Settings, questions: Questions, export: Exporter) -> None:
        super().__init__(session)
        self._session, self._settings, self._questions, self._export = session, settings, questions, export

    @property
    def name(self) -> str:
        """What the open document is called: its file, else its title."""
        session = self._session
        return session.path.stem if session.path else session.document.title or "untitled"

    def may_leave(self) -> bool:
        """Whether the open document may be let go: it is saved, or the user says so."""
        if not self._session.modified:
            return True
        answer = self._questions.unsaved(self.name)
        return self.save() if answer == "save" else answer == "discard"

    def new(self) -> None:
        """An empty graph in build mode."""
        if self.may_leave():
            self._session.open(Document({}), None)
            self._session.show_live()

    def open(self) -> None:
        """Ask for a file and open it."""
        if (path := self._questions.open_path(self._folder())) is not None:
            self.open_path(path)

    def open_path(self, path: Path) -> bool:
        """Open a file, or say why it cannot be opened. Whether it is open."""
        if not self.may_leave():
            return False
        try:
            with waiting():
                document = core.load(path)
        except Refused as refusal:
            self._session.message.emit(str(refusal))
            return False
        if RESOURCES in path.resolve().parents:  # a lesson is never written over
            self._session.open(document, None)
        else:
            self._session.open(document, path.absolute())
            self._settings.remember_file(path)
        return True

    def open_recent(self, path: Path) -> None:
        """Open a file of the list; one that is gone leaves the list."""
        if path.exists():
            self.open_path(path)
        else:
            self._settings.forget_file(path)
            self._session.message.emit(f"{path.name} is no longer in {path.parent}; it was taken off the list")

    def open_lesson(self, name: str) -> None:
        """An untitled copy of a lesson."""
        if self.may_leave():
            self._session.open(open_lesson(name), None)

    def show_new(self, document: Document) -> None:
        """Another document that was made from the open one, as unsaved work."""
        if self.may_leave():
            self._session.open(document, None, modified=True)

    def save(self) -> bool:
        """Write the document to its file; ask for one when it has none. Whether it is saved."""
        path = self._session.path
        return self._write(path) if path else self.save_as()

    def save_as(self) -> bool:
        """Ask for a file and write the document to it. Whether it is saved."""
        path = self._questions.save_path(self._suggestion(SUFFIX))
        if path is None:
            return False
        return self._write(path if path.suffix else path.with_name(path.name + SUFFIX))

    def _write(self, path: Path) -> bool:
        try:
            with waiting():
                core.save(self._session.whole, path)
        except Refused as refusal:
            self.saveFailed.emit(f"Not saved. {refusal}")
            return False
        self._session.mark_saved(path.absolute())
        self._settings.remember_file(path)
        self._session.message.emit(f"Saved {path.name}")
        return True

    def export_picture(self) -> None:
        """Ask for a place and paint the canvas to it."""
        path = self._questions.picture_path(self._suggestion(".png"))
        if path is None:
            return
        try:
            self._export(self._session, path)
        except Refused as refusal:
            self.saveFailed.emit(f"No picture was made. {refusal}")
        else:
            self._session.message.emit(f"Exported {path.name}")

    def _folder(self) -> Path:
        recent = self._settings.recent_files
        path = self._session.path or (recent[0] if recent else None)
        return path.parent if path and path.parent.is_dir() else Path.home()

    def _suggestion(self, suffix: str) -> Path:
        safe = "".join("-" if sign in '/\\:*?"<>|' else sign for sign in self.name)
        return self._folder() / f"{safe}{suffix}"


@contextmanager
def waiting() -> Iterator[None]:
    """The mouse shows that the program is at work."""
    QGuiApplication.setOverrideCursor(Qt.CursorShape.WaitCursor)
    try:
        yield
    finally:
        QGuiApplication.restoreOverrideCursor()
