"""The bundled fonts: Inter for the interface, JetBrains Mono for code, STIX Two Text for mathematics in a line."""

from __future__ import annotations

import math
from functools import cache
from importlib.resources import files

from PySide6.QtGui import QFont, QFontDatabase

SystemFont = QFontDatabase.SystemFont
INTERFACE, CODE, MATHEMATICS = "Inter", "JetBrains Mono", "STIX Two Text"
INSTEAD = {INTERFACE: SystemFont.GeneralFont, CODE: SystemFont.FixedFont, MATHEMATICS: SystemFont.GeneralFont}


@cache
def _families() -> frozenset[str]:
    """The families that Qt could read from resources/fonts."""
    faces = (face for face in files("cadena.resources").joinpath("fonts").iterdir() if face.name.endswith("tf"))
    numbers = [QFontDatabase.addApplicationFontFromData(face.read_bytes()) for face in faces]
    return frozenset(family for number in numbers for family in QFontDatabase.applicationFontFamilies(number))


def face(family: str, pixels: float, weight: int = 400) -> QFont:
    """A bundled family, or the system's font where Qt cannot read it; its figures are tabular."""
    font = QFont(family) if family in _families() else QFontDatabase.systemFont(INSTEAD[family])
    font.setPixelSize(max(1, round(pixels)))
    font.setWeight(QFont.Weight(weight))
    font.setFeature(QFont.Tag("tnum"), 1)
    if family == INTERFACE:  # set tighter with size, by the curve of Inter's own dynamic metrics
        tracking = min(0.185 * math.exp(-0.1745 * pixels) - 0.0223, 0.0)
        font.setLetterSpacing(QFont.SpacingType.AbsoluteSpacing, pixels * tracking)
    return font
