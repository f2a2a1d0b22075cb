"""The way into functions and out of them, with a question where one cannot be left as it is."""

from __future__ import annotations

from collections.abc import Callable

from cadena.core.graph.fault import Refused
from cadena.gui.notices.banner import Banner, Notice
from cadena.gui.session.function_editing import Inside


class Levels:
    """What leads from the graph into functions and back; the canvas gets the keys each time, by `focus`."""

    def __init__(self, inside: Inside, banner: Banner, focus: Callable[[], object]) -> None:
        self._inside, self._banner, self._focus = inside, banner, focus
        self._cannot_leave: Notice | None = None

    def enter(self, name: str) -> None:
        """Show the inside of a call."""
        self._inside.enter(name)
        self._focus()

    def enter_gradient(self, name: str) -> None:
        """Show the custom gradient of a call's function, to be edited."""
        self._inside.enter_gradient(name)
        self._focus()

    def leave(self, depth: int | None = None) -> None:
        """Leave the function with all edits; where these are not valid, ask."""
        try:
            self._inside.leave(depth)
        except Refused as refusal:
            self._withdraw()
            give_up = ("Leave without these edits", self._inside.give_up)
            self._cannot_leave = self._banner.ask(f"This cannot be left yet: {refusal}.", give_up, is_reply=True)
        self._focus()

    def follow(self) -> None:
        """Take the question back once the function can be left: without the edits good ones would be lost now."""
        if self._inside.can_leave:
            self._withdraw()

    def _withdraw(self) -> None:
        if self._cannot_leave:
            self._banner.withdraw(self._cannot_leave)
            self._cannot_leave = None

    @property
    def chooses_gradient(self) -> bool:
        """Whether a custom gradient is shown, whose outputs are chosen above it."""
        return bool(self._inside.levels) and self._inside.levels[-1].is_gradient
