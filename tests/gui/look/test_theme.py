"""Contrast of everything that is read or followed, measured as WCAG 2.2 defines it."""

from __future__ import annotations

from dataclasses import fields

import pytest
from PySide6.QtGui import QColor

from cadena.gui.look import theme as look
from cadena.gui.look.theme import CONTRAST, PROJECTOR, THEMES, Theme

ALL = pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
SURFACES = ("window", "canvas", "field", "card")
TEXT = {
    "text": (
        *SURFACES,
        "hover",
        "raised",
        "parameter",
        "value_ground",
        "gradient_ground",
        "tangent_ground",
        "fault_ground",
    ),
    "muted": (*SURFACES, "hover", "parameter", "gradient_ground"),
    "value": (*SURFACES, "value_ground", "parameter"),
    "gradient": (*SURFACES, "gradient_ground"),
    "tangent": (*SURFACES, "tangent_ground"),
    "fault": (*SURFACES, "fault_ground"),
    "ink": (*SURFACES, "hover"),
    "on_ink": ("ink",),
    "on_strong": ("value_strong", "gradient_strong", "value", "gradient", "tangent", "fault"),
}
LINES = {
    "border": SURFACES,
    "wire": ("canvas",),
    "value_strong": SURFACES,
    "gradient_strong": SURFACES,
    "tangent": SURFACES,
    "fault": SURFACES,
}


def luminance(color: str) -> float:
    parts = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in QColor(color).getRgbF())
    red, green, blue, _ = parts
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(theme: Theme, role: str, ground: str) -> float:
    dark, light = sorted(luminance(getattr(theme, name)) for name in (role, ground))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_that_of_the_standard():
    assert contrast(PROJECTOR, "text", "window") == pytest.approx(21.0)


@ALL
def test_text_can_be_read_on_every_ground_that_it_stands_on(theme):
    pairs = {(role, ground): contrast(theme, role, ground) for role, grounds in TEXT.items() for ground in grounds}
    assert {pair: round(ratio, 2) for pair, ratio in pairs.items() if ratio < 4.5} == {}


@ALL
def test_outlines_and_wires_can_be_followed(theme):
    pairs = {(role, ground): contrast(theme, role, ground) for role, grounds in LINES.items() for ground in grounds}
    assert {pair: round(ratio, 2) for pair, ratio in pairs.items() if ratio < 3.0} == {}


@pytest.mark.parametrize("theme", [PROJECTOR, CONTRAST], ids=lambda theme: theme.name)
def test_colours_for_poor_projectors_and_poor_eyes_stand_out_more(theme):
    colors = ("value", "value_strong", "gradient", "gradient_strong", "tangent", "fault")
    pairs = {(role, ground): contrast(theme, role, ground) for role in colors for ground in ("window", f"{role}_ground")
             if hasattr(theme, ground)}  # fmt: skip
    assert {pair: round(ratio, 2) for pair, ratio in pairs.items() if ratio < 5.4} == {}
    assert min(contrast(theme, "text", ground) for ground in SURFACES) == pytest.approx(21.0)


@ALL
def test_values_and_gradients_are_equally_bright(theme):
    assert contrast(theme, "value_strong", "gradient_strong") < 1.45


def test_every_colour_is_written_out_in_full():
    for theme in THEMES.values():
        colors = [getattr(theme, field.name) for field in fields(theme) if field.type == "str" and field.name != "name"]
        assert all(len(color) == 7 and QColor(color).isValid() for color in colors)


def test_no_type_is_smaller_than_12_pixels():
    sizes = [value for name, value in vars(look).items() if name.isupper() and isinstance(value, float)]
    assert len(sizes) > 10 and min(sizes) == look.CAPTION == 12.0
