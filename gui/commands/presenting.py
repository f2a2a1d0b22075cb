"""The commands of a presentation. Their letters hold while it lasts, when none edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cadena.gui.frame.command import Command

if TYPE_CHECKING:
    from cadena.gui.frame.frame import WindowFrame
    from cadena.gui.presenting.stage import Stage

MENU = "Teach"
AIDS = (
    ("pointer", "P", "Show a large pointer, visible from the last row"),
    ("spotlight", "S", "Darken everything but the area around the mouse"),
    (
        "magnifier",
        "M",
        "Enlarge the node under the mouse, the selected one, or that of the step",
    ),
)


class StageOnDemand:
    """The presentation of a window, made when it is first asked for something."""

    def __init__(self, window: WindowFrame) -> None:
        self._window = window
        self._stage: Stage | None = None

    def __call__(self) -> Stage:
        if self._stage is None:
            from cadena.gui.presenting.stage import Stage

            self._stage = Stage(self._window)
        return self._stage

    @property
    def aid(self) -> str:
        """The name of what the speaker points with; "" for nothing."""
        return self._stage.pointing.aid if self._stage is not None else ""

    @property
    def speaker_shown(self) -> bool:
        """Whether the speaker view is shown."""
        return self._stage is not None and self._stage.speaker_shown


def stage_commands(window: WindowFrame, stage: StageOnDemand) -> tuple[Command, ...]:
    """Where a clicker's keys lead, and what is done with the screen."""
    on = lambda: window.presenting  # noqa: E731
    led = lambda: window.presenting or stage.speaker_shown  # noqa: E731
    return (
        Command(
            "stage.next", "Next on the stage", MENU, lambda: stage().go(1), (),
            "The next step, then the next lesson", led, stage_keys=("PgDown",),
        ),
        Command(
            "stage.previous", "Previous on the stage", MENU, lambda: stage().go(-1), (), "Go to the previous step", led,
            stage_keys=("PgUp",),
        ),
        Command(
            "stage.next-lesson", "Next lesson", MENU, lambda: stage().way.change_lesson(1), (),
            "Go to the next lesson", stage_keys=("Ctrl+PgDown",),
        ),
        Command(
            "stage.previous-lesson", "Previous lesson", MENU, lambda: stage().way.change_lesson(-1),
            (), "Go to the previous lesson", stage_keys=("Ctrl+PgUp",),
        ),
        Command(
            "stage.black", "Black screen", MENU, lambda: stage().blank("black"), (),
            "Blank the screen to black, and back", on, stage_keys=("B", "."),
        ),
        Command(
            "stage.white", "White screen", MENU, lambda: stage().blank("white"), (),
            "Blank the screen to white, and back", on, stage_keys=("W", ","),
        ),
        Command(
            "stage.speaker", "Speaker view", MENU, lambda: stage().speaker.toggle(), ("Shift+F5",),
            "Show notes, the next step and a clock, on a second screen if there is one",
            checked=lambda: stage.speaker_shown,
        ),
        *(_aid_command(stage, *aid) for aid in AIDS),
        Command(
            "stage.end", "Put away", MENU, lambda: stage().escape(), ("Esc",),
            "Put away the pointer, spotlight or magnifier, or stop a training; again to end the presentation",
            lambda: window.presenting or bool(stage.aid),
        ),
    )  # fmt: skip


def _aid_command(stage: StageOnDemand, aid: str, letter: str, tip: str) -> Command:
    return Command(
        f"stage.{aid}", aid.capitalize(), MENU, lambda: stage().pointing.toggle(aid), (), tip,
        checked=lambda: stage.aid == aid, stage_keys=(letter,),
    )  # fmt: skip
