"""The local derivative at a wire: which wires have one, and that it keeps off the cards."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random

import numpy as np
import pytest
from PySide6.QtCore import QRectF, QSizeF

from cadena.core.expressions.reading import parse
from cadena.core.graph.edits import set_value
from cadena.core.graph.frames import put_into_frame
from cadena.core.graph.memos import add_memo
from cadena.core.layout.arrange import arrange
from cadena.core.methods.reverse.activity import activity
from cadena.core.rewriting.function_edits import make_function
from cadena.core.teaching.hiding import Hidden
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import frames, label_placement, legend, minimap, note_lines
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.clearance import Obstacles
from cadena.gui.canvas.rendering.painting import Layers
from cadena.gui.canvas.rendering.scene import Decorations
from cadena.gui.look.theme import THEMES
from cadena.gui.session.highlighting import Shown
from tests.core.graphs import wide
from tests.gui.canvas.pictures import graph, operation, paint, parameter, scene

pytestmark = pytest.mark.usefixtures("qapp")


def chosen(made, *names):
    """The scene with labels at all wires of these nodes that carry a gradient back."""
    frame, ends = made.frame, made.geometry.wires.tolist()
    wires = [(made.geometry.names[source], (made.geometry.names[target], slot)) for source, target, slot in ends]
    own = [wire for source, wire in wires if {source, wire[0]} & {*names} and frame.contribution(*wire) is not None]
    return replace(made, path=tuple(own))


def test_while_playing_the_wire_of_the_step_has_a_label_and_no_selected_node_brings_more():
    made = scene(open_lesson("first_chain_rule"), 13.6, selection=frozenset({"b1"}), hovered="w0")
    wire = activity(made.frame, made.live).label
    assert label_placement.wires_to_label(made, wire) == [wire]
    assert label_placement.wires_to_label(scene(open_lesson("first_chain_rule"), 3.4), None) == []


def test_the_hovered_and_the_selected_wire_have_labels_where_they_carry():
    live = scene(open_lesson("first_chain_rule"), selection=frozenset({"m1"}), hovered="L")
    assert label_placement.wires_to_label(live, None) == []

    def labels(made, hovered=None, selected=None):
        marks = Decorations(hovered_wire=hovered, selected_wire=selected)
        return label_placement.wires_to_label(replace(made, decorations=marks), None)

    assert labels(live, ("m1", 0), ("b1", 0)) == [("m1", 0), ("b1", 0)]
    assert labels(live, ("m1", 0), ("m1", 0)) == [("m1", 0)]
    assert labels(live, ("m1", 1)) == []  # a1 wants no gradient
    early = scene(open_lesson("first_chain_rule"), 13.4)
    assert labels(early, ("L", 1)) == [("L", 1)] and labels(early, ("m1", 0)) == []  # nothing is shown before its step


def test_the_label_of_a_wire_whose_middle_is_far_away_was_out_of_view(monkeypatch):
    placed, place_all = [], Obstacles.place_all
    monkeypatch.setattr(Obstacles, "place_all", lambda *args: placed.extend(place_all(*args)) or placed)
    document = parse("x = 2; y = sin(x); L = y*3")
    document = replace(document, layout={"x": (0.0, 0.0), "y": (6000.0, 1500.0), "L": (6300.0, 1500.0)})
    made = chosen(scene(document), "y")
    near = replace(made, camera=Camera(5700.0, 1200.0, 1.0), view=QSizeF(900.0, 600.0))
    paint(near)
    visible = near.camera.visible(near.view)
    assert len(placed) == 2 and all(visible.contains(pill) for pill in placed)
    assert not any(pill.intersects(near.geometry.card(name)) for pill in placed for name in ("y", "L"))


@pytest.fixture
def placed(monkeypatch):
    """All labels that are painted from now on, where they were placed."""
    labels_so_far, place_all = [], Obstacles.place_all

    def place_and_note(*args):
        new = place_all(*args)
        labels_so_far.extend(new)
        return new

    monkeypatch.setattr(Obstacles, "place_all", place_and_note)
    return labels_so_far


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("lesson", ["first_chain_rule", "two_paths", "gradient_of_the_input"])
def test_no_label_of_a_lesson_covers_a_card(placed, lesson, theme):
    document = open_lesson(lesson)
    made = scene(document, 0.0, theme)
    timeline = made.frame.timeline
    for step in range(timeline.forward_length + 1, len(timeline)):
        moment = scene(document, step + 0.6, theme)
        paint(moment)
    assert len(placed) == len(timeline) - timeline.forward_length - 1
    cards = [made.geometry.card(name) for name in document.nodes]
    for label in placed:
        covered = sum(label.intersected(card).width() * label.intersected(card).height() for card in cards)
        assert covered <= 0.05 * label.width() * label.height()


@pytest.mark.parametrize("theme", THEMES)
def test_the_label_of_one_wire_lay_on_another_of_the_same_node(placed, theme):
    """At a call with four operands, that of the first was read as that of the third."""
    document = make_function(open_lesson("first_chain_rule"), ["m1", "m2", "b1"], "weighted")
    made = chosen(scene(document, theme=theme), "b1")
    wires = label_placement.wires_to_label(made, None)
    paint(made)
    inwards = [made.geometry.wire(str(source), "b1", slot) for slot, source in enumerate(document.nodes["b1"].inputs)]
    points = [path.pointAtPercent(place / 40) for path in inwards for place in range(41)]
    assert [wire for wire in wires if wire[0] == "b1"] == [("b1", 0), ("b1", 2)] and len(placed) == len(wires)
    assert not [point for label in placed for point in points if label.contains(point)]


@pytest.mark.parametrize("theme", THEMES)
def test_a_label_lay_on_the_title_of_a_frame_and_on_a_note(placed, theme):
    document = put_into_frame(open_lesson("first_chain_rule"), ["m1", "m2", "b1"], "layer 1")
    paint(chosen(scene(document, theme=theme), "m1", "m2", "b1"))
    document = add_memo(document, "dL/dw0 = −28", (placed[0].left(), placed[0].top()))
    placed.clear()
    made = chosen(scene(document, theme=theme), "m1", "m2", "b1")
    paint(made)
    words = [*frames.written(made), *note_lines.areas(document).values()]
    assert len(words) == 2 and placed
    assert not [label for label in placed if any(map(label.adjusted(1.0, 1.0, -1.0, -1.0).intersects, words))]


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("beside", [(x, y) for x in (-60.0, 0.0, 60.0) for y in (-40.0, 0.0, 40.0)])
def test_a_label_lay_partly_under_the_map_or_the_legend(placed, theme, beside):
    document = open_lesson("first_chain_rule")
    of = chosen(scene(document, theme=theme), "b1")
    card = of.geometry.card("b1")
    for shown, widget in ((Shown(), minimap), (Shown(has_map=False, by="value"), legend)):
        near = replace(of, shown=shown, camera=Camera(zoom=1.0))
        there = card.topLeft() - widget.area(near).center()
        made = replace(near, camera=Camera(there.x() + beside[0], there.y() + beside[1], 1.0))
        placed.clear()
        paint(made)
        corner = widget.area(made).translated(made.camera.x, made.camera.y)
        under = [label.intersected(corner) for label in placed]
        assert placed
        for label, hidden in zip(placed, under, strict=True):
            assert hidden.width() * hidden.height() <= 0.11 * label.width() * label.height()


@pytest.mark.parametrize("beside", [(x, y) for x in (-60.0, 0.0, 60.0) for y in (-40.0, 0.0, 40.0)])
def test_a_label_lay_under_the_zoom_control(placed, beside):
    of = chosen(scene(open_lesson("first_chain_rule")), "b1")
    corner = QRectF(500.0, 300.0, 160.0, 40.0)  # of the view
    there = of.geometry.card("b1").bottomRight() - corner.center()
    camera = Camera(there.x() + beside[0], there.y() + beside[1], 1.0)
    paint(replace(of, camera=camera, covered=corner, shown=Shown(has_map=False)))
    under = [label.intersected(corner.translated(camera.x, camera.y)) for label in placed]
    assert placed and all(
        hidden.width() * hidden.height() <= 0.11 * label.width() * label.height()
        for label, hidden in zip(placed, under, strict=True)
    )


PERCEPTRON = """
x = [0.126, -0.132]; W = [[0.126, -0.132], [0.64, 0.105]]; v = [0.189, -0.523]; t = 1; first = x @ W
hidden_layer = tanh(first); guess = hidden_layer @ v; squared_error = mse_loss(t, guess)
"""
STACK = {
    "x": (328, 128), "W": (360, 308), "v": (360, 488), "t": (400, 684), "first": (608, 256),
    "hidden_layer": (856, 296), "guess": (1104, 336), "squared_error": (1280, 512),
}  # fmt: skip


@pytest.mark.parametrize("view", [(1270.0, 340.0), (1270.0, 410.0), (870.0, 350.0), (760.0, 400.0)])
@pytest.mark.parametrize("theme", ["light", "projector"])
def test_a_long_label_lay_on_the_cards_of_a_stack_with_the_canvas_free_beside_them(placed, theme, view):
    document = replace(parse(PERCEPTRON), layout=STACK)
    for name in ("x", "W", "v"):
        made = chosen(scene(document, theme=theme, view=QSizeF(*view)), name)
        placed.clear()
        paint(made)
        assert placed
        for pill in placed:
            shared = [pill.intersected(made.geometry.card(other)) for other in document.nodes]
            assert sum(area.width() * area.height() for area in shared) <= 0.05 * pill.width() * pill.height(), name


def test_labels_covered_cards_where_there_was_no_room_beside_them(monkeypatch):
    drawn: list[QRectF] = []
    monkeypatch.setattr(label_placement, "_paint_card", lambda *args, card, **how: drawn.append(card))
    document, random, seen = arrange(wide(1000, leaves=125)), Random(1), 0
    made = scene(document, theme="projector")
    for name in random.sample(list(document.nodes), 60):
        view, middle = QSizeF(1270.0, 205.0), made.geometry.card(name).center()
        camera = Camera(middle.x() - 1270.0 * random.uniform(0.08, 0.92), middle.y() - random.uniform(30.0, 175.0), 1.0)
        drawn.clear()
        paint(chosen(replace(made, camera=camera, view=view), name))
        shown = [made.geometry.names[number] for number in made.geometry.cards_in(camera.visible(view))]
        for label, other in product(drawn, shown):
            assert not label.intersects(made.geometry.card(other).adjusted(6.0, 6.0, -6.0, -6.0)), (name, other)
        seen += len(drawn)
    assert seen > 100  # most have room


def test_kept_labels_are_those_of_a_fresh_painter_whatever_was_painted_before():
    document, layers = open_lesson("first_chain_rule"), Layers()
    path = chosen(scene(document), "m1", "b1", "L").path
    around = {"selection": frozenset({"m1", "b1"}), "hovered": "L", "path": path}
    other = set_value(document, "w1", np.float64(-3.5))
    hidden = Hidden(kinds=frozenset({"values"}))
    for theme in THEMES:
        for zoom in (0.4, 1.0, 1.7):
            camera = Camera(-40.3, -60.7, zoom)
            made = scene(document, theme=theme, camera=camera, **around)
            moved = replace(made, camera=replace(camera, x=-55.8))
            changed = scene(other, theme=theme, camera=camera, **around)
            large = replace(made, theme=replace(made.theme, type=made.theme.type * 1.3))
            for moment in (made, moved, changed, replace(made, hidden=hidden), large, made):
                assert paint(moment, layers) == paint(moment, Layers())


def test_labels_jumped_with_each_digit_that_a_number_got(monkeypatch):
    rooms, texts, place, draw = [], set(), label_placement._place, label_placement._paint_card
    monkeypatch.setattr(
        label_placement, "_place", lambda points, wide, *rest: rooms.append(wide) or place(points, wide, *rest)
    )
    monkeypatch.setattr(
        label_placement, "_paint_card", lambda *args, content, **how: texts.add(content) or draw(*args, content, **how)
    )
    document = arrange(parse("w = 0.5; x = 2; y = w * x; L = y + 1"))
    first, values = scene(document), (2.0, 2.5, 2.51, 2.512)
    for value in values:
        made = chosen(scene(set_value(document, "x", value)), "w")
        paint(replace(made, geometry=first.geometry.for_values(made.document)))
    assert len(texts) == len(values) > len({tuple(room.toTuple() for room in wide) for wide in rooms})


def test_a_label_stood_where_one_of_another_wire_as_wide_had_stood(monkeypatch):
    places, draw = [], label_placement._paint_card
    monkeypatch.setattr(label_placement, "_room", lambda *content: QSizeF(60.0, 36.0))
    monkeypatch.setattr(
        label_placement, "_paint_card", lambda *args, card, **how: places.append(card) or draw(*args, card=card, **how)
    )
    row = graph(
        parameter("a", 2.0), operation("b", "sin", "a"), operation("c", "cos", "b"), operation("d", "add", "a", "c"),
        output="d",
    )  # fmt: skip
    made = scene(row)
    assert made.geometry.detours(range(len(made.geometry.wires)))  # one wire goes around the cards
    for wire in (("b", 0), ("c", 0)):
        paint(replace(made, path=(wire,)))
    assert len(places) == 2 and not places[0].intersects(places[1])
