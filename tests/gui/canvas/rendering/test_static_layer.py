"""The static layer of a large graph equals a full repaint, whatever was shown before."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from random import Random

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage

from cadena.core.graph import edits
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.interaction.gestures import Connect
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.hit_boxes import EMPTY, Hit
from cadena.gui.canvas.rendering.painting import Layers
from cadena.gui.look.theme import THEMES
from tests.core.graphs import wide
from tests.fuzz.screen import difference
from tests.gui.canvas.pictures import full_repaint, grabbed
from tests.gui.user import calm, settle

LARGE = arrange(wide(700, leaves=80))


@pytest.fixture
def large(session, showing_large) -> None:
    """Show a large graph."""
    session.follow_steps = False
    showing_large(LARGE, (900, 600))


def shown(canvas) -> QImage:
    settle()
    return grabbed(canvas)


def close_up(canvas, name: str) -> None:
    middle = canvas.places.card(name).center() - QPointF(canvas.rect().center())
    canvas.set_camera(Camera(middle.x(), middle.y(), 1.0))
    calm(canvas)
    canvas.grab()


def acts(session, canvas, chance):
    """Acts that change a part of the picture, each with its name."""
    names = list(session.document.nodes)
    operations = [name for name in names if len(session.document.nodes[name].inputs) == 2]
    leaves = [name for name in names if session.document.nodes[name].is_leaf]

    def connect():
        source, target = chance.choice(leaves), chance.choice(operations)
        session.edit(lambda document: edits.connect(document, source, target, chance.randrange(2)), "Connect")

    def move():
        name, (x, y) = chance.choice(names), (chance.uniform(0, 900), chance.uniform(0, 900))
        session.edit(lambda document: edits.move(document, {name: (x, y)}), "Move")

    yield "a step", lambda: session.set_time(float(chance.randrange(len(session.timeline))))
    yield "the next step", lambda: session.set_time(min(session.time + 1, len(session.timeline)))
    yield "a wire", connect
    yield "a card moved", move
    yield "a value", lambda: session.edit(lambda document: edits.set_value(document, leaves[3], chance.random()), "Set")
    yield "selected", lambda: session.select(chance.sample(names, chance.randrange(4)))
    yield "undone", session.undo
    yield "a breakpoint", lambda: session.toggle_breakpoint(chance.choice(names))

    def hover():
        target = chance.choice(operations)
        places = (
            EMPTY,
            Hit("node", chance.choice(names)),
            Hit("node", target),
            Hit("wire", target, chance.randrange(2)),
        )
        canvas.hovered = chance.choice(places)
        canvas.update()

    def pull():
        canvas.cancel_gesture()
        if chance.random() < 0.7:
            start, end = chance.choice(names), (chance.choice(operations), chance.randrange(2))
            canvas.gesture = Connect(canvas.commands, QPointF(), Qt.KeyboardModifier.NoModifier, (start, None))
            canvas.gesture.move(canvas.camera.to_view(canvas.hits.place(end)), Qt.KeyboardModifier.NoModifier)
        canvas.update()

    yield "hovered", hover
    yield "a wire in hand", pull
    yield "lit", lambda: session.set_shown(session.shown.with_lit(chance.sample(names, 300 * chance.randrange(2))))


@pytest.mark.some(1)
@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("near", [False, True])
def test_what_is_shown_after_any_act_is_the_picture_that_is_painted_anew(large, canvas, session, near, theme):
    chance = Random(7)
    canvas.set_theme(THEMES[theme])
    canvas.grab()
    if near:
        close_up(canvas, str(session.document.output))
    some = list(acts(session, canvas, chance))
    for turn in range(60):
        what, act = chance.choice(some)
        act()
        assert not (apart := difference(shown(canvas), full_repaint(canvas))), f"{what}, turn {turn}: {apart}"


@pytest.mark.parametrize("zoom", [0.83, 1.0])
def test_on_a_screen_of_two_pixels_for_one_the_picture_is_the_same(large, canvas, session, zoom):
    close_up(canvas, str(session.document.output))
    canvas.set_camera(replace(canvas.camera, zoom=zoom))
    kept, chance = Layers(canvas), Random(1)
    some = list(acts(session, canvas, chance))
    for turn in range(8):
        what, act = chance.choice(some)
        act()
        settle()
        picture, made = kept.static(canvas.scene, 2.0).toImage(), Layers().static(canvas.scene, 2.0).toImage()
        assert not (apart := difference(picture, made)), f"{what}, {turn}: {apart}"


@pytest.mark.parametrize("near", [False, True])
def test_labels_came_a_picture_after_an_edit(large, canvas, session, near):
    nodes = session.document.nodes
    target = next(name for name, node in nodes.items() if len(node.inputs) == 2)
    if near:
        close_up(canvas, target)
    session.show_live()
    session.select([target])
    settle()
    for source in [name for name, node in nodes.items() if node.is_leaf and name not in nodes[target].inputs][:3]:
        session.edit(partial(edits.connect, source=source, target=target, slot=0), "Connect")
        assert grabbed(canvas) == full_repaint(canvas)
