"""What is written beside the document's file: pictures, programs, pages, plots, films. It goes on beside the window."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from cadena.core.graph.fault import Refused
from cadena.core.languages.record import LANGUAGES
from cadena.core.storage.files import write
from cadena.core.text.progress import Report
from cadena.gui.background.tasks import Order
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.files.opening import Files
from cadena.gui.session.session import Session

PAGES = "Page of HTML (*.html)"
GRAPH = ".cadena"
PIECES = 3  # of a picture: laid out, painted, written


class Exports:
    """Each asks for a place, and says in one sentence when it is done, or why it cannot be."""

    def __init__(self, file: Files, session: Session, places: Callable[[], Geometry | None]) -> None:
        """`places` is where the canvas shows everything."""
        self._file, self._session, self.places = file, session, places

    def code(self, language: str) -> None:
        """The graph as a program, a text or a drawing in a language."""

        def say(beside: Path | None) -> None:
            if beside:
                self._session.message.emit(f"Exported; {beside.name} beside the program holds the large arrays")

        def job(path: Path) -> Callable[[Report], Path | None]:
            from cadena.core.verbs.export import write_program

            document = self._session.whole
            return lambda report: write_program(document, language, path, report=report)

        path = self._no_graph(self._file.questions.code_path(self._file.suggestion(LANGUAGES[language].suffix)))
        self._compute(path, job, "Not exported.", say)

    def page(self) -> None:
        """The page that plays the steps."""

        def job(path: Path) -> Callable[[Report], None]:
            from cadena.core.html_page.page import play_page

            step = 0 if self._session.live else self._session.frame.number
            timeline, name = self._session.timeline, self._file.name

            def save(report: Report) -> None:
                page = play_page(timeline, name, step=step).encode()
                report(1.0)
                write(page, path)

            return save

        self._compute(self.export_place(".html", PAGES), job, "No page was saved.")

    def plot(self, shows: str, suffix: str, save: Callable[[Path], None]) -> None:
        """A plot, as a picture or as a table of its numbers."""

        suggestion = self._file.suggestion(suffix)
        path = self._no_graph(self._file.questions.plot_path(suggestion.with_stem(f"{suggestion.stem} - {shows}")))
        if path is not None:
            self.paint(path, partial(_in_one, save, path), 1)

    def export_place(self, suffix: str, kinds: str) -> Path | None:
        """Ask for the place of a file of one of these kinds, as file dialogs list them."""
        return self._no_graph(self._file.questions.export_path(self._file.suggestion(suffix), kinds))

    def _no_graph(self, path: Path | None) -> Path | None:
        """The place of an export; None, with a sentence, where a graph would be written over."""
        if path is None or path.suffix != GRAPH:
            return path
        what = f"Not exported. {path.name} is the name of a graph; choose one with another ending"
        self._file.saveFailed.emit(what)
        return None

    def paint(
        self,
        path: Path,
        pieces: Callable[[], Iterator[int]],
        amount: int = PIECES,
        pictures: bool = False,
        failed: str = "Not exported.",
    ) -> None:
        """Write what must be painted, piece by piece; each yields how much is done of `amount`, `pictures` if so."""

        def left(share: float) -> str:
            return f"{path.name}: cancelled; the {round(share * amount)} pictures that were written stay"

        order = self._order(path, failed)
        try:
            self._session.tasks.in_pieces(replace(order, left=left) if pictures else order, pieces(), amount)
        except Refused as refusal:
            self._fail(failed, refusal)

    def _compute(
        self,
        path: Path | None,
        job: Callable[[Path], Callable[[Report], Any]],
        failed: str,
        then: Callable[[Any], object] = lambda _: None,
    ) -> None:
        """Write what a thread can compute; `job` notes what is shown now."""
        if path is None:
            return
        try:
            self._session.tasks.in_thread(self._order(path, failed, then), job(path))
        except Refused as refusal:
            self._fail(failed, refusal)

    def _order(self, path: Path, failed: str, then: Callable[[Any], object] = lambda _: None) -> Order:
        def come(result: Any) -> None:
            self._session.message.emit(f"Exported {path.name}")
            then(result)

        return Order(f"Exporting {path.name}", come, partial(self._fail, failed), writes=path.name)

    def _fail(self, failed: str, refusal: Refused) -> None:
        self._file.saveFailed.emit(f"{failed} {refusal}")


def _in_one(save: Callable[[Path], None], path: Path) -> Iterator[int]:
    """What is quick, in one piece."""
    save(path)
    yield 1
