"""Follows the session: every edit is handed to the writer of the document's copy at once, before anything is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal

from cadena.core.rewriting.opening import outputs_of
from cadena.gui.files.recovery.copies import SUFFIX, EnteredCall, UnsavedWork
from cadena.gui.files.recovery.left_behind import LeftBehind, look_through
from cadena.gui.files.recovery.writer import CopyWriter
from cadena.gui.session.session import Session


def user_folder() -> Path:
    """The folder with the copies of the present user."""
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    return Path(data, "cadena", "recovery")


class WorkCopy:
    """The copy of one document."""

    def __init__(self, writer: CopyWriter) -> None:
        self.writer = writer
        self.unsaved: UnsavedWork | None = None


class Recovery(QObject):
    """Maintains a copy of each open document: that of the shown one and the levels around it, valid or not."""

    troubled = Signal(str)  # the reason why no copy can be written; "" when that is over
    _trouble_changed = Signal(str)  # the same, from a writer's thread

    def __init__(self, session: Session, folder: Path) -> None:
        super().__init__(session)
        self._session, self.folder = session, folder
        self._copies: list[WorkCopy] = []
        self.copy = self.new_copy()  # of the document that is shown
        self._closed = False
        self.offered: list[LeftBehind] = []  # copies left by killed programs; no other program is offered them now
        self.seen: Callable[[], str] = str  # the known digest of the document's file
        self._trouble_changed.connect(self._announce, Qt.ConnectionType.QueuedConnection)
        session.edited.connect(lambda: self._keep())
        session.fileChanged.connect(self._follow)

    @property
    def path(self) -> Path:
        """The path of the shown document's copy; the file does not exist while everything is saved."""
        return self.copy.writer.path

    def new_copy(self) -> WorkCopy:
        """A copy for one document more, which is shown when `copy` is this one."""
        copy = WorkCopy(CopyWriter(self.folder / f"{uuid4().hex}{SUFFIX}", self._trouble_changed.emit))
        self._copies.append(copy)
        return copy

    def drop(self, copy: WorkCopy) -> None:
        """End a copy: its document is closed."""
        self._copies.remove(copy)
        copy.writer.end()

    def _keep(self, instead_of: tuple[LeftBehind, ...] = ()) -> None:
        session = self._session
        documents = (*(level.around.history.present for level in session.levels), session.document)
        shown = (*documents[1:],)
        steps = tuple(
            EnteredCall(level.call, outputs_of(body)) for level, body in zip(session.levels, shown, strict=True)
        )
        self.copy.unsaved = UnsavedWork(documents, steps, session.path, self.seen())
        if not self._closed:
            self.copy.writer.request(self.copy.unsaved, instead_of)

    def _follow(self) -> None:
        if self._session.modified:
            self._keep()
        elif self.copy.unsaved is not None:
            self.copy.unsaved = None
            self.copy.writer.request(None)

    def _announce(self, trouble: str) -> None:
        self.troubled.emit(f"No recovery copy can be written, so save often: {trouble}." if trouble else "")

    def try_to_write(self) -> bool:
        """Wait until all copies are up to date. Returns whether they are."""
        return not [copy for copy in self._copies if copy.unsaved is not None and not copy.writer.flush()]

    # --- copies of programs that were killed

    def look(self) -> list[str]:
        """Look for copies to be `offered`; returns a sentence on each that cannot be."""
        self.leave_behind()
        self.offered, remarks = look_through(self.folder)
        return remarks

    def leave_behind(self) -> None:
        """Leave copies that were neither opened nor thrown away to the next start."""
        for copy in self.offered:
            copy.release()
        self.offered = []

    def take_over(self, copy: LeftBehind) -> None:
        """Note that the session shows the work of `copy`, which is removed once the session has its own copy."""
        self.offered.remove(copy)
        self._keep(instead_of=(copy,))

    def throw_away(self, copy: LeftBehind) -> None:
        """Remove a copy for good. May raise OSError."""
        copy.throw_away()
        self.offered.remove(copy)

    def close(self) -> None:
        """End regularly: work that is saved or discarded need not be recovered."""
        self._closed = True
        self.leave_behind()
        for copy in tuple(self._copies):
            self.drop(copy)
