"""Tooltips with their keys in boxes, half a second after the mouse has come."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint
from PySide6.QtGui import QHelpEvent
from PySide6.QtWidgets import QApplication, QPushButton, QToolTip

from cadena.gui.widgets.key_tips import KeyTips, typeset


@pytest.mark.parametrize(
    ("tip", "keys"),
    [
        ("Step back (←)", ["←"]), ("Zoom out (Ctrl+−)", ["Ctrl+−"]), ("Step by step (B, Space)", ["B", "Space"]),
        ("Zoom in (Ctrl++)", ["Ctrl++"]), ("Play (Space)", ["Space"]), ("Speaker view (Shift+F5)", ["Shift+F5"]),
    ],
)  # fmt: skip
def test_the_keys_of_a_tooltip_stand_in_boxes(qapp, tip, keys):
    html = typeset(tip)
    assert html.count("border") == len(keys) and all(f">{key}</td>" in html for key in keys)
    assert f"<td>{tip.partition(' (')[0]}</td>" in html


@pytest.mark.parametrize("tip", ["Fold Arithmetic (7 operations)", "All answers as a table (CSV)", "a < b", "Save", ""])
def test_a_tooltip_without_keys_is_shown_as_it_is(qapp, tip):
    assert typeset(tip) == ""


def test_qt_shows_the_tooltip_of_a_button_with_its_key_in_a_box(qapp, qtbot):
    tips, button = KeyTips(qapp), QPushButton("Step")
    qtbot.addWidget(button)
    button.setToolTip("Step <on> (→)")
    button.show()
    at = QPoint(5, 5)
    QApplication.sendEvent(button, QHelpEvent(QEvent.Type.ToolTip, at, button.mapToGlobal(at)))
    assert "Step &lt;on&gt;" in QToolTip.text() and "border" in QToolTip.text()
    QToolTip.hideText()
    qapp.removeEventFilter(tips)
    tips.deleteLater()
