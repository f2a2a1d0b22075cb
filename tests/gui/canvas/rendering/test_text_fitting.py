"""Text fits its place: smaller first, then shortened, never wider than its room."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cadena.gui.canvas.rendering.text_fitting import MIN_TYPE, fitted, width

pytestmark = pytest.mark.usefixtures("qapp")
words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=40)


@given(words, st.integers(MIN_TYPE, 40), st.booleans(), st.floats(40, 300), st.integers(MIN_TYPE, 20))
def test_what_is_shown_is_never_wider_than_its_room(text, pixels, bold, room, least):
    shown, size = fitted(text, pixels, bold, room, least)
    assert width(shown, size, bold) <= room
    assert min(least, pixels) <= size <= pixels


def test_a_shortened_text_was_wider_than_its_room_by_a_sign_of_another_font():
    shown, size = fitted("00A०", 14, False, 40.0, least=14)
    assert width(shown, size) <= 40.0
    assert "…" in shown


def test_text_that_fits_is_left_alone():
    assert fitted("w0", 15, True, 200.0) == ("w0", 15)


def test_long_text_is_first_set_smaller_and_only_then_shortened():
    room = width("−1.235·10⁻¹²", 10, True)
    assert fitted("−1.235·10⁻¹²", 17, True, room) == ("−1.235·10⁻¹²", 10)
    shown, size = fitted("learning_rate_of_the_first_layer", 15, True, 80.0, least=11)
    assert size == 11
    assert shown.startswith("le")
    assert shown.endswith("er")
    assert "…" in shown


def test_figures_are_tabular():
    widths = [width(figure * 6, 17, True) for figure in "0123456789"]
    assert max(widths) - min(widths) <= 6 / 64  # FreeType rounds the width of each figure of a bold instance to a 64th
