"""Where the parts of a formula go: one line that is scaled down to a least size, then broken at its equals signs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gui import formula

GAPS = {"": 0.0, "=": 0.28, formula.PLUS_EQUALS: 0.28, r"\cdot": 0.2, r"\odot": 0.2}  # em, on either side of a mark
RELATIONS = ("=", formula.PLUS_EQUALS)
LINE_GAP = 0.35  # em, between two lines of a broken formula
CAPTION_GAP = 10.0  # pixels that two captions keep between them


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of a formula with the mark before it ("=", "·" or none) and, under it, a word that says what it is."""

    latex: str
    mark: str = ""
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece of LaTeX whose first glyph begins at (x, baseline), in pixels; `width` is the room it is centred in."""

    latex: str
    x: float
    baseline: float
    width: float
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Lines:
    """A formula laid out: its type size, its pieces, the room they take, and where the captions of each line stand."""

    size: float
    placed: tuple[Placed, ...]
    width: float
    height: float


def parts_of(latex: str, *more_marks: str) -> tuple[Part, ...]:
    """A formula cut at its equals signs (and at `more_marks`)."""
    return tuple(Part(piece, mark) for mark, piece in formula.split(latex, *RELATIONS, *more_marks))


Measure = Callable[[str], float]  # the width of a caption in pixels


def lay_out(
    parts: Sequence[Part], width: float, height: float, largest: float, least: float, caption_height: float, measure: Measure
) -> Lines:
    """`parts` in `width` x `height` pixels: in one line at the largest size from `largest` down to `least` that fits, else
    in several lines; only what fits in neither way is set smaller than `least`. Nothing is ever cut.
    """
    size = largest
    while size > 4.0:
        whole = _set([list(parts)], size, caption_height, measure)
        if _fits(whole, width, height):
            return whole
        if size <= least:
            broken = _set(_broken(parts, size, width, measure), size, caption_height, measure)
            if _fits(broken, width, height):
                return _grown(parts, broken, width, height, largest, caption_height, measure)
        size = size - 1.0 if size <= least else max(least, size - 1.0)
    return _set(_broken(parts, size, width, measure), size, caption_height, measure)


def _grown(
    parts: Sequence[Part], found: Lines, width: float, height: float, largest: float, caption_height: float, measure: Measure
) -> Lines:
    """A broken formula as large as its lines allow."""
    while found.size < largest:
        size = found.size + 1.0
        larger = _set(_broken(parts, size, width, measure), size, caption_height, measure)
        if not _fits(larger, width, height):
            break
        found = larger
    return found


def _fits(lines: Lines, width: float, height: float) -> bool:
    return lines.width <= width and lines.height <= height


def _broken(parts: Sequence[Part], size: float, width: float, measure: Measure) -> list[list[Part]]:
    """The parts in lines of at most `width`, each line as full as it can be; lines begin with a relation."""
    lines: list[list[Part]] = [[]]
    for run in _runs(parts):
        if lines[-1] and _set([lines[-1] + run], size, 0.0, measure).width > width:
            lines.append([])
        lines[-1] = lines[-1] + run
    return lines


def _runs(parts: Sequence[Part]) -> list[list[Part]]:
    """The parts in runs that stay together: from one relation to the next."""
    runs: list[list[Part]] = []
    for part in parts:
        if part.mark in RELATIONS or not runs:
            runs.append([part])
        else:
            runs[-1].append(part)
    return runs


def _set(lines: Sequence[Sequence[Part]], size: float, caption_height: float, measure: Measure) -> Lines:
    """The lines one below the other, each with a row for its captions if it has any."""
    placed: list[Placed] = []
    top, widest = 0.0, 0.0
    for number, line in enumerate(lines):
        top += LINE_GAP * size if number else 0.0
        row, row_width, ascent, descent = _row(line, size, measure)
        placed += [replace(item, baseline=top + ascent) for item in row]
        captions = caption_height if any(part.caption for part in line) else 0.0
        top += ascent + descent + captions
        widest = max(widest, row_width)
    return Lines(size, tuple(placed), widest, top)


def _row(line: Sequence[Part], size: float, measure: Measure) -> tuple[list[Placed], float, float, float]:
    """One line from x = 0 on: its pieces (baselines still 0), its width, ascent and descent."""
    scale = size / formula.REFERENCE
    row: list[Placed] = []
    x = ascent = descent = 0.0
    for part in line:
        if part.mark:
            gap = GAPS[part.mark] * size
            mark = formula.setting(part.mark).width * scale
            x += gap if row else 0.0
            row.append(Placed(part.mark, x, 0.0, mark))
            x += mark + gap
        made = formula.setting(part.latex)
        room = max(made.width * scale, measure(part.caption) + CAPTION_GAP if part.caption else 0.0)
        row.append(Placed(part.latex, x + (room - made.width * scale) / 2, 0.0, made.width * scale, part.caption))
        x, ascent, descent = x + room, max(ascent, made.ascent * scale), max(descent, made.descent * scale)
    return row, x, ascent, descent
