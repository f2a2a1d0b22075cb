"""A formula as it is set: its picture and the room that it takes."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSizeF

REFERENCE = 48.0  # pixels: the size at which formulas are set; all others are scaled from it
INK = "#000001"  # stands for the default ink in a set formula


@dataclass(frozen=True)
class Setting:
    """A formula set at REFERENCE size, lengths in pixels; where it could not be set `svg` is None, and `text` shown."""

    latex: str
    svg: str | None
    left: float
    width: float
    ascent: float
    descent: float
    text: str = ""

    @property
    def right(self) -> float:
        """Where the next formula would begin."""
        return self.left + self.width

    def size(self, pixel_size: float) -> QSizeF:
        """Width and height at another size of type."""
        scale = pixel_size / REFERENCE
        return QSizeF(self.width * scale, (self.ascent + self.descent) * scale)
