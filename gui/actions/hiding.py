"""The commands that hide numbers and names until someone asks for them."""

from __future__ import annotations

from functools import partial

from cadena.gui.actions.record import Command
from cadena.gui.session import Session

MENU = "View/Hide"


def hiding_commands(session: Session) -> tuple[Command, ...]:
    """What is hidden at all nodes or at the selected ones, and what reveals it again."""
    hiding = session.hiding

    def kind(name: str, key: str, letter: str) -> Command:
        return Command(
            f"hide.{name}", f"Hide {name}", MENU, partial(hiding.toggle, name), (key,),
            f"A question mark in the place of all {name}; a click on a card reveals its own",
            checked=lambda: name in hiding.hidden.kinds, stage_keys=(letter,),
        )  # fmt: skip

    return (
        kind("values", "Ctrl+Shift+V", "V"),
        kind("gradients", "Ctrl+Shift+D", "G"),
        kind("names", "Ctrl+Shift+M", "N"),
        Command(
            "hide.selected", "Hide selected nodes", MENU, hiding.toggle_selected, ("Ctrl+Shift+H",),
            "Numbers and names of the selected nodes, until a click reveals them", lambda: bool(session.selection),
            stage_keys=("H",), ends_group=True,
        ),
        Command(
            "hide.reveal", "Reveal selected nodes", MENU, lambda: hiding.reveal(session.selection),
            ("Ctrl+Shift+Return",), "Everything at the selected nodes",
            lambda: any(map(hiding.hidden.hides_at, session.selection)),
            stage_keys=("Return",),
        ),
        Command(
            "hide.nothing", "Show everything", MENU, hiding.show_all, ("Ctrl+Shift+J",), "Nothing is hidden any more",
            lambda: bool(hiding.hidden), stage_keys=("J",),
        ),
    )  # fmt: skip
