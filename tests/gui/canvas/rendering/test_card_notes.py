"""The notes at cards: custom gradients, and what leaves hold after several passes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QRectF, QSizeF

from cadena.core.methods.reverse.activity import activity
from cadena.core.rewriting.custom_gradients import use_gradient
from cadena.core.run.accumulation import NOTHING, accumulate, zero_grad
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering.card import card_of
from cadena.gui.canvas.rendering.card_notes import ASIDE, CUSTOM, _spots, notes
from cadena.gui.look.theme import LIGHT
from cadena.gui.session.session import Session


def scene_of(qtbot, document, passes: int = 0):
    session = Session(document)
    held = NOTHING
    for _ in range(passes):
        held = accumulate(held, session.run)
    session.set_accumulated(held if passes else None)
    canvas = Canvas(session, LIGHT)
    qtbot.addWidget(canvas)
    return canvas.scene


def test_a_card_says_that_its_function_has_a_custom_gradient(qtbot):
    document = open_lesson("8")
    assert notes(scene_of(qtbot, document), ["x", "y"]) == [("y", CUSTOM)]
    assert notes(scene_of(qtbot, use_gradient(document, "one_over_exp", False)), ["x", "y"]) == [("y", ASIDE)]


def test_a_card_knows_that_it_calls_a_function(qtbot):
    scene = scene_of(qtbot, open_lesson("8"))
    lit = activity(scene.frame, scene.live)
    assert card_of(scene, "y", lit, frozenset()).function and not card_of(scene, "x", lit, frozenset()).function


def test_leaves_say_what_they_hold_and_from_how_many_passes(qtbot):
    assert notes(scene_of(qtbot, open_lesson("4")), ["w0"]) == []
    assert notes(scene_of(qtbot, open_lesson("4"), 1), ["w0", "a1"]) == [("w0", "Σ −28, 1 pass")]
    assert notes(scene_of(qtbot, open_lesson("4"), 3), ["w0"]) == [("w0", "Σ −84, 3 passes")]


@pytest.mark.parametrize("wide", [40.0, 150.0, 300.0])
def test_no_place_of_a_note_covers_its_own_card(wide):
    card, room = QRectF(10.0, 20.0, 120.0, 72.0), QSizeF(wide, 18.0)
    for spot in _spots(card, room):
        place = QRectF(spot[0] - wide / 2, spot[1] - 9.0, wide, 18.0)
        assert not place.intersects(card)


def test_after_zero_grad_no_passes_are_counted(qtbot):
    scene = scene_of(qtbot, open_lesson("4"), 2)
    assert notes(replace(scene, accumulated=zero_grad(scene.accumulated)), ["w0"]) == [("w0", "Σ 0")]


def test_the_sum_of_arrays_is_no_list_that_is_cut_off(qtbot):
    """It was written out as a list and cut at its first comma: "Σ [[−0.5862"."""
    scene = scene_of(qtbot, open_lesson("11"), 2)
    assert notes(scene, ["X", "W", "L"]) == [("X", "Σ of 2 passes"), ("W", "Σ of 2 passes")]
    assert notes(replace(scene, accumulated=zero_grad(scene.accumulated)), ["W"]) == [("W", "Σ 0")]
