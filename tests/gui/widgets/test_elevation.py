"""The shadow of what lies above: below its widget, and wherever that goes."""

from __future__ import annotations

from PySide6.QtWidgets import QFrame, QWidget

from cadena.gui.look import style
from cadena.gui.look.theme import DARK, LIGHT
from cadena.gui.widgets import elevation
from cadena.gui.widgets.elevation import FLOATING, RAISED, Shadow


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


def test_a_shadow_is_painted_once_and_kept_while_the_canvas_below_is_painted(qtbot, monkeypatch):
    """Its rings were painted in each frame of a graph that plays: 33 of them below a toast."""
    times, paint = [], elevation.paint_shadow
    monkeypatch.setattr(elevation, "paint_shadow", lambda *args: (times.append(args), paint(*args)))
    ground = QWidget()
    qtbot.addWidget(ground)
    ground.resize(300, 200)
    ground.show()
    above = QWidget(ground)
    shadow = Shadow(above, RAISED)
    above.setGeometry(100, 80, 90, 40)
    above.show()
    first = shadow.grab().toImage()
    for _ in range(3):
        ground.repaint()
        shadow.grab()
    assert len(times) == 1
    above.resize(120, 40)
    assert shadow.grab().toImage().width() == first.width() + 30 and len(times) == 2
