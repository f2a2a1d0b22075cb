"""The commands of a training."""

from __future__ import annotations

from functools import partial

from cadena.gui.frame.command import Command
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.session.session import Session


def learning_commands(session: Session, window: WindowFrame) -> tuple[Command, ...]:
    """The training is looked up when a command is carried out: a start does without it."""
    menu = "Run"
    return (
        Command(
            "learn.run", "Train", menu, partial(train, session, window), ("Ctrl+R",),
            "Train the graph, with the settings of the Training panel",
            label=lambda: "Stop training" if session.learns else "Train",
            words="training learning fit optimiser epochs",
        ),
        Command(
            "learn.step", "One training step", menu, lambda: session.learning.step(), (),
            "Take one training step",
        ),
        Command(
            "learn.reset", "Reset training", menu, lambda: session.learning.reset(), (),
            "Reset to the start of the training; the same seed repeats every step",
        ),
    )  # fmt: skip


def train(session: Session, window: WindowFrame) -> None:
    """Train beside the panel that shows the loss and the settings, or stop."""
    if not session.learns:
        window.open_panel("learning")
    session.learning.toggle()
