"""What the screen shows of a canvas, pixel for pixel, against a picture for which nothing was kept."""

from __future__ import annotations

from dataclasses import replace
from functools import reduce

import numpy as np
from PySide6.QtCore import QAbstractAnimation, QPoint, QRect, Qt, QTimer
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from cadena.gui.background import worker
from cadena.gui.canvas.interaction import gestures
from cadena.gui.canvas.interaction.canvas import Canvas
from cadena.gui.canvas.rendering import scrub_mark
from cadena.gui.canvas.rendering.geometry import Geometry
from cadena.gui.canvas.rendering.painting import Layers, paint
from tests.gui.canvas.pictures import pixels
from tests.gui.user import settle
from tests.waiting import until

# Of 255: a card that is kept was painted elsewhere, where its edges and letters are rounded to other parts of a pixel.
ROUNDED, FEW, SAME, TILE = 48, 40, 2, 8
SOON = 1000  # milliseconds: timers that wait longer hide what has been read, and save


def same_picture(canvas: Canvas) -> None:
    """The window holds the pixels that the scene of its canvas says, as soon as nothing moves any more.

    Nothing is painted on demand for it: where the canvas forgot to repaint a part, the part is found. What plays or
    learns is always a moment ahead of the screen, and left out.
    """
    session = canvas.session
    if canvas.isVisible() and not session.playback.playing and not session.learns and _apart(canvas):
        until(lambda: _rests(canvas), "something on the canvas moves for ever", settle)
        assert not (apart := _apart(canvas)), apart


def _rests(canvas: Canvas) -> bool:
    """Whether no timer, no motion and no thread will change the picture, and no event that was due has changed it.

    A panel that grows by one event makes the canvas smaller by the next, and has it painted by one more.
    """
    before = on_screen(canvas), painted_anew(canvas)
    settle()
    moves = any(one.state() is QAbstractAnimation.State.Running for one in canvas.findChildren(QAbstractAnimation))
    timers = (timer for owner in (canvas.window(), canvas.session) for timer in owner.findChildren(QTimer))
    soon = (timer for timer in timers if timer.isActive() and timer.interval() < SOON)
    waits = any(timer.isSingleShot() for timer in soon)
    return not (moves or waits or worker.running) and before == (on_screen(canvas), painted_anew(canvas))


def _apart(canvas: Canvas) -> str:
    """Where the screen and the scene differ, in words; nothing where they are the same."""
    shown, made = on_screen(canvas), painted_anew(canvas)
    for image in (shown, made):
        with QPainter(image) as painter:
            for area in _covered(canvas):
                painter.fillRect(area, Qt.GlobalColor.black)
    return difference(shown, made)


def difference(shown: QImage, made: QImage) -> str:
    """Where two pictures of a canvas differ by more than the rounding of cards that are kept, in words."""
    if shown == made:
        return ""
    one, other = (pixels(image)[..., :3] for image in (shown, made))
    strange, filled = _strange(one, other) | _strange(other, one), _filled(one, other)
    if strange.sum() <= FEW and not filled.any():
        return ""
    rows, columns = np.nonzero(strange | filled)
    corners = f"from ({columns.min()}, {rows.min()}) to ({columns.max()}, {rows.max()})"
    return f"{len(rows)} pixels of the canvas are not what its scene says, {corners}"


def _strange(image: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where a pixel of an image is none between those around it in the other."""
    wide = np.pad(other, ((1, 1), (1, 1), (0, 0)), mode="edge")
    around = [wide[y : y + len(image), x : x + image.shape[1]] for y in range(3) for x in range(3)]
    least, most = reduce(np.minimum, around), reduce(np.maximum, around)
    return ((image < least - ROUNDED) | (image > most + ROUNDED)).any(axis=-1)


def _filled(image: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Where all pixels of a tile differ, be it by a little."""
    apart = (np.abs(image - other) > SAME).any(axis=-1)
    rows, columns = (length // TILE for length in apart.shape)
    tiles = apart[: rows * TILE, : columns * TILE].reshape(rows, TILE, columns, TILE).all(axis=(1, 3))
    filled = np.zeros_like(apart)
    filled[: rows * TILE, : columns * TILE] = tiles.repeat(TILE, axis=0).repeat(TILE, axis=1)
    return filled


def on_screen(canvas: Canvas) -> QImage:
    """The pixels that the window holds where its canvas is."""
    held = canvas.backingStore().paintDevice()
    assert isinstance(held, QImage)
    return held.copy(QRect(canvas.mapTo(canvas.window(), QPoint()), canvas.size()))


def painted_anew(canvas: Canvas) -> QImage:
    """The scene as it is painted with no kept layers, and with places computed anew where no chain is folded."""
    scene, plan = canvas.scene, canvas.session.program.plan
    if not canvas.places.folds and not canvas.places.inside and not canvas.folds_blocks:
        scene = replace(scene, geometry=Geometry(scene.document, dict(zip(plan.names, plan.shapes))))
    image = QImage(canvas.size(), on_screen(canvas).format())
    with QPainter(image) as painter:
        paint(painter, scene, Layers())
        if (
            isinstance(canvas.gesture, gestures.Scrub | None)
            and gestures.scrubbable(canvas, canvas.hovered) is not None
        ):
            scrub_mark.paint(painter, scene, str(canvas.hovered.node))
    return image


def _covered(canvas: Canvas) -> list[QRect]:
    """Where other widgets lie over the canvas: fields and notices in it, and what the window shows above it."""
    window = canvas.window()
    corner = canvas.mapTo(window, QPoint())
    others = (one for one in window.findChildren(QWidget) if one.isVisible() and not one.isAncestorOf(canvas))
    areas = (
        QRect(one.mapTo(window, QPoint()) - corner, one.size())
        for one in others
        if one is not canvas and not one.isWindow()
    )
    return [area for area in areas if area.intersects(canvas.rect())]
