"""The pictures of lessons: painted one by one while nothing else is to be done, and kept in the user's cache."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from PySide6.QtCore import QObject, QSize, QStandardPaths, QTimer, Signal
from PySide6.QtGui import QImage, QPixmap

from cadena.core.front import compile
from cadena.core.layout.arrange import complete
from cadena.core.storage.files import load
from cadena.core.teaching.lessons import lesson_path
from cadena.gui.canvas.rendering.thumbnail import whole_picture
from cadena.gui.formulas.typesetter import setting_what_is_painted
from cadena.gui.look.icon import png_of
from cadena.gui.look.theme import Theme
from cadena.gui.widgets.page_cards import SIZE

PAUSE = 5  # milliseconds between two pictures, in which keys and clicks come first
LOOK = b"1"  # counts changes of how cards are painted, which make older pictures out of date


def cache_folder() -> Path:
    """The folder of the pictures."""
    cache = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.GenericCacheLocation)
    return Path(cache, "cadena", "lessons")


class LessonPictures(QObject):
    """The pictures in one theme; `painted(name)` when another one is there."""

    painted = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._pictures: dict[str, QPixmap] = {}
        self._waiting: list[str] = []
        self._look: tuple[Theme, float] | None = None
        self._clock = QTimer(self, interval=PAUSE)
        self._clock.timeout.connect(self._paint_next)

    def picture(self, name: str) -> QPixmap | None:
        """The picture of a lesson, if it is there already."""
        return self._pictures.get(name)

    def ask(self, names: Iterable[str], theme: Theme, ratio: float) -> None:
        """Paint these lessons in this theme, or read them from the cache."""
        if (theme, ratio) != self._look:
            self._look = theme, ratio
            self._pictures.clear()
        self._waiting = [name for name in names if name not in self._pictures]
        if self._waiting:
            self._clock.start()

    def stop(self) -> None:
        """Paint no more of them."""
        self._clock.stop()

    def _paint_next(self) -> None:
        if not self._waiting or self._look is None:
            self._clock.stop()
            return
        name = self._waiting.pop(0)
        theme, ratio = self._look
        path = lesson_path(name)
        look = repr((theme, SIZE.toTuple(), ratio)).encode()
        kept = cache_folder() / f"{sha256(LOOK + look + path.read_bytes()).hexdigest()}.png"
        image = QImage(str(kept))
        if image.isNull():
            image = picture_of(path, theme, SIZE * ratio)
            with suppress(OSError):  # without a cache it is painted again the next time
                kept.parent.mkdir(parents=True, exist_ok=True)
                part = kept.with_suffix(".part")  # half a picture, of a full disk, would be shown for ever
                part.write_bytes(png_of(image))
                part.replace(kept)
        self._pictures[name] = QPixmap.fromImage(image)
        self.painted.emit(name)


def picture_of(path: Path, theme: Theme, size: QSize) -> QImage:
    """The graph of a lesson with all its numbers."""
    document = complete(load(path))
    with setting_what_is_painted():
        return whole_picture(document, compile(document).run(), theme, size)
