"""Pictures of recent files in the user's cache, painted when a file is saved or left, and written by a thread."""

from __future__ import annotations

from contextlib import suppress
from hashlib import sha256
from os import fsencode
from pathlib import Path

from PySide6.QtCore import QStandardPaths
from PySide6.QtGui import QImage, QPixmap

from cadena.core.storage.replacing import replace_file
from cadena.gui.background.worker import Work
from cadena.gui.canvas.rendering.thumbnail import whole_picture
from cadena.gui.look.icon import png_of
from cadena.gui.look.theme import Theme
from cadena.gui.session.session import Session
from cadena.gui.widgets.page_cards import SIZE

MOST_KEPT = 60  # pictures, of some twenty kilobytes each


def cache_folder() -> Path:
    """The folder of the pictures."""
    cache = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)
    return Path(cache, "cadena", "recent")


def place_of(path: Path, dark: bool) -> Path:
    """The picture of a file, for a dark or a light theme."""
    return cache_folder() / f"{sha256(fsencode(path)).hexdigest()}-{'dark' if dark else 'light'}.png"


def keep_picture(session: Session, theme: Theme) -> Work | None:
    """Keep a picture of the shown document, if it is as its file is and there is none yet; then the work of writing."""
    path = session.path
    if path is None or session.levels or session.learns or session.modified or not session.document.nodes:
        return None
    place = place_of(path, theme.dark)
    if _is_fresh(place, path):
        return None
    image = whole_picture(session.document, session.run, theme, SIZE)
    writing = Work(lambda cancelled: _write(image, place))
    writing.begin()
    return writing


def picture_of_file(path: Path, theme: Theme) -> QPixmap | None:
    """The picture of a file; of the other kind of theme, if that is the only one."""
    for dark in (theme.dark, not theme.dark):
        image = QImage(str(place_of(path, dark)))
        if not image.isNull():
            return QPixmap.fromImage(image)
    return None


def _is_fresh(place: Path, path: Path) -> bool:
    try:
        return place.stat().st_mtime_ns >= path.stat().st_mtime_ns
    except OSError:
        return False


def _write(image: QImage, place: Path) -> None:
    """Write a picture, and remove the oldest of too many. Without a cache there is none."""
    with suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        replace_file(place, png_of(image))
        pictures = sorted(place.parent.glob("*.png"), key=lambda one: one.stat().st_mtime_ns, reverse=True)
        for old in pictures[MOST_KEPT:]:
            old.unlink(missing_ok=True)
