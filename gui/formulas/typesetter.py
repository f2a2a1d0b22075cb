"""LaTeX set by ziamath, without TeX: up to a limit, and in a thread, so that nothing on the screen waits for it.

A formula that ziamath cannot read, or that is too long for it, is shown as its source, in plain type.
"""

from __future__ import annotations

import re
import sys
from collections import OrderedDict, deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import cache, wraps
from itertools import accumulate
from threading import RLock
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF

from cadena.core.methods.answer import Cancel
from cadena.core.notation.parts import CLOSES, OPENS, PLUS_EQUALS, TOKEN
from cadena.core.text.plain_text import cleaned, elided
from cadena.gui.background.worker import Work
from cadena.gui.formulas import numerals
from cadena.gui.formulas.typeset import INK, REFERENCE, Setting
from cadena.gui.look import fonts

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_MEASURED = 4096  # parts of formulas whose heights are cached
CACHE_SIZE = 4096  # formulas
MAX_WAITING = 64  # formulas that wait for the thread; older requests are no longer on the screen
MAX_WEIGHT = 2000  # of a formula that is set at all
QUICK = 120  # of formulas that are set within a frame
MAX_SOURCE = 100  # letters of a source that are shown
AFTER_PAINTING = Qt.EventPriority.LowEventPriority.value - 1  # Qt posts requests to paint with the former
OPENING = r"\\left\(|\\left\[|[({\[=&,]|\\\\|\\cdot|\\odot|\\times"
SIGN = re.compile(rf"(^|{OPENING})(\s*)-(?=\s*[\d\\a-zA-Z])")
COLORED = re.compile(r"\\textcolor\{(#[0-9a-f]{6})\}\{(.*)\}", re.DOTALL)


_cache = OrderedDict[str, Setting]()
_ziamath = RLock()  # it reads its fonts through one place in one file, so that two threads read each other's glyphs
_sets_what_is_painted = False


def setting(latex: str) -> Setting:
    """`latex` set at REFERENCE size. It takes 10 to 30 ms the first time, or longer, according to its weight."""
    setting_ = _at_hand(latex)
    if setting_ is None:
        with _ziamath:
            setting_ = _at_hand(latex) or _keep(latex, _set_or_source(latex))
    return setting_


def _at_hand(latex: str) -> Setting | None:
    """The formula if it is set already, or is a number, perhaps in one colour, whose digits are."""
    if known := _cache.get(latex):
        return known
    color, inner = one_color(latex) or ("", latex)
    number = numerals.put_together(inner)
    return number and _keep(latex, _colored(number, color) if color else number)


def is_set(latex: str) -> bool:
    """Whether the formula can be painted at once."""
    return _at_hand(latex) is not None


def _keep(latex: str, setting_: Setting) -> Setting:
    _cache[latex] = setting_
    while len(_cache) > CACHE_SIZE:
        _cache.popitem(last=False)
    return setting_


def _colored(plain: Setting, color: str) -> Setting:
    return replace(plain, svg=plain.svg.replace(INK, color) if plain.svg else None)


def cached(latex: str) -> Setting | None:
    """The formula for painters if it is set already; else it is requested, and `typesetter.formulas_set` follows."""
    if _sets_what_is_painted:
        return setting(latex)
    setting_ = _at_hand(latex)
    if setting_ is None:
        typesetter.ask_for_painter(latex)
    return setting_


@contextmanager
def setting_what_is_painted() -> Iterator[None]:
    """Set all formulas at once, for exports, which show one moment and cannot be painted again."""
    global _sets_what_is_painted
    _sets_what_is_painted = True
    try:
        yield
    finally:
        _sets_what_is_painted = False


def are_set(formulas: Iterable[str]) -> bool:
    """Whether all of these can be painted at once."""
    return all(map(is_set, formulas))


def set_quickly(formulas: Iterable[str]) -> bool:
    """Set these at once if that takes less than 30 ms; whether all of them are set."""
    waiting = [latex for latex in formulas if not is_set(latex)]
    if waiting and (not _is_loaded() or sum(map(weight, waiting)) > QUICK):
        return False
    for latex in waiting:
        setting(latex)
    return True


def weight(latex: str) -> int:
    """The estimated time to set a formula, in parts of a millisecond: deeper parts are measured more often."""
    total = depth = 0
    for token in TOKEN.findall(latex):
        depth += (token in OPENS) - (token in CLOSES)
        total += 0 if token.isspace() or token in "{}" else (1 + depth) * (4 if token == r"\frac" else 1)
    return total


class Typesetter(QObject):
    """Sets formulas in a thread, the latest request first; emits `formulas_set` when all requests are done."""

    formulas_set = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._waiting = deque[str](maxlen=MAX_WAITING)
        self._work: Work | None = None
        self._painted = False  # whether a painter has requested a formula

    def ask(self, formulas: Iterable[str]) -> None:
        """Request these; the first ones are set once something is painted, since the first frame comes before them."""
        self._waiting.extendleft(latex for latex in formulas if _at_hand(latex) is None)
        self._begin()

    def _begin(self) -> None:
        if self._waiting and self._work is None and (self._painted or _is_loaded()):
            self._work = Work(self._set_all)
            self._work.finished.connect(self._ended)
            QCoreApplication.postEvent(self, QEvent(QEvent.Type.User), AFTER_PAINTING)

    def customEvent(self, event: QEvent) -> None:
        """Begin, now that what was to be painted has been: it would have waited for the thread."""
        if self._work is not None:
            self._work.begin()

    def ask_for_painter(self, latex: str) -> None:
        self._painted = True
        self._waiting.appendleft(latex)
        self._begin()

    def _set_all(self, cancelled: Cancel) -> None:
        with suppress(IndexError):  # none is left
            while not cancelled():
                setting(self._waiting.popleft())

    def _ended(self) -> None:
        self._work = None
        self.formulas_set.emit()
        self._begin()


typesetter = Typesetter()


def _is_loaded() -> bool:
    """Whether the library that sets formulas is there. It takes 0.4 s, so that for a window the thread loads it."""
    return "ziamath.zmath" in sys.modules


def _set_or_source(latex: str) -> Setting:
    if weight(latex) <= MAX_WEIGHT:
        with suppress(Exception):  # whatever ziamath and its parser raise: the source is shown instead
            return _set(latex)
    text, metrics = elided(cleaned(latex), MAX_SOURCE), QFontMetricsF(plain_font(REFERENCE))
    return Setting(latex, None, 0.0, metrics.horizontalAdvance(text), metrics.ascent(), metrics.descent(), text)


def for_ziamath(latex: str) -> str:
    r"""LaTeX as ziamath needs it: its own "+=", signs that are not spaced like differences, air between columns, and
    braces around matrices, without which they take no exponent."""
    latex = latex.replace(r"\begin{bmatrix}", r"{\begin{bmatrix}").replace(r"\end{bmatrix}", r"\end{bmatrix}}")
    latex = SIGN.sub(r"\1\2{-}", latex).replace(r"\_", r"{\_}")  # else it is spaced like an operator
    latex = latex.replace(r"\partial ", r"{\partial}")  # else it keeps its distance from what it belongs to
    plus_equals = r"{+}{=}" if latex == PLUS_EQUALS else r"\;{+}{=}\;"
    return latex.replace(PLUS_EQUALS, plus_equals).replace("&", r"&\;\;")


def _set(latex: str) -> Setting:
    if wrapped := one_color(latex):
        color, inner = wrapped
        return _colored(setting(inner), color)  # one setting serves all colours
    if numerals.is_number(latex):
        numerals.learn(latex, _set_by_ziamath)
        return numerals.put_together(latex) or _set_by_ziamath(latex)
    return _set_by_ziamath(latex)


def _set_by_ziamath(latex: str) -> Setting:
    from ziamath.config import config
    from ziamath.zmath import Latex

    config.svg2 = False  # QtSvg draws nothing of <symbol> and <use>
    _adapt_ziamath()
    setting_ = Latex(for_ziamath(latex), size=REFERENCE, color=INK, margin=0.0)
    box = setting_.node.bbox
    return Setting(latex, setting_.svg(), box.xmin, box.xmax - box.xmin, box.ymax, -box.ymin)


@cache
def _adapt_ziamath() -> None:
    """Make ziamath measure equal parts once and copy no styles.

    It sets what is in a row twice, first to measure it, and so on inside: each bracket in another made a formula take
    several times as long, a sine of a sine of ... eight deep minutes.
    """
    from ziamath import styles
    from ziamath.nodes.mrow import Mrow

    # The styles are only read there, and deep copies of them took a sixth of all setting.
    styles.asdict = vars  # type: ignore[attr-defined, assignment]
    measure, measures = Mrow._get_height_nostretch, dict[tuple[str, ...], tuple[float, float]]()

    @wraps(measure)
    def measured(row: Mrow, line: list[Element], **kwargs: Any) -> tuple[float, float]:
        what = (repr(row.style), repr(row.size), repr(sorted(kwargs.items())), *map(_source, line))
        if what not in measures:
            if len(measures) >= MAX_MEASURED:
                measures.clear()
            measures[what] = measure(row, line, **kwargs)
        return measures[what]

    Mrow._get_height_nostretch = measured  # type: ignore[assignment, method-assign]


def _source(element: Element) -> str:
    from xml.etree.ElementTree import tostring

    return tostring(element, encoding="unicode")


def one_color(latex: str) -> tuple[str, str] | None:
    """Colour and content of a formula that is one painted part."""
    match = COLORED.fullmatch(latex)
    if match is None:
        return None
    depth = accumulate((token == "{") - (token == "}") for token in TOKEN.findall(match[2]))
    return None if any(level < 0 for level in depth) else (match[1], match[2])


def plain_font(pixel_size: float) -> QFont:
    """The type of a source."""
    return fonts.face(fonts.CODE, pixel_size * 0.75)
