"""Messages about recovery: the copies on offer, and the reason where one cannot be opened or written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime, timedelta
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from cadena.core.graph.document import Document
from cadena.core.storage.files import reason
from cadena.core.text.numbers import number_of
from cadena.gui.files.opening import Files
from cadena.gui.files.recovery.keeper import Recovery
from cadena.gui.files.recovery.left_behind import LeftBehind
from cadena.gui.notices.banner import Banner, Notice, NoticeItem
from cadena.gui.session.function_editing import Inside
from cadena.gui.session.session import Session


class Offer(QObject):
    """Offers all copies together; those that are neither opened nor thrown away stay for the next start."""

    def __init__(
        self, session: Session, recovery: Recovery, files: Files, inside: Inside, banner: Banner,
        picture: Callable[[Document], QImage | None],
    ) -> None:  # fmt: skip
        """`picture` is that of a graph, as small as a row of the banner."""
        super().__init__(session)
        self._picture = picture
        self._session, self._recovery, self._files = session, recovery, files
        self._inside, self._banner = inside, banner
        self._trouble: Notice | None = None
        recovery.seen = lambda: files.known
        recovery.troubled.connect(self._show_trouble)

    def make(self) -> None:
        """Look for copies and offer them."""
        for remark in self._recovery.look():
            self._banner.ask(remark)
        self._ask()

    def _ask(self) -> None:
        copies = self._recovery.offered
        if not copies:
            return
        one = len(copies) == 1
        sentence = (
            "Cadena stopped unexpectedly, and one graph was not saved. It is offered again at the next start if it is "
            "not opened now."
            if one
            else f"Cadena stopped unexpectedly, and {len(copies)} graphs were not saved. Those that are not opened now "
            "are offered again at the next start."
        )
        all_of_them = () if one else (("Open all", partial(self._open, copies)), ("Throw all away…", self._confirm))
        self._banner.ask(
            sentence,
            *all_of_them,
            items=tuple(map(self._item, copies)),
            closing=("Not now", self._recovery.leave_behind),
        )

    def _item(self, copy: LeftBehind) -> NoticeItem:
        place, graph = copy.work.path, copy.work.documents[0]
        nodes = number_of(len(graph.nodes), "node")
        facts = (shown_path(place) if place else "never saved", nodes, time_text(copy.when, datetime.now()))
        choices = (("Open", partial(self._open, [copy])), ("Throw away", partial(self._drop, copy)))
        return NoticeItem(copy.work.name, facts, choices, self._picture(graph))

    def _open(self, copies: Sequence[LeftBehind]) -> None:
        for copy in tuple(copies):
            self._bring(copy)
        self._ask()

    def _bring(self, copy: LeftBehind) -> None:
        """Open a copy as unsaved work, in the place of the document that it is of, if that is open and unchanged."""
        work, places = copy.work, self._files.places
        replaces = work.path is not None and places.shows(work.path) and not self._session.modified
        if replaces or places.may_open():
            if not replaces:
                places.make_room()
            self._files.know(work.path, work.seen)
            self._session.open(work.documents[0], work.path, modified=True)
            self._files.look()  # at changes to the file since
            steps = zip(work.steps, work.documents[1:], strict=True)
            if all(self._inside.return_to(step.call, step.outputs is not None, body) for step, body in steps):
                self._recovery.take_over(copy)

    def _drop(self, *copies: LeftBehind) -> None:
        try:
            for copy in copies:
                self._recovery.throw_away(copy)
        except OSError as error:
            self._session.message.emit(f"{copy.work.name} cannot be thrown away: {reason(error)}")
        self._ask()

    def _confirm(self) -> None:
        copies = self._recovery.offered
        sure = ("Throw away", partial(self._drop, *copies))
        sentence = f"Throw {len(copies)} recovered graphs away for good?"
        self._banner.ask(sentence, sure, closing=("Keep them", self._ask))

    def _show_trouble(self, sentence: str) -> None:
        if self._trouble:
            self._banner.withdraw(self._trouble)
        self._trouble = self._banner.ask(sentence) if sentence else None


def shown_path(path: Path) -> str:
    """A path with ~ for the user's own folder."""
    home = Path.home()
    return str(Path("~", path.relative_to(home)) if path.is_relative_to(home) else path)


def time_text(when: datetime, now: datetime) -> str:
    """A date in words, short for one that is near."""
    days: dict[date, str] = {now.date(): "today", now.date() - timedelta(days=1): "yesterday"}
    day = days.get(when.date()) or f"{when.day} {when:%B %Y}"
    return f"{day}, {when:%H:%M}"
