"""What lies around the cards of a page: frames with titles and colours, and notes with words and formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from cadena.core.graph.document import Document
from cadena.core.graph.frames import color_of, frames, hue
from cadena.core.graph.memos import memos
from cadena.core.text.plain_text import cleaned, elided

AROUND, TITLE = 18.0, 24.0  # units between a frame and its cards, and the height of its title
MAX_TITLE = 80  # letters
MATHEMATICS = re.compile(r"\$([^$\n]+)\$")


def framed(document: Document, numbers: Mapping[str, int], boxes: np.ndarray) -> list[dict[str, Any]]:
    """The frames, the largest first. A collapsed one is open here: its steps are played."""
    known = []
    for title, names in frames(document).items():
        own = boxes[[numbers[name] for name in names]]
        left, top = own[:, :2].min(axis=0) - (AROUND, AROUND + TITLE)
        right, bottom = own[:, 2:].max(axis=0) + AROUND
        box = [round(float(part)) for part in (left, top, right - left, bottom - top)]
        degrees = hue(color_of(document, title))
        known.append({"title": elided(cleaned(title), MAX_TITLE), "box": box, "hue": degrees})
    return sorted(known, key=lambda frame: -frame["box"][2] * frame["box"][3])


def noted(document: Document, formula: Callable[[str], int]) -> list[dict[str, Any]]:
    """The notes: lines, each a heading or not, of texts and of formulas by the places that `formula` gives them."""
    return [
        {
            "at": [round(part) for part in note.at],
            "lines": [
                [line.startswith("#"), list(_pieces(line.lstrip("# "), formula))]
                for line in cleaned(note.text, keep="\n").split("\n")
            ],
        }
        for note in memos(document).values()
    ]


def _pieces(line: str, formula: Callable[[str], int]) -> Iterator[str | int]:
    for number, part in enumerate(MATHEMATICS.split(line)):
        if part:
            yield formula(part) if number % 2 else part
