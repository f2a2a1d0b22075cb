"""Sizes on a stage: type and cards take the same share of every screen, as large as the last row needs them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize

from cadena.gui.look.theme import PROJECTOR, READING, Theme

USUAL = QSize(1280, 720)  # the screen on which everything has the sizes of the projector's theme
THIN = 1.5  # lines are at least so wide
LARGEST_CARDS = 2.0  # the zoom of a small graph there
BELOW = 256  # pixels on the usual screen: the height of the step with the transport below it
LESSON, LESSON_TYPE = 48, 17.0  # the same: the height of the lesson's line, for two lines of this type
SENTENCE, FORMULA = 28.0, 42.0  # the same: their largest type


def enlarged(screen: QSize) -> float:
    """The factor by which everything is larger than on the usual screen, as far as the width allows."""
    return max(min(screen.height() / USUAL.height(), screen.width() / USUAL.width()), 0.25)


def on_cards(theme: Theme) -> Theme:
    """A theme with the type and the lines of a projector, for cards that the camera enlarges."""
    return replace(theme, type=max(theme.type, PROJECTOR.type), line=max(theme.line, THIN))


def on_stage(theme: Theme, screen: QSize) -> Theme:
    """The same for text and buttons, which nothing else enlarges."""
    usual, factor = on_cards(theme), enlarged(screen)
    return replace(usual, type=usual.type * factor, line=usual.line * factor)


def of_lesson(theme: Theme, screen: QSize) -> Theme:
    """The theme of the lesson's line."""
    return replace(on_stage(theme, screen), type=LESSON_TYPE / READING * enlarged(screen))
