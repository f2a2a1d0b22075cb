"""Strides, sections, breakpoints and the number of a step, by their keys."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtWidgets import QApplication

from cadena.core.teaching.lessons import open_lesson
from tests.gui.user import settle


@pytest.fixture
def still(user):
    """A user who sees steps without travel."""
    user.session.open(replace(open_lesson("two_paths"), extra={}), None)  # whose story pauses
    user.session.reduce_motion = True
    user.canvas.setFocus()
    settle()
    return user


def test_strides_go_on_to_the_next_node_operation_and_layer(still):
    still.session.set_time(10.0)
    ends = []
    for command in ("run.next-node", "run.next-operation", "run.next-layer"):
        still.do(command)
        ends.append(still.session.time)
    assert ends == [11.0, 12.0, 20.0]


def test_a_section_is_looped_from_here_until_there_and_given_up(still):
    still.session.set_time(9.0)
    still.do("run.section-begin")
    still.session.set_time(12.0)
    still.do("run.section-end")
    assert still.session.playback.section == (9, 12) and still.session.playback.loop
    still.do("run.section-all")
    assert still.session.playback.section is None


def test_a_breakpoint_is_set_on_the_selected_node_and_marked_on_its_card(still):
    def picture():
        settle()
        still.window.toast.hide()  # it says what the key did
        return still.canvas.grab().toImage()

    still.session.select(["b2"])
    before = picture()
    still.press("P")
    assert still.session.breakpoints == {"b2"} and picture() != before
    still.press("P")
    assert not still.session.breakpoints and picture() == before


def test_the_number_of_a_step_is_typed_after_its_key(still):
    still.do("run.jump")
    assert QApplication.focusWidget() is still.window.transport.counter
    still.type("21")
    assert still.session.time == 21.0
