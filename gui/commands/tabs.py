"""The commands of documents in tabs and windows."""

from __future__ import annotations

from functools import partial

from cadena.gui.frame.command import Command
from cadena.gui.frame.documents import Documents
from cadena.gui.tabs.tabs import Tabs


def tab_commands(documents: Documents, tabs: Tabs) -> tuple[Command, ...]:
    menu, several = "File", lambda: len(documents) > 1
    return (
        Command(
            "tab.recent", "Recent files…", menu, tabs.recents.toggle, ("Ctrl+Shift+O",),
            "Each with its picture; they can be pinned there", checked=lambda: tabs.recents.shown,
        ),
        Command(
            "tab.next", "Next tab", menu, partial(documents.turn, 1), ("Ctrl+Tab",), "The next open document", several,
        ),
        Command(
            "tab.previous", "Previous tab", menu, partial(documents.turn, -1), ("Ctrl+Shift+Tab",),
            "The open document before", several,
        ),
        Command("tab.close", "Close", menu, tabs.close_document, ("Ctrl+W", "Ctrl+F4"), "Close the open document"),
        Command(
            "tab.reopen", "Reopen closed", menu, documents.reopen, ("Ctrl+Shift+T",),
            "The document that was closed last, with its undo history", lambda: documents.can_reopen, ends_group=True,
        ),
        Command("tab.window", "New window", menu, tabs.open_window, ("Ctrl+Shift+N",), "With an empty graph"),
        Command(
            "tab.move", "Move to a new window", menu, tabs.move_to_window, ("Ctrl+Alt+N",),
            "The open document in a window of its own", several,
        ),
        Command(
            "tab.restore", "Reopen what was open", menu, tabs.toggle_reopening, ("Ctrl+Alt+O",),
            "Each start opens the files of the one before, with their views and steps", checked=lambda: tabs.reopens,
            ends_group=True,
        ),
        Command("file.quit", "Quit", menu, tabs.quit, ("Ctrl+Q",)),
    )  # fmt: skip
