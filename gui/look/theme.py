"""All colours and all sizes: four themes, one palette, one scale of type.

Ink for the interface, colour for the mathematics: blue values, orange gradients, green-blue tangents and magenta faults
(Okabe-Ito hues) appear on nothing else. Text reaches a contrast of 4.5 to 1 on its ground, outlines and wires 3 to 1;
tests/gui/look/test_theme.py measures every pair.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from PySide6.QtGui import QColor, QFont

from cadena.gui.look import fonts


@dataclass(frozen=True)
class Theme:
    """One look. Colours are #rrggbb; `type` multiplies all type sizes and `line` all line widths."""

    name: str
    dark: bool
    window: str  # the surface of header, panels and band
    canvas: str
    grid: str
    field: str  # sunken: buttons, fields, chips and troughs
    hover: str  # the same under the mouse
    card: str
    raised: str  # the selected segment of a switch
    parameter: str  # ground of the header of a parameter's card
    hairline: str  # between parts of the window, and between rows; never the only sign of a control
    border: str
    wire: str
    text: str
    muted: str  # labels; never the only sign of a fact
    ink: str  # selection, focus, checks, and the ground of the primary button
    on_ink: str
    value: str  # the tone for text; the strong one fills and draws
    value_strong: str
    value_ground: str
    gradient: str
    gradient_strong: str
    gradient_ground: str
    tangent: str
    tangent_ground: str
    fault: str
    fault_ground: str
    on_strong: str  # text on a ground of value, gradient, tangent or fault colour
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
    name="light", dark=False, window="#ffffff", canvas="#f5f6f8", grid="#d9dee5", field="#eef0f4", hover="#e4e8ee",
    card="#ffffff", raised="#ffffff", parameter="#e3eefa", hairline="#dfe3e9", border="#808a98", wire="#848e9c",
    text="#12161b", muted="#525c69", ink="#1b2028", on_ink="#ffffff", value="#0060a8", value_strong="#0068b0",
    value_ground="#e3eefa", gradient="#ad4a00", gradient_strong="#ba4b00", gradient_ground="#fdeada",
    tangent="#00705a", tangent_ground="#dcf2eb", fault="#a3206f", fault_ground="#fbe6f2", on_strong="#ffffff",
    heat_zero="#ffffff", value_low="#46389a", value_high="#2b8fd6", gradient_low="#7a3b10", gradient_high="#ef9a2e",
    heat_low="#5b45a0", heat_high="#5f7d00",
)  # fmt: skip
DARK = Theme(
    name="dark", dark=True, window="#1a1e24", canvas="#13161a", grid="#2a2f37", field="#262b33", hover="#303741",
    card="#20252d", raised="#3a424d", parameter="#1b3348", hairline="#303640", border="#717c8b", wire="#707b89",
    text="#eef1f5", muted="#aab4c0", ink="#dde3ea", on_ink="#14181d", value="#74bdf5", value_strong="#4ba6ec",
    value_ground="#1b3348", gradient="#f7ab4b", gradient_strong="#f09a2e", gradient_ground="#3d2c14",
    tangent="#45cda9", tangent_ground="#16382f", fault="#f493c9", fault_ground="#45202f", on_strong="#14181d",
    heat_zero="#20242a", value_low="#9d8cf0", value_high="#4aa3e6", gradient_low="#c4673f", gradient_high="#f5b049",
    heat_low="#b9a5ec", heat_high="#b4cf45",
)  # fmt: skip
PROJECTOR = Theme(
    name="projector", dark=False, window="#ffffff", canvas="#ffffff", grid="#ffffff", field="#ffffff", hover="#e6e6e6",
    card="#ffffff", raised="#e6e6e6", parameter="#dcebfa", hairline="#000000", border="#000000", wire="#000000",
    text="#000000", muted="#000000", ink="#000000", on_ink="#ffffff", value="#004f9e", value_strong="#004f9e",
    value_ground="#dcebfa", gradient="#a33f00", gradient_strong="#a33f00", gradient_ground="#ffe9d0",
    tangent="#005c45", tangent_ground="#d3f0e6", fault="#9a0f63", fault_ground="#ffe0f0", on_strong="#ffffff",
    heat_zero="#ffffff", value_low="#35288a", value_high="#0f7fd0", gradient_low="#6b2d00", gradient_high="#f08a10",
    heat_low="#4b3695", heat_high="#4e6800",
    type=1.5, line=2.0,
)  # fmt: skip
CONTRAST = Theme(
    name="contrast", dark=True, window="#000000", canvas="#000000", grid="#000000", field="#000000", hover="#333333",
    card="#000000", raised="#333333", parameter="#00314f", hairline="#ffffff", border="#ffffff", wire="#ffffff",
    text="#ffffff", muted="#ffffff", ink="#ffffff", on_ink="#000000", value="#7cc8ff", value_strong="#7cc8ff",
    value_ground="#00314f", gradient="#ffb84d", gradient_strong="#ffb84d", gradient_ground="#472a00",
    tangent="#4fe0b8", tangent_ground="#00382a", fault="#ff9ad5", fault_ground="#4d0033", on_strong="#000000",
    heat_zero="#000000", value_low="#b0a3ff", value_high="#4ab4ff", gradient_low="#e8854f", gradient_high="#ffb950",
    heat_low="#c4b0ff", heat_high="#c0e040",
    line=2.0,
)  # fmt: skip
THEMES = {theme.name: theme for theme in (LIGHT, DARK, PROJECTOR, CONTRAST)}

MARKER = "#f0e442"  # what a speaker points with: a hue that means nothing, and lets the text below be read
BLACK, WHITE = "#000000", "#ffffff"  # text on the colours of a heat map: the one that stands out, in every theme

# The type scale, in pixels at `type` 1, one size per role. All text uses these sizes; the smallest is 12.
CAPTION = 12.0  # words on cards, axes, units
LABEL = 13.0  # buttons, tabs, menus, rows
SCRIPT = 14.0
READING = 15.0  # lessons, help, banners
NUMBER = CARD_NAME = CODE = 16.0
CARD_NUMBER = 20.0
OPERATION = WIRE_LABEL = 21.0
SENTENCE = 22.0  # of the step band
TITLE = 24.0
FORMULA = 35.0  # of the step band
GAP = 8
LOW = 600  # pixels: the height of a window in which large type is set no larger than usual
RADIUS = 8


def less_large(shown: Theme) -> Theme:
    """A theme without large type of its own, for what need not be read from afar; the user's own type size stays."""
    return replace(shown, type=shown.type / THEMES[shown.name].type)


def in_room(shown: Theme, height: int) -> Theme:
    """A theme whose type a window of this height has room for, in what stands below the graph."""
    most = max(height / LOW, 1.0)
    return shown if shown.type <= most else replace(shown, type=most)


def veil(name: str, alpha: float) -> QColor:
    """A colour that what is below it can be seen through."""
    color = QColor(name)
    color.setAlphaF(alpha)
    return color


_veiled = lru_cache(maxsize=512)(veil)


def font(theme: Theme, size: float = LABEL, bold: bool = False, weight: int = 0) -> QFont:
    """The interface's font in a size of the scale; bold is a weight of 600, unless `weight` says another."""
    return fonts.face(fonts.INTERFACE, size * theme.type, weight or (600 if bold else 400))


def code_font(theme: Theme, size: float = SCRIPT) -> QFont:
    """The font of scripts and expressions in a size of the scale."""
    return fonts.face(fonts.CODE, size * theme.type)
