"""The camera that follows the steps: where it is at any moment of what is played, as a function of time."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from PySide6.QtCore import QPointF, QRectF, QSizeF

from cadena.core.methods.reverse.timeline import Step, Timeline, ease
from cadena.gui.canvas.rendering.camera import Camera

EDGE = 24.0  # pixels between a revealed card and the edge of the view
MARGIN = 56.0  # pixels around the cards of the step under way, where there is room
SETTLED = 0.6  # of a step, from which on the camera rests: while the number arrives
LEGIBLE, READING = 0.42, 0.62  # zooms times the root of the type: below the first the camera goes closer, to the second
MAX_OPERANDS = 6  # of a step that are kept in view, too

Area = Callable[[Iterable[str], float], QRectF]  # the area that the cards of some nodes take at a moment
AreaNow = Callable[[Iterable[str]], QRectF]
Clear = Callable[[Camera, QRectF], Camera]  # a camera, moved so that nothing of the view's own covers an area


def revealing(camera: Camera, view: QSizeF, area: QRectF, margin: float = EDGE) -> Camera:
    """Move the camera just enough to show `area`; its top left corner has priority where it exceeds the view."""
    visible = camera.visible(view)
    edge = min(margin / camera.zoom, visible.width() / 4, visible.height() / 4)
    wanted = area.adjusted(-edge, -edge, edge, edge)
    x = min(max(visible.left(), wanted.right() - visible.width()), wanted.left())
    y = min(max(visible.top(), wanted.bottom() - visible.height()), wanted.top())
    return Camera(x, y, camera.zoom)


def taking_in(camera: Camera, view: QSizeF, new: QRectF, kept: QRectF) -> Camera:
    """Move the camera just enough to show a `new` area beside one that is `kept` in view; zoom out where both need
    it."""
    visible, edge = camera.visible(view), EDGE / camera.zoom
    area = kept if new.isNull() else kept.united(new.adjusted(-edge, -edge, edge, edge))
    if area.width() <= visible.width() and area.height() <= visible.height():
        return revealing(camera, view, area, margin=0.0)
    area, room = kept.united(new), (view.width() - 2.0 * EDGE, view.height() - 2.0 * EDGE)
    zoom = min(camera.zoom, room[0] / area.width(), room[1] / area.height())
    middle = QPointF(view.width(), view.height()) / 2.0
    return revealing(camera.zoomed_at(middle, zoom / camera.zoom, zoom), view, area)


def between(start: Camera, end: Camera, share: float) -> Camera:
    """A part of the way from one camera to another: the zoom grows by equal factors, what stays in view stays."""
    if share >= 1.0 or start == end:
        return end
    zoom = start.zoom * (end.zoom / start.zoom) ** share
    # With this share of the way each point of the view goes straight from its place at the start to that at the end.
    way = share if end.zoom == start.zoom else (1 / zoom - 1 / start.zoom) / (1 / end.zoom - 1 / start.zoom)
    return Camera(start.x + (end.x - start.x) * way, start.y + (end.y - start.y) * way, zoom)


def legible(camera: Camera, type_: float) -> bool:
    """Whether the names on cards can be read."""
    return camera.zoom * type_**0.5 >= LEGIBLE


def reading_zoom(camera: Camera, type_: float) -> float:
    """The zoom at which the names on cards can be read: the camera's own unless the cards are too small."""
    return camera.zoom if legible(camera, type_) else READING / type_**0.5


def active(step: Step, timeline: Timeline) -> list[list[str]]:
    """The nodes of a step in groups, the most important ones first: where the number goes, then where it comes from."""
    nodes = timeline.run.program.document.nodes
    if step.operand in nodes:
        return [[str(step.operand)], [step.node]]
    inputs = [str(name) for name in nodes[step.node].inputs if name in nodes] if step.node in nodes else []
    return [[name] for name in (step.node,) if name in nodes] + [inputs[:MAX_OPERANDS]]


def showing(camera: Camera, view: QSizeF, area: AreaNow, clear: Clear, groups: Sequence[Sequence[str]]) -> Camera:
    """The camera moved just enough for the first group of nodes, and for those of the others that fit in with it."""
    names, cards = list[str](), QRectF()
    for group in groups:
        more = area([*names, *group])
        if not names or _fits(more, camera, view):
            names, cards = [*names, *group], more
    return clear(revealing(camera, view, cards, MARGIN), cards) if names else camera


class Following:
    """The way of the camera from a moment on, forwards or backwards in time; `zoom` is where it ends up.

    At each step it has moved just enough to show the nodes of the step and, where there is room, those of the next.
    """

    def __init__(
        self,
        timeline: Timeline,
        area: Area,
        clear: Clear,
        view: QSizeF,
        start: Camera,
        time: float,
        zoom: float,
        forwards: bool = True,
    ) -> None:
        self.timeline, self.view, self.forwards = timeline, view, forwards
        self._area, self._clear, self._time = area, clear, time
        self._first = self._step_at(time)
        middle = start.visible(view).center()
        corner = (middle.x() - view.width() / zoom / 2, middle.y() - view.height() / zoom / 2)
        self._start = start
        self._goals = [Camera(*corner, zoom)]  # before the first step, after the first, after the second ...

    def is_of(self, timeline: Timeline, view: QSizeF, forwards: bool) -> bool:
        """Whether this is the way through these steps, in a view of this size, in this direction."""
        return self.timeline is timeline and self.view == view and self.forwards == forwards

    def _step_at(self, time: float) -> int:
        """The step under way at a moment: between two, the one that begins there."""
        index = math.floor(time) if self.forwards else math.ceil(time) - 1
        return min(max(index, 0), max(len(self.timeline) - 1, 0))

    def at(self, time: float) -> Camera:
        """The camera at a moment that is not before the start."""
        if not len(self.timeline):
            return self._start
        steps = abs(self._step_at(time) - self._first)
        begin, end = (self._start if steps == 0 else self._goal(steps)), self._goal(steps + 1)
        return between(begin, end, ease(min(self._progress(time, steps) / SETTLED, 1.0)))

    def _progress(self, time: float, steps: int) -> float:
        """The part of the step that is done; of the first one the part since the start."""
        index = self._step_at(time)
        done = time - index if self.forwards else index + 1 - time
        if steps:
            return done
        before = self._time - index if self.forwards else index + 1 - self._time
        return (done - before) / max(1.0 - before, 1e-6)

    def _goal(self, count: int) -> Camera:
        """The camera after so many steps."""
        while len(self._goals) <= count:
            by = len(self._goals) - 1 if self.forwards else 1 - len(self._goals)
            self._goals.append(self._showing(self._goals[-1], self._first + by))
        return self._goals[count]

    def _showing(self, camera: Camera, index: int) -> Camera:
        """The camera moved just enough for a step, and for as much around it as fits into the view."""
        coming, end = index + (1 if self.forwards else -1), float(index + 1 if self.forwards else index)
        steps = [self.timeline[at] for at in (index, coming) if 0 <= at < len(self.timeline)]
        groups = [group for step in steps for group in active(step, self.timeline)]
        return showing(camera, self.view, lambda names: self._area(names, end), self._clear, groups)


def _fits(area: QRectF, camera: Camera, view: QSizeF) -> bool:
    room = camera.visible(view)
    margins = 2 * MARGIN / camera.zoom
    return area.width() + margins <= room.width() and area.height() + margins <= room.height()
