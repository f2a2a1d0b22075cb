"""A canvas on a small graph, shown, with a hand that works on it."""

from __future__ import annotations

import pytest

from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.formulas import typesetter
from cadena.gui.look.theme import LIGHT
from cadena.gui.session.session import Session
from tests.gui.canvas.real_hand import Hand, small_graph


@pytest.fixture(autouse=True)
def painted_formulas_are_set_at_once(monkeypatch) -> None:
    """Paint labels as formulas, however busy the machine is."""
    monkeypatch.setattr(typesetter, "_sets_what_is_painted", True)


@pytest.fixture
def session(qapp) -> Session:
    return Session(small_graph())


@pytest.fixture
def canvas(qtbot, session) -> Canvas:
    canvas = Canvas(session, LIGHT)
    qtbot.addWidget(canvas)
    canvas.resize(900, 700)
    with qtbot.waitActive(canvas):
        canvas.show()
    canvas.setFocus()
    canvas.set_camera(Camera(-100.0, -100.0, 1.0))
    return canvas


@pytest.fixture
def hand(canvas) -> Hand:
    return Hand(canvas)


@pytest.fixture
def messages(session) -> list[str]:
    """The sentences that the session has said."""
    said: list[str] = []
    session.message.connect(said.append)
    return said


@pytest.fixture
def one_step(session):
    """Checks that the last edit is one undo step: undo gives exactly the document of before, redo that of now."""

    def check(before) -> None:
        after = session.document
        assert after != before
        session.undo()
        assert session.document == before
        session.redo()
        assert session.document == after

    return check
