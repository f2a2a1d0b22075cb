"""Only what differs in a large graph is painted again, and the picture is the same as one that is painted anew."""

from __future__ import annotations

from functools import partial
from random import Random

import numpy as np
import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter

from cadena.core.graph import edits
from cadena.core.graph.frames import put_into_frame
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.contents import Contents
from cadena.gui.canvas.picture.damage import areas_of, damage, region_of
from cadena.gui.canvas.picture.painting import Layers, paint
from cadena.gui.theme import THEMES
from tests.core.graphs import wide
from tests.fuzz.screen import difference
from tests.gui.user import settle

LARGE = arrange(wide(700, leaves=80))


@pytest.fixture
def painted(session, showing_large):
    """What was painted of a large graph, each time the contents and the areas, None for all."""
    session.follow_steps = False
    return showing_large(LARGE, (900, 600))


def anew(canvas) -> QImage:
    image = QImage(canvas.size(), QImage.Format.Format_ARGB32_Premultiplied)
    with QPainter(image) as painter:
        paint(painter, canvas.scene, Layers())
    return image


def shown(canvas) -> QImage:
    settle()
    return canvas.grab().toImage().convertToFormat(QImage.Format.Format_ARGB32_Premultiplied)


def close_up(canvas, name: str) -> None:
    middle = canvas.places.card(name).center() - QPointF(canvas.rect().center())
    canvas.set_camera(Camera(middle.x(), middle.y(), 1.0))
    canvas._layers.forget()
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
    yield "lit", lambda: session.showing.light(frozenset(chance.sample(names, 300)) if chance.random() < 0.5 else ())


@pytest.mark.parametrize("theme", ["light", "projector"])
@pytest.mark.parametrize("near", [False, True])
def test_what_is_painted_in_parts_is_the_picture_that_is_painted_anew(painted, canvas, session, near, theme):
    chance = Random(7)
    canvas.set_theme(THEMES[theme])
    canvas.grab()
    if near:
        close_up(canvas, str(session.document.output))
    some, painted[:] = list(acts(session, canvas, chance)), []
    for turn in range(60):
        what, act = chance.choice(some)
        act()
        assert not (apart := difference(shown(canvas), anew(canvas))), f"{what}, turn {turn}: {apart}"
    assert sum(areas is not None for _, areas in painted) > 10


def test_a_step_from_afar_paints_a_small_part(painted, canvas, session):
    session.set_time(0.6 * len(session.timeline))
    canvas.grab()
    painted.clear()
    session.set_time(session.time + 1)
    canvas.grab()
    ((_, areas),) = painted
    sides = areas[:, 2:] - areas[:, :2]
    whole = canvas.camera.visible(canvas.scene.view)
    assert 0.0 < np.prod(sides, axis=1).sum() < 0.1 * whole.width() * whole.height()


def test_nothing_is_painted_where_nothing_differs(painted, canvas, session):
    contents = Contents(canvas.scene)
    same = damage(contents, Contents(canvas.scene))
    assert same is not None and not len(same) and not len(areas_of(same, canvas.scene))


def test_changes_are_whole_pixels_of_the_view_and_none_is_named_twice(painted, canvas, session):
    one, other = list(session.document.nodes)[5:7]
    session.select([one])
    corner = canvas.places.card(one).center()
    canvas.set_camera(Camera(corner.x(), corner.y(), canvas.camera.zoom))  # a part of its outline is out of view
    before = Contents(canvas.scene)
    session.select([other])
    pixels = damage(before, Contents(canvas.scene))
    assert pixels is not None and len(pixels) and pixels.dtype.kind == "i"
    assert len({tuple(sides) for sides in pixels.tolist()}) == len(pixels)
    assert (pixels[:, :2] >= 0).all() and (pixels[:, 2:] <= (900, 600)).all() and (pixels[:, 2:] > pixels[:, :2]).all()
    assert region_of(pixels).boundingRect().getCoords() == (*pixels[:, :2].min(axis=0), *pixels[:, 2:].max(axis=0) - 1)


@pytest.mark.parametrize("theme", ["light", "projector"])
def test_a_wire_that_comes_or_goes_is_found_among_those_that_stay(painted, canvas, session, theme):
    canvas.set_theme(THEMES[theme])
    operations = [name for name, node in session.document.nodes.items() if len(node.inputs) == 2]
    for operation in operations[:40]:  # so that little is known of the graph, which an open slot would take away
        session.edit(partial(edits.disconnect, target=operation, slot=0), "Disconnect")
    shown(canvas)
    painted.clear()
    for operation in operations[5:300:60]:
        source = session.document.nodes[operation].inputs[1]
        for edit in (
            partial(edits.disconnect, target=operation, slot=1),
            partial(edits.connect, source=source, target=operation, slot=1),
        ):
            session.edit(edit, "Edit")
            assert not (apart := difference(shown(canvas), anew(canvas))), apart
    assert sum(areas is not None and len(areas) > 0 for _, areas in painted) > 2


def test_another_camera_a_frame_or_a_new_node_paints_all(painted, canvas, session):
    before = Contents(canvas.scene)
    canvas.set_camera(canvas.camera.panned(5.0, 0.0))
    assert damage(before, Contents(canvas.scene)) is None
    before = Contents(canvas.scene)
    names = list(session.document.nodes)[:3]
    session.edit(lambda document: put_into_frame(document, names, "inputs"), "Frame")
    assert damage(before, Contents(canvas.scene)) is None
    before = Contents(canvas.scene)
    session.edit(lambda document: edits.add(document, "sin", (10.0, 10.0)), "Add")
    assert damage(before, Contents(canvas.scene)) is None
