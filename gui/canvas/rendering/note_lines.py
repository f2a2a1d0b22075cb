"""The text of notes, set out: words and formulas in lines; a line that begins with # is a heading."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from PySide6.QtCore import QRectF

from cadena.core.graph.document import Document
from cadena.core.graph.memos import Memo, memos
from cadena.core.text.plain_text import cleaned
from cadena.gui.canvas.rendering.text_fitting import metrics, width
from cadena.gui.formulas import pictures
from cadena.gui.formulas.typesetter import typesetter
from cadena.gui.look.theme import GAP, READING, TITLE

MATHEMATICS = re.compile(r"\$([^$\n]+)\$")
WIDE = 300.0  # canvas units: of the text
LEADING = 1.45  # of the type: from line to line
LARGER = 1.12  # a formula's letters are as large as those around it


class Piece(NamedTuple):
    """A word or a formula at its place in the note, `x` and `baseline`."""

    text: str
    is_formula: bool
    size: int
    x: float
    baseline: float


def areas(document: Document) -> dict[int, QRectF]:
    """The area of each note by its number."""
    return {number: area(note) for number, note in memos(document).items()}


def area(note: Memo) -> QRectF:
    """The area of a note, with the air around its text."""
    _, wide, tall = set_out(note.text, known_formulas(note.text))
    return QRectF(*note.at, wide + 2 * GAP, tall + 2 * GAP)


def known_formulas(text: str) -> tuple[str, ...]:
    """The formulas of a text that are set; the others are asked for, and shown as their source till then."""
    formulas = tuple(match[1] for match in MATHEMATICS.finditer(text))
    typesetter.ask(formulas)
    return tuple(latex for latex in formulas if pictures.cached(latex) is not None)


@lru_cache(maxsize=256)
def set_out(text: str, known: tuple[str, ...]) -> tuple[list[Piece], float, float]:
    """The pieces of a text, and the width and the height that they take."""
    pieces: list[Piece] = []
    widest, top = 0.0, 0.0
    for line in cleaned(text, keep="\n").split("\n"):
        size = round(TITLE if line.startswith("#") else READING)
        x, space = 0.0, width(" ", size, size > READING)
        row: list[Piece] = []
        for word, is_formula, is_glued in _words(line.lstrip("# "), known):
            wide = pictures.size(word, size * LARGER).width() if is_formula else width(word, size, size > READING)
            gap = space if row and not is_glued else 0.0
            if gap and x + gap + wide > WIDE:
                top = _finish(pieces, row, top, size)
                x, gap, row = 0.0, 0.0, []
            row.append(Piece(word, is_formula, size, x + gap, 0.0))
            x += gap + wide
            widest = max(widest, x)
        top = _finish(pieces, row, top, size)
    return pieces, widest, top


def _words(line: str, known: tuple[str, ...]) -> Iterator[tuple[str, bool, bool]]:
    """Words and formulas in order: the text, whether it is a formula, and whether no space comes before it."""
    before = " "  # what comes before the formula, or the words
    for number, part in enumerate(MATHEMATICS.split(line)):
        if number % 2:
            is_formula = part in known
            yield part if is_formula else f"${part}$", is_formula, not before[-1:].isspace()
        else:
            for place, word in enumerate(part.split()):
                yield word, False, not place and bool(number) and not part[0].isspace()
            before = part or ("$" if number else " ")


def _finish(pieces: list[Piece], row: list[Piece], top: float, size: int) -> float:
    """Put a row of pieces on its line, which formulas make taller; returns where the next one begins."""
    above, below = metrics(size).ascent(), (LEADING - 1.0) * size + metrics(size).descent()
    for piece in row:
        if piece.is_formula:
            typeset, scale = pictures.setting(piece.text), piece.size * LARGER / pictures.REFERENCE
            above, below = max(above, typeset.ascent * scale), max(below, typeset.descent * scale + 2.0)
    pieces += [piece._replace(baseline=top + above) for piece in row]
    return top + above + below
