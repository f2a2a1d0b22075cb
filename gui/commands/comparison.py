"""The commands of the second side, which is imported when one of them is first used."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from cadena.core.methods.names import METHODS
from cadena.gui.frame.command import Command

if TYPE_CHECKING:
    from cadena.gui.frame.frame import WindowFrame
    from cadena.gui.presenting.comparison.second_side import SecondSide

TOPIC = "Run/Compare"
WORDS = "side by side beside two methods both"


class SideOnDemand:
    """The second side of a window, made when it is first asked for. A lesson whose view says so opens with one."""

    def __init__(self, window: WindowFrame) -> None:
        self._window, self._session = window, window.session
        self._side: SecondSide | None = None
        self._session.opened.connect(self._begin)

    @property
    def side(self) -> SecondSide:
        if self._side is None:
            from cadena.gui.presenting.comparison.second_side import SecondSide

            self._side = SecondSide(self._window)
        return self._side

    @property
    def now(self) -> SecondSide | None:
        """The second side, if it is shown."""
        return self._side if self._side is not None and self._side.shown else None

    def _begin(self) -> None:
        """Show what the lesson that was opened has beside it, after all that follows its opening."""
        if self.now:
            self.now.close()
        lesson = self._session.document.extra.get("lesson")
        view = lesson.get("view") if isinstance(lesson, dict) else None
        if isinstance(view, dict) and "beside" in view:
            QTimer.singleShot(0, self._window, self._show_lessons_own)

    def _show_lessons_own(self) -> None:
        beside = self._session.telling.story.view.beside
        if beside is None:
            return
        if beside.lesson:
            self.side.show_lesson(beside.lesson)
        elif beside.method:
            self.side.show_method(beside.method)
        if self.now and self.now.by_step is not beside.by_step:
            self.now.toggle_alignment()


def compare_commands(window: WindowFrame) -> Iterator[Command]:
    """What is shown beside the open graph, and how both go together."""
    beside = SideOnDemand(window)
    shown = lambda: beside.now is not None  # noqa: E731
    yield Command(
        "compare.with", "Compare with…", "Run", partial(window.choose_of, TOPIC, "Compare with"), (),
        "Choose a method, a lesson or a file to play side by side with the graph", words=WORDS,
    )  # fmt: skip
    yield Command(
        "compare.toggle", "Another method", TOPIC, lambda: beside.side.toggle(), (),
        "Play the graph by two methods side by side; Esc closes the right side", checked=shown, words=WORDS,
    )  # fmt: skip
    for name, record in METHODS.items():
        yield Command(
            f"compare.{name}", record.title, TOPIC, partial(_show_method, beside, name),
            (), f"On the right side: {record.tip}",
            checked=partial(lambda name: beside.now is not None and beside.now.method == name, name),
        )  # fmt: skip
    yield Command(
        "compare.lesson", "A lesson…", TOPIC, lambda: beside.side.choose_lesson(), (),
        "Play a lesson side by side with the open graph", words=WORDS,
    )  # fmt: skip
    yield Command(
        "compare.file", "A file…", TOPIC, lambda: beside.side.choose_file(), (),
        "Play another file side by side with the open graph", words=WORDS,
    )  # fmt: skip
    yield Command(
        "compare.by-step", "Step by step", TOPIC, lambda: beside.side.toggle_alignment(), (),
        "Advance both sides step by step; otherwise both begin and end together", shown,
        checked=lambda: beside.now is not None and beside.now.by_step,
    )  # fmt: skip


def _show_method(beside: SideOnDemand, name: str) -> None:
    beside.side.show_method(name)
