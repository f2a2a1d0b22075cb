"""Only what differs in a large graph is painted again, and the picture is the same as one that is painted anew."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from functools import partial
from random import Random

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QImage, QRegion

from cadena.core.graph import edits
from cadena.core.graph.frames import put_into_frame
from cadena.core.layout.arrange import arrange
from cadena.gui.canvas.hand.gestures import Connect
from cadena.gui.canvas.picture.camera import Camera
from cadena.gui.canvas.picture.contents import Contents
from cadena.gui.canvas.picture.damage import damage, region_of
from cadena.gui.canvas.picture.hit import EMPTY, Hit
from cadena.gui.canvas.picture.painting import Layers
from cadena.gui.theme import THEMES
from tests.core.graphs import wide
from tests.fuzz.screen import difference
from tests.gui.canvas.pictures import anew, grabbed, pixels
from tests.gui.user import calm, settle

LARGE = arrange(wide(700, leaves=80))


@pytest.fixture
def painted(session, showing_large):
    """What was painted of a large graph, each time the contents and the damage, None for all."""
    session.follow_steps = False
    return showing_large(LARGE, (900, 600))


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
    yield "lit", lambda: session.showing.light(frozenset(chance.sample(names, 300)) if chance.random() < 0.5 else ())


@pytest.mark.some(1)
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
    assert sum(damaged is not None for _, damaged in painted) > 10


@pytest.fixture
def renumbered(monkeypatch):
    """The names of cards of which the inside alone is painted from now on."""
    names, paint_inside = [], Contents.paint_inside

    def noted(self, painter, one, sprites):
        names.append(one.card.node.name)
        paint_inside(self, painter, one, sprites)

    monkeypatch.setattr(Contents, "paint_inside", noted)
    return names


@pytest.mark.some(2)
@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("zoom", [0.5, 0.83, 1.0, 1.7])
def test_where_numbers_alone_differ_the_insides_of_cards_are_painted(painted, canvas, session, renumbered, theme, zoom):
    canvas.set_theme(THEMES[theme])
    inputs = Counter(name for node in session.document.nodes.values() for name in node.inputs)
    leaf = next(name for name, _ in inputs.most_common() if session.document.nodes[name].op == "parameter")
    consumer = next(name for name, node in session.document.nodes.items() if leaf in node.inputs)
    for card in (leaf, consumer):
        middle = canvas.places.card(card).center() - QPointF(canvas.rect().center()) / zoom
        canvas.set_camera(Camera(middle.x() + 0.3, middle.y() + 0.4, zoom))
        calm(canvas)
        canvas.grab()
        renumbered.clear()
        for value in (-1.25, 1e-7, 0.125, 0.1251):
            session.edit(partial(edits.set_value, name=leaf, value=value), "Set")
            assert not (apart := difference(shown(canvas), anew(canvas))), apart
        assert card in renumbered


def test_a_card_that_another_covers_or_that_shines_through_is_painted_with_what_lies_below(
    painted, canvas, session, renumbered
):
    leaf = next(name for name, node in session.document.nodes.items() if node.op == "parameter")
    close_up(canvas, leaf)

    def is_renumbered(value: float) -> bool:
        renumbered.clear()
        session.edit(partial(edits.set_value, name=leaf, value=value), "Set")
        assert not (apart := difference(shown(canvas), anew(canvas))), apart
        return leaf in renumbered

    session.edit(partial(edits.set_value, name=leaf, value=0.5), "Set")
    shown(canvas)
    assert is_renumbered(0.5001)
    x, y = session.document.layout[leaf]
    other = next(name for name in session.document.nodes if name not in canvas._layers._now.contents.shown)
    session.edit(lambda document: edits.move(document, {other: (x + 20.0, y + 20.0)}), "Move")
    shown(canvas)
    assert not is_renumbered(0.5002)
    session.undo()
    session.undo()
    session.showing.light(frozenset({other}))
    shown(canvas)
    assert not is_renumbered(0.5003)
    session.showing.light(frozenset())
    shown(canvas)
    assert is_renumbered(0.5004)


@pytest.mark.some(1)
@pytest.mark.parametrize("zoom", [0.83, 1.0])
def test_on_a_screen_of_two_pixels_for_one_the_picture_is_the_same(painted, canvas, session, zoom):
    close_up(canvas, str(session.document.output))
    canvas.set_camera(replace(canvas.camera, zoom=zoom))
    kept, chance, parts = Layers(canvas), Random(1), 0
    some = list(acts(session, canvas, chance))
    for turn in range(8):
        what, act = chance.choice(some)
        act()
        settle()
        before = kept._now.contents
        picture = kept.still(canvas.scene, 2.0).toImage()
        parts += before is not None and bool(damage(before, kept._now.contents))
        assert not (apart := difference(picture, Layers().still(canvas.scene, 2.0).toImage())), (
            f"{what}, {turn}: {apart}"
        )
    assert parts > 2


def test_a_step_from_afar_paints_a_small_part(painted, canvas, session):
    session.set_time(0.6 * len(session.timeline))
    canvas.grab()
    painted.clear()
    session.set_time(session.time + 1)
    canvas.grab()
    ((_, damaged),) = painted
    boxes = np.vstack([damaged.boxes, damaged.strips])
    sides, view = boxes[:, 2:] - boxes[:, :2], canvas.scene.view
    assert 0.0 < np.prod(sides, axis=1).sum() < 0.1 * view.width() * view.height()


def test_nothing_is_painted_where_nothing_differs(painted, canvas, session):
    contents = Contents(canvas.scene)
    same = damage(contents, Contents(canvas.scene))
    assert same is not None and not same


@pytest.mark.parametrize("near", [False, True])
def test_what_is_known_from_before_the_mouse_moved_is_what_is_found_anew(painted, canvas, session, near):
    session.set_time(0.8 * len(session.timeline))
    if near:
        close_up(canvas, "w1")
    before, chance = Contents(canvas.scene), Random(3)
    acts_by_name = dict(acts(session, canvas, chance))
    for _ in range(40):
        acts_by_name["hovered"]()
        known, anew_ = before.hovering(canvas.scene), Contents(canvas.scene)
        assert list(known.drawn.items()) == list(anew_.drawn.items())
        assert [one[1:] for one in known.shown.values()] == [one[1:] for one in anew_.shown.values()]
        assert list(known.shown) == list(anew_.shown) and bool(known.shown) == near
        assert {role: some.tolist() for role, some in known.outlines.items()} == {
            role: some.tolist() for role, some in anew_.outlines.items()
        }
        before = known


@pytest.mark.parametrize("near", [False, True])
def test_a_wire_that_snaps_finds_the_cards_of_its_ports_anew(painted, canvas, session, near):
    if near:
        close_up(canvas, "w1")
    canvas.gesture = Connect(canvas.commands, QPointF(), Qt.KeyboardModifier.NoModifier, ("w1", None))
    before, chance, snapped = Contents(canvas.scene), Random(3), 0
    shown = [name for name in session.document.nodes if canvas.places.is_shown(name) and name in (before.shown or name)]
    for _ in range(40):
        end = chance.choice(canvas.places.ports_of(chance.choice(shown)))
        canvas.gesture.move(canvas.camera.to_view(canvas.hits.place(end)), Qt.KeyboardModifier.NoModifier)
        scene = canvas.scene
        if before.scene.decorations.lit_ports is not None:
            known, anew_ = before.hovering(scene), Contents(scene)
            assert [one[1:] for one in known.shown.values()] == [one[1:] for one in anew_.shown.values()]
            assert list(known.drawn.items()) == list(anew_.drawn.items())
            snapped += before.scene.decorations.snap != scene.decorations.snap
        before = Contents(scene)
    assert snapped > 5


def test_changes_are_whole_pixels_of_the_view_and_none_is_named_twice(painted, canvas, session):
    one, other = list(session.document.nodes)[5:7]
    session.select([one])
    corner = canvas.places.card(one).center()
    canvas.set_camera(Camera(corner.x(), corner.y(), canvas.camera.zoom))  # a part of its outline is out of view
    before = Contents(canvas.scene)
    session.select([other])
    damaged = damage(before, after := Contents(canvas.scene))
    assert damaged
    pixels = damaged.boxes
    assert len(pixels) and pixels.dtype.kind == "i"
    assert len({tuple(sides) for sides in pixels.tolist()}) == len(pixels)
    assert (pixels[:, :2] >= 0).all() and (pixels[:, 2:] <= (900, 600)).all() and (pixels[:, 2:] > pixels[:, :2]).all()
    region = region_of(damaged, after, 1.0)
    boxes = [QRegion(left, top, right - left, bottom - top) for left, top, right, bottom in pixels.tolist()]
    assert all(box.subtracted(region).isEmpty() for box in boxes)


@pytest.mark.some(1)
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
    assert sum(bool(damaged) for _, damaged in painted) > 2


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


@pytest.mark.some(1)
@pytest.mark.parametrize("closer", [1.0, 4.0])
def test_single_pixels_were_wrong_where_a_thin_line_was_cut_at_the_rectangle_around_what_is_painted(
    painted, canvas, session, closer
):
    chance = Random(3)
    session.open(arrange(wide(3000, leaves=400)), None)
    canvas.zoom_to_fit()
    canvas.set_camera(canvas.camera.zoomed_at(canvas.camera.to_view(canvas.places.bounds().center()), closer))
    shown(canvas)
    nodes = session.document.nodes
    leaves, operations = [name for name in nodes if nodes[name].is_leaf], [name for name in nodes if nodes[name].inputs]
    painted.clear()
    for turn in range(30):
        source, target = chance.choice(leaves), chance.choice(operations)
        session.edit(partial(edits.connect, source=source, target=target, slot=0), "Connect")
        assert np.array_equal(pixels(shown(canvas)), pixels(anew(canvas))), turn
    assert sum(damaged is not None and len(damaged.strips) > 0 for _, damaged in painted) > 5


def test_a_line_that_comes_above_all_is_painted_alone_and_one_below_others_with_them(painted, canvas, session):
    session.set_time(0.6 * len(session.timeline))
    canvas.grab()
    before = Contents(canvas.scene)
    session.set_time(session.time + 1)
    forth = damage(before, after := Contents(canvas.scene))
    back = damage(after, before)
    assert forth and len(forth.come) and not len(forth.gone)
    assert back and len(back.gone) == len(forth.come) and not len(back.come)


def test_thin_lines_on_a_screen_of_two_pixels_per_pixel_are_painted_to_the_pixel(painted, canvas, session):
    layers, operations = Layers(canvas), [name for name, node in session.document.nodes.items() if node.inputs]
    layers.still(canvas.scene, 2.0)
    painted.clear()
    for target in operations[100:400:50]:
        session.edit(partial(edits.connect, source="w1", target=target, slot=0), "Connect")
        again, anew_ = (one.still(canvas.scene, 2.0).toImage() for one in (layers, Layers(canvas)))
        assert np.array_equal(pixels(again), pixels(anew_)), target
    assert sum(damaged is not None and len(damaged.strips) > 0 for _, damaged in painted) > 2


def test_a_wire_lit_from_afar_left_pixels_where_its_curve_is_far_from_the_line_of_its_ends(painted, canvas, session):
    session.open(arrange(wide(3000, leaves=400)), None)
    canvas.zoom_to_fit()
    longest = np.ptp(canvas.places.wire_ends[:, ::2], axis=1).argmax()  # it bends the most
    _, target, slot = canvas.places.wires[longest].tolist()
    session.set_time(session.timeline.steps_of_wires(np.array([target]), np.array([slot]), 0)[0] + 0.5)
    contents = Contents(canvas.scene)
    (wire,) = contents.drawn.values()
    assert wire.row == longest
    path, (areas,) = canvas.places.path(wire.row), contents.along([wire])
    for point in (path.pointAtPercent(share) for share in np.linspace(0.0, 1.0, 100)):
        assert any(left < point.x() < right and top < point.y() < bottom for left, top, right, bottom in areas.tolist())
