"""The commands of the keyboard on the canvas: going from node to node and along wires, and connecting."""

from __future__ import annotations

from functools import partial

from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.frame.command import A_NODE, SOME_NODES, Command
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.session.session import Session

WAYS = (
    ("Left", "on the left", -1, 0),
    ("Right", "on the right", 1, 0),
    ("Up", "above", 0, -1),
    ("Down", "below", 0, 1),
)


def walking_commands(session: Session, canvas: Canvas) -> tuple[Command, ...]:
    menu, walk = "Go to", canvas.walk
    any_node, one = (lambda: bool(session.document.nodes)), (lambda: walk.here is not None)
    across = (
        Command(
            f"go.{way.lower()}", f"Node {where}", menu, partial(walk.across, x, y), (f"Alt+{way}",),
            f"Go to the nearest card {where}", any_node,
        )
        for way, where, x, y in WAYS
    )  # fmt: skip
    return (
        *across,
        Command(
            "go.operand", "First operand", menu, partial(walk.along, False), (),
            "Follow a wire to the first operand of the node", one,
        ),
        Command(
            "go.consumer", "Where its value goes", menu, partial(walk.along, True), (),
            "Follow a wire to the node that it feeds", one,
        ),
        Command(
            "go.previous", "Wire above", menu, partial(walk.beside, -1), (),
            "The other end of the wire above, at the node that you came from", one,
        ),
        Command(
            "go.next", "Wire below", menu, partial(walk.beside, 1), (),
            "The other end of the wire below, at the node that you came from", one,
        ),
        Command(
            "go.wire", "Next wire of the node", menu, walk.next_wire, (),
            "Select the wires of the node in turn; Del deletes one, Esc goes back to the node",
            lambda: one() or canvas.selected_wire is not None,
        ),
        Command(
            "go.mark", "Mark", menu, walk.mark, (),
            "Keep the selection while you go on to other nodes; a new operation takes all of them as operands", one,
        ),
    )  # fmt: skip


def wiring_commands(session: Session, canvas: Canvas) -> tuple[Command, ...]:
    menu, target = "Graph", canvas.target
    return (
        Command(
            "graph.connect", "Connect…", menu, canvas.commands.ask_to_connect, ("W",),
            "Connect the selected nodes to a compatible input",
            lambda: bool(session.selection), needs=SOME_NODES,
        ),
        Command(
            "graph.feed", "Feed with…", menu, partial(target.do, canvas.commands.ask_for_operand), (),
            "Connect a compatible node to the selected operation",
            partial(target.fits, lambda node: not node.is_leaf), needs=A_NODE,
        ),
    )  # fmt: skip


def part_commands(window: WindowFrame) -> tuple[Command, ...]:
    menu = "View"
    return (
        Command(
            "view.next-part", "Next part of the window", menu, lambda: window.rounds.go(1), ("F6",),
            "Move the keyboard focus to the next panel or row; Esc returns to the canvas",
        ),
        Command(
            "view.previous-part", "Previous part of the window", menu, lambda: window.rounds.go(-1), ("Shift+F6",),
            "Move the keyboard focus to the previous panel or row",
        ),
    )  # fmt: skip
