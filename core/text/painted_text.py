"""Sentences with painted numbers: `mark` wraps a number in the sign of its role, `pieces` takes them apart again."""

from __future__ import annotations

import re
from typing import NamedTuple

SIGNS = {"value": "\ue000", "gradient": "\ue001", "tangent": "\ue002"}  # private characters, which no name can hold
END = "\ue003"
BAD = re.compile("[-−]?(nan|inf)")
MARKED = re.compile(f"([{''.join(SIGNS.values())}])([^{END}]*){END}")


class PaintedPiece(NamedTuple):
    """A part of a sentence in the colour of `role`; "" for the words between."""

    text: str
    role: str = ""


def mark(role: str, text: str) -> str:
    """The callback that paints sentences: the number between the sign of its role and an end."""
    return f"{SIGNS[role]}{text}{END}"


def pieces(marked: str) -> tuple[PaintedPiece, ...]:
    """A marked sentence in pieces."""
    roles = {sign: role for role, sign in SIGNS.items()}
    parts, begin = list[PaintedPiece](), 0
    for match in MARKED.finditer(marked):
        role = "fault" if BAD.fullmatch(match[2]) else roles[match[1]]
        parts += [PaintedPiece(marked[begin : match.start()]), PaintedPiece(match[2], role)]
        begin = match.end()
    return tuple(piece for piece in (*parts, PaintedPiece(marked[begin:])) if piece.text)


def plain(marked: str) -> str:
    """A marked sentence without its marks."""
    return "".join(piece.text for piece in pieces(marked))
