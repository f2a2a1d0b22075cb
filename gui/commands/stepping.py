"""The commands that run, step and play, with the methods to differentiate by."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from cadena.core.methods.names import METHODS
from cadena.gui.canvas.interaction.target import Target
from cadena.gui.frame.command import A_NODE, Command
from cadena.gui.frame.frame import WindowFrame
from cadena.gui.session.playback import SPEEDS
from cadena.gui.session.session import Session

if TYPE_CHECKING:
    from cadena.core.methods.stops import Stride


def run_commands(session: Session, target: Target, window: WindowFrame) -> tuple[Command, ...]:
    menu = "Run"
    return (
        Command(
            "run.play", "Play", menu, session.play_or_pause, ("Space",), "Watch the passes step by step",
            label=lambda: "Pause" if session.playback.plays_on else "Play",
        ),
        Command(
            "run.sweep", "Sweep", menu, session.playback.sweep, (),
            "Play the whole reverse pass in two seconds; blocks stay closed",
            enabled=lambda: len(session.timeline) > 0,
        ),
        Command("run.step", "Step", menu, partial(window.step, 1), ("Right",), "Go to the next step"),
        Command("run.back", "Step back", menu, partial(window.step, -1), ("Left",), "Go to the previous step"),
        Command(
            "run.start", "To the start", menu, partial(to, session, 0.0), ("Home",),
            "Go to the start, before the first step",
        ),
        Command(
            "run.end", "To the end", menu, partial(to, session, float("inf")), ("End",),
            "Go to the end, after the last step",
        ),
        *stride_commands(session),
        Command(
            "run.jump", "Go to step…", menu, window.ask_for_step, (), "Go to a step by its number",
        ),
        Command(
            "run.build", "Build mode", menu, partial(toggle_mode, session, window), ("B",),
            "Show all values and gradients, updated with every edit", checked=lambda: session.live,
        ),
        Command("run.faster", "Faster", menu, partial(change_speed, session, 1), (), "Play faster"),
        Command("run.slower", "Slower", menu, partial(change_speed, session, -1), (), "Play slower"),
        *method_commands(session),
        Command(
            "run.loop", "Loop", menu, lambda: session.playback.set_loop(not session.playback.loop), ("R",),
            "Start over after the end", checked=lambda: session.playback.loop,
        ),
        *section_commands(session),
        Command(
            "run.breakpoint", "Breakpoint", menu, partial(target.do, session.toggle_breakpoint), ("P",),
            "Pause before each step that delivers to the selected node", target.fits,
            checked=partial(target.fits, lambda node: node.name in session.breakpoints), needs=A_NODE,
        ),
    )  # fmt: skip


def stride_commands(session: Session) -> Iterator[Command]:
    """Steps that go on to the next node, operation or layer."""
    for stride, keys, tip in STRIDE_WORDS:
        yield Command(f"run.next-{stride}", f"Next {stride}", "Run", partial(go_on, session, stride), keys, tip)


STRIDE_WORDS: tuple[tuple[Stride, tuple[str, ...], str], ...] = (
    ("node", ("Shift+Right",), "Advance until another node has its value or its complete gradient"),
    ("operation", (), "Advance to the first step of the next operation"),
    ("layer", (), "Advance to the first step of the next layer (nodes of one depth)"),
)


def section_commands(session: Session) -> tuple[Command, ...]:
    """The begin and the end of the steps that are played again and again."""
    menu = "Run/Section"
    return (
        Command(
            "run.section-begin", "Loop from here", menu, partial(begin_section, session), (),
            "Repeat a part of the steps, starting with this one",
        ),
        Command(
            "run.section-end", "Loop until here", menu, partial(end_section, session), (),
            "Repeat a part of the steps, ending with this one",
        ),
        Command(
            "run.section-all", "Loop all steps", menu, partial(session.playback.set_loop, True),
            (), "Repeat all steps", enabled=lambda: session.playback.section is not None,
        ),
    )  # fmt: skip


def method_commands(session: Session) -> Iterator[Command]:
    """A command for each method of differentiation."""
    for name, words in METHODS.items():
        yield Command(
            f"run.method-{name}", name.capitalize(), "Run/Method", partial(session.choose_method, name),
            (), words.tip.capitalize(),
            checked=partial(lambda name: session.method.name == name, name),
        )  # fmt: skip


def to(session: Session, time: float) -> None:
    session.playback.pause()
    session.set_time(time)


def go_on(session: Session, stride: Stride) -> None:
    """Move on to the end of a node, an operation or a layer; from build mode begin at the start."""
    from cadena.core.methods.stops import next_stop

    if session.live:
        session.set_time(0.0)
    session.playback.pause()
    session.playback.go_to(next_stop(session.timeline, math.floor(session.time), stride))


def begin_section(session: Session) -> None:
    """Loop from the step under way to the end of the section before, or of all steps."""
    begin, end = math.floor(session.time), len(session.timeline)
    before = session.playback.section
    session.playback.set_loop(True, (begin, before[1] if before and before[1] > begin else end))


def end_section(session: Session) -> None:
    """Loop from the begin of the section before, or of all steps, to the end of the step under way."""
    end = max(math.ceil(session.time), 1)
    before = session.playback.section
    session.playback.set_loop(True, (before[0] if before and before[0] < end else 0, end))


def toggle_mode(session: Session, window: WindowFrame) -> None:
    """Switch from build mode to the moment at which playing stopped, and back."""
    if session.live:
        window.canvas.hold()
        session.set_time(session.time)
    else:
        window.build()


def change_speed(session: Session, by: int) -> None:
    place = min(range(len(SPEEDS)), key=lambda index: abs(SPEEDS[index] - session.playback.speed))
    session.playback.set_speed(SPEEDS[min(max(place + by, 0), len(SPEEDS) - 1)])
