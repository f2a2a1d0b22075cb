"""The buttons that add up and clear gradients."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from cadena.core.graph.edits import set_output
from cadena.gui.panels.inspector.accumulation_row import AccumulationButtons
from cadena.gui.panels.methods.method_settings import MethodSettings


@pytest.mark.parametrize("name", ["backward", "zero"])
def test_a_click_leaves_the_keys_to_the_canvas(session, show, name):
    """After a click on Backward, Space went backward once more instead of playing."""
    button = getattr(show(AccumulationButtons(session), 300, 120), name)
    assert button.focusPolicy() is Qt.FocusPolicy.TabFocus


def test_a_click_on_the_offered_sum_does_so_too(session, show):
    assert show(MethodSettings(session), 300, 60).sum.focusPolicy() is Qt.FocusPolicy.TabFocus


def test_backward_could_be_pressed_without_an_output_and_did_nothing(session, show):
    buttons = show(AccumulationButtons(session), 300, 120)
    assert buttons.backward.isEnabled()
    session.edit(lambda document: set_output(document, None), "No output")
    session.run_now()
    assert not buttons.backward.isEnabled()
