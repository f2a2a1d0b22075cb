"""The menu of recent files, listed anew each time it is opened."""

from __future__ import annotations

from functools import partial

from PySide6.QtWidgets import QMenu

from cadena.gui.files.opening import Files
from cadena.gui.files.settings import Settings
from cadena.gui.look.text_cleaning import menu_text, tip


def list_recent(menu: QMenu, files: Files, settings: Settings) -> None:
    """Let `menu` list the recent files whenever it is opened."""
    menu.setToolTipsVisible(True)
    menu.aboutToShow.connect(partial(_fill, menu, files, settings))


def _fill(menu: QMenu, files: Files, settings: Settings) -> None:
    menu.clear()
    for path in settings.recent_files:
        menu.addAction(menu_text(path.name), partial(files.open_recent, path)).setToolTip(tip(str(path)))
    menu.addSeparator()
    menu.addAction("Clear the list", settings.forget_files).setEnabled(bool(settings.recent_files))
