"""The commands that say what is lit and what colours say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cadena.core.graph.document import Document
from cadena.core.graph.order import ancestors, descendants
from cadena.gui.frame.command import Command
from cadena.gui.session.session import Session

LIGHT, COLOURS = "View/Light", "View/Colour by"
BY = {
    "value": ("Value", "Blue above 0, violet below, pale near 0"),
    "gradient": ("Size of the gradient", "The darker, the larger, by powers of ten"),
    "time": ("Time", "In which step of the forward pass it is computed"),
    "depth": ("Depth", "How many operations lie between it and the leaves"),
}
Reached = Callable[[Document, str], set[str]]


def showing_commands(session: Session) -> tuple[Command, ...]:
    """What the selected nodes depend on and reach; all but them dimmed; what colours say."""
    selected = lambda: bool(session.selection)  # noqa: E731

    def color_by(by: str) -> None:
        session.set_shown(session.shown.colored_by(by))

    def lights(name: str, text: str, key: str, tip: str, *ways: Reached, ends_group: bool = False) -> Command:
        return Command(
            f"light.{name}", text, LIGHT, partial(light, session, *ways), (key,), tip, selected, ends_group=ends_group
        )

    return (
        lights(
            "above", "All it depends on", "Ctrl+Alt+Up",
            "Dim all nodes but the ancestors of the selected ones", ancestors,
        ),
        lights(
            "below", "All it reaches", "Ctrl+Alt+Down",
            "Dim all nodes but the descendants of the selected ones", descendants,
        ),
        lights(
            "both", "Both", "Ctrl+Alt+A",
            "Dim all nodes but the ancestors and descendants of the selected ones", ancestors, descendants,
        ),
        lights("chosen", "The chosen alone", "Ctrl+Shift+I", "Dim all but the selected nodes", ends_group=True),
        Command(
            "light.all", "All again", LIGHT,
            lambda: session.set_shown(session.shown.without_lit()), ("Ctrl+Alt+Shift+A",), "Dim nothing",
            lambda: bool(session.shown.lit),
        ),
        *(
            Command(
                f"color.{by}", text, COLOURS, partial(color_by, by), (f"Alt+{number}",),
                f"{tip}; with a legend", checked=partial(_is_by, session, by),
            )
            for number, (by, (text, tip)) in enumerate(BY.items(), start=4)
        ),
    )  # fmt: skip


def _is_by(session: Session, by: str) -> bool:
    return session.shown.by == by


def light(session: Session, *ways: Reached) -> None:
    """Light the selected nodes with all that lies these ways from them; a second time, all again."""
    names = set(session.selection)
    for way in ways:
        names |= {name for start in session.selection for name in way(session.document, start)}
    session.set_shown(session.shown.with_lit(names))
