"""Icons in any size."""

from __future__ import annotations

from PySide6.QtCore import QSize

from cadena.gui.look.theme import LIGHT
from cadena.gui.panels.parts import icons


def test_an_icon_for_a_button_without_room_was_painted_on_nothing(qapp, qtlog):
    icon = icons.icon("search", LIGHT)
    assert icon.pixmap(QSize(0, 16)).isNull() and not icon.pixmap(QSize(16, 16)).isNull()
    assert qtlog.records == []
