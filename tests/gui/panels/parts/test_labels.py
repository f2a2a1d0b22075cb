"""The sentence above a formula: as large as its line allows, and its numbers in their colours."""

from __future__ import annotations

import pytest

from cadena.core.text.painted_text import mark
from cadena.gui.look import theme as look
from cadena.gui.look.theme import LIGHT, PROJECTOR
from cadena.gui.panels.parts.labels import SentenceLabel

SENTENCE = f"b1 receives {mark('gradient', '−7')} from m3: {mark('gradient', '−1')} · {mark('value', '7')}."


@pytest.fixture(params=[LIGHT, PROJECTOR], ids=lambda theme: theme.name)
def label(request, show):
    return show(SentenceLabel(request.param), 900, 60)


def colors(label) -> set[str]:
    image = label.grab().toImage()
    return {image.pixelColor(x, y).name() for x in range(image.width()) for y in range(image.height())}


def test_numbers_have_the_colours_of_their_roles(label):
    label.show_marked(SENTENCE)
    assert label.text() == "b1 receives −7 from m3: −1 · 7."
    assert {label._theme.gradient, label._theme.value, label._theme.text} <= colors(label)
    label.show_marked("No number.")
    assert not {label._theme.gradient, label._theme.value} & colors(label)


def test_a_sentence_a_little_too_long_for_its_line_is_set_smaller_and_not_cut(label):
    label.show_marked(SENTENCE)
    whole = label.letters.pixelSize()
    assert whole == round(look.SENTENCE * label._theme.type)
    label.resize(2000, label.height())
    while label.letters.pixelSize() == whole:
        label.resize(label.width() - 20, label.height())
    assert label.shown == label.text()


def test_a_long_sentence_takes_two_lines_in_the_same_height(label):
    height = label.height()
    label.show_marked(" ".join([SENTENCE] * 3))
    label.resize(round(420 * label._theme.type), height)
    first, second = label.shown.split("\n")
    assert first.startswith("b1 receives") and second and label.height() == height


def test_a_sentence_is_never_larger_than_its_limit(label):
    label.show_marked(SENTENCE)
    label.limit(16.0)
    assert label.letters.pixelSize() == round(16.0 * label._theme.type)
