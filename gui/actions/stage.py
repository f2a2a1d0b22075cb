"""The commands of a presentation. Their letters hold while it lasts, when none edits."""

from __future__ import annotations

from functools import partial

from cadena.gui.actions.record import Command
from cadena.gui.actions.shell import Shell

MENU = "View/Presentation"
AIDS = (
    ("pointer", "Ctrl+Alt+U", "P", "A large pointer that is seen from the last row"),
    ("spotlight", "Ctrl+Alt+K", "S", "Everything dark but what is around the mouse"),
    (
        "magnifier",
        "Ctrl+Alt+Z",
        "M",
        "One node in large: under the mouse, else selected, else of the step",
    ),
)


def stage_commands(window: Shell) -> tuple[Command, ...]:
    """Where a clicker's keys lead, and what is done with the screen."""
    on = lambda: window.presenting  # noqa: E731
    led = lambda: window.presenting or speaker_shown(window)  # noqa: E731
    return (
        Command(
            "stage.next", "Next", MENU, lambda: window.stage.go(1), (), "The next step, then the next lesson", led,
            stage_keys=("PgDown",),
        ),
        Command(
            "stage.previous", "Previous", MENU, lambda: window.stage.go(-1), (), "The step before", led,
            stage_keys=("PgUp",), ends_group=True,
        ),
        Command(
            "stage.next-lesson", "Next lesson", MENU, lambda: window.stage.way.change_lesson(1), ("Ctrl+PgDown",),
            "The lesson after the open one",
        ),
        Command(
            "stage.previous-lesson", "Previous lesson", MENU, lambda: window.stage.way.change_lesson(-1),
            ("Ctrl+PgUp",), "The lesson before the open one", ends_group=True,
        ),
        Command(
            "stage.black", "Black screen", MENU, lambda: window.stage.blank("black"), (),
            "Nothing but black, and back", on, stage_keys=("B", "."),
        ),
        Command(
            "stage.white", "White screen", MENU, lambda: window.stage.blank("white"), (),
            "Nothing but white, and back", on, stage_keys=("W", ","), ends_group=True,
        ),
        Command(
            "stage.speaker", "Speaker view", MENU, lambda: window.stage.speaker.toggle(), ("Shift+F5",),
            "Notes, the next step and a clock, on another screen where there is one",
            checked=partial(speaker_shown, window), ends_group=True,
        ),
        *(_aid_command(window, *aid) for aid in AIDS),
        Command(
            "stage.end", "Put away", MENU, lambda: window.stage.escape(), ("Esc",),
            "The pointer, the spotlight or the magnifier; then the presentation ends",
            lambda: window.presenting or bool(aid_in_hand(window)),
        ),
    )  # fmt: skip


def _aid_command(window: Shell, aid: str, key: str, letter: str, tip: str) -> Command:
    return Command(
        f"stage.{aid}", aid.capitalize(), MENU, lambda: window.stage.pointing.toggle(aid), (key,), tip,
        checked=lambda: aid_in_hand(window) == aid, stage_keys=(letter,),
    )  # fmt: skip


def aid_in_hand(window: Shell) -> str:
    """What the speaker points with; the stage is not imported to find that out."""
    return window.stage.pointing.aid if "stage" in vars(window) else ""


def speaker_shown(window: Shell) -> bool:
    """Whether the speaker view is shown; the stage is not imported to find that out."""
    return "stage" in vars(window) and window.stage.speaker_shown
