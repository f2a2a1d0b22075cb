"""A hand that does anything, anywhere: nothing breaks, and undoing all of it gives the first document back."""

from __future__ import annotations

from random import Random

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QMenu

from core import graph
from tests.gui.canvas.hand import CTRL, NONE, SHIFT, Button, Hand, Key

KEYS = (Key.Key_Delete, Key.Key_Escape, Key.Key_Tab, Key.Key_Right, Key.Key_Up, Key.Key_F2, Key.Key_Return)
WORDS = ("sin", "add", "mat", "2.5", "qqq", "w0", "[[1, 2]]")
COMMANDS = ("copy", "cut", "paste", "duplicate", "select_all", "delete_selection", "zoom_to_fit", "zoom_in")


def somewhere(hand: Hand, chance: Random) -> QPoint:
    """A part of a node, or any place at all."""
    nodes = list(hand.canvas.session.document.nodes)
    if not nodes or chance.random() < 0.2:
        return QPoint(chance.randrange(hand.canvas.width()), chance.randrange(hand.canvas.height()))
    part = chance.choice([hand.name, hand.value, hand.body, hand.output, hand.input, hand.input])
    return part(chance.choice(nodes))


def do_something(hand: Hand, chance: Random) -> None:
    canvas, keys = hand.canvas, chance.choice([NONE, NONE, SHIFT, CTRL])
    match chance.randrange(8):
        case 0 | 1 | 2 | 3:
            button = chance.choice([Button.LeftButton] * 5 + [Button.MiddleButton])
            start, end = somewhere(hand, chance), somewhere(hand, chance)
            hand.lift(start, end, keys, button)
            if chance.random() < 0.2:
                hand.key(Key.Key_Escape)
            hand.release(end, keys, button)
        case 4:
            hand.double_click(somewhere(hand, chance))
        case 5:
            hand.click(somewhere(hand, chance), keys)
        case 6:
            hand.key(chance.choice(KEYS))
        case 7:
            getattr(canvas, chance.choice(COMMANDS))()
    if canvas.search or canvas.editor:
        hand.type(chance.choice(WORDS))
        hand.type_key(chance.choice([Key.Key_Return, Key.Key_Return, Key.Key_Escape, Key.Key_Tab]))


@pytest.mark.parametrize("seed", range(8))
def test_whatever_a_hand_does_can_be_undone_and_done_again(canvas, session, hand, seed):
    chance, first = Random(seed), session.document
    for _ in range(80):
        do_something(hand, chance)
        session.run_now()
        assert graph.order(session.document)[1] == [], "no gesture may close a cycle"
        assert session.selection <= set(session.document.nodes)
        if len(session.document.nodes) < 4:  # an empty canvas is soon tried out
            session.undo()
    hand.key(Key.Key_Escape)
    assert not canvas.grab().isNull()
    assert not any(menu.isVisible() for menu in canvas.findChildren(QMenu))
    last, steps = session.document, len(session.history.past)
    for _ in range(steps):
        session.undo()
    assert session.document == first
    for _ in range(steps):
        session.redo()
    assert session.document == last
