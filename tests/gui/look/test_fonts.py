"""The bundled fonts: they are there, small, licensed, and have the signs of the subject."""

from __future__ import annotations

from importlib.resources import files

import pytest
from PySide6.QtGui import QFontInfo, QFontMetrics, QFontMetricsF, QRawFont

from cadena.gui.look import fonts
from cadena.gui.look.theme import LIGHT, code_font, font

pytestmark = pytest.mark.usefixtures("qapp")
FOLDER = files("cadena.resources").joinpath("fonts")


def test_the_interface_and_code_are_set_in_the_bundled_fonts():
    assert QFontInfo(font(LIGHT)).family() == "Inter" and QFontInfo(code_font(LIGHT)).family() == "JetBrains Mono"
    assert QFontInfo(fonts.face(fonts.MATHEMATICS, 21)).family() == "STIX Two Text"


def test_each_weight_has_a_face_of_its_own():
    widths = [
        QFontMetrics(font(LIGHT, 200.0, weight=weight)).horizontalAdvance("gradient") for weight in (400, 500, 600, 700)
    ]
    assert widths == sorted(set(widths))


def test_figures_are_tabular():
    for bold in (False, True):
        metrics = QFontMetricsF(font(LIGHT, 200.0, bold))
        widths = [metrics.horizontalAdvance(digit) for digit in "0123456789"]
        assert max(widths) - min(widths) < 0.5


def test_the_signs_of_the_subject_need_no_other_font():
    signs = {fonts.INTERFACE: "∂−×·σθ₀⁴⁶→±√∞", fonts.CODE: "∂−×·σθ", fonts.MATHEMATICS: "−×·σθ"}
    for family, text in signs.items():
        raw = QRawFont.fromFont(fonts.face(family, 16))
        assert raw.familyName() == family
        assert [sign for sign in text if not raw.supportsCharacter(ord(sign))] == [], family


def test_fonts_are_small_and_have_their_licences_beside_them():
    names = sorted(file.name for file in FOLDER.iterdir())
    assert all(len(FOLDER.joinpath(name).read_bytes()) < 500_000 for name in names)
    licences = [name for name in names if name.endswith(".txt")]
    assert len(licences) == 3 and len(names) == 11
    assert all("SIL OPEN FONT LICENSE" in FOLDER.joinpath(name).read_text("utf-8") for name in licences)


def test_a_font_that_qt_cannot_read_gives_way_to_the_systems(monkeypatch):
    monkeypatch.setattr(fonts, "_families", frozenset)
    assert font(LIGHT).family() != "Inter" and font(LIGHT).pixelSize() == 13
