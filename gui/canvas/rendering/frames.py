"""Frames around cards: a ground in a pale colour, with the title above the cards; none of one that is folded."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QPointF, QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter, QPen

from cadena.core.graph.document import Document
from cadena.core.graph.frames import CollapsedFrame, collapsed_titles, color_of, frames, hue
from cadena.gui.canvas.rendering.geometry import TITLE_HEIGHT, Geometry, OpenBlock
from cadena.gui.canvas.rendering.scene import Scene
from cadena.gui.canvas.rendering.text_fitting import width, write
from cadena.gui.canvas.rendering.wires import blend
from cadena.gui.look.theme import CARD_NAME, GAP, RADIUS, Theme

AROUND = 18.0  # canvas units between a frame and its cards
LEAST_TITLE = 11.0  # pixels on the screen: seen from afar, titles grow into the frame
OPEN, COLLAPSED = "▾", "▸"  # before the title
MARK = 20.0  # canvas units: the width of that mark
DARKER = 0.035  # the share of ink in the ground of an open block, again for each within it
PALE, STRONG = 0.1, 0.7  # the share of the colour in the ground, and in the line around it


def areas(document: Document, geometry: Geometry) -> dict[str, QRectF]:
    """The area of each frame by its title, with the row for the title above the cards."""
    known, folded = {}, {fold.title for fold in geometry.folds.values() if isinstance(fold, CollapsedFrame)}
    for title, names in frames(document).items():
        if title in folded or (geometry.is_arranged and not all(map(geometry.is_shown, names))):
            continue
        boxes = geometry.boxes[[geometry.numbers[name] for name in names]]
        left, top = (float(side) for side in boxes[:, :2].min(axis=0))
        right, bottom = (float(side) for side in boxes[:, 2:].max(axis=0))
        cards = QRectF(left, top, right - left, bottom - top)
        known[title] = cards.adjusted(-AROUND, -AROUND - TITLE_HEIGHT, AROUND, AROUND)
    return known


def title_area(area: QRectF) -> QRectF:
    """The row with the title, by which a frame is taken hold of."""
    return QRectF(area.left(), area.top(), area.width(), TITLE_HEIGHT + GAP)


def mark_area(corner: QPointF) -> QRectF:
    """The mark at the corner of a title, which collapses a frame or expands it."""
    return QRectF(corner, QSizeF(AROUND + MARK, TITLE_HEIGHT + GAP))


def paint(painter: QPainter, scene: Scene) -> None:
    """All frames, the largest first, above those of open blocks; below the wires and the cards."""
    _paint_blocks(painter, scene)
    known: Mapping[str, QRectF] = areas(scene.document, scene.geometry)
    ground = scene.theme.color("canvas")
    for title, area in sorted(known.items(), key=lambda item: -item[1].width() * item[1].height()):
        color = color_in(scene.theme, color_of(scene.document, title))
        painter.setPen(QPen(blend(ground, color, STRONG), 1.4 * scene.theme.line))
        painter.setBrush(blend(ground, color, PALE))
        painter.drawRoundedRect(area, 2 * RADIUS, 2 * RADIUS)
        words, row, size = _typeset(scene, title, area)
        write(painter, words, row, size, blend(ground, scene.theme.color("text"), 0.85), bold=True)


def block_area(block: OpenBlock) -> QRectF:
    """The frame of an open block."""
    left, top, right, bottom = block.edges
    return QRectF(left, top, right - left, bottom - top)


def block_at(geometry: Geometry, point: QPointF) -> OpenBlock | None:
    """The innermost open block whose title is under a point."""
    under = (block for block in reversed(geometry.open_blocks) if title_area(block_area(block)).contains(point))
    return next(under, None)


def _paint_blocks(painter: QPainter, scene: Scene) -> None:
    theme = scene.theme
    for block in scene.geometry.open_blocks:
        area = block_area(block)
        painter.setPen(QPen(theme.color("border"), 1.2 * theme.line))
        painter.setBrush(theme.color("text", DARKER))
        painter.drawRoundedRect(area, 2 * RADIUS, 2 * RADIUS)
        row = title_area(area).adjusted(AROUND, 0.0, -AROUND, AROUND / 2)
        size = min(max(CARD_NAME * theme.type**0.5, LEAST_TITLE / scene.zoom), 0.7 * row.height())
        words = f"{OPEN} {block.title}" if scene.editable else block.title
        write(painter, words, row, size, theme.color("muted"), bold=True)


def _typeset(scene: Scene, title: str, area: QRectF) -> tuple[str, QRectF, float]:
    """The words of a title, the row that they stand in, and their size: from afar they grow into the frame."""
    row, least = title_area(area).adjusted(AROUND, 0.0, -AROUND, 0.0), LEAST_TITLE / scene.zoom
    row.setHeight(max(row.height(), 1.5 * least))
    mark = COLLAPSED if title in collapsed_titles(scene.document) else OPEN
    return f"{mark} {title}" if scene.editable else title, row, max(CARD_NAME * scene.theme.type**0.5, least)


def written(scene: Scene) -> list[QRectF]:
    """Where the titles of frames are written."""
    rows = []
    for title, area in areas(scene.document, scene.geometry).items():
        words, row, size = _typeset(scene, title, area)
        row.setWidth(min(row.width(), width(words, round(size), True)))
        rows.append(row)
    return rows


def color_in(theme: Theme, number: int) -> QColor:
    """The colour of frames with this number."""
    degrees, light = hue(number), 0.62 if theme.dark else 0.42
    return QColor.fromHslF((degrees or 0) / 360.0, 0.0 if degrees is None else 0.55, light)
