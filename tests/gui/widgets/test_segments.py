"""A switch of segments: one is chosen, and the keys stay with the canvas."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QPushButton

from cadena.gui.look import style
from cadena.gui.look.theme import LIGHT, THEMES
from cadena.gui.widgets.segments import Segments


def test_a_click_chooses_one_segment_and_does_not_take_the_focus(qtbot):
    buttons = [QPushButton(text) for text in ("Parameter", "Input", "Constant")]
    switch = Segments(*buttons)
    qtbot.addWidget(switch)
    switch.show()
    QTest.mouseClick(buttons[0], Qt.MouseButton.LeftButton)
    QTest.mouseClick(buttons[1], Qt.MouseButton.LeftButton)
    assert [button.isChecked() for button in buttons] == [False, True, False]
    assert not any(button.hasFocus() for button in buttons)
    assert {button.focusPolicy() for button in buttons} == {Qt.FocusPolicy.TabFocus}, "keys reach them all the same"
    switch.choose(None)
    assert not any(button.isChecked() for button in buttons)


def test_the_chosen_segment_stands_out_of_its_trough_in_every_theme(qtbot):
    buttons = [QPushButton("Build"), QPushButton("Watch")]
    switch = Segments(*buttons)
    qtbot.addWidget(switch)
    switch.choose(buttons[1])
    for theme in THEMES.values():
        style.apply(switch, theme)
        switch.show()
        picture = switch.grab().toImage()
        grounds = [
            picture.pixelColor(button.geometry().center().x(), button.geometry().top() + 4) for button in buttons
        ]
        assert [ground.name() for ground in grounds] == [theme.field, theme.raised], theme.name


@pytest.mark.parametrize("reduced", [False, True])
def test_the_plate_slides_to_the_chosen_segment_unless_motion_is_reduced(qtbot, monkeypatch, reduced):
    monkeypatch.setattr(Segments, "milliseconds", 3_600_000)
    QApplication.setEffectEnabled(Qt.UIEffect.UI_General, not reduced)
    buttons = [QPushButton("Build"), QPushButton("Watch")]
    switch = Segments(*buttons)
    qtbot.addWidget(switch)
    style.apply(switch, LIGHT)
    switch.choose(buttons[0])
    switch.show()
    QTest.mouseClick(buttons[1], Qt.MouseButton.LeftButton)

    def ground(button):
        return switch.grab().toImage().pixelColor(button.geometry().center().x(), button.geometry().top() + 4).name()

    assert [ground(button) for button in buttons] == [LIGHT.field, LIGHT.raised][:: 1 if reduced else -1]
    if not reduced:
        switch._motion.setCurrentTime(switch.milliseconds)
        assert [ground(button) for button in buttons] == [LIGHT.field, LIGHT.raised]
    QApplication.setEffectEnabled(Qt.UIEffect.UI_General, True)
