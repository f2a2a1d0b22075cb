"""Where two pictures of one large graph differ, so that these places alone are painted again."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

import numpy as np
from PySide6.QtCore import QRectF
from PySide6.QtGui import QRegion

from cadena.core.graph.frames import COLORS
from cadena.core.graph.memos import memos
from cadena.gui.canvas.picture import frames, overview
from cadena.gui.canvas.picture.contents import Contents, DrawnCard, DrawnWire
from cadena.gui.canvas.picture.scene import Scene

MOST_AREAS, MOST_SHARE = 300, 0.3  # where more differs, or more of the view, all is painted
OUTLINE, ROUNDING = 8.0, 2.0  # pixels around a card that is outlined from afar, and around everything


def damage(before: Contents, after: Contents) -> np.ndarray | None:
    """The rectangles of the view in which two contents differ: left, top, right and bottom of each, in whole pixels,
    none twice; None where all had better be painted."""
    if not _are_alike(before.scene, after.scene) or not _are_painted_alike(before, after):
        return None
    kinds = (_far_cards, _near_cards, _lines, _drawn)
    areas = np.vstack([area for changes in kinds for area in changes(before, after)])
    if len(areas) > MOST_AREAS:
        return None
    camera, view = after.scene.camera, np.ceil([after.scene.view.width(), after.scene.view.height()])
    sides = (areas - (camera.x, camera.y, camera.x, camera.y)) * camera.zoom
    begin = np.floor(sides[:, :2] - ROUNDING).clip(0, view)
    end = np.ceil(sides[:, 2:] + ROUNDING).clip(0, view)
    some = list(dict.fromkeys(map(tuple, np.hstack([begin, end])[(begin < end).all(axis=1)].astype(int).tolist())))
    pixels = np.array(some, dtype=int).reshape(-1, 4)
    share = (pixels[:, 2:] - pixels[:, :2]).prod(axis=1).sum() / view.prod()
    return pixels if share < MOST_SHARE else None


def region_of(pixels: np.ndarray) -> QRegion:
    """All of these rectangles."""
    region = QRegion()
    for left, top, right, bottom in pixels.tolist():
        region += QRegion(left, top, right - left, bottom - top)
    return region


def areas_of(pixels: np.ndarray, scene: Scene) -> np.ndarray:
    """Rectangles of the view in canvas units: rectangles x 4."""
    camera = scene.camera
    areas: np.ndarray = pixels / camera.zoom + (camera.x, camera.y, camera.x, camera.y)
    return areas


def _are_alike(before: Scene, after: Scene) -> bool:
    """Whether two scenes have the same ground, and nothing that would change all cards or wires."""
    free = not any(
        scene.shown.by or scene.decorations.lit_ports is not None or scene.geometry.is_moving
        for scene in (before, after)
    )
    looks = ("theme", "camera", "view", "enlarged", "editable")
    return (
        free
        and all(getattr(before, look) == getattr(after, look) for look in looks)
        and memos(before.document) == memos(after.document)
        and before.document.extra.get(COLORS) == after.document.extra.get(COLORS)
        and frames.areas(before.document, before.geometry) == frames.areas(after.document, after.geometry)
    )


def _are_painted_alike(before: Contents, after: Contents) -> bool:
    """Whether the same cards can be read, and wires are drawn in the same way."""
    return (
        before.in_full == after.in_full
        and before.geometry.names == after.geometry.names
        and np.array_equal(before.far, after.far)
    )


def _far_cards(before: Contents, after: Contents) -> Iterable[np.ndarray]:
    """The cards from afar that have moved or changed their colours, where they were and where they are."""
    boxes, now = (contents.geometry.boxes.take(contents.far, axis=0) for contents in (before, after))
    differ = _differing(*before.states.T, *boxes.T, others=(*after.states.T, *now.T))
    yield boxes[differ]
    yield now[differ]
    around = OUTLINE / after.scene.zoom * np.array([-1.0, -1.0, 1.0, 1.0])
    one, other, none = before.outlines, after.outlines, np.empty(0, dtype=np.intp)
    differing = [np.setxor1d(one.get(role, none), other.get(role, none)) for role in {**one, **other}]
    outlined = np.concatenate([none, *differing])
    for contents in (before, after):
        yield contents.geometry.boxes[outlined] + around


def _near_cards(before: Contents, after: Contents) -> Iterable[np.ndarray]:
    """The cards that can be read and look different, where they were and where they are."""
    one, other = before.shown, after.shown
    names = [name for name in {**one, **other} if _look(one.get(name)) != _look(other.get(name))]
    for shown in (one, other):
        yield _boxes(shown[name].area for name in names if name in shown)


def _look(shown: DrawnCard | None) -> object:
    return None if shown is None else shown[1:]  # all but the card itself


def _lines(before: Contents, after: Contents) -> Iterable[np.ndarray]:
    """The wires that are drawn as thin lines and have come, gone, or changed; as many as could be painted again."""
    if before.in_full:
        return
    known, keys = (_keys(contents) for contents in (before, after))
    looks, now = (_looks(contents) for contents in (before, after))
    if np.array_equal(known, keys):  # as most edits leave them: nothing need be looked up
        gone = come = _differing(*looks, others=now)
    else:
        places = np.searchsorted(known, keys).clip(max=max(len(known) - 1, 0))
        come = np.ones(len(keys), dtype=bool)
        if len(known):
            come = _differing(*(column[places] for column in (known, *looks)), others=(keys, *now))
        gone = np.ones(len(known), dtype=bool)
        gone[places[~come]] = False
    for contents, differs in ((before, gone), (after, come)):
        aside = np.array([overview.line_width(contents.scene.theme) / contents.scene.zoom])
        yield contents.pieces(contents.rows[differs][:MOST_AREAS].tolist(), aside).reshape(-1, 4)


def _keys(contents: Contents) -> np.ndarray:
    """A number for the slot that each wire goes into, in their order."""
    _, target, slot = contents.geometry.wires.take(contents.rows, axis=0).T
    return target * (1 << 20) + slot


def _looks(contents: Contents) -> tuple[np.ndarray, ...]:
    """The source of each wire, where it begins and ends, and whether it has carried a gradient."""
    geometry, rows = contents.geometry, contents.rows
    return geometry.wires[rows, 0], *geometry.wire_ends.take(rows, axis=0).T, contents.back


def _differing(*columns: np.ndarray, others: tuple[np.ndarray, ...]) -> np.ndarray:
    """Which rows differ in one of their columns; numpy is slow to tell that of rows of a table."""
    return reduce(np.logical_or, map(np.not_equal, columns, others))


def _drawn(before: Contents, after: Contents) -> Iterable[np.ndarray]:
    """The wires with a look of their own that have come, gone, or changed."""
    one, other = before.drawn, after.drawn
    wires = [wire for wire in {**one, **other} if _curve(one.get(wire)) != _curve(other.get(wire))]
    for contents, drawn in ((before, one), (after, other)):
        yield contents.along([drawn[wire] for wire in wires if wire in drawn]).reshape(-1, 4)


def _curve(drawn: DrawnWire | None) -> object:
    return None if drawn is None else drawn[1:]  # all but its row


def _boxes(areas: Iterable[QRectF]) -> np.ndarray:
    return np.array([area.getCoords() for area in areas], dtype=float).reshape(-1, 4)
