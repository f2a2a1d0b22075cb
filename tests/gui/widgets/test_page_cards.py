"""The grid of cards that lessons and recent files are chosen from."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from cadena.gui.look import style
from cadena.gui.look.theme import THEMES
from cadena.gui.widgets.page_cards import CardList
from tests.gui.user import settle


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_bar_as_long_as_the_page_stood_where_there_was_nothing_to_scroll(qtbot, theme):
    cards = CardList("Lessons")
    qtbot.addWidget(cards)
    cards.setStyleSheet(style.sheet(theme))
    cards.verticalScrollBar().setAttribute(Qt.WidgetAttribute.WA_TranslucentBackground)
    cards.resize(300, 200)
    cards.show()
    bar = cards.verticalScrollBar()

    def inks() -> set[str]:
        picture = bar.grab().toImage()
        colors = [picture.pixelColor(picture.width() // 2, y) for y in range(picture.height())]
        return {color.name() for color in colors if color.alpha()}

    cards.addItems(["one"])
    settle()
    assert theme.border not in inks()
    cards.addItems([f"card {number}" for number in range(300)])
    settle()
    assert bar.isEnabled() and theme.border in inks()
