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
            "tab.recent", "Recent files…", menu, tabs.recents.toggle, (),
            "Recent files with thumbnails; pin the ones you need", checked=lambda: tabs.recents.shown,
        ),
        Command(
            "tab.next", "Next tab", menu, partial(documents.turn, 1), ("Ctrl+Tab",),
            "Go to the next open document", several,
        ),
        Command(
            "tab.previous", "Previous tab", menu, partial(documents.turn, -1), ("Ctrl+Shift+Tab",),
            "Go to the previous open document", several,
        ),
        Command("tab.close", "Close", menu, tabs.close_document, ("Ctrl+W",), "Close the open document"),
        Command(
            "tab.reopen", "Reopen closed", menu, documents.reopen, ("Ctrl+Shift+T",),
            "Reopen the last closed document, with its undo history", lambda: documents.can_reopen,
        ),
        Command(
            "tab.window", "New window", menu, tabs.open_window, (),
            "Open a window with an empty graph",
        ),
        Command(
            "tab.move", "Move to a new window", menu, tabs.move_to_window, (),
            "Move this document to a window of its own", several,
        ),
        Command(
            "tab.restore", "Reopen what was open", menu, tabs.toggle_reopening, (),
            "At each start, reopen the files of the last session, with their views and steps",
            checked=lambda: tabs.reopens,
        ),
        Command("file.quit", "Quit", menu, tabs.quit, ("Ctrl+Q",)),
    )  # fmt: skip
