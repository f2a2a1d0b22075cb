"""Fields to type into: what does not fit is shortened, never cut."""

from __future__ import annotations

from cadena.gui.look.theme import PROJECTOR
from cadena.gui.panels.parts.fields import HeadingField


def test_a_title_too_long_for_the_projector_was_cut_in_the_middle_of_a_letter(qtbot):
    field = HeadingField(PROJECTOR, "Title")
    qtbot.addWidget(field)
    field.resize(320, 40)
    long = "The gradients of a very long title that goes on"
    for title in ("Lesson 4: gradients accumulate", long):
        field.show_text(title)
        field.grab()
        assert field.shown.endswith("…") is (title is long) and (title in field.toolTip()) is (title is long)
    assert field.text() == long  # nothing is left out of what is edited
