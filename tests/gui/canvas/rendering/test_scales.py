"""What the colours of cards say: on which scale, from when on, and with which legend."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QSizeF
from PySide6.QtGui import QImage, QPainter

from cadena.core.front import compile
from cadena.core.graph import edits
from cadena.core.graph.document import Document, Node, as_value
from cadena.core.teaching.hiding import Hidden
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import legend, overview
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.contents import Contents
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.scales import SCALES, Tints
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.look.theme import LIGHT, THEMES
from cadena.gui.session.highlighting import Shown

pytestmark = pytest.mark.usefixtures("qapp")
VIEW = QSizeF(900.0, 500.0)


def scene(by: str, time: float | None = None, document: Document | None = None, **more) -> Scene:
    document = open_lesson("1") if document is None else document
    run = compile(document).run()
    geometry = Geometry(document, dict(zip(run.plan.names, run.plan.shapes, strict=True)))
    frame = run.timeline.frame(len(run.timeline) if time is None else time)
    camera = Camera.fitted(geometry.bounds(), VIEW)
    return Scene(document, geometry, frame, (), LIGHT, camera, VIEW, shown=Shown(by=by), **more)


@pytest.mark.parametrize("by", SCALES)
@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_scale_has_a_colour_in_every_theme(by, theme):
    tints = Tints(scene(by))
    assert any(tints.of(name) for name in open_lesson("1").nodes)
    assert tints.scale.ends[0] != tints.scale.ends[1]


def test_a_value_has_its_colour_when_it_is_computed():
    before, after = Tints(scene("value", 0.0)), Tints(scene("value", 1.0))
    assert before.of("m1") is None and after.of("m1") is not None and before.of("w0") is not None


def test_a_gradient_has_its_colour_when_it_is_complete():
    """a1 of lesson 2 gets two contributions: in between its colour would tell the sum."""
    lesson = open_lesson("2")
    run = compile(lesson).run()
    name, arrivals = next((name, them) for name, them in run.timeline.arrivals.items() if len(them) == 2)
    between, after = float(arrivals[0][0] + 1), float(arrivals[1][0] + 1)
    assert Tints(scene("gradient", between, lesson)).of(name) is None
    assert Tints(scene("gradient", after, lesson)).of(name) is not None


def test_larger_gradients_are_darker():
    tints = Tints(scene("gradient"))
    parts = dict(zip(tints._index, tints.scale.parts.tolist(), strict=True))
    assert parts["w4"] > parts["w2"] > parts["c"] > 0.0 and tints.scale.ends == ("1", "36")


def test_depth_and_time_count_operations():
    depth, time = Tints(scene("depth")), Tints(scene("time"))
    assert depth.scale.ends == ("0", "5") and time.scale.ends == ("0", "8")
    parts = dict(zip(depth._index, (depth.scale.parts * 5).round().astype(int).tolist(), strict=True))
    assert (parts["w0"], parts["m1"], parts["b1"], parts["L"]) == (0, 1, 2, 5)


def test_what_is_hidden_has_no_colour():
    assert Tints(scene("value", hidden=Hidden(frozenset({"values"})))).of("w0") is None
    assert Tints(scene("depth", hidden=Hidden(frozenset({"values"})))).of("m1") is not None


def test_bad_and_equal_numbers_have_a_place():
    nodes = (
        Node("x", "parameter", value=as_value(-1.0)), Node("y", "log", inputs=("x",)), Node("z", "exp", inputs=("x",)),
    )  # fmt: skip
    document = Document({node.name: node for node in nodes}, output="y")
    for by in SCALES:
        assert Tints(scene(by, document=document)).of("z" if by != "gradient" else "y") is not None
    assert Tints(scene("value", document=document)).of("y") == (0xA3, 0x20, 0x6F)  # the colour of a fault


def test_gradients_of_the_smallest_and_the_largest_size_ended_the_painting():
    nodes = (
        Node("x", "parameter", value=as_value(1e-320)), Node("k", "parameter", value=as_value(1e308)),
        Node("y", "multiply", inputs=("x", "k")),
    )  # fmt: skip
    document = Document({node.name: node for node in nodes}, output="y")
    tints = Tints(scene("gradient", document=document))
    assert tints.scale.parts.tolist()[:2] == [1.0, tints.scale.begin] and tints.scale.ends[1].startswith("1")


def test_an_empty_graph_and_one_without_an_output_have_scales():
    lone = edits.set_output(Document({"x": Node("x", "parameter", value=as_value(0.0))}), None)
    for by in SCALES:
        assert Tints(scene(by, document=Document({}))).known.size == 0
        tint = Tints(scene(by, document=lone)).of("x")
        assert tint == (None if by == "gradient" else (255, 255, 255))  # the only number is in the middle of its scale


def test_the_legend_covers_no_card_where_there_is_room():
    shown = scene("value")
    place = legend.area(shown)
    cards = [shown.camera.transform.mapRect(shown.geometry.card(name)) for name in shown.document.nodes]
    assert not any(place.intersects(card) for card in cards)


def test_an_empty_graph_had_a_legend():
    assert legend.area(scene("depth", document=Document({}))) is None
    assert legend.area(scene("", document=open_lesson("1"))) is None
    assert legend.area(scene("depth", document=open_lesson("1"))) is not None


def test_an_array_is_judged_by_its_farthest_element():
    x = Node("x", "parameter", value=as_value(np.array([1.0, -8.0, 2.0])))
    assert Tints(scene("value", document=Document({"x": x}))).scale.ends == ("−8", "8")


@pytest.mark.parametrize("lit", [frozenset(), frozenset({"w0", "m1"})])
def test_from_afar_cards_have_the_colours_of_the_scale(lit):
    """They are painted together where they are nearly alike: none may be lost."""
    shown = scene("depth")
    far = replace(shown, camera=Camera(-50.0, -50.0, 0.12), shown=Shown(by="depth", lit=lit))
    image = QImage(300, 200, QImage.Format.Format_RGB32)
    image.fill(0)
    painter = QPainter(image)
    painter.setTransform(far.camera.transform)
    contents = Contents(far)
    overview.paint_cards(painter, far, contents.far, contents.states, {})
    painter.end()
    tints = Tints(far)
    for name in far.document.nodes:
        at = far.camera.to_view(far.geometry.card(name).center()).toPoint()
        seen, meant = np.array(image.pixelColor(at).getRgb()[:3]), np.array(tints.of(name))
        assert (abs(seen - meant).max() < overview.NEARLY) == (not lit or name in lit), name
