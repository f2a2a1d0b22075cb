"""The commands that place cards: align, distribute, straighten, arrange, and what a moved card snaps to."""

from __future__ import annotations

from functools import partial

from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.files.settings import Settings
from cadena.gui.frame.command import SOME_NODES, Command
from cadena.gui.session.session import Session

TWO, THREE = "select two cards first", "select three cards first"
FRAMED = "select nodes within a frame first"
SIDES = (
    ("left", "Left edges"), ("centre", "Centres"), ("right", "Right edges"),
    ("top", "Top edges"), ("middle", "Middles"), ("bottom", "Bottom edges"),
)  # fmt: skip


def arranging_commands(session: Session, settings: Settings, canvas: Canvas) -> tuple[Command, ...]:
    menu, do, snapping = "Graph/Align", canvas.commands.arranging, canvas.commands.snapping
    snapping.grid, snapping.cards = settings.snaps_to_grid, settings.snaps_to_cards
    two, three = (lambda: len(session.selection) > 1), (lambda: len(session.selection) > 2)
    sides = (
        Command(
            f"align.{side}", text, menu, partial(do.align, side), (),
            f"Bring the {text.lower()} of the selected cards into line", two, needs=TWO,
        )
        for side, text in SIDES
    )  # fmt: skip
    return (
        *sides,
        Command(
            "align.across", "Distribute across", menu, partial(do.distribute, "across"), (),
            "Make the gaps between the selected cards equal, from left to right", three, needs=THREE,
        ),
        Command(
            "align.down", "Distribute down", menu, partial(do.distribute, "down"), (),
            "Make the gaps between the selected cards equal, from top to bottom", three, needs=THREE,
        ),
        Command(
            "align.straighten", "Straighten wires", menu, do.straighten, (),
            "Move the selected cards up or down until a wire into each is level", lambda: bool(session.selection),
            needs=SOME_NODES,
        ),
        Command(
            "align.arrange", "Arrange the selected", menu, do.arrange_selected, (),
            "Lay out the selected nodes; all others stay", two, needs=TWO,
        ),
        Command(
            "align.grid", "Snap to the grid", menu, partial(_toggle, settings, canvas, "grid"), (),
            "Snap dragged cards to the grid; hold Ctrl to move freely", checked=lambda: snapping.grid,
        ),
        Command(
            "align.cards", "Snap to other cards", menu, partial(_toggle, settings, canvas, "cards"), (),
            "Snap dragged cards into line with nearby cards", checked=lambda: snapping.cards,
        ),
    )  # fmt: skip


def framing_commands(session: Session, canvas: Canvas) -> tuple[Command, ...]:
    """Notes, and frames around cards: a title is dragged to move them all, and double-clicked to change it."""
    menu, do = "Graph", canvas.commands.framing
    return (
        Command(
            "note.add", "Note…", menu, partial(canvas.commands.memos.start, canvas.target), (),
            "Add a text to the canvas, with formulas between $ signs; double-click it to edit",
        ),
        Command(
            "frame.make", "Frame selection…", menu, do.start, (),
            "Put a titled frame around the selected nodes; it moves with them",
            lambda: bool(session.selection), needs=SOME_NODES, words="framing box group",
        ),
        Command(
            "frame.collapse", "Collapse or expand the frame", menu, do.toggle, (),
            "Collapse the frames of the selected nodes to one card each, or expand them",
            lambda: bool(do.titles), needs=FRAMED,
        ),
        Command(
            "frame.rename", "Rename the frame…", menu, do.rename, (),
            "Rename the frame of the selected nodes; an empty title removes it", lambda: len(do.titles) == 1,
            needs=FRAMED,
        ),
        Command(
            "frame.colour", "Next colour of the frame", menu, do.change_color, (),
            "Change the colour of the frame of the selected nodes", lambda: bool(do.titles), needs=FRAMED,
        ),
        Command(
            "frame.leave", "Take out of the frame", menu, do.take_away, (),
            "Take the selected nodes out of their frame; an empty frame goes", lambda: bool(do.titles), needs=FRAMED,
        ),
    )  # fmt: skip


def _toggle(settings: Settings, canvas: Canvas, what: str) -> None:
    snaps = not getattr(canvas.commands.snapping, what)
    setattr(canvas.commands.snapping, what, snaps)
    setattr(settings, f"snaps_to_{what}", snaps)
