"""The commands that go to another part of the graph: zooms, bookmarks, back and forward, the minimap."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QMenu

from cadena.gui.canvas.interaction.navigation import Navigation
from cadena.gui.canvas.rendering.view import CanvasView
from cadena.gui.files.settings import Settings
from cadena.gui.frame.command import Command
from cadena.gui.look.text_cleaning import menu_text
from cadena.gui.session.session import Session

MENU = "View"
BOOKMARKS = f"{MENU}/Bookmarks"


def zoom_commands(session: Session, view: CanvasView, go: Navigation) -> tuple[Command, ...]:
    """How large the graph is shown."""
    return (
        Command("view.zoom-in", "Zoom in", MENU, view.zoom_in, ("Ctrl++", "Ctrl+=")),
        Command("view.zoom-out", "Zoom out", MENU, view.zoom_out, ("Ctrl+-",)),
        Command("view.zoom-fit", "Zoom to fit", MENU, go.to_all, ("F",), "Show the whole graph"),
        Command(
            "view.zoom-selection", "Zoom to selection", MENU, go.to_selection, ("Shift+F",),
            "Zoom to the selected nodes", lambda: bool(session.selection),
        ),
        Command("view.zoom-100", "Zoom to 100 %", MENU, go.to_100, ()),
        Command(
            "view.back", "Back", MENU, go.go_back, (), "Go back to the view before the last jump",
        ),
        Command(
            "view.forward", "Forward", MENU, go.go_forward, (), "Go forward again",
        ),
    )  # fmt: skip


def place_commands(session: Session, settings: Settings, go: Navigation) -> tuple[Command, ...]:
    """Bookmarks, which the file keeps, and the minimap in the corner."""
    in_graph = lambda: not session.levels  # noqa: E731  (what is inside a function keeps none)
    return (
        Command(
            "view.bookmark", "Bookmark this view", BOOKMARKS, go.mark_view, (),
            "Save this view in the file", in_graph,
        ),
        Command(
            "view.next-bookmark", "Next bookmark", BOOKMARKS, go.go_to_next_mark, (),
            "Go to the next bookmark", in_graph,
        ),
        Command(
            "view.remove-bookmark", "Remove bookmark", BOOKMARKS, go.remove_mark, (),
            "Remove the last visited bookmark", in_graph,
        ),
        Command(
            "view.map", "Minimap", MENU, partial(_toggle_map, session, settings), (),
            "Show a minimap when the graph is larger than the view",
            checked=lambda: session.shown.has_map,
        ),
    )  # fmt: skip


def _toggle_map(session: Session, settings: Settings) -> None:
    settings.map_shown = not settings.map_shown
    session.set_shown(replace(session.shown, has_map=settings.map_shown))


def list_bookmarks(menu: QMenu, go: Navigation) -> None:
    """Let the menu of bookmarks list them below its commands, whenever it is opened."""
    fixed = len(menu.actions())

    def fill() -> None:
        for action in menu.actions()[fixed:]:
            menu.removeAction(action)
        if go.bookmarks:
            menu.addSeparator()
        for index, mark in enumerate(go.bookmarks):
            menu.addAction(menu_text(mark.name), partial(go.go_to_mark, index))

    menu.aboutToShow.connect(fill)
