"""The part of the picture that is still while tokens travel: ground, wires, cards, and their labels."""

from __future__ import annotations

from itertools import chain

from PySide6.QtGui import QPainter

from cadena.gui.canvas.rendering import (
    background,
    card_notes,
    cards,
    faults,
    frames,
    label_placement,
    legend,
    minimap,
    note_lines,
    notes_layer,
    overview,
)
from cadena.gui.canvas.rendering.card import RADIUS
from cadena.gui.canvas.rendering.clearance import Obstacles
from cadena.gui.canvas.rendering.contents import Contents
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.sprites import Sprites

HINTS = QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing
MAX_BADGES = 24
HIDES = 6  # what the corners count, where a card counts 1: they lie above the words, and cards below
MIN_ANNOTATION = 0.7  # tokens and labels are never smaller on the screen than at this zoom


def annotation_scale(scene: Scene) -> float:
    """The factor by which tokens, labels and badges are enlarged, so that they can be read from afar."""
    return max(1.0, MIN_ANNOTATION / (scene.zoom * scene.theme.type**0.5))


def paint(painter: QPainter, scene: Scene, sprites: Sprites | None, with_corners: bool = True) -> list[faults.Badge]:
    """Paint all of it. Returns the badges, which can be clicked."""
    contents = Contents(scene)
    paint_graph(painter, contents, sprites)
    badges = paint_words(painter, contents, sprites)
    if with_corners:
        paint_corners(painter, scene, sprites)
    return badges


def paint_corners(painter: QPainter, scene: Scene, sprites: Sprites | None) -> None:
    """What stays in the corners of the view, wherever the camera looks: the map, and what the colours say."""
    painter.setRenderHints(HINTS)
    minimap.paint(painter, scene, sprites)
    legend.paint(painter, scene)


def paint_graph(painter: QPainter, contents: Contents, sprites: Sprites | None) -> None:
    """What lies below the words."""
    scene = contents.scene
    painter.setRenderHints(HINTS)
    background.paint(painter, scene)
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    frames.paint(painter, scene)
    notes_layer.paint(painter, scene)
    contents.paint(painter, sprites)
    painter.restore()


def paint_words(painter: QPainter, contents: Contents, sprites: Sprites | None) -> list[faults.Badge]:
    """The names of cards that are seen from afar, and the words beside cards and wires. Returns the badges."""
    scene = contents.scene
    painter.setRenderHints(HINTS)
    painter.save()
    painter.setTransform(scene.camera.transform, True)
    overview.paint_names(painter, scene, contents.far, contents.lit, annotation_scale(scene), sprites)
    badges = _paint_notes(painter, contents, sprites) if scene.labelled else []
    painter.restore()
    return badges


def _paint_notes(painter: QPainter, contents: Contents, sprites: Sprites | None) -> list[faults.Badge]:
    """The words beside cards and wires: local derivatives and faults. Returns the faults' badges.

    Faults choose their places first, so that badges stay while labels come and go with the mouse; they lie on top.
    """
    scene = contents.scene
    visible, scale = scene.camera.visible(scene.view), annotation_scale(scene)
    obstacles = Obstacles(scene.geometry, visible)
    if scene.document.output in scene.document.nodes:
        obstacles.block(cards.tab_area(scene.geometry.card(str(scene.document.output)), RADIUS, scene.theme))
    for words in (*frames.written(scene), *note_lines.areas(scene.document).values()):
        obstacles.block(words)
    to_canvas, _ = scene.camera.transform.inverted()
    for corner in filter(None, (minimap.area(scene), legend.area(scene), scene.covered)):
        obstacles.block(to_canvas.mapRect(corner), HIDES)
    card_notes.paint(painter, scene, visible, obstacles, scale)
    card_notes.paint_breakpoints(painter, scene, visible, scale)
    faults.paint_rings(painter, scene, visible)
    shown = [fault for fault in faults.shown(scene) if visible.intersects(scene.geometry.card(fault.node))]
    badges = [faults.placed(scene, fault, obstacles, scale) for fault in shown[:MAX_BADGES]]
    label_placement.paint(painter, scene, contents.labelled, obstacles, scale, sprites)
    for paint_it in chain.from_iterable(badge.calls for badge in badges):
        paint_it(painter)
    return badges
