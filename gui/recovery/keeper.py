"""Follows the session: every edit is handed to the writer of its copy at once, before anything is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from uuid import uuid4

from PySide6.QtCore import QObject, QStandardPaths, Qt, Signal

from cadena.core.rewriting.opening import outputs_of
from cadena.gui.recovery.copies import SUFFIX, Kept, Step
from cadena.gui.recovery.left_behind import LeftBehind, look_through
from cadena.gui.recovery.writer import Writer
from cadena.gui.session import Session


def user_folder() -> Path:
    """Where the copies of the present user are kept."""
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericDataLocation)
    return Path(data, "cadena", "recovery")


class Recovery(QObject):
    """Keeps the copy of one session: what is shown, and the way to it, as it is; it need not be in order."""

    troubled = Signal(str)  # why no copy can be written, a sentence; "" when that is over
    _came = Signal(str)  # the same, from the writer's thread

    def __init__(self, session: Session, folder: Path) -> None:
        super().__init__(session)
        self._session, self._folder = session, folder
        self._writer = Writer(folder / f"{uuid4().hex}{SUFFIX}", self._came.emit)
        self._kept: Kept | None = None
        self._closed = False
        self.offered: list[LeftBehind] = []  # what programs left that were killed; no other program is offered it now
        self.seen: Callable[[], str] = str  # what is known of the document's file
        self._came.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        session.edited.connect(lambda: self._keep())
        session.fileChanged.connect(self._follow)

    @property
    def path(self) -> Path:
        """The copy of this session; there is none while all is saved."""
        return self._writer.path

    def _keep(self, instead_of: tuple[LeftBehind, ...] = ()) -> None:
        session = self._session
        documents = (*(level.history.present for level in session.levels), session.document)
        shown = (*documents[1:],)
        steps = tuple(Step(level.call, outputs_of(body)) for level, body in zip(session.levels, shown, strict=True))
        self._kept = Kept(documents, steps, session.path, self.seen())
        if not self._closed:
            self._writer.want(self._kept, instead_of)

    def _follow(self) -> None:
        if self._session.modified:
            self._keep()
        elif self._kept is not None:
            self._kept = None
            self._writer.want(None)

    def _tell(self, trouble: str) -> None:
        self.troubled.emit(f"No recovery copy can be written, so save often: {trouble}." if trouble else "")

    def try_to_write(self) -> bool:
        """Wait until the copy is up to date; whether it is."""
        return self._kept is None or self._writer.flush()

    # --- copies of programs that ended without saying good-bye

    def look(self) -> list[str]:
        """Look for copies to be `offered`; a sentence on each that cannot be."""
        self.leave_behind()
        self.offered, remarks = look_through(self._folder)
        return remarks

    def leave_behind(self) -> None:
        """Leave what was offered, and neither opened nor thrown away, to the next start."""
        for copy in self.offered:
            copy.release()
        self.offered = []

    def take_over(self, copy: LeftBehind) -> None:
        """The session shows what was in `copy`, which goes as soon as that has a copy of its own."""
        self.offered.remove(copy)
        self._keep(instead_of=(copy,))

    def throw_away(self, copy: LeftBehind) -> None:
        """Remove a copy for good. May raise OSError."""
        copy.throw_away()
        self.offered.remove(copy)

    def close(self) -> None:
        """The program ends as it should: what is saved, or let go, need not be recovered."""
        self._closed = True
        self.leave_behind()
        self._writer.end()
