"""The places on a stage, whose canvas is low and wide: cards are closer in a column, so that all are larger, and
farther beside each other, so that tokens have room between them."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QSizeF

from cadena.gui.canvas.rendering import note_lines
from cadena.gui.canvas.rendering.folded_positions import Closing, FoldedPlaces
from cadena.gui.canvas.rendering.geometry import Geometry

BELOW, FAULT = 32.0, 48.0  # canvas units that stay free below a card: for what a leaf holds; for signs of faults
BESIDE = 12.0  # cards whose columns are nearer than that stand below each other
FARTHER = 1.3  # times the distance of two columns, at most
LEAST_SHARE = 0.1  # of a distance that is left, so that each place leads back to one in the document
TRIES, ROUNDS = 7, 3  # of the height that is looked for, and of keeping distances while it is


def staged(flat: Geometry, view: QSizeF, enough: float, most: float, below: float = BELOW) -> Geometry:
    """The geometry that fills a view: its rows as close as cards allow, its columns as far as there is room.

    So much stays free `below` each card. Rows need be no closer at a zoom that is `enough`, and no zoom is larger than
    `most`. The order of cards stays. Notes stand where the user has put them: a graph with notes stays as it is.
    """
    bounds, boxes = flat.bounds(), flat.boxes
    if bounds.isEmpty() or view.isEmpty() or note_lines.areas(flat.document):
        return flat
    around = bounds.height() - _height(boxes)
    wanted = max(bounds.width() * view.height() / view.width(), view.height() / enough)
    tops = boxes[:, 1] if bounds.height() <= wanted else _closer_to(boxes, wanted - around, below)
    moved = boxes.copy("K")
    moved[:, 1], moved[:, 3] = tops, tops + boxes[:, 3] - boxes[:, 1]
    zoom = min(view.height() / (_height(moved) + around), most)
    left, wide = boxes[:, 0], float(np.ptp(boxes[:, 0]))
    farther = min(max((view.width() / zoom - bounds.width()) / max(wide, 1.0), 0.0), FARTHER - 1.0)
    moved[:, [0, 2]] += (farther * (left - left.min()))[:, None]
    order = np.argsort(boxes[:, 1], kind="stable")
    across = Closing(np.array([left.min(), left.max()]), np.array([0.0, -farther * wide]))
    down = Closing(boxes[order, 1], (boxes[:, 1] - tops)[order])
    starts, stands = np.full(len(boxes), 0.5), np.arange(len(boxes))
    return FoldedPlaces(flat, moved, flat.port_shares, starts, stands, {}, (across, down))


def _closer_to(boxes: np.ndarray, height: float, free: float) -> np.ndarray:
    """The upper edges with as much of each distance as this height allows."""
    least, most, tops = LEAST_SHARE, 1.0, _closer(boxes, LEAST_SHARE, free)
    for _ in range(TRIES):
        share = (least + most) / 2
        tried = _closer(boxes, share, free)
        if (tried + boxes[:, 3] - boxes[:, 1]).max() - tried.min() <= height:
            least, tops = share, tried
        else:
            most = share
    return tops


def _closer(boxes: np.ndarray, share: float, free: float) -> np.ndarray:
    """The upper edges with this share of each distance, or with more as cards below each other need it; none grows."""
    order = np.argsort(boxes[:, 1], kind="stable")
    left, top, right, bottom = boxes[order].T
    below = (left[:, None] < right + BESIDE) & (right[:, None] + BESIDE > left)
    needed = np.where(below, np.minimum((bottom - top + free)[:, None], top - top[:, None]), -np.inf)
    gaps, closer = np.diff(top), top.astype(float)
    for number in range(ROUNDS):
        for card in range(1, len(top)):
            low = closer[card - 1] + share * gaps[card - 1]
            kept = closer[card] if number else -np.inf
            closer[card] = max(low, kept, float((closer[:card] + needed[:card, card]).max()))
        if number < ROUNDS - 1:
            for card in range(len(top) - 2, -1, -1):
                closer[card] = max(closer[card], closer[card + 1] - gaps[card])
    tops = np.empty_like(closer)
    tops[order] = closer
    return tops


def _height(boxes: np.ndarray) -> float:
    return float(boxes[:, 3].max() - boxes[:, 1].min())
