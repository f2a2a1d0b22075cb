from __future__ import annotations

from cadena.gui.look.theme import THEMES
from cadena.gui.panels.inspector.operation_help import OperationHelp


def test_a_recorded_value_says_why_it_is_one_and_an_ordinary_constant_does_not(qtbot):
    shown = OperationHelp(THEMES["light"])
    qtbot.addWidget(shown)
    shown.show_operation("constant", "i0: holds the recorded value")
    assert shown.doc.text() == "i0: holds the recorded value"
    shown.show_operation("constant")
    assert shown.doc.text() not in ("", "i0: holds the recorded value")
