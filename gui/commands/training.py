"""The commands of a training."""

from __future__ import annotations

from cadena.gui.frame.command import Command
from cadena.gui.session.session import Session


def learning_commands(session: Session) -> tuple[Command, ...]:
    """The training is looked up when a command is carried out: a start does without it."""
    menu = "Run/Training"
    return (
        Command(
            "learn.run", "Run or pause", menu, lambda: session.learning.toggle(), ("Ctrl+R",),
            "Train the graph, with the settings of the Learning panel",
        ),
        Command(
            "learn.step", "One step", menu, lambda: session.learning.step(), ("Shift+T",),
            "Take one training step",
        ),
        Command(
            "learn.reset", "Reset", menu, lambda: session.learning.reset(), ("Ctrl+Shift+R",),
            "Reset to the start of the training; the same seed repeats every step",
        ),
    )  # fmt: skip
