"""Steps as a film: MP4 and GIF by FFmpeg, or a sequence of PNGs. Each frame is a sheet; its formula grows in time.

Writing is an iterator that stops after each frame, so that a window stays alive and a film can be given up: closing it
leaves no file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

from PySide6.QtCore import QSize
from PySide6.QtGui import QImage, QPainter

from cadena.core.graph.document import Document
from cadena.core.graph.fault import Refused
from cadena.core.methods.reverse.timeline import Timeline
from cadena.core.storage.files import reason, write
from cadena.core.verbs.render import NUMBERED, is_sequence
from cadena.gui.canvas.rendering.painting import Layers
from cadena.gui.export.encoder import MP4, PALETTE, Encoder, ScratchFile, ffmpeg, scratch_file, with_palette
from cadena.gui.export.sheet import Sheet, application, document_of, formula_of, in_words, paint
from cadena.gui.look.icon import png_of
from cadena.gui.look.theme import Theme
from cadena.gui.session.playback import STEP_SECONDS

SIZE = (1280, 720)
FPS = {".gif": 20}  # a GIF counts in hundredths of a second
USUAL_FPS = 30
REST_SECONDS = 1.0  # the first and the last moment stand still for so long
MAX_FRAMES = 50_000
STEADY = 0.29  # of the height at `type` 1: the room of the sentence and the formula, the same in each frame
PALETTE_FRAMES = 24  # of which a GIF takes its colours


@dataclass(frozen=True)
class Film:
    """A section of the steps, from the moment after `begin` steps to that after `end`."""

    timeline: Timeline
    begin: int
    end: int
    theme: Theme
    size: tuple[int, int] = SIZE
    fps: int = USUAL_FPS
    speed: float = 1.0
    title: str = ""

    def __len__(self) -> int:
        """The number of frames."""
        seconds = (self.end - self.begin) * STEP_SECONDS / self.speed + 2 * REST_SECONDS
        return round(seconds * self.fps) + 1

    def time(self, number: int) -> float:
        """The moment that a frame shows."""
        steps = (number / self.fps - REST_SECONDS) * self.speed / STEP_SECONDS
        return min(max(self.begin + steps, float(self.begin)), float(self.end))

    @cached_property
    def document(self) -> Document:
        document = document_of(self.timeline)
        return replace(document, title=self.title or document.title)

    def frame(self, number: int, layers: Layers | None = None) -> QImage:
        """One frame as an image."""
        image = QImage(QSize(*self.size), QImage.Format.Format_RGB32)
        painter = QPainter(image)
        paint(painter, self._sheet(self.time(number)), layers)
        painter.end()
        return image

    def _sheet(self, time: float) -> Sheet:
        frame, quiet = self.timeline.frame(time), replace(self.theme, grid=self.theme.canvas)
        parts = self._formula(frame.index) if frame.step is not None and frame.number > 0 else ()
        steady = STEADY * self.theme.type**0.5
        return in_words(Sheet(self.document, frame, quiet, QSize(*self.size), parts=parts, steady=steady))

    @cached_property
    def _formula(self):
        return lru_cache(maxsize=2)(lambda index: formula_of(self.timeline, index, self.theme))


def checked(film: Film) -> Film:
    """The film, whose sides are even as encoders want them. Raises Refused for a section or a pace that cannot be."""
    count = len(film.timeline)
    if not 0 <= film.begin < film.end <= count:
        raise Refused(
            "a film from step {begin} to step {end}: there is no such section",
            "choose two steps from 0 to {count}, the first one below the second",
            begin=film.begin,
            end=film.end,
            count=count,
        )
    if len(film) > MAX_FRAMES:
        raise Refused(
            "the film has {frames} frames, and {most} is the most",
            "choose fewer steps, fewer frames a second or a higher speed",
            frames=len(film),
            most=MAX_FRAMES,
        )
    width, height = film.size
    return replace(film, size=(width + width % 2, height + height % 2))


def writing(film: Film, out: Path) -> Iterator[int]:
    """Write the film frame by frame; yields how many are done. Raises Refused where that cannot be."""
    application()
    film = checked(film)
    if is_sequence(out):
        yield from _sequence(film, out)
        return
    try:
        yield from _encoded(ffmpeg(), film, out)
    except OSError as error:  # of the folder for what is not whole yet
        raise Refused("{out}: a temporary file cannot be made: {reason}", out=out, reason=reason(error)) from None


def _encoded(program: str, film: Film, out: Path) -> Iterator[int]:
    """A film by FFmpeg; the old file is replaced when the new one is whole."""
    with scratch_file() as target, scratch_file() as palette:
        options, layers = MP4, Layers()
        if out.suffix.lower() != ".mp4":
            yield from _palette(program, film, palette)
            options = with_palette(palette)
        with Encoder(program, film.size, film.fps, options, target, palette) as encoder:
            for number in range(len(film)):
                encoder.add(film.frame(number, layers))
                yield number + 1
        write(target.content(), out)


def _palette(program: str, film: Film, palette: ScratchFile) -> Iterator[int]:
    """Write the colours of a GIF, from some of the frames; none of its own is done by that."""
    with Encoder(program, film.size, film.fps, PALETTE, palette) as encoder:
        for part in range(PALETTE_FRAMES + 1):
            encoder.add(film.frame(round(part * (len(film) - 1) / PALETTE_FRAMES)))
            yield 0


def _sequence(film: Film, out: Path) -> Iterator[int]:
    """A PNG for each frame, numbered from 1; the names have a place for the number, or are in a folder of their own."""
    if not NUMBERED.search(out.name):
        out = out / "frame-%04d.png"
    try:
        out.parent.mkdir(exist_ok=True)
    except OSError as error:
        raise Refused("{out}: the folder cannot be made: {reason}", out=out.parent, reason=reason(error)) from None
    layers, before, place, after = Layers(), *re.split(f"({NUMBERED.pattern})", out.name, maxsplit=1)
    for number in range(1, len(film) + 1):
        write(png_of(film.frame(number - 1, layers)), out.with_name(f"{before}{place % number}{after}"))
        yield number
