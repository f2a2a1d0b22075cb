"""Formulas: LaTeX notation as sharp pictures, set by ziamath without TeX, kept in Qt's cache of pixmaps.

A formula that ziamath cannot read is shown as its source, in plain type: the reader sees what could not be set.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache, lru_cache, wraps
from itertools import accumulate
from typing import Any
from xml.etree.ElementTree import Element, tostring

from PySide6.QtCore import QByteArray, QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QFont, QFontDatabase, QFontMetricsF, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

from gui.theme import Theme

REFERENCE = 48.0  # pixels: the size at which formulas are set; all others are scaled from it
MOST_MEASURED = 4096  # parts of formulas whose heights are kept
INK = "#000001"  # stands for the default ink in a set formula
OPENING = r"\\left\(|\\left\[|[({\[=&,]|\\\\|\\cdot|\\odot|\\times"
SIGN = re.compile(rf"(^|{OPENING})(\s*)-(?=\s*[\d\\a-zA-Z])")
PLUS_EQUALS = r"\mathrel{+}="
TOKEN = re.compile(r"\\[a-zA-Z]+|\\?.", re.DOTALL)
COLORED = re.compile(r"\\textcolor\{(#[0-9a-f]{6})\}\{(.*)\}")
OPENS, CLOSES = ("{", "(", r"\left", r"\begin"), ("}", ")", r"\right", r"\end")


@dataclass(frozen=True)
class Setting:
    """A formula set at REFERENCE size, lengths in pixels; `svg` is None where it could not be read."""

    latex: str
    svg: str | None
    left: float
    width: float
    ascent: float
    descent: float

    def size(self, pixel_size: float) -> QSizeF:
        """Width and height at another size of type."""
        scale = pixel_size / REFERENCE
        return QSizeF(self.width * scale, (self.ascent + self.descent) * scale)


def for_ziamath(latex: str) -> str:
    r"""LaTeX as ziamath needs it: its own "+=", signs that are not spaced like differences, air between columns, and
    braces around matrices, without which they take no exponent."""
    latex = latex.replace(r"\begin{bmatrix}", r"{\begin{bmatrix}").replace(r"\end{bmatrix}", r"\end{bmatrix}}")
    latex = SIGN.sub(r"\1\2{-}", latex).replace(r"\_", r"{\_}")  # else it is spaced like an operator
    return latex.replace(PLUS_EQUALS, r"\;{+}{=}\;").replace("&", r"&\;\;")


def split(latex: str, *marks: str) -> list[tuple[str, str]]:
    """`latex` cut at `marks` that stand outside all braces and brackets: pairs of (mark, what follows it)."""
    found, depth, mark, begin = list[tuple[str, str]](), 0, "", 0
    tokens = re.finditer("|".join([*map(_whole, marks), TOKEN.pattern]), latex, re.DOTALL)
    for token in tokens:
        if depth == 0 and token[0] in marks:
            found.append((mark, latex[begin : token.start()].strip()))
            mark, begin = token[0], token.end()
        depth += (token[0] in OPENS) - (token[0] in CLOSES)
    found.append((mark, latex[begin:].strip()))
    return [pair for pair in found if pair != ("", "")]


def _whole(mark: str) -> str:
    r"""The pattern of a mark, which is not the beginning of another command: \cdot is not in \cdots."""
    return re.escape(mark) + ("(?![a-zA-Z])" if mark[-1].isalpha() else "")


@lru_cache(maxsize=1024)
def setting(latex: str) -> Setting:
    """`latex` set at REFERENCE size; about 30 ms the first time."""
    try:
        return _set(latex)
    except Exception:  # whatever ziamath and its parser raise: the source is shown instead
        metrics = QFontMetricsF(_plain_font(REFERENCE))
        return Setting(latex, None, 0.0, metrics.horizontalAdvance(latex), metrics.ascent(), metrics.descent())


def _set(latex: str) -> Setting:
    if wrapped := _one_color(latex):
        color, inner = wrapped
        plain = setting(inner)  # one setting serves all colours
        return replace(plain, svg=plain.svg.replace(INK, color) if plain.svg else None)
    from ziamath.config import config  # 0.2 s, so not before the first formula
    from ziamath.zmath import Latex

    config.svg2 = False  # QtSvg draws nothing of <symbol> and <use>
    _measure_once()
    made = Latex(for_ziamath(latex), size=REFERENCE, color=INK, margin=0.0)
    box = made.node.bbox
    return Setting(latex, made.svg(), box.xmin, box.xmax - box.xmin, box.ymax, -box.ymin)


@cache
def _measure_once() -> None:
    """Let ziamath measure equal parts once.

    It sets what is in a row twice, first to measure it, and so on inside: each bracket in another made a formula take
    several times as long, a sine of a sine of ... eight deep minutes.
    """
    from ziamath.nodes.mrow import Mrow

    measure, known = Mrow._get_height_nostretch, dict[tuple[str, ...], tuple[float, float]]()

    @wraps(measure)
    def measured(row: Mrow, line: list[Element], **kwargs: Any) -> tuple[float, float]:
        what = (repr(row.style), repr(row.size), repr(sorted(kwargs.items())), *map(_source, line))
        if what not in known:
            if len(known) >= MOST_MEASURED:
                known.clear()
            known[what] = measure(row, line, **kwargs)
        return known[what]

    Mrow._get_height_nostretch = measured  # type: ignore[assignment, method-assign]


def _source(element: Element) -> str:
    return tostring(element, encoding="unicode")


def _one_color(latex: str) -> tuple[str, str] | None:
    """Colour and content of a formula that is one painted part."""
    match = COLORED.fullmatch(latex)
    if match is None:
        return None
    depth = accumulate((token == "{") - (token == "}") for token in TOKEN.findall(match[2]))
    return None if any(level < 0 for level in depth) else (match[1], match[2])


def _plain_font(pixel_size: float) -> QFont:
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    font.setPixelSize(max(1, round(pixel_size * 0.75)))
    return font


def size(latex: str, pixel_size: float) -> QSizeF:
    """The room that a formula takes, in pixels."""
    return setting(latex).size(pixel_size)


def paint(painter: QPainter, latex: str, pixel_size: float, color: str, baseline: QPointF) -> None:
    """Draw a formula as vectors; its first glyph begins at `baseline`."""
    made, scale = setting(latex), pixel_size / REFERENCE
    if made.svg is None:
        painter.setFont(_plain_font(pixel_size))
        painter.setPen(QColor(color))
        painter.drawText(baseline, latex)
        return
    renderer = QSvgRenderer(QByteArray(made.svg.replace(INK, color).encode()))
    top_left = QPointF(baseline.x(), baseline.y() - made.ascent * scale)
    renderer.render(painter, QRectF(top_left, made.size(pixel_size)))


def render(latex: str, pixel_size: float, color: str, device_ratio: float = 1.0) -> QPixmap:
    """A formula as a pixmap that is sharp at `device_ratio` device pixels to a pixel, with a pixel of air around it."""
    key = f"formula {pixel_size} {color} {device_ratio} {latex}"
    pixmap = QPixmap()
    if QPixmapCache.find(key, pixmap):
        return pixmap
    room = size(latex, pixel_size)
    pixmap = QPixmap(round((room.width() + 2) * device_ratio), round((room.height() + 2) * device_ratio))
    pixmap.setDevicePixelRatio(device_ratio)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    paint(painter, latex, pixel_size, color, QPointF(1, 1 + setting(latex).ascent * pixel_size / REFERENCE))
    painter.end()
    QPixmapCache.insert(key, pixmap)
    return pixmap


def colored(theme: Theme) -> Callable[[str, str], str]:
    """The paint callback for core.notation.step_latex: values and gradients in their colours."""

    def paint_part(role: str, latex: str) -> str:
        return rf"\textcolor{{{getattr(theme, role)}}}{{{latex}}}"

    return paint_part
