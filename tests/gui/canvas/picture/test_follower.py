"""The picture of the next step is painted while this one is looked at, and it is the picture that is painted anew."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF

from cadena.core.graph import edits
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.picture.camera import Camera
from tests.core.graphs import wide
from tests.fuzz.screen import difference
from tests.gui.canvas.picture.test_damage import anew, shown
from tests.gui.user import settle

LARGE = arrange(wide(700, leaves=80))


def rest(canvas) -> None:
    """Let a person look at the picture for a while."""
    shown(canvas)
    while canvas._follower._idle.isActive():
        settle()


@pytest.fixture(params=[False, True], ids=["from afar", "near"])
def painted(request, canvas, session, showing_large):
    """What was painted of a large graph at its middle, seen as a whole or close up, since two steps were made."""
    painted = showing_large(LARGE, (900, 600))
    session.set_time(0.5 * len(session.timeline))
    if request.param:
        middle = canvas.places.card(str(session.document.output)).center() - QPointF(canvas.rect().center())
        canvas.set_camera(Camera(middle.x(), middle.y(), 1.0))
    for _ in range(2):
        session.playback.step()
        rest(canvas)
    painted.clear()
    return painted


@pytest.mark.parametrize("way", [1, -1])
def test_the_next_step_is_there_when_it_is_asked_for(painted, canvas, session, way):
    session.playback.step(way)
    rest(canvas)
    for _ in range(5):
        painted.clear()
        session.playback.step(way)
        picture = shown(canvas)
        assert painted == []
        assert not difference(picture, anew(canvas))
        rest(canvas)


def test_what_was_painted_ahead_is_not_shown_after_an_edit(painted, canvas, session):
    leaf = next(name for name, node in session.document.nodes.items() if node.is_leaf)
    session.edit(lambda document: edits.set_value(document, leaf, 3.0), "Set")
    session.run_now()
    session.set_time(0.5 * len(session.timeline) + 3)
    assert not difference(shown(canvas), anew(canvas))
    session.playback.step()
    session.select([leaf])
    assert not difference(shown(canvas), anew(canvas))


def test_nothing_is_painted_ahead_where_a_step_is_a_motion(painted, canvas, session):
    session.reduce_motion = False
    session.set_time(session.time + 1.0)
    shown(canvas)
    assert not canvas._follower._idle.isActive()
