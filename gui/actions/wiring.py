"""Commands for nodes within their wires."""

from __future__ import annotations

from functools import partial

from cadena.gui.actions.record import Command
from cadena.gui.canvas.hand.rewiring import WiringCommands
from cadena.gui.canvas.hand.target import Target
from cadena.gui.session import Session


def dissolve_command(session: Session, do: WiringCommands) -> Command:
    return Command(
        "edit.dissolve", "Delete and heal the wires", "Edit", do.dissolve, ("Ctrl+Del",),
        "Take the selected nodes out; their first operand goes on to what read them",
        lambda: bool(session.selection), ends_group=True,
    )  # fmt: skip


def swap_command(do: WiringCommands, target: Target) -> Command:
    return Command(
        "graph.swap", "Swap operands", "Graph", partial(target.do, do.swap), ("Shift+W",),
        "Exchange the first two operands of the selected node", partial(target.fits, do.can_swap), ends_group=True,
    )  # fmt: skip
