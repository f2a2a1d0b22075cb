"""The shadow of what lies above: below its widget, and wherever that goes."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from cadena.gui.look import style
from cadena.gui.look.theme import DARK, LIGHT
from cadena.gui.widgets.elevation import FLOATING, Shadow


def test_a_shadow_follows_its_widget_and_darkens_what_is_around_it(qtbot):
    for theme in (LIGHT, DARK):
        ground = QWidget()
        qtbot.addWidget(ground)
        style.apply(ground, theme)
        ground.resize(300, 300)
        card = QFrame(ground)
        shadow = Shadow(card, FLOATING)
        card.setGeometry(100, 100, 80, 60)
        ground.show()
        for place in ((100, 100), (60, 140)):
            card.move(*place)
            assert shadow.isVisible() and shadow.geometry().center() == card.geometry().center()
            picture = ground.grab().toImage()
            beside = [picture.pixelColor(card.geometry().center().x(), card.geometry().bottom() + away).lightness()
                      for away in (2, 12, 60)]  # fmt: skip
            assert beside == sorted(beside) and beside[0] < beside[2], theme.name
        assert ground.children().index(shadow) < ground.children().index(card)
        card.hide()
        assert shadow.isHidden()
