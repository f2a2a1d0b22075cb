"""Panels slide in from their edge and out to it, above a layout that is final from the first moment."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRect

from cadena.gui.widgets.slide import Slide
from tests.gui.user import User, settle


@pytest.fixture
def sliding(user, monkeypatch) -> User:
    monkeypatch.setattr(Slide, "milliseconds", 160)
    return user


def slides(user: User) -> list[Slide]:
    return [slide for slide in user.window.findChildren(Slide) if slide.isVisible()]


def place(user: User, part) -> QRect:
    return QRect(part.mapTo(user.window.main, QPoint()), part.size())


@pytest.mark.parametrize(
    ("command", "part"),
    [("view.inspector", "dock"), ("view.code", "left"), ("view.problems", "below"), ("run.build", "operations")],
)
def test_a_panel_comes_from_its_edge_and_goes_there(sliding, command, part):
    for _ in range(2):
        panel = getattr(sliding.window, part)
        was_shown, before = panel.isVisible(), place(sliding, panel)
        sliding.window.menus.run(command)
        assert panel.isHidden() is was_shown
        (slide,) = slides(sliding)
        slide._motion.setCurrentTime(40)
        settle()
        slide._motion.setCurrentTime(80)
        room = before if was_shown else place(sliding, panel)
        assert slide.geometry() == room and not slide._picture.isNull()
        slide._motion.setCurrentTime(160)
        settle()
        assert not slides(sliding)


def test_nothing_slides_where_motion_is_reduced_or_another_document_is_shown(sliding):
    sliding.session.reduce_motion = True
    sliding.do("view.code")
    assert not slides(sliding)
    sliding.session.reduce_motion = False
    sliding.press("Ctrl+N")
    sliding.window.documents.show(0)
    assert not slides(sliding)
