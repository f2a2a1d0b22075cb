"""The layout of a formula: one line, scaled down to a least size, then broken at its equals signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRectF

from cadena.core.notation.parts import (
    APPROXIMATELY,
    PLUS_EQUALS,
    QUAD,
    RELATIONS,
    SUMS,
    FormulaPart,
    has_shape,
    without_matrices,
)
from cadena.gui.formulas import pictures

GAPS = {
    "=": 0.28,
    APPROXIMATELY: 0.28,
    PLUS_EQUALS: 0.35,
    r"\cdot": 0.25,
    r"\odot": 0.25,
    QUAD: 0.8,
    "+": 0.25,
    "-": 0.2,
}  # em, on either side of a mark
SMALLEST = 4.0  # pixels: nothing is legible below
READABLE = 0.8  # of the least type: smaller matrices are left out
LINE_GAP = 0.35  # em, between two lines of a broken formula
CAPTION_GAP = 0.8  # of their height, that two captions keep between them
PLATE_SIDE, PLATE_FOOT = 0.4, 0.28  # em: what the plate of a result stands out beside it, and above and below


class Placed(NamedTuple):
    """A piece of LaTeX at (x, baseline), in pixels; its caption is centred at x = `middle`.

    A `result` is drawn on a plate.
    """

    latex: str
    x: float
    baseline: float
    width: float
    caption: str = ""
    appears: float = 0.0
    middle: float = 0.0
    result: bool = False

    def plate(self, size: float) -> QRectF:
        """The ground of a result in type of this size."""
        setting, scale = pictures.setting(self.latex), size / pictures.REFERENCE
        high = (setting.ascent + setting.descent) * scale
        glyphs = QRectF(self.x, self.baseline - setting.ascent * scale, self.width, high)
        side, foot = PLATE_SIDE * size, PLATE_FOOT * size
        return glyphs.adjusted(-side, -foot, side, foot)


class Lines(NamedTuple):
    """A laid out formula: its type size, its pieces with their captions, and the room they take."""

    size: float
    placed: tuple[Placed, ...]
    width: float
    height: float


class Captions(NamedTuple):
    """The type of the words under a formula: the height of their row and the width of a word, in pixels."""

    height: float
    measure: Callable[[str], float]


class Room(NamedTuple):
    """The room of a formula, in pixels, and the range of its type size."""

    width: float
    height: float
    largest: float
    least: float


def lay_out(parts: Sequence[FormulaPart], room: Room, captions: Captions) -> Lines:
    """Lay out `parts` in one line at the largest size that fits, down to the least; else in several lines.

    A formula that fits in neither way loses its captions, and is set smaller than the least size. Where its matrices
    could not be read then, or one of them is too large, it goes from the symbols to the result. Nothing is cut.
    """
    return lay_out_all(legible(parts, room, captions), room, captions)


def legible(parts: Sequence[FormulaPart], room: Room, captions: Captions) -> Sequence[FormulaPart]:
    """The parts, without the matrices before a result where not all of them could be read in this room."""
    shorter = without_matrices(parts)
    if len(shorter) == len(parts) or any(map(has_shape, parts[:-1])):
        return shorter
    return parts if lay_out_all(parts, room, captions).size >= READABLE * room.least else shorter


def lay_out_all(parts: Sequence[FormulaPart], room: Room, captions: Captions) -> Lines:
    """Lay out all parts, in the way of `lay_out`."""
    lines = _lay_out(parts, room, captions)
    if lines.size >= room.least or not any(part.caption for part in parts):
        return lines
    bare = _lay_out([part._replace(caption="") for part in parts], room, captions)
    return bare if bare.size > lines.size else lines


def _lay_out(parts: Sequence[FormulaPart], room: Room, captions: Captions) -> Lines:
    size = room.largest
    while size > SMALLEST:
        one_line = _set([list(parts)], size, captions)
        if _fits(one_line, room):
            return one_line
        if size <= room.least:
            broken = _set(_broken(parts, size, room.width, captions), size, captions)
            if _fits(broken, room):
                return _grown(parts, broken, room, captions)
        size = size - 1.0 if size <= room.least else max(room.least, size - 1.0)
    return _set(_broken(parts, size, room.width, captions), size, captions)


def _grown(parts: Sequence[FormulaPart], lines: Lines, room: Room, captions: Captions) -> Lines:
    """A broken formula as large as its lines allow."""
    while lines.size < room.largest:
        size = lines.size + 1.0
        larger = _set(_broken(parts, size, room.width, captions), size, captions)
        if not _fits(larger, room):
            break
        lines = larger
    return lines


def _fits(lines: Lines, room: Room) -> bool:
    return lines.width <= room.width and lines.height <= room.height


def _broken(parts: Sequence[FormulaPart], size: float, width: float, captions: Captions) -> list[list[FormulaPart]]:
    """The parts in lines of at most `width`, each line as full as it can be; lines begin with a relation.

    A formula that follows another one begins a line where it does not fit beside it; what is too long for a line is
    broken before its summands, or a product at its dots.
    """

    def too_wide(line: list[FormulaPart]) -> bool:
        return _set([line], size, captions).width > width

    lines: list[list[FormulaPart]] = [[]]
    for formula_ in _runs(parts, (QUAD,)):
        if lines[-1] and too_wide(lines[-1] + formula_):
            lines.append([])
        for run in _runs(formula_, (*RELATIONS, QUAD)):
            sums = _runs(run, SUMS) if too_wide(run) else [run]
            for piece in sums if len(sums) > 1 or not too_wide(run) else [[part] for part in run]:
                if lines[-1] and too_wide(lines[-1] + piece):
                    lines.append([])
                lines[-1] = lines[-1] + piece
    return lines


def _runs(parts: Sequence[FormulaPart], marks: tuple[str, ...]) -> list[list[FormulaPart]]:
    """The parts in runs that stay together: from one of the marks to the next."""
    runs: list[list[FormulaPart]] = []
    for part in parts:
        if part.mark in marks or not runs:
            runs.append([part])
        else:
            runs[-1].append(part)
    return runs


def _set(lines: Sequence[Sequence[FormulaPart]], size: float, captions: Captions) -> Lines:
    """The lines one below the other, each with a row for its captions if it has any."""
    placed: list[Placed] = []
    top, widest = 0.0, 0.0
    for number, line in enumerate(lines):
        top += LINE_GAP * size if number else 0.0
        row, row_width, ascent, descent = _row(line, size, captions)
        placed += [item._replace(baseline=top + ascent) for item in row]
        top += ascent + descent + (captions.height if any(part.caption for part in line) else 0.0)
        widest = max(widest, row_width)
    return Lines(size, tuple(placed), widest, top)


def _row(line: Sequence[FormulaPart], size: float, captions: Captions) -> tuple[list[Placed], float, float, float]:
    """One line from x = 0 on: its pieces (baselines still 0), its width, ascent and descent."""
    scale = size / pictures.REFERENCE
    row: list[Placed] = []
    x = ascent = descent = 0.0
    for part in line:
        row, x = _with_mark(row, part, x, size)
        setting = pictures.setting(part.latex)
        width, side, foot = setting.width * scale, PLATE_SIDE * size * part.result, PLATE_FOOT * size * part.result
        x += side
        row.append(Placed(part.latex, x, 0.0, width, part.caption, part.appears, x + width / 2, part.result))
        x += width + side
        ascent = max(ascent, setting.ascent * scale + foot)
        descent = max(descent, setting.descent * scale + foot)
    row, end = _spread(row, captions)
    return row, max(x, end), ascent, descent


def _spread(row: list[Placed], captions: Captions) -> tuple[list[Placed], float]:
    """The row with captions that stand apart, each as near to the middle of its piece as that allows, and their end."""
    before: int | None = None
    end = 0.0
    for place, item in enumerate(row):
        if not item.caption:
            continue
        half = captions.measure(item.caption) / 2
        overlap = 0.0 if before is None else end + CAPTION_GAP * captions.height - (item.middle - half)
        if before is not None and overlap > 0.0:
            row[before] = row[before]._replace(middle=row[before].middle - overlap / 2)
            item = row[place] = item._replace(middle=item.middle + overlap / 2)
        before, end = place, item.middle + half
    return row, end


def _with_mark(row: list[Placed], part: FormulaPart, x: float, size: float) -> tuple[list[Placed], float]:
    """`row` with the mark, and where the next piece begins; a line begins with its mark, without a gap before it."""
    mark = part.mark
    if not mark or (mark == QUAD and not row):
        return row, x
    gap = GAPS[mark] * size
    x += gap if row else 0.0
    if mark == QUAD:
        return row, x + gap
    width = pictures.setting(mark).width * size / pictures.REFERENCE
    return [*row, Placed(mark, x, 0.0, width, appears=part.appears)], x + width + gap
