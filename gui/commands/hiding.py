"""The commands that hide numbers and names until someone asks for them."""

from __future__ import annotations

from functools import partial

from cadena.core.teaching.hiding import NOTHING_HIDDEN
from cadena.gui.frame.command import Command
from cadena.gui.session.session import Session

MENU = "View/Hide"


def hiding_commands(session: Session) -> tuple[Command, ...]:
    """What is hidden at all nodes or at the selected ones, and what reveals it again."""

    def toggle(kind: str) -> None:
        session.set_hidden(session.hidden.toggled(kind))

    def toggle_selected() -> None:
        session.set_hidden(session.hidden.toggled_nodes(session.selection))

    def reveal_selected() -> None:
        session.set_hidden(session.hidden.with_revealed(session.selection))

    def show_all() -> None:
        session.set_hidden(NOTHING_HIDDEN)

    def kind(name: str, letter: str) -> Command:
        return Command(
            f"hide.{name}", f"Hide {name}", MENU, partial(toggle, name), (),
            f"Show question marks in place of all {name}; click a card to reveal its own",
            checked=lambda: name in session.hidden.kinds, stage_keys=(letter,),
        )  # fmt: skip

    return (
        kind("values", "V"),
        kind("gradients", "G"),
        kind("names", "N"),
        Command(
            "hide.selected", "Hide selected nodes", MENU, toggle_selected, (),
            "Hide the numbers and names of the selected nodes until you click them", lambda: bool(session.selection),
            stage_keys=("H",),
        ),
        Command(
            "hide.reveal", "Reveal selected nodes", MENU, reveal_selected,
            (), "Reveal all numbers and names of the selected nodes",
            lambda: any(map(session.hidden.hides_at, session.selection)),
            stage_keys=("Return",),
        ),
        Command(
            "hide.nothing", "Show everything", MENU, show_all, (), "Reveal everything",
            lambda: bool(session.hidden), stage_keys=("J",),
        ),
    )  # fmt: skip
