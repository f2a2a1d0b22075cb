"""Where two pictures of one large graph differ, so that these places alone are painted again."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from itertools import compress
from typing import TypeVar

import numpy as np
from PySide6.QtGui import QRegion

from cadena.core.graph.frames import COLORS
from cadena.core.graph.memos import memos
from cadena.core.methods.reverse.activity import Wire
from cadena.gui.canvas.picture import frames, overview
from cadena.gui.canvas.picture.contents import Contents, Damage, DrawnCard, DrawnWire
from cadena.gui.canvas.picture.scene import Scene
from cadena.gui.canvas.picture.touching import OUTWARDS, PIECES, along_lines, boxes_of, overlaps

MOST_AREAS, MOST_SHARE = 300, 0.3  # where more differs, or more of the view, all is painted
MOST_STEPS = 100  # the same, without looking: each has changed a card, as a rule
LINES_OF_ALL = 150  # the same where one of so many thin lines differs: all are painted as fast as these alone
MOST_CURVES = 6  # the same of wires close up: they cross so many others that most would be painted again
OUTLINE, ROUNDING = 8.0, 2.0  # pixels around a card that is outlined from afar, and around everything
AS_ONE = (1 << 48, 1 << 32, 1 << 16, 1)  # makes one number of the sides of a box; no view is 2**16 pixels wide
Item = TypeVar("Item")


def damage(before: Contents, after: Contents) -> Damage | None:
    """Where two contents differ; None where all had better be painted."""
    if not _are_alike(before.scene, after.scene) or not _are_painted_alike(before, after):
        return None
    if not after.in_full and abs(after.scene.frame.time - before.scene.frame.time) > MOST_STEPS:
        return None
    curves = _unlike(before.drawn, after.drawn)
    if after.in_full and len(curves) > MOST_CURVES:
        return None
    left, entered = _differing_lines(before, after)
    differing = len(left) + len(entered)
    if LINES_OF_ALL * differing > len(after.rows):
        return None
    scene, unlike = after.scene, _unlike(before.shown, after.shown)
    renumbered = _renumbered(before.shown, after.shown, unlike)
    near = _near_cards(before, after, [name for name in unlike if name not in renumbered])
    areas = np.vstack([*_far_cards(before, after), *near, *_drawn(before, after, curves)])
    if len(areas) + PIECES * differing > MOST_AREAS:
        return None
    gone, come = _seen_lines(before, after, left, entered)
    lines = np.vstack([gone, _ends(after, come)])
    aside = np.full(len(lines), overview.line_width(scene.theme) / scene.zoom)
    boxes, strips = _pixels(areas, scene), _pixels(along_lines(lines, aside).reshape(-1, 4), scene)
    pixels, view = sum(int((some[:, 2:] - some[:, :2]).prod(axis=1).sum()) for some in (boxes, strips)), scene.view
    damaged = Damage(boxes, strips, gone, come, tuple(after.shown[name] for name in renumbered))
    return damaged if pixels < MOST_SHARE * view.width() * view.height() else None


def region_of(damaged: Damage, contents: Contents, ratio: float) -> QRegion:
    """What is to be painted again, in pixels of a screen that has `ratio` of them per pixel of the view."""
    region = QRegion()
    for left, top, right, bottom in (damaged.boxes * round(ratio)).tolist():
        region += QRegion(left, top, right - left, bottom - top)
    lines = np.vstack([damaged.gone, _ends(contents, damaged.come)])
    return region + overview.pixels_of(lines, contents.scene, ratio) if len(lines) else region


def _pixels(areas: np.ndarray, scene: Scene) -> np.ndarray:
    """The boxes around areas in whole pixels of the view, as far as they are in view, none twice."""
    camera, view = scene.camera, np.ceil([scene.view.width(), scene.view.height()])
    sides = (areas - (camera.x, camera.y, camera.x, camera.y)) * camera.zoom
    begin = np.floor(sides[:, :2] - ROUNDING).clip(0, view)
    end = np.ceil(sides[:, 2:] + ROUNDING).clip(0, view)
    boxes = np.hstack([begin, end])[(begin < end).all(axis=1)].astype(np.int64)
    return boxes[np.unique(boxes @ AS_ONE, return_index=True)[1]]


def _are_alike(before: Scene, after: Scene) -> bool:
    """Whether two scenes have the same ground, and nothing that would change all cards or wires."""
    free = not any(scene.shown.by or scene.geometry.is_moving for scene in (before, after))
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
        (before.in_full, before.rough) == (after.in_full, after.rough)
        and before.geometry.names == after.geometry.names
        and np.array_equal(before.far, after.far)
    )


def _far_cards(before: Contents, after: Contents) -> Iterable[np.ndarray]:
    """The cards from afar that have moved or changed their colours, where they were and where they are."""
    if not (len(before.far) or before.outlines or after.outlines):  # as at reading size
        return
    differ = before.far[_differing(*before.card_columns, others=after.card_columns)]
    yield before.geometry.boxes[differ]
    yield after.geometry.boxes[differ]
    around = OUTLINE / after.scene.zoom * OUTWARDS
    one, other, none = before.outlines, after.outlines, np.empty(0, dtype=np.intp)
    differing = [np.setxor1d(one.get(role, none), other.get(role, none)) for role in {**one, **other}]
    outlined = np.concatenate([none, *differing])
    for contents in (before, after):
        yield contents.geometry.boxes[outlined] + around


def _near_cards(before: Contents, after: Contents, names: list[str]) -> Iterable[np.ndarray]:
    """These cards that can be read, where they were and where they are."""
    for shown in (before.shown, after.shown):
        yield boxes_of(shown[name].area for name in names if name in shown)


def _renumbered(one: Mapping[str, DrawnCard], other: Mapping[str, DrawnCard], unlike: list[str]) -> dict[str, None]:
    """The `unlike` cards that cover what lies below, are covered by none, and differ in their numbers alone."""
    same = [name for name in unlike if name in one and name in other and _is_renumbered(one[name], other[name])]
    meets = overlaps(boxes_of(other[name].card.box for name in same), boxes_of(card.area for card in other.values()))
    return dict.fromkeys(compress(same, meets.sum(axis=1) == 1))  # each meets itself


def _is_renumbered(one: DrawnCard, other: DrawnCard) -> bool:
    return one.face == other.face and one.area == other.area and not other.card.dimmed


def _unlike(one: Mapping[Item, DrawnCard | DrawnWire], other: Mapping[Item, DrawnCard | DrawnWire]) -> list[Item]:
    """Under which keys something else is drawn, or nothing; a card itself, and the row of a wire, are not seen."""
    return [
        key
        for key in {**one, **other}
        if (this := one.get(key)) is not (that := other.get(key)) and not (this and that and this[1:] == that[1:])
    ]


def _seen_lines(
    before: Contents, after: Contents, left: np.ndarray, entered: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The `gone` and the `come` of the damage, of the thin lines that have left these places of the rows before and
    entered these of those after."""
    is_above = after.back[entered] | (not after.back.any())  # the colour of what carried a gradient, or the only one
    come, below = entered[is_above], entered[~is_above]
    covered = set(map(tuple, _ends(after, come).tolist()))  # as by a line that has only changed its colour
    others = dict.fromkeys(map(tuple, np.vstack([_ends(before, left), _ends(after, below)]).tolist()))
    return np.array([line for line in others if line not in covered]).reshape(-1, 4), come


def _ends(contents: Contents, places: np.ndarray) -> np.ndarray:
    """Where the wires at these places of the rows begin and end."""
    return contents.geometry.wire_ends[contents.rows[places]]


def _differing_lines(before: Contents, after: Contents) -> tuple[np.ndarray, np.ndarray]:
    """The places in the rows of the thin lines that are no more as they were, and of those that were not so before."""
    if before.in_full:
        return np.empty(0, dtype=np.intp), np.empty(0, dtype=np.intp)
    one, other = before.geometry, after.geometry
    if np.array_equal(before.rows, after.rows) and np.array_equal(one.wires.T[1:], other.wires.T[1:]):  # as mostly
        differ = _differing(one.wires.T[0], *one.wire_ends.T, others=(other.wires.T[0], *other.wire_ends.T))
        gone = come = differ.take(after.rows) | (before.back != after.back)
    else:
        known, keys, looks, now = before.slots, after.slots, before.line_columns, after.line_columns
        places = np.searchsorted(known, keys).clip(max=max(len(known) - 1, 0))
        come = np.ones(len(keys), dtype=bool)
        if len(known):
            come = _differing(*(column[places] for column in (known, *looks)), others=(keys, *now))
        gone = np.ones(len(known), dtype=bool)
        gone[places[~come]] = False
    return np.flatnonzero(gone), np.flatnonzero(come)


def _differing(*columns: np.ndarray, others: tuple[np.ndarray, ...]) -> np.ndarray:
    """Which rows differ in one of their columns; numpy is slow to tell that of rows of a table."""
    return reduce(np.logical_or, map(np.not_equal, columns, others))


def _drawn(before: Contents, after: Contents, curves: list[Wire]) -> Iterable[np.ndarray]:
    """These wires with a look of their own, where they were and where they are."""
    for contents in (before, after):
        yield contents.along([contents.drawn[wire] for wire in curves if wire in contents.drawn]).reshape(-1, 4)
