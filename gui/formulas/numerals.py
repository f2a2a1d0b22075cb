"""Numbers as formulas, put together from those of their digits: each move of a drag shows new ones, and to set one anew
takes milliseconds.

The type has digits of one width and no kerning; a test holds what comes out against numbers that are set as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from cadena.gui.formulas.typeset import Setting

NUMBER = re.compile(r"(?P<opening>\\left\()?(?P<sign>-?)(?P<digits>\d{1,40}(?:\.\d{1,40})?)(?(opening)\\right\))")
PATH = re.compile(r"<path [^>]*/>")
SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="{width:.3f}" height="{height:.3f}" '
    'viewBox="{left:.3f} {top:.3f} {width:.3f} {height:.3f}">{paths}</svg>'
)


class Glyph(NamedTuple):
    """One sign of a number: its path, where that lies from, and how far on the next one begins."""

    path: str
    begins: float
    advance: float
    left: float
    ascent: float
    descent: float


_glyphs = dict[str, Glyph]()


def is_number(latex: str) -> bool:
    """Whether a formula is a number in digits, perhaps in parentheses."""
    return NUMBER.fullmatch(latex) is not None


def put_together(latex: str) -> Setting | None:
    """A number from the signs that are known; None where one is not, or where it is no number in digits."""
    match = NUMBER.fullmatch(latex)
    signs = "" if match is None else match["sign"] + match["digits"]
    signs = f"({signs})" if match is not None and match["opening"] else signs
    if not signs or not set(signs) <= _glyphs.keys():
        return None
    glyphs = [_glyphs[sign] for sign in signs]
    place, paths = 0.0, list[str]()
    for glyph in glyphs:
        paths.append(f'<g transform="translate({place - glyph.begins:.3f} 0)">{glyph.path}</g>')
        place += glyph.advance
    left, ascent, descent = glyphs[0].left, max(one.ascent for one in glyphs), max(one.descent for one in glyphs)
    svg = SVG.format(left=left, top=-ascent, width=place - left, height=ascent + descent, paths="".join(paths))
    return Setting(latex, svg, left, place - left, ascent, descent)


def learn(latex: str, set_: Callable[[str], Setting]) -> None:
    """Take the signs of a number that are not known yet from formulas that `set_` sets."""
    for sign in set(latex) - _glyphs.keys():
        if sign in "0123456789":
            digit = set_(sign)
            _glyphs[sign] = Glyph(_paths(digit)[0], 0.0, digit.right, digit.left, digit.ascent, digit.descent)
        elif sign in SAMPLES:
            _glyphs[sign] = SAMPLES[sign](set_)


def _paths(setting: Setting) -> list[str]:
    return PATH.findall(setting.svg or "")


def _minus(set_: Callable[[str], Setting]) -> Glyph:
    zero, negative = set_("0"), set_("-0")
    return Glyph(_paths(negative)[0], 0.0, negative.right - zero.right, negative.left, 0.0, 0.0)


def _point(set_: Callable[[str], Setting]) -> Glyph:
    one, decimal = set_("1"), set_("1.1")  # a one does not reach below the line, as a point does
    return Glyph(_paths(decimal)[1], one.right, decimal.right - 2 * one.right, 0.0, 0.0, decimal.descent)


def _parenthesis(set_: Callable[[str], Setting], opens: bool) -> Glyph:
    zero, enclosed = set_("0"), set_(r"\left(0\right)")
    wide = (enclosed.right - zero.right) / 2
    path, begins = (_paths(enclosed)[0], 0.0) if opens else (_paths(enclosed)[-1], wide + zero.right)
    return Glyph(path, begins, wide, enclosed.left, enclosed.ascent, enclosed.descent)


SAMPLES: dict[str, Callable[[Callable[[str], Setting]], Glyph]] = {
    "-": _minus,
    ".": _point,
    "(": partial(_parenthesis, opens=True),
    ")": partial(_parenthesis, opens=False),
}
