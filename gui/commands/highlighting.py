"""The commands that highlight nodes and colour them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from cadena.core.graph.document import Document
from cadena.core.graph.order import ancestors, descendants
from cadena.gui.frame.command import SOME_NODES, Command
from cadena.gui.session.session import Session

HIGHLIGHT, COLOURS = "View/Highlight", "View/Colour by"
BY = {
    "value": ("Value", "Blue above 0, violet below, pale near 0"),
    "gradient": ("Gradient", "Its size: the darker, the larger, by powers of ten"),
    "time": ("Time", "In which step of the forward pass it is computed"),
    "depth": ("Depth", "How many operations lie between it and the leaves"),
}
Reached = Callable[[Document, str], set[str]]


def showing_commands(session: Session) -> tuple[Command, ...]:
    """What feeds the selected nodes and what they reach; what colours say."""
    selected = lambda: bool(session.selection)  # noqa: E731

    def color_by(by: str) -> None:
        session.set_shown(session.shown.colored_by(by))

    def highlights(name: str, text: str, tip: str, *ways: Reached) -> Command:
        run = partial(highlight, session, *ways)
        return Command(f"highlight.{name}", text, HIGHLIGHT, run, (), tip, selected, needs=SOME_NODES)

    return (
        highlights(
            "above", "What feeds it",
            "Dim all nodes but the ancestors of the selected ones", ancestors,
        ),
        highlights(
            "below", "What it reaches",
            "Dim all nodes but the descendants of the selected ones", descendants,
        ),
        highlights(
            "both", "Both ways",
            "Dim all nodes but the ancestors and descendants of the selected ones", ancestors, descendants,
        ),
        highlights("chosen", "The selected nodes", "Dim all but the selected nodes"),
        Command(
            "highlight.off", "Off", HIGHLIGHT,
            lambda: session.set_shown(session.shown.without_lit()), (), "Dim nothing",
            lambda: bool(session.shown.lit),
        ),
        *(
            Command(
                f"color.{by}", text, COLOURS, partial(color_by, by), (),
                f"{tip}; with a legend", checked=partial(_is_by, session, by),
            )
            for by, (text, tip) in BY.items()
        ),
    )  # fmt: skip


def _is_by(session: Session, by: str) -> bool:
    return session.shown.by == by


def highlight(session: Session, *ways: Reached) -> None:
    """Highlight the selected nodes and all that lies these ways from them; a second time, nothing."""
    names = set(session.selection)
    for way in ways:
        names |= {name for start in session.selection for name in way(session.document, start)}
    session.set_shown(session.shown.with_lit(names))
