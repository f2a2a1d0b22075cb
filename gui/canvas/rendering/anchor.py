"""The place that stays in the view while chains unfold or fold: that of the card under the mouse."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF

from cadena.gui.canvas.rendering.camera import Camera
from cadena.gui.canvas.rendering.camera_path import between
from cadena.gui.canvas.rendering.geometry import Geometry

MIDDLE = (0.5, 0.5)


@dataclass(frozen=True)
class Anchor:
    """A place on a card that stays where it is in the view; or the camera `end` to which the view goes meanwhile."""

    start: Camera
    last: Camera  # that was shown: where it is another one now, something else has moved it
    name: str = ""
    at: tuple[float, float] = MIDDLE  # the place on the card, as parts of its width and height
    place: tuple[float, float] = MIDDLE  # where it was at the start
    end: Camera | None = None

    def is_in(self, places: Geometry) -> bool:
        """Whether these places still have the card."""
        return self.end is not None or self.name in places.numbers

    def camera(self, places: Geometry, share: float) -> Camera:
        """The camera after a part of the motion."""
        if self.end is not None:
            return between(self.start, self.end, share)
        x, y = _spot(places.card(self.name), self.at)
        return replace(self.start, x=self.start.x + x - self.place[0], y=self.start.y + y - self.place[1])


def anchored(before: Geometry, goal: Geometry, place: QPointF, camera: Camera) -> Anchor | None:
    """The anchor at the card nearest to a place, of those that both pictures show."""
    name = _nearest(before, goal, place)
    if name is None:
        return None
    card = before.card(name)
    at = (place.x() - card.left()) / card.width(), (place.y() - card.top()) / card.height()
    at = at if card.contains(place) else MIDDLE
    return Anchor(camera, camera, name, at, _spot(card, at))


def _nearest(before: Geometry, goal: Geometry, place: QPointF) -> str | None:
    """The card nearest to a place, of those in both pictures: of those that stay where they are in the document, if any
    does."""
    shown = [before.names[number] for number in before.shown_numbers.tolist()]
    both = [name for name in shown if name in goal.numbers and goal.is_shown(name)]
    was, now = before.document.layout, goal.document.layout
    both = [name for name in both if was.get(name) == now.get(name)] or both
    if not both:
        return None
    boxes = before.boxes[[before.numbers[name] for name in both]]
    away = np.maximum(np.maximum(boxes[:, :2] - place.toTuple(), place.toTuple() - boxes[:, 2:]), 0.0)
    return both[int(np.argmin((away**2).sum(axis=1)))]


def _spot(card: QRectF, at: tuple[float, float]) -> tuple[float, float]:
    """The place on a card, from parts of its width and height."""
    return card.left() + card.width() * at[0], card.top() + card.height() * at[1]
