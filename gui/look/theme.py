"""All colours and all sizes: four themes, one palette, one scale.

One colour, one meaning (Okabe-Ito set): values blue, gradients orange, tangents green-blue, faults magenta. The shades
differ by theme so that text reaches a contrast of at least 4.5 to 1 on its ground.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtGui import QColor, QFont, QFontDatabase


@dataclass(frozen=True)
class Theme:
    """One look. Colours are #rrggbb; `type` multiplies all type sizes and `line` all line widths."""

    name: str
    dark: bool
    window: str  # ground of tool row, panels and band
    canvas: str
    grid: str
    field: str  # buttons, fields and chips
    card: str
    parameter: str  # ground of a parameter's card
    border: str
    wire: str
    text: str
    muted: str  # labels; never the only sign of a fact
    value: str
    value_ground: str
    gradient: str
    gradient_ground: str
    tangent: str
    tangent_ground: str
    fault: str
    fault_ground: str
    on_strong: str  # text on a ground of value, gradient or fault colour
    heat_zero: str  # heat maps run over this from low (negative) to high: values cool, gradients warm
    value_low: str
    value_high: str
    gradient_low: str
    gradient_high: str
    heat_low: str  # of all other numbers; hues that mean nothing else
    heat_high: str
    type: float = 1.0
    line: float = 1.0

    def color(self, role: str, alpha: float = 1.0) -> QColor:
        """The colour of a role, as theme.color("gradient"), with opacity `alpha`; kept, so do not change it."""
        return _veiled(getattr(self, role), alpha)


LIGHT = Theme(
    name="light", dark=False, window="#ffffff", canvas="#fafbfc", grid="#dde2e8", field="#eef1f5", card="#ffffff",
    parameter="#e8f1fb", border="#b4bcc8", wire="#8a94a6", text="#15191f", muted="#59636f", value="#0060a8",
    value_ground="#e3effa", gradient="#b04f00", gradient_ground="#fdf0e0", tangent="#00755a",
    tangent_ground="#def3ec", fault="#a3206f", fault_ground="#fbe7f2", on_strong="#ffffff",
    heat_zero="#ffffff", value_low="#46389a", value_high="#2b8fd6", gradient_low="#7a3b10", gradient_high="#ef9a2e",
    heat_low="#5b45a0", heat_high="#5f7d00",
)  # fmt: skip
DARK = Theme(
    name="dark", dark=True, window="#1e2228", canvas="#181b20", grid="#2a2f37", field="#2b3038", card="#252a31",
    parameter="#1d2f40", border="#48515d", wire="#7b8593", text="#f1f3f5", muted="#a3adb9", value="#6cb9f2",
    value_ground="#1c3347", gradient="#f5a742", gradient_ground="#3b2c16", tangent="#3fc7a4",
    tangent_ground="#17372e", fault="#f08cc4", fault_ground="#43202f", on_strong="#14171b",
    heat_zero="#20242a", value_low="#9d8cf0", value_high="#4aa3e6", gradient_low="#c4673f", gradient_high="#f5b049",
    heat_low="#b9a5ec", heat_high="#b4cf45",
)  # fmt: skip
PROJECTOR = Theme(
    name="projector", dark=False, window="#ffffff", canvas="#ffffff", grid="#ffffff", field="#ffffff", card="#ffffff",
    parameter="#ffffff", border="#000000", wire="#000000", text="#000000", muted="#000000", value="#004f9e",
    value_ground="#dcebfa", gradient="#a33f00", gradient_ground="#ffe9d0", tangent="#005c45",
    tangent_ground="#d3f0e6", fault="#9a0f63", fault_ground="#ffe0f0", on_strong="#ffffff",
    heat_zero="#ffffff", value_low="#35288a", value_high="#0f7fd0", gradient_low="#6b2d00", gradient_high="#f08a10",
    heat_low="#4b3695", heat_high="#4e6800",
    type=1.5, line=2.0,
)  # fmt: skip
CONTRAST = Theme(
    name="contrast", dark=True, window="#000000", canvas="#000000", grid="#000000", field="#000000", card="#000000",
    parameter="#000000", border="#ffffff", wire="#ffffff", text="#ffffff", muted="#ffffff", value="#7cc8ff",
    value_ground="#00314f", gradient="#ffb84d", gradient_ground="#472a00", tangent="#4fe0b8",
    tangent_ground="#00382a", fault="#ff9ad5", fault_ground="#4d0033", on_strong="#000000",
    heat_zero="#000000", value_low="#b0a3ff", value_high="#4ab4ff", gradient_low="#e8854f", gradient_high="#ffb950",
    heat_low="#c4b0ff", heat_high="#c0e040",
    line=2.0,
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PROJECTOR, CONTRAST)}

MARKER = "#f0e442"  # what a speaker points with: a hue that means nothing, and lets the text below be read
BLACK, WHITE = "#000000", "#ffffff"  # text on the colours of a heat map: the one that stands out, in every theme

# One scale, in pixels at `type` 1: the steps are the only sizes that text and spaces may have.
SMALL, BODY, NUMBER, HEADING, FORMULA = 11.0, 13.0, 15.0, 17.0, 24.0
GAP = 8
RADIUS = 8


def less_large(shown: Theme) -> Theme:
    """A theme in large type, for what need not be read from afar."""
    return replace(shown, type=shown.type / PROJECTOR.type)


def veil(name: str, alpha: float) -> QColor:
    """A colour that what is below it can be seen through."""
    color = QColor(name)
    color.setAlphaF(alpha)
    return color


_veiled = lru_cache(maxsize=512)(veil)


def font(theme: Theme, size: float = BODY, bold: bool = False) -> QFont:
    """The interface's font at one of the sizes of the scale; its figures are tabular."""
    font_ = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
    font_.setPixelSize(max(1, round(size * theme.type)))
    font_.setBold(bold)
    font_.setFeature(QFont.Tag("tnum"), 1)
    return font_
