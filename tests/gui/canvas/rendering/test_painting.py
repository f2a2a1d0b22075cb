"""The picture as a whole: the same scene is the same picture, whatever was painted before it, and nothing breaks it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QPointF, QRectF, QSizeF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from cadena.core.graph.document import Document
from cadena.core.teaching.lessons import open_lesson
from cadena.gui.canvas.rendering import cards
from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.painting import Layers
from cadena.gui.canvas.rendering.painting import paint as paint_scene
from cadena.gui.canvas.rendering.scene import Decorations
from cadena.gui.look.theme import DARK, LIGHT, THEMES
from tests.gui.canvas.pictures import count_of, faulty, graph, operation, paint, parameter, pixels, random_graph, scene

RGB = QImage.Format.Format_RGB32
pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture(scope="module")
def lesson() -> Document:
    return open_lesson("first_chain_rule")


@pytest.mark.parametrize("time", [0.0, 2.3, 8.4, 13.4, 13.8, 21.0])
def test_the_same_scene_is_painted_the_same_twice(lesson, time):
    made = scene(lesson, time)
    assert paint(made) == paint(made)


def test_a_moment_looks_the_same_however_it_was_reached(lesson):
    layers = Layers()
    forwards = [paint(scene(lesson, time), layers) for time in (0.0, 5.0, 9.2, 13.4)][-1]
    layers = Layers()
    backwards = [paint(scene(lesson, time), layers) for time in (21.0, 17.5, 13.4)][-1]
    assert forwards == backwards


def test_scrubbing_with_kept_layers_shows_what_a_fresh_painter_shows(lesson):
    made, layers = scene(lesson, 0.0, camera=Camera(-40.0, -40.0, 1.0)), Layers()
    for time in (3.1, 8.5, 12.9, 4.2):
        moment = replace(made, frame=made.frame.timeline.frame(time))
        assert paint(moment, layers) == paint(moment, Layers())
        apart = np.abs(pixels(paint(moment, layers)) - pixels(paint(moment)))[..., :3]
        assert (apart > 8).mean() < 0.002  # sprites lie at whole pixels, that is all


def test_a_small_card_whose_wire_is_cut_stays_in_its_place():
    leaves = parameter("A", np.ones((3, 3))), parameter("B", np.ones((2, 4)))
    layers, camera = Layers(), Camera(-400.0, -400.0, 0.3)
    paint(scene(graph(*leaves, operation("M", "matmul", "A", "B")), camera=camera), layers)
    cut = scene(graph(*leaves, operation("M", "matmul", "A", None)), camera=camera)
    assert paint(cut, layers) == paint(cut, Layers())


def test_while_a_token_travels_the_still_part_is_not_painted_again(lesson):
    layers, made = Layers(), scene(lesson, 13.55)
    kept = layers.static(made, 1.0).cacheKey()
    later = replace(made, frame=made.frame.timeline.frame(13.7))
    assert layers.static(later, 1.0).cacheKey() == kept
    landed = replace(made, frame=made.frame.timeline.frame(13.85))
    assert layers.static(landed, 1.0).cacheKey() != kept


def test_hovering_selecting_or_another_theme_paint_the_still_part_again(lesson):
    layers, made = Layers(), scene(lesson)
    for other in (
        replace(made, hovered="w0"),
        replace(made, selection=frozenset({"w0"})),
        replace(made, theme=DARK),
        replace(made, camera=made.camera.panned(5.0, 0.0)),
        replace(made, decorations=Decorations(hovered_wire=("L", 0))),
    ):
        kept = layers.static(made, 1.0).cacheKey()
        assert layers.static(other, 1.0).cacheKey() != kept


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("zoom", [0.06, 0.3, 0.5, 1.0, 3.0])
def test_every_fault_can_be_painted_at_every_zoom_in_every_theme(theme, zoom):
    document = faulty()
    for time in (None, 0.0, 1.4, 3.0):
        made = scene(document, time, theme, camera=Camera(-50.0, -50.0, zoom))
        assert count_of(paint(made, Layers()), made.theme.fault) > 0


def test_a_graph_without_faults_shows_no_fault_colour(lesson):
    assert count_of(paint(scene(lesson)), LIGHT.fault) == 0


def test_a_bad_number_is_marked_only_when_it_is_born():
    document = replace(
        faulty(), nodes={n: node for n, node in faulty().nodes.items() if n in ("x", "inf_")}, output=None
    )
    assert count_of(paint(scene(document, 0.0)), LIGHT.fault) == 0
    assert count_of(paint(scene(document, 1.0)), LIGHT.fault) > 0


def test_before_the_first_step_nothing_is_orange_and_at_the_end_much_is(lesson):
    assert count_of(paint(scene(lesson, 0.0)), LIGHT.gradient_strong) == 0
    assert count_of(paint(scene(lesson, 21.0)), LIGHT.gradient_strong) > 1000


@pytest.mark.parametrize("ratio", [1.25, 1.5])
@pytest.mark.parametrize("count", [1, 3000])
def test_a_dark_line_stood_at_the_edge_of_the_canvas_at_a_fractional_scale(ratio, count):
    document, camera, layers = random_graph(count), Camera(-400.0, -1e4, 1.0), Layers(QWidget())
    for theme in (DARK, LIGHT):  # the second is painted onto the pixels of the first
        plain, seen = replace(theme, grid=theme.canvas), scene(document, camera=camera, view=QSizeF(803.0, 503.0))
        picture = pixels(layers.static(replace(seen, theme=plain), ratio).toImage().convertToFormat(RGB))
        ground = plain.color("canvas").blue(), plain.color("canvas").green(), plain.color("canvas").red()
        assert (picture[:, -2:, :3] == ground).all()
        assert (picture[-2:, :, :3] == ground).all()


@pytest.mark.parametrize("size", [QSizeF(0.0, 0.0), QSizeF(1.0, 1.0), QSizeF(40.0, 900.0)])
def test_a_view_of_any_size_can_be_painted(lesson, size):
    made = scene(lesson, 13.4, view=size, camera=Camera())
    image = QImage(50, 50, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    paint_scene(painter, made, Layers())
    painter.end()
    assert not image.isNull()


def test_what_the_gesture_shows_is_painted_and_leaves_no_trace(lesson):
    plain, layers = scene(lesson, camera=Camera(-40.0, -40.0, 1.0)), Layers()
    before = paint(plain, layers)
    marks = Decorations(
        lit_ports=frozenset([("m1", 0), ("b1", 1)]), snap=("b1", 1),
        loose_wire=(QPointF(0, 0), QPointF(300, 90), False), lifted_wire=("c", 0),
        rubber_band=QRectF(10, 10, 200, 90), ghost=("sin", QPointF(400, 300)),
        guides=(QLineF(0, 50, 900, 50),), selected_wire=("L", 1),
    )  # fmt: skip
    assert paint(replace(plain, decorations=marks), layers) != before
    assert paint(plain, layers) == before


def test_cards_kept_the_lines_of_a_stage_after_it(lesson):
    """Its theme has thicker lines, in the same colours and type: what was kept for one was shown in the other."""
    plain, layers = scene(lesson, camera=Camera(-40.0, -40.0, 1.0)), Layers()
    paint(replace(plain, theme=replace(plain.theme, line=3.0)), layers)
    assert paint(plain, layers) == paint(plain, Layers())


def test_ten_thousand_cards_are_painted_from_afar_and_near():
    far = scene(random_graph(10_000), 12_000.4)
    assert count_of(paint(far), LIGHT.canvas) < 800 * 500
    near = replace(far, camera=Camera(1000.0, 1000.0, 1.0))
    assert count_of(paint(near), LIGHT.card) > 10_000


def test_only_what_is_seen_is_painted(monkeypatch):
    painted = []
    monkeypatch.setattr(cards, "paint_face", lambda painter, card, theme, zoom: painted.append(card.node.name))
    made = scene(random_graph(2_000), camera=Camera(2_000.0, 2_000.0, 1.0))
    paint(made)
    seen = made.camera.visible(made.view).adjusted(-200.0, -200.0, 200.0, 200.0)
    assert painted
    assert all(seen.intersects(made.geometry.card(name)) for name in painted)
    inside = made.camera.visible(made.view)
    visible = [name for name in made.document.nodes if inside.intersects(made.geometry.card(name))]
    assert set(visible) <= set(painted)
