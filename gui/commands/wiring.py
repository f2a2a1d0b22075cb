"""Commands for nodes within their wires."""

from __future__ import annotations

from functools import partial

from cadena.core.rewriting.switching import BYPASSED, MUTED
from cadena.gui.canvas.interaction.rewiring import WiringCommands
from cadena.gui.canvas.interaction.target import Target
from cadena.gui.frame.command import A_NODE, SOME_NODES, Command
from cadena.gui.session.session import Session

A_WIRE = "select a wire first"


def dissolve_command(session: Session, do: WiringCommands) -> Command:
    return Command(
        "edit.dissolve", "Delete and heal", "Edit", do.dissolve, ("Ctrl+Del",),
        "Delete the selected nodes and connect their first operand to their consumers",
        lambda: bool(session.selection), needs=SOME_NODES,
    )  # fmt: skip


def switch_commands(session: Session, do: WiringCommands) -> tuple[Command, ...]:
    def has_operation() -> bool:
        return any(not session.document.nodes[name].is_leaf for name in session.selection)

    return (
        Command(
            "graph.bypass", "Bypass", "Graph", partial(do.switch, BYPASSED), (),
            "Pass the first operand of the selected nodes through unchanged, or enable them again", has_operation,
            checked=partial(do.are_off, BYPASSED), needs=SOME_NODES,
        ),
        Command(
            "graph.mute", "Mute", "Graph", partial(do.switch, MUTED), (),
            "Make the selected nodes output 0 and no gradient, or enable them again", has_operation,
            checked=partial(do.are_off, MUTED), needs=SOME_NODES,
        ),
    )  # fmt: skip


def rerouting_commands(do: WiringCommands) -> tuple[Command, ...]:
    return (
        Command(
            "graph.reroute", "Add a reroute point", "Graph", do.add_point, (),
            "Add a point to the selected wire; move it by arrow keys, or drag the wire",
            lambda: do.view.selected_wire is not None, needs=A_WIRE,
        ),
        Command(
            "graph.reroute-next", "Next reroute point", "Graph", do.next_point, (),
            "Go through the points of the selected wire: arrow keys move one, Del removes it",
            lambda: bool(do.points), needs=A_WIRE,
        ),
        Command(
            "graph.unroute", "Take out reroute points", "Graph", do.straighten_wires, (),
            "Straighten the selected wire, or the wires into the selected nodes; drag a wire to reroute it,"
            " double-click a point to remove it", lambda: bool(do.rerouted),
        ),
    )  # fmt: skip


def swap_command(do: WiringCommands, target: Target) -> Command:
    return Command(
        "graph.swap", "Swap operands", "Graph", partial(target.do, do.swap), (),
        "Exchange the first two operands of the selected node", partial(target.fits, do.can_swap),
        needs=A_NODE,
    )  # fmt: skip
