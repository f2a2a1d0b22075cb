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

MENU = "View/Beside"


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


def beside_commands(window: WindowFrame) -> Iterator[Command]:
    """What is shown beside the open graph, and how both go together."""
    beside = SideOnDemand(window)
    shown = lambda: beside.now is not None  # noqa: E731
    yield Command(
        "beside.toggle", "Another method beside", MENU, lambda: beside.side.toggle(), ("Ctrl+Alt+B",),
        "Play the graph by two methods side by side; Esc closes the right side", checked=shown,
        ends_group=True,
    )  # fmt: skip
    for name, record in METHODS.items():
        yield Command(
            f"beside.{name}", record.title, MENU, partial(_show_method, beside, name),
            (f"Ctrl+Alt+Shift+{name[0].upper()}",), f"On the right side: {record.tip}",
            checked=partial(lambda name: beside.now is not None and beside.now.method == name, name),
            ends_group=name == list(METHODS)[-1],
        )  # fmt: skip
    yield Command(
        "beside.lesson", "Lesson beside…", MENU, lambda: beside.side.choose_lesson(), ("Ctrl+Alt+Shift+L",),
        "A lesson beside the open graph, played together with it",
    )  # fmt: skip
    yield Command(
        "beside.file", "File beside…", MENU, lambda: beside.side.choose_file(), ("Ctrl+Alt+Shift+O",),
        "Play another file beside the open graph", ends_group=True,
    )  # fmt: skip
    yield Command(
        "beside.by-step", "Step by step", MENU, lambda: beside.side.toggle_alignment(), ("Ctrl+Alt+Shift+G",),
        "Advance both sides step by step; otherwise both begin and end together", shown,
        checked=lambda: beside.now is not None and beside.now.by_step,
    )  # fmt: skip


def _show_method(beside: SideOnDemand, name: str) -> None:
    beside.side.show_method(name)
