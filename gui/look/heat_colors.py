"""The colours of heat maps: diverging, centred on 0, cool for values and warm for gradients; and the ink on them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from PySide6.QtGui import QColor

from cadena.gui.look.theme import BLACK, WHITE, Theme


@lru_cache(maxsize=16)
def _stops(theme: Theme, kind: str) -> np.ndarray:
    hue = kind if kind in ("value", "gradient") else "heat"
    roles = (f"{hue}_low", "heat_zero", f"{hue}_high", "fault")
    stops = [theme.color(role) for role in roles]
    return np.array([(color.red(), color.green(), color.blue()) for color in stops], dtype=float)


def colours(matrix: np.ndarray, theme: Theme, kind: str = "") -> np.ndarray:
    """Red, green and blue of each cell, 0 to 255, of a "value", a "gradient" or other numbers.

    Numbers that are not finite get the fault's colour.
    """
    low, zero, high, fault = _stops(theme, kind)
    finite = np.isfinite(matrix)
    sizes = np.abs(np.where(finite, matrix, 0.0)).astype(float)
    part = (sizes / (sizes.max(initial=0.0) or 1.0))[..., None]
    ends = np.where((matrix > 0)[..., None], high, low)
    mixed = zero + (ends - zero) * part
    return np.where(finite[..., None], mixed, fault).round().astype(np.uint8)


def ink(ground: Sequence[int]) -> QColor:
    """The text colour that reads best on a ground of this red, green and blue: at least 4.5 to 1."""
    red, green, blue = (_linear(channel) for channel in ground[:3])
    light = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    return QColor(BLACK if (light + 0.05) ** 2 > 1.05 * 0.05 else WHITE)


def _linear(channel: int) -> float:
    """A channel of sRGB, 0 to 255, as the share of light that it stands for."""
    part = channel / 255.0
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)
